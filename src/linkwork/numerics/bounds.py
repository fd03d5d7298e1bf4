"""A build of the kernels that checks every access to memory, for tests: set LINKWORK_CHECK_BOUNDS=1 before the start.

Records *note* their arrays here, each for itself. ``findings`` tells accesses that leave their array, by file and line. What
nobody has noted cannot be checked, and ``share`` says how much of all was.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.kernels.language import checking
from linkwork.numerics.kernels.language.records import CHECKED

ACTIVE = CHECKED
CAPACITY = 20_000  # blocks
LINES = 100_000  # in a file of kernels, at most

_table = np.zeros(checking.BLOCKS + 2 * CAPACITY if ACTIVE else checking.BLOCKS, np.int64)
_safe = np.zeros(1)
_table[checking.SAFE] = _safe.ctypes.data
_kept: list[NDArray] = []


def table_address() -> int:
    """Of the list of blocks, as the kernels know it."""
    return int(_table.ctypes.data)


def note(array: NDArray) -> None:
    """List an array. Nothing happens without checks."""
    if not ACTIVE or not array.size:
        return
    _kept.append(array)  # its memory is not given to anybody else
    count = int(_table[checking.COUNT])
    if count < CAPACITY:
        begin = array.ctypes.data
        _table[checking.BLOCKS + 2 * count :][:2] = begin, begin + checking.WIDTH * array.size
        _table[checking.COUNT] = count + 1


def clear() -> None:
    """Forget all blocks and findings."""
    _table[: checking.SAFE] = 0
    _kept.clear()


def findings() -> list[str]:
    """The first accesses outside of their blocks, by file and line."""
    found = []
    for row in range(min(int(_table[checking.WRONG]), checking.KEPT)):
        place, _, index = _table[checking.FIRST + 3 * row :][:3]
        found.append(f"{_files()[int(place) // LINES]}, line {int(place) % LINES}: element {int(index)} is outside")
    return found


def share() -> float:
    """The part of all accesses that could be checked."""
    return 1.0 - float(_table[checking.UNKNOWN]) / max(float(_table[checking.CHECKED]), 1.0)


def place_of(file: str, line: int) -> int:
    """A number for a line of a file of kernels."""
    files = _files()
    if file not in files:
        files.append(file)
    return files.index(file) * LINES + line


@cache
def _files() -> list[str]:
    return []
