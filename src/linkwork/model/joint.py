"""The declaration of a joint, and the table of joint kinds with their freedoms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from linkwork.algebra.expressions import Expression, Number
from linkwork.algebra.space import space_named
from linkwork.algebra.units import counts_angles, read_unit
from linkwork.elements import joints
from linkwork.errors import nearest
from linkwork.model.element import Element
from linkwork.model.fields import (
    Direction,
    Read,
    Value,
    VectorOfExpressions,
    as_list,
    brief,
    read_name,
    read_names,
    read_scalar,
    read_vector,
    refused,
    scalar_schema,
    vector_schema,
)
from linkwork.model.joint_limits import Ends, FrictionField, LimitsField
from linkwork.plugins import discover

GROUND = "ground"
"""Reserved name of the body that does not move."""


@dataclass(frozen=True)
class DeclaredFreedom:
    """One coordinate of a joint, child relative to parent: names of coordinate and rate; rad or m."""

    coordinate: str
    rate: str
    acceleration: str
    angular: bool

    @property
    def dimension(self) -> str:
        """Dimension of the coordinate."""
        return "angle" if self.angular else "length"

    @property
    def rate_dimension(self) -> str:
        """Dimension of the rate."""
        return "angular_speed" if self.angular else "speed"

    @property
    def acceleration_dimension(self) -> str:
        """Dimension of the second derivative."""
        return "angular_acceleration" if self.angular else "acceleration"

    @property
    def effort_dimension(self) -> str:
        """Dimension of the force or torque along the coordinate."""
        return "torque" if self.angular else "force"


@dataclass(frozen=True)
class JointRules:
    """What a kind of joint allows: number of axes it needs by space (absent: not for that space), scalar freedoms.

    ``bends``: it may be drawn bent, with one axis of the parent and one of the child; ``spins``: spaces in which the
    child can turn anyhow; ``numbers`` are further keys that it needs; ``followers`` are names of lengths that follow a
    freedom.
    """

    name: str
    axes: dict[str, int]
    freedoms: dict[str, tuple[DeclaredFreedom, ...]]
    bends: bool = False
    spins: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    followers: tuple[str, ...] = ()


def _declared(kind: joints.JointKind) -> JointRules:
    """What a declaration must know of a joint element."""
    spaces = [space_named(name) for name in kind.spaces]
    freedoms = {
        space.name: tuple(
            DeclaredFreedom(f.name, f.rate, f.acceleration, f.kind == "angle") for f in kind.scalars(space)
        )
        for space in spaces
    }
    spins = tuple(space.name for space in spaces if kind.spins(space))
    followers = tuple(name for f in kind.followers(spaces[0]) for name in (f.name, f.rate, f"{f.name}_acceleration"))
    return JointRules(kind.name, dict(kind.axes), freedoms, kind.bends, spins, kind.numbers, followers)


JOINT_KINDS: dict[str, JointRules] = {kind.name: _declared(kind) for kind in joints.ALL_JOINTS}


def declare_joint(kind: joints.JointKind) -> None:
    """One more kind that a model may name."""
    JOINT_KINDS[kind.name] = _declared(kind)
    _KIND_SCHEMA["enum"] = list(JOINT_KINDS)


def _read_kind(value: Any) -> str:
    """The name of a kind of joint."""
    if isinstance(value, str) and (value in JOINT_KINDS or (discover() and value in JOINT_KINDS)):
        return value
    close = nearest(str(value)[:60], JOINT_KINDS, count=1)
    raise refused(
        f"{brief(value)} is not one of: {', '.join(JOINT_KINDS)}", f"did you mean '{close[0]}'?" if close else ""
    )


def _read_at(value: Any) -> tuple[str, ...]:
    """One point name for both bodies, or the points on parent and child."""
    return (read_name(value),) if isinstance(value, str) else read_names(value, 2)


def _read_axes(value: Any) -> tuple[VectorOfExpressions, ...]:
    items = as_list(value)
    if items is None or len(items) != 2:
        raise refused("two axes are needed", "write axes: [[1, 0, 0], [0, 1, 0]]")
    return tuple(read_vector(item, "any", (3,)) for item in items)


def _read_pitch(value: Any) -> Expression:
    """A length; one per radian or per revolution is refused, as angles have no dimension that could tell them apart."""
    expression = read_scalar(value, "length")
    for node in expression.walk():
        if isinstance(node, Number) and node.unit and counts_angles(read_unit(node.unit)):
            raise refused(f"'{node.text}': the pitch is the advance per turn, a length", "write pitch: 2 mm")
    return expression


def _write_at(value: tuple[str, ...] | None) -> Any:
    if value is None:
        return None
    return value[0] if len(value) == 1 else list(value)


_KIND_SCHEMA: dict[str, Any] = {"description": "kind of the joint", "enum": list(JOINT_KINDS)}
_AT_SCHEMA = {
    "description": "the point of the joint, or [point on parent, point on child]; default: the point of its name",
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
    ],
}
_AXES_SCHEMA = {
    "type": "array",
    "items": vector_schema("any", (3,)),
    "minItems": 2,
    "maxItems": 2,
    "description": "universal joint: first axis fixed in the parent, second in the child; constant-velocity joint that is "
    "drawn bent: shaft of the parent, shaft of the child; world axes at the sketch",
}
_PITCH_SCHEMA = {
    **scalar_schema("length"),
    "description": "helical joint: advance per turn, a length; negative for a left-handed thread",
    "examples": ["2 mm"],
}


_BODIES = Read(
    lambda value: read_names(value, 2),
    {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 2,
        "description": "[parent, child]; 'ground' is the frame; all bodies on the pin of a revolute or spherical joint",
    },
)


class Joint(Element):
    """A joint between two bodies: the child (second) moves relative to the parent (first)."""

    kind: Annotated[str, Read(_read_kind, _KIND_SCHEMA)] = Field(description="kind of the joint")
    bodies: Annotated[tuple[str, str], _BODIES] = Field(
        description="[parent, child]; 'ground' is the frame", examples=[["ground", "crank"]]
    )
    at: Annotated[tuple[str, ...], Read(_read_at, _AT_SCHEMA, _write_at)] | None = None
    axis: Direction | None = Field(None, description="direction of the axis in world axes at the sketch")
    axes: Annotated[tuple[VectorOfExpressions, ...], Read(_read_axes, _AXES_SCHEMA)] | None = None
    pitch: Annotated[Expression, Read(_read_pitch, _PITCH_SCHEMA)] | None = None
    reference: Value | None = Field(None, description="value of the joint coordinate at the sketch")
    limits: LimitsField | None = None
    friction: FrictionField | None = None

    @property
    def parent(self) -> str:
        """Name of the first body."""
        return self.bodies[0]

    @property
    def child(self) -> str:
        """Name of the second body."""
        return self.bodies[1]

    @property
    def space(self) -> str:
        """The space that it is declared for: kinds for both, of which the coordinates differ, have an axis to tell."""
        spaces = list(JOINT_KINDS[self.kind].axes)
        return spaces[-1] if self.axis is not None and len(self.axis) == 3 else spaces[0]

    @property
    def freedoms(self) -> tuple[DeclaredFreedom, ...]:
        """The scalar coordinates of this kind of joint."""
        return JOINT_KINDS[self.kind].freedoms[self.space]

    @property
    def spins(self) -> bool:
        """Whether the child can turn anyhow."""
        return self.space in JOINT_KINDS[self.kind].spins

    @property
    def ranges(self) -> dict[str, Ends]:
        """The limits by coordinate."""
        if isinstance(self.limits, tuple):
            return {self.freedoms[0].coordinate: self.limits} if self.freedoms else {}
        return dict(self.limits or {})

    def freedom(self, name: str | None = None) -> DeclaredFreedom | None:
        """The freedom with that coordinate name, or the only one; None when it is not there or not unique."""
        if name is None:
            return self.freedoms[0] if len(self.freedoms) == 1 else None
        return next((freedom for freedom in self.freedoms if freedom.coordinate == name), None)
