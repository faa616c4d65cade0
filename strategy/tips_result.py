"""What a survey found, as plain data for JSON, with all that is needed to repeat it."""

from dataclasses import asdict
from typing import Any

from agents.tournament.hold import package_version
from strategy.intervals import CONFIDENCE
from strategy.survey import Finding, Survey
from strategy.tree import available
from strategy.verdict import CORRECTION

FORMAT, VERSION = "maumau-tips", 1

COMPARED = (
    "the action that the bot likes best among those that obey the tip, with the one it likes best among those that do "
    "not, in the same worlds and with the same chance; win chance, obeying less not obeying; of each game one "
    "position, drawn evenly from those at which the tip applies whatever the bot did there, so that every game in "
    "which it applies counts alike, however often it does"
)


def as_dict(survey: Survey, findings: list[Finding], cut_short: bool) -> dict[str, Any]:
    """The result; shares and differences are from -1 to 1, intervals [low, high]."""
    mind, effort = survey.mind, survey.effort
    return {
        "format": FORMAT,
        "version": VERSION,
        "package_version": package_version(),
        "rules": survey.table.rules.as_dict(),
        "players": survey.table.players,
        "penalty_limit": survey.penalty_limit,
        "bot": {"name": mind.name, "sha256": mind.sha256, "played_out_by": mind.plays_out},
        "effort": asdict(effort),
        "confidence": CONFIDENCE,
        "correction": CORRECTION,
        "compared": COMPARED,
        "dependence_looked_for": available(),
        "cut_short": cut_short,
        "tips": [tip_as_dict(finding) for finding in findings],
        "skipped": [{"name": tip.name, "needs": tip.needs} for tip in survey.skipped],
        "failed": [{"name": name, "error": str(error)} for name, error in survey.failures.items()],
    }


def tip_as_dict(finding: Finding) -> dict[str, Any]:
    """One tip; null for what was not measured."""
    worth, obedience = finding.worth, finding.obedience
    return {
        "name": finding.tip.name,
        "sentence": finding.tip.sentence,
        "source": finding.tip.source,
        "verdict": finding.verdict,
        "positions": finding.positions,
        "worth": worth.win if worth else None,
        "worth_interval": worth.win_interval if worth else None,
        "p_value": worth.p_value if worth else None,
        "placement": worth.placement if worth else None,
        "placement_interval": worth.placement_interval if worth else None,
        **(asdict(obedience) if obedience else {"applies": None, "obeyed": None, "obeyed_by_chance": None}),
        "patched": {player: asdict(gain) for player, gain in finding.gains.items()},
        "depends_on": asdict(finding.depends_on) if finding.depends_on else None,
        "example": asdict(finding.example) if finding.example else None,
    }
