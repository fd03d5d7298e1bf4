"""What an instruction looks like from nearby: which operation it is, and how far back its operands were computed.

Mechanisms consist of elements that repeat, and their lists of stretches that differ in nothing but where they read and
write. A mark tells an operation and the distances to its operands, where those are short; what was computed further away is
told by its sort alone. Stretches that repeat have the same marks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import COMMUTATIVE, SOURCES

Integers = NDArray[np.int64]

NEAR = 64  # operands that were computed at most so many operations before are told by their distance
_FAR, _SOURCE = NEAR + 1, NEAR + 2


@dataclass(frozen=True, eq=False)
class ListedOperations:
    """The operations of a list without its sources, in its order.

    codes: (n,); first, second: (n,) operands, −1 for none, others as instructions of the list; those of operations that
    allow it are ordered by how near they are, so that equal stretches are equal
    source: (all instructions,) whether it is an input or a constant; place: of each instruction among the operations
    marks: (n,)
    """

    codes: Integers
    first: Integers
    second: Integers
    source: NDArray[np.bool_]
    place: Integers
    marks: Integers

    def __len__(self) -> int:
        return len(self.codes)


def operations_of(code: Instructions) -> ListedOperations:
    """The operations of a list and their marks."""
    opcodes = code.opcodes.astype(np.int64)
    source = np.isin(opcodes, [int(op) for op in SOURCES])
    ours = np.flatnonzero(~source)
    place = np.full(len(opcodes), -1, dtype=np.int64)
    place[ours] = np.arange(len(ours))
    codes, first, second = opcodes[ours], code.first[ours].astype(np.int64), code.second[ours].astype(np.int64)
    near_first, near_second = (_nearness(operand, opcodes, source, place) for operand in (first, second))
    turned = np.isin(codes, [int(op) for op in COMMUTATIVE]) & (near_first > near_second)
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    near_first, near_second = np.where(turned, near_second, near_first), np.where(turned, near_first, near_second)
    return ListedOperations(codes, first, second, source, place, (codes << 16) | (near_first << 8) | near_second)


def _nearness(operand: Integers, opcodes: Integers, source: NDArray[np.bool_], place: Integers) -> Integers:
    """0 for none, the distance to what is near, and else numbers beyond: computed far away, or which source."""
    known = np.maximum(operand, 0)
    distance = np.arange(len(operand)) - place[known]
    found = np.where(distance <= NEAR, distance, _FAR)
    return np.where(operand < 0, 0, np.where(source[known], _SOURCE + opcodes[known], found))
