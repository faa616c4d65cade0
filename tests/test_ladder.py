"""The standing ladder: its file can be read, and its tables can be played."""

from pathlib import Path

import pytest

from agents.tournament.config import read_configs
from agents.tournament.run import Event

LADDER = Path(__file__).resolve().parent.parent / "configs" / "evaluate" / "ladder.yaml"


def test_the_ladder_has_every_preset_and_number_of_players():
    tables = {(config.table.deck, config.players, config.limit) for config in read_configs(LADDER, {})}
    assert tables == {(32, n, None) for n in (2, 3, 4, 5)} | {(104, n, 100) for n in (2, 3, 4, 5)}


@pytest.mark.parametrize("config", read_configs(LADDER, {}), ids=lambda config: config.name)
def test_a_table_of_the_ladder_can_be_played(config):
    event = Event.of(config)
    assert "heuristic" in config.bots
    assert event.plan.games >= config.games
