"""From a CasADi function to an instruction list.

Each operation gets a number by what it computes (value numbering): an operation that was met before with the same
operands is not repeated. One pass does what a separate elimination of common subexpressions would do. CasADi lists
nothing that no output needs, and so does the result.
"""

from __future__ import annotations

import struct

import casadi as ca
import numpy as np

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import COMMUTATIVE, SOURCES, Op
from linkwork.errors import CompileError
from linkwork.uncollected import uncollected

# operations of CasADi that have an operation of ours; all of these are plain numbers here, which are looked up faster
_TRANSLATION: dict[int, int] = {
    getattr(ca, f"OP_{op.name}"): int(op)
    for op in Op
    if op not in SOURCES  # the names agree for all of them
}
_TRANSLATION[ca.OP_CONSTPOW] = int(Op.POW)
_COMMUTATIVE = frozenset(map(int, COMMUTATIVE))
_INPUT_CODES = int(Op.TIME), int(Op.STATE), int(Op.PARAMETER)
_CONSTANT, _ADD, _MUL, _DIV = int(Op.CONSTANT), int(Op.ADD), int(Op.MUL), int(Op.DIV)

_REMEDY = "write it with scalar (SX) expressions"
_INPUTS = ("the time t (a scalar)", "the state y (a column)", "the live parameters p (a column)")


@uncollected()
def lower(function: ca.Function) -> Instructions:
    """Return the instruction list of a function of (t, y, p); its outputs are made dense and concatenated."""
    scalar = _scalar_function(function)
    _check_inputs(scalar)
    numbering = _Numbering(scalar.name())
    outputs = _translate(scalar, numbering)
    return numbering.finish(scalar, outputs)


def _scalar_function(function: ca.Function) -> ca.Function:
    if function.is_a("SXFunction"):
        return function
    try:
        return function.expand()
    except RuntimeError as error:
        raise CompileError(
            f"function '{function.name()}' contains an operation that has no scalar form; {_REMEDY}. "
            f"CasADi says: {error}"
        ) from error


def _check_inputs(function: ca.Function) -> None:
    if function.n_in() != 3:
        raise CompileError(
            f"function '{function.name()}' has {function.n_in()} inputs; it must have three: {', '.join(_INPUTS)}"
        )
    for i, meaning in enumerate(_INPUTS):
        rows, columns = function.size_in(i)
        fits = (rows, columns) == (1, 1) if i == 0 else columns == 1 or rows * columns == 0
        if not fits or not function.sparsity_in(i).is_dense():
            raise CompileError(
                f"input {i} of function '{function.name()}' is {rows} x {columns} with "
                f"{function.nnz_in(i)} nonzeros; it must be dense and be {meaning}"
            )


def _translate(function: ca.Function, numbering: _Numbering) -> list[int]:
    """Walk through the algorithm of CasADi; return the value of each entry of the concatenated outputs."""
    outputs, places = _output_places(function)
    work = [-1] * function.sz_w()
    for k in range(function.n_instructions()):
        code = function.instruction_id(k)
        if code == ca.OP_OUTPUT:
            output, nonzero = function.instruction_output(k)
            outputs[places[output][nonzero]] = work[function.instruction_input(k)[0]]
            continue
        if code == ca.OP_CONST:
            value = numbering.constant(function.instruction_constant(k))
        else:
            arguments = function.instruction_input(k)
            if code == ca.OP_INPUT:
                value = numbering.input(*arguments)
            else:
                value = numbering.operation(code, [work[argument] for argument in arguments])
        work[function.instruction_output(k)[0]] = value
    if -1 in outputs:  # entries that are zero by structure
        zero = numbering.constant(0.0)
        outputs = [zero if value < 0 else value for value in outputs]
    return outputs


def _output_places(function: ca.Function) -> tuple[list[int], list[list[int]]]:
    """Return an empty output, and for each output and nonzero its place in the dense concatenation."""
    places = []
    offset = 0
    for i in range(function.n_out()):
        places.append([offset + place for place in function.sparsity_out(i).find()])
        offset += function.numel_out(i)
    return [-1] * offset, places


class _Numbering:
    """The list under construction; asks for an operation twice, gives one value."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[tuple[int, int, int]] = []
        self.constants: list[float] = []
        self._known: dict[tuple[int, int, int] | bytes, int] = {}

    def constant(self, number: float) -> int:
        pattern = struct.pack("<d", number)  # tells 0 from -0
        if pattern not in self._known:
            self._known[pattern] = self._append(_CONSTANT, len(self.constants), -1)
            self.constants.append(number)
        return self._known[pattern]

    def input(self, which: int, index: int) -> int:
        return self._value(_INPUT_CODES[which], index if which else -1, -1)

    def operation(self, code: int, operands: list[int]) -> int:
        first = operands[0] if operands else -1
        second = operands[1] if len(operands) > 1 else -1
        op = _TRANSLATION.get(code)
        if op is not None:
            return self._value(op, first, second)
        if code == ca.OP_SQ:
            return self._value(_MUL, first, first)
        if code == ca.OP_TWICE:
            return self._value(_ADD, first, first)
        if code == ca.OP_INV:
            return self._value(_DIV, self.constant(1.0), first)
        if code == ca.OP_CALL:
            raise CompileError(f"function '{self.name}' calls a function that has no scalar form; {_REMEDY}")
        raise CompileError(
            f"function '{self.name}' uses the operation {_casadi_name(code)}, which cannot be compiled; "
            f"valid are: {', '.join(op.label for op in Op if op not in SOURCES)}"
        )

    def finish(self, function: ca.Function, outputs: list[int]) -> Instructions:
        opcodes, first, second = zip(*self.rows, strict=True) if self.rows else ((), (), ())
        return Instructions(
            name=self.name,
            size_y=function.numel_in(1),
            size_p=function.numel_in(2),
            opcodes=np.array(opcodes, dtype=np.uint8),
            first=np.array(first, dtype=np.int32),
            second=np.array(second, dtype=np.int32),
            constants=np.array(self.constants, dtype=np.float64),
            outputs=np.array(outputs, dtype=np.int32),
            layout=tuple((function.name_out(i), function.size_out(i)) for i in range(function.n_out())),
        )

    def _value(self, op: int, first: int, second: int) -> int:
        if second >= 0 and first > second and op in _COMMUTATIVE:
            first, second = second, first
        key = (op, first, second)
        value = self._known.get(key)
        if value is None:
            value = self._known[key] = self._append(op, first, second)
        return value

    def _append(self, op: int, first: int, second: int) -> int:
        self.rows.append((op, first, second))
        return len(self.rows) - 1


def _casadi_name(code: int) -> str:
    names = [name for name in dir(ca) if name.startswith("OP_") and getattr(ca, name) == code]
    return names[0].removeprefix("OP_").lower() if names else f"number {code}"
