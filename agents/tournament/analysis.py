"""What else the games of a tournament tell: ratings, the cross-table, cycles, seats, lengths, and luck."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.arena import Results
from agents.habits import summary
from agents.tournament.bootstrap import Ratio, resampled, units_of
from agents.tournament.cycles import cycles
from agents.tournament.fit import fit_p
from agents.tournament.luck import luck
from agents.tournament.pairs import cross_table
from agents.tournament.ratings import rate
from agents.tournament.scores import CONFIDENCE, by_deal, shares, sharing

ANCHOR = "heuristic"
"""The bot whose rating is 1500."""

BINS = 20
"""Bars of the histogram of lengths, about."""


def analyse(names: Sequence[str], results: Results, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Plain data for JSON, under the names that `evaluate.py --json` gives it.

    Args:
        names: of the bots.
        results: all games of the tournament.
        confidence: of the intervals, 0 to 1.
    """
    field = len(names)
    ahead, met = cross_table(units_of(results.deals), results.bots, results.ranks, field)
    wins, sizes = shares(results.ranks)[0], sharing(results.ranks)
    by_seat, seats = _seats(results, wins, field, confidence)
    split = luck(results.deals, results.bots, wins, field, confidence=confidence)
    return {
        "bots": [
            {**rated, "placements": _placements(results, sizes, bot), "by_seat": by_seat[bot],
             "decisions": summary(results.habits[bot], float(results.seconds[bot]))}
            for bot, rated in enumerate(_rated(names, results, confidence))
        ],
        "cross_table": _cross_table(ahead, met, confidence),
        "ratings": {
            "model": "Plackett-Luce", "anchor": ANCHOR if ANCHOR in names else None, "fit_p": fit_p(ahead, met),
        },
        "cycles": [{"bots": [names[bot] for bot in found.bots], "p": found.p} for found in cycles(ahead, met)],
        "seats": seats,
        "lengths": _lengths(results.turns),
        "luck": {
            "cards": split.cards, "cards_interval": split.cards_interval,
            "skill": split.skill, "skill_interval": split.skill_interval, "rest": split.rest,
        },
    }  # fmt: skip


def _rated(names: Sequence[str], results: Results, confidence: float) -> list[dict[str, Any]]:
    """The rating of each bot; an end of an interval that is open is None."""
    anchor = names.index(ANCHOR) if ANCHOR in names else None
    ratings = rate(results.deals, results.bots, results.ranks, len(names), anchor, confidence=confidence)
    return [
        {"rating": value, "rating_interval": [end if np.isfinite(end) else None for end in ends]}
        for value, ends in zip(ratings.values.tolist(), ratings.intervals.tolist(), strict=True)
    ]


def _placements(results: Results, sizes: np.ndarray, bot: int) -> list[float]:
    """How often it came first, second, ...; who shares a rank has it in part, as he has the ones below it."""
    ranks, players = results.ranks, results.ranks.shape[1]
    held = results.bots == bot
    first, size = ranks[held], sizes[held]
    return [
        float(((first <= place) & (place < first + size)) @ (1 / size) / len(size)) for place in range(1, players + 1)
    ]


def _seats(
    results: Results, wins: np.ndarray, field: int, confidence: float
) -> tuple[list[list[dict[str, Any]]], list[dict[str, Any]]]:
    """How often each bot wins on each seat, and how often any bot does."""
    players = wins.shape[1]
    columns: list[np.ndarray] = [np.ones(len(wins))]
    for seat in range(players):
        for bot in range(field):
            held = results.bots[:, seat] == bot
            columns += [held.astype(float), held * wins[:, seat]]
        columns.append(wins[:, seat])
    step = 2 * field + 1
    ratios = [
        Ratio(1 + seat * step + 2 * bot + 1, 1 + seat * step + 2 * bot)
        for seat in range(players)
        for bot in range(field)
    ]
    ratios += [Ratio((seat + 1) * step, 0) for seat in range(players)]
    found = resampled(by_deal(results.deals, columns), ratios, confidence=confidence)
    rates = [
        {
            "win_rate": value if np.isfinite(value) else None,
            "win_rate_interval": list(ends) if np.isfinite(value) else None,
        }
        for value, ends in zip(found.values.tolist(), found.intervals.tolist(), strict=True)
    ]
    return [[rates[seat * field + bot] for seat in range(players)] for bot in range(field)], rates[players * field :]


def _cross_table(ahead: np.ndarray, met: np.ndarray, confidence: float) -> list[list[dict[str, Any] | None]]:
    """How often each bot came ahead of each other one where both sat at a table."""
    field = met.shape[1]
    pairs = [(i, j) for i in range(field) for j in range(field) if i != j]
    sums = np.stack([of[:, i, j] for i, j in pairs for of in (ahead, met)], axis=1) if pairs else np.zeros((1, 0))
    found = resampled(sums, [Ratio(2 * k, 2 * k + 1) for k in range(len(pairs))], confidence=confidence)
    cells: list[list[dict[str, Any] | None]] = [[None] * field for _ in range(field)]
    for (i, j), value, ends in zip(pairs, found.values.tolist(), found.intervals.tolist(), strict=True):
        if games := int(met[:, i, j].sum()):
            cells[i][j] = {"ahead": value, "interval": ends, "games": games}
    return cells


def _lengths(turns: np.ndarray) -> dict[str, list[int]]:
    """A histogram of the turns of the games."""
    width = max(1, -(-int(np.quantile(turns, 0.995)) // BINS))
    edges = [*range(0, int(turns.max()) + width + 1, width)]
    if len(edges) > 2 * BINS:  # a long tail goes into one last bar
        edges = [*edges[: 2 * BINS], int(turns.max()) + 1]
    return {"turns": edges, "games": np.histogram(turns, edges)[0].tolist()}
