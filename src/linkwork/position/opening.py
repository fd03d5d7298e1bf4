"""A loop that does not close: by how much at least, in which position, and which side is too long for it.

Asked only when assembly has failed. The least opening of a loop is found with all of it at one joint: the conditions of the
others are held with a large weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linkwork.position.geometry import Array, JointGeometry, Pose
from linkwork.position.newton import LEAST_SQUARES, descend
from linkwork.position.poses import PoseConditions, Poses

HELD = 1e3  # weight of the conditions of all other joints
LEAST = replace(LEAST_SQUARES, most=300, longest=0.5)  # to the least opening
NONE = 1e-6  # of the size of the mechanism: an opening that is none
NAMED = 4  # coordinates of the nearest pose
STRETCHED = 1e-12  # of the lengths of a loop: a difference that is one of rounding
PINS = ("R", "G")  # joints that keep two points together


def loop_text(conditions: PoseConditions, p: Array, poses: Poses, joint: str) -> str:
    """The loop of a joint that stays open, by how much at least, where that is, and which link is too long for it."""
    loop = loop_of(conditions, joint)
    if loop is None:
        return ""
    joints, bodies = loop
    nearest, gap = least_opening(conditions, p, poses, joint)
    if gap < NONE * conditions.length:
        return ""
    values = conditions.readings_at(nearest, p)
    places = [
        f"{reading.element}.{reading.name} {_rounded(float(values[i]), reading.angular)}"
        for i, reading in enumerate(conditions.readings)
        if reading.element in joints and reading.element != joint and not reading.rate_only
    ]
    where = f" (nearest: {', '.join(places[:NAMED])})" if places else ""
    cause = f"check the lengths of {_listed(bodies)}, or draw the sketch nearer to a position in which they fit"
    side = _too_long(conditions, p, joints, bodies)
    if side is not None:
        gap, cause = side
    return f"by at least {gap:.4g} m: the loop {' - '.join(joints)} does not close{where}; {cause}"


def _rounded(value: float, angular: bool) -> str:
    return f"{round(float(np.degrees(value)), 1) + 0.0:g} deg" if angular else f"{value:.4g} m"


def loop_of(conditions: PoseConditions, joint: str) -> tuple[list[str], list[str]] | None:
    """The shortest loop of joints through a joint: its joints, and the body between each of them and the next."""
    edges = conditions.geometry.joints
    start, goal = edges[joint].child, edges[joint].parent
    ways: dict[str, tuple[list[str], list[str]]] = {start: ([joint], [start])}
    queue = [start]
    while queue:
        body = queue.pop(0)
        for name, edge in edges.items():
            if name == joint or body not in (edge.parent, edge.child):
                continue
            other = edge.child if edge.parent == body else edge.parent
            if other not in ways:
                names, bodies = ways[body]
                ways[other] = [*names, name], [*bodies, other]
                queue.append(other)
    return ways.get(goal)


def least_opening(conditions: PoseConditions, p: Array, poses: Poses, joint: str) -> tuple[dict[str, Pose], float]:
    """Poses near given ones in which all opening is at one joint, and how far (m) it is open at least."""
    rows = np.array([label.element == joint for label in conditions.labels], dtype=bool)
    weights, evaluate = np.where(rows, 1.0, HELD), conditions.evaluator(p)

    def system(poses: Poses) -> tuple[Array, Array]:
        phi, slopes = evaluate(poses)[:2]
        return weights * phi, weights[:, None] * slopes

    found = descend(conditions, system, poses, LEAST)
    return found.poses, float(np.linalg.norm(found.residual[rows])) * conditions.length


def _too_long(
    conditions: PoseConditions, p: Array, joints: Sequence[str], bodies: Sequence[str]
) -> tuple[float, str] | None:
    """Of a loop of pins, the side that is longer than all others together, and by how much (m); None: there is none."""
    sides = _sides(conditions, p, joints, bodies)
    if not sides:
        return None
    longest = int(np.argmax(sides))
    rest = sum(sides) - sides[longest]
    if sides[longest] <= rest * (1 + 1e-12):
        return None
    ends = f"{joints[longest]} to {joints[(longest + 1) % len(joints)]}"
    others = _listed([body for i, body in enumerate(bodies) if i != longest])
    side = f"{_listed(bodies[longest : longest + 1])} is {sides[longest]:.6g} m from {ends}"
    text = f"{side}, more than {others} together ({rest:.6g} m): check its length, or make the others longer"
    return sides[longest] - rest, text


def is_stretched(conditions: PoseConditions, p: Array) -> bool:
    """Whether some loop of pins has a side just as long as all others together: it closes in one line and nowhere else.

    Two sides alone are always as long as each other, and hinges whose axes lie in the line do not let it bend.
    """
    for joint in conditions.geometry.joints:
        loop = loop_of(conditions, joint)
        sides = [] if loop is None else _sides(conditions, p, *loop)
        if not sides or loop is None or abs(2 * max(sides) - sum(sides)) >= STRETCHED * sum(sides):
            continue
        pairs = zip(loop[0], loop[1], sides, strict=True)
        if sum(side > 0.0 and not _in_line(conditions, p, name, body, loop[0]) for name, body, side in pairs) > 2:
            return True
    return False


def _in_line(conditions: PoseConditions, p: Array, joint: str, body: str, joints: Sequence[str]) -> bool:
    """Whether the axis of a hinge passes through the next joint of its loop, along a body."""
    hinge, following = (
        conditions.geometry.joints[name] for name in (joint, joints[(joints.index(joint) + 1) % len(joints)])
    )
    if hinge.kind.letter != "R" or conditions.space.planar:
        return False
    side = _pin(conditions, p, following, body) - _pin(conditions, p, hinge, body)
    axis = np.ravel(conditions.geometry.number(hinge.frame_in(body).axis(2), p))
    return bool(np.linalg.norm(np.cross(axis, side)) < NONE * np.linalg.norm(side))


def _sides(conditions: PoseConditions, p: Array, joints: Sequence[str], bodies: Sequence[str]) -> list[float]:
    """The lengths (m) of the bodies of a loop from joint to joint; none where its joints are not all pins."""
    found = [conditions.geometry.joints[name] for name in joints]
    if not all(joint.kind.letter in PINS for joint in found):
        return []
    pairs = zip(bodies, found, [*found[1:], found[0]], strict=True)
    return [float(np.linalg.norm(_pin(conditions, p, b, body) - _pin(conditions, p, a, body))) for body, a, b in pairs]


def _pin(conditions: PoseConditions, p: Array, joint: JointGeometry, body: str) -> Array:
    frame = joint.a if joint.parent == body else joint.b
    return np.atleast_1d(conditions.geometry.number(frame.origin, p))


def _listed(names: Sequence[str]) -> str:
    unique = ["the ground" if name == "ground" else name for name in dict.fromkeys(names)]
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} and {unique[-1]}"
