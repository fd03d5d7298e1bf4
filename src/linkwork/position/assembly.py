"""Assembly: poses in which all joints are closed, by damped Gauss-Newton steps, and velocities that agree with them.

Which poses are sought, and from where, is said in ``placing.py``; velocities are found in ``velocities.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.errors import AssemblyError
from linkwork.position.geometry import Array, Pose
from linkwork.position.poses import PoseConditions, Poses, wrap
from linkwork.position.preference import Preference
from linkwork.position.rank import free_rows, least_solution

TOLERANCE = 1e-11  # of the size of the mechanism, rad
ROUNDING = 1e-15  # of the same: nothing is left
QUICK = 0.1  # part that a step of Newton's method leaves of a residual near a regular position
FLIPPED = 1e6  # residual of a condition so near to the wrong way round that it has no slope to follow
NUDGE = 1e-3  # rad, or part of the size, by which bodies are moved away from there


@dataclass(frozen=True)
class Target:
    """A reading that must have a value (or a rate), and who asks for it."""

    reading: int
    value: float
    asked_by: str


@dataclass(frozen=True)
class CoupledReadings:
    """A coupling between readings: the sum of factor × reading over its terms is constant."""

    name: str
    terms: tuple[tuple[int, float], ...]

    def of(self, readings: Array) -> Array:
        """The sum, of values (r) or of rows (r × size)."""
        return np.asarray(sum(factor * readings[reading] for reading, factor in self.terms))

    def size(self, units: Array) -> float:
        """What the sum is where every reading (r) is one of its units."""
        return sum(abs(factor) * float(units[reading]) for reading, factor in self.terms)


@dataclass(frozen=True, eq=False)
class Assembly:
    """Poses and velocities of all bodies at the start; velocity and angular velocity in one array (world axes)."""

    poses: dict[str, Pose]
    twists: dict[str, Array]
    residual: float  # largest gap, m
    moved: float  # largest displacement from the sketch, m
    kept: tuple[str, ...]  # coordinates that kept their sketched values
    changed: tuple[
        str, ...
    ] = ()  # speeds of ``initial`` that the closed joints do not allow, and speeds that nobody gave
    given: tuple[str, ...] = ()  # coordinates that ``initial`` gives
    redrawn: tuple[str, ...] = ()  # what was kept, and what was moved, of a sketch that does not close

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of it."""
        return *self.redrawn, *self.changed


def close_joints(
    conditions: PoseConditions, p: Array, start: Poses, targets: Sequence[Target], limit: int = 200
) -> tuple[dict[str, Pose], int | None, int]:
    """Damped Gauss-Newton with steps of least length, up to a limit; returns the poses, the worst row where it stays open,
    and how many steps were tried."""
    poses = dict(start)
    residual, jacobian = _system(conditions, p, poses, targets)
    if not _followed(residual, jacobian):
        poses = conditions.move(poses, np.random.default_rng(0).uniform(-NUDGE, NUDGE, conditions.size))
        residual, jacobian = _system(conditions, p, poses, targets)
        if not _followed(residual, jacobian):
            return dict(start), int(np.argmax(np.nan_to_num(np.abs(residual), nan=np.inf))), 0
    damping, before = 0.0, np.inf
    for taken in range(limit):
        size, largest = float(np.linalg.norm(residual)), float(np.max(np.abs(residual), initial=0.0))
        # where links are stretched, steps only halve the error: what is closed is not yet in line
        if largest < ROUNDING or (largest < TOLERANCE and size < QUICK * before):
            return poses, None, taken
        before = size
        step = _step(jacobian, residual, damping)
        scale = min(1.0, 0.5 / max(float(np.max(np.abs(step))), 1e-300))
        for _ in range(30):
            trial = conditions.move(poses, scale * step)
            new_residual, new_jacobian = _system(conditions, p, trial, targets)
            if float(np.linalg.norm(new_residual)) < size * (1 - 1e-4 * scale) and _followed(
                new_residual, new_jacobian
            ):
                break
            scale /= 2
        else:
            if damping >= 1.0 or largest < TOLERANCE:
                break
            damping = max(10 * damping, 1e-6)
            continue
        damping /= 10
        poses, residual, jacobian = trial, new_residual, new_jacobian
        if float(np.linalg.norm(residual)) > size * (1 - 1e-9) and size > 1e-6:
            break
    worst = int(np.argmax(np.abs(residual)))
    return poses, None if abs(residual[worst]) < 1e3 * TOLERANCE else worst, taken + 1


def _followed(residual: Array, jacobian: Array) -> bool:
    """Whether conditions have slopes that lead anywhere: no axis points just the wrong way round, no number is undefined."""
    return bool(np.all(np.abs(residual) < FLIPPED) and np.all(np.isfinite(jacobian)))


def _system(conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target]) -> tuple[Array, Array]:
    phi, jacobian, values, rates = conditions.evaluate(poses, p)
    rows = [target.reading for target in targets]
    gaps = np.array([values[target.reading] - target.value for target in targets])
    angular = np.array([conditions.readings[i].angular for i in rows], dtype=bool)
    wraps = np.array([conditions.readings[i].wraps for i in rows], dtype=bool)
    gaps = np.where(wraps, wrap(gaps), np.where(angular, gaps, gaps / conditions.length)) if rows else gaps
    extra = rates[rows] / np.where(angular, 1.0, conditions.length)[:, None] if rows else rates[:0]
    return np.concatenate([phi, gaps]), np.vstack([jacobian, extra])


def _step(jacobian: Array, residual: Array, damping: float) -> Array:
    if damping == 0.0:
        return -least_solution(jacobian, residual)
    normal = jacobian.T @ jacobian
    return np.asarray(-np.linalg.solve(normal + damping * np.eye(len(normal)), jacobian.T @ residual), dtype=np.float64)


def independent_readings(
    conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target], preferred: Preference
) -> list[int]:
    """Readings that the closed joints and the targets leave free, preferred ones, as many as there are freedoms."""
    _, jacobian = _system(conditions, p, poses, targets)
    rates = conditions.evaluate(poses, p)[3]
    order = preferred.order(jacobian, rates)
    return free_rows(jacobian, rates, [i for i in order if not conditions.readings[i].rate_only])


def check_bounds(conditions: PoseConditions, poses: Poses, p: Array) -> None:
    """Refuse a position in which a relation has ended."""
    for (name, end), room in zip(conditions.ends, conditions.rooms(poses, p), strict=True):
        if room < -TOLERANCE * conditions.length:
            bodies = " and ".join(bodies_of(conditions, name))
            raise AssemblyError(
                f"relation {name} between {bodies} cannot be closed: the mechanism comes together beyond {end}; "
                "draw the sketch nearer to a position in which it holds"
            )


def bodies_of(conditions: PoseConditions, element: str) -> tuple[str, ...]:
    """The bodies that a joint or a relation connects."""
    if element in conditions.geometry.joints:
        joint = conditions.geometry.joints[element]
        return joint.parent, joint.child
    return tuple(dict.fromkeys(conditions.geometry.relations[element].bodies))
