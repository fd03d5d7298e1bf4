"""From an instruction list ẏ = f(t, y, p) to the recurrences of its power series.

Along a solution every value of the list is a function of time, u(t + h) = Σ u_k h^k. The coefficients u_k follow from those
of the operands up to the same order (Moore 1966; Jorba and Zou, Experimental Mathematics 14 (2005), section 2):

    c = a b      c_k = Σ_{j=0..k} a_j b_{k-j}
    c = a / b    c_k = (a_k − Σ_{j<k} c_j b_{k-j}) / b_0
    c = √a       c_k = (a_k − Σ_{0<j<k} c_j c_{k-j}) / (2 c_0)
    c' = a' g    c_k = Σ_{j=1..k} j a_j g_{k-j} / k

The last one serves all functions with a derivative g of their own: sin' = cos, exp' = exp, log' a = 1/a, ... What g needs
is appended to the list. Every sum splits into a *product* of lower orders, Σ_{0<j<k}, and terms that are linear in the
coefficients of order k: so all products of one order can be formed at once, before any value of that order is known.
Values that are decided by comparisons (minimum, modulus, conditions) keep the branch that order 0 takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import COMMUTATIVE, SOURCES, Op

OperationRow = tuple[Op, int, int]
FIXED = frozenset(  # between their jumps these do not change
    {Op.SIGN, Op.FLOOR, Op.CEIL, Op.LT, Op.LE, Op.EQ, Op.NE, Op.NOT, Op.AND, Op.OR}
)
SMALL_POWER = 8  # up to this integer exponents are products


@dataclass(frozen=True)
class RecurrenceTerm:
    """c' contains sign · a' g."""

    a: int
    g: int
    sign: float = 1.0


@dataclass
class Recurrences:
    """An instruction list in which every function has its derivative at hand.

    rows, constants, outputs: as in `Instructions`; outputs are ẏ_i of the *states*, in their order
    states: those that the series is made for: what they depend on is among them
    moving: values that change with time
    growth: for values with c' = Σ a' g, these terms
    """

    states: tuple[int, ...]
    rows: list[OperationRow] = field(default_factory=list)
    constants: list[float] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    moving: set[int] = field(default_factory=set)
    growth: dict[int, tuple[RecurrenceTerm, ...]] = field(default_factory=dict)
    _known: dict[OperationRow, int] = field(default_factory=dict)
    _numbers: dict[float, int] = field(default_factory=dict)

    def number(self, value: float) -> int:
        """A constant."""
        if value not in self._numbers:
            self._numbers[value] = len(self.constants)
            self.constants.append(value)
        return self.value(Op.CONSTANT, self._numbers[value])

    def value(self, op: Op, first: int = -1, second: int = -1) -> int:
        """The value of an operation, made once."""
        if op in COMMUTATIVE and first > second >= 0:
            first, second = second, first
        row = (op, first, second)
        if row not in self._known:
            self._known[row] = len(self.rows)
            self.rows.append(row)
            operands = () if op in SOURCES else (first, second)
            moved = op in (Op.TIME, Op.STATE) or any(i in self.moving for i in operands)
            if moved and op not in FIXED:
                self.moving.add(self._known[row])
        return self._known[row]


def states_read(instructions: Instructions, outputs: Iterable[int]) -> frozenset[int]:
    """Places in y that some outputs depend on."""
    rows = instructions.rows()
    return frozenset(rows[i][1] for i in _needed(instructions, outputs) if rows[i][0] is Op.STATE)


def expand(instructions: Instructions, states: frozenset[int]) -> Recurrences:
    """The recurrences of ẏ_i for the *states* i and for all others that they depend on."""
    chosen, more = frozenset[int](), states
    while more != chosen:
        chosen, more = more, more | states_read(instructions, more)
    found = Recurrences(tuple(sorted(chosen)))
    needed, place = _needed(instructions, found.states), dict[int, int]()
    for i, (op, first, second) in enumerate(instructions.rows()):
        if i not in needed:
            continue
        if op is Op.CONSTANT:
            place[i] = found.number(float(instructions.constants[first]))
        elif op in SOURCES:
            place[i] = found.value(op, first, second)
        else:
            place[i] = _write(found, op, place[first], place[second] if second >= 0 else -1)
    found.outputs = [place[int(instructions.outputs[k])] for k in found.states]
    return found


def _needed(instructions: Instructions, outputs: Iterable[int]) -> set[int]:
    """Instructions that some outputs depend on."""
    rows = instructions.rows()
    wanted = {int(instructions.outputs[k]) for k in outputs}
    for i in range(len(rows) - 1, -1, -1):
        if i in wanted and rows[i][0] not in SOURCES:
            wanted |= {operand for operand in rows[i][1:] if operand >= 0}
    return wanted


def _write(r: Recurrences, op: Op, a: int, b: int) -> int:
    """One operation, with what its series needs."""
    moves = a in r.moving or b in r.moving
    if op is Op.POW and moves:
        return _power(r, a, b)
    if op is Op.HYPOT and moves:
        return r.value(Op.SQRT, r.value(Op.ADD, r.value(Op.MUL, a, a), r.value(Op.MUL, b, b)))
    c = r.value(op, a, b)
    if c in r.moving and c not in r.growth:
        if op is Op.ATAN2:
            square = r.value(Op.ADD, r.value(Op.MUL, a, a), r.value(Op.MUL, b, b))
            x, y = r.value(Op.DIV, b, square), r.value(Op.DIV, a, square)
            r.growth[c] = tuple(RecurrenceTerm(*term) for term in ((a, x), (b, y, -1.0)) if term[0] in r.moving)
        elif op in _DERIVATIVES:
            r.growth[c] = ()  # sine and cosine ask for each other
            g, sign = _DERIVATIVES[op](r, a, c)
            r.growth[c] = (RecurrenceTerm(a, g, sign),)
    return c


def _power(r: Recurrences, a: int, b: int) -> int:
    op, index, _ = r.rows[b]
    exponent = r.constants[index] if op is Op.CONSTANT else math.nan
    if exponent in range(1, SMALL_POWER + 1):
        product = a
        for _ in range(int(exponent) - 1):
            product = r.value(Op.MUL, product, a)
        return product
    if exponent == 0.5:
        return r.value(Op.SQRT, a)
    c = r.value(Op.POW, a, b)
    if b in r.moving:
        slope = r.value(Op.MUL, c, _write(r, Op.LOG, a, -1))
        r.growth[c] = (RecurrenceTerm(b, slope),)
    if a in r.moving:
        slope = r.value(Op.DIV, r.value(Op.MUL, b, c), a)
        r.growth[c] = (*r.growth.get(c, ()), RecurrenceTerm(a, slope))
    return c


Derivative = Callable[[Recurrences, int, int], tuple[int, float]]


def _one_over(r: Recurrences, x: int) -> int:
    return r.value(Op.DIV, r.number(1.0), x)


def _square(r: Recurrences, x: int) -> int:
    return r.value(Op.MUL, x, x)


def _root_of(first: float, second: float, sign: float = 1.0) -> Derivative:
    """1 / √(first + second a²)"""

    def derivative(r: Recurrences, a: int, c: int) -> tuple[int, float]:
        inside = r.value(Op.ADD, r.number(first), r.value(Op.MUL, r.number(second), _square(r, a)))
        return _one_over(r, r.value(Op.SQRT, inside)), sign

    return derivative


def _gauss(r: Recurrences, a: int, c: int) -> tuple[int, float]:
    bell = _write(r, Op.EXP, r.value(Op.NEG, _square(r, a)), -1)
    return r.value(Op.MUL, r.number(2.0 / math.sqrt(math.pi)), bell), 1.0


_DERIVATIVES: dict[Op, Derivative] = {
    Op.SIN: lambda r, a, c: (_write(r, Op.COS, a, -1), 1.0),
    Op.COS: lambda r, a, c: (_write(r, Op.SIN, a, -1), -1.0),
    Op.TAN: lambda r, a, c: (r.value(Op.ADD, r.number(1.0), _square(r, c)), 1.0),
    Op.ASIN: _root_of(1.0, -1.0),
    Op.ACOS: _root_of(1.0, -1.0, -1.0),
    Op.ATAN: lambda r, a, c: (_one_over(r, r.value(Op.ADD, r.number(1.0), _square(r, a))), 1.0),
    Op.EXP: lambda r, a, c: (c, 1.0),
    Op.LOG: lambda r, a, c: (_one_over(r, a), 1.0),
    Op.EXPM1: lambda r, a, c: (r.value(Op.ADD, c, r.number(1.0)), 1.0),
    Op.LOG1P: lambda r, a, c: (_one_over(r, r.value(Op.ADD, a, r.number(1.0))), 1.0),
    Op.SINH: lambda r, a, c: (_write(r, Op.COSH, a, -1), 1.0),
    Op.COSH: lambda r, a, c: (_write(r, Op.SINH, a, -1), 1.0),
    Op.TANH: lambda r, a, c: (r.value(Op.SUB, r.number(1.0), _square(r, c)), 1.0),
    Op.ASINH: _root_of(1.0, 1.0),
    Op.ACOSH: _root_of(-1.0, 1.0),
    Op.ATANH: lambda r, a, c: (_one_over(r, r.value(Op.SUB, r.number(1.0), _square(r, a))), 1.0),
    Op.ERF: _gauss,
}
