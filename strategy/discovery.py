"""New rules of thumb, found in a bot's play and then tested like any other tip.

For each kind of action (a Jack, a seven, a card of the longest suit, ...) positions are gathered at which an action of
this kind and one of another are legal. A shallow tree over the named features of `features.py` tells where the bot
likes the kind better; a position counts by how much its win chance differs between the two, played out as in
`worth.py`. Every leaf is a candidate: do this, or do it not, when these conditions hold. Candidates are tips, and are
measured on fresh games; a rule is one that holds there, and that no player loses by.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strategy.features import FEATURES, table_of_features
from strategy.mind import Mind
from strategy.patched import PLAYERS
from strategy.reading import (
    ACES,
    CARDS,
    DRAWS,
    EIGHTS,
    JACK_PLAYS,
    NINES,
    PASSES,
    SEVENS,
    SPECIALS,
    SUIT,
    SUIT_CARDS,
    WORTH,
    follows,
    is_most,
    legal,
    length_of,
    next_lacks,
    number_of,
)
from strategy.survey import Finding, Study
from strategy.tip import Reading, Tip, everything
from strategy.tree import Condition, conditions_hold, conditions_text, grow
from strategy.verdict import HOLDS, LEAST_POSITIONS
from strategy.worth import best_of_both

SOURCE = "found in play"


@dataclass(frozen=True)
class Kind:
    """A kind of action, and what it is to do it and not to do it, as the beginning of a sentence."""

    name: str
    do: str
    do_not: str
    actions: Reading
    among: Reading = lambda views: CARDS


KINDS = (
    Kind("jack", "Play a Jack", "Play no Jack", lambda views: JACK_PLAYS),
    Kind("seven", "Play a seven", "Play no seven", lambda views: SEVENS),
    Kind("eight", "Play an eight", "Play no eight", lambda views: EIGHTS),
    Kind("nine", "Play a nine", "Play no nine", lambda views: NINES),
    Kind("ace", "Play an ace", "Play no ace", lambda views: ACES),
    Kind("ordinary", "Play an ordinary card", "Play a special card", lambda views: ~SPECIALS),
    Kind("follow", "Play a card on which another one fits", "Play a card on which none of yours fits", follows),
    Kind(
        "longest", "Play from your longest suit", "Play from another suit than your longest",
        lambda views: is_most(length_of(views), legal(views) & SUIT_CARDS), lambda views: SUIT_CARDS,
    ),
    Kind(
        "single", "Play the only card of its suit", "Play from a suit of which you hold more",
        lambda views: length_of(views) == 1, lambda views: SUIT_CARDS,
    ),
    Kind(
        "pair", "Play a rank that you hold twice", "Keep ranks that you hold twice",
        lambda views: number_of(views) > 1, lambda views: SUIT_CARDS,
    ),
    Kind(
        "expensive", "Play your most expensive card", "Play another card than the most expensive one",
        lambda views: is_most(WORTH[None], legal(views) & SUIT_CARDS), lambda views: SUIT_CARDS,
    ),
    Kind("draw", "Draw", "Do not draw", lambda views: DRAWS, everything),
    Kind("pass", "Keep the card drawn", "Play the card drawn", lambda views: PASSES, everything),
    Kind(
        "wish-longest", "Wish your longest suit", "Wish another suit than your longest",
        lambda views: is_most(length_of(views), JACK_PLAYS[None]), lambda views: JACK_PLAYS,
    ),
    Kind(
        "wish-lacked", "Wish what the next player drew on", "Wish what the next player did not draw on",
        lambda views: JACK_PLAYS & next_lacks(views)[:, SUIT], lambda views: JACK_PLAYS,
    ),
)  # fmt: skip


def question_of(kind: Kind) -> Tip:
    """The kind as a tip that always applies, to gather positions with."""
    return Tip(kind.name, f"{kind.do}.", SOURCE, lambda views: np.ones(len(views), bool), kind.actions, kind.among)


def candidates_of(kind: Kind, study: Study, mind: Mind) -> list[Tip]:
    """The leaves of the tree of a kind, as tips; none where there is too little to go by."""
    wins = study.mean_wins()
    if len(wins) < LEAST_POSITIONS:
        return []
    views = study.positions.views()[: len(wins)]
    judged, rows = mind.judge(views), np.arange(len(wins))
    pairs = best_of_both(judged, study.tip.split(views))
    likes = judged[rows, pairs[:, 0]] > judged[rows, pairs[:, 1]]
    stake = np.where(likes, np.abs(wins), -np.abs(wins))
    tree = grow(table_of_features(views), stake)
    leaves = tree.leaves if tree is not None else [((), bool(stake.sum() > 0))]
    return [_candidate(kind, number, conditions, do) for number, (conditions, do) in enumerate(leaves, 1)]


def survivors(findings: Sequence[Finding]) -> list[Finding]:
    """The rules: tips that hold on fresh positions and by which neither patched player loses; the most useful first.

    Useful is what is worth much and comes up often.
    """
    kept = [
        finding
        for finding in findings
        if finding.verdict == HOLDS
        and is_tested(finding)
        and all(gain.gain_interval[1] >= 0 for gain in finding.gains.values())
    ]
    return sorted(kept, key=lambda finding: -usefulness(finding))


def is_tested(finding: Finding) -> bool:
    """Whether a candidate was measured in all ways."""
    return finding.worth is not None and finding.gains.keys() >= {*PLAYERS}


def usefulness(finding: Finding) -> float:
    """Win chance for each real choice of a game, by worth and by how often the question comes up."""
    if finding.worth is None or finding.obedience is None:
        return 0.0
    return finding.worth.win * finding.obedience.comes_up


def _candidate(kind: Kind, number: int, conditions: Sequence[Condition], do: bool) -> Tip:
    when = f" when {conditions_text(conditions, tuple(FEATURES))}" if conditions else ", always"
    return Tip(
        f"{kind.name}-{number}",
        f"{kind.do if do else kind.do_not}{when}.",
        SOURCE,
        applies=lambda views: conditions_hold(conditions, table_of_features(views)),
        obeys=kind.actions if do else lambda views: ~kind.actions(views),
        among=kind.among,
    )
