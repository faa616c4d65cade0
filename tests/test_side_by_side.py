"""Two bots in one file: their logits are added, and what does not fit together is refused."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from agents.botfile import Header, read, save
from agents.network import Network
from agents.policy import Policy
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout
from tools.side_by_side import main

LAYOUT = Layout(32, 2)


def write_bot(path: Path, hidden: list[int], seed: int, players: int = 2) -> Path:
    """A bot with random weights."""
    chance, layout = np.random.default_rng(seed), Layout(32, players)
    sizes = [layout.size, *hidden, NUM_ACTIONS]
    layers = [
        (chance.normal(0, 0.1, (m, n)).astype(np.float32), chance.normal(0, 0.1, n).astype(np.float32))
        for m, n in pairwise(sizes)
    ]
    save(path, Header.of(Rules(), layout, hidden, [players], training={"seed": seed}), layers)
    return path


@pytest.mark.parametrize("hidden", [([5], [7]), ([6, 4], [3, 8]), ([4, 4, 4], [2, 3, 4])])
def test_the_logits_of_both_are_added(tmp_path, hidden):
    one, other = (write_bot(tmp_path / f"{i}.safetensors", hidden[i], i) for i in range(2))
    main([str(one), str(other), str(tmp_path / "both.safetensors"), "--weights", "1", "0.5"])
    seen = np.random.default_rng(5).random((20, LAYOUT.size)).astype(np.float32)
    first, second, both = (
        Network(read(tmp_path / f"{name}.safetensors")[1], LAYOUT).logits(seen) for name in ("0", "1", "both")
    )
    np.testing.assert_allclose(both, first + 0.5 * second, rtol=1e-4, atol=1e-5)
    header = Policy.load(tmp_path / "both.safetensors").header
    assert header.hidden == [sum(pair) for pair in zip(*hidden, strict=True)]
    assert [training["seed"] for training in header.training["bots"]] == [0, 1]


def test_what_does_not_fit_together_is_one_line(tmp_path, capsys):
    one = write_bot(tmp_path / "one.safetensors", [5], 1)
    for other, message in (
        (write_bot(tmp_path / "three.safetensors", [5], 2, players=3), "different players"),
        (write_bot(tmp_path / "deep.safetensors", [5, 5], 2), "one network has 1 hidden layers, the other 2"),
        (tmp_path / "none.safetensors", "there is no such file"),
        (write_bot(tmp_path / "wide.safetensors", [4094], 3), "less than or equal to 4096"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([str(one), str(other), str(tmp_path / "both.safetensors")])
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
        assert not (tmp_path / "both.safetensors").exists()
    with pytest.raises(SystemExit, match="2"):
        main([str(one), str(one), str(one)])
    assert "named twice" in capsys.readouterr().err
