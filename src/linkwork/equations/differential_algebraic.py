"""Differential and algebraic equations of motion with exact Jacobians, for implicit integrators.

Their state is z = [q, v, s, λ], and more unknowns behind it; with ż = [q̇, v̇, ṡ, ...] they are F(t, z, ż) = 0:

    q̇ = T(q) v + Nᵀ ν,   ν(q) = 0 by N = ∂ν/∂q        identities of q, such as the unit length of a quaternion
    M v̇ = h + Cᵀ λ,   ṡ = σ(t, q, v, s)

    index3   Φ = 0                              the conditions themselves
    index2   C v + a = 0                        differentiated once
    index1   C v̇ + b = 0                        differentiated twice
    ggl      C v + a = 0, Φ = 0, and q̇ = T(q) (v + S² Cᵀ μ) + Nᵀ ν

(K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic
Equations, 1996, section 6.2; García de Jalón and Bayo, section 7.2; the last one: C. W. Gear, B. Leimkuhler, G. K. Gupta,
J. Comput. Appl. Math. 12 & 13, 1985, pp. 77-90). μ and the multipliers of the identities are zero in the solution; what
these terms do is to let the step meet both levels. S holds the typical sizes of the coordinates, so that units do not
matter. Conditions on velocities alone stand in the rows of velocities in all forms but index1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates

PUSHED_BESIDE = 3  # level of multipliers that are zero
FORMS = ("index3", "index2", "ggl", "index1")


@dataclass(frozen=True, eq=False)
class Statement:
    """A constrained system as expressions of t, q (nq), v (nv), s (ns) and the parameters p.

    rates (nq), s_rates (ns), mass (nv × nv), forces (nv); phi, a, b (m) and jacobian (m × nv), of which the first
    *holonomic* rows restrict positions: Φ̇ = C v + a, Φ̈ = C v̇ + b. identities: what q satisfies by itself. scale (nv):
    typical sizes.
    """

    t: ca.SX
    q: ca.SX
    v: ca.SX
    s: ca.SX
    p: ca.SX
    rates: ca.SX
    s_rates: ca.SX
    mass: ca.SX
    forces: ca.SX
    phi: ca.SX
    jacobian: ca.SX
    a: ca.SX
    b: ca.SX
    holonomic: int
    identities: ca.SX
    scale: Array

    @property
    def m(self) -> int:
        """How many conditions there are."""
        return int(self.phi.numel())

    @property
    def y(self) -> ca.SX:
        return ca.vertcat(self.q, self.v, self.s)


@dataclass(frozen=True, eq=False)
class ImplicitForm:
    """F(t, z, ż) = 0 in one of the forms.

    functions: residual and tangent, of (t, [z, v̇], p); q̇ and ṡ are added to the first by whoever calls it
    rows, columns: places of the entries of the tangent in ∂F/∂[z, v̇]
    levels (n): by how many powers of h a state is less accurate than positions are
    grades (n): how often a state is differentiated beside the positions, in the equations that determine it
    stabilised: how many multipliers μ there are
    """

    functions: Mapping[str, ca.Function]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    levels: NDArray[np.int64]
    grades: Array
    stabilised: int

    @property
    def size(self) -> int:
        """Length n of z."""
        return len(self.levels)


def statement_of(c: Coordinates) -> Statement:
    """The equations of a mechanism in its coordinates."""
    identities = [row.residual for row in c.kinematics.identities]
    return Statement(
        t=c.t,
        q=c.q,
        v=c.v,
        s=c.s,
        p=c.p,
        rates=c.kinematics.rates,
        s_rates=c.s_rates,
        mass=c.mass,
        forces=c.forces,
        phi=c.phi,
        jacobian=c.jacobian,
        a=c.a,
        b=c.b,
        holonomic=c.holonomic,
        identities=ca.vertcat(ca.SX(0, 1), *identities),
        scale=c.kinematics.scale,
    )


def implicit_form(given: Statement, form: str) -> ImplicitForm:
    """The residual and its exact tangent."""
    push, drift = ca.SX.sym("lambda", given.m), ca.SX.sym("nu", given.identities.numel())
    stabilise = ca.SX.sym("mu", given.holonomic if form == "ggl" else 0)
    vdot = ca.SX.sym("vdot", given.v.numel())
    z = ca.vertcat(given.y, push, stabilise, drift)
    residual = ca.vertcat(
        -_moving(given, stabilise, drift),
        given.mass @ vdot - given.forces - given.jacobian.T @ push,
        -given.s_rates,
        *_conditions(given, form, vdot),
        given.identities,
    )
    known = [given.t, ca.vertcat(z, vdot), given.p]
    tangent = ca.jacobian(residual, known[1])
    rows, columns = (np.array(items, dtype=np.int64) for items in tangent.sparsity().get_triplet())
    names = ["t", "z", "p"]
    functions = {
        "residual": ca.Function("residual", known, [ca.densify(residual)], names, ["F"]),
        "tangent": ca.Function("tangent", known, [tangent.nz[:]], names, ["entries"]),
    }
    return ImplicitForm(functions, rows, columns, _levels(given, form), _grades(given, form), stabilise.numel())


def _moving(given: Statement, stabilise: ca.SX, drift: ca.SX) -> ca.SX:
    """q̇ with the terms that let positions meet their conditions."""
    moving = given.rates
    if stabilise.numel():
        lifted = ca.SX(given.scale**2) * (given.jacobian[: given.holonomic, :].T @ stabilise)
        moving = ca.substitute(moving, given.v, given.v + lifted)
    if drift.numel():
        moving += ca.jacobian(given.identities, given.q).T @ drift
    return moving


def _conditions(given: Statement, form: str, vdot: ca.SX) -> list[ca.SX]:
    """The rows of λ and, behind them, those of μ."""
    if form == "index1":
        return [given.jacobian @ vdot + given.b]
    velocities = given.jacobian @ given.v + given.a
    # one by one: a slice of no row of a single one would be that row
    positions = [given.phi[i] for i in range(given.holonomic)]
    if form == "index3":
        return [*positions, *(velocities[i] for i in range(given.holonomic, given.m))]
    return [velocities, *positions] if form == "ggl" else [velocities]


def _levels(given: Statement, form: str) -> NDArray[np.int64]:
    """Index of each state, less one (E. Hairer, G. Wanner II, section VII.1), and one more for algebraic states.

    These have no rates, which estimates of errors ask for; errors of them do not go from step to step.
    """
    velocity = 1 if form == "index3" else 0
    states = [0] * given.q.numel() + [velocity] * given.v.numel() + [0] * given.s.numel()
    push = {"index3": 3, "index1": 2}.get(form, 2)
    beside = (given.holonomic if form == "ggl" else 0) + given.identities.numel()
    return np.array([*states, *[push] * given.m, *[PUSHED_BESIDE] * beside], dtype=np.int64)


def _grades(given: Statement, form: str) -> Array:
    """Where conditions are those of positions, velocities are rates and multipliers accelerations; else these are rates."""
    velocity = 1.0 if form == "index3" else 0.0
    states = [0.0] * given.q.numel() + [velocity] * given.v.numel() + [0.0] * given.s.numel()
    beside = (given.holonomic if form == "ggl" else 0) + given.identities.numel()
    return np.array([*states, *[1.0 + velocity] * given.m, *[1.0] * beside])
