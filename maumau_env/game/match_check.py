"""Checking what records of rounds say of their match, without playing: each by itself, and each after the one before.

M1-M7 leave hardly a choice: from the hands left follow the points, from those who is out, and from who joins and leaves
follow the seats and the starter of the next round. So every one of these entries is compared with what it must be.
"""

from collections.abc import Iterable, Sequence

import msgspec

from maumau_env.game.cards import NUM_SUITS, POINTS
from maumau_env.game.match import AGENTS, check_penalty_limit
from maumau_env.game.record import Heap, Record, numbers
from maumau_env.game.state import END_NAMES, RUNNING


class MatchRound:
    """What a record tells of its match, without the cards; agents by their names.

    Attributes:
        rules: every option by its name.
        seats: who plays, by seat.
        starter: the seat that moves first.
        match: the record's entry.
        running: whether this is a round so far.
        charged: the points of the hand left, of everyone who plays; none while the round is running (M1).
    """

    def __init__(self, record: Record) -> None:
        """Take it from a record.

        Raises:
            ValueError: it has no entry, or only a part of it; or an unknown card.
        """
        if record.seats is msgspec.UNSET or record.match is msgspec.UNSET:
            missing = "seats" if record.seats is msgspec.UNSET else "match"
            raise ValueError(f"{missing} is missing: a round of a match has seats and match, a single round neither")
        self.rules, self.seats, self.starter, self.match = record.rules, record.seats, record.starter, record.match
        self.running = record.end == END_NAMES[RUNNING]
        points = [0 if self.running else points_of(hand) for hand in record.hands]
        self.charged = dict(zip(self.seats, points, strict=True))

    @property
    def before(self) -> dict[str, int]:
        """Points before the round, of everyone who plays it."""
        return {agent: self.match.table[agent] - charged for agent, charged in self.charged.items()}

    @property
    def still_in(self) -> list[str]:
        """Who is not out after the round, by number."""
        return [agent for agent in self.seats if agent not in self.match.out]

    @property
    def puts_all_out(self) -> bool:
        """M3: everybody has more points than the limit."""
        return min(self.match.table.values()) > self.match.penalty_limit

    @property
    def is_last(self) -> bool:
        """Whether the match is over with this round."""
        return len(self.still_in) == 1 or self.puts_all_out

    def check_points(self, agent: str, before: int, reason: str) -> None:
        """ValueError unless the agent has this number of points before the round, and its hand's in addition."""
        recorded, charged = self.match.table[agent], self.charged[agent]
        if recorded != before + charged:
            raise ValueError(
                f"table gives {agent} {recorded} points, but it should be {before + charged}: "
                f"{before} before the round ({reason}) and {charged} for the hand left"
            )


def points_of(hand: Heap) -> int:
    """Card points of a hand; ValueError for an unknown card."""
    return sum(int(POINTS[card // NUM_SUITS]) for card in numbers(hand))


# ---- one record by itself ------------------------------------------------------------------------------------------


def check_match(record: Record) -> None:
    """Check what a record says of its match, as far as that needs no other record; a single round says nothing.

    Args:
        record: the record of a possible deal, with as many `seats`, if any, and `hands` as were dealt.

    Raises:
        RecordError: an entry is impossible or contradicts another; the message says what it should be.
    """
    if record.seats is msgspec.UNSET and record.match is msgspec.UNSET:
        return
    try:
        this = MatchRound(record)
        _check_names(this)
        _check_numbers(this)
        _check_out(this, record.end)
        _check_before(this)
        if this.match.round == 1:
            _check_first(this)
    except ValueError as error:
        raise record.fault(error) from None


def _check_names(this: MatchRound) -> None:
    """Who is named where, apart from `out`."""
    seats, match = this.seats, this.match
    for name, agents in {"seats": seats, "joined": match.joined, "left": match.left}.items():
        _check_agents(name, agents)
    if seats != sorted(seats):
        raise ValueError(f"seats are {_listed(seats)}, but should be {_listed(sorted(seats))}: clockwise by number")
    if sorted(match.table) != seats:
        raise ValueError(f"table names {_listed(match.table)}, but should name the seats: {_listed(seats)}")
    if strangers := [agent for agent in match.joined if agent not in seats]:
        raise ValueError(f"joined names {_listed(strangers)}, but it should be some of the seats: {_listed(seats)}")
    if present := [agent for agent in match.left if agent in seats]:
        raise ValueError(f"left names {_listed(present)}, but should name none of the seats: {_listed(seats)}")
    if len(seats) - len(match.joined) < 2:
        stayed = [agent for agent in seats if agent not in match.joined]
        raise ValueError(
            f"before the joins {_listed(stayed)} sat at the table, but it should be two at least: "
            f"a match of fewer is over (M6), and nobody joins"
        )


def _check_agents(name: str, agents: Sequence[str]) -> None:
    for agent in agents:
        if agent not in AGENTS:
            raise ValueError(f"{name} names {agent!r}, but agents are {AGENTS[0]} to {AGENTS[-1]}")
        if agents.count(agent) > 1:
            raise ValueError(f"{name} names {agent} {agents.count(agent)} times, but should once")


def _check_numbers(this: MatchRound) -> None:
    check_penalty_limit(this.match.penalty_limit)
    if this.match.round < 1:
        raise ValueError(f"round is {this.match.round}, but should be 1 or more: rounds count from 1")


def _check_out(this: MatchRound, end: str) -> None:
    """M2, M3."""
    table, limit = this.match.table, this.match.penalty_limit
    if this.puts_all_out and end not in ("stuck", "too long"):
        raise ValueError(
            f"table gives everybody more points than the limit of {limit}, but {end!r} should leave somebody in: "
            f"only a round that is stuck or too long puts all out (M3)"
        )
    highest = max(limit, min(table.values()))
    over = [agent for agent in this.seats if table[agent] > highest]
    if sorted(this.match.out) != over:
        raise ValueError(
            f"out names {_listed(this.match.out)}, but should name {_listed(over)}: "
            f"who has more than {highest} points{' (M3)' if highest > limit else ''}"
        )


def _check_before(this: MatchRound) -> None:
    """M1, M2, M5: the points before the round."""
    limit, joined, before = this.match.penalty_limit, this.match.joined, this.before
    for agent, points in before.items():
        if not 0 <= points <= limit:
            table, charged = this.match.table[agent], this.charged[agent]
            raise ValueError(
                f"table gives {agent} {table} points, but it should be {charged} to {limit + charged}: "
                f"{charged} for the hand left, and before the round nobody still in had more than {limit}"
            )
    worst = max(points for agent, points in before.items() if agent not in joined)
    for agent in joined:
        this.check_points(agent, worst, "a newcomer begins with the most of those still in")


def _check_first(this: MatchRound) -> None:
    """M8, M7: how a match begins."""
    for agent in this.seats:
        this.check_points(agent, 0, "the first one")
    if this.starter != 0:
        raise ValueError(f"starter is seat {this.starter}, but should be seat 0, who starts the first round")
    opened = sorted({*this.seats, *this.match.left} - {*this.match.joined})
    first = list(AGENTS[: len(opened)])
    if opened != first:
        raise ValueError(
            f"before any joins and leaves {_listed(opened)} sat at the table, "
            f"but {len(opened)} agents should be {_listed(first)}"
        )


# ---- one record after another --------------------------------------------------------------------------------------


class MatchBook:
    """Remembers matches by their ids, and so can tell whether a round follows from the one before.

    The first record of a match may be of any round; what came before it is then not known, and not checked. Round 1
    always begins a match, so the same one may be in a file twice.
    """

    def __init__(self) -> None:
        self._matches: dict[str, _Course] = {}

    def check(self, record: Record) -> None:
        """Check the next record, of any match or of a single round, against those before it, and remember it.

        Args:
            record: one that `check_match` accepts.

        Raises:
            RecordError: it does not follow from the last one of its match; the message says what it should be. The
                book stays as it was.
        """
        if record.match is msgspec.UNSET:
            return
        begins_again = record.match.id in self._matches and record.match.round == 1
        course = _Course() if begins_again else self._matches.get(record.match.id, _Course())
        try:
            course.follow(MatchRound(record))
        except ValueError as error:
            raise record.fault(error) from None
        self._matches[record.match.id] = course

    def final_ranking(self, match_id: str, left: Sequence[str] = ()) -> dict[str, int]:
        """M4: the final rank, from 1, of everybody who won a match or went out of it, by their names in order.

        Args:
            match_id: the match, all of whose records have been checked.
            left: who left after its last round, which no record tells; needed when that decided the match.

        Raises:
            ValueError: the match is unknown, its beginning is missing, or it is not over.
        """
        if match_id not in self._matches:
            raise ValueError(f"no match is called {match_id!r}: there are {_listed(map(repr, self._matches))}")
        return self._matches[match_id].final_ranking(left)


class _Course:
    """A match as far as its records go."""

    def __init__(self) -> None:
        self._last: MatchRound | None = None
        self._from_the_start = False
        self._gone: dict[str, str] = {}  # how everybody went who is not in any more, for messages
        self._out: dict[str, tuple[int, int]] = {}  # round by which an agent went out, counted down, and its points

    def follow(self, this: MatchRound) -> None:
        """Take the next round; ValueError if it cannot be the next one."""
        if self._last is None:
            self._from_the_start = this.match.round == 1
        else:
            self._check_identity(this, self._last)
            self._check_attendance(this, self._last)
            for agent, points in self._last.match.table.items():
                if agent in this.seats:
                    this.check_points(agent, points, f"as after round {self._last.match.round}")
            self._check_starter(this, self._last)
        self._last, match = this, this.match
        self._gone |= dict.fromkeys(match.left, f"left before round {match.round}")
        self._gone |= dict.fromkeys(match.out, f"went out by round {match.round}")
        self._out |= {agent: (-match.round, match.table[agent]) for agent in match.out}

    @staticmethod
    def _check_identity(this: MatchRound, last: MatchRound) -> None:
        """Whether this is the next round of the same match at all."""
        number, before = this.match.round, last.match.round
        conditions = last.rules | {"penalty_limit": last.match.penalty_limit}
        for name, value in (this.rules | {"penalty_limit": this.match.penalty_limit}).items():
            if value != conditions[name]:
                raise ValueError(f"{name} is {value!r}, but should be {conditions[name]!r} as in round {before}")
        if last.is_last or last.running:
            reason = "is recorded as running" if last.running else f"decided the match: {_listed(last.still_in)} won"
            raise ValueError(f"round is {number}, but nothing should follow round {before}, which {reason}")
        if number != before + 1:
            raise ValueError(f"round is {number}, but should be {before + 1}, the one after the last recorded")

    def _check_attendance(self, this: MatchRound, last: MatchRound) -> None:
        """M5, M6: who comes and goes, and who therefore plays."""
        match, still_in = this.match, last.still_in
        for agent in match.left:
            if agent not in still_in:
                reason = self._gone.get(agent, f"did not play round {last.match.round}")
                raise ValueError(f"left names {agent}, who {reason}: it should be some of {_listed(still_in)}")
        for agent in match.joined:
            if agent in self._gone or agent in still_in:
                reason = self._gone.get(agent, f"played round {last.match.round} and is still in")
                raise ValueError(f"joined names {agent}, who {reason}: it should be agents who have not sat down yet")
        seats = sorted({*still_in, *match.joined} - {*match.left})
        if this.seats != seats:
            raise ValueError(
                f"seats are {_listed(this.seats)}, but should be {_listed(seats)}: after round {last.match.round} "
                f"{_listed(still_in)} were in, {_listed(match.left)} left and {_listed(match.joined)} joined"
            )

    @staticmethod
    def _check_starter(this: MatchRound, last: MatchRound) -> None:
        """M7."""
        before = last.seats[last.starter]
        after = [agent for agent in this.seats if agent > before]
        starter = this.seats.index(after[0]) if after else 0
        if this.starter != starter:
            raise ValueError(
                f"starter is seat {this.starter} ({this.seats[this.starter]}), but should be seat {starter} "
                f"({this.seats[starter]}): the next after {before}, who started round {last.match.round}"
            )

    def final_ranking(self, left: Sequence[str]) -> dict[str, int]:
        """See `MatchBook.final_ranking`."""
        if self._last is None or not self._from_the_start:
            raise ValueError("a final ranking needs the records of a match from round 1 on")
        last, match = self._last, self._last.match
        if strangers := [agent for agent in left if last.is_last or agent not in last.still_in]:
            raise ValueError(f"{_listed(strangers)} cannot have left match {match.id!r} after round {match.round}")
        winners = [agent for agent in last.still_in if agent not in left]
        if last.running or not (last.is_last or len(winners) == 1):
            raise ValueError(f"match {match.id!r} is not over with round {match.round}, still in: {_listed(winners)}")
        results = self._out | dict.fromkeys(winners, (-match.round - 1, 0))
        return {agent: 1 + sum(other < results[agent] for other in results.values()) for agent in sorted(results)}


def _listed(agents: Iterable[str]) -> str:
    return ", ".join(agents) or "nobody"
