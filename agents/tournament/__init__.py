"""Tournaments that can be believed: seats rotate, deals are shared, and every figure has an interval."""

from agents.tournament.hold import (
    FORMAT,
    ROTATIONS,
    SEATINGS,
    Entrant,
    Score,
    Tournament,
    deals_for,
    enter,
    hold,
    interval,
    rotations_of,
    seatings_of,
)

__all__ = [
    "FORMAT",
    "ROTATIONS",
    "SEATINGS",
    "Entrant",
    "Score",
    "Tournament",
    "deals_for",
    "enter",
    "hold",
    "interval",
    "rotations_of",
    "seatings_of",
]
