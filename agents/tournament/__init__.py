"""Tournaments that can be believed: seats rotate, deals are shared, and every figure has an interval."""

from agents.arena import Entrant
from agents.tournament.hold import FORMAT, Tournament, hold
from agents.tournament.plan import Plan, enter
from agents.tournament.scores import Score
from agents.tournament.seatings import Schedule, rotations_of, seatings_of

__all__ = [
    "FORMAT", "Entrant", "Plan", "Schedule", "Score", "Tournament", "enter", "hold", "rotations_of", "seatings_of",
]  # fmt: skip
