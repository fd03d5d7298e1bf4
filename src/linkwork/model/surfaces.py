"""Declaration of a surface: what touches and has no mass, on the ground or on a body, where it is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from linkwork.algebra.expressions import Expression, number
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.element import CURVE, Element
from linkwork.model.fields import (
    Direction,
    ElementName,
    Length,
    PlaceField,
    Read,
    VectorOfExpressions,
    as_list,
    brief,
    read_each,
    read_place,
    read_scalar,
    read_vector,
    refused,
    vector_schema,
    write,
)
from linkwork.model.joint import GROUND
from linkwork.model.named_files import allowed_file
from linkwork.model.rotation import RotationField
from linkwork.model.solids import Box, Cone, Cylinder, solid_field

MAX_BYTES = 64 * 2**20  # of a file with numbers
PlaceOf = str | VectorOfExpressions


@dataclass(frozen=True)
class Heights:
    """Heights (rows, columns) of ground along its z axis, over a grid about its origin with a spacing along x and y."""

    rows: tuple[tuple[float, ...], ...]
    spacing: VectorOfExpressions
    file: str = ""


@dataclass(frozen=True)
class HullPoints:
    """Points whose hull it is: positions in its own axes, or those of a file."""

    points: tuple[VectorOfExpressions, ...]
    file: str = ""


@dataclass(frozen=True)
class FormulaCurve:
    """The curve that bounds what is solid, in its own axes: x and y as formulas of u over a range."""

    x: Expression
    y: Expression
    range: VectorOfExpressions
    side: str = "left"


@dataclass(frozen=True)
class Arc:
    """A part of a circle about its origin, from one angle to another; solid is what is inside of it, or outside."""

    radius: Expression
    range: VectorOfExpressions | None = None
    side: str = "inside"


def _entries(value: Any, required: tuple[str, ...], allowed: tuple[str, ...], example: str) -> dict[str, Any]:
    """A mapping with keys that are known."""
    if not isinstance(value, Mapping):
        raise refused(f"{brief(value)} does not say what it is", f"write {example}")
    faults = [
        Fault("", f"unknown key '{key}'", did_you_mean(str(key), [*required, *allowed]))
        for key in value
        if key not in (*required, *allowed)
    ]
    faults += [Fault(key, "is missing", f"write {example}") for key in required if key not in value]
    if faults:
        raise ModelError(faults)
    return {str(key): item for key, item in value.items()}


def _side(given: Mapping[str, Any], sides: tuple[str, str]) -> str:
    side = given.get("side", sides[0])
    if side not in sides:
        raise refused(f"{brief(side)} is no side", f"write {' or '.join(sides)}: where it is solid")
    return str(side)


def _numbers_of(file: Any) -> tuple[str, tuple[tuple[float, ...], ...]]:
    """Rows of numbers in a file of text, parted by commas or blanks."""
    name = file.as_posix() if hasattr(file, "as_posix") else file
    if not isinstance(name, str) or not name or re.search(r"[\0\n]", name):
        raise refused(f"{brief(file)} is not the name of a file", "write file: ground.csv")
    text = allowed_file(name, MAX_BYTES).read_text(encoding="utf-8", errors="replace")
    lines = [line.replace(",", " ").split() for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    try:
        rows = tuple(tuple(float(item) for item in line) for line in lines)
    except ValueError as error:
        raise refused(f"the file '{name}' has something else than numbers: {error}", "write rows of numbers") from None
    if len({len(row) for row in rows}) > 1:
        raise refused(f"the rows of the file '{name}' are not equally long", "write as many numbers in each")
    return name, rows


def _read_heights(value: Any) -> Heights:
    if isinstance(value, Heights):
        return value
    given = _entries(value, ("spacing",), ("rows", "file"), "{rows: [[0, 0.1], [0.1, 0]], spacing: [0.5, 0.5]}")
    spacing = read_vector(given["spacing"], "length", (2,))
    if ("rows" in given) == ("file" in given):
        raise refused("its heights are rows or a file, one of them", "write rows: [[0, 0.1], [0.1, 0]]")
    file, rows = ("", _rows(given["rows"])) if "rows" in given else _numbers_of(given["file"])
    if len(rows) < 2 or min(map(len, rows)) < 2 or len({len(row) for row in rows}) > 1:
        raise refused("ground has two rows and columns at least, all equally long", "write rows: [[0, 0.1], [0.1, 0]]")
    if not np.all(np.isfinite(rows)):
        raise refused("a height is not finite", "give every point of the grid a height")
    return Heights(rows, spacing, file)


def _rows(value: Any) -> tuple[tuple[float, ...], ...]:
    rows = as_list(value)
    listed = [as_list(row) for row in rows or ()]
    if not listed or any(row is None for row in listed):
        raise refused(f"{brief(value)} are no rows of heights", "write rows: [[0, 0.1], [0.1, 0]], in m")
    try:
        return tuple(tuple(float(item) for item in row or ()) for row in listed)
    except (TypeError, ValueError):
        raise refused("a height is not a number", "write rows of numbers, in m") from None


def _read_hull(value: Any) -> HullPoints:
    if isinstance(value, HullPoints):
        return value
    if isinstance(value, Mapping):
        given = _entries(value, ("file",), (), "{file: corners.csv}, or a list of positions")
        file, rows = _numbers_of(given["file"])
        return HullPoints(tuple(tuple(number(item) for item in row) for row in rows), file)
    return HullPoints(_read_corners(value))


def _read_corners(value: Any) -> tuple[VectorOfExpressions, ...]:
    items = as_list(value)
    if items is None or len(items) < 3:
        raise refused("it has at least three corners", "write [[0, 0], [0.2, 0], [0, 0.1]]")
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, lambda item: read_vector(item, "length"))


def _read_curve(value: Any) -> FormulaCurve:
    if isinstance(value, FormulaCurve):
        return value
    example = '{x: "0.1*cos(u)", y: "0.05*sin(u)", range: [0, "2*pi"]}'
    given = _entries(value, ("x", "y"), ("range", "side"), example)
    span = read_vector(given.get("range", [0, "2*pi"]), "any", (2,))
    return FormulaCurve(read_scalar(given["x"]), read_scalar(given["y"]), span, _side(given, ("left", "right")))


def _read_arc(value: Any) -> Arc:
    if isinstance(value, Arc):
        return value
    given = _entries(value, ("radius",), ("range", "side"), "{radius: 50 mm, range: [0 deg, 90 deg]}")
    span = None if given.get("range") is None else read_vector(given["range"], "angle", (2,))
    return Arc(read_scalar(given["radius"], "length"), span, _side(given, ("inside", "outside")))


def _read_bar(value: Any) -> tuple[PlaceOf, PlaceOf]:
    items = as_list(value)
    if items is None or len(items) != 2:
        raise refused(f"{brief(value)} does not name two ends", "write bar: [A, B], two points or positions")
    first, second = read_each({f"[{i}]": item for i, item in enumerate(items)}, read_place)
    return first, second


def _write(value: Any) -> Any:
    match value:
        case Heights(rows, spacing, file):
            return (
                {"file": file} | {"spacing": write(spacing)}
                if file
                else {"rows": [*map(list, rows)]} | {"spacing": write(spacing)}
            )
        case HullPoints(points, file):
            return {"file": file} if file else write(points)
        case FormulaCurve(x, y, span, side):
            return {"x": write(x), "y": write(y), "range": write(span), "side": side}
        case Arc(radius, span, side):
            return {"radius": write(radius), "side": side} | ({} if span is None else {"range": write(span)})
    return write(value)


_OBJECT: dict[str, Any] = {"type": "object"}
_CORNERS: dict[str, Any] = {"type": "array", "items": vector_schema("length"), "minItems": 3}
FORMS = ("plane", "point", "ball", "bar", "box", "polygon", "hull", "cylinder", "cone", "heights", "curve", "arc")
PLANAR_ALONE, SPATIAL_ALONE = ("polygon", "curve", "arc"), ("heights",)


class Surface(Element):
    """What touches and has no mass: a floor, a wall, a cam; on the ground, or on a body where it is drawn."""

    SCOPES: ClassVar = {"curve": CURVE}

    on: ElementName = Field(GROUND, description="the body that carries it; default: the ground")
    at: PlaceField | None = Field(
        None, description="where its origin lies: a point, or a position in world axes as drawn, m; default: the origin"
    )
    rotation: RotationField | None = Field(
        None, description="its axes in the world as drawn; default: those of the world, of a plane by its normal"
    )
    plane: Direction | None = Field(
        None, description="all below a plane: its normal in world axes as drawn, which points off what is solid"
    )
    point: PlaceField | None = Field(None, description="a point: its name, or a position in world axes as drawn, m")
    ball: Length | None = Field(None, description="a sphere, in the plane a disc: its radius, m")
    bar: Annotated[tuple[PlaceOf, PlaceOf], Read(_read_bar, {"type": "array", "minItems": 2, "maxItems": 2})] | None = (
        Field(None, description="a segment between two points or positions as drawn; with a radius a capsule")
    )
    box: Annotated[Box, solid_field("box")] | None = Field(None, description="a box about its origin: its edges, m")
    polygon: Annotated[tuple[VectorOfExpressions, ...], Read(_read_corners, _CORNERS)] | None = Field(
        None, description="in the plane: corners of a convex polygon in its own axes, one way round, m"
    )
    hull: Annotated[HullPoints, Read(_read_hull, {"anyOf": [_CORNERS, _OBJECT]}, _write)] | None = Field(
        None, description="the hull of positions in its own axes, m; or {file: corners.csv} with one in each row"
    )
    cylinder: Annotated[Cylinder, solid_field("cylinder")] | None = Field(
        None, description="a cylinder about its origin"
    )
    cone: Annotated[Cone, solid_field("cone")] | None = Field(None, description="a cone, or the frustum of one")
    heights: Annotated[Heights, Read(_read_heights, _OBJECT, _write)] | None = Field(
        None, description="in space: {rows: heights along its z axis (m), or file, spacing: [along x, along y]}"
    )
    curve: Annotated[FormulaCurve, Read(_read_curve, _OBJECT, _write)] | None = Field(
        None,
        description="in the plane: {x, y: formulas of u in its own axes, range: else [0, 2*pi], side: where it is solid, "
        "seen along growing u: left (default) or right}",
    )
    arc: Annotated[Arc, Read(_read_arc, _OBJECT, _write)] | None = Field(
        None,
        description="in the plane: a part of a circle about its origin, {radius, range: angles, else all of it, side: "
        "where it is solid, inside (default) or outside}",
    )
    radius: Length | None = Field(None, description="by how much a bar, box, polygon or hull is rounded, m; default 0")

    @property
    def form(self) -> str:
        """Which of the forms it has."""
        return next(name for name in FORMS if getattr(self, name) is not None)

    def own_faults(self) -> Iterator[Fault]:
        given = [name for name in FORMS if getattr(self, name) is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} are given" if given else "no form is given"
            yield Fault("", f"{found}; a surface has one", f"write exactly one of: {', '.join(FORMS)}")
            return
        form = given[0]
        if self.radius is not None and form not in ("bar", "box", "polygon", "hull"):
            yield Fault("radius", f"a {form} is not rounded", "leave it out")
        placed = form in ("point", "bar")
        if self.at is not None and placed:
            yield Fault("at", f"the {form} says itself where it is", "leave it out")
        if self.rotation is not None and (placed or form in ("plane", "ball")):
            yield Fault("rotation", f"a {form} is not turned by it", "leave it out")
