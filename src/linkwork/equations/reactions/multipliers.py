"""The multipliers λ of all conditions, M v̇ = h + Cᵀ λ, and what they are in physics.

Three ways to get them, whatever the formulation was (García de Jalón and Bayo, sections 6.2.2 to 6.2.5):

    least_norm            Cᵀ λ = M v̇ − h (eq. 6.102), of least norm where conditions are redundant
    constraint_variation  a unit rate of one condition, C v* = e, has the power λ = v*ᵀ (M v̇ − h) (eq. 6.114)
    penalty               the estimate λ* = −α (Φ̈ + 2 μ Ω Φ̇ + Ω² Φ) of the penalty method (eq. 6.107)

The book solves (6.104), (6.105) by Φ_qᵀ Φ_q, which has an inverse only where drivers hold all freedoms; here singular values
are used. Its λ have the opposite sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.penalty import Penalty, penalties
from linkwork.equations.reactions.balance import DRIFT, OPEN
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.matrices.many_matrices import pseudo_inverse
from linkwork.numerics.policy import POLICY

ALL_MULTIPLIER_SCHEMES: Mapping[str, str] = {
    "least_norm": "least squares, of least norm where conditions are redundant",
    "constraint_variation": "virtual power with a unit rate of one condition after the other",
    "penalty": "the estimate of the penalty method",
}


@dataclass(frozen=True, eq=False)
class ConditionForces:
    """Of N states, in forces alone: C (N, m, nv), the load M v̇ − h (N, nv), factors of λ (m), and what is zero (N)."""

    jacobian: Array
    load: Array
    weights: Array
    zero: Array

    @property
    def open(self) -> NDArray[np.bool_]:
        """(N, m): multipliers that change with the solution."""
        reached = self.jacobian @ pseudo_inverse(self.jacobian, self.zero)
        return np.asarray(np.abs(reached - np.eye(reached.shape[-1])).max(axis=-1, initial=0.0) > OPEN)


def conditions_function(c: Coordinates, vdot: ca.SX) -> ca.Function:
    """M, h, C, b, Φ, Φ̇ and the factors that make physics of λ, as a function of (t, [y, v̇], p)."""
    factors = ca.vertcat(ca.SX(0, 1), *[row.meaning.factor for row in c.rows])
    outputs = {"M": c.mass, "h": c.forces, "C": c.jacobian, "b": c.b, "phi": c.phi, "rate": c.jacobian @ c.v + c.a}
    return make_function("conditions", c, outputs | {"factors": factors}, vdot)


def scaled_conditions(c: Coordinates, parts: Mapping[str, Array], vdot: Array) -> ConditionForces:
    """From the outputs of ``conditions_function``; velocities and residuals count in metres."""
    weights, scale = np.array([row.weight for row in c.rows]), c.kinematics.scale / c.kinematics.length
    load = scale * ((parts["M"] @ vdot[..., None]) - parts["h"])[..., 0]
    jacobian = weights[:, None] * parts["C"] * scale
    error = np.abs(weights * parts["phi"][..., 0]).max(axis=-1, initial=0.0) / c.kinematics.length
    sizes = np.linalg.norm(jacobian, axis=(-2, -1)) if jacobian.size else np.ones(len(load))
    return ConditionForces(jacobian, load, weights, np.maximum(POLICY.rank, DRIFT * error) * sizes)


def solve_multipliers(scheme: str, c: Coordinates, parts: Mapping[str, Array], vdot: Array, penalty: Array) -> Array:
    """λ (N, m); *penalty*: the α (m) of the estimate."""
    if scheme not in ALL_MULTIPLIER_SCHEMES:
        hint = did_you_mean(scheme, list(ALL_MULTIPLIER_SCHEMES))
        raise RefusedError(f"unknown scheme of multipliers '{scheme}'; {hint}")
    if scheme == "penalty":
        return _estimate(parts, penalty)
    held = scaled_conditions(c, parts, vdot)
    if scheme == "least_norm":
        inverse = pseudo_inverse(held.jacobian.swapaxes(-1, -2), held.zero)
        return held.weights * np.asarray((inverse @ held.load[..., None])[..., 0])
    return held.weights * _vary(held)


def _vary(held: ConditionForces) -> Array:
    """v* of every condition by one factorisation of C and the motions that it allows, which are given no rate."""
    n, m, nv = held.jacobian.shape
    if held.open.any():
        raise RefusedError(
            "multipliers by 'constraint_variation': conditions are redundant, and no motion varies one alone; "
            "'least_norm' works"
        )
    motions = np.linalg.svd(held.jacobian)[2][:, m:]
    matrix = np.concatenate([held.jacobian, motions], axis=1)
    rates = np.concatenate([np.eye(m), np.zeros((nv - m, m))])
    virtual = np.linalg.solve(matrix, np.broadcast_to(rates, (n, nv, m)))
    return np.einsum("nik,ni->nk", virtual, held.load)


def _estimate(parts: Mapping[str, Array], penalty: Array) -> Array:
    """λ* with the accelerations of the penalty method, (M + Cᵀ α C) v̇ = h − Cᵀ α (b + 2 μ Ω Φ̇ + Ω² Φ)."""
    chosen = Penalty()
    curvature = parts["b"] + 2 * chosen.omega * chosen.mu * parts["rate"] + chosen.omega**2 * parts["phi"]
    pushed = parts["C"].swapaxes(-1, -2) * penalty
    vdot = np.linalg.solve(parts["M"] + pushed @ parts["C"], parts["h"] - pushed @ curvature)
    return np.asarray(-penalty * (parts["C"] @ vdot + curvature)[..., 0])


def estimate_penalties(c: Coordinates, t: float, y: Array, p: Array) -> Array:
    """The α (m) of the penalty method at a typical state."""
    return penalties(c, Penalty().alpha, t, y, p)
