"""How the orientation of a body in the sketch is declared; a bare list of four numbers is never accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from linkwork.algebra.expressions import Expression
from linkwork.model.fields import (
    Read,
    VectorOfExpressions,
    as_list,
    brief,
    read_matrix,
    read_scalar,
    read_vector,
    refused,
    write,
)


@dataclass(frozen=True)
class PlanarAngle:
    """Counter-clockwise angle of the body axes in the plane, rad."""

    angle: Expression


@dataclass(frozen=True)
class AxisAngle:
    """Right-handed turn by ``angle`` (rad) about ``axis`` (3 components, world axes)."""

    axis: VectorOfExpressions
    angle: Expression


@dataclass(frozen=True)
class Quaternion:
    """Unit quaternion, scalar part first, body to world; normalised when used."""

    wxyz: VectorOfExpressions


@dataclass(frozen=True)
class RotationMatrix:
    """Three rows; columns are the body axes in world components."""

    rows: tuple[VectorOfExpressions, ...]


Rotation = PlanarAngle | AxisAngle | Quaternion | RotationMatrix
_HINT = (
    "write an angle in the plane; {axis: [0, 0, 1], angle: 30 deg}, {wxyz: [1, 0, 0, 0]} or {matrix: [...]} in space"
)


def read_rotation(value: Any) -> Rotation:
    """Read an angle (planar) or one of the three spatial forms."""
    if isinstance(value, (PlanarAngle, AxisAngle, Quaternion, RotationMatrix)):
        return value
    if isinstance(value, Mapping):
        keys = {str(key) for key in value}
        if keys == {"axis", "angle"}:
            return AxisAngle(read_vector(value["axis"], "any", (3,)), read_scalar(value["angle"], "angle"))
        if keys == {"wxyz"}:
            return Quaternion(read_vector(value["wxyz"], "dimensionless", (4,)))
        if keys == {"matrix"}:
            return RotationMatrix(read_matrix(value["matrix"], "dimensionless"))
        raise refused(f"a rotation with the keys {', '.join(sorted(keys)) or 'none'} is not known", _HINT)
    items = as_list(value)
    if items is not None:
        raise refused(f"a bare list of {len(items)} numbers does not say what it means", _HINT)
    if value is None:
        raise refused(f"{brief(value)} is not a rotation", _HINT)
    return PlanarAngle(read_scalar(value, "angle"))


def write_rotation(value: Rotation | None) -> Any:
    """Plain data of a rotation."""
    match value:
        case PlanarAngle(angle):
            return write(angle)
        case AxisAngle(axis, angle):
            return {"axis": write(axis), "angle": write(angle)}
        case Quaternion(wxyz):
            return {"wxyz": write(wxyz)}
        case RotationMatrix(rows):
            return {"matrix": write(rows)}
    return None


_NUMBER: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_SCHEMA: dict[str, Any] = {
    "description": "Orientation of the body axes in the sketch: an angle (planar); an axis with an angle, a "
    "quaternion wxyz (scalar first) or a matrix (spatial); default: fitted likewise",
    "anyOf": [
        *_NUMBER["anyOf"],
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "axis": {"type": "array", "items": _NUMBER, "minItems": 3, "maxItems": 3},
                "angle": _NUMBER,
                "wxyz": {"type": "array", "items": _NUMBER, "minItems": 4, "maxItems": 4},
                "matrix": {"type": "array", "items": {"type": "array", "items": _NUMBER}, "minItems": 3, "maxItems": 3},
            },
        },
    ],
}
RotationField = Annotated[Rotation, Read(read_rotation, _SCHEMA, write_rotation)]
