"""stable-baselines3's `VecEnv` straight over the batch core: thousands of games, one learner's seat in each.

model = MaskablePPO("MlpPolicy", MauMauVecEnv(256, opponents="heuristic", ace="skip"))
"""

import secrets
import time
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices

from maumau_env.envs.solo import Opponents, seat_opponents
from maumau_env.envs.table import OBSERVATION_HIGH, OBSERVATION_LOW, layout_for, reward_scheme
from maumau_env.game import batch, play
from maumau_env.game.actions import ACTION_NAMES, NUM_ACTIONS
from maumau_env.game.batch import IllegalActionError, illegal_action
from maumau_env.game.bits import ONE, scramble
from maumau_env.game.jit import jit, kernel
from maumau_env.game.match import check_penalty_limit, close_round, next_round, open_games, restart
from maumau_env.game.result import final_rank, pay
from maumau_env.game.rules import MAX_PLAYERS, Rules
from maumau_env.game.state import END_NAMES, GAME, RUNNING, raw
from maumau_env.seat.batch import Buffers, observe
from maumau_env.seat.encode import encode
from maumau_env.seat.view import VIEW, look

CHANCE_OF_OPPONENTS = np.uint64(0x0AAD_5EED)
"""Keeps the words of the opponents apart from the generators of the games."""


class MauMauVecEnv(VecEnv):
    """`num_envs` games at once; a step leads each from one decision of its learner to the next, as in `MauMauEnv`.

    The learner of game i sits at seat i modulo the number of players, and one seat further clockwise in each round, or
    match, after; one in which the learner is not asked before its first round is over is dealt anew. Game i is the same
    whatever the number of games beside it, as long as its learner acts the same.

    `action_masks()` gives the legal actions; sb3-contrib finds them. The info of a game whose round has ended holds
    `terminal_observation`, `episode` (r: reward, l: the learner's decisions, t: seconds since the start), `end`
    ("emptied", "stuck" or "too long"), and the learner's `rank` (1 is best) and `seat`; the others' infos are empty.

    Args:
        num_envs: games.
        opponents, rules, num_players, reward, observation_seats, options: as in `MauMauEnv`.
        seed: of the cards and of the opponents, by default by chance; `seed()` sets another for the next `reset`.
        penalty_limit: play whole matches up to so many points (M2), which end for the learner when it is out or wins;
            None for single rounds.

    Raises:
        ValueError: an argument that is unknown or impossible; the message says what is allowed.
    """

    def __init__(
        self,
        num_envs: int,
        opponents: Opponents = "heuristic",
        rules: str | Rules = "classic",
        num_players: int | None = None,
        reward: str = "placement",
        observation_seats: int | None = None,
        seed: int | None = None,
        penalty_limit: int | None = None,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: there is at least one game")
        if penalty_limit is not None:
            check_penalty_limit(penalty_limit)
        self.rules, self.penalty_limit = Rules.of(rules, **options), penalty_limit
        self.opponents = seat_opponents(opponents, self.rules, num_players, penalty_limit)
        self.num_players = len(self.opponents) + 1
        self.layout = layout_for(self.rules, self.num_players, observation_seats)
        self.actions = ACTION_NAMES
        self.render_mode = None
        self._scheme = reward_scheme(reward)
        self._bots = {id(bot): bot for bot in self.opponents}
        self._bot_at = np.array([id(bot) for bot in self.opponents])  # by place, clockwise from the learner
        self._games = np.zeros(0, GAME)  # until the first reset
        self._pending: np.ndarray | None = None
        self._started = time.monotonic()
        box = spaces.Box(OBSERVATION_LOW, OBSERVATION_HIGH, (self.layout.size,), np.float32)
        super().__init__(num_envs, box, spaces.Discrete(NUM_ACTIONS))
        if seed is not None:
            self.seed(seed)
        self._lengths, self._learners = np.zeros(num_envs, np.int64), np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)  # what each learner was paid in its game so far
        self._chance = np.empty(num_envs, np.uint64)
        # What an inner tick asks the opponents: for each waiting game its number, the bot's place, its view and word.
        self._where, self._places = np.empty(num_envs, np.int64), np.empty(num_envs, np.int64)
        self._views, self._words = np.zeros(num_envs, VIEW), np.empty(num_envs, np.uint64)

    def reset(self) -> np.ndarray:
        """Deal every game anew and play up to its learner's first decision.

        Without a new seed the rounds are the next ones of the last seed.
        """
        seed = self._seeds[0]
        if seed is None and not len(self._games):
            seed = secrets.randbits(64)
        if seed is not None:
            self._games = open_games(self.rules, self.num_players, self.penalty_limit, seed, self.num_envs)
            self._learners[:] = np.arange(self.num_envs) % self.num_players
            chance_kernel(raw(self._games), self._chance)
        else:
            restart_kernel(raw(self._games), self._learners)
        self._reset_seeds()
        self._reset_options()
        self._lengths[:], self._returns[:] = 0, 0
        rounds = _Rounds.new(self.num_envs, self.layout.size)
        rounds.over[:] = True  # a round that ends before its learner could move is dealt anew, and nobody is paid
        self._play_opponents(rounds)
        return self._observe()

    def step_async(self, actions: np.ndarray) -> None:
        """Note the learners' actions: whole numbers, shape (num_envs,)."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"{self.num_envs} games want as many whole numbers, not {actions.dtype} of shape {actions.shape}"
            )
        self._pending = actions.astype(np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """(observations, rewards, dones, infos) at the learners' next decisions; rounds that ended are dealt anew.

        Raises:
            IllegalActionError: names the first game, its seat, the action and the legal ones; nothing was changed.
            RuntimeError: there are no games, or no actions for them.
        """
        if not len(self._games) or self._pending is None:
            raise RuntimeError("call reset() first, and step_async() before step_wait()")
        actions, self._pending = self._pending, None
        batch.step(self._games, actions)
        self._lengths += 1
        rounds = _Rounds.new(self.num_envs, self.layout.size)
        self._play_opponents(rounds)
        self._returns += rounds.rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(rounds.over):
            infos[i] = self._end_info(rounds, i)
        self._lengths[rounds.over] = self._returns[rounds.over] = 0
        return self._observe(), rounds.rewards, rounds.over, infos

    def _play_opponents(self, rounds: "_Rounds") -> None:
        """Play until every learner is to move; what becomes of rounds that end is written into `rounds`."""
        while waiting := survey_kernel(
            raw(self._games), self._learners, self._chance, self.num_players, self.layout.seats, self._scheme,
            rounds.over, rounds.rewards, rounds.results, rounds.observations, self._where, self._places,
            raw(self._views), self._words,
        ):  # fmt: skip
            where = self._where[:waiting]
            actions = self._ask(self._bot_at[self._places[:waiting]], self._views[:waiting], self._words[:waiting])
            if (wrong := play_kernel(raw(self._games), where, actions)) >= 0:
                bot = type(self.opponents[self._places[wrong]]).__name__
                what = illegal_action(self._games[where[wrong]], actions[wrong], f"game {where[wrong]}, ")
                raise IllegalActionError(f"the opponent {bot}: {what}")

    def _ask(self, whose: np.ndarray, views: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The actions of the bots `whose` decisions these are."""
        actions = np.empty(len(views), np.int64)
        for key, bot in self._bots.items():
            mine = np.flatnonzero(whose == key)
            if len(mine):
                actions[mine] = bot.act(views[mine], words[mine])
        return actions

    def _observe(self) -> np.ndarray:
        out = Buffers.new(self.layout, self.num_envs)
        observe(self._games, self.layout.seats, out)
        self._masks = out.masks
        return out.observations

    def _end_info(self, rounds: "_Rounds", i: int) -> dict[str, Any]:
        end, rank, seat = rounds.results[i].tolist()
        seconds = round(time.monotonic() - self._started, 6)
        return {
            "terminal_observation": rounds.observations[i].copy(),
            "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": seconds},
            "end": END_NAMES[end],
            "rank": rank,
            "seat": seat,
        }

    def action_masks(self) -> np.ndarray:
        """The learners' legal actions: bool, shape (num_envs, NUM_ACTIONS)."""
        if not len(self._games):
            raise RuntimeError("call reset() first: there are no games yet")
        return self._masks.astype(bool)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of each game; single games have no other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"games of a batch have no method {method_name}, only action_masks")
        masks = self.action_masks(*method_args, **method_kwargs)
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute of the batch, once for each game asked for."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: the games of a batch share what they are."""
        raise AttributeError(f"{attr_name} cannot be set for single games of a batch: make the environment with it")

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing has to be released."""


@dataclass(frozen=True)
class _Rounds:
    """What became of the rounds that were played in one step, for the learner of each game."""

    over: np.ndarray  # bool, (n,): it ended, and the next one has been dealt
    rewards: np.ndarray  # float32, (n,)
    results: np.ndarray  # int64, (n, 3): how it ended, the learner's rank and seat
    observations: np.ndarray  # float32, (n, size): the last of a round that is over

    @classmethod
    def new(cls, games: int, size: int) -> Self:
        return cls(
            np.zeros(games, bool),
            np.zeros(games, np.float32),
            np.zeros((games, 3), np.int64),
            np.empty((games, size), np.float32),
        )


@kernel
def chance_kernel(raw_games: Any, chance: Any) -> None:
    """The beginning of the words that the opponents in each game get."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        chance[i] = scramble(games[i]["seed"] ^ scramble(np.uint64(games[i]["lane"]) ^ CHANCE_OF_OPPONENTS))


@kernel
def restart_kernel(raw_games: Any, learners: Any) -> None:
    """The next round, or match, of every game, with the learner one seat on."""
    games = raw_games.view(GAME)
    for i in range(len(games)):
        restart(games[i])
        learners[i] = (learners[i] + 1) % games[i]["num_players"]


@jit
def seat_of(g: Any, agent: Any) -> Any:
    """The seat of an agent who plays in this round."""
    seat = 0
    while g["agents"][seat] != agent:
        seat += 1
    return seat


@kernel
def survey_kernel(
    raw_games: Any, learners: Any, chance: Any, players: Any, room: Any, scheme: Any, over: Any, rewards: Any,
    results: Any, observations: Any, where: Any, places: Any, raw_views: Any, words: Any,
) -> int:  # fmt: skip
    """Settle the rounds that have ended and deal the next ones; then see which games wait for an opponent.

    A match ends for its learner when it is out; the others do not play it to the end.

    Writes for each of those its number, the opponent's place (0 is next to the learner, clockwise), what it may know
    and its word; returns how many there are.
    """
    games, views = raw_games.view(GAME), raw_views.view(VIEW)
    payoffs, waiting = np.zeros(MAX_PLAYERS), 0
    for i in range(len(games)):
        g = games[i]
        if g["end"] != RUNNING:
            payoffs[:] = 0
            finished = close_round(g)
            pay(g, finished, scheme, payoffs)
            if not over[i]:
                rewards[i] += payoffs[learners[i]]
            if over[i] or finished >> learners[i] & 1:
                if not over[i]:
                    over[i] = True
                    results[i, 0], results[i, 1], results[i, 2] = g["end"], final_rank(g, learners[i])[0], learners[i]
                    look(g, seat_of(g, learners[i]), views[waiting])
                    encode(views[waiting], room, observations[i])
                restart(g)
                learners[i] = (learners[i] + 1) % g["num_players"]
            else:
                next_round(g)
        agent = g["agents"][g["seat"]]
        if agent != learners[i]:
            where[waiting] = i
            places[waiting] = (agent - learners[i]) % players - 1
            look(g, g["seat"], views[waiting])
            chance[i] += ONE
            words[waiting] = scramble(chance[i])
            waiting += 1
    return waiting


@kernel
def play_kernel(raw_games: Any, where: Any, actions: Any) -> int:
    """One decision in each of the games `where`; or, if an action is illegal, in none, and its place (else -1)."""
    games = raw_games.view(GAME)
    for k in range(len(where)):
        if not play.is_legal(games[where[k]], actions[k]):
            return k
    for k in range(len(where)):
        play.step(games[where[k]], actions[k])
    return -1
