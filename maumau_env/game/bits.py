"""Sets of small numbers in one `uint64`, and a small counting random generator.

Everything here has two bodies, a compiled one and a plain one, because interpreted numpy scalars warn where a
multiplication wraps around on purpose, and numba has no bit counting of its own.
"""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from maumau_env.game.jit import INTERPRETED, jit

BIT = np.array([1 << i for i in range(64)], np.uint64)
NOTHING = np.uint64(0)
ONE = np.uint64(1)
_HALF = np.uint64(32)

_GOLDEN, _MIX_1, _MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = (1 << 64) - 1
_U_GOLDEN, _U_MIX_1, _U_MIX_2 = np.uint64(_GOLDEN), np.uint64(_MIX_1), np.uint64(_MIX_2)
_U_30, _U_27, _U_31 = np.uint64(30), np.uint64(27), np.uint64(31)


def _plain_count(bits: Any) -> int:
    return int(bits).bit_count()


def _plain_lowest(bits: Any) -> int:
    return (int(bits) & -int(bits)).bit_length() - 1


def scrambled(word: int) -> int:
    """`scramble` for Python callers: numbers from 0 to 2**64 - 1, nothing to compile."""
    word = (word + _GOLDEN) & _WORD
    word = ((word ^ (word >> 30)) * _MIX_1) & _WORD
    word = ((word ^ (word >> 27)) * _MIX_2) & _WORD
    return word ^ (word >> 31)


def _plain_scramble(word: Any) -> np.uint64:
    return np.uint64(scrambled(int(word)))


@intrinsic
def _compiled_count(typing: Any, bits: Any) -> Any:
    def body(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), body


@intrinsic
def _compiled_lowest(typing: Any, bits: Any) -> Any:
    def body(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), body


@jit
def _compiled_scramble(word: Any) -> Any:
    word = np.uint64(word) + _U_GOLDEN
    word = (word ^ (word >> _U_30)) * _U_MIX_1
    word = (word ^ (word >> _U_27)) * _U_MIX_2
    return word ^ (word >> _U_31)


count = _plain_count if INTERPRETED else _compiled_count
"""How many numbers the set holds."""

lowest = _plain_lowest if INTERPRETED else _compiled_lowest
"""The smallest number of a set that is not empty."""

scramble = _plain_scramble if INTERPRETED else _compiled_scramble
"""A well-mixed word for each word: the output function of splitmix64 (Steele, Lea and Flood, 2014)."""


@jit
def below(word: Any, limit: Any) -> Any:
    """A number from 0 to limit - 1 from a random word; its bias is below limit / 2**32."""
    return np.int64(((word >> _HALF) * np.uint64(limit)) >> _HALF)


@jit
def nth(bits: Any, n: Any) -> Any:
    """The n-th smallest number of a set (n from 0); the set must hold more than n."""
    for _ in range(n):
        bits &= bits - ONE
    return lowest(bits)
