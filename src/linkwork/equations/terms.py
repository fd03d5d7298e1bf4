"""The terms of the equations of motion as functions of (t, y, p), in the layout that the kernels of numerics/ read.

M v̇ = h + Cᵀ λ,   C v̇ + b = 0,   Φ̇ = C v + a
"""

from __future__ import annotations

from typing import Protocol

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.numerics.policy import POLICY
from linkwork.position.rank import dependent_rows

SINGULAR = POLICY.unresisted  # eigenvalue of the scaled mass matrix, relative to the largest
DEPENDENT = 1e-6  # least size of a pivot, of what its condition has alone, that tells how large it should be


class Symbols(Protocol):
    """What functions depend on: the time, the state y = [q, v, s] and parameters."""

    @property
    def t(self) -> ca.SX: ...
    @property
    def y(self) -> ca.SX: ...
    @property
    def p(self) -> ca.SX: ...


class ConditionTerms(Symbols, Protocol):
    """Φ, C and a."""

    @property
    def phi(self) -> ca.SX: ...
    @property
    def jacobian(self) -> ca.SX: ...
    @property
    def a(self) -> ca.SX: ...


class Terms(ConditionTerms, Protocol):
    """What the accelerations need beside them: q̇, ṡ, M and h."""

    @property
    def rates(self) -> ca.SX: ...
    @property
    def s_rates(self) -> ca.SX: ...
    @property
    def mass(self) -> ca.SX: ...
    @property
    def forces(self) -> ca.SX: ...


def make_function(
    name: str, coordinates: Symbols, outputs: dict[str, ca.SX], behind: ca.SX | None = None
) -> ca.Function:
    """A function of (t, y, p) with named outputs, dense once it is compiled; behind: symbols behind y in the same array."""
    c = coordinates
    y = c.y if behind is None else ca.vertcat(c.y, behind)
    return ca.Function(name, [c.t, y, c.p], [ca.SX(item) for item in outputs.values()], ["t", "y", "p"], list(outputs))


def rate_of(c: Coordinates, expression: ca.SX) -> ca.SX:
    """d/dt of a column of expressions of q and t at a velocity; turn counters are left out, as in the conditions."""
    change = c.motion.drift(expression) + ca.jtimes(expression, c.t, ca.SX(1))
    drivers = [state for state in c.auxiliaries if state.role == "driver"]
    if drivers:
        symbols, rates = (ca.vertcat(*items) for items in zip(*((d.symbol, d.rate) for d in drivers), strict=True))
        change += ca.jtimes(expression, symbols, rates)
    return change


def jacobian_rate_function(c: Coordinates) -> ca.Function:
    """Ċ."""
    rate = ca.reshape(rate_of(c, ca.vec(ca.densify(c.jacobian))), *c.jacobian.shape)
    return make_function("jacobian_rate", c, {"C_rate": rate})


def closure_function(c: ConditionTerms) -> ca.Function:
    """Φ, C and a: what Newton's method and the velocities need."""
    return make_function("closure", c, {"phi": c.phi, "C": c.jacobian, "a": c.a})


def terms_function(c: Terms, curvature: ca.SX) -> ca.Function:
    """q̇, ṡ, h, b, M and C: what the accelerations need; *curvature* is b, perhaps stabilised."""
    outputs = {"q_rate": c.rates, "s_rate": c.s_rates, "h": c.forces, "b": curvature}
    return make_function("terms", c, outputs | {"M": c.mass, "C": c.jacobian})


LARGE = 60  # velocities from which C and M are taken by their entries
FILLED = 0.2  # part of C that may be entries


def in_entries(c: Terms, curvature: ca.SX) -> dict[str, ca.Function]:
    """Closure and terms by the entries of C and M alone, where so many of them are zero that it pays."""
    m, n = c.jacobian.shape
    if n < LARGE or c.jacobian.nnz() > FILLED * m * n:
        return {}
    rows = ca.SX(c.jacobian.T).nz[:]
    plain = {"q_rate": c.rates, "s_rate": c.s_rates, "h": c.forces, "b": curvature}
    return {
        "sparse_closure": make_function("sparse_closure", c, {"phi": c.phi, "C": rows, "a": c.a}),
        "sparse_terms": make_function("sparse_terms", c, plain | {"M": with_diagonal(c.mass).nz[:], "C": rows}),
    }


def with_diagonal(mass: ca.SX) -> ca.SX:
    """The matrix with a place for each of its diagonal entries."""
    return ca.project(mass, mass.sparsity() + ca.Sparsity.diag(mass.shape[0]))


def position_functions(c: Coordinates) -> dict[str, ca.Function]:
    """What positions need that are not plain numbers.

    retract: q ⊕ δ with δ in the place of v, missing where it is the plain sum; reframe: q in other charts where the
    present ones end, then whether it is another q, missing where there are no charts.
    """
    k = c.kinematics
    found = {} if k.retract is None else {"retract": make_function("retract", c, {"q": k.retract})}
    if k.reframe is not None:
        found["reframe"] = make_function("reframe", c, {"q": k.reframe[:-1], "changed": k.reframe[-1]})
    return found


def slope_matrix(function: ca.Function) -> ca.Function:
    """∂ẏ/∂y (ny × ny) of a function [ẏ, ...] of (t, y, p), by differentiation of its expression."""
    t, y, p = (ca.SX.sym(name, *function.size_in(name)) for name in ("t", "y", "p"))
    known = [t, y, p], [ca.jacobian(function.call([t, y, p])[0], y)], ["t", "y", "p"], ["slope"]
    return ca.Function("slope", *known)


def slope_entries(name: str, slope: ca.Function) -> tuple[ca.Function, NDArray[np.int64]]:
    """A function of that name with the entries of a matrix (n × n) by (t, y, p), and their places row + column n."""
    t, y, p = (ca.SX.sym(letter, *slope.size_in(letter)) for letter in ("t", "y", "p"))
    matrix = slope.call([t, y, p], True, False)[0]
    rows, columns = (np.array(items, dtype=np.int64) for items in matrix.sparsity().get_triplet())
    known = [t, y, p], [matrix.nz[:]], ["t", "y", "p"], ["entries"]
    return ca.Function(name, *known), rows + y.numel() * columns


def held(c: Coordinates, p: Array) -> Array:
    """p where all conditions that come and go hold."""
    found = np.array(p, dtype=float)
    found[c.limit_places] = 1.0
    return found


def kept_rows(c: Coordinates, t: float, y: Array, p: Array) -> tuple[list[int], list[tuple[int, int]]]:
    """Of the conditions that always hold those that are independent at a state; those that come and go, with the number of
    their limit.
    """
    coming = [(row, number) for number, rows in enumerate(c.coming) for row in rows]
    always = [i for i in range(len(c.rows)) if i not in dict(coming)]
    value = make_function("typical", c, {"C": c.jacobian})(t, y, held(c, p))
    jacobian = np.array(value).reshape(len(c.rows), c.v.numel())
    # rows are compared where all conditions are lengths and all velocities parts of the size of the mechanism
    weights = np.array([row.weight for row in c.rows])[:, None]
    surplus = dependent_rows((weights * jacobian * c.kinematics.scale)[always])
    return [row for i, row in enumerate(always) if i not in surplus], coming


def idle_velocities(c: Coordinates, t: float, y: Array, p: Array) -> list[str]:
    """Names of the velocities that take part in motions without kinetic energy at a state: M is singular there."""
    n = c.v.numel()
    mass = np.array(make_function("mass", c, {"M": c.mass}).call([t, y, p])[0]).reshape(n, n)
    scaled = mass * np.outer(c.kinematics.scale, c.kinematics.scale)
    sizes, motions = np.linalg.eigh(scaled)
    idle = motions[:, sizes <= SINGULAR * max(float(sizes[-1]), 0.0)] if n else np.zeros((0, 0))
    taking_part = np.max(np.abs(idle), axis=1, initial=0.0) > 0.1
    return [name for name, yes in zip(c.kinematics.v_names, taking_part, strict=True) if yes]
