"""Equations of implicit stages, as functions for ``numerics/kernels/constrained/implicit.py``.

An implicit integrator asks for the state at the end of a stage, y = ŷ + τ ẏ, with ŷ and τ given; positions may have a τ_q
of their own. For the trapezoidal rule both are h/2 and ŷ = y + τ ẏ at the start of the step (García de Jalón and Bayo,
eqs. 8.127 to 8.129). The velocities v are the unknowns, because positions need not have as many components: q is found from

    q = q̂ + τ_q T(q) v,   δq = τ_q W T δv,   W = (1 − τ_q ∂(T v)/∂q)⁻¹

by Newton's method in the small blocks of W, and returned to its manifold where it has one; own states s likewise with τ.
Where q̇ = v this is q = q̂ + τ_q v, and Newton's method on v is the one of the literature on q, its matrix divided by τ_q.

    place: (t, [q, v, s, ŷ, τ, τ_q, longest τ, λ*], p) → [q, s, q̇]
    stage: (t, [q, v, s, ŷ, τ, τ_q, longest τ, λ*], p) → [r, u, largest error of Φ in metres, A, U]

with the forces u of the penalties, the residual r = f + Cᵀ (u + λ*), its tangent A by the velocities and U = ∂u/∂v. The
tangent is exact, or quasi: then only applied forces and the conditions themselves are differentiated, but neither C, nor M,
nor inertia forces and weight (eqs. 8.133 and 8.134).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.linear import solve_linear
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.terms import make_function

TANGENTS = ("quasi", "exact")


@dataclass(frozen=True, eq=False)
class Stage:
    """Symbols of a stage: ŷ in its parts, τ, τ_q, λ*; derivatives of q (nq × nv) and s (ns × nv) by v."""

    coordinates: Coordinates
    q_hat: ca.SX
    v_hat: ca.SX  # of velocities or of momenta
    s_hat: ca.SX
    tau: ca.SX
    tau_q: ca.SX
    longest: ca.SX  # τ so far: the last step of a run may be shorter
    raised: ca.SX
    q_slope: ca.SX
    s_slope: ca.SX

    @property
    def behind(self) -> ca.SX:
        """What stands behind y in the arguments of the functions."""
        return ca.vertcat(self.q_hat, self.v_hat, self.s_hat, self.tau, self.tau_q, self.longest, self.raised)

    def slope(self, expression: ca.SX) -> ca.SX:
        """d/dv of an expression of q, v and s."""
        c = self.coordinates
        found = ca.jacobian(expression, c.v)
        if c.q.numel():
            found += ca.jacobian(expression, c.q) @ self.q_slope
        return found + ca.jacobian(expression, c.s) @ self.s_slope if c.s.numel() else found


@dataclass(frozen=True, eq=False)
class StageTerms:
    """What a formulation says: f (nv) and u (m), with their quasi tangents (nv × nv) and (m × nv)."""

    residual: ca.SX
    residual_slope: ca.SX
    penalty: ca.SX
    penalty_slope: ca.SX


def open_stage(c: Coordinates) -> Stage:
    """The symbols of a stage."""
    q_hat, v_hat = ca.SX.sym("q_hat", c.q.numel()), ca.SX.sym("v_hat", c.v.numel())
    s_hat, tau, tau_q = ca.SX.sym("s_hat", c.s.numel()), ca.SX.sym("tau"), ca.SX.sym("tau_q")
    raised = ca.SX.sym("raised", len(c.rows))
    rates = c.kinematics.rates
    q_slope = tau_q * ca.jacobian(rates, c.v)
    if c.kinematics.retract is not None:
        q_slope = ca.jacobian(_settled(c, c.q), c.q) @ (_inverse(_implicit(rates, c.q, tau_q)) @ q_slope)
    s_slope = ca.SX(c.s.numel(), c.v.numel())
    acting = [i for i, state in enumerate(c.auxiliaries) if state.role != "turns"]
    if acting:
        change = ca.jacobian(c.s_rates, c.v) + ca.jacobian(c.s_rates, c.q) @ q_slope
        all_of_them = tau * (_inverse(_implicit(c.s_rates, c.s, tau)) @ change)
        # an angle does not depend on the counter of its turns
        s_slope[acting, :] = all_of_them[acting, :]
    return Stage(c, q_hat, v_hat, s_hat, tau, tau_q, ca.SX.sym("longest"), raised, q_slope, s_slope)


def stage_functions(stage: Stage, terms: StageTerms, tangent: str) -> dict[str, ca.Function]:
    """The functions *place* and *stage*."""
    c = stage.coordinates
    residual = terms.residual
    if c.rows:
        residual += c.jacobian.T @ (terms.penalty + stage.raised)
    if tangent == "exact":
        slope, matrix = stage.slope(terms.penalty), stage.slope(residual)
    else:
        slope, matrix = terms.penalty_slope, terms.residual_slope
        if c.rows:
            matrix += c.jacobian.T @ slope
    outputs = {"r": residual, "u": terms.penalty, "error": _largest_error(c), "A": matrix, "U": slope}
    return {
        "place": make_function("place", c, _places(stage), stage.behind),
        "stage": make_function("stage", c, outputs, stage.behind),
    }


def applied_slope(stage: Stage) -> ca.SX:
    """d/dv of the applied forces, weight and inertia forces left out (nv × nv)."""
    return stage.slope(stage.coordinates.loading.generalised)


def is_symmetric(stage: Stage, tangent: str) -> bool:
    """Whether the tangent is symmetric whatever the state."""
    return tangent == "quasi" and applied_slope(stage).nnz() == 0


def _places(stage: Stage) -> dict[str, ca.SX]:
    """q and s corrected once, and the rates of the q found."""
    c, tau, tau_q, rates = stage.coordinates, stage.tau, stage.tau_q, stage.coordinates.kinematics.rates
    q = stage.q_hat + tau_q * rates
    if c.kinematics.retract is not None:
        open_by = c.q - stage.q_hat - tau_q * rates
        q = _settled(c, c.q - _inverse(_implicit(rates, c.q, tau_q)) @ open_by)
    s = c.s - _inverse(_implicit(c.s_rates, c.s, tau)) @ (c.s - stage.s_hat - tau * c.s_rates) if c.s.numel() else c.s
    return {"q": q, "s": s, "rates": ca.substitute(rates, c.q, q) if c.q.numel() else rates}


def _settled(c: Coordinates, q: ca.SX) -> ca.SX:
    """Positions returned to their manifold."""
    assert c.kinematics.retract is not None
    at_rest = ca.substitute(c.kinematics.retract, c.v, ca.SX.zeros(c.v.shape))
    return ca.substitute(at_rest, c.q, q)


def _implicit(rates: ca.SX, unknowns: ca.SX, tau: ca.SX) -> ca.SX:
    """1 − τ ∂rates/∂unknowns."""
    return ca.SX.eye(unknowns.numel()) - tau * ca.jacobian(rates, unknowns)


def _inverse(matrix: ca.SX) -> ca.SX:
    """The inverse of a matrix that falls into small blocks."""
    n = matrix.shape[0]
    found = ca.SX(n, n)
    for block in _blocks(matrix):
        found[block, block] = solve_linear(ca.densify(matrix[block, block]), ca.SX.eye(len(block)))[0]
    return found


def _blocks(matrix: ca.SX) -> list[list[int]]:
    """Sets of unknowns that depend on each other."""
    pattern = matrix.sparsity()
    count, order, first = (pattern + pattern.T).scc()
    return sorted(sorted(order[first[k] : first[k + 1]]) for k in range(count))


def _largest_error(c: Coordinates) -> ca.SX:
    """In metres; 0 without conditions on positions."""
    largest = ca.SX(0)
    for row in c.rows[: c.holonomic]:
        largest = ca.fmax(largest, ca.fabs(row.residual) * row.weight)
    return largest
