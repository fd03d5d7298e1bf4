"""A joint that is closed and opened while the mechanism runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from linkwork.elements.relations.connection import OPENING, ConnectionRelation
from linkwork.errors import Fault, did_you_mean
from linkwork.model.draft import Draft
from linkwork.model.fields import Read, brief, refused
from linkwork.model.joint import GROUND, Joint
from linkwork.model.places import has_point
from linkwork.model.relations.base import RelationElement, Sketch

ACTING = ("limits", "stops", "friction", "reference")  # keys of joints that connections have not


def _read_joint(value: Any) -> Joint:
    """The joint of a connection, by its kind."""
    if isinstance(value, Joint):
        return value
    if not isinstance(value, Mapping):
        raise refused(
            f"{brief(value)} is not a joint", "write joint: {kind: revolute, bodies: [ground, arm], at: [H, P]}"
        )
    return Joint(**{str(key): item for key, item in value.items()})


_JOINT = Read(
    _read_joint,
    {
        "type": "object",
        "required": ["kind", "bodies"],
        "description": "a joint as under joints: kind, bodies, at, axis",
    },
    lambda joint: joint.to_dict(),
)


class Connection(RelationElement):
    """A joint that switches close and open: a hook, a latch, a coupling, a foot on the ground.

    It carries no body. Open it does nothing; where it closes, an impulse takes the speeds that it does not allow.
    """

    READINGS: ClassVar[tuple[str, ...]] = (OPENING, *(f"{OPENING}_{axis}" for axis in "xyz"))

    kind: Literal["connection"] = "connection"
    joint: Annotated[Joint, _JOINT] = Field(
        description="write joint: {kind: revolute, bodies: [ground, arm], at: [H, P]}, with points on parent and child"
    )
    active: bool = Field(True, description="whether it is closed at the start; default: true")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        joint, path = self.joint, f"{path}.joint"
        bodies = draft.names("bodies")
        for body in joint.bodies:
            if body != GROUND and body not in bodies:
                yield Fault(f"{path}.bodies", f"there is no body '{body}'", did_you_mean(body, [GROUND, *bodies]))
        if joint.parent == joint.child:
            yield Fault(f"{path}.bodies", f"joins '{joint.parent}' with itself", "name two different bodies")
        if joint.at is None:
            yield Fault(f"{path}.at", "is missing", "write at: [point on parent, point on child]")
        for key in ACTING:
            if getattr(joint, key) is not None:
                yield Fault(f"{path}.{key}", "a connection has none", "leave it out, or declare the joint under joints")
        yield from self._points(draft, path)
        yield from joint.faults(draft, path)

    def _points(self, draft: Draft, path: str) -> Iterator[Fault]:
        at = self.joint.at or ()
        for body, point in zip(self.joint.bodies, (at[:1] + at[-1:]), strict=False):
            if (body != GROUND and body not in draft.bodies) or has_point(draft, body, point):
                continue
            known = [*draft.points, *(() if body == GROUND else draft.bodies[body].point_names)]
            if point not in draft.points:
                yield Fault(
                    f"{path}.at",
                    f"there is no point '{point}' on '{body}' nor in the sketch",
                    did_you_mean(point, known),
                )

    def relate(self, sketch: Sketch) -> ConnectionRelation:
        return sketch.connection(self.joint, self.active)
