"""What shared deals save: the figures by hand, and the command as a user types it."""

import numpy as np
import pytest

from agents.tournament import enter, hold, seatings_of
from maumau_env.game.rules import Rules
from tools.shared_deals import main, mean_and_variance, share_of


def test_the_variance_is_that_of_the_deals_that_are_independent():
    # Two players, two deals; the first bot wins 1, 0 on seat 0 and 1, 1/2 on seat 1.
    wins = np.array([[[1, 0], [0, 1]], [[0, 1], [1 / 2, 1 / 2]]])
    first, second = (share_of(bot, seatings_of(2, 2)) for bot in (0, 1))
    # Shared: the deals are worth 1 and 1/4, with mean 5/8 and variance 9/32, halved by two deals.
    assert mean_and_variance([wins], first) == pytest.approx((5 / 8, 9 / 64))
    # Apart: halves of 1, 0 and of 1, 1/2 vary by 1/8 and 1/32, halved by two deals each.
    assert mean_and_variance([wins[:, :1], wins[:, 1:]], first) == pytest.approx((5 / 8, 1 / 16 + 1 / 64))
    # With two bots what one wins the other loses: the difference is twice the lead, its variance four times as large.
    assert mean_and_variance([wins], first - second) == pytest.approx((1 / 4, 9 / 16))


def test_the_command_prints_three_ways_to_play(capsys):
    main(["heuristic", "greedy", "--players", "3", "--games", "600", "--seed", "4"])
    title, _, heading, _, *rows = capsys.readouterr().out.splitlines()
    assert title == "heuristic v greedy, classic, 3 players, 600 games each"
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    assert len(cells) == 3
    assert all(len(row) == heading.count("|") - 1 for row in cells)
    assert cells[0][3:5] == ["1.00", "0%"]
    # Own orders are what every tournament plays.
    tournament, _ = hold(enter(["heuristic", "greedy"]), Rules(), 3, 600, 4)
    assert cells[2][1] == f"{tournament.bots[0].win_rate:.2%}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("heuristic", "1 bots: 2 to 2, the seats at the table, can be compared"),
        ("heuristic gready", "gready"),
        ("heuristic greedy --players 6", "2 to 5"),
        ("heuristic greedy --games 0", "'0' is no whole number, 1 or more"),
        ("heuristic greedy --rules classical", "classical"),
    ],
)
def test_a_mistake_is_one_line(capsys, line, message):
    with pytest.raises(SystemExit) as stop:
        main(line.split())
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert message in error.splitlines()[-1]
    assert "Traceback" not in error
