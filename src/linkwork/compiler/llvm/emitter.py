"""From an instruction list to the text of an LLVM module, for one number at a time or for eight lanes.

The text defines ``@f``, with the signature that everything compiled obeys:

    void f(double t, const double *y, const double *p, double *out)                one evaluation
    void f(const double *t, const double *y, const double *p, double *out)         eight, element e of lane l at 8 e + l

``out`` must not overlap the inputs: entries are written as soon as they are known.

This is the straight shape, one line after another; `linkwork.compiler.llvm.tables` has the other.
"""

from __future__ import annotations

import math
from collections import defaultdict

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.llvm.bodies import CodeBodies, shared_divisors
from linkwork.compiler.llvm.memory import CLEAR, clear, define, load, store, time_of
from linkwork.compiler.llvm.width import Width
from linkwork.compiler.operations import SOURCES, Op

SYMBOL = "f"
CLEARED = 32  # from this number of zeros on, the whole output is cleared at once: one store each compiles slowly


def emit(instructions: Instructions, width: Width, *, contract: bool = True, reciprocals: bool = True) -> str:
    """Return the text of the module.

    contract: a product and a sum may become one fused operation
    reciprocals: several divisions by one value become one division and products, x (1/y) for x/y. This changes last
        bits, and overflows where |y| is below 5.6e-309, the reciprocal of the largest number
    """
    rows = [(i, *row) for i, row in enumerate(instructions.rows())]
    operations = [row for row in rows if row[1] not in SOURCES]
    bodies, place = CodeBodies(width), _Arrays(instructions, width)
    lines = bodies.write(operations, place, shared_divisors(operations) if reciprocals else set(), place.passed)
    text = "\n\n".join([define(SYMBOL, [*place.begin, *lines], width), CLEAR, *bodies.definitions()])
    return text if contract else text.replace(" contract ", " ")


class _Arrays:
    """Values come from t, y, p and the constants, and go to out."""

    def __init__(self, instructions: Instructions, width: Width) -> None:
        self._rows, self._constants, self._width = instructions.rows(), instructions.constants.tolist(), width
        self._stores: dict[int, list[int]] = defaultdict(list)
        for k, value in enumerate(instructions.outputs.tolist()):
            self._stores[value].append(k)
        self.begin = self._clear(instructions.size_out)

    def fetch(self, lines: list[str], value: int) -> str:
        op, index, _ = self._rows[value]
        if op is Op.CONSTANT:
            return self._width.constant(self._constants[index])
        if op is Op.TIME:
            return time_of(lines, self._width)
        return load(lines, self._width, f"%v{value}", "y" if op is Op.STATE else "p", index)

    def keep(self, lines: list[str], value: int, name: str) -> None:
        for k in self._stores.get(value, ()):
            store(lines, self._width, name, "out", k)

    @property
    def passed(self) -> list[int]:
        """Inputs and constants that are outputs."""
        return [value for value in self._stores if self._rows[value][0] in SOURCES]

    def _clear(self, size: int) -> list[str]:
        """The line that clears the output, if it has many zeros; these then need no stores of their own."""
        zeros = [value for value in self._stores if self._is_zero(value)]
        if sum(len(self._stores[value]) for value in zeros) < CLEARED:
            return []
        for value in zeros:
            del self._stores[value]
        return [clear(self._width, size)]

    def _is_zero(self, value: int) -> bool:
        op, first, _ = self._rows[value]
        return op is Op.CONSTANT and self._constants[first] == 0.0 and math.copysign(1.0, self._constants[first]) > 0.0
