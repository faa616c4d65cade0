"""Whole random rounds of every mixture of options, decided by the referee and replayed on each table."""

import random
from collections import Counter

import pytest
from referee import PRESETS, Referee, full_deck
from tabletools import play, state

SWITCHES = ("cover_special_start", "must_play", "play_drawn", "draw_then_play", "jack_on_jack",
            "win_with_jack", "nine_skips_with_two", "final_seven_draws")  # fmt: skip


def random_rules(rng: random.Random) -> dict:
    rules = {name: rng.random() < 0.5 for name in SWITCHES}
    rules |= {"ace": rng.choice(["plain", "skip", "again"]), "mau": rng.choice(["auto", "call"])}
    rules |= {"deck": rng.choice([32, 104, 32, 104, 6, 8, 12, 16]), "hand_size": rng.randint(1, 6)}
    return PRESETS["classic"] | rules | {"max_turns": rng.choice([7, 150])}


def random_move(legal: list[str], rng: random.Random) -> str:
    """A card more often than a draw, so that many rounds end before they last too long."""
    cards = [action for action in legal if action not in ("draw", "pass")]
    return rng.choice(cards if cards and rng.random() < 0.8 else legal)


@pytest.mark.parametrize("seed", range(150))
def test_every_table_agrees_with_the_referee_after_every_action(table, seed):
    rng = random.Random(seed)
    rules, players = random_rules(rng), rng.randint(2, 5)
    rules["hand_size"] = min(rules["hand_size"], (rules["deck"] - 1) // players)  # C1
    deal = Referee.deal(rules, players, rng)
    opening = [list(hand) for hand in deal.hands], list(deal.discards), list(deal.pile)
    moves, states = [], [state(deal)]
    while deal.end is None:
        moves.append(random_move(deal.legal(), rng))
        states.append(state(play(deal, moves[-1])))
    game = table(*opening, reshuffles=deal.reshuffled, **rules)
    assert state(game) == states[0]
    for number, move in enumerate(moves):
        game.play(move)
        seen = state(game)
        assert seen == states[number + 1], f"after {moves[: number + 1]}"
        all_cards = sum(seen["hands"], list(seen["pile"]) + list(seen["discards"]))
        assert Counter(all_cards) == Counter(full_deck(rules["deck"]))
