"""A tip as an object: when it applies, and which actions obey it, from the view of a seat alone.

    Tip(
        "save-the-jack", "Keep your Jacks while another card can be played.", "the rules' own tips",
        applies=lambda views: held(views, JACKS) > 0,
        obeys=lambda views: SUIT_CARDS,
        among=lambda views: CARDS,
    )

All functions take VIEWs, shape (n,), and answer for each: bool. A tip that leaves no choice says nothing: it is taken
to apply only where both an action that obeys it and one that does not are legal. While Mau may still be said (C15) the
question is whether to say it, and tips that are not obeyed by saying it wait.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from agents.champion import Table
from agents.table import describe
from maumau_env.game.actions import MAU, NUM_ACTIONS
from strategy.reading import legal

Reading = Callable[[np.ndarray], np.ndarray]


class TipError(ValueError):
    """A tip that cannot be found, loaded or used; the message says which one and why."""


class Split(NamedTuple):
    """The legal actions that a tip is about, of each view; where it does not apply both are empty."""

    obeying: np.ndarray  # bool, (n, NUM_ACTIONS)
    against: np.ndarray  # bool, (n, NUM_ACTIONS)

    @property
    def applies(self) -> np.ndarray:
        """Bool, (n,): there is a choice between obeying and not obeying."""
        return np.logical_or.reduce(self.obeying, axis=1)


def everywhere(table: Table) -> bool:
    """For a tip that makes sense under all rules."""
    return True


def everything(views: np.ndarray) -> np.ndarray:
    """For a tip that is about all legal actions."""
    return np.ones(NUM_ACTIONS, bool)


@dataclass(frozen=True)
class Tip:
    """A tip.

    Attributes:
        name: short, in lower case with hyphens; names it in tables and files.
        sentence: the tip in plain words.
        source: where it was read.
        applies: in which views it has something to say, bool, (n,).
        obeys: which actions obey it, bool, (n, NUM_ACTIONS), or (NUM_ACTIONS,) if they are always the same.
        among: the actions that it is about, of the same shape; the others neither obey it nor break it. What it says of
            a wish is about Jacks alone, for instance. By default all.
        rules: at which tables it makes sense; `table.rules`, `table.players` and `table.match` say what they are.
        needs: what these rules are, in plain words, for those who asked at another table.
    """

    name: str
    sentence: str
    source: str
    applies: Reading
    obeys: Reading
    among: Reading = everything
    rules: Callable[[Table], bool] = everywhere
    needs: str = ""

    def split(self, views: np.ndarray) -> Split:
        """The legal actions of each view that obey the tip and those that do not; see `Split`.

        Raises:
            TipError: a function of the tip raised, or its answer has the wrong shape or type.
        """
        allowed = legal(views)
        obeys = self._ask("obeys", views, (len(views), NUM_ACTIONS))
        among = allowed & self._ask("among", views, (len(views), NUM_ACTIONS))
        obeying, against = among & obeys, among & ~obeys
        waits = allowed[:, MAU] & ~obeying[:, MAU]
        applies = self._ask("applies", views, (len(views),)) & obeying.any(axis=1) & against.any(axis=1) & ~waits
        return Split(obeying & applies[:, None], against & applies[:, None])

    def makes_sense(self, table: Table) -> bool:
        """Whether the rules of a table are those that the tip is for; TipError when its function fails."""
        try:
            return bool(self.rules(table))
        except (Exception, SystemExit) as error:
            raise self._failed("rules", error) from error

    def _ask(self, part: str, views: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """The answer of one of its functions, brought to the full shape; TipError for one that is none."""
        try:
            answer = np.asarray(getattr(self, part)(views))
        except (Exception, SystemExit) as error:
            raise self._failed(part, error) from error
        if answer.dtype != bool or answer.shape not in (shape, shape[1:] or shape):
            raise TipError(
                f"tip {self.name}: {part} must answer {shape[0]} views with bool of shape {shape}, "
                f"not with {answer.dtype} of shape {answer.shape}"
            )
        return np.broadcast_to(answer, shape)

    def _failed(self, part: str, error: BaseException) -> TipError:
        """What one of its functions raised, and where: also the line of the tip, when that is another one."""
        own = getattr(getattr(self, part), "__code__", None)
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame for frame in frames if own is not None and frame.filename == own.co_filename]
        called = (
            f", at {Path(lines[-1].filename).name}, line {lines[-1].lineno}"
            if lines and lines[-1] != frames[-1]
            else ""
        )
        return TipError(f"tip {self.name}: {part} failed: {describe(error)}{called}")
