"""The work array: what one section hands to another, and what outputs are made of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.compiler.folding.marks import Integers, ListedOperations

NOBODY = 0  # the slot of values that nobody reads


@dataclass(frozen=True, eq=False)
class Work:
    """size: slots of the array; slots: (operations,) where a value lies, `NOBODY` for those that no other section reads."""

    size: int
    slots: Integers


def work_of(operations: ListedOperations, cuts: Integers, outputs: Integers) -> Work:
    """A slot for each value that leaves its section, used again once the last section that reads it is through.

    outputs: instructions of the list whose values are wanted at the end
    """
    last = _last_readers(operations, cuts, outputs)
    slots, size, free = np.full(len(operations), NOBODY, dtype=np.int64), NOBODY + 1, list[int]()
    ending = defaultdict[int, list[int]](list)
    leaving = np.flatnonzero(last >= 0)
    home = np.searchsorted(cuts, leaving, side="right") - 1
    section = 0
    for value, own in zip(leaving.tolist(), home.tolist(), strict=True):
        while section < own:
            free += ending.pop(section, ())
            section += 1
        if free:
            slots[value] = free.pop()
        else:
            slots[value], size = size, size + 1
        ending[int(last[value])].append(int(slots[value]))
    return Work(size, slots)


def _last_readers(operations: ListedOperations, cuts: Integers, outputs: Integers) -> Integers:
    """The last section that reads each value from another one, or the number of sections for outputs; else −1."""
    count = len(operations)
    home = np.searchsorted(cuts, np.arange(count), side="right") - 1
    last = np.full(count, -1, dtype=np.int64)
    for operand in (operations.first, operations.second):
        read, reader = _computed(operations, operand), np.arange(count)
        value = np.where(read, operations.place[np.maximum(operand, 0)], 0)
        away = read & (home[value] != home)
        np.maximum.at(last, value[away], home[reader[away]])
    wanted = outputs[_computed(operations, outputs)]
    last[operations.place[wanted]] = len(cuts) - 1
    return last


def _computed(operations: ListedOperations, operand: Integers) -> NDArray[np.bool_]:
    """Which operands are values of operations."""
    return (operand >= 0) & ~operations.source[np.maximum(operand, 0)]
