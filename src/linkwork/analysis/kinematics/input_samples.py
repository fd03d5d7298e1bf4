"""Inputs of a kinematic solution as polynomials whose numbers stand in p (``position/drives.py``).

Of an input, u, u̇, ü and u⃛ are known at the times t_k: of a formula exactly; of a record (``record.py``) they are given
or those of splines; of a formula of its speed or acceleration the first ones are integrals by Gauss-Legendre quadrature and
the rest is exact. Between two times the input is the polynomial of seventh degree with these values at both ends,

    u(t) = Σ cᵢ (t − t_k)^i,    t_{k−1} ≤ t ≤ t_k,

which is needed where a displacement is divided; at the times themselves nothing but the known values is used. So nothing is
analysed or compiled anew for other formulas or other samples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import perm

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.expressions.undefined import find_hole
from linkwork.analysis.kinematics.record import GivenMotion, spline
from linkwork.arrays import Array
from linkwork.coordinates.undefined import is_number, steepness
from linkwork.errors import ExpressionError, RefusedError
from linkwork.model import Driver, Model
from linkwork.numerics.systems.quadrature import integrals
from linkwork.position.drives import NUMBERS, TERMS, FreedomName

LEVELS = 4  # u to u⃛
JUMP = 1e-3  # of the longest way between two times: what a smooth input that is told closely is not off by
_SCALE = np.array([1.0, 1.0, 0.5, 1.0 / 6.0])  # from levels to coefficients
# what x⁴ .. x⁷ and their first three derivatives are at x = 1
_FAR = np.array([[perm(i, m) for i in range(LEVELS, TERMS)] for m in range(LEVELS)], dtype=float)
_NEAR = np.array([[perm(i, m) for i in range(LEVELS)] for m in range(LEVELS)], dtype=float)


@dataclass(frozen=True, eq=False)
class SampledInput:
    """Values, rates, accelerations and jerks (N × 4) of a coordinate (joint, freedom) at the times (N) of a motion.

    formula: of its position; None where it is known at these times alone
    straight: whether it goes straight from each value to the next, at the rate with which it gets there
    """

    joint: str
    freedom: str
    levels: Array
    formula: Expression | None = None
    straight: bool = False

    @property
    def key(self) -> FreedomName:
        return self.joint, self.freedom

    @property
    def first(self) -> Array:
        """The numbers (9) with which the mechanism is put together, at t = 0."""
        found = np.zeros(NUMBERS)
        count = LEVELS if self.formula is not None else 1
        found[1 : 1 + count] = (self.levels[0] * _SCALE)[:count]
        return found

    def jumps(self, times: Array) -> NDArray[np.bool_]:
        """(N − 1) whether a rate jumps between two of its times: it does not make the way between them, with its own rates

        h/2 (u̇₀ + u̇₁) + h²/12 (ü₀ − ü₁)
        """
        h, (u, du, ddu) = np.diff(times), self.levels[:, :3].T
        # where a formula has no value there is nothing to compare
        with np.errstate(invalid="ignore", over="ignore"):
            way = h / 2 * (du[1:] + du[:-1]) + h**2 / 12 * (ddu[:-1] - ddu[1:])
            longest = np.abs(np.diff(u)).max(initial=0.0)
            return np.asarray(np.abs(np.diff(u) - way) > JUMP * longest)

    def values(self, times: Array) -> Array:
        """The numbers (N × 9) up to every time and at it: t_k, and the coefficients."""
        terms = np.zeros((len(times), TERMS))
        terms[:, :LEVELS] = self.levels * _SCALE
        if self.straight:
            return np.column_stack([times, terms])
        # x = −h at the other end: in units of −h all that is left there is on the powers from the fourth
        unit = -np.diff(times)[:, None]
        near = terms[1:, :LEVELS] * unit ** np.arange(LEVELS)
        wanted = self.levels[:-1] * unit ** np.arange(LEVELS)
        # a formula may have no value at some times
        with np.errstate(invalid="ignore"):
            left = np.linalg.solve(_FAR, (wanted - near @ _NEAR.T).T).T
            terms[1:, LEVELS:] = left / unit ** np.arange(LEVELS, TERMS)
        return np.column_stack([times, terms])


def sampled_from_record(record: GivenMotion) -> list[SampledInput]:
    """The inputs that a record gives; their jerks are those of splines through the accelerations."""
    found = []
    for key, levels in record.values.items():
        t, rates = record.time, levels[2]
        jerks = spline(".".join(key), t, rates).derivative(1)(t) if t.size > 2 else np.zeros(t.size)
        found.append(SampledInput(*key, np.column_stack([*levels, jerks])))
    return found


def sampled_from_formula(
    key: FreedomName, formula: Expression, values: Mapping[str, float], times: Array
) -> SampledInput:
    """An input by a formula of t: its values and exact rates, which are no numbers where it has none."""
    levels = _derivatives(formula, values, LEVELS)(times)
    if not np.all(is_number(levels[0, :2])):
        hole = find_hole(formula, {**values, "t": float(times[0])}.__getitem__)
        why = steepness(levels[0]) if hole is None else hole.reason
        raise ExpressionError(
            f"inputs: {'.'.join(key)}: '{formula}' has no value ({why}) at t = {times[0]:.6g} s, where the mechanism is put "
            "together; give a formula that has one there"
        )
    return SampledInput(*key, levels, formula)


def _derivatives(formula: Expression, values: Mapping[str, float], count: int) -> Callable[[Array], Array]:
    """A formula of t and its derivatives, *count* in all, as a function of times (N): (N × count)."""
    symbol = ca.SX.sym("t")
    found = [ca.SX(to_sx(formula, {**values, "t": symbol}.__getitem__))]
    while len(found) < count:
        found.append(ca.jacobian(found[-1], symbol))
    function = ca.Function("levels", [symbol], [ca.densify(ca.vertcat(*found))])
    return lambda t: np.asarray(function.map(t.size)(t.reshape(1, -1))).T


def sampled_from_rate(driver: Driver, model: Model, first: float, times: Array, given: Mapping[str, float]) -> Array:
    """Levels (N × 4) of a coordinate whose speed or acceleration is a formula of t, from its first value at t = 0."""
    values = model.parameter_values(given)
    rate = _derivatives(driver.motion, values, 3)
    known = rate(times)
    defined = np.all(is_number(known), axis=1)
    if not defined.all():
        i = int(np.argmin(defined))
        first = float(times[i])
        hole = find_hole(driver.motion, {**values, "t": first}.__getitem__)
        why = steepness(known[i]) if hole is None else hole.reason
        raise RefusedError(
            f"the {driver.level} of joint {driver.joint} has no finite value at t = {first:.6g} s: '{driver.motion}' "
            f"({why}); end before"
        )
    parts = integrals(lambda t: rate(t)[:, 0], times)
    if driver.level == "speed":
        return np.column_stack([first + parts[:, 0], known])
    begun = 0.0 if driver.initial_speed is None else model.number(driver.initial_speed, given)
    return np.column_stack([first + begun * times + parts[:, 1], begun + parts[:, 0], known[:, :2]])
