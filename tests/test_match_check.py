"""Records of matches are checked across rounds: what the rules lead to is read, and any one thing else is refused."""

import copy
import json
import random
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match_referee import MOST_PLAYERS, MatchReferee
from referee import PRESETS

from maumau_env.game import batch
from maumau_env.game.actions import actions_in
from maumau_env.game.attendance import join, leave
from maumau_env.game.jit import kernel
from maumau_env.game.match import attend, close_round, next_round, open_matches
from maumau_env.game.match_check import MatchBook
from maumau_env.game.match_record import seats_of
from maumau_env.game.record import Record, Recorder, RecordError
from maumau_env.game.record_check import check, replay
from maumau_env.game.record_file import read_records, write_records
from maumau_env.game.rules import Rules
from maumau_env.game.state import GAME, RUNNING, raw

P0, P1, P2, P3, P4 = AGENTS = [f"player_{agent}" for agent in range(MOST_PLAYERS)]


def line(number, starter, hands, top, moves, end, left_over, ranking, points, joined=(), left=(), out=()) -> dict:
    """A round of match m1 with a limit of 20, from a deal without a pile; `points` after it also say who plays it."""
    return {
        "format": "maumau-record", "version": 1, "rules": PRESETS["classic"],
        "players": ["bot"] * len(hands), "seats": list(points),
        "match": {"id": "m1", "round": number, "penalty_limit": 20, "table": points,
                  "joined": list(joined), "left": list(left), "out": list(out)},
        "seed": 0, "starter": starter, "deal": {"hands": hands, "discard": [top], "pile": []},
        "moves": moves, "reshuffles": [], "end": end, "hands": left_over, "ranking": ranking,
    }  # fmt: skip


# By hand; the limit is 20 points, and a card costs: A 11, 10 ten, K 4, Q 3, J 2, others their number.
MATCH = [
    # player_0 begins and wins; 4 + 3 and 11 points are left.
    line(1, 0, [["10H"], ["KS", "QS"], ["AD"]], "QH", [[0, "10H"]], "emptied", [[], ["KS", "QS"], ["AD"]], [1, 3, 2],
         {P0: 0, P1: 7, P2: 11}),
    # player_3 joins with the worst's 11 points; player_2 has 11 + 10, which is more than 20.
    line(2, 1, [["QC", "QD"], ["KS"], ["10C"], ["7D"]], "QS", [[1, "KS"]], "emptied",
         [["QC", "QD"], [], ["10C"], ["7D"]], [4, 1, 3, 2], {P0: 6, P1: 7, P2: 21, P3: 18}, joined=[P3], out=[P2]),
    # player_0 leaves, player_4 joins with player_3's 18; player_2 is out, so player_3 begins. 20 is not more than 20.
    line(3, 1, [["JC"], ["9D"], ["JD"]], "9C", [[1, "9D"]], "emptied", [["JC"], [], ["JD"]], [2, 1, 2],
         {P1: 9, P3: 18, P4: 20}, joined=[P4], left=[P0]),
    # Nobody can move: 9 + 21, 18 + 10 and 20 + 8 points are all more than 20, so the two with 28 win together.
    line(4, 2, [["AC", "10C"], ["10S"], ["8H"]], "KD", [], "stuck", [["AC", "10C"], ["10S"], ["8H"]], [3, 2, 1],
         {P1: 30, P3: 28, P4: 28}, out=[P1]),
]  # fmt: skip

# Round 2 before its first move.
RUNNING_ROUND = line(2, 1, [["QC", "QD"], ["KS", "KC"], ["10C"], ["7D"]], "QS", [], "running",
                     [["QC", "QD"], ["KS", "KC"], ["10C"], ["7D"]], [3, 4, 2, 1],
                     {P0: 0, P1: 7, P2: 11, P3: 11}, joined=[P3])  # fmt: skip
DUEL = [
    line(1, 0, [["10H"], ["AC", "10C"]], "QH", [[0, "10H"]], "emptied", [[], ["AC", "10C"]], [1, 2], {P0: 0, P1: 21},
         out=[P1]),
    line(2, 1, [["10H"], ["QS"]], "QH", [[1, "QS"]], "emptied", [["10H"], []], [2, 1], {P0: 10, P1: 0}),
]  # fmt: skip


def reading(path, lines: list[dict]) -> list[Record]:
    """What is read from a file of these lines."""
    file = path / "match.jsonl"
    file.write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    return list(read_records(file))


def book_of(records: list[Record]) -> MatchBook:
    book = MatchBook()
    for record in records:
        check(record)
        book.check(record)
    return book


# What is read


def test_a_match_worked_out_by_hand_is_read_and_replayed(tmp_path):
    records = reading(tmp_path, MATCH)
    assert [len(replay(record)) for record in records] == [2, 2, 2, 1]
    assert replay(records[2])["starter"][0] == 1


def test_m4_the_final_ranking_of_the_match_worked_out_by_hand(tmp_path):
    """The joint winners, player_1 in round 4, player_2 in round 2; player_0 left, so has no rank."""
    book = book_of(reading(tmp_path, MATCH))
    assert book.final_ranking("m1") == {P1: 3, P2: 4, P3: 1, P4: 1}


def test_a_file_may_start_in_mid_match(tmp_path):
    assert len(reading(tmp_path, MATCH[1:])) == 3
    with pytest.raises(RecordError, match=r"line 3: table gives player_1 10 points, but it should be 9"):
        reading(tmp_path, [MATCH[1], MATCH[1] | {"match": MATCH[1]["match"] | {"id": "m2"}}, edited(2, table(P1, 10))])


def test_matches_and_single_rounds_may_be_mixed_in_one_file(tmp_path):
    other = copy.deepcopy(MATCH)
    for entry in other:
        entry["match"]["id"] = "m2"
    alone = {name: value for name, value in DUEL[0].items() if name not in ("seats", "match")}
    mixed = [MATCH[0], alone, other[0], other[1], MATCH[1], MATCH[2], alone, other[2], MATCH[3], other[3]]
    assert len(reading(tmp_path, mixed)) == 10
    with pytest.raises(RecordError, match=r"line 2: round is 3, but should be 2"):
        reading(tmp_path, [MATCH[0], MATCH[2]])


def test_a_round_so_far_has_the_points_before_it(tmp_path):
    record = reading(tmp_path, [MATCH[0], RUNNING_ROUND])[1]
    assert replay(record)["end"].tolist() == [RUNNING]


def test_a_schedule_may_change_who_sits_before_the_first_round(tmp_path):
    """Of player_0, 1 and 2 the first leaves, and player_4 comes: with the worst's points, which are none."""
    first = line(1, 0, [["10H"], ["KS"], ["AD"]], "QH", [[0, "10H"]], "emptied", [[], ["KS"], ["AD"]], [1, 2, 3],
                 {P1: 0, P2: 4, P4: 11}, joined=[P4], left=[P0])  # fmt: skip
    assert len(reading(tmp_path, [first])) == 1


def test_m5_a_newcomer_does_not_get_the_points_of_one_who_leaves_at_that_moment(tmp_path):
    """player_3 leaves with 18; of those who stay player_1 has the most, 7."""

    def third(points):
        return line(3, 2, [["JC"], ["JD"], ["9D"]], "9C", [[2, "9D"]], "emptied", [["JC"], ["JD"], []], [2, 2, 1],
                    {P0: 8, P1: 9, P4: points}, joined=[P4], left=[P3])  # fmt: skip

    assert len(reading(tmp_path, [*MATCH[:2], third(7)])) == 3
    with pytest.raises(RecordError, match="line 3: table gives player_4 18 points, but it should be 7: 7 before"):
        reading(tmp_path, [*MATCH[:2], third(18)])


def test_rounds_are_appended_to_a_file_one_by_one(tmp_path):
    records = reading(tmp_path, MATCH)
    for record in records:
        write_records(tmp_path / "grown.jsonl.gz", [record], append=True)
    assert list(read_records(tmp_path / "grown.jsonl.gz")) == records
    write_records(tmp_path / "grown.jsonl.gz", records[:1], append=True)
    assert list(read_records(tmp_path / "grown.jsonl.gz")) == [*records, records[0]]  # round 1: the match once more
    write_records(tmp_path / "grown.jsonl.gz", records[3:], append=True)
    with pytest.raises(RecordError, match=r"grown\.jsonl\.gz, line 6: round is 4, but should be 2"):
        list(read_records(tmp_path / "grown.jsonl.gz"))


def test_a_book_that_refused_a_record_still_takes_the_right_one(tmp_path):
    records = reading(tmp_path, MATCH)
    book = book_of(records[:1])
    with pytest.raises(RecordError):
        book.check(records[2])
    book.check(records[1])


# What is refused


def change(*path, to) -> Callable:
    """The change of one value of a line, found by its path."""

    def apply(entry: dict) -> None:
        for name in path[:-1]:
            entry = entry[name]
        entry[path[-1]] = to

    return apply


def seats(*agents) -> Callable:
    return change("seats", to=list(agents))


def match(name, to) -> Callable:
    return change("match", name, to=to)


def table(agent, points) -> Callable:
    return change("match", "table", agent, to=points)


def edited(index: int, *changes: Callable) -> dict:
    entry = copy.deepcopy(MATCH[index])
    for apply in changes:
        apply(entry)
    return entry


# Number of the line, its changes, and what is said of it.
WITHIN = {
    "no seats": (3, [lambda r: r.pop("seats")], "seats is missing: a round of a match has seats and match"),
    "no match": (3, [lambda r: r.pop("match")], "match is missing: a round of a match has seats and match"),
    "too few seats": (3, [seats(P1, P3)], "seats has 2 entries, and 3 seats were dealt cards"),
    "a seat twice": (3, [seats(P1, P3, P3)], "seats names player_3 2 times, but should once"),
    "no such agent": (3, [seats(P1, P3, "player_5")], "seats names 'player_5', but agents are player_0 to player_4"),
    "seats in disorder": (3, [seats(P3, P1, P4)],
                          "seats are player_3, player_1, player_4, but should be player_1, player_3, player_4"),
    "no limit": (3, [match("penalty_limit", 0)], "penalty_limit=0: it is a whole number from 1 to 10,000"),
    "too high a limit": (3, [match("penalty_limit", 10_001)], "penalty_limit=10001: it is a whole number from 1"),
    "round zero": (3, [match("round", 0)], "round is 0, but should be 1 or more"),
    "one missing in the table": (3, [lambda r: r["match"]["table"].pop(P3)],
                                 "table names player_1, player_4, but should name the seats: player_1, player_3"),
    "one too many in the table": (3, [table(P0, 6)], "table names player_1, player_3, player_4, player_0, but should"),
    "joined but not seated": (3, [match("joined", [P2])], "joined names player_2, but it should be some of the seats"),
    "joined twice": (3, [match("joined", [P4, P4])], "joined names player_4 2 times, but should once"),
    "no such agent joined": (3, [match("joined", ["bob"])], "joined names 'bob', but agents are"),
    "left but seated": (3, [match("left", [P1])], "left names player_1, but should name none of the seats"),
    "left twice": (3, [match("left", [P0, P0])], "left names player_0 2 times, but should once"),
    "no such agent left": (3, [match("left", ["player_05"])], "left names 'player_05', but agents are"),
    "m6 all but one left": (3, [match("joined", [P3, P4])],
                            "before the joins player_1 sat at the table, but it should be two at least"),
    "m1 fewer points than the hand": (3, [table(P4, 1)], "table gives player_4 1 points, but it should be 2 to 22"),
    "m2 had too many before": (3, [table(P3, 21), match("out", [P3])],
                               "table gives player_3 21 points, but it should be 0 to 20: 0 for the hand left"),
    "m2 somebody should be out": (2, [match("out", [])],
                                  "out names nobody, but should name player_2: who has more than 20 points"),
    "m2 somebody should not be out": (2, [match("out", [P2, P3])],
                                      "out names player_2, player_3, but should name player_2"),
    "out twice": (2, [match("out", [P2, P2])], "out names player_2, player_2, but should"),
    "m3 all out": (4, [match("out", [P1, P3, P4])],
                   "out names player_1, player_3, player_4, but should name player_1: who has more than 28 "),
    "m3 none out": (4, [match("out", [])], "out names nobody, but should name player_1"),
    "m3 all out by a round that somebody won": (4, [change("end", to="emptied")],
                                                "limit of 20, but 'emptied' should leave somebody in"),
    "m5 points of a newcomer": (2, [table(P3, 14)],
                                "table gives player_3 14 points, but it should be 18: 11 before the round (a newcomer"),
    "points before the first round": (1, [table(P1, 8)],
                                      "table gives player_1 8 points, but it should be 7: 0 before the round"),
    "starter of the first round": (1, [change("starter", to=1)], "starter is seat 1, but should be seat 0"),
    "m8 who begins": (1, [seats(P0, P1, P3), match("table", {P0: 0, P1: 7, P3: 11})],
                      "player_0, player_1, player_3 sat at the table, but 3 agents should be player_0, "),
}  # fmt: skip

ACROSS = {
    "other rules": (3, [change("rules", "ace", to="skip")], "ace is 'skip', but should be 'plain' as in round 2"),
    "another limit": (3, [match("penalty_limit", 50)], "penalty_limit is 50, but should be 20 as in round 2"),
    "a round missing": (3, [match("round", 4)], "round is 4, but should be 3"),
    "a round twice": (3, [match("round", 2)], "round is 2, but should be 3"),
    "gone without leaving": (3, [match("left", [])],
                             "seats are player_1, player_3, player_4, but should be player_0, player_1, player_3"),
    "come without joining": (2, [match("joined", []), table(P3, 7)],
                             "player_2, player_3, but should be player_0, player_1, player_2: after round 1"),
    "m1 points lost": (3, [table(P1, 8)],
                       "table gives player_1 8 points, but it should be 9: 7 before the round (as after round 2)"),
    "m7 starter": (3, [change("starter", to=2)],
                   "starter is seat 2 (player_4), but should be seat 1 (player_3): the next after player_1"),
    "m7 starter, past the last": (4, [change("starter", to=0)], "starter is seat 0 (player_1), but should be seat 2"),
    "m5 joined after going out": (3, [seats(P1, P2, P3), match("joined", [P2]),
                                      match("table", {P1: 9, P2: 18, P3: 20})],
                                  "joined names player_2, who went out by round 2"),
    "m6 joined after leaving": (4, [seats(P0, P1, P4), match("joined", [P0]), match("left", [P3]),
                                    match("table", {P0: 41, P1: 19, P4: 28}), match("out", [P0, P4])],
                                "joined names player_0, who left before round 3"),
    "joined though still in": (4, [match("joined", [P4]), table(P4, 26), match("out", [P1, P3])],
                               "joined names player_4, who played round 3 and is still in"),
    "left after going out": (3, [match("left", [P0, P2])], "left names player_2, who went out by round 2"),
    "left after leaving": (4, [match("left", [P0])], "left names player_0, who left before round 3"),
    "left without ever playing": (2, [match("left", [P4])], "left names player_4, who did not play round 1"),
}  # fmt: skip


@pytest.mark.parametrize(("number", "changes", "reason"), [*WITHIN.values(), *ACROSS.values()], ids=[*WITHIN, *ACROSS])
def test_every_contradiction_names_its_line_and_what_should_be(tmp_path, number, changes, reason):
    lines = [*MATCH[: number - 1], edited(number - 1, *changes), *MATCH[number:]]
    with pytest.raises(RecordError) as error:
        reading(tmp_path, lines)
    assert str(error.value).startswith(f"{tmp_path / 'match.jsonl'}, line {number}: ")
    assert reason in str(error.value)


@pytest.mark.parametrize(("number", "changes", "reason"), WITHIN.values(), ids=WITHIN)
def test_what_needs_no_other_round_is_found_in_one_record(tmp_path, number, changes, reason):
    """By `replay` too, of a record that comes from no file."""
    with pytest.raises(RecordError, match=r"^record: ") as error:
        replay(msgspec.convert(edited(number - 1, *changes), Record))
    assert reason in str(error.value)


AFTER_THE_END = line(5, 0, [["10H"], ["QS"]], "QH", [[0, "10H"]], "emptied", [[], ["QS"]], [1, 2], {P3: 20, P4: 20})
ENDINGS = {
    "m2 one is left": (DUEL, "round is 2, but nothing should follow round 1, which decided the match: player_0 won"),
    "m3 joint winners": ([*MATCH, AFTER_THE_END],
                         "nothing should follow round 4, which decided the match: player_3, player_4 won"),
    "running": ([MATCH[0], RUNNING_ROUND, MATCH[1]], "nothing should follow round 2, which is recorded as running"),
    "running, with the points of the hands": (
        [MATCH[0], RUNNING_ROUND | {"match": MATCH[1]["match"] | {"table": {P0: 4, P1: 7, P2: 11, P3: 11}, "out": []}}],
        "table gives player_0 4 points, but it should be 0: 0 before the round (as after round 1)"),
    "running, and somebody out": ([MATCH[0], RUNNING_ROUND | {"match": RUNNING_ROUND["match"] | {"out": [P2]}}],
                                  "out names player_2, but should name nobody"),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "reason"), ENDINGS.values(), ids=ENDINGS)
def test_nothing_follows_the_end_of_a_match_or_a_running_round(tmp_path, lines, reason):
    with pytest.raises(RecordError, match=rf"line {len(lines)}: ") as error:
        reading(tmp_path, lines)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("lines", "match_id", "left", "reason"),
    [
        (MATCH[:3], "m1", [], "match 'm1' is not over with round 3, still in: player_1, player_3, player_4"),
        ([MATCH[0], RUNNING_ROUND], "m1", [P1, P2, P3], "match 'm1' is not over with round 2, still in: player_0"),
        (MATCH[1:], "m1", [], "needs the records of a match from round 1 on"),
        (MATCH, "m2", [], "no match is called 'm2': there are 'm1'"),
        (MATCH, "m1", [P4], "player_4 cannot have left match 'm1' after round 4"),
        (MATCH[:3], "m1", [P0, P1, P3], "player_0 cannot have left match 'm1' after round 3"),
    ],
)
def test_m4_without_a_whole_match_there_is_no_final_ranking(tmp_path, lines, match_id, left, reason):
    book = book_of(reading(tmp_path, lines))
    with pytest.raises(ValueError, match=reason):
        book.final_ranking(match_id, left)


def test_m6_who_is_left_alone_after_the_last_round_has_won(tmp_path):
    book = book_of(reading(tmp_path, MATCH[:3]))
    assert book.final_ranking("m1", left=[P1, P3]) == {P2: 2, P4: 1}


# Random matches


def random_match(preset: str, players: int, seed: int) -> tuple[list[Record], list[str], dict[str, int]]:
    """A match as the referee plays it, in short rounds, with random joins and leaves.

    Returns:
        Its records, who left after the last round, and the final ranking.
    """
    rng = random.Random(seed)
    referee = MatchReferee(PRESETS[preset] | {"max_turns": 40}, players, rng.randint(1, 150), rng)
    records, leaving, sat = [played_round(referee, rng)], [], set(range(players))
    while not referee.over:
        staying = [agent for agent in referee.seats if agent not in referee.out]
        leaving = [agent for agent in rng.sample(staying, len(staying) - 1) if rng.random() < 0.1]
        for agent in leaving:
            referee.leave(agent)
        for agent in set(range(MOST_PLAYERS)) - sat:
            if rng.random() < 0.2:
                referee.join(agent)
                sat.add(agent)
        referee.next_round()
        if not referee.over:
            leaving = []
            records.append(played_round(referee, rng))
    return records, named(leaving), {AGENTS[agent]: rank for agent, rank in referee.ranking.items()}


def played_round(referee: MatchReferee, rng: random.Random) -> Record:
    game, number = referee.round, referee.number
    deal = {"hands": [list(hand) for hand in game.hands], "discard": list(game.discards), "pile": list(game.pile)}
    moves = []
    while game.end is None:
        legal = game.legal()
        cards = [action for action in legal if action not in ("draw", "pass", "mau")]
        moves.append((game.seat, rng.choice(cards if cards and rng.random() < 0.8 else legal)))
        referee.play(moves[-1][1])
    entry = {
        "id": "random", "round": number, "penalty_limit": referee.penalty_limit,
        "table": {AGENTS[agent]: points for agent, points in sorted(referee.table.items())},
        "joined": named(referee.joined), "left": named(referee.left), "out": named(referee.out),
    }  # fmt: skip
    written = {
        "rules": referee.rules, "players": ["random"] * len(game.hands), "seats": named(referee.seats), "match": entry,
        "seed": 0, "starter": referee.starter, "deal": deal, "moves": moves, "reshuffles": game.reshuffled,
        "end": game.end, "hands": game.hands, "ranking": game.ranking,
    }  # fmt: skip
    return msgspec.convert(written, Record)


def named(agents: list[int]) -> list[str]:
    return [AGENTS[agent] for agent in agents]


MATCHES = {"preset": st.sampled_from(list(PRESETS)), "players": st.integers(2, 5), "seed": st.integers(0, 2**32)}


@settings(max_examples=150, deadline=None)
@given(**MATCHES)
def test_random_matches_of_the_referee_are_accepted_and_ranked_alike(preset, players, seed):
    records, left, ranking = random_match(preset, players, seed)
    assert book_of(records).final_ranking("random", left) == ranking
    book_of(records[len(records) // 2 :])


@settings(max_examples=150, deadline=None)
@given(**MATCHES, where=st.randoms(use_true_random=False), change=st.integers(-200, 200).filter(bool))
def test_any_changed_number_of_a_table_is_refused_where_it_stands(preset, players, seed, where, change):
    records = random_match(preset, players, seed)[0]
    index = where.randrange(len(records))
    points = records[index].match.table
    agent = where.choice(list(points))
    points[agent] += change
    book_of(records[:index])
    with pytest.raises(RecordError, match=r"table gives|out names"):
        book_of(records[: index + 1])


@kernel
def close_and_go_on(raw_games):
    """Close a round, and deal the next one; tells whether the match goes on."""
    game = raw_games.view(GAME)[0]
    close_round(game)
    if game["match"]["over"] or attend(game):
        return False
    next_round(game)
    return True


def match_of_ours(preset: str, players: int, seed: int) -> list[Record]:
    """A match as the core plays and records it; somebody joins every third round or so, and sometimes one leaves."""
    rng, game = random.Random(seed), open_matches(Rules.of(preset, max_turns=40), players, 150, seed, 1)
    records, joined, left, strangers, goes_on = [], [], [], list(range(players, MOST_PLAYERS)), True
    while goes_on:
        playing = seats_of(game)
        recorder = Recorder(game[0], ["random"] * len(playing), "ours", joined, left)
        while game["end"][0] == RUNNING:
            recorder.note(rng.choice(actions_in(batch.legal(game)[0])))
            batch.step(game, np.array(recorder.actions[-1:]))
        records.append(recorder.record())
        leaving = [agent for agent in playing[:1] if rng.random() < 0.2]
        joining = [strangers.pop()] if strangers and rng.random() < 0.4 else []
        for agent in leaving:
            leave(game, AGENTS.index(agent))
        for agent in joining:
            join(game, agent)
        joined, left = named(joining), [agent for agent in leaving if agent not in records[-1].match.out]
        goes_on = close_and_go_on(raw(game))
    return records


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_matches_that_we_play_and_record_are_read_and_replayed(tmp_path, preset, players):
    matches = [match_of_ours(preset, players, seed) for seed in range(5)]
    for number, records in enumerate(matches):
        write_records(tmp_path / f"{number}.jsonl", records)
        assert list(read_records(tmp_path / f"{number}.jsonl")) == records
    assert sum(map(len, matches)) > 15
    assert all(len(replay(record)) == len(record.moves) + 1 for records in matches for record in records)
