"""A tournament's result against an independent count: its own records, replayed by the referee of the tests."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from referee import Referee

from agents.tournament.config import Config
from agents.tournament.run import Event
from maumau_env.game.record_file import read_records

FIELDS = {
    "a pair": (["heuristic", "random"], 2, "classic", 40),
    "a field of pairs": (["heuristic", "greedy", "random", "eager"], 2, "match", 60),
    "spare seats": (["heuristic", "greedy"], 3, "classic", 60),
    "sampled line-ups of three": (["heuristic", "greedy", "random", "eager", "level:2"], 3, "classic", 60),
    "sampled line-ups of five": (["heuristic", "greedy", "random", "eager", "level:2", "level:1"], 5, "classic", 60),
}


def refereed(path: Path) -> list[tuple[list[str], list[int], list[list[str]]]]:
    """Of each game who played on which seat, the referee's ranking, and the hands that are left."""
    games = []
    for record in read_records(path):
        deal = record.deal
        referee = Referee(record.rules, deal.hands, deal.discard, deal.pile, record.starter, record.reshuffles)
        for seat, action in record.moves:
            assert referee.seat == seat
            referee.play(action)
        assert (referee.end, referee.ranking) == (record.end, record.ranking)
        games.append((record.players, referee.ranking, referee.hands))
    return games


def check_rows(rows: Path, bots: list[str], played: list) -> None:
    """Each game stands in the rows as the referee has seen it."""
    told = [json.loads(line) for line in rows.read_text().splitlines() if line.startswith('{"deal"')]
    assert [row["ranks"] for row in told] == [ranking for _, ranking, _ in played]
    assert [[bots[bot] for bot in row["bots"]] for row in told] == [names for names, _, _ in played]


@pytest.mark.parametrize("field", FIELDS)
def test_the_result_is_what_the_referee_counts_in_the_records(tmp_path, field):
    bots, players, rules, games = FIELDS[field]
    path, rows = tmp_path / "games.jsonl", tmp_path / "rows.jsonl"
    asked = {"bots": bots, "players": players, "rules": rules, "games": games, "seed": 6}
    event = Event.of(Config(**asked, records=path))
    results = event.play()
    result = event.result(results)
    event.write_files(results, result)
    played = refereed(path)
    assert len(played) == result["games"] >= games
    Event.of(Config(**asked, rows=rows)).play()
    check_rows(rows, bots, played)
    wins, places, seats, ahead, met, left = Counter(), Counter(), Counter(), Counter(), Counter(), defaultdict(list)
    for names, ranking, hands in played:
        for seat, (name, rank) in enumerate(zip(names, ranking, strict=True)):
            sharing = ranking.count(rank)
            wins[name] += Fraction(1, sharing) if rank == 1 else 0
            places[name] += rank + Fraction(sharing - 1, 2)
            seats[name] += 1
            if rank > 1:
                left[name].append(len(hands[seat]))
        for one, other in permutations(range(players), 2):
            pair = names[one], names[other]
            met[pair] += 1
            ahead[pair] += Fraction(1 + (ranking[one] < ranking[other]) - (ranking[one] > ranking[other]), 2)

    for number, bot in enumerate(result["bots"]):
        name = bot["name"]
        assert bot["games"] == seats[name]
        assert bot["win_rate"] == pytest.approx(float(wins[name] / seats[name]))
        assert bot["mean_placement"] == pytest.approx(float(places[name] / seats[name]))
        assert bot["decisions"]["cards_left_when_losing"] == pytest.approx(sum(left[name]) / len(left[name]))
        for other, cell in enumerate(result["cross_table"][number]):
            pair = name, bots[other]
            if number == other:
                assert cell is None
            else:
                assert cell["games"] == met[pair]
                assert cell["ahead"] == pytest.approx(float(ahead[pair] / met[pair]))
    assert sum(result["lengths"]["games"]) == result["games"]
