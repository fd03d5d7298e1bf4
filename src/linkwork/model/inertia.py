"""How an inertia is declared: numbers about the centre of mass in body axes, or a shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import did_you_mean
from linkwork.model.fields import (
    Read,
    VectorOfExpressions,
    as_list,
    brief,
    only_key,
    read_matrix,
    read_scalar,
    read_vector,
    refused,
    write,
)


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


@dataclass(frozen=True)
class Rod:
    """A slender uniform rod along the local x axis, centred in the centre of mass; length in m."""

    length: Expression


@dataclass(frozen=True)
class Box:
    """A solid box with edges along the local axes, m: (a, b) in the plane, (a, b, c) in space."""

    edges: VectorOfExpressions


@dataclass(frozen=True)
class Cylinder:
    """A solid cylinder; radius and length in m, axis is the local 'x', 'y' or 'z'."""

    radius: Expression
    length: Expression
    axis: str = "x"


Inertia = Moments | InertiaMatrix | PointMass | Rod | Box | Cylinder
_SHAPES = ("box", "cylinder", "rod")


def read_inertia(value: Any) -> Inertia:
    """Read a number, a list of numbers, a matrix, ``point``, or one of the shapes."""
    if isinstance(value, (Moments, InertiaMatrix, PointMass, Rod, Box, Cylinder)):
        return value
    if isinstance(value, str) and value == "point":
        return PointMass()
    if isinstance(value, Mapping):
        return _read_shape(value)
    items = as_list(value)
    if items is None:
        return Moments((read_scalar(value, "inertia"),))
    if len(items) == 3 and all(as_list(item) is not None for item in items):
        return InertiaMatrix(read_matrix(items, "inertia"))
    if len(items) not in (1, 3, 6):
        hint = "write one number in the plane; [Ixx, Iyy, Izz], six numbers [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or a matrix"
        raise refused(f"an inertia has 1, 3, 6 or 3×3 numbers, not {len(items)}", f"{hint} in space")
    return Moments(read_vector(items, "inertia", (1, 3, 6)))


def _read_shape(value: Mapping[Any, Any]) -> Inertia:
    shape = only_key(value, _SHAPES, "a shape")
    content = value[shape]
    if shape == "box":
        return Box(read_vector(content, "length"))
    if shape == "rod":
        return Rod(read_scalar(content, "length"))
    if not isinstance(content, Mapping):
        raise refused(f"{brief(content)} does not describe a cylinder", "write {radius: 0.1, length: 0.5, axis: x}")
    for key in content:
        if key not in ("radius", "length", "axis"):
            raise refused(f"unknown key '{key}' of a cylinder", did_you_mean(str(key), ["radius", "length", "axis"]))
    for key in ("radius", "length"):
        if key not in content:
            raise refused(f"the {key} of the cylinder is missing")
    axis = content.get("axis", "x")
    if axis not in ("x", "y", "z"):
        raise refused(f"{brief(axis)} is not a local axis", "use x, y or z")
    return Cylinder(read_scalar(content["radius"], "length"), read_scalar(content["length"], "length"), str(axis))


def write_inertia(value: Inertia | None) -> Any:
    """Plain data of an inertia."""
    match value:
        case PointMass():
            return "point"
        case Rod(length):
            return {"rod": write(length)}
        case Box(edges):
            return {"box": write(edges)}
        case Cylinder(radius, length, axis):
            return {"cylinder": {"radius": write(radius), "length": write(length), "axis": axis}}
        case InertiaMatrix(rows):
            return write(rows)
        case Moments((single,)):
            return write(single)
        case Moments(values):
            return write(values)
    return None


_QUANTITY: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_SCHEMA: dict[str, Any] = {
    "description": "About the centre of mass in body axes, kg*m^2: a number (planar), [Ixx, Iyy, Izz], six numbers "
    "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz], a 3x3 matrix, 'point', or a shape: box, cylinder, rod",
    "anyOf": [
        {"type": "number"},
        {"type": "string", "examples": ["point", "0.1 kg*m^2"]},
        {"type": "array", "items": {"anyOf": [*_QUANTITY["anyOf"], {"type": "array", "items": _QUANTITY}]}},
        {
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
            "properties": {
                "box": {"type": "array", "items": _QUANTITY, "minItems": 2, "maxItems": 3},
                "rod": _QUANTITY,
                "cylinder": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["radius", "length"],
                    "properties": {"radius": _QUANTITY, "length": _QUANTITY, "axis": {"enum": ["x", "y", "z"]}},
                },
            },
        },
    ],
}
InertiaField = Annotated[Inertia, Read(read_inertia, _SCHEMA, write_inertia)]
