"""Command lines whose mistakes are one line each, and the options that ask for a table."""

import argparse
import difflib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from maumau_env.game.rules import PRESETS, Rules, parse_options

STOPPED = 130
"""The exit code after Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """argparse with every mistake in one line, exit code 2, and a hint at the option that was meant."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog, description=description, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
        )

    def read(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """What was asked for; options may stand before, between and after the other arguments."""
        found, unknown = self.parse_known_intermixed_args(arguments)
        self.refuse(unknown)
        return found

    def refuse(self, unknown: Sequence[str]) -> None:
        """End the program if there are arguments that no option takes."""
        if unknown:
            close = difflib.get_close_matches(unknown[0], self._option_string_actions, 1)
            hint = f", perhaps you meant {close[0]}" if close else ""
            self.error(f"{unknown[0]}: there is no such option{hint}; --help explains them all")

    def error(self, message: str | Exception) -> NoReturn:
        """Say what is wrong in one line, and end the program with exit code 2."""
        self.exit(2, f"{self.prog}: error: {message}\n")

    def stopped(self) -> NoReturn:
        """Ctrl-C."""
        self.exit(STOPPED, f"{self.prog}: stopped\n")

    def add_table(self) -> None:
        """--players, --rules and --set."""
        self.add_argument("--players", type=int, default=2, help="seats at the table, 2 to 5; by default 2")
        self.add_argument(
            "--rules", metavar="PRESET", default="classic", help=f"preset of rules: {' or '.join(PRESETS)}"
        )
        self.add_argument(
            "--set", metavar="OPTION=VALUE", dest="options", nargs="+", action="extend", default=[],
            help="options that differ from the preset, such as ace=skip or must_play=no; may be repeated",
        )  # fmt: skip


def whole(least: int, limit: int | None = None) -> Callable[[str], int]:
    """The `type` of an option that takes a whole number, at least `least` and below the limit."""

    def read(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or int(text) < least or (limit is not None and int(text) >= limit):
            most = "or more" if limit is None else f"to {limit - 1}"
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number, {least} {most}")
        return int(text)

    return read


def table_rules(preset: str, options: Sequence[str], players: int) -> Rules:
    """The rules asked for; ValueError when there are none such, or not for so many players."""
    rules = Rules.of(preset, **parse_options(list(options)))
    rules.check_players(players)
    return rules


def check_apart(written: Sequence[Path | None], read: Sequence[Path]) -> None:
    """ValueError when a file would be written over one that is read, or over another one that is written."""
    places = [path.resolve() for path in (*read, *written) if path is not None]
    for path in written:
        if path is not None and places.count(path.resolve()) > 1:
            raise ValueError(f"{path}: this file is named twice, and what is in it would be lost")


def check_writable(path: Path) -> None:
    """OSError when a file cannot be put there: better now than after the games."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {folder}")
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise PermissionError(f"{path} cannot be written")
