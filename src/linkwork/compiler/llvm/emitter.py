"""From an instruction list to the text of an LLVM module, for one number at a time or for eight lanes.

The text defines ``@f``, with the signature that everything compiled obeys:

    void f(double t, const double *y, const double *p, double *out)                one evaluation
    void f(const double *t, const double *y, const double *p, double *out)         eight, element e of lane l at 8 e + l

``out`` must not overlap the inputs: entries are written as soon as they are known.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.llvm.chunks import Chunk, plan_chunks
from linkwork.compiler.llvm.lanes import by_lanes_definition, sincos_definition
from linkwork.compiler.llvm.width import Width
from linkwork.compiler.operations import C_LIBRARY, SOURCES, Op, arity

SYMBOL = "f"
BLOCK_LIMIT = 20_000  # above this number of instructions the list is cut
CHUNK_SIZE = 3_000
_CLEARED = 32  # from this number of zeros on, the whole output is cleared at once: one store each compiles slowly
_INLINED_SINES = 40  # above this number of angles sine and cosine in the lanes are called, not repeated

_ARITHMETIC = {Op.ADD: "fadd contract", Op.SUB: "fsub contract", Op.MUL: "fmul contract", Op.DIV: "fdiv"}
_INTRINSICS = {Op.SQRT: "sqrt", Op.FABS: "fabs", Op.FLOOR: "floor", Op.CEIL: "ceil"}
_INTRINSICS |= {Op.FMIN: "minnum", Op.FMAX: "maxnum", Op.COPYSIGN: "copysign"}
_COMPARISONS = {Op.LT: "olt", Op.LE: "ole", Op.EQ: "oeq", Op.NE: "une"}
_CIRCULAR = {Op.SIN, Op.COS, Op.TAN}


def emit(
    instructions: Instructions,
    width: Width,
    *,
    block_limit: int = BLOCK_LIMIT,
    chunk_size: int = CHUNK_SIZE,
    contract: bool = True,
    reciprocals: bool = True,
) -> str:
    """Return the text of the module.

    contract: a product and a sum may become one fused operation
    reciprocals: several divisions by one value become one division and products, x (1/y) for x/y. This changes last
        bits, and overflows where |y| is below 5.6e-309, the reciprocal of the largest number
    """
    count = len(instructions.opcodes)
    plan = plan_chunks(instructions, chunk_size if count > block_limit else max(count, 1))
    bodies = _Bodies(instructions, width, reciprocals)
    if len(plan.chunks) == 1:
        parts = [_define(SYMBOL, bodies.write(plan.chunks[0], last=True), width)]
    else:
        last = plan.chunks[-1]
        parts = [
            _define(f"chunk{k}", bodies.write(chunk, last=chunk is last), width, internal=True)
            for k, chunk in enumerate(plan.chunks)
        ]
        parts.append(_define(SYMBOL, _calls(len(plan.chunks), plan.slots, width), width))
    text = "\n\n".join([*parts, *_definitions(bodies, width)])
    return text if contract else text.replace(" contract ", " ")


def _define(symbol: str, lines: list[str], width: Width, internal: bool = False) -> str:
    time = "double %t" if width.is_scalar else "ptr noalias readonly %t"
    parameters = f"{time}, ptr noalias readonly %y, ptr noalias readonly %p, ptr noalias %out"
    if internal:
        parameters += ", ptr noalias %work"
    kind = "internal " if internal else ""
    attributes = "noinline nounwind" if internal else "nounwind"
    if not width.is_scalar:
        attributes += ' "min-legal-vector-width"="512" "prefer-vector-width"="512"'
    head = f"define {kind}void @{symbol}({parameters}) {attributes} {{"
    return "\n".join([head, *lines, "  ret void", "}"])


def _calls(count: int, slots: int, width: Width) -> list[str]:
    """Return the body that calls the chunks one after another."""
    time = "double %t" if width.is_scalar else "ptr %t"
    arguments = f"{time}, ptr %y, ptr %p, ptr %out, ptr %work"
    work = f"  %work = alloca {width.real}, i64 {max(slots, 1)}, align {8 * width.lanes}"
    return [work, *(f"  call void @chunk{k}({arguments})" for k in range(count))]


def _definitions(bodies: _Bodies, width: Width) -> list[str]:
    """Return what the bodies call: functions on lanes, and declarations of the C library."""
    symbols = dict(bodies.called)
    parts = ["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"]
    if bodies.angles:
        parts.append(sincos_definition(inline=bodies.angles <= _INLINED_SINES))
        symbols |= {"sin": 1, "cos": 1}
    for symbol, number in sorted(symbols.items()):
        if not width.is_scalar:
            parts.append(by_lanes_definition(symbol, number))
        parameters = ", ".join(["double"] * number)
        # sine and cosine of one angle may become one call; the others stay what they are
        builtin = "" if symbol in ("sin", "cos") else " nobuiltin"
        parts.append(f"declare double @{symbol}({parameters}) nounwind willreturn memory(none){builtin}")
    return parts


class _Bodies:
    """Writes the bodies of functions and remembers what they call."""

    def __init__(self, instructions: Instructions, width: Width, reciprocals: bool) -> None:
        self.called: dict[str, int] = {}
        self.angles = 0
        self._rows = instructions.rows()
        self._constants = instructions.constants.tolist()
        self._width = width
        divisors = Counter(second for op, _, second in self._rows if op is Op.DIV)
        self._shared_divisors = {value for value, count in divisors.items() if count > 1} if reciprocals else set()
        self._stores: dict[int, list[int]] = defaultdict(list)
        for k, value in enumerate(instructions.outputs.tolist()):
            self._stores[value].append(k)
        self._cleared = self._clear(len(instructions.outputs))

    def _clear(self, size: int) -> list[str]:
        """Return the line that clears the output, if it has many zeros; these then need no stores of their own."""
        zeros = [value for value in self._stores if self._is_zero(value)]
        if sum(len(self._stores[value]) for value in zeros) < _CLEARED:
            return []
        for value in zeros:
            del self._stores[value]
        return [f"  call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {8 * size * self._width.lanes}, i1 false)"]

    def _is_zero(self, value: int) -> bool:
        op, first, _ = self._rows[value]
        return op is Op.CONSTANT and self._constants[first] == 0.0 and math.copysign(1.0, self._constants[first]) > 0.0

    def write(self, chunk: Chunk, last: bool) -> list[str]:
        """Return the lines of one chunk; the last one also writes the outputs that are inputs or constants."""
        self._lines: list[str] = list(self._cleared) if chunk.start == 0 else []
        self._present: dict[int, str] = {}
        self._truths: dict[int, str] = {}  # values that are 0 or 1, as one bit
        self._angle_pairs: dict[int, str] = {}
        self._reciprocals: dict[int, str] = {}
        self._slots = chunk.reads
        for i in range(chunk.start, chunk.stop):
            op, first, second = self._rows[i]
            if op in SOURCES:
                continue
            self._operation(i, op, first, second)
            self._store_value(i, chunk.writes)
        if last:
            for value in self._stores:
                if self._rows[value][0] in SOURCES:
                    self._store_value(value, {})
        return self._lines

    def _store_value(self, value: int, slots: dict[int, int]) -> None:
        for k in self._stores.get(value, ()):
            self._store("out", k, self._value(value))
        if value in slots:
            self._store("work", slots[value], self._value(value))

    def _store(self, array: str, index: int, value: str) -> None:
        real = self._width.real
        place = f"%{array}{index}_at{len(self._lines)}"
        self._lines.append(f"  {place} = getelementptr inbounds {real}, ptr %{array}, i64 {index}")
        self._lines.append(f"  store {real} {value}, ptr {place}, align 8")

    def _load(self, name: str, array: str, index: int) -> str:
        real = self._width.real
        self._lines.append(f"  {name}_at = getelementptr inbounds {real}, ptr %{array}, i64 {index}")
        self._lines.append(f"  {name} = load {real}, ptr {name}_at, align 8")
        return name

    def _value(self, i: int) -> str:
        """Return the name of value *i*; inputs and values of earlier chunks are loaded at their first use."""
        name = self._present.get(i)
        if name is None:
            name = self._present[i] = self._fetch(i)
        return name

    def _fetch(self, i: int) -> str:
        op, index, _ = self._rows[i]
        if op is Op.CONSTANT:
            return self._width.constant(self._constants[index])
        if op is Op.STATE:
            return self._load(f"%v{i}", "y", index)
        if op is Op.PARAMETER:
            return self._load(f"%v{i}", "p", index)
        if op is Op.TIME:
            return "%t" if self._width.is_scalar else self._load(f"%v{i}", "t", 0)
        return self._load(f"%v{i}", "work", self._slots[i])

    def _operation(self, i: int, op: Op, first: int, second: int) -> None:
        """Write the lines that compute value *i*."""
        real, suffix = self._width.real, self._width.suffix
        a = self._value(first)
        b = self._value(second) if second >= 0 else ""
        target = self._present[i] = f"%v{i}"
        if op is Op.DIV and second in self._shared_divisors:
            self._lines.append(f"  {target} = fmul contract {real} {a}, {self._reciprocal(second)}")
        elif op in _ARITHMETIC:
            self._lines.append(f"  {target} = {_ARITHMETIC[op]} {real} {a}, {b}")
        elif op is Op.NEG:
            self._lines.append(f"  {target} = fneg {real} {a}")
        elif op in _INTRINSICS:
            arguments = f"{real} {a}, {real} {b}" if b else f"{real} {a}"
            self._lines.append(f"  {target} = call {real} @llvm.{_INTRINSICS[op]}.{suffix}({arguments})")
        elif op in _CIRCULAR and not self._width.is_scalar:
            self._circular(i, op, first)
        elif op in C_LIBRARY:
            self._library(target, op, a, b)
        elif op is Op.SIGN:
            self._sign(target, a)
        elif op is Op.IF_ELSE_ZERO:
            self._select(target, self._truth(first), b, self._width.constant(0.0))
        else:
            self._logic(i, op, first, second)

    def _library(self, target: str, op: Op, a: str, b: str) -> None:
        real = self._width.real
        symbol = C_LIBRARY[op]
        self.called[symbol] = arity(op)
        arguments = f"{real} {a}, {real} {b}" if b else f"{real} {a}"
        prefix = "" if self._width.is_scalar else "lanes_"
        self._lines.append(f"  {target} = call {real} @{prefix}{symbol}({arguments})")

    def _circular(self, i: int, op: Op, angle: int) -> None:
        """Sine, cosine and tangent of one angle share one call."""
        real = self._width.real
        pair = self._angle_pairs.get(angle)
        if pair is None:
            pair = self._angle_pairs[angle] = f"%angle{angle}"
            self.angles += 1
            self._lines.append(f"  {pair} = call {{{real}, {real}}} @sincos({real} {self._value(angle)})")
            self._lines.append(f"  {pair}_sin = extractvalue {{{real}, {real}}} {pair}, 0")
            self._lines.append(f"  {pair}_cos = extractvalue {{{real}, {real}}} {pair}, 1")
        if op is Op.TAN:
            self._lines.append(f"  %v{i} = fdiv {real} {pair}_sin, {pair}_cos")
        else:
            self._present[i] = f"{pair}_{op.label}"

    def _sign(self, target: str, a: str) -> None:
        # x < 0 ? -1 : (x > 0 ? 1 : x), so that 0 and not-a-number stay
        zero, one, minus_one = (self._width.constant(number) for number in (0.0, 1.0, -1.0))
        positive = self._compare("ogt", a, zero)
        negative = self._compare("olt", a, zero)
        self._select(f"{target}_up", positive, one, a)
        self._select(target, negative, minus_one, f"{target}_up")

    def _logic(self, i: int, op: Op, first: int, second: int) -> None:
        if op in _COMPARISONS:
            truth = self._compare(_COMPARISONS[op], self._value(first), self._value(second))
        elif op is Op.NOT:
            truth = self._compare("oeq", self._value(first), self._width.constant(0.0))
        else:
            left, right = self._truth(first), self._truth(second)
            truth = f"%v{i}_truth"
            self._lines.append(f"  {truth} = {op.label} {self._width.truth} {left}, {right}")
        self._truths[i] = truth
        self._select(f"%v{i}", truth, self._width.constant(1.0), self._width.constant(0.0))

    def _truth(self, i: int) -> str:
        """Return whether value *i* is not zero, as one bit."""
        truth = self._truths.get(i)
        if truth is None:
            truth = self._truths[i] = self._compare("une", self._value(i), self._width.constant(0.0))
        return truth

    def _reciprocal(self, i: int) -> str:
        name = self._reciprocals.get(i)
        if name is None:
            name = self._reciprocals[i] = f"%reciprocal{i}"
            one = self._width.constant(1.0)
            self._lines.append(f"  {name} = fdiv {self._width.real} {one}, {self._value(i)}")
        return name

    def _compare(self, predicate: str, a: str, b: str) -> str:
        name = f"%truth{len(self._lines)}"
        self._lines.append(f"  {name} = fcmp {predicate} {self._width.real} {a}, {b}")
        return name

    def _select(self, target: str, condition: str, a: str, b: str) -> None:
        real, truth = self._width.real, self._width.truth
        self._lines.append(f"  {target} = select {truth} {condition}, {real} {a}, {real} {b}")
