"""Results of `explore.py tips` made by hand, one of each verdict, for pages and tables."""

from dataclasses import asdict

from maumau_env.game.rules import Rules
from strategy.folk_tips import TIPS
from strategy.survey import Effort
from strategy.tips_result import COMPARED
from strategy.verdict import CORRECTION

BY_NAME = {tip.name: tip for tip in TIPS}

DEPENDENCE = {
    "right_when": "Jacks in my hand: 1 or more and cards owed: 2 to 4; or cards in my hand: 3",
    "right_worth": 0.105, "right_interval": [0.08, 0.13], "right_positions": 502,
    "wrong_when": "no Jacks in my hand and cards in the pile: 7 or fewer",
    "wrong_worth": -0.034, "wrong_interval": [-0.05, -0.01], "wrong_positions": 498,
}  # fmt: skip

EXAMPLE = {
    "hand": ["7D", "9S", "JC", "QH"], "top": "JH", "suit": "D", "wished": True, "owed": 0, "drawn": None,
    "next_hand": 1, "follows": "7D", "instead": "JC:S", "worth": 0.125,
}  # fmt: skip


def sample_tip(name, verdict="holds", worth=0.0132, **changes):
    tip = BY_NAME.get(name)
    gain = {"games": 1000, "win_rate": 0.51, "win_rate_interval": [0.5, 0.52], "even": 0.5, "gain": 0.01,
            "gain_interval": [0.0, 0.02]}  # fmt: skip
    return {
        "name": name, "sentence": tip.sentence if tip else "My own.", "source": tip.source if tip else "me",
        "verdict": verdict, "positions": 1500, "worth": worth, "worth_interval": [worth - 0.01, worth + 0.01],
        "p_value": 0.0123, "placement": worth, "placement_interval": [worth - 0.01, worth + 0.01],
        "games": 8000, "decisions": 69113, "applies": 0.3166, "applies_interval": [0.31, 0.32], "choices": 21886,
        "obeyed": 0.9248, "obeyed_interval": [0.92, 0.93], "obeyed_by_chance": 0.242, "beyond_chance": 0.6828,
        "beyond_chance_interval": [0.67, 0.69], "patched": {"heuristic": gain, "random": gain}, "depends_on": None,
        "example": EXAMPLE,
    } | changes  # fmt: skip


def sample_result(players=2, tips=None, **changes):
    return {
        "format": "maumau-tips", "version": 1, "package_version": "0.1.0", "rules": Rules().as_dict(),
        "players": players, "penalty_limit": None,
        "bot": {"name": "champion", "sha256": "ab" * 32, "played_out_by": "champion"},
        "effort": asdict(Effort(seed=1)), "confidence": 0.95, "correction": CORRECTION, "compared": COMPARED,
        "dependence_looked_for": True, "cut_short": False,
        "tips": tips if tips is not None else sample_tips(),
        "skipped": [{"name": "say-mau", "needs": "Mau has to be said (mau=call)"}],
        "command": f"python explore.py tips --players {players} --seed 1",
    } | changes  # fmt: skip


def sample_tips():
    """One of each verdict, and one that was not measured."""
    unmeasured = dict.fromkeys(("worth", "worth_interval", "p_value", "placement", "placement_interval", "example"))
    return [
        sample_tip("save-the-jack"),
        sample_tip("chain-ranks", "false", -0.0596),
        sample_tip("ordinary-cards-first", "depends", 0.0324, depends_on=DEPENDENCE),
        sample_tip("leave-their-suit", "unclear", -0.0078),
        sample_tip("answer-a-long-chain", "unclear", positions=12) | unmeasured,
    ]
