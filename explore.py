"""What strong play knows about Mau-Mau: tips with evidence, and decisions and games taken apart.

    python explore.py tips                  the tips that people give, measured
    python explore.py discover              new rules of thumb, found in a bot's play

--help after a command explains its options.
"""

import difflib
from collections.abc import Sequence

from agents.commandline import Parser
from strategy.commands import discover, tips

COMMANDS = {
    "tips": tips,
    "discover": discover,
}
"""Each command with its module, which has `add_parser` and `run`."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; a mistake is one line and exit code 2."""
    parser = Parser("explore.py", __doc__ or "")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for module in COMMANDS.values():
        module.add_parser(subparsers)
    found, unknown = parser.parse_known_args(arguments)
    chosen = subparsers.choices[found.command]
    if unknown:
        close = difflib.get_close_matches(unknown[0], chosen._option_string_actions, 1)
        hint = f", perhaps you meant {close[0]}" if close else ""
        chosen.error(f"{unknown[0]}: there is no such option{hint}; --help explains them all")
    try:
        COMMANDS[found.command].run(found)
    except (ValueError, OSError) as error:
        chosen.error(error)
    except KeyboardInterrupt:
        chosen.stopped()


if __name__ == "__main__":
    main()
