"""Change what a seat cannot see, and nothing that it can see changes."""

import numpy as np
import pytest
from envtools import MIXTURES, env_at
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.guests.protocol import request
from maumau_env.envs.aec import MauMauAEC
from maumau_env.game import batch
from maumau_env.game.cards import cards_in, set_of
from maumau_env.game.rules import Rules
from maumau_env.game.state import DRAWN, GAME, RUNNING, copied
from maumau_env.render import ansi


def position(options: dict, players: int, seed: int, decisions: int) -> np.ndarray:
    """A game after so many random decisions, or at its end."""
    options = dict(options)
    game = batch.deal(Rules.of(options.pop("rules", "classic"), **options), players, seed, 1)
    generator = np.random.default_rng(seed)
    for _ in range(decisions):
        if game["end"][0] != RUNNING:
            break
        env = env_at(game)
        action = generator.choice(np.flatnonzero(env.last()[0]["action_mask"]))
        batch.step(game, np.array([action]))
    return game


def with_other_hidden_cards(game: np.ndarray, viewer: int, generator: np.random.Generator) -> np.ndarray:
    """The same table to the eyes of `viewer`: the cards of the other hands and the pile are dealt among them anew."""
    other = copied(game)
    g = other[0]
    seats = [seat for seat in range(g["num_players"]) if seat != viewer]
    hands = {seat: cards_in(*g["hands"][seat].tolist()) for seat in seats}
    pile = g["pile"][: g["pile_size"]].tolist()
    hidden = generator.permutation([card for hand in hands.values() for card in hand] + pile).tolist()
    for seat in seats:
        mine, hidden = hidden[: len(hands[seat])], hidden[len(hands[seat]) :]
        g["hands"][seat] = set_of(mine)
        if g["phase"] == DRAWN and seat == g["seat"]:
            g["drawn"] = generator.choice(mine)
    g["pile"] = generator.permutation(g["pile"])
    g["pile"][: len(hidden)] = hidden
    for name in ("rng", "seed", "lane", "episode"):
        g[name] = generator.integers(1 << 32)
    return other


def seen_by(env: MauMauAEC, seat: int) -> list:
    """All that a seat can see of a position."""
    agent = env.possible_agents[seat]
    observation, info = env.observe(agent), env.infos[agent]
    return [
        env.view(agent).tobytes(),
        request(env.view(agent), with_observation=True),  # all that a guest is told
        observation["observation"].tobytes(),
        observation["action_mask"].tobytes(),
        info["action_mask"].tobytes(),
        info["announcements"],
        ansi(env._table.scene(seat)),
    ]


tables = pytest.mark.parametrize("options", MIXTURES, ids=str)


@tables
@settings(deadline=None, max_examples=60, derandomize=True)
@given(players=st.integers(2, 5), seed=st.integers(0, 10**6), decisions=st.integers(0, 60), data=st.data())
def test_hidden_cards_do_not_show(options, players, seed, decisions, data):
    game = position(options, players, seed, decisions)
    if game["end"][0] != RUNNING:
        return
    viewer = data.draw(st.integers(0, players - 1))
    other = with_other_hidden_cards(game, viewer, np.random.default_rng(seed))
    assert seen_by(env_at(game), viewer) == seen_by(env_at(other), viewer)


@tables
def test_the_test_above_would_see_a_leak(options):
    """The hidden cards really differ, and whoever may see them does."""
    game = position(options, 3, 5, 8)
    other = with_other_hidden_cards(game, 0, np.random.default_rng(1))
    assert (game["hands"] != other["hands"]).any()
    assert seen_by(env_at(game), 1) != seen_by(env_at(other), 1)
    assert (env_at(game).state() != env_at(other).state()).any()
    full = [ansi(env_at(each)._table.scene()) for each in (game, other)]
    assert full[0] != full[1]


def test_c6_that_a_drawn_card_fits_is_known_to_its_player_alone():
    game = next(game for seed in range(200) if (game := position({}, 2, seed, 9))["phase"][0] == DRAWN)
    env = env_at(game)
    mover, other = env.agent_selection, next(agent for agent in env.agents if agent != env.agent_selection)
    assert env.view(mover)["drawn"][0] == game["drawn"][0]
    assert (env.view(other)["phase"][0], env.view(other)["drawn"][0]) == (0, -1)


def test_a_view_holds_nothing_of_the_generator_or_the_pile():
    names = set(env_at(position({}, 2, 1, 0)).view().dtype.names)
    assert not names & {"rng", "seed", "lane", "episode", "pile", "hands", "discards", "order"}
    assert {"rng", "seed", "pile", "hands"} <= set(GAME.names)
