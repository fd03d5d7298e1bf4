"""Assembly: poses in which all joints are closed, by damped steps (``newton.py``), and velocities that agree with them.

Which poses are sought, and from where, is said in ``placing.py``; velocities are found in ``velocities.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.errors import AssemblyError
from linkwork.numerics.matrices.long_rows import AnyRows, row_of, stacked
from linkwork.numerics.policy import POLICY
from linkwork.outline import outlined
from linkwork.position.geometry import Array, Pose
from linkwork.position.newton import DAMPED, System, descend, followed
from linkwork.position.poses import PoseConditions, Poses, wrap
from linkwork.position.preference import Preference
from linkwork.position.rank import free_rows, null_space

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

    def row(self, rates: AnyRows) -> Array:
        """The sum of rows (r × size), with all its zeros."""
        return np.asarray(sum(factor * row_of(rates, reading) for reading, factor in self.terms))

    def size(self, units: Array) -> float:
        """What the sum is where every reading (r) is one of its units."""
        return sum(abs(factor) * float(units[reading]) for reading, factor in self.terms)


@outlined
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
    ways: tuple[str, ...] = ()  # which way was taken out of a sketch at a dead centre

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of it."""
        return *self.redrawn, *self.ways, *self.changed


def close_joints(
    conditions: PoseConditions, p: Array, start: Poses, targets: Sequence[Target], limit: int = DAMPED.most
) -> tuple[dict[str, Pose], int | None, int]:
    """Damped steps up to a limit; returns the poses, the worst row where it stays open, and how many steps were tried."""
    poses, system = dict(start), system_of(conditions, p, targets)
    if not followed(*system(poses)):
        poses = conditions.move(poses, np.random.default_rng(0).uniform(-NUDGE, NUDGE, conditions.size))
        phi, rows = system(poses)
        if not followed(phi, rows):
            return dict(start), int(np.argmax(np.nan_to_num(np.abs(phi), nan=np.inf))), 0
    found = descend(conditions, system, poses, replace(DAMPED, most=limit))
    return found.poses, None if found.closed else int(np.argmax(np.abs(found.residual))), found.taken


def system_of(conditions: PoseConditions, p: Array, targets: Sequence[Target]) -> System:
    """The conditions of all joints, and of what is asked for."""
    evaluate, asked = conditions.evaluator(p), [target.reading for target in targets]
    wanted, units = np.array([target.value for target in targets]), conditions.units[asked]
    wraps = np.array([conditions.readings[i].wraps for i in asked], dtype=bool)

    def system(poses: Poses) -> tuple[Array, AnyRows]:
        phi, jacobian, values, rates = evaluate.rows(poses)
        if not asked:
            return phi, jacobian
        gaps = values[asked] - wanted
        gaps = np.where(wraps, wrap(gaps), gaps / units)
        return np.concatenate([phi, gaps]), stacked([jacobian, rates[asked] / units[:, None]])

    return system


def independent_readings(
    conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target], preferred: Preference
) -> list[int]:
    """Readings that the closed joints and the targets leave free, preferred ones, as many as there are freedoms."""
    _, jacobian = system_of(conditions, p, targets)(poses)
    rates, free = conditions.rows(poses, p)[3], null_space(jacobian)
    order = preferred.order(rates @ free / conditions.units[:, None])
    return free_rows(free, rates, [i for i in order if not conditions.readings[i].rate_only])


def check_bounds(conditions: PoseConditions, poses: Poses, p: Array) -> None:
    """Refuse a position in which a relation has ended."""
    for (name, end), room in zip(conditions.ends, conditions.rooms(poses, p), strict=True):
        if room < -POLICY.closed * conditions.length:
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
