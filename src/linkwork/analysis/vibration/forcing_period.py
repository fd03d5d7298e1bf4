"""The period with which time acts on a mechanism, read off the instructions of its equations.

Time comes in through sines and cosines of ω t + c, and through angles of drivers that turn evenly. All their ω together
have a common period if their ratios are those of small whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import casadi as ca

from linkwork.arrays import Array
from linkwork.compiler.lower import lower
from linkwork.compiler.operations import Op, arity
from linkwork.coordinates.coordinates import Coordinates
from linkwork.errors import RefusedError

LARGEST = 1000  # whole number in a ratio of frequencies
SAME = 1e-9  # relative difference of ratios that are one


@dataclass(frozen=True)
class _Part:
    """What is known of a value: how fast it grows with time if evenly (None: otherwise), its number, its frequencies."""

    slope: float | None = 0.0
    number: float | None = None
    frequencies: frozenset[float] = frozenset()


def is_forced(c: Coordinates) -> bool:
    """Whether time is in the equations."""
    return bool(ca.depends_on(_expressions(c), c.t))


def forcing_period(c: Coordinates, p: Array) -> float:
    """The common period of all that depends on time, s; refused where it cannot be read off."""
    code = lower(ca.Function("forcing", [c.t, c.y, c.p], [_expressions(c)]))
    parts: list[_Part] = []
    for op, first, second in code.rows():
        given = [parts[i] for i in (first, second)[: arity(op)]]
        parts.append(_source(op, first, code.constants, p) if op < Op.ADD else _combined(op, given))
    ends = [parts[i] for i in code.outputs.tolist()]
    if any(part.slope is None for part in ends):
        raise RefusedError("the period of what depends on time cannot be read off its formulas: give the period")
    turning = {abs(part.slope) for part in ends if part.slope}
    return _common_period(turning.union(*(part.frequencies for part in ends)))


def _expressions(c: Coordinates) -> ca.SX:
    parts = (c.mass, c.forces, c.phi, c.jacobian, c.a, c.b, c.s_rates)
    return ca.densify(ca.vertcat(*(ca.vec(ca.SX(part)) for part in parts)))


def _source(op: Op, index: int, constants: Array, p: Array) -> _Part:
    if op is Op.TIME:
        return _Part(slope=1.0)
    if op is Op.STATE:
        return _Part()
    return _Part(number=float(p[index] if op is Op.PARAMETER else constants[index]))


def _combined(op: Op, given: Sequence[_Part]) -> _Part:
    """What an operation makes of its operands."""
    frequencies = frozenset().union(*(part.frequencies for part in given))
    slopes, numbers = [part.slope for part in given], [part.number for part in given]
    if op in (Op.SIN, Op.COS, Op.TAN) and slopes[0] is not None:
        return _Part(frequencies=frequencies | ({abs(slopes[0])} if slopes[0] else frozenset()))
    slope: float | None = 0.0 if all(x == 0.0 for x in slopes) else None
    if op in (Op.ADD, Op.SUB) and slopes[0] is not None and slopes[1] is not None:
        slope = slopes[0] + (slopes[1] if op is Op.ADD else -slopes[1])
    elif op is Op.NEG and slopes[0] is not None:
        slope = -slopes[0]
    elif op in (Op.MUL, Op.DIV) and numbers[1] is not None and slopes[0] is not None:
        factor = numbers[1] if op is Op.MUL else 1.0 / numbers[1] if numbers[1] else math.nan
        slope = slopes[0] * factor
    elif op is Op.MUL and numbers[0] is not None and slopes[1] is not None:
        slope = slopes[1] * numbers[0]
    return _Part(slope, _number(op, numbers), frequencies)


def _number(op: Op, given: Sequence[float | None]) -> float | None:
    """The number of a few operations on numbers."""
    if any(x is None for x in given):
        return None
    x, *rest = (float(value) for value in given if value is not None)
    y = rest[0] if rest else 1.0
    known = {Op.ADD: x + y, Op.SUB: x - y, Op.MUL: x * y, Op.DIV: x / y if y else None, Op.NEG: -x}
    return math.sqrt(x) if op is Op.SQRT and x >= 0.0 else known.get(op)


def _common_period(found: Iterable[float]) -> float:
    """The shortest time after which all of these frequencies have gone through whole turns."""
    omegas = sorted(found)
    if not omegas:
        raise RefusedError("nothing in the equations depends on time: give the period, or a run that comes back")
    ratios = [Fraction(omega / omegas[0]).limit_denominator(LARGEST) for omega in omegas]
    if any(abs(float(r) * omegas[0] - omega) > SAME * omega for r, omega in zip(ratios, omegas, strict=True)):
        listed = ", ".join(f"{omega:.6g}" for omega in omegas)
        raise RefusedError(f"what depends on time has no common period: its frequencies are {listed} rad/s")
    turns = math.lcm(*(ratio.denominator for ratio in ratios))
    return turns * 2 * math.pi / omegas[0]
