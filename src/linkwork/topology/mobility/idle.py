"""Motions that meet no inertia: which body, along or about which axis, and which joint coordinates move in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linkwork.numerics.matrices.long_rows import AnyRows, row_of, stacked
from linkwork.numerics.policy import POLICY
from linkwork.position.condition_rows import condition_rows
from linkwork.position.drives import Drives
from linkwork.position.geometry import Array, Pose
from linkwork.position.inertia import body_inertia
from linkwork.position.poses import PoseConditions
from linkwork.position.rank import null_space

SHARE = 1e-3  # of the largest part of a motion: less is none


@dataclass(frozen=True)
class IdleMotion:
    """A motion of a body without inertia: its freedom in words, and the joint coordinates that move."""

    body: str
    freedom: str
    coordinates: tuple[str, ...]

    def __str__(self) -> str:
        moved = f" ({', '.join(self.coordinates)})" if self.coordinates else ""
        return f"{self.freedom}{moved}"


def idle_motion(
    drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, body: str
) -> IdleMotion | None:
    """The admissible motion without kinetic energy in which a body moves most; None where there is none."""
    rows = condition_rows(drives, conditions, poses, p)
    motions = _idle(conditions, poses, p, stacked([rows.all, rows.rolling]))
    k, d = conditions.space.freedoms, conditions.space.dimension
    place = conditions.bodies.index(body)
    parts = motions[:, place * k : (place + 1) * k]
    if not len(parts) or float(np.max(np.abs(parts))) < SHARE:
        return None
    # the one combination in which this body moves most
    left = np.linalg.svd(parts)[0][:, 0]
    motion = left @ motions
    own = motion[place * k : (place + 1) * k]
    joints = {(name, f.name) for name, joint in drives.model.joints.items() for f in joint.freedoms}
    moved = {
        f"{reading.element}.{reading.name}": abs(float(row_of(rows.readings, i) @ motion))
        for i, reading in enumerate(conditions.readings)
        if (reading.element, reading.name) in joints
    }
    most = max(moved.values(), default=0.0)
    names = tuple(name for name, size in moved.items() if size > SHARE * most and most > SHARE)
    return IdleMotion(body, _freedom(own[:d], own[d:]), names)


def _idle(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, rows: AnyRows) -> Array:
    """Admissible velocities δ̇ (k, size) without kinetic energy."""
    free = null_space(rows).T
    energies, shapes = np.linalg.eigh(free @ body_inertia(conditions, poses, p) @ free.T)
    largest = max(float(energies[-1]), 0.0) if energies.size else 0.0
    chosen = energies <= POLICY.unresisted * largest if largest > 0.0 else np.ones(len(energies), dtype=bool)
    return np.asarray(shapes[:, chosen].T @ free)


def _freedom(velocity: Array, omega: Array) -> str:
    """The motion of a body in words: a rotation where it turns, else a translation."""
    if float(np.linalg.norm(omega)) > SHARE * max(float(np.linalg.norm(velocity)), 1e-300):
        return "rotation" if omega.size == 1 else f"rotation about {_direction(omega)}"
    return f"translation along {_direction(velocity)}"


def _direction(vector: Array) -> str:
    unit = vector / float(np.linalg.norm(vector))
    lead = unit[int(np.argmax(np.abs(unit) > SHARE))]
    unit = np.round(unit * np.sign(lead), 4) + 0.0
    return f"[{', '.join(f'{part:g}' for part in unit)}]"
