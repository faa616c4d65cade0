"""The trained bots of matches that come with the package: they beat the heuristic, and they say Mau."""

from pathlib import Path

import numpy as np
import pytest

from agents.agent import Agent
from agents.arena import Entrant, play_all
from agents.botfile import read
from agents.table import make
from agents.tournament import enter, hold, seatings_of
from maumau_env.game.actions import MAU, MAU_BIT
from maumau_env.game.rules import PRESETS

BOTS = Path(__file__).resolve().parents[1] / "agents" / "bots"
MATCH = PRESETS["match"]
TABLES = {2: "match_2p", 4: "match_4p"}


class Listener(Agent):
    """Plays like another agent, and counts how often that could say Mau and did."""

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self.agent, self.chances, self.said = agent, 0, 0

    def act(self, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        actions = self.agent.act(views, words)
        could = (views["legal"] & MAU_BIT) != 0
        self.chances += int(could.sum())
        self.said += int((actions[could] == MAU).sum())
        return actions


@pytest.mark.parametrize("players", TABLES)
def test_a_trained_bot_beats_the_heuristic_in_matches(players):
    path = BOTS / f"{TABLES[players]}.safetensors"
    tournament, _ = hold(enter([str(path), "heuristic"]), MATCH, players, 1500, seed=8, penalty_limit=100)
    assert tournament.bots[0].win_rate_interval[0] > 1 / players


@pytest.mark.parametrize("players", TABLES)
def test_c15_a_trained_bot_remembers_to_say_mau(players):
    bot = Listener(make(str(BOTS / f"{TABLES[players]}.safetensors")))
    field = [Entrant("bot", bot), Entrant("heuristic", make("heuristic"))]
    play_all(field, seatings_of(2, players), 60 // players, MATCH, seed=9, penalty_limit=100)
    assert bot.chances > 100
    assert bot.said > 0.99 * bot.chances


@pytest.mark.parametrize("players", TABLES)
def test_a_bot_file_tells_how_the_bot_came_about(players):
    header, _ = read(BOTS / f"{TABLES[players]}.safetensors")
    assert header.penalty_limit == 100
    assert header.players == [*range(2, players + 1)]
    assert [strength.opponent for strength in header.strength] == ["eager", "heuristic"]
    assert header.training["config"]["rules"] == "match"
