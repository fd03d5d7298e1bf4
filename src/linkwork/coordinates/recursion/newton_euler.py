"""The forces of a given motion by recursion along the spanning tree, Newton and Euler from body to body.

Outwards the velocities and accelerations (``outward``), inwards the wrenches (García de Jalón and Bayo, section 6.2.6; Luh,
Walker and Paul, 1980):

    f = m a_G + Σ f',   n = I α + ω × I ω + r × m a_G + Σ (n' + d' × f'),   e = Uᵀ f + Wᵀ n,

with gravity as an upward acceleration of the ground.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import casadi as ca

from linkwork.coordinates.recursion.outward import TreeBody, matter_of, upward
from linkwork.coordinates.tree import TreeJoint
from linkwork.position.geometry import GROUND, Geometry

SpatialPair = tuple[ca.SX, ca.SX]
"""A vector and a rotation vector."""


def forces_of(geometry: Geometry, joints: Sequence[TreeJoint], bodies: Mapping[str, TreeBody], a: ca.SX) -> ca.SX:
    """What v̇ = a (n) takes along the coordinates of a tree under its weight (n)."""
    _, felt = motions_and_loads(geometry, joints, bodies, a)
    return ca.vertcat(ca.SX(0, 1), *(efforts_in(bodies[joint.outboard], felt[joint.outboard]) for joint in joints))


def efforts_in(body: TreeBody, load: SpatialPair) -> ca.SX:
    """Uᵀ f + Wᵀ n."""
    return body.columns[0].T @ load[0] + body.columns[1].T @ load[1]


def motions_and_loads(
    geometry: Geometry, joints: Sequence[TreeJoint], bodies: Mapping[str, TreeBody], a: ca.SX
) -> tuple[dict[str, SpatialPair], dict[str, SpatialPair]]:
    """Of all bodies where v̇ = a: acceleration and angular acceleration, those of the ground too; what their inboard joints
    feel, f and n.
    """
    space = geometry.space
    accelerations = {GROUND: (upward(geometry), ca.SX(space.rotations, 1))}
    loads: dict[str, SpatialPair] = {}
    for joint in joints:
        body = bodies[joint.outboard]
        own = a[list(joint.index)] if joint.index else ca.SX(0, 1)
        carried = body.moving_outwards(space, *accelerations[joint.inboard])
        velocity, turning = (x + column @ own for x, column in zip(carried, body.columns, strict=True))
        accelerations[joint.outboard] = velocity, turning
        matter = matter_of(geometry, joint.outboard, bodies)
        loads[joint.outboard] = matter.wrench(space, velocity, turning, body.omega)
    for joint in reversed(joints):
        if joint.inboard in loads:
            felt = bodies[joint.outboard].inwards(space, *loads[joint.outboard])
            f0, n0 = loads[joint.inboard]
            loads[joint.inboard] = f0 + felt[0], n0 + felt[1]
    return accelerations, loads
