"""A slow referee of a whole match of Mau-Mau, to be checked by reading it beside the rules.

It knows nothing of the package under test: the rounds are those of `referee.Referee`, agents are the numbers
0 to 4, and every step names the rule (M1-M9) it comes from.
"""

import random
from typing import Any

from referee import Referee, points_of

MOST_PLAYERS = 5


class MatchReferee:
    """A match: `play(action)` until `round.end` is not None, then `next_round()`, until `over`.

    - `number`, `seats`, `starter`, `round`: the round being played, or the last one; `seats` holds its agents by
      round seat, `starter` is a round seat.
    - `points`: agent -> points of everyone still in, or going out by the round just ended.
    - `table`: agent -> points after the last round that has ended, of everyone who played it ({} before).
    - `out`: who went out by the round just ended ([] while one is played).
    - `joined`, `left`: who joined and who left before that round.
    - `ranking`: None, or agent -> final rank once the match is over; `payoffs`: agent -> placement reward.
    """

    def __init__(self, rules: dict, players: int, penalty_limit: int, rng: random.Random | None = None):
        if not 2 <= players <= MOST_PLAYERS:
            raise ValueError(f"players is {players}: 2 to {MOST_PLAYERS}")
        if not 1 <= penalty_limit <= 10_000:
            raise ValueError(f"penalty_limit is {penalty_limit}: 1 to 10,000")
        self.rules = dict(rules)  # M9: any
        self.penalty_limit = penalty_limit
        self._rng = rng
        self.number = 1
        self.seats = list(range(players))
        self.starter = 0
        self.points = dict.fromkeys(self.seats, 0)
        self.table = {}
        self.out, self.joined, self.left = [], [], []
        self.over, self.payoffs = False, {}
        self.ranking: Any = None
        self._still_in = list(self.seats)
        self._have_sat = list(self.seats)  # everyone who ever sat down, leavers included
        self._have_left = []
        self._gone_out = {}  # agent -> the round by which they went out
        self._final_points = {}  # agent -> points with which they went out or won
        self._asked_to_join, self._asked_to_leave = [], []
        self._deal()

    # A round

    def _deal(self) -> None:
        self.round: Any = None  # a Referee, once the cards are dealt or laid
        self._begun = False
        if self._rng is not None:
            self.round = Referee.deal(self.rules, len(self.seats), self._rng, self.starter)  # M7: all fresh
            self._end_round_if_over()

    def lay(
        self, hands: list[list[str]], discard: list[str], pile: list[str], reshuffles: list[list[str]] | None = None
    ) -> None:
        """Put these cards in place of the dealt ones; a position stuck at once (C17) ends the round here."""
        if self._begun or self._round_has_ended():
            raise ValueError(f"round {self.number} has begun: cards are laid before its first move")
        if len(hands) != len(self.seats):
            raise ValueError(f"{len(hands)} hands for {len(self.seats)} seats")
        self.round = Referee(self.rules, hands, discard, pile, self.starter, reshuffles, self._rng)
        self._end_round_if_over()

    def play(self, action: str) -> None:
        """Carry out one action of the round; an illegal one raises ValueError and changes nothing."""
        if self.round is None:
            raise ValueError(f"round {self.number} has no cards yet: lay them first")
        self.round.play(action)
        self._begun = True
        self._end_round_if_over()

    def _round_has_ended(self) -> bool:
        return self.round is not None and self.round.end is not None

    def _end_round_if_over(self) -> None:
        if not self._round_has_ended():
            return
        for agent, hand in zip(self.seats, self.round.hands, strict=True):
            self.points[agent] += points_of(hand)  # M1: an emptied hand costs nothing
        self.table = dict(self.points)
        self.out = [agent for agent in self.seats if self.points[agent] > self.penalty_limit]  # M2
        nobody_is_left = len(self.out) == len(self.seats)
        if nobody_is_left:  # M3
            fewest = min(self.points.values())
            self.out = [agent for agent in self.seats if self.points[agent] > fewest]
        self._still_in = [agent for agent in self.seats if agent not in self.out]
        self._asked_to_leave = [agent for agent in self._asked_to_leave if agent in self._still_in]  # out, not left
        for agent in self.out:
            self._gone_out[agent] = self.number
        self._settle(self.out, players_ahead=len(self._still_in))
        if nobody_is_left or len(self._still_in) == 1:  # M3, M2
            self._end_match()

    # The end

    def _settle(self, agents: list[int], players_ahead: int) -> None:
        """Freeze the points of those who go out, or win, together; pay their places, from 1 for the first to -1."""
        for agent in agents:
            points = self.points[agent]
            fewer = sum(self.points[other] < points for other in agents)
            others_equal = sum(self.points[other] == points for other in agents) - 1
            place = players_ahead + fewer + others_equal / 2
            self._final_points[agent] = points
            self.payoffs[agent] = 1 - 2 * place / (len(self._have_sat) - 1)

    def _end_match(self) -> None:
        """M4: the winners, then by the round in which one went out, later first, then by fewer points."""
        self.over = True
        self._settle(self._still_in, players_ahead=0)
        results = {}
        for agent, points in self._final_points.items():
            results[agent] = (0, 0, 0) if agent in self._still_in else (1, -self._gone_out[agent], points)
        self.ranking = {agent: 1 + sum(other < mine for other in results.values()) for agent, mine in results.items()}

    # Who joins and who leaves

    def join(self, agent: int) -> None:
        """Ask for a seat from the next round on (M5)."""
        self._check_known(agent)
        if agent in self._have_sat:
            raise ValueError(f"player_{agent} cannot join: {self._standing(agent)}")
        if agent in self._asked_to_join:
            raise ValueError(f"player_{agent} cannot join: has asked to already")
        self._asked_to_join.append(agent)

    def leave(self, agent: int) -> None:
        """Ask to leave before the next round (M6), or take back what one asked with `join`."""
        self._check_known(agent)
        if agent in self._asked_to_join:
            self._asked_to_join.remove(agent)
            return
        if agent not in self._still_in:
            raise ValueError(f"player_{agent} cannot leave: {self._standing(agent)}")
        if agent in self._asked_to_leave:
            raise ValueError(f"player_{agent} cannot leave: has asked to already")
        if len(self._asked_to_leave) == len(self._still_in) - 1:
            raise ValueError(f"player_{agent} cannot leave: all others do, and one must stay to win")
        self._asked_to_leave.append(agent)

    def _check_known(self, agent: int) -> None:
        if agent not in range(MOST_PLAYERS):
            raise ValueError(f"player_{agent} is unknown: player_0 to player_{MOST_PLAYERS - 1}")
        if self.over:
            raise ValueError(f"player_{agent} can neither join nor leave: the match is over")

    def _standing(self, agent: int) -> str:
        if agent in self._still_in:
            return "is seated"
        if agent in self._gone_out:
            return "is out"
        return "has left" if agent in self._have_left else "is not seated"

    # Between two rounds

    def next_round(self) -> None:
        """Carry out the leaves, then the joins, and deal; or end the match, if only one player is left."""
        if self.over:
            raise ValueError("the match is over")
        if not self._round_has_ended():
            raise ValueError(f"round {self.number} is still being played")
        last_starter = self.seats[self.starter]
        leavers = self._carry_out_leaves()
        if len(self._still_in) == 1:  # M6; joins lapse
            self._end_match()
            return
        self.points = {agent: self.points[agent] for agent in self._still_in}
        self.left, self.joined = leavers, self._carry_out_joins()
        self.number += 1
        self.seats = list(self._still_in)
        starter = min(self.seats, key=lambda agent: (agent - last_starter - 1) % MOST_PLAYERS)  # M7: next still in
        self.starter = self.seats.index(starter)
        self.out = []
        self._deal()

    def _carry_out_leaves(self) -> list[int]:
        """M6, in the order in which they were asked for: whoever is left alone has won and stays."""
        leavers = sorted(self._asked_to_leave[: len(self._still_in) - 1])
        self._asked_to_leave = []
        for agent in leavers:
            self._still_in.remove(agent)
            self._have_left.append(agent)
            del self.points[agent]
            self.payoffs[agent] = 0.0
        return leavers

    def _carry_out_joins(self) -> list[int]:
        """M5: with the points of the worst still in, the other newcomers not counted."""
        newcomers = sorted(self._asked_to_join)
        self._asked_to_join = []
        self.points |= dict.fromkeys(newcomers, max(self.points.values()))
        self._still_in = sorted(self._still_in + newcomers)
        self._have_sat += newcomers
        return newcomers
