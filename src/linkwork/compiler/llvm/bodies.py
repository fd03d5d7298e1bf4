"""The lines of a function's body, from rows of operations: what is the same wherever the values come from and go to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from linkwork.compiler.llvm.arctangent import atan2_definition
from linkwork.compiler.llvm.lanes import by_lanes_definition, sincos_definition
from linkwork.compiler.llvm.width import Width
from linkwork.compiler.operations import C_LIBRARY, Op, arity

_ARITHMETIC = {Op.ADD: "fadd contract", Op.SUB: "fsub contract", Op.MUL: "fmul contract", Op.DIV: "fdiv"}
_INTRINSICS = {Op.SQRT: "sqrt", Op.FABS: "fabs", Op.FLOOR: "floor", Op.CEIL: "ceil"}
_INTRINSICS |= {Op.FMIN: "minnum", Op.FMAX: "maxnum", Op.COPYSIGN: "copysign"}
_COMPARISONS = {Op.LT: "olt", Op.LE: "ole", Op.EQ: "oeq", Op.NE: "une"}
_CIRCULAR = {Op.SIN, Op.COS, Op.TAN}
_INLINED_SINES = 40  # above this number of angles sine and cosine in the lanes are called, not repeated

NONE = -1  # no operand

CodeRow = tuple[int, Op, int, int]
"""The value that it computes, what it does, and its operands, −1 for none."""


class Surroundings(Protocol):
    """Where values come from and go to."""

    def fetch(self, lines: list[str], value: int) -> str:
        """The name of a value that the body does not compute, with lines that load it."""

    def keep(self, lines: list[str], value: int, name: str) -> None:
        """Add lines that store a value, where somebody needs it."""


def shared_divisors(operations: Iterable[CodeRow]) -> set[int]:
    """Values by which more than one operation divides."""
    divisors = Counter(second for _, op, _, second in operations if op is Op.DIV)
    return {value for value, count in divisors.items() if count > 1}


class CodeBodies:
    """Writes the bodies of functions and remembers what they call."""

    def __init__(self, width: Width) -> None:
        self.width = width
        self.called: dict[str, int] = {}
        self.angles = 0

    def write(
        self, operations: Iterable[CodeRow], place: Surroundings, divisors: set[int], passed: Iterable[int] = ()
    ) -> list[str]:
        """The lines of one body.

        divisors: values whose reciprocal is taken once; passed: values from elsewhere that are kept
        """
        self._lines: list[str] = []
        self._present: dict[int, str] = {}
        self._truths: dict[int, str] = {}  # values that are 0 or 1, as one bit
        self._angle_pairs: dict[int, str] = {}
        self._reciprocals: dict[int, str] = {}
        self._place, self._shared_divisors = place, divisors
        for value, op, first, second in operations:
            self._operation(value, op, first, second)
            place.keep(self._lines, value, self._present[value])
        for value in passed:
            place.keep(self._lines, value, self._value(value))
        return self._lines

    def definitions(self) -> list[str]:
        """What the bodies call: functions on lanes, and declarations of the C library."""
        symbols, parts = dict(self.called), list[str]()
        if self.angles:
            parts.append(sincos_definition(inline=self.angles <= _INLINED_SINES))
            symbols |= {"sin": 1, "cos": 1}
        for symbol, number in sorted(symbols.items()):
            if not self.width.is_scalar and symbol == C_LIBRARY[Op.ATAN2]:
                parts.append(atan2_definition())
                continue
            if not self.width.is_scalar:
                parts.append(by_lanes_definition(symbol, number))
            parameters = ", ".join(["double"] * number)
            # sine and cosine of one angle may become one call; the others stay what they are
            builtin = "" if symbol in ("sin", "cos") else " nobuiltin"
            parts.append(f"declare double @{symbol}({parameters}) nounwind willreturn memory(none){builtin}")
        return parts

    def _value(self, i: int) -> str:
        """The name of value *i*; those from elsewhere are loaded at their first use."""
        name = self._present.get(i)
        if name is None:
            name = self._present[i] = self._place.fetch(self._lines, i)
        return name

    def _operation(self, i: int, op: Op, first: int, second: int) -> None:
        """Write the lines that compute value *i*."""
        real, suffix = self.width.real, self.width.suffix
        a = self._value(first)
        b = self._value(second) if second != NONE else ""
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
        elif op in _CIRCULAR and not self.width.is_scalar:
            self._circular(i, op, first)
        elif op in C_LIBRARY:
            self._library(target, op, a, b)
        elif op is Op.SIGN:
            self._sign(target, a)
        elif op is Op.IF_ELSE_ZERO:
            self._select(target, self._truth(first), b, self.width.constant(0.0))
        else:
            self._logic(i, op, first, second)

    def _library(self, target: str, op: Op, a: str, b: str) -> None:
        real = self.width.real
        symbol = C_LIBRARY[op]
        self.called[symbol] = arity(op)
        arguments = f"{real} {a}, {real} {b}" if b else f"{real} {a}"
        prefix = "" if self.width.is_scalar else "lanes_"
        self._lines.append(f"  {target} = call {real} @{prefix}{symbol}({arguments})")

    def _circular(self, i: int, op: Op, angle: int) -> None:
        """Sine, cosine and tangent of one angle share one call."""
        real = self.width.real
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
        zero, one, minus_one = (self.width.constant(number) for number in (0.0, 1.0, -1.0))
        positive = self._compare("ogt", a, zero)
        negative = self._compare("olt", a, zero)
        self._select(f"{target}_up", positive, one, a)
        self._select(target, negative, minus_one, f"{target}_up")

    def _logic(self, i: int, op: Op, first: int, second: int) -> None:
        if op in _COMPARISONS:
            truth = self._compare(_COMPARISONS[op], self._value(first), self._value(second))
        elif op is Op.NOT:
            truth = self._compare("oeq", self._value(first), self.width.constant(0.0))
        else:
            left, right = self._truth(first), self._truth(second)
            truth = f"%v{i}_truth"
            self._lines.append(f"  {truth} = {op.label} {self.width.truth} {left}, {right}")
        self._truths[i] = truth
        self._select(f"%v{i}", truth, self.width.constant(1.0), self.width.constant(0.0))

    def _truth(self, i: int) -> str:
        """Return whether value *i* is not zero, as one bit."""
        truth = self._truths.get(i)
        if truth is None:
            truth = self._truths[i] = self._compare("une", self._value(i), self.width.constant(0.0))
        return truth

    def _reciprocal(self, i: int) -> str:
        name = self._reciprocals.get(i)
        if name is None:
            name = self._reciprocals[i] = f"%reciprocal{i}"
            one = self.width.constant(1.0)
            self._lines.append(f"  {name} = fdiv {self.width.real} {one}, {self._value(i)}")
        return name

    def _compare(self, predicate: str, a: str, b: str) -> str:
        name = f"%truth{len(self._lines)}"
        self._lines.append(f"  {name} = fcmp {predicate} {self.width.real} {a}, {b}")
        return name

    def _select(self, target: str, condition: str, a: str, b: str) -> None:
        real, truth = self.width.real, self.width.truth
        self._lines.append(f"  {target} = select {truth} {condition}, {real} {a}, {real} {b}")
