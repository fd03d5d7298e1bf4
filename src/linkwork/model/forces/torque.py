"""A given torque on a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from linkwork.elements.contribution import Contribution
from linkwork.elements.drawings import Drawings, DrawnLoad, Pen
from linkwork.elements.forces.point_force import torque
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE
from linkwork.model.fields import ElementName, VectorOfExpressions, turn_field
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.forces.force import reaction_faults
from linkwork.model.references import body_faults, point_faults, size_faults


class Torque(AppliedForce):
    """A torque on a body: one number in the plane, three components in space."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["torque"] = "torque"
    body: ElementName = Field(description="the loaded body")
    at: ElementName | None = Field(
        None, description="a point of it, where a body that changes its shape is turned; default: the body as a whole"
    )
    value: Annotated[VectorOfExpressions, turn_field("torque")] = Field(
        description="torque, N*m: number or formula (planar), three components (spatial)"
    )
    axes: Literal["world", "body"] = Field("world", description="axes of the components")
    reaction: ElementName | None = Field(None, description="a body that feels the opposite torque; default: none")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if draft.space is not None:
            yield from size_faults(f"{path}.value", self.value, 1 if draft.space == "planar" else 3, draft.space)
        yield from body_faults(draft, f"{path}.body", self.body)
        if self.at is not None and self.body in draft.names("bodies"):
            yield from point_faults(draft, f"{path}.at", self.at, self.body)
        yield from reaction_faults(draft, path, self.reaction, self.body)

    def drawings(self, pen: Pen) -> Drawings:
        at = pen.centre(self.body) if self.at is None else pen.place(f"{self.body}.{self.at}")
        moment = ("torque",) if pen.space.planar else tuple(f"m{axis}" for axis in pen.space.axis_names)
        return Drawings(loads=(DrawnLoad(at, moment=moment),))

    def contribute(self, scene: Scene) -> Contribution:
        solid = scene.solid(self.body, self.at)
        value = scene.vector(self.value)
        if self.axes == "body" and not scene.space.planar:
            value = solid.frame.vector(value)
        reaction = None if self.reaction is None else scene.solid(self.reaction)
        return torque(scene.space, solid, value, reaction)
