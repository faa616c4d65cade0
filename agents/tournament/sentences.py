"""What a result says, in sentences: who leads and whether that is luck, and what else can be told from chance.

Beyond chance means: the interval leaves out the value that chance alone would give. For two bots that is one half of
the games in which they met, for a seat the even share.
"""

from typing import Any

from agents.tournament.scores import FEW_DEALS
from agents.tournament.texts import (
    SPACE,
    clean,
    elide,
    listed,
    number,
    p_value,
    percent,
    percent_span,
    points_of,
    rounded,
)


def headline(result: dict[str, Any]) -> str:
    """Who leads, by how much, and whether it is luck."""
    bots = result["bots"]
    names = [called(bot) for bot in bots]
    if len(bots) == 1:
        return f"{names[0]} played alone: there is nobody to compare it with."
    best = bots[0]["win_rate"]
    level = [name for name, bot in zip(names, bots, strict=True) if bot["win_rate"] == best]
    if result.get("few"):
        opening, subject = f"{names[0]} has the highest rating, {rounded(bots[0]['rating'])}", "it"
    elif len(level) > 1:
        opening, subject = f"{listed(level)} share the highest win rate, {percent(best)}", names[0]
    else:
        gap = points_of(best - bots[1]["win_rate"]).removeprefix("+")
        opening = f"{names[0]} wins most: {percent(best)} of its games, {gap} percentage points more than {names[1]}"
        subject = "it"
    return f"{opening}{_verdict(result, names, subject)}"


def _verdict(result: dict[str, Any], names: list[str], subject: str) -> str:
    """Whether the first bot, the subject of the sentence, is better than each other."""
    rivals = range(1, len(names))
    better = [names[rival] for rival in rivals if is_ahead(result, rival, 0)]
    unsure = [names[rival] for rival in rivals if not is_ahead(result, 0, rival)]
    if better:
        be = "is" if len(better) == 1 else "are"
        return f"; but where they meet, {listed(better)} {be} ahead of {names[0]}, and that is more than luck."
    if not unsure:
        everybody = names[1] if len(names) == 2 else "every other bot"
        return f", and this is more than luck: {subject} is ahead of {everybody} by more than chance explains."
    return f"; but this may be luck: nothing here shows that {subject} is better than {listed(unsure)}."


def is_ahead(result: dict[str, Any], i: int, j: int) -> bool:
    """Whether bot i is ahead of bot j beyond chance.

    By a sequential test of the two if there was one, by the games in which they met, or, if they never met, by win
    rates whose intervals do not touch.
    """
    bots, stopped = result["bots"], result["stopped"]
    if stopped and stopped["rule"] == "better":
        tested = [bots[i]["name"], bots[j]["name"]]
        if sorted(tested) == sorted(stopped["bots"]):
            return stopped["verdict"] == "better" and tested == stopped["bots"]
    cell = result["cross_table"][i][j]
    if cell:
        return cell["interval"] is not None and cell["interval"][0] > 0.5
    mine, other = bots[i]["win_rate_interval"], bots[j]["win_rate_interval"]
    return bool(mine and other and mine[0] > other[1])


def evidence(result: dict[str, Any]) -> str | None:
    """What the headline's last words rest on: the first two bots where they met."""
    cell = result["cross_table"][0][1] if len(result["bots"]) > 1 else None
    if not cell:
        return None
    first, second = (called(bot) for bot in result["bots"][:2])
    span = f" ({percent_span(cell['interval'])})" if cell["interval"] else ""
    return (
        f"{first} was placed ahead of {second} in {percent(cell['ahead'])}{span} of the {number(cell['games'])} games "
        "in which they met; half would be even."
    )


def confidence(result: dict[str, Any]) -> str:
    """0.95 as `95 %`."""
    return f"{100 * result['confidence']:g}{SPACE}%"


def warnings(result: dict[str, Any]) -> list[str]:
    """What a reader must know before believing the figures."""
    said = []
    if result["deals"] < FEW_DEALS:
        said.append(f"Only {number(result['deals'])} deals were played: the intervals are not worth much.")
    if result.get("few"):
        said.append("Some bots played few deals, and the others had easier opponents then: compare the ratings.")
    for bot in result["bots"]:
        if bot["cheats"]:
            said.append(f"{called(bot)} sees all hands: it is for measuring alone.")
        kinds = [
            f"{number(count)} {kind.replace('_', ' ')} (first: {elide(clean(bot['faults'][kind]), 200)})"
            for kind, count in bot["forfeits"].items()
            if count
        ]
        if kinds:
            total = sum(bot["forfeits"].values())
            games = "game" if total == 1 else "games"
            said.append(f"{called(bot)} forfeited {number(total)} {games}: {listed(kinds)}.")
    return said


def stopping(result: dict[str, Any]) -> str:
    """Why the tournament ended when it did, and what a test said."""
    stopped = result["stopped"]
    if not stopped:
        return "The number of games was fixed beforehand."
    if stopped["rule"] == "within":
        known = f"to within ±{_points(stopped['within'])} at {100 * stopped['confidence']:g}{SPACE}% confidence"
        if stopped["reached"]:
            return f"Played until the win rates were known {known}."
        return f"Not enough games were played to know the win rates {known}."
    first, second = (elide(name, 40) for name in stopped["bots"])
    verdicts = {
        "better": f"{first} is better than {second}.",
        "not better": f"{first} is not better than {second} by so much.",
        "undecided": "undecided, neither can be said.",
    }
    return (
        f"A sequential test asked whether {first} is better than {second}, by {_points(stopped['by'])}. "
        f"After {number(stopped['deals'])} deals: {verdicts[stopped['verdict']]} Such a test calls a "
        f"bot better that is not in at most {_share(stopped['alpha'])} of cases, and overlooks one that is better "
        f"by so much in at most {_share(stopped['beta'])}. Since it was watched while it ran, trust its verdict "
        "more than the intervals."
    )


def _share(rate: float) -> str:
    """An error rate: 0.05 as `5 %`, 0.001 as `0.1 %`."""
    return f"{100 * rate:g}{SPACE}%"


def seat_advantage(result: dict[str, Any]) -> str | None:
    """Which seats win more or less than their share; None without figures."""
    even, rates = 1 / result["players"], result["seats"]
    if not rates or any(rate["win_rate"] is None or rate["win_rate_interval"] is None for rate in rates):
        return None
    apart = [
        f"seat {seat} {points_of(rate['win_rate'] - even)}"
        for seat, rate in enumerate(rates)
        if not rate["win_rate_interval"][0] <= even <= rate["win_rate_interval"][1]
    ]
    if not apart:
        return f"Seat 0 starts. No seat's win rate can be told from the even share, {percent(even)}."
    return (
        f"Seat 0 starts. Beyond chance, these differ from the even share of {percent(even)}, in percentage points: "
        f"{listed(apart, most=5)}."
    )


def luck(result: dict[str, Any]) -> str:
    """How much of the outcome the cards decide, and how much the bots."""
    shares = result["luck"] or {}
    if any(shares.get(part) is None for part in ("cards", "skill", "rest")):
        return "What share of the outcome is luck cannot be said: that takes two bots or more that play the same deals."
    spans = {part: percent_span(shares.get(f"{part}_interval")) for part in ("cards", "skill")}
    cards, skill = (percent(shares[part]) + (f" ({span})" if span else "") for part, span in spans.items())
    return (
        f"The cards dealt decide {cards} of who wins, and which bot plays decides {skill}. The rest, "
        f"{percent(shares['rest'])}, is how bots and cards fall together, and chance outside the deal."
    )


def cycles(result: dict[str, Any]) -> list[str]:
    """Bots that beat each other in a circle, or that there are none."""
    if len(result["bots"]) < 3:
        return ["With fewer than three bots there is no circle in which they could beat each other."]
    found = [
        f"{' beats '.join(elide(name, 40) for name in [*cycle['bots'], cycle['bots'][0]])} ({p_value(cycle['p'])}): "
        "no single number can rank these."
        for cycle in result["cycles"] or []
    ]
    return found or ["No three bots were found to beat each other in a circle beyond chance."]


def rating_fit(result: dict[str, Any]) -> str | None:
    """Whether one number for each bot tells what the cross-table tells; None if that was not tested."""
    fit = (result["ratings"] or {}).get("fit_p")
    if fit is None:
        return None
    if fit < 0.05:
        return f"One number for each bot does not explain the cross-table ({p_value(fit)}): trust the table more."
    return f"One number for each bot explains the cross-table well enough ({p_value(fit)})."


def called(bot: dict[str, Any]) -> str:
    """The bot's name, not too long for a sentence; with its number where another bot has the same."""
    name = elide(bot["name"], 40)
    return f"{name} (no. {bot['number']})" if bot["shares_name"] else name


def _points(difference: float) -> str:
    points = f"{100 * difference:.6g}"
    return f"{points} percentage point" + "s" * (points != "1")
