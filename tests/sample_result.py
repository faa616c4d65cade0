"""Results of tournaments that nobody played, in the form that `evaluate.py --json` writes, for tests of the report."""

import numpy as np

from maumau_env.game.rules import Rules


def around(value, reach, lowest=0.0, highest=1.0):
    """An interval around a value, inside the range."""
    return [max(lowest, value - reach), min(highest, value + reach)]


def sample_result(names=("heuristic", "greedy", "random"), players=2, seed=1, spread=60.0, rules="classic", **changes):
    """A result in which the bots stand `spread` rating points apart, the first named best; figures fit each other."""
    alone = len(names) == 1
    ratings = [1500.0 - spread * place for place in range(len(names))]
    model = {"model": "Plackett-Luce", "anchor": "heuristic" if "heuristic" in names else None, "fit_p": 0.4}
    luck = {
        "cards": 0.55,
        "cards_interval": [0.53, 0.57],
        "skill": 0.02,
        "skill_interval": [0.015, 0.025],
        "rest": 0.43,
    }
    command = f"python evaluate.py {' '.join(names)} --players {players} --games 20000 --seed {seed}"
    figures = {
        "penalty_limit": None,
        "stopped": None,
        "bots": [sample_bot(number, name, ratings, players) for number, name in enumerate(names)],
        "cross_table": sample_cross_table(ratings),
        "ratings": None if alone else model,
        "cycles": [],
        "seats": by_seat(1 / players, players),
        "lengths": {
            "turns": list(range(0, 125, 5)),
            "games": [int(20_004 * 0.13 * np.exp(-(((turns - 5) / 4.5) ** 2))) for turns in range(24)],
        },
        "luck": None if alone else luck,
    }
    setting = {"command": command, "rules": Rules.of(rules).as_dict(), "players": players, "seed": seed}
    return HEADER | setting | figures | changes


HEADER = {
    "format": "maumau-evaluation",
    "version": 2,
    "package_version": "0.1.0",
    "versions": {"python": "3.11.7", "numpy": "2.4.6", "numba": "0.68.1"},
    "games": 20_004,
    "deals": 3334,
    "seatings": 6,
    "line_ups": 3,
    "seating_rule": "each bot n // k seats, spare seats to every choice of n % k bots, every order of sitting",
    "confidence": 0.95,
    "intervals": "percentile bootstrap over deals, 1,000 resamples",
}


def sample_bot(number, name, ratings, players):
    """The figures of one bot, by the ratings of all; whoever stands alone has none."""
    rivals = [ahead_of(ratings[number], rating) for rival, rating in enumerate(ratings) if rival != number]
    placements = placement_shares(float(np.mean(rivals or [0.5])), players)
    place = sum(share * (at + 1) for at, share in enumerate(placements))
    return {
        "name": name,
        "sha256": f"{number:064x}" if name.endswith(".safetensors") else None,
        "cheats": False,
        "games": 13336,
        "win_rate": placements[0],
        "win_rate_interval": around(placements[0], 0.008),
        "mean_placement": place,
        "mean_placement_interval": around(place, 0.02, 1, players),
        "points": 4.2 + number,
        "points_interval": [4.1 + number, 4.3 + number],
        "rating": ratings[number] if rivals else None,
        "rating_interval": around(ratings[number], 4.5 * (number > 0), 0, 4000) if rivals else None,
        "placements": placements,
        "by_seat": by_seat(placements[0], players),
        "mean_turns": 25.3 + number,
        "mean_rounds": 1.0,
        "stuck": 0.0,
        "too_long": 0.001,
        "forfeits": {"raised": 0, "too_slow": 0, "illegal": 0},
        "faults": {"raised": "KeyError: 'weights'", "too_slow": "no answer within 10 s"},
        "decisions": {
            "asked": 123456 + number,
            "choices": 60000,
            "drew_when_it_could_play": None,
            "jacks_saved": 0.41,
            "cards_left_when_losing": 3.4,
            "per_second": 812345.6 / (number + 1),
        },
    }


def sample_cross_table(ratings):
    """How often who was ahead of whom, by their ratings."""
    return [
        [
            None if i == j else {"ahead": share, "interval": around(share, 0.012), "games": 6668}
            for j, other in enumerate(ratings)
            for share in [ahead_of(mine, other)]
        ]
        for i, mine in enumerate(ratings)
    ]


def by_seat(mean, players):
    """Win rates that fall from seat to seat, with their intervals."""
    rates = [mean + 0.02 * (1 - 2 * seat / (players - 1)) for seat in range(players)]
    return [{"win_rate": rate, "win_rate_interval": around(rate, 0.01)} for rate in rates]


def ahead_of(mine, other):
    """How often a bot with one rating is ahead of one with the other: 400 points are odds of ten to one."""
    return 1 / (1 + 10 ** ((other - mine) / 400))


def placement_shares(strength, players):
    """Shares of the places from first to last that lean towards the first for a strong bot; they sum to 1."""
    weights = np.array([(strength / (1 - strength)) ** (1 - 2 * place / (players - 1)) for place in range(players)])
    return [float(share) for share in weights / weights.sum()]
