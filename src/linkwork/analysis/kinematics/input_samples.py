"""Inputs that are known at single times, or by their rates, as polynomials whose coefficients are live parameters.

Of an input, u, u̇, ü and u⃛ are known at the times t_k: of a record (``record.py``) they are given or those of splines, of a
formula of its speed or acceleration the first ones are integrals by Gauss-Legendre quadrature and the rest is exact. Between
two times the input is the polynomial of seventh degree with these values at both ends,

    u(t) = Σ cᵢ (t − t_k)^i,    t_{k−1} ≤ t ≤ t_k,

which is needed where a displacement is divided; at the times themselves nothing but the known values is used. The model
has one formula for all pieces and nothing is compiled anew for other samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import perm

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Binary, Expression, Name, to_sx
from linkwork.algebra.expressions.undefined import find_hole
from linkwork.analysis.inverse.record import GivenMotion, spline
from linkwork.coordinates.undefined import is_number, steepness
from linkwork.errors import RefusedError
from linkwork.model import Driver, Model, Parameter
from linkwork.numerics.systems.quadrature import integrals

Array = NDArray[np.float64]
LEVELS, TERMS = 4, 8  # u to u⃛, and coefficients of a polynomial
# what x⁴ .. x⁷ and their first three derivatives are at x = 1
_FAR = np.array([[perm(i, m) for i in range(LEVELS, TERMS)] for m in range(LEVELS)], dtype=float)
_NEAR = np.array([[perm(i, m) for i in range(LEVELS)] for m in range(LEVELS)], dtype=float)


@dataclass(frozen=True, eq=False)
class SampledInput:
    """Values, rates, accelerations and jerks (N × 4) of a coordinate (joint, freedom) at the times (N) of a motion."""

    joint: str
    freedom: str
    levels: Array

    @property
    def key(self) -> tuple[str, str]:
        return self.joint, self.freedom

    @property
    def names(self) -> tuple[str, ...]:
        """The live parameters: the time about which a polynomial is written, and its coefficients."""
        prefix = f"input_{self.joint}_{self.freedom}"
        return (f"{prefix}_time", *(f"{prefix}_c{i}" for i in range(TERMS)))

    def driver(self) -> Driver:
        """c₀ + x (c₁ + x (c₂ + ...)) with x = t − time."""
        time, *terms = (Name(name) for name in self.names)
        x = Binary("-", Name("t"), time)
        formula: Expression = terms[-1]
        for term in reversed(terms[:-1]):
            formula = Binary("+", term, Binary("*", x, formula))
        return Driver(joint=self.joint, freedom=self.freedom, position=formula)

    def values(self, times: Array) -> Array:
        """Values (N × 9) of the live parameters up to every time and at it."""
        scale = np.array([1.0, 1.0, 0.5, 1.0 / 6.0])
        terms = np.zeros((len(times), TERMS))
        terms[:, :LEVELS] = self.levels * scale
        # x = −h at the other end: in units of −h all that is left there is on the powers from the fourth
        unit = -np.diff(times)[:, None]
        near = terms[1:, :LEVELS] * unit ** np.arange(LEVELS)
        wanted = self.levels[:-1] * unit ** np.arange(LEVELS)
        terms[1:, LEVELS:] = np.linalg.solve(_FAR, (wanted - near @ _NEAR.T).T).T / unit ** np.arange(LEVELS, TERMS)
        return np.column_stack([times, terms])


def sampled_from_record(record: GivenMotion) -> list[SampledInput]:
    """The inputs that a record gives; their jerks are those of splines through the accelerations."""
    found = []
    for key, levels in record.values.items():
        t, rates = record.time, levels[2]
        jerks = spline(".".join(key), t, rates).derivative(1)(t) if t.size > 2 else np.zeros(t.size)
        found.append(SampledInput(*key, np.column_stack([*levels, jerks])))
    return found


def sampled_from_rate(driver: Driver, model: Model, first: float, times: Array, given: Mapping[str, float]) -> Array:
    """Levels (N × 4) of a coordinate whose speed or acceleration is a formula of t, from its first value at t = 0."""
    values = model.parameter_values(given)
    symbol = ca.SX.sym("t")
    lookup = {**values, "t": symbol}.__getitem__
    derivatives = [ca.SX(to_sx(driver.motion, lookup))]
    for _ in range(2):
        derivatives.append(ca.jacobian(derivatives[-1], symbol))
    function = ca.Function("rates", [symbol], [ca.densify(ca.vertcat(*derivatives))])

    def rate(t: Array) -> Array:
        return np.asarray(function.map(t.size)(t.reshape(1, -1))).T

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


def sample_parameters(model: Model, samples: Sequence[SampledInput]) -> dict[str, Parameter]:
    """The live parameters of sampled inputs, at their first values."""
    found: dict[str, Parameter] = {}
    for sample in samples:
        first = (0.0, float(sample.levels[0, 0]), *[0.0] * (TERMS - 1))
        found |= {name: Parameter(value=value, live=True) for name, value in zip(sample.names, first, strict=True)}
    for name in found:
        if name in model.parameters:
            raise RefusedError(f"parameter '{name}' of the model has the name of an input's own: call it otherwise")
    return found
