"""How the game is compiled: three decorators, and a cache that never goes stale.

`@jit` marks a function that other compiled functions call, `@outlined` one of those that is long or seldom called, and
`@kernel` one that Python calls. Only kernels are cached on disk: they hold everything they call. numba stamps a cache
entry with the source of the kernel's own file and would go on running old rules after an edit elsewhere, so ours is
stamped with the sources of the whole package.

A compiled function must not call itself: loaded from the cache, such a kernel crashes the process (numba 0.68).

With `NUMBA_DISABLE_JIT=1` the decorators leave the functions as they are; the results are the same, bit for bit.
"""

import hashlib
import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching, config, event

F = TypeVar("F", bound=Callable[..., Any])
PACKAGE = Path(__file__).resolve().parents[1]
INTERPRETED = bool(config.DISABLE_JIT)


@cache
def sources_stamp(folder: Path) -> str:
    """Hash of every source file that a kernel in `folder` can reach: the game's, the seat's and its neighbours'."""
    digest = hashlib.sha256()
    for place in sorted({PACKAGE / "game", PACKAGE / "seat", folder}):
        for file in sorted(place.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def folder_of(file: str) -> Path:
    """Where a source file lies."""
    return Path(file).resolve().parent


class _WholePackage:
    """Mixed into numba's cache locators: an entry is fresh while no source file of the package has changed."""

    _py_file: str

    def get_source_stamp(self) -> str:
        return sources_stamp(folder_of(self._py_file))


_LOCATORS = [
    type(f"Package{base.__name__}", (_WholePackage, base), {})
    for base in (caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, caching.UserWideCacheLocator)
]


class _PackageCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = _LOCATORS


class _PackageCache(caching.FunctionCache):
    _impl_class = _PackageCacheImpl


class _Announcement(event.Listener):
    """Tells the user once why nothing happens for some seconds."""

    def __init__(self) -> None:
        self.kernels: set[Any] = set()
        self.told = False

    def on_start(self, event: Any) -> None:
        if not self.told and event.data["dispatcher"] in self.kernels:
            self.told = True
            print("maumau_env: compiling the game, once, some ten seconds ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Nothing to say: the next line on the screen is the user's own."""


_announcement = _Announcement()
if not INTERPRETED:
    event.register("numba:compile", _announcement)


def jit(function: F) -> F:
    """Compile a function that compiled functions call; it is copied into each of them."""
    return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)


def outlined(function: F) -> F:
    """The same for a function that is long, or seldom called: there is one of it, which spares compile time."""
    return numba.njit(nogil=True, error_model="numpy")(function)


def kernel(function: F) -> F:
    """Compile a function that Python calls, and keep the result on disk until a source of the package changes."""
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    if not INTERPRETED:
        # Taken now, while the sources are those that were imported: an edit before the first call must not count.
        sources_stamp(folder_of(inspect.getfile(function)))
        dispatcher._cache = _PackageCache(inspect.unwrap(function))
        _announcement.kernels.add(dispatcher)
    return dispatcher
