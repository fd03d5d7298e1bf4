"""How an inertia is declared: numbers about the centre of mass in body axes, or a shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from linkwork.model.fields import (
    Read,
    VectorOfExpressions,
    as_list,
    only_key,
    read_matrix,
    read_scalar,
    read_vector,
    refused,
    write,
)
from linkwork.model.solids import SOLIDS, Box, Cylinder, Rod, read_solid, solid_schema, write_solid


@dataclass(frozen=True)
class Moments:
    """Numbers, kg·m²: planar (I,); spatial (Ixx, Iyy, Izz) or (Ixx, Iyy, Izz, Ixy, Ixz, Iyz).

    Ixy, Ixz, Iyz are the off-diagonal elements of the matrix, Ixy = -∫ x y dm.
    """

    values: VectorOfExpressions


@dataclass(frozen=True)
class InertiaMatrix:
    """The symmetric 3×3 matrix, kg·m², as three rows."""

    rows: tuple[VectorOfExpressions, ...]


@dataclass(frozen=True)
class PointMass:
    """All mass in the centre of mass: no inertia."""


Centred = Rod | Box | Cylinder
"""A shape that lies about its own centre of mass."""
InertiaForm = Moments | InertiaMatrix | PointMass | Centred
_SHAPES = {kind: declared for kind, declared in SOLIDS.items() if issubclass(declared, Centred)}


def read_inertia(value: Any) -> InertiaForm:
    """Read a number, a list of numbers, a matrix, ``point``, or one of the shapes."""
    if isinstance(value, InertiaForm):
        return value
    if isinstance(value, str) and value == "point":
        return PointMass()
    if isinstance(value, Mapping):
        shape = only_key(value, _SHAPES, "a shape")
        solid = read_solid(shape, value[shape])
        assert isinstance(solid, Centred)
        return solid
    items = as_list(value)
    if items is None:
        return Moments((read_scalar(value, "inertia"),))
    if len(items) == 3 and all(as_list(item) is not None for item in items):
        return InertiaMatrix(read_matrix(items, "inertia"))
    if len(items) not in (1, 3, 6):
        hint = "write one number in the plane; [Ixx, Iyy, Izz], six numbers [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or a matrix"
        raise refused(f"an inertia has 1, 3, 6 or 3×3 numbers, not {len(items)}", f"{hint} in space")
    return Moments(read_vector(items, "inertia", (1, 3, 6)))


def write_inertia(value: InertiaForm | None) -> Any:
    """Plain data of an inertia."""
    match value:
        case PointMass():
            return "point"
        case InertiaMatrix(rows):
            return write(rows)
        case Moments((single,)):
            return write(single)
        case Moments(values):
            return write(values)
        case None:
            return None
    return {kind: write_solid(value) for kind, declared in _SHAPES.items() if isinstance(value, declared)}


_QUANTITY: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_SCHEMA: dict[str, Any] = {
    "description": "About the centre of mass in body axes, kg*m^2: a number (planar), [Ixx, Iyy, Izz], six numbers "
    "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz], a 3x3 matrix, 'point', or a shape: box, cylinder, rod; "
    "default: slender rod for a bar, point mass for a single point",
    "anyOf": [
        {"type": "number"},
        {"type": "string", "examples": ["point", "0.1 kg*m^2"]},
        {"type": "array", "items": {"anyOf": [*_QUANTITY["anyOf"], {"type": "array", "items": _QUANTITY}]}},
        {
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
            "properties": {kind: solid_schema(kind) for kind in _SHAPES},
        },
    ],
}
InertiaField = Annotated[InertiaForm, Read(read_inertia, _SCHEMA, write_inertia)]
