"""Assembly: poses in which all joints are closed, by damped Gauss-Newton steps, and velocities that agree with them.

Which poses are sought, and from where, is said in ``placing.py``. Joints to which no speed is given start at rest, in the
order of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.errors import AssemblyError
from linkwork.topology.geometry import GROUND, Array, Pose
from linkwork.topology.poses import PoseConditions, Poses, wrap

TOLERANCE = 1e-11  # of the size of the mechanism, rad
RANK = 1e-8  # relative size below which a direction counts as dependent
FLIPPED = 1e6  # residual of a condition so near to the wrong way round that it has no slope to follow
NUDGE = 1e-3  # rad, or part of the size, by which bodies are moved away from there


@dataclass(frozen=True)
class Target:
    """A reading that must have a value (or a rate), and who asks for it."""

    reading: int
    value: float
    asked_by: str


@dataclass(frozen=True)
class Relation:
    """A coupling between readings: the sum of factor × reading over its terms is constant."""

    name: str
    terms: tuple[tuple[int, float], ...]

    def of(self, readings: Array) -> Array:
        """The sum, of values (r) or of rows (r × size)."""
        return np.asarray(sum(factor * readings[reading] for reading, factor in self.terms))


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
    ] = ()  # speeds of ``initial`` that the closed joints do not allow, and what was taken instead


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
    damping = 0.0
    for taken in range(limit):
        size = float(np.linalg.norm(residual))
        if residual.size == 0 or float(np.max(np.abs(residual))) < TOLERANCE:
            return poses, None, taken
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
            if damping >= 1.0:
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
        return np.asarray(-np.linalg.lstsq(jacobian, residual, rcond=1e-10)[0], dtype=np.float64)
    normal = jacobian.T @ jacobian
    return np.asarray(-np.linalg.solve(normal + damping * np.eye(len(normal)), jacobian.T @ residual), dtype=np.float64)


def independent_readings(
    conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target], order: Sequence[int]
) -> list[int]:
    """Readings, in *order*, that the closed joints and the targets leave free, as many as there are freedoms."""
    _, jacobian = _system(conditions, p, poses, targets)
    rates = conditions.evaluate(poses, p)[3]
    return free_rows(jacobian, rates, [i for i in order if not conditions.readings[i].rate_only])


def free_rows(rows: Array, candidates: Array, order: Sequence[int]) -> list[int]:
    """The candidates, in *order*, that are linearly independent of *rows* and of each other."""
    basis = row_space(rows)
    chosen = []
    for i in order:
        size = float(np.linalg.norm(candidates[i]))
        if size == 0.0:
            continue
        rest = candidates[i] / size
        for _ in range(2):
            rest = rest - basis.T @ (basis @ rest)
        if np.linalg.norm(rest) > 1e-6:
            chosen.append(i)
            basis = np.vstack([basis, rest / np.linalg.norm(rest)])
    return chosen


def row_space(rows: Array) -> Array:
    if rows.size == 0:
        return np.zeros((0, rows.shape[1]))
    _, sizes, vt = np.linalg.svd(rows, full_matrices=False)
    return vt[sizes > RANK * max(float(sizes[0]), 1e-300)]


def assemble_velocities(
    conditions: PoseConditions,
    p: Array,
    poses: Poses,
    targets: Sequence[Target],
    relations: Sequence[Relation],
    order: Sequence[int],
) -> tuple[dict[str, Array], tuple[str, ...]]:
    """Velocities that keep the joints closed, have the rates asked for, and leave all other joints at rest.

    What drivers ask for must be possible. Speeds of ``initial`` that are not are replaced by the nearest ones that are:
    those with the smallest sum of squares of the changes, lengths in sizes of the mechanism. What has changed is told.
    """
    _, jacobian, _, rates = conditions.evaluate(poses, p)
    gears = [relation.of(rates) for relation in relations]
    rolling, moved = conditions.rate_rows(poses, p)
    driven = [target for target in targets if not target.asked_by.startswith("initial.")]
    given = [target for target in targets if target.asked_by.startswith("initial.")]
    hard = np.vstack([jacobian, rolling, *gears, rates[[target.reading for target in driven]]])
    still = [-conditions.drift(poses, p), -moved, np.zeros(len(gears))]
    due = np.concatenate([*still, [target.value for target in driven]])
    soft, asked = rates[[target.reading for target in given]], np.array([target.value for target in given])
    taken = _nearest(conditions, hard, due, given, soft, asked)
    rows = np.vstack([hard, soft])
    held = free_rows(rows, rates, order)
    system = np.vstack([rows, rates[held]])
    right = np.concatenate([due, taken, np.zeros(len(held))])
    solution = np.linalg.lstsq(system, right, rcond=1e-11)[0] if system.size else np.zeros(conditions.size)
    if not _satisfied(system, solution, right):
        names = ", ".join(dict.fromkeys(target.asked_by for target in targets))
        raise AssemblyError(
            f"the speeds asked for ({names}) contradict each other or the closed loops; "
            "give as many independent speeds as there are freedoms"
        )
    changes = [
        _change(conditions, *item) for item in zip(given, asked, taken, strict=True) if abs(item[1] - item[2]) > 0.0
    ]
    return conditions.twists(solution), tuple(changes)


def _nearest(
    conditions: PoseConditions, hard: Array, due: Array, given: Sequence[Target], soft: Array, asked: Array
) -> Array:
    """The rates asked for where *hard* x = *due* allows them, else the nearest that it allows."""
    if not given:
        return asked
    rows, right = np.vstack([hard, soft]), np.concatenate([due, asked])
    if _satisfied(rows, np.linalg.lstsq(rows, right, rcond=1e-11)[0], right):
        return asked
    scale = np.array([1.0 if conditions.readings[target.reading].angular else conditions.length for target in given])
    start = np.linalg.lstsq(hard, due, rcond=1e-11)[0] if hard.size else np.zeros(conditions.size)
    space = row_space(hard)
    free = np.eye(conditions.size) - space.T @ space
    left = (asked - soft @ start) / scale
    move = free @ np.linalg.lstsq(soft @ free / scale[:, None], left, rcond=1e-9)[0]
    return np.asarray(soft @ (start + move))


def _satisfied(system: Array, solution: Array, right: Array) -> bool:
    gap = np.abs(system @ solution - right)
    return not gap.size or float(np.max(gap)) <= 1e-8 * max(1.0, float(np.max(np.abs(right), initial=0.0)))


def _change(conditions: PoseConditions, target: Target, asked: float, taken: float) -> str:
    unit = "rad/s" if conditions.readings[target.reading].angular else "m/s"
    return (
        f"{target.asked_by} = {asked:.6g} {unit} does not agree with the other speeds and the closed joints: "
        f"{taken:.6g} {unit} taken"
    )


def check_bounds(conditions: PoseConditions, poses: Poses, p: Array) -> None:
    """Refuse a position in which a relation has ended."""
    frames = {GROUND: conditions.geometry.ground_frame} | {name: poses[name].frame() for name in conditions.bodies}
    for name, relation in conditions.geometry.relations.items():
        own = ca.SX(ca.DM(poses[name].origin)) if name in conditions.own else ca.SX(0, 1)
        for bound in relation.bounds(frames, own):
            if float(conditions.geometry.number(bound.room, p)) < -TOLERANCE * conditions.length:
                bodies = " and ".join(bodies_of(conditions, name))
                raise AssemblyError(
                    f"relation {name} between {bodies} cannot be closed: the mechanism comes together beyond {bound.end}; "
                    "draw the sketch nearer to a position in which it holds"
                )


def bodies_of(conditions: PoseConditions, element: str) -> tuple[str, ...]:
    """The bodies that a joint or a relation connects."""
    if element in conditions.geometry.joints:
        joint = conditions.geometry.joints[element]
        return joint.parent, joint.child
    return tuple(dict.fromkeys(conditions.geometry.relations[element].bodies))
