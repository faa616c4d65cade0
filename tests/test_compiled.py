"""Compiled and plain code do the same, no index runs out of bounds, and edited rules never run stale."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from maumau_env.game import batch
from maumau_env.game.rules import Rules
from maumau_env.game.state import GAME, raw

ROOT = Path(__file__).parents[1]
ANNOUNCEMENT = "maumau_env: compiling the game"


def fingerprint(decisions: int, seed: int) -> str:
    """Hash of games of many tables after random play; also run in other processes, in other modes."""
    tables = [
        (name, players, {"ace": ace, "draw_then_play": players == 3, "win_with_jack": players == 2, "max_turns": 60})
        for name in ("classic", "match")
        for players in (2, 3, 5)
        for ace in ("skip", "again")
    ]
    deals = [batch.deal(Rules.of(name, **options), players, seed, 3) for name, players, options in tables]
    games = np.concatenate([raw(games) for games in deals]).view(GAME)
    ended = batch.play_at_random(games, decisions, seed)
    return hashlib.sha256(raw(games).tobytes() + batch.legal(games).tobytes() + bytes([ended % 256])).hexdigest()


def run(code: str, package: Path = ROOT, **environment: str) -> subprocess.CompletedProcess:
    """Run code in a fresh interpreter that finds `maumau_env` in `package`."""
    path = os.pathsep.join([str(package), str(Path(__file__).parent)])
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": path} | environment,
        cwd=package,
        capture_output=True,
        text=True,
        check=True,
    )


def test_compiled_and_plain_code_do_the_same_bit_for_bit():
    code = "import test_compiled, numba; assert numba.config.DISABLE_JIT; print(test_compiled.fingerprint(120, 5))"
    assert run(code, NUMBA_DISABLE_JIT="1").stdout.strip() == fingerprint(120, 5)


@pytest.mark.slow
def test_no_index_runs_out_of_bounds(tmp_path):
    code = """
import numba, numpy, test_compiled
try:
    numba.njit(lambda numbers: numbers[len(numbers)])(numpy.zeros(1))
except IndexError:
    print(test_compiled.fingerprint(3000, 6))
"""
    checked = run(code, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert checked.stdout.strip() == fingerprint(3000, 6)


PLAY_A_SEVEN = """
import numpy as np
from maumau_env.game import batch
from maumau_env.game.actions import action_number
from maumau_env.game.cards import card_number
from maumau_env.game.rules import Rules
from maumau_env.game.state import NONE, new_games

game = new_games(Rules(), 2, 0, 1)
game["direction"], game["wish"] = 1, NONE
game["hands"][0, :2, 0] = [1 << card_number("7H") | 1 << card_number("KD"), 1 << card_number("AS")]
game["discards"][0, 0], game["discards_size"] = card_number("QH"), 1
batch.step(game, np.array([action_number("7H")]))
print(int(game["owed"][0]))
"""


@pytest.mark.slow
def test_an_edited_rule_is_compiled_again_and_only_then(tmp_path):
    """The first run announces its compilation, the second has nothing to compile, the third follows the new rule."""
    package, cache = tmp_path / "project", {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    shutil.copytree(ROOT / "maumau_env", package / "maumau_env", ignore=shutil.ignore_patterns("__pycache__"))
    cold = run(PLAY_A_SEVEN, package, **cache)
    warm = run(PLAY_A_SEVEN, package, **cache)
    rules = package / "maumau_env" / "game" / "play.py"
    assert rules.read_text().count('g["owed"] += 2') == 1
    rules.write_text(rules.read_text().replace('g["owed"] += 2', 'g["owed"] += 3'))
    edited = run(PLAY_A_SEVEN, package, **cache)
    assert [done.stdout.strip() for done in (cold, warm, edited)] == ["2", "2", "3"]
    assert cold.stderr.count(ANNOUNCEMENT) == edited.stderr.count(ANNOUNCEMENT) == 1
    assert warm.stderr == ""


def test_plain_code_announces_no_compilation():
    assert run(PLAY_A_SEVEN, NUMBA_DISABLE_JIT="1").stderr == ""
