"""Each seat draws by an order of its own: the law of the game is the same, and nobody's cards change when others draw.

The law is tested on what happens, be it that one seat draws, that they draw in turn, or that the card which was drawn
decides who draws next.
"""

import hashlib
import math
import random

import numpy as np
import pytest
from referee import Referee
from scipy.stats import chi2, chi2_contingency
from test_agreement import check_agreement, play_round
from test_compiled import run

from agents.arena import Terms, play_all
from agents.arena_records import records
from agents.oracle import Oracle
from agents.tournament import Entrant, enter, seatings_of
from maumau_env.envs.state import StateLayout
from maumau_env.game import batch
from maumau_env.game.actions import action_number
from maumau_env.game.cards import MAX_DECK, NUM_CARDS, card_number, cards_of
from maumau_env.game.match import open_matches
from maumau_env.game.record import Recorder, drawing_order, set_up
from maumau_env.game.record_check import replay
from maumau_env.game.rules import PRESETS, Rules
from maumau_env.game.state import FACE, GAME, OWN, SECOND, SHUFFLED, copied, raw
from maumau_env.seat.encode import Layout

DRAW = action_number("draw")


def own_deal(rules: Rules, players: int, seed: int, count: int) -> np.ndarray:
    """Freshly dealt rounds in which each seat draws by its own order."""
    games = batch.deal(rules, players, seed, count)
    games["order"] = OWN
    batch.deal_kernel(raw(games))
    return games


def laid(rules: Rules, hands: list[str], discard: str, pile: str, order: int, seed: int, count: int) -> np.ndarray:
    """The same position with many seeds, its later piles drawn in this order."""
    one = set_up(rules, [hand.split() for hand in hands], discard.split(), pile.split())
    games = raw(one)[None].repeat(count, 0).reshape(-1).view(GAME)
    games["rng"], games["order"] = batch.deal(rules, len(hands), seed, count)["rng"], order
    return games


WHO = {
    "one seat": lambda number, last: np.zeros_like(last),
    "in turn": lambda number, last: np.full_like(last, number % 2),
    "the card decides": lambda number, last: last % 2,
    "some more": lambda number, last: np.full_like(last, number % 3 == 0),
}
"""Who draws next, by how many cards have been drawn and the last of them."""


def draw(games: np.ndarray, number: int, who) -> np.ndarray:
    """So many cards drawn one by one in every game: int64, shape (games, number)."""
    rows, drawn = np.arange(len(games)), np.zeros((len(games), number), np.int64)
    for i in range(number):
        games["seat"] = who(i, drawn[:, i - 1])
        batch.step(games, np.full(len(games), DRAW))
        drawn[:, i] = games["pile"][rows, games["pile_size"]] & FACE
    return drawn


def check_equally_likely(orders: np.ndarray, number: int) -> None:
    """Pearson's test that the rows of an array are so many different ones, all as likely."""
    kinds, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(kinds) == number
    expected = len(orders) / number
    assert chi2.sf(((counts - expected) ** 2 / expected).sum(), number - 1) > 0.001


DRAWING_AT_WILL = {"must_play": False, "play_drawn": False}

# ---- the law -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", WHO.values(), ids=WHO)
def test_all_orders_of_a_deck_are_as_likely_whoever_draws(who):
    """Six cards: two are dealt, one is turned up, three are drawn, in 720 ways."""
    games = own_deal(Rules.of(deck=6, hand_size=1, **DRAWING_AT_WILL), 2, seed=3, count=72_000)
    dealt = np.column_stack([np.log2(games["hands"][:, seat, 0]) for seat in (0, 1)] + [games["discards"][:, 0]])
    check_equally_likely(np.column_stack([dealt.astype(int), draw(games, 3, who)]), 720)


@pytest.mark.parametrize("who", WHO.values(), ids=WHO)
def test_all_orders_of_a_new_pile_are_as_likely_whoever_draws(who):
    """C12: the five cards below the top in 120 ways."""
    rules = Rules.of(**DRAWING_AT_WILL)
    games = laid(rules, ["8H", "7C"], "QC KC QS KS AS 10S", "", OWN, seed=5, count=24_000)
    check_equally_likely(draw(games, 5, who), 120)
    assert (games["shuffles"] == 1).all()


@pytest.mark.parametrize("who", WHO.values(), ids=WHO)
def test_equal_cards_come_as_far_from_each_other_as_in_a_shuffled_pile(who):
    """Two pairs and a single card in 5! / (2! 2!) = 30 ways. If one word stood for both, pairs would come together."""
    rules = Rules.of(deck=104, **DRAWING_AT_WILL)
    games = laid(rules, ["8H", "7C"], "QC QC KS KS AS 10S", "", OWN, seed=6, count=24_000)
    check_equally_likely(draw(games, 5, who), 30)


@pytest.mark.parametrize("who", WHO.values(), ids=WHO)
def test_the_second_of_two_equal_cards_of_the_deal_may_come_at_any_time(who):
    """Of n cards dealt from a double deck two neighbours are equal once in 103 times, and so are any other two."""
    games = own_deal(Rules.of(deck=104, **DRAWING_AT_WILL), 2, seed=7, count=2_000)
    number = 104 - 10 - 1
    drawn = draw(games, number, who)
    for apart in (1, 2, 3, 40):
        equal = int((drawn[:, apart:] == drawn[:, :-apart]).sum())
        expected = len(games) * (number - apart) / 103
        assert abs(equal - expected) < 4 * expected**0.5, f"{apart} apart"


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("classic", 4), ("match", 2)])
def test_rounds_go_as_in_a_shuffled_game(preset, players):
    """Who wins after how many turns: 40,000 rounds of bots of two kinds, half of them drawn in either way."""
    seating, tables = np.array([[0, 1, 0, 1][:players]]), []
    for seed, order in ((1, SHUFFLED), (2, OWN)):
        played = play_all(
            enter(["heuristic", "greedy"]), seating, 20_000, Rules.of(preset), seed, terms=Terms(order=order)
        )
        winner, length = np.argmin(played.ranks, axis=1), np.searchsorted(LENGTHS, played.turns)
        tables.append(np.bincount(winner * (len(LENGTHS) + 1) + length, minlength=players * (len(LENGTHS) + 1)))
    assert chi2_contingency(np.array(tables)[:, np.sum(tables, axis=0) > 20]).pvalue > 0.001


LENGTHS = [6, 8, 10, 12, 14, 17, 20, 25, 30, 40, 60]

# ---- the promise ---------------------------------------------------------------------------------------------------


def in_own_order(start: np.ndarray, moves: list[tuple[int, int]]) -> list[list[int]]:
    """Worked out the long way: everybody takes the first cards of his own order that are left; cards by draw."""
    orders = [[card_number(card) for card in drawing_order(start, seat)] for seat in range(3)]
    taken, gone = [], set()
    for seat, number in moves:
        taken.append([card for card in orders[seat] if card not in gone][:number])
        gone.update(taken[-1])
    return taken


def draws(start: np.ndarray, moves: list[tuple[int, int]]) -> list[list[int]]:
    """The same as the game deals them: seat and number of cards for each draw."""
    game, taken = copied(start), []
    for seat, number in moves:
        game["seat"], game["owed"] = seat, 0 if number == 1 else number
        batch.step(game, np.array([DRAW]))
        taken.append((game["pile"][0, game["pile_size"][0] :][:number] & FACE)[::-1].tolist())
    return taken


ROUND_OF_DRAWS = [(0, 1), (1, 1), (2, 1), (0, 1), (1, 1), (2, 1), (1, 1)]


def line_ups(order: int, deal: int) -> tuple[np.ndarray, list[list[int]], list[list[int]]]:
    """A deal, what comes when everybody draws one card, and what comes when seat 0 begins with two."""
    games = batch.deal(Rules.of(**DRAWING_AT_WILL), 3, 9, 1, first_lane=deal)
    games["order"] = order
    batch.deal_kernel(raw(games))
    return games, draws(games, ROUND_OF_DRAWS), draws(games, [(0, 2), *ROUND_OF_DRAWS[1:]])


def test_one_card_more_for_a_seat_leaves_the_others_their_cards_unless_it_was_one_of_them():
    unchanged = 0
    for deal in range(200):
        start, one, two = line_ups(OWN, deal)
        assert one == in_own_order(start, ROUND_OF_DRAWS)
        assert two == in_own_order(start, [(0, 2), *ROUND_OF_DRAWS[1:]])
        extra = two[0][1]
        assert two[0][0] == one[0][0]
        assert (two[1] == one[1]) == (extra != one[1][0])
        unchanged += one[1] == two[1] and one[4] == two[4] and one[6] == two[6]
    assert unchanged > 120


def test_in_a_shuffled_game_one_card_more_changes_everybody_elses():
    """Which is what own orders are for: three later draws are the same by chance alone."""
    same = sum(
        one[1] == two[1] and one[4] == two[4] for _, one, two in (line_ups(SHUFFLED, deal) for deal in range(200))
    )
    assert same < 10


def test_the_deal_does_not_know_how_cards_are_drawn_later():
    for preset in PRESETS:
        shuffled, own = batch.deal(Rules.of(preset), 4, 1, 50), own_deal(Rules.of(preset), 4, 1, 50)
        for field in ("hands", "discards", "pile_size", "rng", "shown"):
            assert (shuffled[field] == own[field]).all()
        assert (shuffled["pile"] == own["pile"] & FACE).all()


# ---- records -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("preset", PRESETS)
def test_records_are_replayed_by_the_core_and_by_the_referee(preset, players):
    """At every decision, with new piles among them, nobody knowing of the orders."""
    rng, new_piles = random.Random(players), 0
    for seed in range(12):
        most = (PRESETS[preset].deck - 1) // players
        rules = Rules.of(preset, hand_size=rng.choice([3, 5, most - 1, most]), win_with_jack=seed % 2 == 0)
        new_piles += len(check_agreement(own_deal(rules, players, seed, 1), rng).reshuffles)
    assert new_piles >= 3


@pytest.mark.parametrize("preset", PRESETS)
def test_a_round_so_far_is_recorded_after_every_move(preset):
    rng = random.Random(4)
    dealt = next(
        games
        for seed in range(99)
        if play_round(games := own_deal(Rules.of(preset), 3, seed, 1), rng)[1]["shuffles"][0]
    )
    played, _ = play_round(dealt, rng)
    recorder, game = Recorder(dealt[0], ["a", "b", "c"]), copied(dealt)
    for action in played.actions:
        recorder.note(action)
        batch.step(game, np.array([action]))
        last = replay(recorder.record())[-1]
        for field in ("hands", "discards_size", "pile_size", "seat", "shuffles", "end"):
            assert (last[field] == game[0][field]).all()


ENDS_OF_A_PILE = {
    "C7: a debt": ("KD 9C", "draw", 4, "9H 10H KH", 1),
    "C13: a last seven": ("7S", "7S", 2, "9H 10H KH", 0),
    "C14: a last Jack": ("JD", "JD:C", 0, "", 1),
    "C15: no Mau": ("KD 10D", "KD", 0, "9H", 1),
}
"""The hand of seat 1, its action, what it owes, a pile that is not enough for what follows, and who draws."""


@pytest.mark.parametrize(("hand", "action", "owed", "pile", "drawer"), ENDS_OF_A_PILE.values(), ids=ENDS_OF_A_PILE)
def test_a_pile_is_recorded_as_it_was_drawn_by_whoever_used_it_up(hand, action, owed, pile, drawer):
    rules = Rules.of(final_seven_draws=True, win_with_jack=False, mau="call")
    games, orders = laid(rules, ["8C KC", hand], "QC QS 8D 10S AD QD", pile, OWN, seed=2, count=60), set()
    games["seat"], games["owed"] = 1, owed
    for start in games[:, None]:
        recorder = Recorder(start, ["a", "b"])
        recorder.note(action_number(action))
        record = recorder.record()
        assert len(record.reshuffles) == 1
        assert record.deal.pile == drawing_order(start, drawer)
        orders.add(tuple(record.deal.pile))
    assert len(orders) == math.factorial(len(pile.split()))


def test_the_arena_records_what_it_has_played():
    """Rounds and matches, both orders: every record is right, and says who won."""
    bots = enter(["heuristic", "greedy"])
    for players, limit, order in ((2, None, OWN), (3, 40, OWN), (2, None, SHUFFLED)):
        seatings, rules = seatings_of(2, players), Rules.of("match", hand_size=90 // players)
        results = play_all(bots, seatings, 6, rules, 8, keep_moves=True, penalty_limit=limit, terms=Terms(order=order))
        written = list(records(bots, rules, 8, results, limit, order))
        assert len(written) == results.rounds.sum()
        assert sum(record.reshuffles != [] for record in written) > 0
        for record in written:
            deal = record.deal
            referee = Referee(record.rules, deal.hands, deal.discard, deal.pile, record.starter, record.reshuffles)
            for seat, action in record.moves:
                assert referee.seat == seat
                referee.play(action)
            assert (referee.end, referee.ranking) == (record.end, record.ranking)
            assert len(replay(record)) == len(record.moves) + 1
        if limit is None:
            assert [record.ranking for record in written] == results.ranks.tolist()


# ---- a table stays as it is ----------------------------------------------------------------------------------------


def test_a_table_keeps_its_order_in_new_piles_rounds_and_matches():
    for preset in PRESETS:
        rounds, matches = own_deal(Rules.of(preset), 3, 1, 20), open_matches(Rules.of(preset), 3, 30, 1, 20)
        matches["order"] = OWN
        games = np.concatenate([raw(rounds), raw(matches)]).view(GAME)
        batch.play_at_random(games, 2_000, seed=3)
        assert games["episode"].min() > 0
        assert games["shuffles"].max() > 0
        assert (games["order"] == OWN).all()
        assert (copied(games)["order"] == OWN).all()


def test_no_card_is_lost_or_found():
    games = own_deal(Rules.of("match"), 4, 1, 30)
    for step in range(300):
        batch.play_at_random(games, 1, seed=step)
        for game in games[:: 1 + step % 7]:
            heap = [*(game["pile"][: game["pile_size"]] & FACE), *game["discards"][: game["discards_size"]]]
            heap += [
                card for sets in game["hands"] for part in sets for card in range(NUM_CARDS) if int(part) >> card & 1
            ]
            assert sorted(heap) == cards_of(MAX_DECK)


def test_one_of_two_equal_cards_of_a_pile_is_marked():
    for game in own_deal(Rules.of("match"), 2, 1, 20):
        pile = game["pile"][: game["pile_size"]].tolist()
        assert len(set(pile)) == len(pile)
        assert all(card & FACE in pile for card in pile if card & SECOND)
    assert (own_deal(Rules(), 2, 1, 20)["pile"] < NUM_CARDS).all()


def test_the_oracle_sits_at_such_a_table():
    """It is shown games whose piles have marks, and plays them on."""
    bots = [Entrant("oracle", Oracle(budget=2)), *enter(["random"])]
    for rules in PRESETS.values():
        results = play_all(bots, seatings_of(2, 2), 1, Rules.of(**rules.as_dict() | {"max_turns": 60}), 1)
        assert (results.turns > 0).all()


def test_the_state_for_critics_shows_bare_cards():
    shuffled, own = batch.deal(Rules.of("match"), 3, 1, 1), own_deal(Rules.of("match"), 3, 1, 1)
    layout = StateLayout(Layout(104, 3))
    observation = np.zeros(layout.observation.size, np.float32)
    assert (own["pile"] >= NUM_CARDS).any()
    assert (layout.write(own, observation) == layout.write(shuffled, observation)).all()


def fingerprint() -> str:
    """Hash of games with own orders after random play; also run in another process, as plain Python."""
    deals = [own_deal(Rules.of(preset, max_turns=60), players, 5, 3) for preset in PRESETS for players in (2, 3, 5)]
    games = np.concatenate([raw(games) for games in deals]).view(GAME)
    batch.play_at_random(games, 200, 5)
    assert games["shuffles"].any()
    return hashlib.sha256(raw(games).tobytes()).hexdigest()


def test_compiled_and_plain_code_do_the_same_bit_for_bit():
    code = "import test_own_order, numba; assert numba.config.DISABLE_JIT; print(test_own_order.fingerprint())"
    assert run(code, NUMBA_DISABLE_JIT="1").stdout.strip() == fingerprint()
