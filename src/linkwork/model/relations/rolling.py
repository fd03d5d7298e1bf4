"""A disc or a sphere that rolls on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import casadi as ca
import numpy as np
from pydantic import Field

from linkwork.elements.relations import rolling as mechanics
from linkwork.elements.relations.rolling import FLAT
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import Direction, ElementName, Length, refused
from linkwork.model.references import direction_faults, other_body_faults, point_faults
from linkwork.model.relations.base import RelationElement, Sketch


class Rolling(RelationElement):
    """A disc, or without an axis a sphere, that rolls on a plane of another body without slipping, or slides."""

    READINGS: ClassVar[tuple[str, ...]] = ("contact.x", "contact.y", "contact.z")

    kind: Literal["rolling"] = "rolling"
    centre: ElementName = Field(description="the centre of the disc or sphere: a point of the body that rolls")
    radius: Length = Field(description="m")
    axis: Direction | None = Field(
        None, description="the axis of a disc, in the axes of its body; none: a sphere; default: none, a sphere"
    )
    plane: ElementName = Field(description="a point of the plane: of another body, or of the ground")
    normal: Direction | None = Field(
        None, description="normal of the plane on the side of the centre, in the axes of its body; default [0, 0, 1]"
    )

    slides: bool = Field(False, description="whether it slides without friction, in place of rolling")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if draft.space == "planar":
            hint = "in the plane write kind: track, or on a straight line a coupling of kind rack"
            yield Fault(f"{path}.kind", "rolling on a plane belongs to space", hint)
            return
        plane = yield from point_faults(draft, f"{path}.plane", self.plane)
        yield from other_body_faults(draft, f"{path}.centre", self.centre, None if plane is None else plane[0])
        for key in ("axis", "normal"):
            yield from direction_faults(draft, f"{path}.{key}", getattr(self, key))
        radius = draft.number(self.radius)
        if radius is not None and radius <= 0.0:
            yield Fault(f"{path}.radius", f"is {radius:g} m; it must be positive")

    def relate(self, sketch: Sketch) -> mechanics.RollingRelation:
        plane, centre = sketch.place(self.plane), sketch.place(self.centre)
        normal = ca.SX([0, 0, 1]) if self.normal is None else _unit(sketch.vector(self.normal))
        axis = None if self.axis is None else _unit(sketch.vector(self.axis))
        if axis is not None:
            up, along = sketch.drawn(plane.body).vector(normal), sketch.drawn(centre.body).vector(axis)
            if float(sketch.number(ca.norm_2(ca.cross(up, along)))[0]) < FLAT:
                raise refused("the disc is drawn lying on the plane", "tilt its body, or its axis")
        least = ca.SX(ca.DM(np.eye(3)[np.argmin(np.abs(np.ravel(sketch.number(normal))))]))
        tangent = _unit(least - normal * ca.dot(normal, least))
        return mechanics.RollingRelation(
            plane, normal, ca.sparsify(tangent), centre, sketch.value(self.radius), axis, self.slides
        )


def _unit(vector: ca.SX) -> ca.SX:
    return vector / ca.norm_2(vector)
