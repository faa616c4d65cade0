"""PettingZoo's AEC environment: one round of Mau-Mau, every seat an agent. `maumau_v0.py` tells how to use it."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from maumau_env.envs.scene import drawn
from maumau_env.envs.state import StateLayout
from maumau_env.envs.table import OBSERVATION_HIGH, OBSERVATION_LOW, Table, check_render_mode, reward_scheme
from maumau_env.game.actions import ACTION_NAMES, NUM_ACTIONS
from maumau_env.game.record import Record
from maumau_env.game.rules import Rules
from maumau_env.game.state import END_NAMES, RUNNING
from maumau_env.render import Window

AFTER_RESET = frozenset(
    ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "game")
) | {"_cumulative_rewards", "_round"}
NOTHING_LEGAL = np.zeros(NUM_ACTIONS, np.int8)
NOTHING_LEGAL.flags.writeable = False


class MauMauAEC(AECEnv):
    """One round; agents `player_0`, `player_1`, ... sit clockwise.

    An observation is `{"observation": float32 (layout.size,), "action_mask": int8 (NUM_ACTIONS,)}`. The mask is 1
    exactly for the legal actions: it is all 0 for an agent that is not to move, or whose round is over and whose only
    step is None. Each agent's info holds

    - `action_mask`: the same mask;
    - `announcements`: by seat "Mau!", "Mau-Mau!" or "", what each is saying (C15);
    - after the end also `end`, "emptied", "stuck" or "too long", and `ranking`, by seat, 1 is best (C16).

    All agents terminate together, each with its reward; a round that lasts too long (C18) is terminated too, not
    truncated, since the limit is a rule of the game.

    Args:
        rules: name of a preset, or Rules.
        num_players: 2 to 5.
        render_mode: "human" (a window), "ansi" (text), "rgb_array" (a picture) or None. All hands lie face up.
        reward: "placement", "win" or "points", see `game/result.py`; zero-sum, paid when the round is over.
        observation_seats: seats that an observation has room for, by default num_players.
        options: single options of the rules by name, such as ace="skip".

    Raises:
        ValueError: an argument that is unknown or impossible; the message says what is allowed.
    """

    metadata = {  # noqa: RUF012 (PettingZoo reads it from the class)
        "name": "maumau_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    after_reset = AFTER_RESET  # what there is only then

    def __init__(
        self,
        rules: str | Rules = "classic",
        num_players: int = 4,
        render_mode: str | None = None,
        reward: str = "placement",
        observation_seats: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.rules = Rules.of(rules, **options)
        self.actions = ACTION_NAMES
        self._scheme = reward_scheme(reward)
        self._table = self._new_table(num_players, observation_seats)
        self.layout, self.state_layout = self._table.layout, StateLayout(self._table.layout)
        self.possible_agents = self._all_agents()
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self.state_space = _box(self.state_layout.size)
        self._window = Window()
        self._shown: tuple[int, int] | None = None

    def _new_table(self, num_players: int, observation_seats: int | None) -> Table:
        return Table(self.rules, num_players, observation_seats)

    def _all_agents(self) -> list[str]:
        return list(self._table.names)

    def _new_observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        return spaces.Dict({"observation": _box(self.layout.size), "action_mask": mask})

    def __getattr__(self, name: str) -> Any:
        if name in self.after_reset:
            raise AttributeError(f"call reset() first: without a game there is no {name.strip('_')}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space:
        """The same object at each call, equal for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The same object at each call, equal for all agents; `sample(mask)` takes the mask as it is."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a round: with a seed always the same, without one the next of the last seed. `options` has no keys."""
        self._deal(seed, options)
        self._round = self._table
        self.agents = list(self._round.names)
        self.agent_selection = self.agents[self._round.seat]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._paid = False
        self._inform()
        self._show()

    def _deal(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self._table.deal(seed)

    def step(self, action: int | None) -> None:
        """One action of `agent_selection`; None once it is terminated.

        Raises:
            IllegalActionError: names the seat, the action and the legal ones; nothing was changed.
        """
        agent = self.agent_selection
        if self.terminations.get(agent, True) or self.truncations[agent]:
            self._step_finished(action)
            return
        table = self._round
        said = table.saying_mau
        table.play(action)
        if self._paid:  # else all rewards are 0, and there is nothing to clear or to add
            self._take_pay(agent)
        if table.end != RUNNING:
            self._finish()
        else:
            mover = self.agent_selection = table.names[table.seat]
            if said != table.saying_mau:
                self._inform()
            else:
                infos, told = self.infos, self._told
                infos[agent] = {"action_mask": NOTHING_LEGAL, **told}
                infos[mover] = {"action_mask": table.mask, **told}
        if self.render_mode == "human":
            self._show()

    def _step_finished(self, action: int | None) -> None:
        if not self.agents:
            raise RuntimeError("the game is over and all agents have left: call reset() for another")
        self._was_dead_step(action)

    def _take_pay(self, agent: str) -> None:
        """The agent has seen what it was paid, and moves on."""
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._paid = any(self._cumulative_rewards.values())

    def _finish(self) -> None:
        payoffs, ranking = self._round.results(self._scheme)
        self.rewards = dict(zip(self.agents, payoffs, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._inform()
        for info in self.infos.values():
            info["end"] = END_NAMES[self._round.end]
            info["ranking"] = ranking
        self._deads_step_first()

    def _inform(self) -> None:
        """New infos of all agents."""
        self._told = self._tell()
        self.infos = {agent: {"action_mask": NOTHING_LEGAL, **self._told} for agent in self.agents}
        if self._round.end == RUNNING:
            self.infos[self.agent_selection]["action_mask"] = self._round.mask

    def _tell(self) -> dict[str, Any]:
        """What everybody is told, beside the action mask."""
        return {"announcements": self._round.calls()}

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """What `agent_selection` sees, its reward since its last step, whether it is over, and its info."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now, and its legal actions: none unless it is to move."""
        table = self._round
        if agent == table.names[table.seat]:
            return {"observation": table.observation, "action_mask": table.mask}
        observation, mask = table.look(self._seat_of(agent))
        return {"observation": observation, "action_mask": mask}

    def _seat_of(self, agent: str) -> int:
        if agent not in self._round.names:
            raise ValueError(f"no agent called {agent!r} is playing: there are {', '.join(self._round.names)}")
        return self._round.names.index(agent)

    def state(self) -> np.ndarray:
        """The whole truth for centralised critics: float32, laid out as `state_layout` says."""
        return self._round.state()

    @property
    def game(self) -> np.ndarray:
        """The whole truth: a copy of the GAME (`game/state.py`), shape (1,)."""
        return self._round.game()

    def view(self, agent: str | None = None) -> np.ndarray:
        """What an agent, by default the one to move, may know: a VIEW (`seat/view.py`), shape (1,).

        This is what bots choose by: `env.step(bot.choose(env.unwrapped.view()))`.
        """
        return self._round.view(None if agent is None else self._seat_of(agent))

    def record(self) -> Record:
        """The record of the round so far; before the end, its `end` is "running" and its ranking that of the moment."""
        return self._round.record()

    def render(self) -> np.ndarray | str | None:
        """The table as a picture or as text by `render_mode`; with "human" it is shown, and nothing returned."""
        self._show()
        return drawn(self._round.scene(), self.render_mode, self.metadata["render_modes"])

    def _show(self) -> None:
        """With render_mode "human", show each moment once."""
        if self.render_mode == "human" and self._shown != (moment := self._round.moment()):
            self._window.show(self._round.scene(), self.metadata["render_fps"])
            self._shown = moment

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()


def _box(size: int) -> spaces.Box:
    return spaces.Box(OBSERVATION_LOW, OBSERVATION_HIGH, (size,), np.float32)
