"""From what a user calls a bot to the agent itself.

    random, eager, greedy, heuristic    by name; packages add names through the entry point group `maumau_env.agents`
    champion                        the best of the bots that come with the package, for the table at hand
    level:1 to level:5              opponents for people, from a beginner to the champion with search
    search:500, search:20ms         tries every action in so many worlds, or for so long; oracle:500 sees all hands
    path/to/bot.safetensors         a saved bot: weights and a header, nothing in it is run
    module:Class                    a class of one's own, a subclass of `agents.agent.Agent`, found on the Python path
    module:name                     a guest: a class or an object with `choose(view)`, or a function(observation, agent)
    process:COMMAND                 a guest: a program in any language, as `docs/guests.md` says

Options may follow, as in `bot.safetensors:sample=yes` or `mine:Bot:depth=2,bold=yes`; the main one of `search` may
stand alone, as in `search:500`. After `process:` all is the command.
"""

import difflib
import hashlib
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any

from agents.agent import Agent
from agents.errors import AgentError, describe
from agents.guests.guest import command_bot, command_in, hosted_bot

BASELINES = MappingProxyType(
    {
        "random": "agents.uniform:Random",
        "eager": "agents.uniform:Eager",
        "greedy": "agents.greedy:Greedy",
        "heuristic": "agents.heuristic:Heuristic",
        "champion": "agents.champion:Champion",
        "level": "agents.levels:Level",
        "search": "agents.search:Search",
        "oracle": "agents.oracle:Oracle",
    }
)
"""The names that come with the package, each with its `module:Class`."""

BARE: Mapping[str, str] = MappingProxyType({"search": "budget", "oracle": "budget", "level": "level"})
"""Names after which a value may stand alone, with the option that it is for: `search:500` is `search:budget=500`."""

ENTRY_POINTS = "maumau_env.agents"
BOT_SUFFIXES = (".safetensors", ".zip")
"""Names that end so are files; a zip is none of ours, but its reader says what to do instead."""
PROCESS = "process"
"""Before a command; no other bot can have this name."""
SOURCE_FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Spec:
    """What the text for a bot says: the place of its class or its file, or a command, and the constructor's options."""

    text: str
    target: str
    options: dict[str, Any]

    @property
    def is_file(self) -> bool:
        """The target is the path of a saved bot."""
        return not self.is_command and self.target.endswith(BOT_SUFFIXES)

    @property
    def is_command(self) -> bool:
        """The target is a command to run."""
        return self.text.partition(":")[0] == PROCESS


def make(name: str, **options: Any) -> Agent:
    """The agent called so.

    Args:
        name: a name, a bot file, `module:name` or `process:COMMAND`, as the top of this file says.
        options: arguments for its constructor, such as `seed`; they go before those in the name.

    Raises:
        AgentError: nothing is called so, or what is called so cannot be loaded or is no agent.
    """
    spec = parse(name)
    options = spec.options | options
    if spec.is_command:
        return _guest(spec, options)
    return _load_file(spec, options) if spec.is_file else _construct(spec, _find(spec), options)


def parse(name: str) -> Spec:
    """Take the text for a bot apart; AgentError when it can mean nothing. Nothing is imported or opened."""
    known = names()
    head, _, rest = name.partition(":")
    if head == PROCESS:
        return Spec(name, rest, {})
    if head in known:
        return Spec(name, known[head], _options(name, rest, BARE.get(head)))
    for suffix in BOT_SUFFIXES:
        path, found, options = name.partition(suffix)
        if found and "=" not in path and options[:1] in ("", ":"):
            return Spec(name, path + suffix, _options(name, options[1:]))
    class_name, _, rest = rest.partition(":")
    if head and class_name:
        return Spec(name, f"{head}:{class_name}", _options(name, rest))
    close = difflib.get_close_matches(name, known, 1)
    raise AgentError(
        f"no bot is called {name!r}{f', perhaps {close[0]}' if close else ''}: there are {', '.join(known)}, "
        f"saved bots (a file *.safetensors), classes of your own (module:Class) and programs (process:COMMAND)"
    )


def names() -> dict[str, str]:
    """Every name there is, with its `module:Class`: ours, then those of installed packages."""
    found = dict(BASELINES)
    for point in entry_points(group=ENTRY_POINTS):
        found.setdefault(point.name, point.value)
    return found


def fingerprint(name: str) -> str | None:
    """SHA-256, in hex, of the file that a bot is: the saved bot, or the source of a class of somebody's own.

    For `search:500,bot=...` it is that of the saved bot, for a command that of all files which it names, one after the
    other. None for
    what else comes with this package, and for code without a source file.
    """
    spec = parse(name)
    if spec.is_command:
        files = [path for word in command_in(spec.target) if (path := Path(word)).is_file()]
        return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest() if files else None
    path = spec.target if spec.is_file else str(spec.options.get("bot", ""))
    if path.endswith(BOT_SUFFIXES) and (spec.is_file or spec.target in BASELINES.values()):
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    source = _source(spec)
    if source is None or Path(source).resolve().parent == SOURCE_FOLDER:
        return None
    return hashlib.sha256(Path(source).read_bytes()).hexdigest()


def _options(name: str, text: str, bare: str | None = None) -> dict[str, Any]:
    """Constructor options from a text such as `depth=2,bold=yes`; a first value alone is for the option `bare`."""
    options: dict[str, Any] = {}
    if bare and text and "=" not in text.partition(",")[0]:
        text = f"{bare}={text}"
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise AgentError(f"{name}: {part!r} is no option of the form name=value")
        options[key] = _value(value)
    return options


def _value(text: str) -> Any:
    """A whole number, a number, yes or no, or the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"yes": True, "no": False}.get(text, text)


def _find(spec: Spec) -> Any:
    """What there is under the name in the module."""
    module_name, _, class_name = spec.target.partition(":")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name.partition(".")[0]:
            raise AgentError(f"{spec.text}: {module_name} cannot be imported: {describe(error)}") from error
        path = ", ".join(entry or "." for entry in sys.path[:2])
        raise AgentError(f"{spec.text}: no module {module_name} on the Python path ({path}, ...)") from error
    except Exception as error:
        raise AgentError(f"{spec.text}: {module_name} cannot be imported: {describe(error)}") from error
    if not hasattr(module, class_name):
        raise AgentError(f"{spec.text}: {class_name} does not exist in {module_name}")
    return getattr(module, class_name)


def _source(spec: Spec) -> str | None:
    """The file with the code of a class or a function; for an object that of the module in which it was named."""
    found = _find(spec)
    coded = (
        found if isinstance(found, type) or inspect.isfunction(found) else sys.modules[spec.target.partition(":")[0]]
    )
    try:
        return inspect.getsourcefile(coded)
    except TypeError:
        return None  # built into Python


def _load_file(spec: Spec, options: dict[str, Any]) -> Agent:
    from agents.policy import load

    try:
        return load(spec.target, **options)
    except (ValueError, TypeError) as error:
        raise AgentError(str(error)) from error


def _construct(spec: Spec, found: Any, options: dict[str, Any]) -> Agent:
    name = spec.text
    if not (isinstance(found, type) and issubclass(found, Agent)):
        return _guest(spec, options, found)
    if missing := getattr(found, "__abstractmethods__", None):
        raise AgentError(f"{name}: {found.__name__} is an agent without {', '.join(sorted(missing))}")
    try:
        inspect.signature(found).bind(**options)
    except TypeError as error:
        raise AgentError(f"{name}: {found.__name__} cannot be made with these options: {error}") from error
    try:
        return found(**options)
    except Exception as error:
        raise AgentError(f"{name}: {found.__name__} cannot be made: {describe(error)}") from error


def _guest(spec: Spec, options: dict[str, Any], found: Any = None) -> Agent:
    if not spec.is_command:
        return hosted_bot(spec.target, found, options)
    if options:
        raise AgentError(f"{spec.text}: a command takes no options but its own arguments")
    return command_bot(spec.target)
