"""Results of tournaments that nobody played, in the form that `evaluate.py --json` writes, for tests of the report."""

from itertools import combinations

import numpy as np

from maumau_env.game.rules import Rules


def around(value, reach, lowest=0.0, highest=1.0):
    """An interval around a value, inside the range."""
    return [max(lowest, value - reach), min(highest, value + reach)]


def sample_result(names=("heuristic", "greedy", "random"), players=2, seed=1, spread=60.0, rules=None, **changes):
    """A result in which the bots stand `spread` rating points apart, the first named best; figures fit each other."""
    rng = np.random.default_rng(seed)
    ratings = [1500.0 - spread * place for place in range(len(names))]
    ahead = [[1 / (1 + 10 ** ((other - mine) / 400)) for other in ratings] for mine in ratings]
    alone = len(names) == 1
    bots = []
    for number, name in enumerate(names):
        mean = float(np.mean([ahead[number][rival] for rival in range(len(names)) if rival != number] or [0.5]))
        placements = weights_of(mean, players)
        win_rate = placements[0]
        seats = [win_rate + 0.02 * (1 - 2 * seat / (players - 1)) for seat in range(players)]
        place = sum(share * (at + 1) for at, share in enumerate(placements))
        bots.append(
            {
                "name": name, "sha256": f"{number:064x}" if name.endswith(".safetensors") else None, "cheats": False,
                "games": 13336, "win_rate": win_rate, "win_rate_interval": around(win_rate, 0.008),
                "mean_placement": place, "mean_placement_interval": around(place, 0.02, 1, players),
                "points": 4.2 + number, "points_interval": [4.1 + number, 4.3 + number],
                "rating": None if alone else ratings[number],
                "rating_interval": None if alone else around(ratings[number], 4.5 * (number > 0), 0, 4000),
                "placements": placements,
                "by_seat": [{"win_rate": rate, "win_rate_interval": around(rate, 0.01)} for rate in seats],
                "mean_turns": 25.3 + number, "mean_rounds": 1.0, "stuck": 0.0, "too_long": 0.001,
                "forfeits": {"raised": 0, "too_slow": 0, "illegal": 0},
                "decisions": {
                    "asked": 123456 + number, "choices": 60000, "drew_when_it_could_play": None, "jacks_saved": 0.41,
                    "cards_left_when_losing": 3.4, "per_second": float(rng.integers(1000, 900_000)),
                },
            }
        )  # fmt: skip
    cross_table = [[None] * len(names) for _ in names]
    for i, j in combinations(range(len(names)), 2):
        for mine, other in ((i, j), (j, i)):
            share = ahead[mine][other]
            cross_table[mine][other] = {"ahead": share, "interval": around(share, 0.012), "games": 6668}
    even = 1 / players
    seats = [even + 0.02 * (1 - 2 * seat / (players - 1)) for seat in range(players)]
    return {
        "format": "maumau-evaluation", "version": 2, "package_version": "0.1.0",
        "versions": {"python": "3.11.7", "numpy": "2.4.6", "numba": "0.68.1"},
        "command": f"python evaluate.py {' '.join(names)} --players {players} --games 20000 --seed {seed}",
        "rules": Rules.of(rules or "classic").as_dict(), "players": players, "penalty_limit": None, "seed": seed,
        "games": 20_004, "deals": 3334, "seatings": 6, "line_ups": 3,
        "seating_rule": "each bot n // k seats, spare seats to every choice of n % k bots, every order of sitting",
        "confidence": 0.95, "intervals": "percentile bootstrap over deals, 1,000 resamples", "stopped": None,
        "bots": bots, "cross_table": cross_table,
        "ratings": None if alone else {
            "model": "Plackett-Luce", "anchor": "heuristic" if "heuristic" in names else None, "fit_p": 0.4,
        },
        "cycles": [],
        "seats": [{"win_rate": rate, "win_rate_interval": around(rate, 0.01)} for rate in seats],
        "lengths": {
            "turns": list(range(0, 125, 5)),
            "games": [int(20_004 * 0.13 * np.exp(-(((bin - 5) / 4.5) ** 2))) for bin in range(24)],
        },
        "luck": None if alone else {
            "cards": 0.55, "cards_interval": [0.53, 0.57], "skill": 0.02, "skill_interval": [0.015, 0.025],
            "rest": 0.43,
        },
    } | changes  # fmt: skip


def weights_of(strength, players):
    """Shares of the places from first to last that lean towards the first for a strong bot; they sum to 1."""
    weights = np.array([(strength / (1 - strength)) ** (1 - 2 * place / (players - 1)) for place in range(players)])
    return [float(share) for share in weights / weights.sum()]
