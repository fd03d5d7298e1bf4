"""Multipliers of a known motion by penalties (García de Jalón and Bayo, eq. 6.107; here M v̇ = h + Cᵀ λ):

    λ* = −α (Φ̈ + 2 μ Ω Φ̇ + Ω² Φ),    (M + Cᵀ α C) v̇ = h − Cᵀ α (b + 2 μ Ω Φ̇ + Ω² Φ).

With α = 1e7 about six digits of it are right. Corrections as in the augmented Lagrangian method (eq. 5.51), with
the same matrix,

    (M + Cᵀ α C) v̇ = h + Cᵀ (λ* − α (b + ...)),    λ* ← λ* − α (C v̇ + b + ...),

make it exact, and then moderate penalties are best, since rounding errors grow with α.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import RefusedError

REFINED = 2  # solutions of the equations in every correction
ENOUGH = 1e-8  # relative change of the last correction above which the multipliers are not found


@dataclass(frozen=True)
class PenaltyEstimate:
    """Penalties *alpha* relative to the largest mass, *omega* in 1/s; at most *corrections* of the multipliers, until
    they change by less than *tolerance*, relative."""

    alpha: float = 1e3
    omega: float = 10.0
    mu: float = 1.0
    corrections: int = 500
    tolerance: float = 1e-13

    def __post_init__(self) -> None:
        wrong = [] if 0.0 < self.alpha < np.inf else [f"alpha = {self.alpha} must be positive"]
        for option in ("omega", "mu", "corrections", "tolerance"):
            if not 0.0 <= getattr(self, option) < np.inf:
                wrong.append(f"{option} = {getattr(self, option)} must not be negative")
        if wrong:
            raise RefusedError(f"penalties: {'; '.join(wrong)}")

    def multipliers(self, mass: Array, jacobian: Array, forces: Array, curvature: Array) -> Array:
        """λ (N, m) of N states, in sizes of the coordinates: M (N, nv, nv), C (N, m, nv), h (N, nv), b + ... (N, m)."""
        found = np.zeros(curvature.shape)
        if not found.size:
            return found
        alpha = self.alpha * np.abs(np.einsum("nii->ni", mass)).max(axis=-1, initial=1e-300)[:, None]
        transposed = jacobian.swapaxes(-1, -2)
        matrix = mass + alpha[..., None] * transposed @ jacobian
        self._check(matrix)
        inverse, vdot, step = np.linalg.inv(matrix), np.zeros(forces.shape), np.inf
        for _ in range(self.corrections + 1):
            for _ in range(REFINED):  # what is left of the equations, so that their condition does no harm
                pushed = np.einsum("nij,nj->ni", transposed, found - alpha * _along(jacobian, vdot, curvature))
                left = forces + pushed - np.einsum("nij,nj->ni", mass, vdot)
                vdot = vdot + np.einsum("nij,nj->ni", inverse, left)
            change = alpha * _along(jacobian, vdot, curvature)
            found = found - change
            before, step = step, float(np.max(np.abs(change) / _size(found), initial=0.0))
            if step <= self.tolerance or (step < ENOUGH and step > 0.5 * before):  # nothing but rounding errors is left
                break
        if self.corrections and step > ENOUGH:
            raise RefusedError(
                f"penalties: after {self.corrections} corrections the multipliers still change by {step:.2g} of their size; "
                f"take a larger alpha than {self.alpha:g}, or more corrections"
            )
        return found

    def _check(self, matrix: Array) -> None:
        if np.any(np.linalg.cond(matrix) > 1e15):
            raise RefusedError(
                "penalties: some motion of the mechanism has no inertia and is held by nothing; 'virtual_power' works"
            )


def _along(jacobian: Array, vdot: Array, curvature: Array) -> Array:
    """Φ̈ with its damping."""
    return np.asarray(np.einsum("nij,nj->ni", jacobian, vdot) + curvature)


def _size(found: Array) -> Array:
    return np.maximum(np.abs(found).max(axis=-1, keepdims=True, initial=0.0), 1e-300)
