"""Joints: bodies and points exist, and what the kind demands is there."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault, did_you_mean
from linkwork.model.joint import GROUND, Joint
from linkwork.model.places import has_point
from linkwork.model.reading import DraftModel
from linkwork.model.seats import joint_points


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound joints."""
    for name, joint in draft.joints.items():
        path = f"joints.{name}"
        yield from _bodies(draft, path, joint)
        yield from _points(draft, path, name, joint)
        yield from joint.faults(draft, path)


def _bodies(draft: DraftModel, path: str, joint: Joint) -> Iterator[Fault]:
    bodies = draft.names("bodies")
    for body in joint.bodies:
        if body != GROUND and body not in bodies:
            yield Fault(f"{path}.bodies", f"there is no body '{body}'", did_you_mean(body, [GROUND, *bodies]))
    if joint.parent == joint.child:
        yield Fault(f"{path}.bodies", f"joins '{joint.parent}' with itself", "name two different bodies")


def _points(draft: DraftModel, path: str, name: str, joint: Joint) -> Iterator[Fault]:
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
            reason, (owner, _, own) = (
                f"there is no point '{point}' on '{body}' nor in the sketch",
                point.rpartition("."),
            )
            named = owner in joint.bodies and own in known
            hint = f"the bodies of a joint are known: write {own}, or [{', '.join([own] * 2)}]" if named else ""
            yield Fault(f"{path}.at", reason, hint or did_you_mean(point, known))
