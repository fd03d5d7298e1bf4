"""The inertia of all bodies at given poses, for the small displacements of the conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from linkwork.position.geometry import Array, Geometry, Pose
from linkwork.position.poses import PoseConditions


def body_inertia(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """Mass matrix of all bodies, and of unknowns of relations, for δ̇ (size × size)."""
    return _together(conditions, body_inertias(conditions, poses, p), own_inertias(conditions, p))


def own_inertias(conditions: PoseConditions, p: Array) -> Array:
    """Masses of the unknowns of relations, for δ̇ of each."""
    found: list[float] = []
    for unknown in (unknown for unknowns in conditions.own.values() for unknown in unknowns):
        scale = conditions.length if unknown.is_length else 1.0
        mass = 0.0 if unknown.mass is None else float(conditions.geometry.number(unknown.mass, p))
        found.append(scale**2 * mass)
    return np.array(found)


def body_inertias(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """Mass matrices of the bodies, each for δ̇ of its own (count × k × k)."""
    geometry: Geometry = conditions.geometry

    def matter(name: str) -> tuple[float, Array]:
        body = geometry.bodies[name].kind.drawn
        inertia = np.atleast_2d(geometry.number(body.inertia, p))
        turned = inertia if conditions.space.planar else poses[name].axes @ inertia @ poses[name].axes.T
        return float(geometry.number(body.mass, p)), turned

    return _inertias(conditions, poses, p, matter)


def unit_inertia(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """That of bodies of one mass and one radius of gyration, the size of the mechanism, and 1 for other unknowns."""
    spins = np.eye(conditions.space.rotations)
    blocks = _inertias(conditions, poses, p, lambda name: (conditions.length**-2, spins))
    return _together(conditions, blocks, np.ones(conditions.size - conditions.moving))


def _together(conditions: PoseConditions, blocks: Array, own: Array) -> Array:
    """The matrix with blocks of the bodies, and with numbers of the unknowns of relations behind them."""
    total, k = np.zeros((conditions.size, conditions.size)), conditions.space.freedoms
    for i, block in enumerate(blocks):
        total[i * k : (i + 1) * k, i * k : (i + 1) * k] = block
    behind = range(conditions.moving, conditions.size)
    total[behind, behind] = own
    return total


def _inertias(
    conditions: PoseConditions,
    poses: Mapping[str, Pose],
    p: Array,
    matter: Callable[[str], tuple[float, Array]],
) -> Array:
    """The mass matrices of bodies with given masses and moments of inertia (world axes)."""
    d, k = conditions.space.dimension, conditions.space.freedoms
    blocks = np.zeros((len(conditions.bodies), k, k))
    for i, (name, body) in enumerate(conditions.geometry.bodies.items()):
        mass, inertia = matter(name)
        arm = poses[name].axes @ np.atleast_1d(conditions.geometry.number(body.centre, p))
        if d == 2:
            sweep = np.array([[-arm[1]], [arm[0]]])
        else:
            sweep = -np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        # velocity of the centre of mass from δ̇
        centre = np.hstack([conditions.length * np.eye(d), sweep])
        blocks[i] = mass * centre.T @ centre
        blocks[i, d:, d:] += inertia
    return blocks
