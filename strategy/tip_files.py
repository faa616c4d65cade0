"""Tips of one's own: found by the name of a module or of a file, which is run, as its user asked."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from agents.table import describe
from strategy.tip import Tip, TipError

LIST = "TIPS"
"""What a module calls its tips unless another name is given."""


def load_tips(text: str) -> list[Tip]:
    """The tips that `mymodule`, `mymodule:NAME`, `path/to/file.py` or `path/to/file.py:NAME` stands for.

    The module is run. NAME, by default `TIPS`, is a `Tip` or a sequence of them.

    Raises:
        TipError: there is no such module or name, the module fails, or what is called so holds other things than tips.
    """
    place, _, name = text.partition(":")
    found = getattr(_module(text, place), name or LIST, None)
    tips = [found] if isinstance(found, Tip) else found
    if tips is None:
        raise TipError(f"--tips {text}: there is no {name or LIST} in {place}")
    if not isinstance(tips, Sequence) or isinstance(tips, str) or not tips:
        raise TipError(f"--tips {text}: {name or LIST} must be a Tip or a list of them")
    for tip in tips:
        if not isinstance(tip, Tip):
            raise TipError(f"--tips {text}: {tip!r} is no strategy.tip.Tip")
    return list(tips)


def check_names(tips: Sequence[Tip]) -> None:
    """TipError when two tips have the same name."""
    names = [tip.name for tip in tips]
    for name in names:
        if names.count(name) > 1:
            raise TipError(f"two tips are called {name!r}: names tell them apart")


def _module(text: str, place: str) -> ModuleType:
    try:
        return _from_file(Path(place)) if place.endswith(".py") else import_module(place)
    except FileNotFoundError as error:
        raise TipError(f"--tips {text}: there is no file {place}") from error
    except ModuleNotFoundError as error:
        if error.name == place.partition(".")[0]:
            raise TipError(
                f"--tips {text}: no module {place} on the Python path ({sys.path[0] or '.'}, ...)"
            ) from error
        raise TipError(f"--tips {text}: {place} cannot be run: {describe(error)}") from error
    except (Exception, SystemExit) as error:
        raise TipError(f"--tips {text}: {place} cannot be run: {describe(error)}") from error


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(path)
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
