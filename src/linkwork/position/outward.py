"""Bodies placed one after the other: where no joint closes a loop, a position needs no iteration.

Outward from the ground the frame of every body follows from that of the body before it,

    T_child = T_parent A M(q) B⁻¹,

with the frames A and B of the joint between them in parent and child, and its motion M at its coordinates q: those that are
asked for, and all others as they are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from linkwork.numerics.policy import POLICY
from linkwork.position.assembly import Target, system_of
from linkwork.position.geometry import GROUND, Array, Geometry, JointGeometry, Pose
from linkwork.position.poses import PoseConditions, Poses, wrap
from linkwork.position.preference import Preference


def outward_joints(geometry: Geometry) -> list[JointGeometry] | None:
    """The joints in an order in which one body of each is known; None where relations or loops hold bodies, or where joints
    connect bodies that float."""
    touching: dict[str, list[JointGeometry]] = {name: [] for name in (GROUND, *geometry.bodies)}
    for joint in geometry.joints.values():
        touching[joint.parent].append(joint)
        touching[joint.child].append(joint)
    reached, rim, found = {GROUND}, [GROUND], []
    for body in rim:
        for joint in touching[body]:
            other = joint.child if joint.parent == body else joint.parent
            if other not in reached:
                reached.add(other)
                rim.append(other)
                found.append(joint)
    return found if len(found) == len(geometry.joints) and not geometry.relations else None


def place_outward(
    conditions: PoseConditions, p: Array, sketch: Poses, targets: Sequence[Target]
) -> dict[str, Pose] | None:
    """The poses with all joints closed and the values asked for; None where there are loops, or where values are asked for
    that are no coordinates of joints, or one twice. A sketch that is right already stays as it is."""
    joints, asked = outward_joints(conditions.geometry), [target.reading for target in targets]
    readings = conditions.readings
    own = all(readings[i].element in conditions.geometry.joints and not readings[i].rate_only for i in asked)
    if joints is None or not own or len(set(asked)) < len(asked):
        return None
    if float(np.max(np.abs(system_of(conditions, p, targets)(sketch)[0]), initial=0.0)) < POLICY.exact:
        return dict(sketch)
    values = conditions.readings_at(conditions.geometry.as_drawn(sketch), p)
    for target in targets:
        gap = target.value - values[target.reading]
        # of an angle the turn nearest to the sketch
        values[target.reading] += wrap(gap) if readings[target.reading].wraps else gap
    return _walk(conditions, p, sketch, joints, values)


def held_outward(preferred: Preference, targets: Sequence[Target]) -> list[int] | None:
    """The readings that bodies placed so keep as drawn, in their order; None where a joint leaves attitudes free."""
    conditions, asked = preferred.conditions, {target.reading for target in targets}
    readings, joints = conditions.readings, conditions.geometry.joints
    if any(joint.kind.spins(conditions.space) for joint in joints.values()):
        return None
    jointed = {body for joint in joints.values() for body in (joint.parent, joint.child)}
    held = [i for i, item in enumerate(readings) if not (item.element in jointed or item.rate_only or i in asked)]
    return sorted(held, key=lambda i: (preferred.places[i], readings[i].element, readings[i].name))


def _walk(
    conditions: PoseConditions, p: Array, sketch: Poses, joints: Sequence[JointGeometry], values: Array
) -> dict[str, Pose]:
    geometry = conditions.geometry
    placed = dict(zip([GROUND], geometry.numbers([geometry.ground_frame], p), strict=True))
    motions = [
        joint.kind.motion(conditions.space, _coordinates(conditions, p, sketch, joint, values)) for joint in joints
    ]
    frames = geometry.numbers([frame for joint in joints for frame in geometry.seated(joint, sketch)] + motions, p)
    for i, joint in enumerate(joints):
        a, b, motion = frames[2 * i], frames[2 * i + 1], frames[2 * len(joints) + i]
        if joint.parent in placed:
            placed[joint.child] = placed[joint.parent] @ a @ motion @ b.inverse()
        else:
            placed[joint.parent] = placed[joint.child] @ b @ motion.inverse() @ a.inverse()
    return {name: placed.get(name, pose) for name, pose in sketch.items()}


def _coordinates(conditions: PoseConditions, p: Array, sketch: Poses, joint: JointGeometry, values: Array) -> ca.SX:
    """The coordinates of a joint: its values, and an attitude as it is drawn."""
    space, own = conditions.space, joint.kind.scalars(conditions.space)
    scalars = ca.SX([values[conditions.index(joint.name, freedom.name)] for freedom in own])
    if not joint.kind.spins(space):
        return scalars
    numbers = conditions.geometry.numbers([joint.a, joint.b], p)
    a, b = (
        (sketch[body] @ frame if body in sketch else frame).frame()
        for body, frame in zip((joint.parent, joint.child), numbers, strict=True)
    )
    return ca.vertcat(scalars, joint.kind.positions(space, a, b)[len(own) :])
