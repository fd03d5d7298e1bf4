"""Cutting a long instruction list: values that cross a cut go through a work array.

The time to compile one block grows faster than its length; a chain of blocks costs a time in proportion.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import SOURCES


@dataclass(frozen=True)
class Chunk:
    """Instructions start <= i < stop; values read from and written to slots of the work array (value -> slot)."""

    start: int
    stop: int
    reads: dict[int, int]
    writes: dict[int, int]


@dataclass(frozen=True)
class ChunkPlan:
    """The chunks in their order, and how many slots of work they share."""

    chunks: tuple[Chunk, ...]
    slots: int


def plan_chunks(instructions: Instructions, size: int) -> ChunkPlan:
    """Cut the list into chunks of *size* instructions; a slot is used again once its value is not needed any more.

    Inputs and constants do not cross a cut: each chunk loads them again.
    """
    count = len(instructions.opcodes)
    bounds = [(start, min(start + size, count)) for start in range(0, count, size)] or [(0, 0)]
    readers = _readers(instructions, size)
    last_reader = {value: chunks[-1] for value, chunks in readers.items()}
    reads: list[dict[int, int]] = [{} for _ in bounds]
    writes: list[dict[int, int]] = [{} for _ in bounds]
    free: list[int] = []
    ending: list[list[int]] = [[] for _ in bounds]
    slots = 0
    for value in sorted(readers):
        home = value // size
        for chunk in range(home):  # slots whose last reader lies before this chunk
            free += ending[chunk]
            ending[chunk] = []
        if free:
            slot = free.pop()
        else:
            slot, slots = slots, slots + 1
        writes[home][value] = slot
        for chunk in readers[value]:
            reads[chunk][value] = slot
        ending[last_reader[value]].append(slot)
    chunks = tuple(Chunk(*bound, reads[c], writes[c]) for c, bound in enumerate(bounds))
    return ChunkPlan(chunks, slots)


def _readers(instructions: Instructions, size: int) -> dict[int, list[int]]:
    """Return, for each value that is used in a later chunk than its own, these chunks in their order."""
    rows = instructions.rows()
    readers: dict[int, list[int]] = {}
    for i, (op, first, second) in enumerate(rows):
        if op in SOURCES:
            continue
        chunk = i // size
        for operand in (first, second):
            if operand < 0 or operand // size == chunk or rows[operand][0] in SOURCES:
                continue
            chunks = readers.setdefault(operand, [])
            if not chunks or chunks[-1] != chunk:
                chunks.append(chunk)
    return readers
