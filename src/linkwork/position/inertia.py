"""The inertia of all bodies at given poses, for the small displacements of the conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from linkwork.position.geometry import Array, Geometry, Pose
from linkwork.position.poses import PoseConditions


def body_inertia(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """Mass matrix of all bodies, and of unknowns of relations, for δ̇ (size × size)."""
    geometry: Geometry = conditions.geometry

    def matter(name: str) -> tuple[float, Array]:
        body = geometry.bodies[name].kind.drawn
        inertia = np.atleast_2d(geometry.number(body.inertia, p))
        turned = inertia if conditions.space.planar else poses[name].axes @ inertia @ poses[name].axes.T
        return float(geometry.number(body.mass, p)), turned

    total, place = _inertia(conditions, poses, p, matter), conditions.moving
    for unknown in (unknown for unknowns in conditions.own.values() for unknown in unknowns):
        if unknown.mass is not None:
            scale = conditions.length if unknown.is_length else 1.0
            total[place, place] = scale**2 * float(geometry.number(unknown.mass, p))
        place += 1
    return total


def unit_inertia(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """That of bodies of one mass and one radius of gyration, the size of the mechanism, and 1 for other unknowns."""
    spins = np.eye(conditions.space.rotations)
    total = _inertia(conditions, poses, p, lambda name: (conditions.length**-2, spins))
    total[range(conditions.moving, conditions.size), range(conditions.moving, conditions.size)] = 1.0
    return total


def _inertia(
    conditions: PoseConditions,
    poses: Mapping[str, Pose],
    p: Array,
    matter: Callable[[str], tuple[float, Array]],
) -> Array:
    """The mass matrix of bodies with given masses and moments of inertia (world axes)."""
    d, k = conditions.space.dimension, conditions.space.freedoms
    total = np.zeros((conditions.size, conditions.size))
    for i, (name, body) in enumerate(conditions.geometry.bodies.items()):
        mass, inertia = matter(name)
        arm = poses[name].axes @ np.atleast_1d(conditions.geometry.number(body.centre, p))
        if d == 2:
            sweep = np.array([[-arm[1]], [arm[0]]])
        else:
            sweep = -np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        # velocity of the centre of mass from δ̇
        centre = np.hstack([conditions.length * np.eye(d), sweep])
        block = mass * centre.T @ centre
        block[d:, d:] += inertia
        total[i * k : (i + 1) * k, i * k : (i + 1) * k] = block
    return total
