"""A list of instructions as sections: code of few kinds, and for each section a row of places that it reads and writes.

A mechanism of a thousand bodies has a list with a thousand stretches that differ in nothing but these places. Folded, it
takes code in proportion to what is different in it, and tables in proportion to its length; the operations and their order
stay what they were. Values that one section hands to another lie in a work array.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.compiler.folding.cuts import sections_of
from linkwork.compiler.folding.kinds import Kind, cut_sections, kinds_of, row_of
from linkwork.compiler.folding.marks import Integers, ListedOperations, operations_of
from linkwork.compiler.folding.work import Work, work_of
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import Op
from linkwork.machine import fingerprint
from linkwork.uncollected import uncollected


@dataclass(frozen=True, eq=False)
class Folded:
    """A list as sections.

    kinds: in an order that depends on nothing but themselves
    order: (sections,) the kind of each, in the order of the list; rows: their places, one after another
    slots: length of the work array
    outputs: for STATE, PARAMETER, CONSTANT, TIME and None (the work array) which entries of out come from there, and from
        which place
    """

    instructions: Instructions
    kinds: tuple[Kind, ...]
    order: Integers
    rows: Integers
    slots: int
    outputs: dict[Op | None, tuple[Integers, Integers]]

    @property
    def written(self) -> int:
        """ListedOperations that are compiled."""
        return sum(len(kind.pattern.rows) for kind in self.kinds)

    @cached_property
    def alone(self) -> dict[int, tuple[int, ...]]:
        """The places of kinds that have one section only: they stand in the code, as there is no other to share it with."""
        widths = np.array([kind.width for kind in self.kinds], dtype=np.int64)[self.order]
        first, times = np.cumsum(widths) - widths, np.bincount(self.order, minlength=len(self.kinds))
        rows = zip(self.order.tolist(), first.tolist(), widths.tolist(), strict=True)
        return {k: tuple(self.rows[at : at + width].tolist()) for k, at, width in rows if times[k] == 1}

    @property
    def text(self) -> str:
        """All that the code of the kinds is made of."""
        return repr([(kind.text, self.alone.get(k)) for k, kind in enumerate(self.kinds)])

    @property
    def summary(self) -> str:
        """How the list was folded."""
        return f"{self.written} operations in {len(self.kinds)} kinds of sections, {len(self.order)} sections"


@uncollected()
def fold(code: Instructions) -> Folded:
    """The list as sections."""
    operations, outputs = operations_of(code), code.outputs.astype(np.int64)
    cuts = sections_of(operations.marks)
    work = work_of(operations, cuts, outputs)
    sections = cut_sections(code, operations, cuts)
    known = kinds_of(code, sections, work)
    kinds = tuple(sorted(known.values(), key=lambda kind: fingerprint(kind.text)))
    number = {kind.pattern: k for k, kind in enumerate(kinds)}
    rows = [place for one in sections for place in row_of(code, operations, known[one.pattern], one, work)]
    order = np.array([number[section.pattern] for section in sections], dtype=np.int64)
    return Folded(code, kinds, order, np.array(rows, dtype=np.int64), work.size, _outputs(code, operations, work))


def _outputs(
    code: Instructions, operations: ListedOperations, work: Work
) -> dict[Op | None, tuple[Integers, Integers]]:
    """Where entries of out come from."""
    value = code.outputs.astype(np.int64)
    opcode, found = code.opcodes[value], dict[Op | None, tuple[Integers, Integers]]()
    for source in (Op.TIME, Op.STATE, Op.PARAMETER, Op.CONSTANT):
        entries = np.flatnonzero(opcode == int(source))
        found[source] = entries, code.first[value[entries]].astype(np.int64)
    entries = np.flatnonzero(~operations.source[value])
    found[None] = entries, work.slots[operations.place[value[entries]]]
    return found
