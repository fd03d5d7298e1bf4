"""M of a tree by composite bodies, in the axes of its joints: what moves with a joint counts as one rigid body.

From the tips inwards the mass m, the first moment c and the inertia I of all that a joint carries, about the origin of its
frame; a column (t, r) of the joint takes the wrench

    f = m t + r × c,   n = I r + c × t,

which every joint between it and the ground feels. Source: Featherstone, *Rigid Body Dynamics Algorithms*, chapter 6;
García de Jalón and Bayo, section 8.1.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.coordinates.recursion.outward import TreeBody, go_outwards, matter_of
from linkwork.coordinates.tree import TreeJoint
from linkwork.position.geometry import Geometry

CompositeMoments = tuple[ca.SX, ca.SX, ca.SX]
"""m, c and I."""


def mass_matrix(geometry: Geometry, joints: Sequence[TreeJoint], bodies: Mapping[str, TreeBody]) -> ca.SX:
    """M (n × n), zero between joints of which none carries the other."""
    space, n = geometry.space, sum(len(joint.index) for joint in joints)
    carried = _carried(geometry, joints, bodies)
    inward = {joint.outboard: joint for joint in joints}
    columns = {joint.outboard: bodies[joint.outboard].columns for joint in joints}
    entries: dict[tuple[int, int], ca.SX] = {}
    for joint in reversed(joints):
        for k, column in enumerate(joint.index):
            outer, (f, moment) = joint, _wrench(space, carried[joint.outboard], columns[joint.outboard], k)
            _fill(entries, column, outer.index, columns[outer.outboard], f, moment)
            while outer.inboard in inward:
                f, moment = bodies[outer.outboard].inwards(space, f, moment)
                outer = inward[outer.inboard]
                _fill(entries, column, outer.index, columns[outer.outboard], f, moment)
    rows, found = ([place[i] for place in entries] for i in (0, 1))
    return ca.SX.triplet(rows, found, ca.vertcat(ca.SX(0, 1), *entries.values()), n, n)


def own_inertias(geometry: Geometry, joints: Sequence[TreeJoint]) -> ca.SX:
    """The diagonal of M (n): what a joint carries resists it alone, in operations linear in the number of bodies."""
    space, bodies, found = geometry.space, go_outwards(geometry, joints), list[ca.SX]()
    carried = _carried(geometry, joints, bodies)
    for joint in joints:
        t, r = columns = bodies[joint.outboard].columns
        for k in range(len(joint.index)):
            f, moment = _wrench(space, carried[joint.outboard], columns, k)
            found.append(ca.dot(t[:, k], f) + ca.dot(r[:, k], moment))
    return ca.vertcat(ca.SX(0, 1), *found)


def _carried(
    geometry: Geometry, joints: Sequence[TreeJoint], bodies: Mapping[str, TreeBody]
) -> dict[str, CompositeMoments]:
    """By outboard bodies, what moves with their joints."""
    space = geometry.space
    carried = {joint.outboard: matter_of(geometry, joint.outboard, bodies).about(space) for joint in joints}
    for joint in reversed(joints):
        if joint.inboard in carried:
            moved = _moved(space, carried[joint.outboard], bodies[joint.outboard])
            m0, first0, inertia0 = carried[joint.inboard]
            carried[joint.inboard] = m0 + moved[0], first0 + moved[1], inertia0 + moved[2]
    return carried


def _wrench(space: Space, moments: CompositeMoments, columns: tuple[ca.SX, ca.SX], k: int) -> tuple[ca.SX, ca.SX]:
    """f and n of a column."""
    (m, first, inertia), (t, r) = moments, (item[:, k] for item in columns)
    return m * t + space.turn(r, first), inertia @ r + space.moment(first, t)


def _moved(space: Space, moments: CompositeMoments, body: TreeBody) -> CompositeMoments:
    """The same about the origin of the inboard body, in its axes."""
    m, first, inertia = moments
    near = body.step @ (body.back.T @ first)
    turned = space.rotate_inertia(body.step, space.rotate_inertia(body.back.T, inertia))
    return m, near + m * body.arm, space.shift_inertia(turned, m, near, body.arm)


def _fill(
    entries: dict[tuple[int, int], ca.SX],
    column: int,
    rows: Sequence[int],
    columns: tuple[ca.SX, ca.SX],
    f: ca.SX,
    moment: ca.SX,
) -> None:
    for k, row in enumerate(rows):
        if row <= column or row not in rows:
            entry = ca.dot(columns[0][:, k], f) + ca.dot(columns[1][:, k], moment)
            if row == column or not entry.is_zero():
                entries[row, column] = entries[column, row] = entry
