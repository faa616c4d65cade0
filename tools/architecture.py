"""The house rules that a program can check, on source text alone.

The two tables come first: what a part of the project may import of the project, and where a library may be
imported at all. Each check below takes names and sources and gives its complaints, a list of sentences that
is empty when all is well. Imports inside functions and for type checkers count like any other.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

BELOW_ENVS = ("maumau_env.game", "maumau_env.seat", "maumau_env.render")
# Part → what it may import of the project, each with all that lies under it. The first part that fits a
# module decides; a file that fits none has no place in the project yet.
LAYERS = {
    "maumau_env.game": ("maumau_env.game",),
    "maumau_env.seat": ("maumau_env.game", "maumau_env.seat"),
    "maumau_env.render": BELOW_ENVS,
    # The learner's opponents are agents: these two adapters look them up by name.
    "maumau_env.envs.solo": (*BELOW_ENVS, "maumau_env.envs", "agents"),
    "maumau_env.envs.vec": (*BELOW_ENVS, "maumau_env.envs", "agents"),
    "maumau_env.envs": (*BELOW_ENVS, "maumau_env.envs"),
    "maumau_env": ("maumau_env",),
    "agents": ("maumau_env.game", "maumau_env.seat", "agents"),
    "strategy": ("maumau_env.game", "maumau_env.seat", "agents", "strategy"),
    "explore": ("agents", "strategy"),
    "train": ("maumau_env", "agents"),
    "evaluate": ("maumau_env", "agents"),
    "examples": ("maumau_env", "agents"),
    "benchmarks": ("maumau_env", "agents", "train", "benchmarks"),
    "tools": ("maumau_env", "agents", "strategy", "tools"),
    "tests": (
        "maumau_env",
        "agents",
        "strategy",
        "train",
        "evaluate",
        "explore",
        "examples",
        "benchmarks",
        "tools",
        "tests",
    ),
}

# Library → the modules that may import it, * standing for anything. One that is missing here belongs nowhere.
LIBRARIES = {
    "numpy": ("*",),
    "numba": ("maumau_env.game.*",),  # everybody else decorates with maumau_env.game.jit
    "msgspec": (
        "maumau_env.game.record*",
        "maumau_env.game.match_record",
        "maumau_env.game.match_check",
        "agents.tournament.rows",
        "strategy.played",
        "strategy.tips_schema",
    ),
    "pettingzoo": ("maumau_env", "maumau_env.maumau_v0", "maumau_env.match_v0", "maumau_env.envs.aec"),
    "gymnasium": ("maumau_env", "maumau_env.envs.*", "agents.learner*"),  # its spaces
    "pygame": ("maumau_env.render.pygame_ce", "maumau_env.render.window"),
    "torch": ("agents.learner*", "agents.pupil", "train"),
    "stable_baselines3": ("maumau_env.envs.vec", "agents.learner*", "agents.progress", "train"),
    "sb3_contrib": ("agents.learner*",),
    "safetensors": ("agents.*",),
    "scipy": ("agents.*", "strategy.intervals", "strategy.skew"),
    "sklearn": ("strategy.tree",),
    "pydantic": ("agents.*",),
    "yaml": ("agents.*",),
    "joblib": ("agents.tournament.play",),
    "ray": ("agents.tournament.play",),
    "pyarrow": ("agents.tournament.rows",),
    "tyro": ("agents.*",),
    "rich": ("agents.progress", "agents.tournament.screen", "strategy.commands.*", "train"),
    "jinja2": ("agents.tournament.report", "strategy.report.page"),
    "markupsafe": ("agents.tournament.report", "strategy.report.page"),
}
# Where the table of libraries holds; benchmarks, examples, tools and tests may import any.
SHIPPED = ("maumau_env", "agents", "strategy", "train", "evaluate", "explore")

MAX_FUNCTION_LINES = 40  # lines that hold code: no docstring, no comment, no blank line
MAX_FILE_LINES = 350
MAX_TEST_FILE_LINES = 500

ROOT = Path(__file__).resolve().parent.parent
OURS = {part.partition(".")[0] for part in LAYERS}
OWN_RANDOM = {
    "random": {"Random"},
    "numpy.random": {
        "BitGenerator",
        "Generator",
        "PCG64",
        "PCG64DXSM",
        "Philox",
        "SFC64",
        "SeedSequence",
        "default_rng",
    },
}


def project_files() -> dict[str, str]:
    """Every Python file of the project: path relative to the root → source."""
    files = [*ROOT.glob("*.py"), *(path for name in OURS for path in (ROOT / name).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(files)}


def module_name(path: str) -> str:
    """`maumau_env/game/play.py` → `maumau_env.game.play`; an `__init__.py` bears its package's name."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_within(module: str, part: str) -> bool:
    """Whether the module is the part itself or lies under it."""
    return module == part or module.startswith(part + ".")


def imports(source: str) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything imported, also by `importlib.import_module` with a written-out name.

    A relative import comes with its leading dots.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=base, names=names, level=level):
                start = "." * level + (f"{base}." if base else "")
                yield from ((node.lineno, start + alias.name) for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def layer_complaints(module: str, source: str) -> list[str]:
    """Imports of the project's own modules that go upward, and relative ones, which hide where they go."""
    allowed = next((allowed for part, allowed in LAYERS.items() if is_within(module, part)), None)
    if allowed is None:
        return [f"{module} has no row in LAYERS"]
    complaints = []
    for line, target in imports(source):
        if target.startswith("."):
            complaints.append(f"{module}:{line} imports {target}: write the full name")
        elif _is_ours(target) and not any(is_within(target, part) for part in allowed):
            complaints.append(f"{module}:{line} imports {target}, but may import only {', '.join(allowed)}")
    return complaints


def library_complaints(module: str, source: str) -> list[str]:
    """Imports of libraries in modules that have no business with them."""
    complaints = []
    for line, target in imports(source):
        library = target.partition(".")[0]
        if not library or _is_ours(target) or library in sys.stdlib_module_names:
            continue
        if not any(fnmatchcase(module, pattern) for pattern in LIBRARIES.get(library, ())):
            places = ", ".join(LIBRARIES.get(library, ())) or "nowhere"
            complaints.append(f"{module}:{line} imports {library}, which belongs to: {places}")
    return complaints


def idle_rows(sources: Mapping[str, str]) -> list[str]:
    """Places in LIBRARIES where the library is not imported any more; `sources` by module name."""
    used = {(target.partition(".")[0], module) for module in sources for _, target in imports(sources[module])}
    return [
        f"LIBRARIES lets {pattern} import {library}, but nothing there does: take it out"
        for library, patterns in LIBRARIES.items()
        for pattern in patterns
        if not any(name == library and fnmatchcase(module, pattern) for name, module in used)
    ]


def cycle_complaints(sources: Mapping[str, str]) -> list[str]:
    """The first circle of imports among the modules, if there is one; `sources` by module name."""
    graph = {
        module: {found for _, target in imports(source) if (found := _module_of(target, sources)) not in (None, module)}
        for module, source in sources.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [" ← ".join(error.args[1])]
    return []


def file_complaints(path: str, source: str) -> list[str]:
    """A file with too many lines."""
    most = MAX_TEST_FILE_LINES if path.startswith("tests/") else MAX_FILE_LINES
    lines = len(source.splitlines())
    return [f"{path} has {lines} lines, {most} at most"] if lines > most else []


def function_complaints(path: str, source: str) -> list[str]:
    """Functions with too many lines of code; those of a function inside count for both."""
    code = _code_lines(source)
    complaints = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = len(code & _lines(node) - _docstring_lines(node))
            if lines > MAX_FUNCTION_LINES:
                complaint = f"{path}:{node.lineno} {node.name} has {lines} lines, {MAX_FUNCTION_LINES} at most"
                complaints.append(complaint)
    return complaints


def silence_complaints(path: str, source: str) -> list[str]:
    """Handlers that do nothing, and `suppress` of every exception."""
    complaints = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ExceptHandler(body=body) if all(_does_nothing(statement) for statement in body):
                complaints.append(f"{path}:{node.lineno} an exception is dropped in silence")
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=kinds) if any(
                isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in kinds
            ):
                complaints.append(f"{path}:{node.lineno} every exception is suppressed")
    return complaints


def randomness_complaints(path: str, source: str) -> list[str]:
    """Uses of a generator that the whole process shares; a generator of one's own is fine."""
    tree = ast.parse(source)
    names = dict(_bindings(tree))
    found = {
        (node.lineno, name)
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and (name := _dotted(node, names)) and _is_shared(name)
    }
    return [f"{path}:{line} {name} is shared by the whole process" for line, name in sorted(found)]


def _is_ours(target: str) -> bool:
    return target.partition(".")[0] in OURS


def _module_of(target: str, modules: Iterable[str]) -> str | None:
    """The module that a dotted import name means: its longest beginning that is one."""
    return max((module for module in modules if is_within(target, module)), key=len, default=None)


def _code_lines(source: str) -> set[int]:
    empty = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {line for token in tokens if token.type not in empty for line in range(token.start[0], token.end[0] + 1)}


def _lines(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _docstring_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    return set() if ast.get_docstring(function, clean=False) is None else _lines(function.body[0])


def _does_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _bindings(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Name in the module → what it was imported as."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    root = alias.name.partition(".")[0]
                    yield (alias.asname, alias.name) if alias.asname else (root, root)
            case ast.ImportFrom(module=str(base), names=aliases):
                for alias in aliases:
                    yield alias.asname or alias.name, f"{base}.{alias.name}"


def _dotted(node: ast.expr, names: Mapping[str, str]) -> str | None:
    """The full dotted name of an expression such as `np.random.seed`, if it starts at an import."""
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=attribute):
            base = _dotted(value, names)
            return f"{base}.{attribute}" if base else None
    return None


def _is_shared(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    return module in OWN_RANDOM and attribute not in OWN_RANDOM[module]
