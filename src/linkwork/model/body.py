"""The declaration of a rigid body: its points, its mass and its inertia."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from linkwork.errors import Fault
from linkwork.model.element import Element
from linkwork.model.fields import (
    Density,
    Length,
    Mass,
    Read,
    VectorOfExpressions,
    brief,
    names_schema,
    pair_field,
    read_each,
    read_name,
    read_names,
    read_vector,
    refused,
    vector_field,
    vector_schema,
)
from linkwork.model.inertia import Box, Cylinder, InertiaField
from linkwork.model.rotation import RotationField

BodyPoints = tuple[str, ...] | dict[str, VectorOfExpressions]


def _read_points(value: Any) -> BodyPoints:
    """Names of sketch points, or a mapping of names to local positions."""
    if isinstance(value, Mapping):
        positions = read_each({str(name): place for name, place in value.items()}, lambda v: read_vector(v, "length"))
        return dict(zip((read_name(name) for name in value), positions, strict=True))
    if isinstance(value, (list, tuple)):
        return read_names(value)
    raise refused(
        f"{brief(value)} is not a list of points",
        "write [A, B] for sketch points or {P: [0.1, 0.2]} for local positions",
    )


def read_place(value: Any) -> str | VectorOfExpressions:
    """The name of a point, or a position."""
    return value if isinstance(value, str) and value else read_vector(value, "length")


_POINTS_SCHEMA = {
    "description": "Names of sketch points, or local positions by name",
    "anyOf": [
        names_schema(None, "names of sketch points; the body frame has world axes and its origin in the first"),
        {"type": "object", "additionalProperties": vector_schema("length")},
    ],
}
_PLACE_SCHEMA = {"anyOf": [{"type": "string", "description": "name of a point"}, vector_schema("length")]}
Place = Annotated[str | VectorOfExpressions, Read(read_place, _PLACE_SCHEMA)]


class Body(Element):
    """A rigid body, declared as a ``bar`` between two sketch points or by its ``points``.

    The frame of a bar has its origin in the first point and its x axis towards the second. The frame of a body given
    by sketch points has world axes and its origin in the first one. A body given by local positions is placed by
    ``origin`` and ``rotation``, or else fitted to the sketch points of the same names.

    Defaults: the centre of mass of a bar is its middle, of a body with one point that point; a bar is slender and
    uniform; a body with one point is a point mass.
    """

    bar: Annotated[tuple[str, str], pair_field("the two sketch points that the bar joins")] | None = Field(
        None, description="the two sketch points that the bar joins", examples=[["O", "A"]]
    )
    points: Annotated[BodyPoints, Read(_read_points, _POINTS_SCHEMA)] | None = None
    length: Length | None = Field(None, description="exact length of a bar, m; wins over the sketch")
    mass: Mass | None = Field(None, description="mass, kg; 0 for a massless link")
    density: Density | None = Field(
        None, description="density, kg/m^3, instead of the mass where the shape has a volume"
    )
    com: Place | None = Field(None, description="centre of mass: name of a point of the body, or local position")
    inertia: InertiaField | None = None
    radius: Length | None = Field(None, description="radius of a solid round bar, m")
    section: Annotated[VectorOfExpressions, vector_field("length", (2,))] | None = Field(
        None, description="solid rectangular bar: [width along local y, height along local z], m"
    )
    origin: Place | None = Field(None, description="where the body frame lies in the sketch: point or position")
    rotation: RotationField | None = None

    @property
    def point_names(self) -> tuple[str, ...]:
        """The points fixed in the body: ends of the bar first, then the others in order."""
        return tuple(dict.fromkeys((*(self.bar or ()), *(self.points or ()))))

    @property
    def local_points(self) -> dict[str, VectorOfExpressions]:
        """The points given by local positions, m."""
        return dict(self.points) if isinstance(self.points, dict) else {}

    @property
    def sketch_points(self) -> tuple[str, ...]:
        """The points given by the sketch."""
        listed = self.points if isinstance(self.points, tuple) else ()
        return (*(self.bar or ()), *listed)

    def own_faults(self) -> Iterator[Fault]:
        yield from self._shape_faults()
        yield from self._mass_faults()
        yield from self._place_faults()

    def _shape_faults(self) -> Iterator[Fault]:
        if self.bar is None and not self.points:
            yield Fault("", "neither bar nor points are given", "write bar: [O, A] or points: [A, B]")
        if self.bar is not None and isinstance(self.points, tuple):
            hint = "write points: {P: [0.1, 0.2]} with local positions for the further points of a bar"
            yield Fault("points", "a bar takes its ends from the sketch, further points have local positions", hint)
        if self.bar is not None and self.bar[0] == self.bar[1]:
            yield Fault("bar", f"joins '{self.bar[0]}' with itself", "name two different points")
        if self.bar is not None:
            for name in sorted({*self.bar} & {*self.local_points}):
                yield Fault(f"points.{name}", "is an end of the bar already", "leave it out or give it another name")
        elif len(set(self.sketch_points)) < len(self.sketch_points):
            yield Fault("points", "names a point twice", "name each point once")
        for key in ("length", "radius", "section"):
            if self.bar is None and getattr(self, key) is not None:
                yield Fault(key, "belongs to a bar", "write bar: [P, Q], or describe the shape with inertia")
        if self.radius is not None and self.section is not None:
            yield Fault("section", "a bar is either round (radius) or rectangular (section)", "give one of them")
        for key in ("radius", "section"):
            if getattr(self, key) is not None and self.inertia is not None:
                yield Fault("inertia", f"conflicts with {key}, which gives the inertia already", "give one of them")

    def _mass_faults(self) -> Iterator[Fault]:
        if self.mass is None and self.density is None:
            yield Fault("mass", "is missing", "write mass: 1 kg; mass: 0 makes a massless link")
        if self.mass is not None and self.density is not None:
            yield Fault("density", "conflicts with mass", "give one of them")
        solid = self.radius is not None or self.section is not None or isinstance(self.inertia, Box | Cylinder)
        if self.density is not None and not solid:
            hint = "give radius or section of the bar, or inertia: {box: ...} or {cylinder: ...}; or give the mass"
            yield Fault("density", "the body has no volume", hint)

    def _place_faults(self) -> Iterator[Fault]:
        placed_by_sketch = bool(self.sketch_points)
        for key in ("origin", "rotation"):
            if getattr(self, key) is not None and placed_by_sketch:
                hint = "give points: {name: local position} to place the body by origin and rotation"
                yield Fault(key, "the sketch points place this body already", hint)
