"""Joints: bodies, points and axes exist and suit the kind and the space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.errors import Fault, did_you_mean
from linkwork.model.draft import Draft
from linkwork.model.fields import VectorOfExpressions, literal_faults
from linkwork.model.joint import GROUND, JOINT_KINDS, Joint
from linkwork.model.places import has_point, joint_points

STRAIGHT = 1 - 1e-14  # cosine beyond which two directions are one


def faults(draft: Draft) -> Iterator[Fault]:
    """All faults of the sound joints."""
    for name, joint in draft.joints.items():
        path = f"joints.{name}"
        yield from _bodies(draft, path, joint)
        yield from _points(draft, path, name, joint)
        yield from _kind(draft, path, joint)
        yield from _pitch(draft, path, joint)
        yield from _reference(path, joint)


def _bodies(draft: Draft, path: str, joint: Joint) -> Iterator[Fault]:
    known = [GROUND, *draft.names("bodies")]
    for body in joint.bodies:
        if body not in known:
            yield Fault(f"{path}.bodies", f"there is no body '{body}'", did_you_mean(body, known))
    if joint.parent == joint.child:
        yield Fault(f"{path}.bodies", f"joins '{joint.parent}' with itself", "name two different bodies")


def _points(draft: Draft, path: str, name: str, joint: Joint) -> Iterator[Fault]:
    points = joint_points(name, joint)
    for body, point in dict.fromkeys(zip(joint.bodies, points, strict=True)):
        if point in draft.names("points") or (body != GROUND and body not in draft.bodies):
            continue
        if has_point(draft, body, point):
            continue
        known = [*draft.names("points"), *(draft.bodies[body].point_names if body != GROUND else ())]
        if joint.at is None:
            hint = "write at: and the point, or [point on parent, point on child]"
            yield Fault(f"{path}.at", f"is missing: there is no point '{name}' on '{body}'", hint)
        else:
            reason = f"there is no point '{point}' on '{body}' nor in the sketch"
            yield Fault(f"{path}.at", reason, did_you_mean(point, known))


def _kind(draft: Draft, path: str, joint: Joint) -> Iterator[Fault]:
    if draft.space is None:
        return
    needed = JOINT_KINDS[joint.kind].axes.get(draft.space)
    if needed is None:
        kinds = ", ".join(kind.name for kind in JOINT_KINDS.values() if draft.space in kind.axes)
        yield Fault(f"{path}.kind", f"a {joint.kind} joint needs a model in space", f"{draft.space} kinds: {kinds}")
        return
    yield from _axis_count(draft.space, path, joint, needed)
    for key, axis in (("axis", joint.axis), *(("axes", axis) for axis in joint.axes or ())):
        if axis is not None and _is_zero(draft, axis):
            yield Fault(f"{path}.{key}", "is zero", "give a direction, such as [1, 0] or [0, 0, 1]")
    if joint.axes is not None:
        first, second = (draft.numbers(axis) for axis in joint.axes)
        if first and second and any(first) and any(second):
            yield from _two_axes(path, joint, _cosine(first, second))


def _two_axes(path: str, joint: Joint, cosine: float) -> Iterator[Fault]:
    """A universal joint needs two different axes; one that is drawn bent must not be folded onto itself."""
    if JOINT_KINDS[joint.kind].bends:
        if cosine < -STRAIGHT:
            hint = "both axes lead the same way along their shafts: from the driving end to the driven one"
            yield Fault(
                f"{path}.axes", f"point against each other: a {joint.kind} joint cannot bend by 180 degrees", hint
            )
    elif abs(cosine) > STRAIGHT:
        yield Fault(f"{path}.axes", "are parallel", f"the two axes of a {joint.kind} joint must differ")


def _axis_count(space: str, path: str, joint: Joint, needed: int) -> Iterator[Fault]:
    example = "[1, 0]" if space == "planar" else "[0, 0, 1]"
    what = f"a {space} {joint.kind} joint"
    if JOINT_KINDS[joint.kind].bends and joint.axes is not None:
        if joint.axis is not None:
            yield Fault(
                f"{path}.axis", "is given beside axes", "axis where it is drawn straight, axes where it is bent"
            )
        return
    if needed == 1 and joint.axis is None:
        yield Fault(f"{path}.axis", f"is missing: {what} needs its direction", f"write axis: {example}")
    if needed != 1 and joint.axis is not None:
        hint = "write axes: [first, second]" if needed == 2 else "leave it out"
        yield Fault(f"{path}.axis", f"{what} does not have one axis", hint)
    if needed == 2 and joint.axes is None:
        yield Fault(f"{path}.axes", f"are missing: {what} needs two", "write axes: [[1, 0, 0], [0, 1, 0]]")
    if needed != 2 and joint.axes is not None:
        yield Fault(
            f"{path}.axes", f"{what} does not have two axes", "write axis:" if needed == 1 else "leave them out"
        )


def _pitch(draft: Draft, path: str, joint: Joint) -> Iterator[Fault]:
    needed = "pitch" in JOINT_KINDS[joint.kind].numbers
    if needed and joint.pitch is None:
        reason = f"is missing: a {joint.kind} joint needs its advance per turn"
        yield Fault(f"{path}.pitch", reason, "write pitch: 2 mm, or -2 mm for a left-handed thread")
    elif needed and draft.number(joint.pitch) == 0.0:
        yield Fault(f"{path}.pitch", "is zero", "give the advance per turn; without any, the kind is revolute")
    elif not needed and joint.pitch is not None:
        kinds = ", ".join(kind.name for kind in JOINT_KINDS.values() if "pitch" in kind.numbers)
        yield Fault(f"{path}.pitch", f"a {joint.kind} joint has no pitch", f"leave it out, or write kind: {kinds}")


def _is_zero(draft: Draft, axis: VectorOfExpressions) -> bool:
    values = draft.numbers(axis)
    return values is not None and not any(values)


def _cosine(first: list[float], second: list[float]) -> float:
    # lengths do not matter, and their squares need not be numbers
    one, two = (np.asarray(axis) / np.max(np.abs(axis)) for axis in (first, second))
    return float(np.dot(one, two) / (np.linalg.norm(one) * np.linalg.norm(two)))


def _reference(path: str, joint: Joint) -> Iterator[Fault]:
    if joint.reference is None:
        return
    freedom = joint.freedom()
    if freedom is None:
        yield Fault(f"{path}.reference", f"a {joint.kind} joint does not have exactly one coordinate", "leave it out")
    else:
        yield from literal_faults(f"{path}.reference", joint.reference, freedom.dimension)
