"""The graph of a mechanism: its bodies, its joints with their twists at one position, and which joints are in no loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import casadi as ca
import numpy as np

from linkwork.elements.joints import FREE
from linkwork.numerics.policy import POLICY
from linkwork.position.geometry import GROUND, Geometry, JointGeometry, Pose
from linkwork.position.poses import PoseConditions
from linkwork.topology.plan.blocks import Array, Edge, LinearRelation, Network, Tie
from linkwork.topology.plan.pins import find_pins


def bridges(network: Network) -> list[str]:
    """Joints whose removal takes the mechanism apart: they are in no loop.

    A joint on the way out of a search in depth is one where nothing behind it leads back before it: in as many steps as
    there are joints (R. Tarjan, *A note on finding the bridges of a graph*, Information Processing Letters 2, 1974).
    """
    near, found = _neighbours(network), set[str]()
    order: dict[str, int] = {}
    back: dict[str, int] = {}  # the earliest body to which something from here on leads
    for root in near:
        if root in order:
            continue
        order[root] = back[root] = len(order)
        way = [(root, "", iter(near[root]))]
        while way:
            body, came, further = way[-1]
            for other, edge in further:
                if other not in order:
                    order[other] = back[other] = len(order)
                    way.append((other, edge, iter(near[other])))
                    break
                if edge != came:
                    back[body] = min(back[body], order[other])
            else:
                way.pop()
                if way:
                    inner = way[-1][0]
                    back[inner] = min(back[inner], back[body])
                    if back[body] > order[inner]:
                        found.add(came)
    return [name for name in network.edges if name in found]


def _neighbours(network: Network) -> dict[str, list[tuple[str, str]]]:
    """Of each body those beside it, with the joint between them; bodies of a tie are beside what stands for it."""
    near: dict[str, list[tuple[str, str]]] = {}
    ties = [(f"{tie.name}\n{body}", body, f"{tie.name}\n") for tie in network.ties for body in tie.bodies]
    for name, one, other in [*((edge.name, edge.first, edge.second) for edge in network.edges.values()), *ties]:
        near.setdefault(one, []).append((other, name))
        near.setdefault(other, []).append((one, name))
    return near


def build_network(
    conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, relations: Sequence[LinearRelation]
) -> Network:
    """The graph of a mechanism with the twists of its joints at given poses; a body without a way to the ground is free."""
    geometry = conditions.geometry
    values = conditions.readings_at(poses, p)
    edges = {name: _edge(conditions, joint, poses, p, values) for name, joint in geometry.joints.items()}
    for body in _floating(geometry):
        free = np.eye(6)[[2, 3, 4]] if geometry.space.planar else np.eye(6)
        edges[body] = Edge(body, GROUND, body, FREE.letter, free)
    # by names: a plan does not depend on the order of a file
    return Network(
        GROUND,
        tuple(sorted(geometry.bodies)),
        dict(sorted(edges.items())),
        tuple(sorted(relations, key=lambda relation: relation.name)),
        tuple(sorted(_ties(conditions, poses, p), key=lambda tie: tie.name)),
        geometry.space.planar,
        find_pins(geometry, conditions.length),
    )


def _ties(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Iterator[Tie]:
    """The relations between bodies, with what is left of their rows when their own unknowns are eliminated."""
    if not conditions.geometry.relations:
        return
    jacobian = conditions.evaluate(poses, p)[1]
    k = conditions.space.freedoms
    parts = [2, 3, 4] if conditions.space.planar else list(range(6))
    for name, relation in conditions.geometry.relations.items():
        rows = jacobian[[i for i, label in enumerate(conditions.labels) if label.element == name]]
        if not len(rows) or name in conditions.geometry.heavy:
            continue  # it restricts velocities only, or its own motion decides
        left, sizes, _ = np.linalg.svd(rows[:, conditions.moving :])
        rows = left[:, POLICY.count(sizes) :].T @ rows
        bodies = tuple(dict.fromkeys(relation.bodies))
        by_body = {}
        for body in bodies:
            if body != GROUND:
                i = conditions.bodies.index(body)
                turned = np.linalg.inv(displacement_twist(conditions, poses[body])[parts])
                by_body[body] = rows[:, i * k : (i + 1) * k] @ turned
        # what is tied to the world is tied to the ground
        rest: Array = -np.sum(list(by_body.values()), axis=0)
        if np.any(np.abs(rest) > POLICY.rank):
            by_body[GROUND] = rest
        unknowns = tuple((name, i) for i in range(len(relation.unknowns)))
        yield Tie(name, tuple(dict.fromkeys((*bodies, *by_body))), unknowns, len(rows), by_body)


def displacement_twist(conditions: PoseConditions, pose: Pose) -> Array:
    """Twist (6) about the origin of the world, lengths in units of the mechanism, from δ̇ of a body with this pose."""
    d, k = conditions.space.dimension, conditions.space.freedoms
    origin = np.zeros(3)
    origin[:d] = pose.origin / conditions.length
    matrix = np.zeros((6, k))
    matrix[3 : 3 + d, :d] = np.eye(d)
    for i, axis in enumerate((2,) if d == 2 else (0, 1, 2)):
        omega = np.eye(3)[axis]
        matrix[:3, d + i] = omega
        matrix[3:, d + i] = -np.cross(omega, origin)
    return matrix


def _floating(geometry: Geometry) -> list[str]:
    """The body of every group that no joint connects with the ground with which its tree begins."""
    reached: set[str] = set()
    near: dict[str, list[str]] = {}
    for joint in geometry.joints.values():
        near.setdefault(joint.parent, []).append(joint.child)
        near.setdefault(joint.child, []).append(joint.parent)

    def spread(start: str) -> None:
        rim = [start]
        while rim:
            body = rim.pop()
            reached.add(body)
            rim += [other for other in near.get(body, ()) if other not in reached]

    spread(GROUND)
    found = []
    for name in geometry.outward:
        if name not in reached:
            found.append(name)
            spread(name)
    return found


def _edge(conditions: PoseConditions, joint: JointGeometry, poses: Mapping[str, Pose], p: Array, values: Array) -> Edge:
    geometry, space = conditions.geometry, conditions.space

    def frame(body: str, local: ca.SX, axes: ca.SX) -> tuple[Array, Array]:
        origin, turn = np.atleast_1d(geometry.number(local, p)), np.atleast_2d(geometry.number(axes, p))
        pose = poses.get(body)
        return (origin, turn) if pose is None else (pose.point(origin), pose.axes @ turn)

    _, axes = frame(joint.parent, joint.a.origin, joint.a.axes)
    origin, _ = frame(joint.child, joint.b.origin, joint.b.axes)
    q = _measured(conditions, joint, values)
    columns = joint.kind.columns(space, q)
    translation, rotation = (geometry.number(item, p).reshape(item.shape) for item in columns)
    d, place = space.dimension, np.zeros(3)
    place[:d] = origin / conditions.length
    twists = np.zeros((translation.shape[1], 6))
    for i in range(len(twists)):
        # lengths in units of the mechanism; of a mere slide the direction counts
        unit = conditions.length if np.any(rotation[:, i]) else 1.0
        twists[i, 3 : 3 + d] = axes @ translation[:, i] / unit
        twists[i, :3] = [0.0, 0.0, rotation[0, i]] if space.planar else axes @ rotation[:, i]
        twists[i, 3:] -= np.cross(twists[i, :3], place)
    pivots = (
        ((joint.child, joint.parent) if joint.kind.shares_point else (joint.child,)) if joint.kind.spins(space) else ()
    )
    return Edge(joint.name, joint.parent, joint.child, joint.kind.letter, twists, pivots)


def _measured(conditions: PoseConditions, joint: JointGeometry, values: Array) -> ca.SX:
    """Coordinates of a joint, from the values of all readings; the attitude of one with spins is neutral."""
    space, q = conditions.space, joint.kind.neutral(conditions.space)
    for i, freedom in enumerate(joint.kind.scalars(space)):
        q[i] = values[conditions.index(joint.name, freedom.name)]
    return q
