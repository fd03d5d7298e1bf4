"""How a uniform solid is declared: box, cylinder, tube, sphere, cone, rod, plate; lengths in m, in axes of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.fields import (
    Read,
    VectorOfExpressions,
    as_list,
    brief,
    read_each,
    read_scalar,
    read_vector,
    refused,
    write,
)

CornerPlace = str | VectorOfExpressions


@dataclass(frozen=True)
class Rod:
    """A slender rod along the local x axis, about its middle."""

    length: Expression


@dataclass(frozen=True)
class Box:
    """A box with edges along the local axes, about its middle: (a, b) flat in the plane, (a, b, c)."""

    edges: VectorOfExpressions


@dataclass(frozen=True)
class Cylinder:
    """A cylinder about its middle; axis is the local 'x', 'y' or 'z', inner the radius of a bore through it."""

    radius: Expression
    length: Expression
    axis: str = "x"
    inner: Expression | None = None


@dataclass(frozen=True)
class Tube:
    """A round tube about its middle: outer radius and thickness of the wall."""

    radius: Expression
    wall: Expression
    length: Expression
    axis: str = "x"


@dataclass(frozen=True)
class Sphere:
    """A sphere, hollow inside the radius inner."""

    radius: Expression
    inner: Expression | None = None


@dataclass(frozen=True)
class Cone:
    """A cone that rises from its base along a local axis; with the radius top at its end a frustum."""

    radius: Expression
    length: Expression
    axis: str = "x"
    top: Expression | None = None


@dataclass(frozen=True)
class Plate:
    """A polygon in the local x-y plane, as thick to either side; corners are points of a planar body, or positions."""

    points: tuple[CornerPlace, ...]
    thickness: Expression | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The corners that are points of the body."""
        return tuple(corner for corner in self.points if isinstance(corner, str))


SolidForm = Rod | Box | Cylinder | Tube | Sphere | Cone | Plate
SOLIDS: Mapping[str, type[SolidForm]] = {
    "box": Box,
    "cylinder": Cylinder,
    "tube": Tube,
    "sphere": Sphere,
    "cone": Cone,
    "rod": Rod,
    "plate": Plate,
}
_AXES = ("x", "y", "z")
_EXAMPLES = {
    "cylinder": "{radius: 0.1, length: 0.5, axis: x}",
    "tube": "{radius: 0.1, wall: 5 mm, length: 0.5, axis: x}",
    "sphere": "{radius: 0.1}",
    "cone": "{radius: 0.1, length: 0.5, axis: x}",
    "plate": "{points: [[0, 0], [0.2, 0], [0, 0.1]], thickness: 5 mm}",
}


def read_solid(kind: str, content: Any) -> SolidForm:
    """Read what stands behind ``box:``, ``cylinder:`` and so on."""
    declared = SOLIDS[kind]
    if isinstance(content, declared):
        return content
    if declared is Box:
        return Box(read_vector(content, "length"))
    if declared is Rod:
        return Rod(read_scalar(content, "length"))
    if not isinstance(content, Mapping):
        raise refused(f"{brief(content)} does not describe a {kind}", f"write {_EXAMPLES[kind]}")
    known = {field.name: field.default is MISSING for field in fields(declared)}
    faults = [
        Fault("", f"unknown key '{key}' of a {kind}", did_you_mean(str(key), list(known)))
        for key in content
        if key not in known
    ]
    faults += [
        Fault("", f"the {key} of the {kind} {'are' if key == 'points' else 'is'} missing", f"write {_EXAMPLES[kind]}")
        for key, required in known.items()
        if required and key not in content
    ]
    if faults:
        raise ModelError(faults)
    given = {str(key): (str(key), item) for key, item in content.items()}
    return declared(**dict(zip(given, read_each(given, _read_entry), strict=True)))


def _read_entry(entry: tuple[str, Any]) -> Any:
    key, value = entry
    if key == "axis":
        if value not in _AXES:
            raise refused(f"{brief(value)} is not a local axis", "use x, y or z")
        return str(value)
    return _read_corners(value) if key == "points" else read_scalar(value, "length")


def _read_corners(value: Any) -> tuple[CornerPlace, ...]:
    items = as_list(value)
    if items is None or len(items) < 3:
        raise refused("a polygon has at least three corners", "write [[0, 0], [0.2, 0], [0, 0.1]]")
    numbered = {f"[{index}]": item for index, item in enumerate(items)}
    return read_each(numbered, lambda item: item if isinstance(item, str) else read_vector(item, "length", (2,)))


def write_solid(solid: SolidForm | None) -> Any:
    """Plain data of a solid, without the name of its kind."""
    match solid:
        case None:
            return None
        case Rod(length):
            return write(length)
        case Box(edges):
            return write(edges)
    entries = ((field, getattr(solid, field.name)) for field in fields(solid))
    return {field.name: write(value) for field, value in entries if value is not None and value != field.default}


# -- schema ----------------------------------------------------------------------------------------------------------

_QUANTITY: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_CORNER = {"anyOf": [{"type": "string"}, {"type": "array", "items": _QUANTITY, "minItems": 2, "maxItems": 2}]}


def solid_schema(kind: str) -> dict[str, Any]:
    """JSON schema of what stands behind the name of a kind."""
    declared = SOLIDS[kind]
    text = {"description": (declared.__doc__ or "").partition("\n")[0]}
    if declared is Box:
        return {"type": "array", "items": _QUANTITY, "minItems": 2, "maxItems": 3, **text}
    if declared is Rod:
        return {**_QUANTITY, **text}
    rules: dict[str, Any] = {field.name: _QUANTITY for field in fields(declared)}
    special = {"axis": {"enum": list(_AXES)}, "points": {"type": "array", "items": _CORNER, "minItems": 3}}
    rules |= {key: rule for key, rule in special.items() if key in rules}
    required = [field.name for field in fields(declared) if field.default is MISSING]
    return {"type": "object", "additionalProperties": False, "required": required, "properties": rules, **text}


def solid_field(kind: str) -> Read:
    """Annotation of the field of a kind."""
    return Read(lambda value: read_solid(kind, value), solid_schema(kind), write_solid)
