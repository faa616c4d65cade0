"""The package's own match with the face of the `MatchReferee`, so that one test of the rules can run on both."""

import numpy as np
from coretable import CoreTable

from maumau_env.game import attendance
from maumau_env.game.match import open_matches
from maumau_env.game.record import set_up
from maumau_env.game.record_check import ScriptedRound
from maumau_env.game.result import PLACEMENT
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import LEFT, OUT, RUNNING, SEATED
from maumau_env.seat.single import attend_at, close_round_at, final_ranks, game_on, new_table, next_round_at


class CoreMatch:
    """A match on the core whose every round is laid, not dealt."""

    def __init__(self, rules, players, penalty_limit):
        self._rules = Rules.from_dict(rules)
        self._game = open_matches(self._rules, players, penalty_limit, 0, 1)
        self.round = None
        self.joined, self.left, self.out, self.table, self.payoffs = [], [], [], {}, {}
        self._shown, self._moved = self.seats, False

    @property
    def _match(self):
        return self._game["match"][0]

    @property
    def number(self):
        return int(self._match["round"])

    @property
    def seats(self):
        return self._game["agents"][0, : self._game["num_players"][0]].tolist()

    @property
    def starter(self):
        return int(self._game["starter"][0])

    @property
    def over(self):
        return bool(self._match["over"])

    @property
    def points(self):
        agents = [agent for agent in self._shown if self._match["status"][agent] != LEFT]
        return {agent: int(self._match["points"][agent]) for agent in agents}

    @property
    def ranking(self):
        if not self.over:
            return None
        table, ranks = new_table(self._game), np.zeros(MAX_PLAYERS, np.int64)
        final_ranks(table, ranks)
        return {agent: int(ranks[agent]) for agent in self._with(SEATED, OUT)}

    def lay(self, hands, discard, pile, reshuffles=None):
        if self._moved:
            raise ValueError("the round has begun")
        laid = set_up(self._rules, hands, discard, pile, self.starter)
        laid["match"], laid["agents"] = self._game["match"], self._game["agents"]
        self.round = CoreTable.around(ScriptedRound(laid, reshuffles or []))
        self._game = laid
        self._end_if_over()

    def play(self, action):
        if self.round is None:
            raise ValueError("no cards are laid")
        self.round.play(action)
        self._moved = True
        # What was asked for meanwhile is in our game; all else has gone on in the round.
        for request in ("joining", "leaving"):
            self.round.game["match"][request] = self._match[request]
        self._game = self.round.raw_game
        self._end_if_over()

    def _end_if_over(self):
        if self._game["end"][0] == RUNNING:
            return
        seats = self.seats
        finished = self._between_rounds(close_round_at)
        self.table = {agent: int(self._match["points"][agent]) for agent in seats}
        self.out = [agent for agent in seats if self._match["status"][agent] == OUT]
        self.payoffs |= finished

    def _between_rounds(self, kernel):
        """Carry out a kernel that pays; the payoffs of those who have finished by it."""
        table, payoffs = new_table(self._game), np.zeros(MAX_PLAYERS)
        finished = kernel(table, PLACEMENT, payoffs)
        self._game = game_on(table)
        return {agent: payoffs[agent] for agent in range(MAX_PLAYERS) if finished >> agent & 1}

    def join(self, agent):
        attendance.join(self._game, agent)

    def leave(self, agent):
        attendance.leave(self._game, agent)

    def next_round(self):
        if self.over or self.round is None or self._game["end"][0] == RUNNING:
            raise ValueError("the round still runs, or the match is over")
        before = self._with(SEATED)
        self.payoffs |= self._between_rounds(attend_at)
        left = [agent for agent in before if self._match["status"][agent] == LEFT]
        self.payoffs |= dict.fromkeys(left, 0.0)
        if not self.over:
            table = new_table(self._game)
            next_round_at(table)
            self._game = game_on(table)
            self.left, self.joined = left, [agent for agent in self._with(SEATED) if agent not in before]
            self.round, self.out, self._shown, self._moved = None, [], self.seats, False

    def _with(self, *status):
        return [agent for agent in range(MAX_PLAYERS) if self._match["status"][agent] in status]
