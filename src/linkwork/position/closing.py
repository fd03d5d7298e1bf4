"""Four ways to close all joints from a sketch: φ(x) = 0 by Newton's method and its relatives.

    newton          δ = −J⁺ φ, full steps
    damped          the same, halved until |φ| falls
    least_squares   (JᵀJ + μ) δ = −Jᵀφ, with μ → 0 as |φ| falls
    continuation    φ(x) = (1 − τ) φ(x₀), followed from the sketch, τ = 0, to τ = 1

J. García de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, Springer 1994, sections 3.1 and 3.4;
μ after K. Levenberg (1944). All are ways of one iteration (``newton.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from linkwork.arrays import Array
from linkwork.position.assembly import close_joints
from linkwork.position.newton import FULL, LEAST_SQUARES, Descent, descend
from linkwork.position.poses import PoseConditions, Poses

SHORT = Descent(most=8, falling=False, longest=np.inf, leap=1.0, small=1e-6)  # of continuation: a few steps, and near
PoseClosing = Callable[[PoseConditions, Array, Poses], tuple[Poses, int, float]]


def close_by(method: str, conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    """Poses near the *start*, how many iterations they took, and the largest residual that is left."""
    return CLOSINGS[method](conditions, p, start)


def _along(way: Descent) -> PoseClosing:
    """The iteration along one way."""

    def close(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
        evaluate = conditions.evaluator(p)
        found = descend(conditions, lambda poses: evaluate(poses)[:2], start, way)
        return found.poses, found.taken, found.left

    return close


def _damped(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    poses, _, taken = close_joints(conditions, p, start, ())
    # what is left is taken by full steps
    closed, more, left = _along(FULL)(conditions, p, poses)
    return closed, taken + more, left


def _continuation(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    evaluate = conditions.evaluator(p)
    phi = evaluate(start)[0]
    poses, done, share, taken = start, 0.0, 0.25, 0
    while done < 1.0 and share > 1e-4:
        share = min(share, 1.0 - done)
        wanted = (1.0 - done - share) * phi

        def system(poses: Poses, wanted: Array = wanted) -> tuple[Array, Array]:
            # redundant constraints may differ
            found, rows = evaluate(poses)[:2]
            return found - wanted, rows

        found = descend(conditions, system, poses, SHORT)
        taken += found.taken
        if not found.ended:
            share /= 2
            continue
        poses, done, share = found.poses, done + share, 2 * share
    if done < 1.0:
        return poses, taken, np.inf
    poses, steps, left = _along(FULL)(conditions, p, poses)
    return poses, taken + steps, left


CLOSINGS: dict[str, PoseClosing] = {
    "newton": _along(FULL),
    "damped": _damped,
    "least_squares": _along(replace(LEAST_SQUARES, most=100)),
    "continuation": _continuation,
}
