"""One iteration for all positions: φ(x) = 0, or |φ| as small as can be, by Newton's method and its relatives.

    μ = 0:  δ = −J⁺ φ                   of least length, so that redundant constraints and freedoms do no harm
    μ > 0:  (JᵀJ + μ) δ = −Jᵀ φ        where such steps lead nowhere, or from the beginning

and x ← x ⊕ h δ with the first h = 1, ½, ¼, ... at which |φ| falls, or with h = 1 whatever it does. What differs between
those who ask is data: a ``Descent``. K. Levenberg (1944) for μ; J. García de Jalón, E. Bayo, *Kinematic and Dynamic
Simulation of Multibody Systems*, Springer 1994, section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkwork.numerics.matrices.long_rows import AnyRows, is_finite
from linkwork.numerics.policy import POLICY
from linkwork.position.geometry import Array, Pose
from linkwork.position.poses import PoseConditions, Poses
from linkwork.position.rank import least_solution

ROUNDING = 1e-15  # residual of which nothing is left
QUICK = 0.1  # part that a step of Newton's method leaves of a residual near a regular position
FLIPPED = 1e6  # residual of a condition so near to the wrong way round that it has no slope to follow
SETTLED = 1e-9  # relative change of a residual that ends the search, where it is no rounding error
LARGE = 1e-6  # residual that is none
FELT = 1e-14  # of the sum of all squares: what may be left of them in a direction where there are none
System = Callable[[Poses], tuple[Array, AnyRows]]
"""φ (m) and J (m × size) at some poses."""


@dataclass(frozen=True)
class Descent:
    """How to go about it.

    most: steps; falling: whether |φ| must fall; trials: lengths h that are tried for one step
    longest: a longer step is shortened; leap: a longer one ends the search, as it leads elsewhere
    damping: μ to begin with; strongest: μ at which it gives up; followed: singular values of directions that are left alone
    small: a shorter step ends the search
    """

    most: int = 200
    falling: bool = True
    trials: int = 30
    longest: float = 0.5
    leap: float = np.inf
    damping: float = 0.0
    strongest: float = 1.0
    followed: float = POLICY.followed
    small: float = 0.0


FULL = Descent(most=100, falling=False, longest=np.inf)
DAMPED = Descent()
LEAST_SQUARES = Descent(trials=1, longest=np.inf, damping=1e-3, strongest=1e8)


@dataclass(frozen=True, eq=False)
class Arrival:
    """Where the iteration has come: poses, φ there, how many steps were tried, and whether these have come to their end."""

    poses: dict[str, Pose]
    residual: Array
    taken: int
    ended: bool

    @property
    def left(self) -> float:
        """The largest residual."""
        return float(np.max(np.abs(self.residual), initial=0.0))

    @property
    def closed(self) -> bool:
        """Whether all conditions hold."""
        return self.left < POLICY.closed


def descend(conditions: PoseConditions, system: System, start: Poses, way: Descent) -> Arrival:
    """Iterate from *start* until φ is exact, falls no further, or the way says that it is enough."""
    poses, (phi, rows) = dict(start), system(start)
    damping, before = way.damping, np.inf
    for taken in range(way.most):
        size, largest = float(np.linalg.norm(phi)), float(np.max(np.abs(phi), initial=0.0))
        # where links are stretched, steps only halve the error: what is closed is not yet in line
        if largest < ROUNDING or (largest < POLICY.exact and size < QUICK * before):
            return Arrival(poses, phi, taken, True)
        if not np.isfinite(size) or (not way.falling and size >= before and largest < POLICY.closed):
            return Arrival(poses, phi, taken, np.isfinite(size))
        before, step = size, _step(rows, phi, damping, way.followed)
        length = float(np.max(np.abs(step), initial=0.0))
        if length < way.small or length > way.leap:
            return Arrival(poses, phi, taken, length < way.small)
        found = _tried(conditions, system, poses, step * min(1.0, way.longest / max(length, 1e-300)), size, way)
        if found is None:
            if damping >= way.strongest or largest < POLICY.exact:
                return Arrival(poses, phi, taken + 1, True)
            damping = max(10 * damping, 1e-6)
            continue
        damping /= 10
        poses, phi, rows = found
        if way.falling and float(np.linalg.norm(phi)) > size * (1 - SETTLED) and size > LARGE:
            return Arrival(poses, phi, taken + 1, True)
    return Arrival(poses, phi, way.most, False)


def _tried(
    conditions: PoseConditions, system: System, poses: Poses, step: Array, size: float, way: Descent
) -> tuple[dict[str, Pose], Array, AnyRows] | None:
    """The poses behind as much of a step as is wanted, with φ and J there; None where no part of it is any good."""
    scale = 1.0
    for _ in range(way.trials):
        trial = conditions.move(poses, scale * step)
        phi, rows = system(trial)
        if not way.falling or (float(np.linalg.norm(phi)) < size * (1 - 1e-4 * scale) and followed(phi, rows)):
            return trial, phi, rows
        scale /= 2
    return None


def followed(phi: Array, rows: AnyRows) -> bool:
    """Whether conditions have slopes that lead anywhere: no axis points just the wrong way round, no number is undefined."""
    return bool(np.all(np.abs(phi) < FLIPPED) and is_finite(rows))


def _step(rows: AnyRows, phi: Array, damping: float, faint: float) -> Array:
    if damping == 0.0:
        return -least_solution(rows, phi, faint)
    whole = np.asarray(rows)
    normal = whole.T @ whole
    # what a motion does not change must stand out from the rounding errors of what it does
    felt = max(damping, FELT * float(np.trace(normal)))
    return np.asarray(-np.linalg.solve(normal + felt * np.eye(len(normal)), whole.T @ phi), dtype=np.float64)
