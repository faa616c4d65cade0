"""The bot as an object of study: whose file it is."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from agents.champion import Champion, Table, champion_of
from agents.policy import Policy
from maumau_env.game.match import PENALTY_LIMIT
from maumau_env.game.rules import Rules
from strategy.games import play_games
from strategy.mind import champion_file, open_mind


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("classic", 4), ("match", 2), ("match", 3)])
def test_the_champions_hash_is_that_of_the_file_which_plays_at_the_table(preset, players):
    table = Table(Rules.of(preset), players, preset == "match")
    limit = PENALTY_LIMIT if table.match else None
    mind = open_mind("champion", table, limit)
    file = Path(champion_file(table, champion_of(table)))
    assert mind.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    decisions = play_games(mind.bot, table, 1, 0, 3, limit)
    words = np.arange(len(decisions.views), dtype=np.uint64)
    played = Policy.load(file).act(decisions.views, words)
    assert played.tolist() == decisions.choices.tolist() == Champion().act(decisions.views, words).tolist()


def test_tables_with_champions_of_their_own_have_hashes_of_their_own():
    tables = [Table(Rules(), 2, False), Table(Rules(), 4, False), Table(Rules.of("match"), 2, True)]
    assert len({open_mind("champion", table).sha256 for table in tables}) == 3
