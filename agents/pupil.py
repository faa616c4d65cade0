"""A network that learns from lessons (`lessons.py`): what every action is worth, or what another bot makes of it.

*Worths*: the logits, less their mean over the legal actions, are to be the worths, less theirs. Noise in a worth, of
which there is much, does not lead that astray, since the mean square error is least at the mean; a policy that is
trained to prefer whatever came out best would take chance for knowledge, and one that is trained by its own chances
learns nothing more of what it hardly plays.

*Imitation*: the probabilities are to be those of another bot, whose logits stand in place of the worths (distillation;
Hinton, Vinyals and Dean, 2015). There is no noise in them, so a much smaller network can play as well.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch

from agents.lessons import Lessons
from agents.network import Layer

SHARPNESS = 20.0
"""Logits are so many times the worths, so that an action which wins 5 % less often is drawn about ten times less often
where a bot is asked to draw (`sample`)."""

BATCH = 4096
"""Lessons that are learned at once."""

SAMPLE = 100_000
"""Lessons by which the logits of a policy are scaled."""

SLOWING = 0.8
"""In this last part of the training the step size falls to nothing."""

NEVER = -1e4
"""In place of the logit of an illegal action."""

Portion = Callable[[], Lessons]
"""Opens a portion of lessons: all of them together may be more than fits into memory."""
Error = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
"""Of logits, given masks and worths, all of shape (batch, NUM_ACTIONS): a scalar."""


class Lecture(NamedTuple):
    """How a network is taught."""

    hidden: Sequence[int]
    epochs: int
    learning_rate: float
    batch: int = BATCH
    seed: int = 0


def teach(
    portions: Sequence[Portion],
    lecture: Lecture,
    error: Error,
    told: Callable[[int, int, float], object],
    start: Sequence[Layer] | None = None,
) -> list[Layer]:
    """The layers of a network that has learned all portions of lessons.

    Args:
        portions: what is to be learned; equally many lessons in each.
        lecture: how.
        error: what is made small, `error_in_worths` or `error_in_imitation`.
        told: called after each batch with its number, their number in all and the error.
        start: layers to begin with, of the lecture's widths; without them the network foretells 0 for everything.

    Raises:
        ValueError: there are fewer lessons in a portion than a batch has.
    """
    torch.set_flush_denormal(True)
    chance = torch.Generator().manual_seed(lecture.seed)
    (lessons, inputs), (_, outputs) = (column.shape for column in portions[0]()[:2])
    batches = lessons // lecture.batch
    if batches == 0:
        raise ValueError(f"portions of {lessons:,} lessons: a batch alone has {lecture.batch:,}")
    network = network_of(start or blank_layers([inputs, *lecture.hidden, outputs], chance))
    optimizer = torch.optim.Adam(network.parameters(), lecture.learning_rate, fused=True)
    steps, done = lecture.epochs * len(portions) * batches, 0
    for _ in range(lecture.epochs):
        for number in torch.randperm(len(portions), generator=chance).tolist():
            observations, masks, worths = (torch.from_numpy(column) for column in portions[number]())
            for rows in torch.randperm(len(masks), generator=chance)[: batches * lecture.batch].split(lecture.batch):
                optimizer.param_groups[0]["lr"] = lecture.learning_rate * min(1.0, (1 - done / steps) / SLOWING)
                wrong = error(network(observations[rows].float()), masks[rows], worths[rows].float())
                optimizer.zero_grad()
                wrong.backward()
                optimizer.step()
                done += 1
                told(done, steps, wrong.item())
    return layers_of(network)


def error_in_worths(logits: torch.Tensor, masks: torch.Tensor, worths: torch.Tensor) -> torch.Tensor:
    """The mean square of what the outputs, meant as worths, are wrong about a legal action; see `sharpened`."""
    return (centred(logits, masks) - centred(worths, masks)).pow(2).sum() / masks.sum()


def error_in_imitation(logits: torch.Tensor, masks: torch.Tensor, worths: torch.Tensor) -> torch.Tensor:
    """The cross entropy of the policy and that of the bot whose logits the worths are, in nats."""
    theirs, ours = torch.where(masks, worths, NEVER), torch.where(masks, logits, NEVER)
    return -(theirs.softmax(1) * ours.log_softmax(1)).sum(1).mean()


def centred(values: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Values of actions, less their mean over the legal ones; 0 for the others."""
    legal = torch.where(masks, values, 0.0)
    return torch.where(masks, values - legal.sum(1, keepdim=True) / masks.sum(1, keepdim=True), 0.0)


def blank_layers(sizes: Sequence[int], chance: torch.Generator) -> list[Layer]:
    """Random layers, but for the last, which is zero."""
    layers = []
    for inputs, outputs in pairwise(sizes):
        weights = torch.empty(outputs, inputs)
        torch.nn.init.kaiming_uniform_(weights, nonlinearity="relu", generator=chance)
        layers.append((weights.numpy().T, np.zeros(outputs, np.float32)))
    return [*layers[:-1], (np.zeros_like(layers[-1][0]), layers[-1][1])]


def network_of(layers: Sequence[Layer]) -> torch.nn.Sequential:
    """The layers as torch has them, with ReLU between them."""
    parts: list[torch.nn.Module] = []
    for weights, biases in layers:
        part = torch.nn.Linear(*weights.shape)
        part.weight.data, part.bias.data = torch.tensor(weights.T), torch.tensor(biases)
        parts += [part, torch.nn.ReLU()]
    return torch.nn.Sequential(*parts[:-1])


def as_worths(layers: Sequence[Layer], lessons: Lessons) -> list[Layer]:
    """The layers of a policy whose logits foretell worths: scaled by least squares, so that a pupil can begin there.

    Raises:
        ValueError: the policy prefers nothing to anything.
    """
    observations, masks, worths = (torch.from_numpy(column[:SAMPLE]) for column in lessons)
    with torch.no_grad():
        logits = centred(network_of(layers)(observations.float()), masks)
    if not logits.any():
        raise ValueError("the bot has the same logit for all actions: there is nothing to begin with")
    return scaled(layers, ((logits * worths.float()).sum() / logits.pow(2).sum()).item())


def sharpened(layers: Sequence[Layer]) -> list[Layer]:
    """The layers of a policy that prefers what these layers hold to be worth more."""
    return scaled(layers, SHARPNESS)


def scaled(layers: Sequence[Layer], factor: float) -> list[Layer]:
    """The layers of a network whose outputs are so many times as great."""
    weights, biases = layers[-1]
    return [*layers[:-1], (weights * np.float32(factor), biases * np.float32(factor))]


def layers_of(network: torch.nn.Sequential) -> list[Layer]:
    """The layers as a bot file has them."""
    return [
        (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
        for part in network
        if isinstance(part, torch.nn.Linear)
    ]
