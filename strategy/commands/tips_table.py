"""The findings on the screen."""

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from strategy.commands import screen
from strategy.patched import PLAYERS
from strategy.survey import Finding, Survey
from strategy.tree import available
from strategy.verdict import CORRECTION, DEPENDS, FALSE, HOLDS, UNCLEAR

ORDER = (HOLDS, DEPENDS, UNCLEAR, FALSE)
STYLES = {HOLDS: "green", DEPENDS: "yellow", UNCLEAR: "dim", FALSE: "red"}


def report(survey: Survey, findings: list[Finding], cut_short: bool) -> None:
    """Print the table, what the tips depend on, and how it was come by."""
    console = screen.new_console()
    ordered = sorted(findings, key=lambda each: (ORDER.index(each.verdict), -(each.worth.win if each.worth else 0.0)))
    console.print(table_of(survey, ordered))
    for finding in ordered:
        if finding.depends_on is not None:
            console.print(dependence_line(finding))
    for line in notes(survey, cut_short):
        console.print(line)


def table_of(survey: Survey, findings: list[Finding]) -> Table:
    """A row for each tip, with the interval under each figure."""
    limit, many = survey.penalty_limit, survey.table.players > 2
    title = f"{survey.table.rules}, {survey.table.players} players" + (
        f", matches up to {limit} points" if limit else ""
    )
    table = Table(title=f"{title}; {survey.mind.name}", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("tip", min_width=24)
    table.add_column("verdict")
    headings = ["worth in\nwin chance", "posi-\ntions", "applies\n ", "obeyed\nby chance"]
    if many:
        headings.insert(1, "places\nwon")
    for heading in (*headings, *(f"follower:\n{player}" for player in PLAYERS)):
        table.add_column(heading, justify="right", no_wrap=True)
    for finding in findings:
        table.add_row(*cells(finding, many))
    return table


def cells(finding: Finding, many: bool) -> list[Text | str]:
    """The cells of a tip's row."""
    worth, obedience = finding.worth, finding.obedience
    name = Text.assemble((finding.tip.name, "bold"), "\n", (finding.tip.sentence, "dim"))
    row: list[Text | str] = [name, Text(finding.verdict, STYLES[finding.verdict])]
    row.append(points(worth.win, worth.win_interval) if worth else "–")
    if many:
        row.append(places(worth.placement, worth.placement_interval) if worth else "–")
    row.append(f"{finding.positions:,}")
    row.append(f"{obedience.applies:.1%}" if obedience else "–")
    if obedience and obedience.obeyed is not None and obedience.obeyed_by_chance is not None:
        row.append(f"{obedience.obeyed:.0%}\n{obedience.obeyed_by_chance:.0%}")
    else:
        row.append("–")
    for player in PLAYERS:
        gain = finding.gains.get(player)
        row.append(points(gain.gain, gain.gain_interval) if gain else "–")
    return row


def dependence_line(finding: Finding) -> str:
    """On what a tip depends."""
    found = finding.depends_on
    assert found is not None
    return (
        f"{finding.tip.name}: right when {found.right_when} ({found.right_worth:+.1%}); "
        f"wrong when {found.wrong_when} ({found.wrong_worth:+.1%})."
    )


def notes(survey: Survey, cut_short: bool) -> list[str]:
    """How it was come by."""
    effort = survey.effort
    lines = [
        f"{effort.games:,} games, up to {effort.positions:,} positions with {effort.worlds} worlds, duels of "
        f"{effort.duels:,} games; seed {effort.seed}; played out by {survey.mind.plays_out}; {CORRECTION}.",
        "Worth and follower are percentage points of win chance; under obeyed what chance alone would obey.",
    ]
    if survey.skipped:
        skipped = "; ".join(f"{tip.name} ({tip.needs or 'other rules'})" for tip in survey.skipped)
        lines.append(f"Make no sense at this table: {skipped}.")
    if not available():
        lines.append('What a tip depends on was not looked for: that needs pip install -e ".[explore]".')
    if cut_short:
        lines.append("Cut short: figures are of what had been played by then.")
    return lines


def points(value: float, interval: tuple[float, float]) -> str:
    """A difference in win chance in percentage points, its interval below."""
    low, high = map(screen.points, interval)
    return f"{screen.points(value)}\n{low} – {high}"


def places(value: float, interval: tuple[float, float]) -> str:
    """A difference in placement, its interval below."""
    return f"{value:+.3f}\n{interval[0]:+.3f} – {interval[1]:+.3f}"
