"""A build of the kernels that checks every access to memory, for tests: set LINKWORK_CHECK_BOUNDS=1 before the start.

Records *note* their arrays here, each for itself. ``findings`` tells accesses that leave their array, by file and line. What
nobody has noted cannot be checked, and ``share`` says how much of all was.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.kernels.language.layout import WIDTH

ACTIVE = os.environ.get("LINKWORK_CHECK_BOUNDS") == "1"
COUNT, WRONG, UNKNOWN, CHECKED, SAFE = 0, 1, 2, 3, 4  # of blocks, of accesses; SAFE: where wrong ones go instead
FIRST = 5  # the first wrong accesses: place in the source, pointer, index
KEPT = 8
BLOCKS = FIRST + 3 * KEPT  # address of the beginning and of the end of each block
CAPACITY = 20_000  # blocks
LINES = 100_000  # in a file of kernels, at most

_table = np.zeros(BLOCKS + 2 * CAPACITY if ACTIVE else BLOCKS, np.int64)
_safe = np.zeros(1)
_table[SAFE] = _safe.ctypes.data
_kept: list[NDArray] = []


def table_address() -> int:
    """Of the list of blocks, as the kernels know it."""
    return int(_table.ctypes.data)


def note(array: NDArray) -> None:
    """List an array. Nothing happens without checks."""
    if not ACTIVE or not array.size:
        return
    _kept.append(array)  # its memory is not given to anybody else
    count = int(_table[COUNT])
    if count < CAPACITY:
        begin = array.ctypes.data
        _table[BLOCKS + 2 * count :][:2] = begin, begin + WIDTH * array.size
        _table[COUNT] = count + 1


def clear() -> None:
    """Forget all blocks and findings."""
    _table[:SAFE] = 0
    _kept.clear()


def findings() -> list[str]:
    """The first accesses outside of their blocks, by file and line."""
    found = []
    for row in range(min(int(_table[WRONG]), KEPT)):
        place, _, index = _table[FIRST + 3 * row :][:3]
        found.append(f"{_files()[int(place) // LINES]}, line {int(place) % LINES}: element {int(index)} is outside")
    return found


def share() -> float:
    """The part of all accesses that could be checked."""
    return 1.0 - float(_table[UNKNOWN]) / max(float(_table[CHECKED]), 1.0)


def place_of(file: str, line: int) -> int:
    """A number for a line of a file of kernels."""
    files = _files()
    if file not in files:
        files.append(file)
    return files.index(file) * LINES + line


@cache
def _files() -> list[str]:
    return []
