"""What strong play knows about Mau-Mau: tips with evidence, and decisions and games taken apart.

    python explore.py tips                  the tips that people give, measured
    python explore.py discover              new rules of thumb, found in a bot's play
    python explore.py position game.jsonl --move 14      one decision: every action with its chance and its worth
    python explore.py review game.jsonl --seat 0         a played game: what each move cost, and how much was luck

--help after a command explains its options.
"""

import sys
from collections.abc import Sequence

from agents.commandline import Parser
from strategy.commands import discover, position, review, tips

COMMANDS = {
    "tips": tips,
    "discover": discover,
    "position": position,
    "review": review,
}
"""Each command with its module, which has `add_parser(subparsers)` and `run(arguments)`, its exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code: 0, or 130 when Ctrl-C cut it short. A mistake is one line and exit code 2."""
    parser = Parser("explore.py", __doc__ or "")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for module in COMMANDS.values():
        module.add_parser(subparsers)
    found, unknown = parser.parse_known_args(arguments)
    chosen = subparsers.choices[found.command]
    chosen.refuse(unknown)
    try:
        return COMMANDS[found.command].run(found)
    except (ValueError, OSError) as error:
        chosen.error(error)
    except KeyboardInterrupt:
        chosen.stopped()


if __name__ == "__main__":
    sys.exit(main())
