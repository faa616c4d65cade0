"""What strong bots know about the game, with numbers that hold.

    python explore.py position game.jsonl --move 14      one decision: every action with its chance and its worth
    python explore.py review game.jsonl --seat 0         a played game: what each move cost, and how much was luck

Each command explains itself: python explore.py review --help
"""

import sys
from collections.abc import Sequence

from agents.commandline import Parser
from strategy.commands import position, review

COMMANDS = (position, review)


def new_parser() -> Parser:
    """What can be asked for."""
    parser = Parser("explore.py", __doc__ or "")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; a mistake is one line and exit code 2."""
    parser = new_parser()
    asked, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(f"{unknown[0]}: there is no such option; --help explains them all")
    try:
        code = asked.run(asked)
    except (ValueError, OSError) as error:
        parser.error(error)
    except KeyboardInterrupt:
        parser.stopped()
    sys.exit(code)


if __name__ == "__main__":
    main()
