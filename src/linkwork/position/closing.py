"""Four ways to close all joints from a sketch: φ(x) = 0 by Newton's method and its relatives.

    newton          δ = −J⁺ φ, full steps
    damped          the same, halved until |φ| falls
    least_squares   (JᵀJ + μ) δ = −Jᵀφ, with μ → 0 as |φ| falls
    continuation    φ(x) = (1 − τ) φ(x₀), followed from the sketch, τ = 0, to τ = 1

J. García de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, Springer 1994, sections 3.1 and 3.4;
μ after K. Levenberg (1944). Steps are of least length, so that redundant conditions and freedoms do no harm.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.position.assembly import close_joints
from linkwork.position.geometry import Array
from linkwork.position.poses import PoseConditions, Poses
from linkwork.position.rank import least_solution

CLOSED = 1e-12
ENOUGH = 1e-10  # where it falls no further
MOST = 100
NEARLY = 1e-6  # step of continuation after which it goes on
LONGEST = 1.0  # step of continuation, rad or part of the size
Closing = Callable[[PoseConditions, Array, Poses], tuple[Poses, int, float]]


def close_by(method: str, conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    """Poses near the *start*, how many iterations they took, and the largest residual that is left."""
    return CLOSINGS[method](conditions, p, start)


def _newton(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    poses, size = start, np.inf
    for taken in range(MOST):
        phi, rows = conditions.evaluate(poses, p)[:2]
        new = float(np.max(np.abs(phi), initial=0.0))
        if new < CLOSED or not np.isfinite(new) or (new >= size and new < ENOUGH):
            return poses, taken, new
        poses, size = conditions.move(poses, -least_solution(rows, phi)), new
    return poses, MOST, size


def _damped(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    poses, _, taken = close_joints(conditions, p, start, ())
    # what is left is taken by full steps
    closed, more, left = _newton(conditions, p, poses)
    return closed, taken + more, left


def _least_squares(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    poses, damping = start, 1e-3
    phi, rows = conditions.evaluate(poses, p)[:2]
    for taken in range(MOST):
        size = float(np.linalg.norm(phi))
        if not phi.size or size < CLOSED:
            return poses, taken, size
        normal = rows.T @ rows + damping * np.eye(conditions.size)
        trial = conditions.move(poses, -_array(np.linalg.solve(normal, rows.T @ phi)))
        miss, slope = conditions.evaluate(trial, p)[:2]
        if float(np.linalg.norm(miss)) < size:
            poses, phi, rows, damping = trial, miss, slope, max(damping / 10, 1e-13)
        elif size < ENOUGH:
            return poses, taken, size
        else:
            damping *= 10
    return poses, MOST, float(np.max(np.abs(phi)))


def _continuation(conditions: PoseConditions, p: Array, start: Poses) -> tuple[Poses, int, float]:
    phi = conditions.evaluate(start, p)[0]
    poses, done, share, taken = start, 0.0, 0.25, 0
    while done < 1.0 and share > 1e-4:
        share = min(share, 1.0 - done)
        wanted = (1.0 - done - share) * phi
        trial, steps = _correct(conditions, p, poses, wanted)
        taken += steps
        if trial is None:
            share /= 2
            continue
        poses, done, share = trial, done + share, 2 * share
    poses, steps, left = _newton(conditions, p, poses) if done >= 1.0 else (poses, 0, np.inf)
    return poses, taken + steps, left


def _correct(conditions: PoseConditions, p: Array, poses: Poses, wanted: Array) -> tuple[Poses | None, int]:
    """φ(x) = wanted in the sense of least squares (redundant conditions may differ), within a few iterations and near."""
    for taken in range(8):
        phi, rows = conditions.evaluate(poses, p)[:2]
        step = least_solution(rows, phi - wanted)
        size = float(np.max(np.abs(step), initial=0.0))
        if size < NEARLY:
            return poses, taken
        if size > LONGEST:
            break
        poses = conditions.move(poses, -step)
    return None, 8


def _array(values: object) -> Array:
    return np.asarray(values, dtype=np.float64)


CLOSINGS: dict[str, Closing] = {
    "newton": _newton,
    "damped": _damped,
    "least_squares": _least_squares,
    "continuation": _continuation,
}
