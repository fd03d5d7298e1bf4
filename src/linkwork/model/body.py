"""The declaration of a rigid body: its points, its mass and its inertia."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import casadi as ca
from pydantic import BeforeValidator, Field

from linkwork.algebra.expressions import Expression
from linkwork.algebra.renames import write_names
from linkwork.elements.bodies import BodyKind, Rigid
from linkwork.errors import Fault
from linkwork.model.element import Element, read_element, read_elements
from linkwork.model.fields import (
    Density,
    Length,
    Mass,
    PlaceField,
    Read,
    VectorOfExpressions,
    brief,
    guarded,
    names_schema,
    pair_field,
    read_each,
    read_name,
    read_names,
    read_scalar,
    read_vector,
    refused,
    scalar_schema,
    vector_field,
    vector_schema,
    write,
)
from linkwork.model.geometry import Values
from linkwork.model.inertia import Centred, InertiaField
from linkwork.model.mass import mass_of
from linkwork.model.rotation import RotationField
from linkwork.model.shapes import Mesh, Part, Shape, no_volume_hint
from linkwork.model.solids import Rod

DEFAULT_BODY = "rigid"
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


def _read_masses(value: Any) -> dict[str, Expression]:
    if not isinstance(value, Mapping):
        raise refused(f"{brief(value)} is not a mapping of points to masses", "write masses: {P: 2 kg}")
    content = {read_name(name): item for name, item in value.items()}
    return dict(zip(content, read_each(content, lambda item: read_scalar(item, "mass")), strict=True))


def _write_points(value: BodyPoints | Mapping[str, Expression] | None) -> Any:
    return write_names(write(value) if isinstance(value, Mapping) else value)


_MASSES_SCHEMA = {
    "type": "object",
    "description": "point masses, kg, at points of the body; negative ones take mass away; default: none",
    "additionalProperties": scalar_schema("mass"),
}
_POINTS_SCHEMA = {
    "description": "Names of sketch points, or local positions by name; default: none",
    "anyOf": [
        names_schema(None, "names of sketch points; the body frame has world axes and its origin in the first"),
        {"type": "object", "additionalProperties": vector_schema("length")},
    ],
}


class Body(Element):
    """A body, declared as a ``bar`` between two sketch points or by its ``points``.

    The frame of a bar has its origin in the first point and its x axis towards the second. The frame of a body given
    by sketch points has world axes and its origin in the first one. A body given by local positions is placed by
    ``origin`` and ``rotation``, or else fitted to the sketch points of the same names.

    Defaults: the centre of mass of a bar is its middle, of a body with one point that point; a bar is slender and
    uniform; a body with one point is a point mass.

    Mass may also come from ``shapes``, a ``mesh`` and point ``masses``: they add up with each other and with the mass
    that the body has of its own.
    """

    READINGS: ClassVar[tuple[str, ...]] = ()
    """Names of the quantities of a kind of body that formulas may use."""

    if TYPE_CHECKING:
        kind: str
    else:
        kind: Literal["rigid"] = Field("rigid", description="kind of the body")
    bar: Annotated[tuple[str, str], pair_field("the two sketch points that the bar joins; default: none")] | None = (
        Field(None, description="the two sketch points that the bar joins; default: none", examples=[["O", "A"]])
    )
    points: Annotated[BodyPoints, Read(_read_points, _POINTS_SCHEMA, _write_points)] | None = None
    length: Length | None = Field(
        None, description="exact length of a bar, m; wins over the sketch; default: from the sketch"
    )
    mass: Mass | None = Field(
        None, description="mass, kg; 0 for a massless link; default: required, or one of density, shapes, mesh, masses"
    )
    density: Density | None = Field(
        None, description="density, kg/m^3, instead of the mass where the shape has a volume; default: none"
    )
    com: PlaceField | None = Field(
        None,
        description="centre of mass: name of a point of the body, or local position; "
        "default: the middle of a bar, or the only point",
    )
    inertia: InertiaField | None = None
    radius: Length | None = Field(None, description="radius of a solid round bar, m; default: slender")
    section: Annotated[VectorOfExpressions, vector_field("length", (2,))] | None = Field(
        None, description="solid rectangular bar: [width along local y, height along local z], m; default: slender"
    )
    width: Length | None = Field(
        None,
        description="width of a slender bar with round ends, or of the lines between points, m: the room that they take, "
        "without any effect on mass and inertia; default: 0",
    )
    shapes: Annotated[dict[str, Shape], BeforeValidator(guarded(lambda value: read_elements(value, Shape)))] = Field(
        {},
        description="uniform solids by name, which the body is built from; those of negative mass are holes; "
        "default: none",
    )
    masses: Annotated[dict[str, Expression], Read(_read_masses, _MASSES_SCHEMA, _write_points)] = Field({})
    mesh: Annotated[Mesh, BeforeValidator(guarded(lambda value: read_element(value, Mesh)))] | None = Field(
        None, description="the solid inside a closed mesh, from a file; default: none"
    )
    origin: PlaceField | None = Field(
        None,
        description="where the body frame lies in the sketch: point or position; "
        "default: fitted to the sketch points of the same names",
    )
    rotation: RotationField | None = None

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        return {key: value for key, value in data.items() if (key, value) != ("kind", DEFAULT_BODY)}

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

    @property
    def parts(self) -> dict[str, Part]:
        """Shapes and mesh by their paths in the body."""
        parts: dict[str, Part] = {f"shapes.{name}": shape for name, shape in self.shapes.items()}
        return parts if self.mesh is None else {**parts, "mesh": self.mesh}

    @property
    def assembled(self) -> bool:
        """Whether mass and inertia follow from parts and point masses."""
        return bool(self.parts or self.masses)

    @property
    def has_own_mass(self) -> bool:
        """Whether the body has a mass beside its parts and point masses."""
        return self.mass is not None or (self.density is not None and self._is_solid) or not self.assembled

    @property
    def _is_solid(self) -> bool:
        """Whether a density makes a mass of its own."""
        shaped = isinstance(self.inertia, Centred) and not isinstance(self.inertia, Rod)
        return self.radius is not None or self.section is not None or shaped

    def placed_points(self, values: Values, sketch: Mapping[str, ca.SX]) -> dict[str, ca.SX]:
        """All its points in its own axes, from the *sketch* or as declared."""
        points: dict[str, ca.SX] = {}
        if self.bar is not None:
            first, second = self.bar
            length = ca.norm_2(sketch[second] - sketch[first]) if self.length is None else values.value(self.length)
            d = values.space.dimension
            points = {first: ca.SX(d, 1), second: ca.sparsify(ca.vertcat(length, *[0] * (d - 1)))}
        elif self.sketch_points:
            points = {name: sketch[name] - sketch[self.sketch_points[0]] for name in self.sketch_points}
        return points | {name: values.vector(local) for name, local in self.local_points.items()}

    def embody(self, values: Values, points: Mapping[str, ca.SX]) -> BodyKind:
        """What it is in mechanics; *points*: where they are in its own axes."""
        return Rigid(mass_of(values, self, points))

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
            if getattr(self, key) is not None and self.width is not None:
                yield Fault("width", f"conflicts with {key}, which says how wide the bar is", "give one of them")
            if getattr(self, key) is not None and self.inertia is not None:
                yield Fault("inertia", f"conflicts with {key}, which gives the inertia already", "give one of them")

    def _mass_faults(self) -> Iterator[Fault]:
        own = [key for key in ("inertia", "com", "radius", "section") if getattr(self, key) is not None]
        if self.mass is None and self.density is None and (own or not self.assembled):
            hint = f"; or leave {' and '.join(own)} out, the parts of the body have their own" if self.assembled else ""
            yield Fault("mass", "is missing", f"write mass: 1 kg; mass: 0 makes a massless link{hint}")
        elif own and not self.has_own_mass:
            yield Fault(own[0], "belongs to a mass of the body's own, which it does not have", "leave it out")
        if self.mass is not None and self.density is not None and not self.parts:
            yield Fault("density", "conflicts with mass", "give one of them")
        elif self.mass is not None and self.density is not None and self._is_solid:
            yield Fault("density", "conflicts with mass", "give one of them; shapes may have densities of their own")
        if self.density is not None and not self._is_solid and not self.parts:
            hint = (
                "give radius or section of the bar, inertia: {box: ...} or {cylinder: ...}, or shapes; or give the mass"
            )
            yield Fault("density", "the body has no volume", hint)
        yield from self._part_faults()

    def _part_faults(self) -> Iterator[Fault]:
        for path, part in self.parts.items():
            if part.mass is not None or part.density is not None:
                continue
            if self.density is None:
                hint = "give it one of them, or give the body a density"
                yield Fault(path, "has neither mass nor density", hint)
            elif isinstance(part, Shape) and not part.has_volume:
                yield Fault(path, f"the {part.kind} has no volume for the density of the body", no_volume_hint(part))

    def _place_faults(self) -> Iterator[Fault]:
        placed_by_sketch = bool(self.sketch_points)
        for key in ("origin", "rotation"):
            if getattr(self, key) is not None and placed_by_sketch:
                hint = "give points: {name: local position} to place the body by origin and rotation"
                yield Fault(key, "the sketch points place this body already", hint)


BODY_KINDS: dict[str, type[Body]] = {DEFAULT_BODY: Body}
"""Kinds of bodies by name; further ones are classes of declarations that say in ``embody`` what they are."""
