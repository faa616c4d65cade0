"""What the referee of a match promises, whatever the cards: shown over random matches."""

import contextlib
import random
from collections import Counter

import pytest
from match_referee import MatchReferee
from referee import PRESETS, full_deck

# Short rounds, so that all of it is quick: a random player seldom empties a hand of seven.
QUICK = {"match": {"hand_size": 3, "max_turns": 60}, "classic": {"max_turns": 120}}


def new_match(preset: str, players: int, seed: int, penalty_limit: int = 60) -> MatchReferee:
    return MatchReferee(PRESETS[preset] | QUICK[preset], players, penalty_limit, random.Random(seed))


def play_round(game: MatchReferee, rng: random.Random) -> None:
    while game.round.end is None:
        game.play(rng.choice(game.round.legal()))


def play_out(game: MatchReferee, rng: random.Random, between_rounds=lambda game: None) -> MatchReferee:
    """Play a match at random; `between_rounds` is called after every round."""
    while not game.over:
        play_round(game, rng)
        between_rounds(game)
        if not game.over:
            game.next_round()
    return game


def ask_at_random(game: MatchReferee, rng: random.Random) -> None:
    """Somebody asks to join or to leave, maybe in vain."""
    request, agent = rng.choice([game.join, game.leave]), rng.randrange(5)
    with contextlib.suppress(ValueError):
        request(agent)


def all_matches(seeds: int):
    """Random matches not yet played, of every preset and number of players, each with its own dice."""
    for preset in PRESETS:
        for players in (2, 3, 4, 5):
            for seed in range(seeds):
                yield new_match(preset, players, seed), random.Random(seed)


def check_ranking(game: MatchReferee) -> None:
    """Each rank is one more than the number of players ranked better; the better ranked is paid more."""
    ranks = game.ranking
    assert all(rank == 1 + sum(other < rank for other in ranks.values()) for rank in ranks.values())
    for one in ranks:
        for other in ranks:
            if ranks[one] < ranks[other]:
                assert game.payoffs[one] > game.payoffs[other]


def test_the_cards_of_every_round_are_one_whole_deck():
    for game, rng in all_matches(seeds=2):
        deck = Counter(full_deck(game.rules["deck"]))
        while not game.over:
            while game.round.end is None:
                assert Counter(sum(game.round.hands, game.round.pile + game.round.discards)) == deck
                game.play(rng.choice(game.round.legal()))
            assert Counter(sum(game.round.hands, game.round.pile + game.round.discards)) == deck
            if not game.over:
                game.next_round()


def test_every_match_ends_with_a_ranking_of_all_and_rewards_that_sum_to_zero():
    shared, ends = 0, Counter()
    for game, rng in all_matches(seeds=8):
        players = len(game.seats)
        play_out(game, rng)
        assert set(game.ranking) == set(game.payoffs) == set(range(players))
        assert sum(game.payoffs.values()) == pytest.approx(0, abs=1e-12)
        assert all(-1 <= payoff <= 1 for payoff in game.payoffs.values())
        check_ranking(game)
        shared += len(set(game.ranking.values())) < players
        ends[game.round.end] += 1
    assert shared > 0
    assert min(ends["emptied"], ends["too long"]) > 0


def test_points_never_fall_and_who_is_out_has_more_than_the_limit():
    for game, rng in all_matches(seeds=4):
        last = dict(game.points)

        def look(game, last=last):
            assert set(game.points) == set(game.table) == set(game.seats)
            assert all(points >= last[agent] for agent, points in game.points.items())
            assert all(game.points[agent] > game.penalty_limit for agent in game.out)
            stay = set(game.seats) - set(game.out)
            assert game.over or all(game.points[agent] <= game.penalty_limit for agent in stay)
            if game.round.end == "emptied":
                winner = game.seats[game.round.ranking.index(1)]
                assert game.points[winner] == last[winner]
            last.update(game.points)

        play_out(game, rng, look)


def test_players_who_join_and_leave_at_random():
    seen = Counter()
    for game, rng in all_matches(seeds=8):
        sat_down, gone = set(game.seats), set()
        while not game.over:
            play_round(game, rng)
            for _ in range(0 if game.over else rng.randrange(3)):
                ask_at_random(game, rng)
            if not game.over:
                game.next_round()
                seen["ended by leaving"] += game.over
                if game.over:
                    gone |= set(game.seats) - set(game.ranking)
                else:
                    sat_down |= set(game.joined)
                    gone |= set(game.left)
                    seen.update(joined=len(game.joined), left=len(game.left))
                    assert set(game.points) == set(game.seats)
                    assert not gone & set(game.seats)
        assert set(game.payoffs) == sat_down
        assert set(game.ranking) == sat_down - gone
        assert all(game.payoffs[agent] == 0 for agent in gone)
        check_ranking(game)
    assert min(seen["joined"], seen["left"], seen["ended by leaving"]) > 0


def test_a_newcomer_begins_with_the_points_of_the_worst():
    joined = 0
    for game, rng in all_matches(seeds=4):
        while not game.over:
            play_round(game, rng)
            for _ in range(0 if game.over else 2):
                ask_at_random(game, rng)
            if not game.over:
                game.next_round()
                if not game.over:
                    old = [game.points[agent] for agent in game.seats if agent not in game.joined]
                    assert all(game.points[agent] == max(old) for agent in game.joined)
                    joined += len(game.joined)
    assert joined > 0


def test_nobody_still_in_is_passed_over_as_starter():
    for game, rng in all_matches(seeds=4):
        while not game.over:
            last = game.seats[game.starter]
            play_round(game, rng)
            if not game.over:
                game.next_round()
                starter = game.seats[game.starter]
                between = range(last + 1, starter) if last < starter else [*range(last + 1, 5), *range(starter)]
                assert not set(between) & set(game.seats)
                assert starter != last


def history(seed: int) -> list:
    """Every hand dealt, every action and every table of a match in which players join and leave."""
    game, rng, seen = new_match("match", 3, seed), random.Random(seed), []
    while not game.over:
        seen.append((list(game.seats), game.starter, [list(hand) for hand in game.round.hands]))
        while game.round.end is None:
            seen.append(rng.choice(game.round.legal()))
            game.play(seen[-1])
        seen.append(dict(game.table))
        if not game.over:
            ask_at_random(game, rng)
            game.next_round()
    return [*seen, game.ranking, game.payoffs]


def test_the_seed_decides_everything():
    assert history(seed=1) == history(seed=1)
    assert history(seed=1) != history(seed=2)


def test_without_dice_the_cards_must_be_laid():
    game = MatchReferee(PRESETS["match"], 2, 100)
    assert game.round is None
    for too_early in (game.next_round, lambda: game.play("draw")):
        with pytest.raises(ValueError, match="round 1"):
            too_early()
    with pytest.raises(ValueError, match="3 hands for 2 seats"):
        game.lay([["KH"], ["KD"], ["KS"]], ["10H"], ["9D"])
    game.lay([["KH"], ["KD"]], ["10H"], ["9D"])
    game.play("KH")
    game.next_round()
    assert (game.number, game.round) == (2, None)


def test_cards_laid_take_the_place_of_the_dealt_ones():
    game = new_match("match", 2, seed=1)
    game.lay([["KH"], ["KD"]], ["10H"], ["9D"])
    game.play("KH")
    assert game.points == {0: 0, 1: 4}
