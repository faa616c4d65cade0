"""A network that learns what every action is worth from lessons (`lessons.py`), and plays the best one.

Regression: the logits, less their mean over the legal actions, are to be the worths, less theirs. Noise in a worth,
of which there is much, does not lead it astray, since the mean square error is least at the mean; a policy that is
trained to prefer whatever came out best would take chance for knowledge, and one that is trained by its own chances
learns nothing more of what it hardly plays.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch

from agents.lessons import Lessons
from agents.network import Layer

SHARPNESS = 8.0
"""The logits that are saved are so many times the worths, these in units of their standard deviation: so an action that
is worse by half a deviation is drawn fifty times less often where a bot is asked to draw (`sample`)."""

SAMPLE = 25
"""The deviation is that in the lessons of so many batches."""

SLOWING = 0.8
"""In this last part of the training the step size falls to nothing."""


class Lecture(NamedTuple):
    """How a network is taught."""

    hidden: Sequence[int]
    epochs: int
    learning_rate: float
    batch: int = 4096
    seed: int = 0


def teach(lessons: Lessons, lecture: Lecture, told: Callable[[int, int, float], object]) -> list[Layer]:
    """The layers of a network that has learned the lessons.

    Args:
        lessons: what is to be learned.
        lecture: how.
        told: called after each batch with its number, their number in all and the error, 1 for knowing nothing.

    Raises:
        ValueError: there are fewer lessons than one batch has.
    """
    if len(lessons.masks) < lecture.batch:
        raise ValueError(f"{len(lessons.masks):,} lessons: there have to be as many as a batch has, {lecture.batch:,}")
    torch.set_flush_denormal(True)
    chance = torch.Generator().manual_seed(lecture.seed)
    network = _new_network([lessons.observations.shape[1], *lecture.hidden, lessons.masks.shape[1]], chance)
    optimizer = torch.optim.Adam(network.parameters(), lecture.learning_rate, fused=True)
    observations, masks, worths = (torch.from_numpy(column) for column in lessons)
    unit = _deviation(*(torch.from_numpy(column[: SAMPLE * lecture.batch]) for column in lessons[1:]))
    batches = len(masks) // lecture.batch
    steps = lecture.epochs * batches
    for done in range(steps):
        if done % batches == 0:
            order = torch.randperm(len(masks), generator=chance)
        rows = order[done % batches * lecture.batch :][: lecture.batch]
        optimizer.param_groups[0]["lr"] = lecture.learning_rate * min(1.0, (1 - done / steps) / SLOWING)
        mask = masks[rows]
        target = centred(worths[rows].float(), mask) / unit
        error = (centred(network(observations[rows].float()), mask) - target).pow(2).sum() / mask.sum()
        optimizer.zero_grad()
        error.backward()
        optimizer.step()
        told(done + 1, steps, error.item())
    return _layers(network)


def centred(values: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Values of actions, less their mean over the legal ones; 0 for the others."""
    legal = torch.where(masks, values, 0.0)
    return torch.where(masks, values - legal.sum(1, keepdim=True) / masks.sum(1, keepdim=True), 0.0)


def _deviation(masks: torch.Tensor, worths: torch.Tensor) -> torch.Tensor:
    """The standard deviation of the worths of legal actions in one position."""
    return ((centred(worths.float(), masks) ** 2).sum() / masks.sum()).sqrt()


def _new_network(sizes: Sequence[int], chance: torch.Generator) -> torch.nn.Sequential:
    """Dense layers with ReLU between them, which foretell 0 for everything as yet."""
    layers: list[torch.nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layer = torch.nn.Linear(inputs, outputs)
        torch.nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=chance)
        torch.nn.init.zeros_(layer.bias)
        layers += [layer, torch.nn.ReLU()]
    torch.nn.init.zeros_(layer.weight)
    return torch.nn.Sequential(*layers[:-1])


def _layers(network: torch.nn.Sequential) -> list[Layer]:
    """The layers as a bot file has them."""
    layers = [
        (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
        for part in network
        if isinstance(part, torch.nn.Linear)
    ]
    weights, biases = layers[-1]
    return [*layers[:-1], (weights * np.float32(SHARPNESS), biases * np.float32(SHARPNESS))]
