"""The instruction list: the only contract between the expressions in front and the backends behind.

A list describes a function out = f(t, y, p) as straight-line scalar code. Instruction i computes value i from values
before it (static single assignment), and entry k of ``out`` is the value ``outputs[k]``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.compiler.operations import SOURCES, Op, arity
from linkwork.machine import fingerprint

_FORMAT = "instructions 1"  # part of the key: change it when the meaning of the arrays changes
_LISTING_LINES = 40


@dataclass(frozen=True, eq=False)
class Instructions:
    """Straight-line scalar code for out = f(t, y, p).

    opcodes: (n,) uint8, values of `Op`
    first, second: (n,) int32, operands: indices of earlier instructions, or -1 for none. For STATE and PARAMETER,
        *first* is the index into y or p; for CONSTANT it is the index into *constants*.
    constants: (nc,) float64
    outputs: (size_out,) int32, the instruction whose value becomes out[k]
    layout: name and shape of each output of the function; they follow each other in ``out``, column by column
    """

    name: str
    size_y: int
    size_p: int
    opcodes: NDArray[np.uint8]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    constants: NDArray[np.float64]
    outputs: NDArray[np.int32]
    layout: tuple[tuple[str, tuple[int, int]], ...]

    def __post_init__(self) -> None:
        for array in (self.opcodes, self.first, self.second, self.constants, self.outputs):
            array.setflags(write=False)

    @property
    def size_out(self) -> int:
        """Length of ``out``."""
        return len(self.outputs)

    @cached_property
    def operations(self) -> int:
        """Number of operations; loading inputs and constants does not count."""
        return int(np.count_nonzero(~np.isin(self.opcodes, [int(op) for op in SOURCES])))

    @cached_property
    def stores(self) -> int:
        """Number of entries of ``out`` that are not a constant zero."""
        values = self.constants[np.where(self.opcodes == Op.CONSTANT, self.first, 0)] if len(self.constants) else 1.0
        zero = (self.opcodes == Op.CONSTANT) & (values == 0.0)
        return int(np.count_nonzero(~zero[self.outputs])) if len(self.outputs) else 0

    @cached_property
    def key(self) -> str:
        """A digest of what the list computes; names do not count."""
        sizes = np.array([self.size_y, self.size_p, len(self.opcodes), len(self.constants), self.size_out])
        arrays = (sizes.astype(np.int64), self.opcodes, self.first, self.second, self.constants, self.outputs)
        return fingerprint(_FORMAT, *(array.tobytes() for array in arrays))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instructions) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def rows(self) -> list[tuple[Op, int, int]]:
        """Return the list as plain Python numbers: (operation, first operand, second operand)."""
        table = {int(op): op for op in Op}
        codes = [table[code] for code in self.opcodes.tolist()]
        return list(zip(codes, self.first.tolist(), self.second.tolist(), strict=True))

    def listing(self, limit: int | None = None) -> str:
        """Return the code as text, at most *limit* lines of it."""
        lines = [f"%{i} = {self._expression(*row)}" for i, row in enumerate(self.rows())]
        lines += [f"out[{k}] = %{value}" for k, value in enumerate(self.outputs.tolist())]
        if limit is not None and len(lines) > limit:
            hidden = len(lines) - limit
            lines = [*lines[: limit // 2], f"... {hidden} more lines ...", *lines[len(lines) - limit // 2 :]]
        return "\n".join(lines)

    def summary(self) -> str:
        """Return sizes and the number of each operation in one line."""
        counts = Counter(op for op, _, _ in self.rows() if op not in SOURCES)
        kinds = ", ".join(f"{count} {op.label}" for op, count in counts.most_common())
        signature = f"{self.name}(t, y[{self.size_y}], p[{self.size_p}]) -> out[{self.size_out}]"
        return f"{signature}: {self.operations} operations" + (f" ({kinds})" if kinds else "")

    def __str__(self) -> str:
        return f"{self.summary()}\n{self.listing(_LISTING_LINES)}"

    def __repr__(self) -> str:
        return f"<Instructions {self.summary()}>"

    def _expression(self, op: Op, first: int, second: int) -> str:
        sources: dict[Op, Any] = {Op.TIME: "t", Op.STATE: f"y[{first}]", Op.PARAMETER: f"p[{first}]"}
        if op in sources:
            return str(sources[op])
        if op is Op.CONSTANT:
            return repr(float(self.constants[first]))
        operands = (first, second)[: arity(op)]
        return f"{op.label}({', '.join(f'%{operand}' for operand in operands)})"
