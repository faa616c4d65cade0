"""A policy network of dense layers with ReLU between them, as the game's own compiled code: no torch, no BLAS.

Every sum is taken in one fixed order, term by term, and zeros are passed over, of which observations and hidden layers
are full. So a decision is the same bit for bit in any batch and on any machine, and takes four to seven microseconds; a
library's matrix product depends in its last bits on the size of the batch and the make of the processor.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from agents.suits import Suits, put_in_order, suits_of
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.jit import jit, kernel
from maumau_env.seat.encode import Layout, encode, mask_actions
from maumau_env.seat.view import VIEW

U = np.uint64
"""Positions in the numbers: of a signed one numba would ask each time whether it counts from the end."""

Layer = tuple[np.ndarray, np.ndarray]
"""Weights, float32, shape (inputs, outputs), and biases, float32, shape (outputs,)."""


class Desk(NamedTuple):
    """Arrays to work in."""

    seen: np.ndarray  # float32: an observation
    legal: np.ndarray  # int8: its mask of actions
    mask: np.ndarray  # the same in standard order of the suits
    here: np.ndarray  # float32: what goes into a layer, first the observation in standard order
    there: np.ndarray  # float32: what comes out of it


class Network:
    """The layers of a policy for one layout, laid out for the kernels: observation in, a logit for each action out."""

    def __init__(self, layers: Sequence[Layer], layout: Layout) -> None:
        self._room, self._suits = layout.seats, suits_of(layout)
        self._sizes = np.array([layout.size, *(len(biases) for _, biases in layers)], np.int64)
        self._numbers = np.concatenate([array.ravel() for layer in layers for array in layer], dtype=np.float32)

    def decide(self, raw_views: np.ndarray, words: np.ndarray, sample: bool) -> np.ndarray:
        """The action for every VIEW in `raw_views` (bytes): int64; the most probable, or drawn with its word."""
        actions = np.empty(len(words), np.int64)
        decide_kernel(raw_views, words, self._room, self._suits, self._sizes, self._numbers, sample, actions)
        return actions

    def layers(self) -> list[Layer]:
        """The layers as they were given, as copies."""
        found, at = [], 0
        for inputs, outputs in pairwise(self._sizes.tolist()):
            end = at + inputs * outputs
            found.append(
                (self._numbers[at:end].reshape(inputs, outputs).copy(), self._numbers[end : end + outputs].copy())
            )
            at = end + outputs
        return found

    def draw(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Actions, int64, drawn by the softmax of the legal logits, for observations and masks in standard order."""
        actions = np.empty(len(words), np.int64)
        draw_kernel(observations, masks, words, self._sizes, self._numbers, actions)
        return actions

    @property
    def parts(self) -> tuple[int, Suits, np.ndarray, np.ndarray]:
        """What `choose` takes: room for seats, suits of the layout, sizes of the layers, and all their numbers."""
        return self._room, self._suits, self._sizes, self._numbers

    def probabilities(self, raw_views: np.ndarray, count: int) -> np.ndarray:
        """Of every action for each of `count` VIEWs in `raw_views` (bytes): float64, (count, NUM_ACTIONS)."""
        out = np.zeros((count, NUM_ACTIONS), np.float64)
        probabilities_kernel(raw_views, self._room, self._suits, self._sizes, self._numbers, out)
        return out

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits, float32, (n, NUM_ACTIONS), for observations in standard order, float32, (n, layout.size)."""
        out = np.empty((len(observations), self._sizes[-1]), np.float32)
        logits_kernel(observations, self._sizes, self._numbers, out)
        return out


@kernel
def decide_kernel(
    raw_views: Any, words: Any, room: Any, suits: Any, sizes: Any, numbers: Any, sample: Any, actions: Any
) -> None:
    """Write the action for every VIEW."""
    views, desk = raw_views.view(VIEW), clear_desk(sizes)
    for i in range(len(views)):
        actions[i] = choose(views[i], words[i], room, suits, sizes, numbers, sample, desk)


@jit
def clear_desk(sizes: Any) -> Any:
    """The arrays in which `choose` works."""
    most = sizes.max()
    return Desk(
        np.zeros(sizes[0], np.float32),
        np.zeros(NUM_ACTIONS, np.int8),
        np.zeros(NUM_ACTIONS, np.int8),
        np.zeros(most, np.float32),
        np.zeros(most, np.float32),
    )


@jit
def weigh(v: Any, room: Any, suits: Any, sizes: Any, numbers: Any, desk: Any) -> Any:
    """The number of the order of suits in which the VIEW `v` is shown, and the logits; the mask is on the desk."""
    encode(v, room, desk.seen)
    mask_actions(v["legal"], desk.legal)
    order = put_in_order(desk.seen, desk.legal, suits, desk.here, desk.mask)
    return order, forward(desk.here, desk.there, sizes, numbers)


@jit
def choose(v: Any, word: Any, room: Any, suits: Any, sizes: Any, numbers: Any, sample: Any, desk: Any) -> Any:
    """The action for the VIEW `v`."""
    order, logits = weigh(v, room, suits, sizes, numbers, desk)
    choice = draw(logits, desk.mask, word)[0] if sample else most_probable(logits, desk.mask)
    return suits.actions[order, choice]


@kernel
def draw_kernel(observations: Any, masks: Any, words: Any, sizes: Any, numbers: Any, actions: Any) -> None:
    """Write an action for every observation."""
    here, there = np.zeros(sizes.max(), np.float32), np.zeros(sizes.max(), np.float32)
    for i in range(len(observations)):
        here[: sizes[0]] = observations[i]
        actions[i] = draw(forward(here, there, sizes, numbers), masks[i], words[i])[0]


@kernel
def probabilities_kernel(raw_views: Any, room: Any, suits: Any, sizes: Any, numbers: Any, out: Any) -> None:
    """Write the softmax of the legal logits for every VIEW; illegal actions stay as they are, zero."""
    views, desk = raw_views.view(VIEW), clear_desk(sizes)
    for i in range(len(views)):
        order, logits = weigh(views[i], room, suits, sizes, numbers, desk)
        highest = logits[most_probable(logits, desk.mask)]
        for action in range(NUM_ACTIONS):
            if desk.mask[action]:
                out[i, suits.actions[order, action]] = np.exp(np.float64(logits[action] - highest))
        out[i] /= out[i].sum()


@kernel
def logits_kernel(observations: Any, sizes: Any, numbers: Any, out: Any) -> None:
    """Write the logits for every observation."""
    here, there = np.zeros(sizes.max(), np.float32), np.zeros(sizes.max(), np.float32)
    for i in range(len(observations)):
        here[: sizes[0]] = observations[i]
        out[i] = forward(here, there, sizes, numbers)[: sizes[-1]]


@jit
def forward(here: Any, there: Any, sizes: Any, numbers: Any) -> Any:
    """The last layer's outputs for the inputs in `here`; `there` is a second array to work in."""
    values, rows = np.empty(len(here), np.float32), np.empty(len(here), np.uint64)
    at = U(0)
    for layer in range(len(sizes) - 1):
        inputs, outputs = U(sizes[layer]), U(sizes[layer + 1])
        end = at + inputs * outputs
        there[:outputs] = numbers[end : end + outputs]
        count = 0
        for i in range(inputs):  # without a branch: which inputs count is anybody's guess
            values[count], rows[count] = here[i], at + U(i) * outputs
            count += here[i] > 0 or (layer == 0 and here[i] != 0)
        add_rows(there, outputs, values[:count], rows, numbers)
        at = end + outputs
        here, there = there, here
    return here


@jit
def add_rows(out: Any, length: Any, values: Any, rows: Any, numbers: Any) -> None:
    """Add to `out` each value times the row of `numbers` that begins there, one after the other for every sum.

    Four rows at a time, since the sums go to memory and back each time.
    """
    whole = len(values) // 4 * 4
    for k in range(0, whole, 4):
        one, two = numbers[rows[k] : rows[k] + length], numbers[rows[k + 1] : rows[k + 1] + length]
        three, four = numbers[rows[k + 2] : rows[k + 2] + length], numbers[rows[k + 3] : rows[k + 3] + length]
        a, b, c, d = values[k], values[k + 1], values[k + 2], values[k + 3]
        for j in range(length):
            out[j] = (((out[j] + a * one[j]) + b * two[j]) + c * three[j]) + d * four[j]
    for k in range(whole, len(values)):
        row = numbers[rows[k] : rows[k] + length]
        for j in range(length):
            out[j] += values[k] * row[j]


@jit
def most_probable(logits: Any, mask: Any) -> Any:
    """The legal action with the greatest logit, the first of equal ones."""
    best = -1
    for action in range(NUM_ACTIONS):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


@jit
def draw(logits: Any, mask: Any, word: Any) -> Any:
    """A legal action by the softmax of the legal logits: (action, its log-probability, number of legal actions)."""
    highest, choices = -np.inf, 0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            highest, choices = max(highest, logits[action]), choices + 1
    total = 0.0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            total += np.exp(logits[action] - highest)
    left, chosen = total * (np.float64(word >> np.uint64(11)) * 2.0**-53), -1
    for action in range(NUM_ACTIONS):
        if mask[action] and (chosen < 0 or left >= 0):
            chosen = action
            left -= np.exp(logits[action] - highest)
    return chosen, logits[chosen] - highest - np.log(total), choices
