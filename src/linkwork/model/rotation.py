"""How the orientation of a body in the sketch is declared; a bare list of four numbers is never accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from linkwork.algebra.expressions import Expression
from linkwork.elements.relations.guidance import ANGLES
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


@dataclass(frozen=True)
class RollPitchYaw:
    """Turned about the fixed x axis by ``roll``, then about y by ``pitch``, then about z by ``yaw`` (rad), as of drivers."""

    roll: Expression
    pitch: Expression
    yaw: Expression


Rotation = PlanarAngle | AxisAngle | Quaternion | RotationMatrix | RollPitchYaw
_HINT = (
    "write an angle in the plane; {axis: [0, 0, 1], angle: 30 deg}, {roll: 0, pitch: 0, yaw: 30 deg}, {wxyz: [1, 0, 0, 0]} "
    "or {matrix: [...]} in space"
)


def read_rotation(value: Any) -> Rotation:
    """Read an angle (planar) or one of the four spatial forms."""
    if isinstance(value, Rotation):
        return value
    if isinstance(value, Mapping):
        keys = {str(key) for key in value}
        if keys == {"axis", "angle"}:
            return AxisAngle(read_vector(value["axis"], "any", (3,)), read_scalar(value["angle"], "angle"))
        if keys == {"wxyz"}:
            return Quaternion(read_vector(value["wxyz"], "dimensionless", (4,)))
        if keys == {"matrix"}:
            return RotationMatrix(read_matrix(value["matrix"], "dimensionless"))
        if keys and keys <= set(ANGLES):
            return RollPitchYaw(*(read_scalar(value.get(name, 0), "angle") for name in ANGLES))
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
        case RollPitchYaw(roll, pitch, yaw):
            return {"roll": write(roll), "pitch": write(pitch), "yaw": write(yaw)}
    return None


_NUMBER: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_SCHEMA: dict[str, Any] = {
    "description": "Orientation of the body axes in the sketch: an angle (planar); an axis with an angle, a "
    "quaternion wxyz (scalar first), a matrix, or roll, pitch and yaw about the fixed x, y and z, in this order (spatial); "
    "default: fitted likewise",
    "anyOf": [
        *_NUMBER["anyOf"],
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "axis": {"type": "array", "items": _NUMBER, "minItems": 3, "maxItems": 3},
                "angle": _NUMBER,
                **dict.fromkeys(ANGLES, _NUMBER),
                "wxyz": {"type": "array", "items": _NUMBER, "minItems": 4, "maxItems": 4},
                "matrix": {"type": "array", "items": {"type": "array", "items": _NUMBER}, "minItems": 3, "maxItems": 3},
            },
        },
    ],
}
RotationField = Annotated[Rotation, Read(read_rotation, _SCHEMA, write_rotation)]
