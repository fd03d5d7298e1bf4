"""The parts that a body is built from: shapes and meshes, each at its place in the body, with a mass or a density."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PrivateAttr

from linkwork.algebra.expressions import number
from linkwork.elements.mesh import MeshSolid, read_mesh
from linkwork.errors import Fault, ModelError
from linkwork.model.element import Element
from linkwork.model.fields import Density, Length, Mass, PlaceField, Read, brief, refused
from linkwork.model.named_files import allowed_file
from linkwork.model.rotation import RotationField
from linkwork.model.solids import (
    SOLIDS,
    Box,
    Cone,
    Cylinder,
    Plate,
    Rod,
    SolidForm,
    Sphere,
    Tube,
    solid_field,
)

MAX_BYTES = 256 * 2**20  # of a file with a mesh


class Part(Element):
    """What all parts have: a place, axes, and a mass or a density of their own; else the density of the body."""

    at: PlaceField | None = Field(
        None,
        description="where its origin lies: a point of the body, or a local position; default: the origin of the body",
    )
    rotation: RotationField | None = Field(None, description="its axes in the body; default: the axes of the body")
    mass: Mass | None = Field(None, description="mass, kg; negative for a hole; default: from the density")
    density: Density | None = Field(None, description="density, kg/m^3; negative for a hole; default: that of the body")

    @property
    def has_volume(self) -> bool:
        return True

    def own_faults(self) -> Iterator[Fault]:
        if self.mass is not None and self.density is not None:
            yield Fault("density", "conflicts with mass", "give one of them")


class Shape(Part):
    """A uniform solid in a body."""

    box: Annotated[Box, solid_field("box")] | None = None
    cylinder: Annotated[Cylinder, solid_field("cylinder")] | None = None
    tube: Annotated[Tube, solid_field("tube")] | None = None
    sphere: Annotated[Sphere, solid_field("sphere")] | None = None
    cone: Annotated[Cone, solid_field("cone")] | None = None
    rod: Annotated[Rod, solid_field("rod")] | None = None
    plate: Annotated[Plate, solid_field("plate")] | None = None

    @property
    def kind(self) -> str:
        return next(kind for kind in SOLIDS if getattr(self, kind) is not None)

    @property
    def solid(self) -> SolidForm:
        solid: SolidForm = getattr(self, self.kind)
        return solid

    @property
    def has_volume(self) -> bool:
        match self.solid:
            case Rod() | Plate(thickness=None):
                return False
            case Box(edges):
                return len(edges) == 3
        return True

    def own_faults(self) -> Iterator[Fault]:
        given = [kind for kind in SOLIDS if getattr(self, kind) is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} are given" if given else "no solid is given"
            yield Fault("", f"{found}; a shape is one solid", f"write exactly one of: {', '.join(SOLIDS)}")
            return
        yield from super().own_faults()
        if self.density is not None and not self.has_volume:
            yield Fault("density", f"the {self.kind} has no volume", no_volume_hint(self))
        if self.plate is not None and self.plate.named and (self.at is not None or self.rotation is not None):
            key = "at" if self.at is not None else "rotation"
            yield Fault(key, "the points of the body place this plate already", "give the corners as positions")


def no_volume_hint(shape: Shape) -> str:
    """What to do about a shape that has no volume for a density."""
    sized = {"plate": "give its thickness, or its mass", "box": "give its third edge, or its mass"}
    return sized.get(shape.kind, "give its mass")


def _read_file(value: Any) -> str:
    if isinstance(value, Path):
        value = value.as_posix()
    if not isinstance(value, str) or not value or re.search(r"[\0\n]", value):
        raise refused(f"{brief(value)} is not the name of a file", "write file: part.stl")
    return value


class Mesh(Part):
    """The solid inside a closed triangle mesh; the file is read once, when the mesh is declared."""

    file: Annotated[str, Read(_read_file, {"type": "string"})] = Field(
        description="mesh file; a relative path starts at the folder of the model file", examples=["part.stl"]
    )
    scale: Length = Field(number(1.0), description="length of one unit of the file", examples=["1 mm"])
    _solid: MeshSolid | None = PrivateAttr(None)

    @property
    def solid(self) -> MeshSolid:
        assert self._solid is not None
        return self._solid

    def own_faults(self) -> Iterator[Fault]:
        yield from super().own_faults()
        try:
            self._solid = read_mesh(allowed_file(self.file, MAX_BYTES))
        except ModelError as error:
            yield from (Fault("file", fault.reason, fault.suggestion) for fault in error.faults)
