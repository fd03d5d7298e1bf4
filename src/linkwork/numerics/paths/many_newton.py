"""Newton's method on many systems Φ(q; x) = 0 of one kind at once, each going its own way:

    q ← q ⊕ h δ,   δ = −Gᵀ (G Gᵀ + ε)⁻¹ Φ,   G = ∂Φ/∂q,

with steps of least length, in which redundant constraints and freedoms are fine, and h so that none is too long. Far from a
solution steps may be damped, (GᵀG + |Φ|² 1) δ = −GᵀΦ: they keep from jumping over solutions with little room around them
(K. Levenberg, 1944). What differs between those who ask is data: a ``ManyDescent``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.matrices.many_matrices import pseudo_inverse
from linkwork.numerics.policy import POLICY

Mask = NDArray[np.bool_]
StepsOf = Callable[[Array, Array], Array]
"""δ (N × n) from G (N × m × n) and Φ (N × m)."""
DEPENDENT = -12.0  # logarithm of the mean factor of a determinant below which conditions count as redundant

QUICK = 0.01  # part of a step that the next may have at any rate
VOLUME = 3.0  # times which the distance from a singular position may change in a step


@dataclass(frozen=True, eq=False)
class ManySystems:
    """residual(q, x): Φ (N × m) and ∂Φ/∂δ (N × m × n) for unknowns (N × nq) and data (N × k); move(q, δ): q ⊕ δ (N × nq).

    scale (n): sizes of δ that count as one
    """

    residual: Callable[[Array, Array], tuple[Array, Array]]
    move: Callable[[Array, Array], Array]
    scale: Array


def least_steps(slope: Array, phi: Array) -> Array:
    """δ of least length with G δ = −Φ; ε makes up for conditions that repeat others."""
    turned = slope.transpose(0, 2, 1)
    wide = slope.shape[1] <= slope.shape[2]
    square = slope @ turned if wide else turned @ slope
    square += 1e-13 * np.trace(square, axis1=1, axis2=2)[:, None, None] * np.eye(square.shape[1])
    right = phi[:, :, None] if wide else turned @ phi[:, :, None]
    try:
        found = np.linalg.solve(square, right)
    except np.linalg.LinAlgError:
        found = np.linalg.pinv(square) @ right
    return np.asarray(-(turned @ found if wide else found)[:, :, 0])


def exact_steps(slope: Array, phi: Array, faint: float = POLICY.followed) -> Array:
    """The same by singular values of rows of length one; directions of those below *faint* are left alone."""
    rows, sizes = POLICY.unit_rows(slope)
    return np.asarray(-(pseudo_inverse(rows, np.full(len(rows), faint)) @ (phi / sizes)[:, :, None])[:, :, 0])


def damped_steps(slope: Array, phi: Array, near: float) -> Array:
    """Damped where residuals are larger than *near*."""
    turned, close = slope.transpose(0, 2, 1), np.max(np.abs(phi), axis=1, initial=0.0) < near
    damping = np.maximum(np.sum(phi**2, axis=1), POLICY.exact)[:, None, None] * np.eye(slope.shape[2])
    steps = -np.linalg.solve(turned @ slope + damping, turned @ phi[:, :, None])[:, :, 0]
    steps[close] = exact_steps(slope[close], phi[close])
    return np.asarray(steps)


@dataclass(frozen=True)
class ManyDescent:
    """How to go about it.

    most: iterations; slow: those in which the residual must fall to a half
    longest: step, and farthest: way, in units of the scale; enough: the residual that is taken where it falls no further
    contraction: the part of the first step that the second may have, where the solution must be the one that the beginning
    leads to. A quarter leaves room for no other, and the parts Θ of further steps are Θ² (P. Deuflhard, Newton Methods for
    Nonlinear Problems, 2004, 2.1.1)
    """

    most: int = 30
    slow: int = 6
    longest: float = 0.5
    farthest: float = 1.0
    enough: float = POLICY.stalled
    steps: StepsOf = least_steps
    contraction: float = np.inf

    def next_ratio(self, ratio: Array) -> Array:
        """The part of a step that the next may have, by the part that it has of the one before; 0 of a first one."""
        if not np.isfinite(self.contraction):
            return np.full_like(ratio, np.inf)
        return np.where(ratio == 0.0, self.contraction, np.maximum(2 * ratio**2, QUICK))

    def shortened(self, slope: Array, phi: Array) -> Array:
        """Steps (N × n) none of which is too long."""
        steps = self.steps(slope, phi)
        length = np.max(np.abs(steps), axis=1, keepdims=True, initial=0.0)
        return np.asarray(steps * np.minimum(1.0, self.longest / np.maximum(length, 1e-300)))


def descend_many(systems: ManySystems, q: Array, x: Array, way: ManyDescent) -> tuple[Array, Mask, Mask]:
    """Solutions near q, which of them were found, and which of those to be found lie in another branch."""
    q, ok, crossed = q.copy(), np.zeros(len(q), dtype=bool), np.zeros(len(q), dtype=bool)
    first: Array | None = None
    active, travelled = np.arange(len(q)), np.zeros((len(q), len(systems.scale)))
    best, since = np.full(len(q), np.inf), np.zeros(len(q), dtype=int)
    lengths, ratios = np.full(len(q), np.inf), np.full(len(q), np.inf)
    for _ in range(way.most):
        phi, slope = systems.residual(q[active], x[active])
        size = np.max(np.abs(phi), axis=1, initial=0.0)
        # what falls no further has arrived where rounding errors end
        stalls = (size > 0.5 * best[active]) & (size < way.enough)
        arrived = (size < POLICY.exact) | stalls
        first = slope if first is None else first
        other = np.zeros(int(arrived.sum()), dtype=bool)
        if np.isfinite(way.contraction):
            other = _passed(first[active[arrived]], slope[arrived])
        ok[active[arrived]], crossed[active[arrived]] = ~other, other
        fell = size < 0.5 * best[active]
        since[active] = np.where(fell, 0, since[active] + 1)
        best[active] = np.where(fell, size, best[active])
        stay = ~arrived & np.isfinite(size) & (since[active] < way.slow)
        active = active[stay]
        if not len(active):
            break
        step = way.shortened(slope[stay] * systems.scale, phi[stay])
        travelled[active] += step
        near = np.max(np.abs(travelled[active]), axis=1, initial=0.0) < way.farthest
        length = np.linalg.norm(step, axis=1)
        ratio = length / lengths[active]
        near &= (ratio <= ratios[active]) | (length < way.enough)
        lengths[active], ratios[active] = length, way.next_ratio(ratio)
        crossed[active[~near]] = True
        active, step = active[near], step[near]
        q[active] = systems.move(q[active], step * systems.scale)
    return q, ok, crossed


def _passed(first: Array, last: Array) -> Mask:
    """Whether a singular position lies between two slopes (N × m × n) of independent conditions, or may do so.

    Where branches meet, the sign of det(G G₀ᵀ) is the same on the other one; but there the volume √det(G Gᵀ) vanishes: both
    ends must be about as far from it.
    """
    wide = last.shape[1] <= last.shape[2]

    def volume(a: Array, b: Array) -> tuple[Array, Array]:
        return np.linalg.slogdet(a @ b.transpose(0, 2, 1) if wide else b.transpose(0, 2, 1) @ a)

    sign, size = volume(last, first)
    change = volume(last, last)[1] - volume(first, first)[1]
    # conditions that are redundant have no determinant
    least = DEPENDENT * min(last.shape[1:])
    return np.asarray((size > least) & ((sign < 0) | (np.abs(change) > 2 * np.log(VOLUME))))
