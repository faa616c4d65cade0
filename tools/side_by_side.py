"""Two trained bots become one: their networks stand side by side in one file, and their logits are added.

    python -m tools.side_by_side one.safetensors other.safetensors both.safetensors [--weights 1 1]

Bots that were taught in different ways are wrong in different places, and together they are better than either
(docs/training.md tells by how much). The networks have the same layout and as many layers; between the two halves of
each layer all weights are zero. The header keeps what both say of their training; strength has to be measured anew.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.botfile import BotFileError, Header, read, save
from agents.commandline import Parser, check_apart, check_writable
from agents.network import Layer


def main(arguments: Sequence[str]) -> None:
    """The command; a mistake is one line and exit code 2."""
    parser = Parser("side_by_side", __doc__ or "")
    for name in ("one", "other", "both"):
        parser.add_argument(name, type=Path, metavar="FILE")
    parser.add_argument("--weights", type=float, nargs=2, default=[1.0, 1.0], help="of their logits; by default 1 1")
    asked = parser.read(arguments)
    try:
        check_apart([asked.both], [asked.one, asked.other])
        check_writable(asked.both)
        one, other = read(asked.one), read(asked.other)
        save(asked.both, joined_header(one[0], other[0], asked.weights), joined_layers(one[1], other[1], asked.weights))
    except (ValueError, OSError) as error:
        parser.error(error)


def joined_header(one: Header, other: Header, weights: Sequence[float]) -> Header:
    """What the file says; BotFileError for bots of other tables or networks that do not fit together."""
    for name in ("rules", "varied", "players", "penalty_limit", "observation"):
        if getattr(one, name) != getattr(other, name):
            raise BotFileError(f"the two bots have different {name}, so they are for different tables")
    if len(one.hidden) != len(other.hidden):
        raise BotFileError(f"one network has {len(one.hidden)} hidden layers, the other {len(other.hidden)}")
    hidden = [mine + its for mine, its in zip(one.hidden, other.hidden, strict=True)]
    training = {"method": "two networks side by side", "weights": [*weights], "bots": [one.training, other.training]}
    return one.model_copy(update={"hidden": hidden, "training": training, "strength": []})


def joined_layers(one: Sequence[Layer], other: Sequence[Layer], weights: Sequence[float]) -> list[Layer]:
    """The layers of one network whose logits are the weighted sum of those of two."""
    layers = []
    for number, ((mine, my_biases), (its, its_biases)) in enumerate(zip(one, other, strict=True)):
        biases = np.concatenate([my_biases, its_biases])
        if number == len(one) - 1:
            first, second = np.float32(weights[0]), np.float32(weights[1])
            layers.append((np.concatenate([first * mine, second * its]), first * my_biases + second * its_biases))
        elif number == 0:
            layers.append((np.concatenate([mine, its], axis=1), biases))
        else:
            apart = np.zeros((len(mine) + len(its), len(biases)), np.float32)
            apart[: len(mine), : len(my_biases)], apart[len(mine) :, len(my_biases) :] = mine, its
            layers.append((apart, biases))
    return layers


if __name__ == "__main__":
    main(sys.argv[1:])
