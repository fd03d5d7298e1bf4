"""Kinds of sections: their operations on what they read, wherever that lies."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from linkwork.compiler.folding.marks import Integers, ListedOperations
from linkwork.compiler.folding.work import NOBODY, Work
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import COMMUTATIVE, Op

PLAIN = frozenset({-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0})  # numbers that belong to a formula, as its operations do

Row = tuple[Op, int, int]


@dataclass(frozen=True, eq=False)
class CodePattern:
    """What sections of a kind have in common.

    rows: operation and operands: k ≥ 0 is the own value k, −1 none, −2 − j what is read at j
    reads: what lies at j: TIME, STATE, PARAMETER, CONSTANT; None for a value of another section
    """

    rows: tuple[Row, ...]
    reads: tuple[Op | None, ...]


@dataclass(frozen=True, eq=False)
class CodeSection:
    """One stretch of the list. start: its first operation; reads: the instructions whose values it reads."""

    start: int
    pattern: CodePattern
    reads: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Kind:
    """Code of sections of one pattern.

    numbers: constants by their read, where they are plain and the same in all sections
    writes: own values that somebody needs of any section
    """

    pattern: CodePattern
    numbers: tuple[tuple[int, float], ...]
    writes: tuple[int, ...]

    @cached_property
    def listed(self) -> tuple[int, ...]:
        """The reads whose places stand in the row of a section; those of the writes follow."""
        known = dict(self.numbers)
        return tuple(j for j, source in enumerate(self.pattern.reads) if source is not Op.TIME and j not in known)

    @property
    def text(self) -> str:
        """All that the code is made of."""
        return repr((self.pattern.rows, self.pattern.reads, self.numbers, self.writes))

    @property
    def width(self) -> int:
        """How many places the row of a section has."""
        return len(self.listed) + len(self.writes)


def cut_sections(code: Instructions, operations: ListedOperations, cuts: Integers) -> list[CodeSection]:
    """The sections between cuts."""
    table = {int(op): op for op in Op}
    codes = [table[number] for number in operations.codes.tolist()]
    first, second, place = operations.first.tolist(), operations.second.tolist(), operations.place.tolist()
    sources = {i: table[int(code.opcodes[i])] for i in operations.source.nonzero()[0].tolist()}
    patterns, found = dict[tuple[object, ...], CodePattern](), list[CodeSection]()
    for start, stop in pairwise(cuts.tolist()):
        reads, rows = dict[int, int](), list[Row]()
        for k in range(start, stop):
            operands = []
            for instruction in (first[k], second[k]):
                if instruction < 0:
                    operands.append(-1)
                elif instruction not in sources and place[instruction] >= start:
                    operands.append(place[instruction] - start)
                else:
                    operands.append(-2 - reads.setdefault(instruction, len(reads)))
            if codes[k] in COMMUTATIVE:
                operands.sort(reverse=True)
            rows.append((codes[k], operands[0], operands[1]))
        seen = tuple(rows), tuple(sources.get(instruction) for instruction in reads)
        if seen not in patterns:
            patterns[seen] = CodePattern(*seen)
        found.append(CodeSection(start, patterns[seen], tuple(reads)))
    return found


def kinds_of(code: Instructions, sections: list[CodeSection], work: Work) -> dict[CodePattern, Kind]:
    """The kind of each pattern."""
    members = defaultdict[CodePattern, list[CodeSection]](list)
    for section in sections:
        members[section.pattern].append(section)
    kinds = {}
    for pattern, same in members.items():
        writes = {k for one in same for k in range(len(pattern.rows)) if work.slots[one.start + k] != NOBODY}
        kinds[pattern] = Kind(pattern, _common_numbers(code, pattern, same), tuple(sorted(writes)))
    return kinds


def _common_numbers(code: Instructions, pattern: CodePattern, same: list[CodeSection]) -> tuple[tuple[int, float], ...]:
    found = []
    for j, source in enumerate(pattern.reads):
        if source is Op.CONSTANT:
            numbers = {float(code.constants[code.first[one.reads[j]]]) for one in same}
            if len(numbers) == 1 and numbers <= PLAIN:
                found.append((j, numbers.pop()))
    return tuple(found)


def row_of(code: Instructions, operations: ListedOperations, kind: Kind, section: CodeSection, work: Work) -> list[int]:
    """The places that a section reads and writes."""
    reads = []
    for j in kind.listed:
        instruction = section.reads[j]
        here = kind.pattern.reads[j] is None
        reads.append(work.slots[operations.place[instruction]] if here else code.first[instruction])
    return [int(place) for place in (*reads, *(work.slots[section.start + k] for k in kind.writes))]
