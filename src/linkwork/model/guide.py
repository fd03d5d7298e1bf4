"""Declaration of a driver that moves a body or a point as a function of time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from linkwork.algebra.expressions import Expression
from linkwork.elements.relations.guidance import ANGLES, Guidance
from linkwork.errors import Fault, did_you_mean
from linkwork.model.draft import Draft
from linkwork.model.element import TIME_ONLY, Element
from linkwork.model.fields import (
    Angle,
    ElementName,
    Read,
    as_list,
    brief,
    read_each,
    read_scalar,
    refused,
    vector_schema,
)
from linkwork.model.joint import GROUND
from linkwork.model.references import body_faults, point_faults, size_faults
from linkwork.model.relations.base import Sketch

Components = tuple[Expression | None, ...]


def _read_position(value: Any) -> Components:
    items = as_list(value)
    if items is None:
        raise refused(
            f"{brief(value)} is not a list of formulas", "write position: [0.1*sin(t), null], null where it is free"
        )
    return read_each(
        {f"[{i}]": item for i, item in enumerate(items)},
        lambda item: None if item is None else read_scalar(item, "length"),
    )


def _read_rotation(value: Any) -> dict[str, Expression]:
    if not isinstance(value, Mapping):
        raise refused(f"{brief(value)} is no rotation", "write rotation: {roll: 0, pitch: 0, yaw: 0.2*t}")
    unknown = [str(key) for key in value if key not in ANGLES]
    if unknown:
        raise refused(f"unknown angle '{unknown[0]}'", did_you_mean(unknown[0], list(ANGLES)))
    given = {str(key): item for key, item in value.items() if item is not None}
    return dict(zip(given, read_each(given, lambda item: read_scalar(item, "angle")), strict=True))


_POSITION = {**vector_schema("length"), "description": "coordinates as functions of t, null where free"}
_ROTATION = {"type": "object", "description": "roll, pitch and yaw as functions of t", "minProperties": 1}


class Guide(Element):
    """A motion of a body or a point that is given as a function of time; it takes whatever force and torque it takes."""

    SCOPES: ClassVar = dict.fromkeys(("position", "angle", "rotation"), TIME_ONLY)

    body: ElementName | None = Field(None, description="the guided body; default: none, then point")
    at: ElementName | None = Field(None, description="its point that is guided; default: the centre of mass")
    point: ElementName | None = Field(
        None, description="instead of a body: the guided point, 'arm.P' or 'P'; default: none"
    )
    position: Annotated[Components, Read(_read_position, _POSITION)] | None = Field(
        None, description="coordinates of the point as functions of t, m; null where it is free; default: free"
    )
    angle: Angle | None = Field(None, description="plane: the angle of the body as a function of t; default: free")
    rotation: Annotated[dict[str, Expression], Read(_read_rotation, _ROTATION)] | None = Field(
        None,
        description="space: roll, pitch and yaw of the body about its own x, y, z, as functions of t; default: free",
    )

    def own_faults(self) -> Iterator[Fault]:
        if (self.body is None) == (self.point is None):
            reason = "is missing" if self.body is None else "conflicts with point"
            yield Fault("body", reason, "name a body, or a point of one")
        if self.point is not None:
            for key in ("at", "angle", "rotation"):
                if getattr(self, key) is not None:
                    yield Fault(key, "belongs to a body", "write body: in place of point:")
        if not any(item is not None for item in (*(self.position or ()), self.angle, *(self.rotation or ()))):
            hint = "write position, angle (plane) or rotation (space)"
            yield Fault("", "no motion is given", hint)

    @property
    def reference(self) -> str:
        """The body or point that it moves."""
        return self.body or self.point or ""

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        """Faults that show only beside the rest of the model."""
        if self.body is not None:
            yield from body_faults(draft, f"{path}.body", self.body)
            if self.at is not None and self.body in draft.bodies:
                yield from point_faults(draft, f"{path}.at", self.at, self.body)
        elif self.point is not None:
            place = yield from point_faults(draft, f"{path}.point", self.point)
            if place is not None and place[0] == GROUND:
                yield Fault(
                    f"{path}.point", f"'{self.point}' is on the ground, which does not move", "name a point of a body"
                )
        if draft.space is None:
            return
        if self.position is not None:
            yield from size_faults(f"{path}.position", self.position, 2 if draft.space == "planar" else 3, draft.space)
        if draft.space == "planar" and self.rotation is not None:
            yield Fault(f"{path}.rotation", "belongs to space", "in the plane write angle:")
        if draft.space == "spatial" and self.angle is not None:
            yield Fault(
                f"{path}.angle", "belongs to the plane", "in space write rotation: {roll: ..., pitch: ..., yaw: ...}"
            )

    def relate(self, sketch: Sketch) -> Guidance:
        """The mechanics of the guidance."""
        if self.point is not None:
            place = sketch.place(self.point)
        elif self.at is not None:
            place = sketch.place(f"{self.body}.{self.at}")
        else:
            assert self.body is not None
            place = sketch.centre(self.body)
        position = tuple(None if part is None else sketch.formula(part) for part in self.position or ())
        angles = {} if self.rotation is None else {name: sketch.formula(part) for name, part in self.rotation.items()}
        if self.angle is not None:
            angles["angle"] = sketch.formula(self.angle)
        return Guidance(place, GROUND, position, angles)
