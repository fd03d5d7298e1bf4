"""First-order variations of the equations of motion about one state, exact by differentiation.

With R₁ = M v̇ − h − Cᵀλ and R₂ = C v̇ + b as functions of the state y = [q, v, s], of v̇ and λ, and of other symbols u,

    [M  −Cᵀ] [δv̇]      [∂R₁/∂y]        [∂R₁/∂u]
    [C    0] [δλ]  = −  [∂R₂/∂y] δy  −  [∂R₂/∂u] δu .

So ẏ = f(t, y, u) has its derivatives J and G without a formula for v̇. λ is held in ∂R₁/∂y: the geometric stiffness of
the conditions, which García de Jalón and Bayo leave out in section 9.1.2, is in it. States stay on the manifold of the
conditions,

    Φ(q) = 0,  identities of the orientations,  C v + a = 0,

whose tangent at y is spanned by E = ∂y/∂ξ, ξ being independent components of y. Where conditions depend on u, which is
constant but for its variation, the manifold is shifted by F = ∂y/∂u with ξ held. So any quantity x(y, u) has

    δx = x_y (E δξ + F δu) + x_u δu,

and nothing of the conditions is left in it: no spurious modes have to be told from others. Along a motion the tangent
turns. With H the conditions, and the rate Ḣ_y = ∂(H_y w + H_t)/∂y of their derivatives at w = ẏ,

    H_y E = 0,   H_y Ė = −Ḣ_y E,   Ė = 0 in the rows of ξ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.undefined import Undefined, undefined_at, undefined_slope
from linkwork.equations.momenta import momentum_rate
from linkwork.equations.recursion.choice import FewestOperations
from linkwork.equations.recursion.forces import needed_forces
from linkwork.equations.recursion.slopes import needed_slope
from linkwork.errors import RefusedError
from linkwork.numerics.policy import POLICY

SECOND = 1e-4  # weight of columns that are taken when no others are left
IDLE = 1e-13  # smallest inertia of an admissible motion, relative to the largest


@dataclass(frozen=True, eq=False)
class Moment:
    """t, y = [q, v, s] and the parameters p of one moment."""

    t: float
    y: Array
    p: Array


class VariationalEquations:
    """The derivatives of the equations of a mechanism as functions of its state, made once.

    inputs: symbols u, all of them in p, that act on forces and conditions
    """

    def __init__(self, coordinates: Coordinates, inputs: ca.SX) -> None:
        self.c, self.inputs = coordinates, inputs
        self.vdot = ca.SX.sym("vdot", coordinates.v.numel())
        self.push = ca.SX.sym("push", len(coordinates.rows))

    @cached_property
    def ydot(self) -> ca.SX:
        """ẏ with a symbol for v̇."""
        return ca.vertcat(self.c.kinematics.rates, self.vdot, self.c.s_rates)

    def rate(self, expression: ca.SX) -> ca.SX:
        """The rate of an expression of t and y along the motion."""
        along = ca.jtimes(expression, self.c.y, self.ydot)
        return along + ca.jtimes(expression, self.c.t, ca.SX(1))

    @cached_property
    def terms(self) -> ca.Function:
        """M, h, C and b by (t, y, p)."""
        c = self.c
        return ca.Function("terms", [c.t, c.y, c.p], [ca.densify(x) for x in (c.mass, c.forces, c.jacobian, c.b)])

    def function(self, *expressions: ca.SX) -> ca.Function:
        """Expressions by (t, y, p, v̇, λ)."""
        known = [self.c.t, self.c.y, self.c.p, self.vdot, self.push]
        return ca.Function("values", known, [ca.densify(item) for item in expressions])

    def slopes(self, expression: ca.SX) -> ca.Function:
        """Derivatives of an expression by y, v̇ and u, and its value."""
        found = [ca.jacobian(expression, item) for item in (self.c.y, self.vdot, self.inputs)]
        return self.function(*found, expression)

    @cached_property
    def held(self) -> ca.SX:
        """All conditions on the state: Φ, identities of the orientations, C v + a."""
        c = self.c
        identities = (row.residual for row in c.kinematics.identities)
        return ca.vertcat(ca.SX(0, 1), c.phi[: c.holonomic], *identities, c.jacobian @ c.v + c.a)

    @cached_property
    def variations(self) -> ca.Function:
        """∂/∂y and ∂/∂u of R = [R₁, R₂], of the rates of q and s, and of all conditions on the state; last ẏ."""
        c = self.c
        held = ca.vertcat(-c.jacobian.T @ self.push, c.jacobian @ self.vdot + c.b)
        below = ca.SX(len(c.rows), c.y.numel()), ca.SX(len(c.rows), self.inputs.numel())
        needed = self.needed_slope, ca.jacobian(needed_forces(c, self.vdot), self.inputs)
        balance = [
            ca.jacobian(held, u) + ca.vertcat(slope, none)
            for u, slope, none in zip((c.y, self.inputs), needed, below, strict=True)
        ]
        parts = [ca.jacobian(x, u) for x in (self.ydot, self.held) for u in (c.y, self.inputs)]
        return self.function(*balance, *parts, self.ydot)

    @cached_property
    def chosen(self) -> FewestOperations:
        """∂(M v̇ − h)/∂y in the way with the fewest operations."""
        return needed_slope(self.c, self.vdot)

    @property
    def needed_slope(self) -> ca.SX:
        c = self.c
        found: ca.SX = self.chosen.function.call([c.t, ca.vertcat(c.y, self.vdot), c.p], True, False)[0]
        return found

    def slope_rate(self, expression: ca.SX) -> ca.Function:
        """d/dt of ∂/∂y of an expression of t and y, by (t, y, p, ẏ)."""
        c, along = self.c, ca.SX.sym("along", self.c.y.numel())
        moved = ca.jtimes(expression, c.y, along) + ca.jtimes(expression, c.t, ca.SX(1))
        return ca.Function("slope_rate", [c.t, c.y, c.p, along], [ca.densify(ca.jacobian(moved, c.y))])

    @cached_property
    def turning(self) -> ca.Function:
        """Ḣ_y of all conditions."""
        return self.slope_rate(self.held)

    @cached_property
    def momenta(self) -> ca.Function:
        """∂/∂y and ∂/∂u of M v and of its rate h + Ṁ v + Cᵀ λ, with λ held, Ċᵀ, M v and the rate."""
        c, tau = self.c, ca.SX.sym("tau", len(self.c.rows))
        momentum, carried = c.mass @ c.v, momentum_rate(c, tau)
        gain = c.forces + ca.substitute(carried, tau, ca.SX.zeros(tau.numel())) + c.jacobian.T @ self.push
        slopes = [ca.jacobian(x, of) for x in (momentum, gain) for of in (c.y, self.inputs)]
        return self.function(*slopes, ca.jacobian(carried, tau), momentum, gain)

    @cached_property
    def momenta_turning(self) -> ca.Function:
        """d/dt of ∂(M v)/∂y."""
        return self.slope_rate(self.c.mass @ self.c.v)

    @cached_property
    def moving(self) -> NDArray[np.int64]:
        """Places in y of the numbers that have rates: not those of charts and turns."""
        names, nq, nv = self.c.kinematics.q_names, self.c.q.numel(), self.c.v.numel()
        fixed = {i for i, name in enumerate(names) if name.rsplit(".", 1)[-1].startswith("chart")}
        fixed |= {nq + nv + i for i, state in enumerate(self.c.auxiliaries) if state.role == "turns"}
        return np.array([i for i in range(self.c.y.numel()) if i not in fixed], dtype=int)

    @cached_property
    def scale(self) -> Array:
        """Typical sizes of y, 1 where they are not known."""
        k, c = self.c.kinematics, self.c
        positions = np.ones(c.q.numel()) if c.q.numel() != c.v.numel() else k.scale
        return np.concatenate([positions, k.scale, np.ones(c.s.numel())])

    def about(self, state: Moment) -> Variation:
        """The equations linearised about a state that satisfies its conditions."""
        return Variation(self, state)


class Variation:
    """The variations about one state, as numbers: J, G, E and F of the head of this file."""

    def __init__(self, equations: VariationalEquations, at: Moment) -> None:
        self.equations, self.at = equations, at
        self._nv = equations.c.v.numel()

    @cached_property
    def terms(self) -> tuple[Array, Array, Array, Array]:
        """M, h, C and b."""
        parts = [np.array(x) for x in self.equations.terms.call([self.at.t, self.at.y, self.at.p])]
        if not all(np.all(np.isfinite(part)) for part in parts):
            raise self._undefined(undefined_at(self.equations.c, (self.at.t, self.at.y, self.at.p)))
        mass, forces, jacobian, b = parts
        return mass.reshape(self._nv, self._nv), forces.ravel(), jacobian.reshape(-1, self._nv), b.ravel()

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Rows of C that do not depend on each other."""
        return _independent_columns(POLICY.unit_rows(self.terms[2] * self.equations.c.kinematics.scale)[0].T)

    @property
    def rank(self) -> int:
        """How many conditions on velocities are independent."""
        return len(self.rows)

    @cached_property
    def firmness(self) -> float:
        """The smallest singular value of the independent rows of C, over the largest: little near a singular position."""
        rows = self.terms[2][self.rows] * self.equations.c.kinematics.scale
        sizes = np.linalg.svd(rows, compute_uv=False)
        return float(sizes[-1] / sizes[0]) if sizes.size else 1.0

    @cached_property
    def _system(self) -> Array:
        """[M −Cᵀ; C 0] with independent rows."""
        mass, _, jacobian, _ = self.terms
        rows = jacobian[self.rows]
        self._check_inertia(mass, rows)
        return np.block([[mass, -rows.T], [rows, np.zeros((len(rows), len(rows)))]])

    def _check_inertia(self, mass: Array, rows: Array) -> None:
        """Refuse an admissible motion that meets no inertia."""
        scale = self.equations.c.kinematics.scale
        free = np.linalg.svd(POLICY.unit_rows(rows * scale)[0])[2][len(rows) :].T * scale[:, None]
        found, shapes = np.linalg.eigh(free.T @ mass @ free)
        if found.size and found[0] <= IDLE * found[-1]:
            name = self.equations.c.kinematics.v_names[int(np.argmax(np.abs(free @ shapes[:, 0]) / scale))]
            raise RefusedError(
                f"some motion meets no inertia, and so has no linear equations: '{name}' moves most in it; give the "
                "bodies there a mass or an inertia, or hold the motion by a joint or a driver"
            )

    @cached_property
    def _solved(self) -> Array:
        """[v̇, λ]."""
        return self._divided(np.concatenate([self.terms[1], -self.terms[3][self.rows]]))

    def _divided(self, right: Array) -> Array:
        """What the system has on its left for a right side."""
        try:
            return np.asarray(np.linalg.solve(self._system, right))
        except np.linalg.LinAlgError:
            raise RefusedError(
                f"there are no linear equations at t = {self.at.t:.6g} s: forces and conditions do not determine the "
                "accelerations there, in a singular position or by inertias of very different sizes; diagnose tells more"
            ) from None

    @property
    def vdot(self) -> Array:
        """v̇ at the state."""
        return self._solved[: self._nv]

    @cached_property
    def multipliers(self) -> Array:
        """λ at the state, zero for rows that can be left out."""
        found = np.zeros(len(self.equations.c.rows))
        found[self.rows] = self._solved[self._nv :]
        return found

    def value(self, function: ca.Function) -> list[Array]:
        """What a function of (t, y, p, v̇, λ) gives at the state."""
        found = function.call([self.at.t, self.at.y, self.at.p, self.vdot, self.multipliers])
        return [np.array(x).reshape(function.size_out(i)) for i, x in enumerate(found)]

    @cached_property
    def _parts(self) -> list[Array]:
        found = self.value(self.equations.variations)
        if not all(np.all(np.isfinite(part)) for part in found):
            raise self._undefined(undefined_slope(self.equations.c, (self.at.t, self.at.y, self.at.p)))
        return found

    def _undefined(self, culprit: Undefined | None) -> RefusedError:
        return RefusedError(
            f"there are no linear equations at t = {self.at.t:.6g} s: "
            + ("the equations of motion have no finite derivatives there" if culprit is None else culprit.told())
        )

    @property
    def balance(self) -> tuple[Array, Array]:
        """Derivatives of R by y and u, with v̇ and λ held."""
        return self._parts[0], self._parts[1]

    @property
    def known_rates(self) -> tuple[Array, Array]:
        """Derivatives of ẏ by y and u, with v̇ held."""
        return self._parts[2], self._parts[3]

    @property
    def errors(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Derivatives by y and u of Φ (m, zero for conditions on velocities alone) and of C v + a (m)."""
        m, holonomic = len(self.equations.c.rows), self.equations.c.holonomic
        rates = self._parts[4][len(self._parts[4]) - m :], self._parts[5][len(self._parts[5]) - m :]
        values = np.zeros_like(rates[0]), np.zeros_like(rates[1])
        for found, held in zip(values, self._parts[4:6], strict=True):
            found[:holonomic] = held[:holonomic]
        return values, rates

    @property
    def ydot(self) -> Array:
        """ẏ at the state."""
        return self._parts[6].ravel()

    def _rates(self, balance: Array, ydot: Array) -> Array:
        """Derivatives of ẏ with v̇ eliminated."""
        rows = np.concatenate([np.arange(self._nv), self._nv + self.rows])
        found = ydot.copy()
        first = self.equations.c.q.numel()
        found[first : first + self._nv] = self._divided(-balance[rows])[: self._nv]
        return found

    @cached_property
    def jacobian(self) -> Array:
        """J = ∂ẏ/∂y (n, n)."""
        return self._rates(self._parts[0], self._parts[2])

    @cached_property
    def input_jacobian(self) -> Array:
        """G = ∂ẏ/∂u (n, nu)."""
        return self._rates(self._parts[1], self._parts[3])

    @cached_property
    def independent(self) -> NDArray[np.int64]:
        """Places in y of independent components, found by pivoting: states s first, speeds of independent positions."""
        c, rows = self.equations.c, self._parts[4] * self.equations.scale
        nq, count = c.q.numel(), c.holonomic + len(c.kinematics.identities)
        speeds = np.arange(nq, nq + self._nv)
        others = np.setdiff1d(self.equations.moving, speeds)
        placed = others[
            _independent_columns(POLICY.unit_rows(rows[:count, others] * np.where(others < nq, 1.0, SECOND))[0])
        ]
        paired = np.isin(speeds - nq, placed) if nq == self._nv else np.ones(self._nv, dtype=bool)
        moved = speeds[_independent_columns(POLICY.unit_rows(rows[count:, speeds] * np.where(paired, 1.0, SECOND))[0])]
        return np.setdiff1d(self.equations.moving, np.concatenate([placed, moved]))

    def _followed(self, given: Array) -> Array:
        """Variations of y (n, k) with δξ = 0 and H_y δy + given = 0."""
        found, scale = np.zeros((len(self.at.y), given.shape[1])), self.equations.scale
        dependent = np.setdiff1d(self.equations.moving, self.independent)
        if dependent.size:
            rows, sizes = POLICY.unit_rows(self._parts[4][:, dependent] * scale[dependent])
            beside = POLICY.rank / (float(np.linalg.norm(rows, 2)) or 1.0)
            found[dependent] = scale[dependent, None] * np.linalg.lstsq(rows, -given / sizes[:, None], beside)[0]
        return found

    @cached_property
    def _tangent(self) -> tuple[Array, Array]:
        chosen = self.independent
        found = self._followed(np.hstack([self._parts[4][:, chosen], self._parts[5]]))
        basis, shift = found[:, : len(chosen)], found[:, len(chosen) :]
        basis[chosen, np.arange(len(chosen))] = 1.0
        return basis, shift

    @property
    def basis(self) -> Array:
        """E = ∂y/∂ξ (n, k), zero for charts and turns."""
        return self._tangent[0]

    @property
    def ways(self) -> Array:
        """E with ξ in units of the coordinates."""
        return self.basis * self.equations.scale[self.independent]

    @property
    def shift(self) -> Array:
        """F = ∂y/∂u (n, nu) with ξ held."""
        return self._tangent[1]

    def slope_rate(self, function: ca.Function) -> Array:
        """What a ``slope_rate`` of the equations is along the motion."""
        return np.array(function(self.at.t, self.at.y, self.at.p, self.ydot)).reshape(function.size_out(0))

    @cached_property
    def basis_rate(self) -> Array:
        """Ė (n, k): how the tangent turns along the motion."""
        return self._followed(self.slope_rate(self.equations.turning) @ self.basis)


def _independent_columns(matrix: Array) -> NDArray[np.int64]:
    """Columns that span those of the matrix, by pivoting."""
    if not matrix.size:
        return np.zeros(0, dtype=int)
    triangle, order = qr(matrix, mode="r", pivoting=True)[:2]
    pivots = np.abs(np.diag(triangle))
    return np.sort(order[: POLICY.count(pivots)])
