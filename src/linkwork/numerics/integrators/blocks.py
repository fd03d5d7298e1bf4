"""Blocks of memory that runs leave to those after them: memory that is new to a process costs more than what is done in it.

A block comes back when nothing refers to it any more, not even a part of it.
"""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array

MOST = 1 << 25  # bytes that wait for the next run


class Pool:
    """Memory that waits for the next run, with its addresses, by size."""

    def __init__(self) -> None:
        self._waiting: dict[int, list[tuple[Array, int]]] = {}
        self.nbytes = 0

    def take(self, size: int) -> tuple[Array, int]:
        waiting = self._waiting.get(size)
        if not waiting:
            numbers = np.empty(size)
            return numbers, numbers.ctypes.data
        found = waiting.pop()
        self.nbytes -= found[0].nbytes
        return found

    def give_back(self, numbers: Array, address: int) -> None:
        if self.nbytes + numbers.nbytes <= MOST:
            self.nbytes += numbers.nbytes
            self._waiting.setdefault(numbers.size, []).append((numbers, address))


POOL = Pool()


class SharedNumbers:
    """So many numbers, of any value; *numbers* are for the owner of the block, `shared` for others."""

    __slots__ = ("_pool", "address", "numbers")

    def __init__(self, size: int) -> None:
        self._pool = POOL
        self.numbers, self.address = self._pool.take(size)

    def shared(self) -> Array:
        """The numbers, and through them and all their parts a reference to the block."""
        return np.asarray(self)

    @property
    def __array_interface__(self) -> dict[str, object]:
        return self.numbers.__array_interface__

    def __del__(self) -> None:
        self._pool.give_back(self.numbers, self.address)
