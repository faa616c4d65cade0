"""The structure of the house: what tools/architecture.py demands holds, and each of its checks has teeth."""

import subprocess
import sys
from textwrap import dedent, indent

import pytest

from tools import architecture
from tools.architecture import SHIPPED, is_within, module_name, project_files

FILES = project_files()
MODULES = {
    module_name(path): source
    for path, source in FILES.items()
    if any(is_within(module_name(path), part) for part in SHIPPED)
}
ALL_MODULES = {module_name(path): source for path, source in FILES.items()}


def complaints(check, sources):
    return [complaint for name, source in sources.items() for complaint in check(name, source)]


# The project


@pytest.mark.parametrize(
    "part",
    [
        "maumau_env.game",
        "maumau_env.seat",
        "maumau_env.envs",
        "agents",
        "strategy",
        "train",
        "evaluate",
        "explore",
        "tests",
    ],
)
def test_the_checks_see_every_part(part):
    assert any(is_within(module, part) for module in ALL_MODULES)


def test_imports_go_downward():
    assert complaints(architecture.layer_complaints, ALL_MODULES) == []


def test_libraries_are_imported_only_where_they_belong():
    assert complaints(architecture.library_complaints, MODULES) == []


def test_the_table_of_libraries_has_no_idle_row():
    assert architecture.idle_rows(MODULES) == []


def test_imports_have_no_circle():
    assert architecture.cycle_complaints(ALL_MODULES) == []


def test_files_stay_short():
    assert complaints(architecture.file_complaints, FILES) == []


def test_functions_stay_short():
    assert complaints(architecture.function_complaints, FILES) == []


def test_no_exception_is_dropped_in_silence():
    assert complaints(architecture.silence_complaints, FILES) == []


def test_nothing_draws_from_a_shared_generator():
    assert complaints(architecture.randomness_complaints, MODULES) == []


def test_importing_the_environment_and_the_agents_loads_no_heavy_library():
    heavy = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "pygame")
    code = f"import sys, maumau_env, agents; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=architecture.ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.strip()) == (0, "[]"), run.stderr


# The checks themselves, on samples that must and must not be found


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("maumau_env.game.play", "import maumau_env.seat.view"),
        ("maumau_env.game.play", "from maumau_env.seat import view"),
        ("maumau_env.game.play", "from maumau_env import seat"),
        ("maumau_env.game.play", "from maumau_env import Rules"),
        ("maumau_env.game.play", "from .cards import NAMES"),
        ("maumau_env.game.play", "from . import cards"),
        ("maumau_env.game.play", "def late():\n    from agents import make"),
        ("maumau_env.game.play", "import importlib\nimportlib.import_module('maumau_env.envs.aec')"),
        ("maumau_env.seat.view", "from maumau_env.envs.aec import raw_env"),
        ("maumau_env.envs.aec", "from agents import make"),
        ("maumau_env.envs.aec", "import train"),
        ("maumau_env.maumau_v0", "import agents"),
        ("agents.greedy", "from maumau_env.envs import aec"),
        ("agents.greedy", "from maumau_env import maumau_v0"),
        ("agents.greedy", "import maumau_env"),
        ("agents.learner", "if TYPE_CHECKING:\n    from train import Config"),
        ("train", "from evaluate import main"),
        ("evaluate", "from tests.referee import Referee"),
        ("a_script_without_a_row", "import numpy"),
    ],
)
def test_an_upward_import_is_found(module, source):
    assert len(architecture.layer_complaints(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("maumau_env.game.play", "from maumau_env.game import cards\nimport maumau_env.game.bits"),
        ("maumau_env.game.play", "import numpy as np\nfrom dataclasses import dataclass"),
        ("maumau_env.envs.solo", "from agents import make\nfrom maumau_env.seat.view import look"),
        ("agents.greedy", "from maumau_env.seat import view\nfrom agents.agent import Agent"),
        ("tests.test_play", "import evaluate\nfrom maumau_env import maumau_v0"),
    ],
)
def test_a_downward_import_is_fine(module, source):
    assert architecture.layer_complaints(module, source) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("maumau_env.game.play", "import torch"),
        ("maumau_env.game.play", "import gymnasium.spaces"),
        ("maumau_env.game.play", "from msgspec import Struct"),
        ("maumau_env.game.rules", "import yaml"),
        ("maumau_env.seat.view", "def late():\n    import pettingzoo"),
        ("maumau_env.envs.solo", "from stable_baselines3.common.vec_env import VecEnv"),
        ("maumau_env", "__import__('torch')"),
        ("maumau_env.render.text", "import pygame"),
        ("agents.policy", "import torch.nn as nn"),
        ("evaluate", "from sb3_contrib import MaskablePPO"),
        ("evaluate", "import a_library_that_nobody_listed"),
    ],
)
def test_a_library_out_of_place_is_found(module, source):
    assert len(architecture.library_complaints(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("maumau_env.game.record", "import gzip\nimport msgspec\nimport numpy as np"),
        ("maumau_env.envs.aec", "import gymnasium\nfrom pettingzoo.utils import wrappers\nimport agents"),
        ("agents.learner", "import torch\nfrom sb3_contrib import MaskablePPO"),
    ],
)
def test_a_library_in_its_place_is_fine(module, source):
    assert architecture.library_complaints(module, source) == []


def test_an_idle_row_is_found():
    idle = architecture.idle_rows({"maumau_env.game.play": "import numpy"})
    assert any("maumau_env.game.record* import msgspec" in row for row in idle)
    assert not any("numpy" in row for row in idle)


def test_a_circle_of_imports_is_found():
    one = {"game.a": "from game import b", "game.b": "def late():\n    from game.c import f"}
    assert architecture.cycle_complaints(one | {"game": "", "game.c": "import game.d"}) == []
    (circle,) = architecture.cycle_complaints(one | {"game": "", "game.c": "import game.a"})
    assert {"game.a", "game.b", "game.c"} == set(circle.split(" ← "))


def test_a_name_from_ones_own_package_makes_a_circle_through_its_init():
    sources = {"game": "from game.a import f", "game.a": "from game import g"}
    assert len(architecture.cycle_complaints(sources)) == 1


def test_a_long_file_is_found():
    assert architecture.file_complaints("agents/a.py", "x = 1\n" * 350) == []
    assert len(architecture.file_complaints("agents/a.py", "x = 1\n" * 351)) == 1
    assert architecture.file_complaints("tests/test_a.py", "x = 1\n" * 500) == []
    assert len(architecture.file_complaints("tests/test_a.py", "x = 1\n" * 501)) == 1


def function(lines):
    """A function with so many lines of code, and a docstring, a comment and a blank line on top of them."""
    body = '"""Two\nlines."""\n# why\n\n' + "x = 1\n" * (lines - 1)
    return "def f():\n" + indent(body, "    ")


def test_a_long_function_is_found_by_its_code_alone():
    assert architecture.function_complaints("a.py", function(40)) == []
    (complaint,) = architecture.function_complaints("a.py", function(41))
    assert complaint.startswith("a.py:1 f has 41 lines")
    assert len(architecture.function_complaints("a.py", "class A:\n" + indent(function(41), "    "))) == 1


def test_every_line_of_a_statement_counts():
    call = "    g(\n" + "        1,\n" * 40 + "    )\n"
    assert len(architecture.function_complaints("a.py", "def f():\n" + call)) == 1
    text = '    return """\n' + "line\n" * 40 + '"""\n'
    assert len(architecture.function_complaints("a.py", "async def f():\n" + text)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    f()\nexcept ValueError:\n    pass",
        "try:\n    f()\nexcept:\n    ...",
        "try:\n    f()\nexcept Exception as error:\n    'nothing to do'",
        "with suppress(Exception):\n    f()",
        "with contextlib.suppress(KeyError, BaseException):\n    f()",
    ],
)
def test_a_silent_handler_is_found(source):
    assert len(architecture.silence_complaints("a.py", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    f()\nexcept ValueError:\n    x = None",
        "try:\n    f()\nexcept ValueError as error:\n    raise KeyError('x') from error",
        "with suppress(FileNotFoundError):\n    f()",
    ],
)
def test_a_handler_that_does_something_is_fine(source):
    assert architecture.silence_complaints("a.py", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.random.seed(1)",
        "import numpy\nx = numpy.random.random((2, 2))",
        "from numpy import random as r\nr.shuffle(x)",
        "import numpy.random as nr\nnr.rand()",
        "import random\nrandom.random()",
        "import random as rd\npick = rd.choice",
        "from random import randint\nrandint(1, 6)",
        "def f():\n    from numpy.random import permutation as p\n    return p(3)",
    ],
)
def test_a_shared_generator_is_found(source):
    assert len(architecture.randomness_complaints("a.py", source)) == 1


def test_a_generator_of_ones_own_is_fine():
    source = dedent("""
        import random
        import numpy as np
        from numpy.random import Generator, SeedSequence

        def draw(rng: np.random.Generator) -> float:
            own = np.random.default_rng(SeedSequence(1))
            return random.Random(3).random() + own.random() + rng.random()
    """)
    assert architecture.randomness_complaints("a.py", source) == []
