"""What a mechanism looks like: points and segments on its bodies, without any motion.

The motion comes from quantities: planar ``crank.origin.x``, ``crank.origin.y``, ``crank.angle``; spatial
``crank.origin.x/.y/.z`` and the quaternion ``crank.q0 .. crank.q3`` (w first, body to world).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from linkwork.algebra.renames import Renames
from linkwork.outline import outlined
from linkwork.results.quantities import Called

Vector = tuple[float, ...]
SpaceName = Literal["planar", "spatial"]

GROUND = "ground"


@dataclass(frozen=True)
class Piece:
    """Room that a body takes: the hull of corners (d,), and all places at most a radius away from it; metres, body frame."""

    corners: tuple[Vector, ...]
    radius: float = 0.0


@dataclass(frozen=True)
class BodyDrawing:
    """Named points (d,), lines between them, the centre of mass (d,), and polylines of points (d,); metres, body frame.

    pieces: the room that the body takes
    """

    points: Mapping[str, Vector] = field(default_factory=dict)
    segments: tuple[tuple[str, str], ...] = ()
    com: Vector | None = None
    outlines: tuple[tuple[Vector, ...], ...] = ()
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class JointDrawing:
    """A joint symbol that moves with *body*: *point* (d,) in metres in its frame.

    *axis* (3,) is in the frame of *carrier*, which is *body* where nothing else is said.
    """

    name: str
    kind: str
    body: str
    point: Vector
    parent: str = GROUND
    axis: Vector | None = None
    carrier: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "carrier", self.carrier or self.body)


@dataclass(frozen=True)
class SpringDrawing:
    """A spring between two ends, each (body, point (d,) in its frame, metres); the body may be ground."""

    name: str
    ends: tuple[tuple[str, Vector], tuple[str, Vector]]


@dataclass(frozen=True)
class StringDrawing:
    """A rod or a cable, straight between its stops, each (body, point (d,) in its frame, metres)."""

    name: str
    stops: tuple[tuple[str, Vector], ...]


@outlined
@dataclass(frozen=True)
class Drawing:
    """All there is to draw; ground points (d,), lines of the ground (polylines) and gravity (d,) are in world axes."""

    space: SpaceName = "planar"
    ground: Mapping[str, Vector] = field(default_factory=dict)
    bodies: Mapping[str, BodyDrawing] = field(default_factory=dict)
    joints: tuple[JointDrawing, ...] = ()
    springs: tuple[SpringDrawing, ...] = ()
    gravity: Vector = ()
    strings: tuple[StringDrawing, ...] = ()
    outlines: tuple[tuple[Vector, ...], ...] = ()
    renames: Mapping[str, str] = field(default_factory=dict)  # names of users by those of the model

    def named(self, name: str) -> str:
        """The name in tables of an element or quantity as users call it."""
        return Renames(self.renames).of(name)

    @property
    def called(self) -> Called:
        """How users may call quantities."""
        return Called({name: body.points for name, body in self.bodies.items()}, self.renames)

    @property
    def dimension(self) -> int:
        """2 for planar, 3 for spatial."""
        return 2 if self.space == "planar" else 3

    @property
    def upright(self) -> int:
        """Number of the axis along which things fall: the last one, unless gravity in space says otherwise."""
        pull = [abs(part) for part in self.gravity] if self.space == "spatial" else []
        return pull.index(max(pull)) if any(pull) else self.dimension - 1

    def pose_names(self, body: str) -> tuple[str, ...]:
        """Names of the quantities that place *body*: (x, y, angle) or (x, y, z, q0, q1, q2, q3)."""
        if self.space == "planar":
            return (f"{body}.origin.x", f"{body}.origin.y", f"{body}.angle")
        return tuple(f"{body}.{part}" for part in ("origin.x", "origin.y", "origin.z", "q0", "q1", "q2", "q3"))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries, ready for JSON."""
        return {
            "space": self.space,
            "ground": {"points": {name: list(point) for name, point in self.ground.items()}},
            "bodies": {name: _body_to_dict(body) for name, body in self.bodies.items()},
            "joints": [_joint_to_dict(joint) for joint in self.joints],
            "springs": [{"name": s.name, "ends": [[body, list(p)] for body, p in s.ends]} for s in self.springs],
            "gravity": list(self.gravity),
            "strings": [{"name": s.name, "stops": [[body, list(p)] for body, p in s.stops]} for s in self.strings],
            "outlines": [[list(point) for point in line] for line in self.outlines],
            "renames": dict(self.renames),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Drawing:
        """Inverse of `to_dict`."""
        return cls(
            space=data["space"],
            ground={name: _vector(point) for name, point in data["ground"]["points"].items()},
            bodies={name: _body_from_dict(body) for name, body in data["bodies"].items()},
            joints=tuple(_joint_from_dict(joint) for joint in data["joints"]),
            springs=tuple(_spring_from_dict(spring) for spring in data["springs"]),
            gravity=_vector(data["gravity"]),
            strings=tuple(
                StringDrawing(item["name"], tuple((body, _vector(point)) for body, point in item["stops"]))
                for item in data.get("strings", ())
            ),
            outlines=tuple(tuple(map(_vector, line)) for line in data.get("outlines", ())),
            renames=data.get("renames", {}),
        )


def _vector(values: Any) -> Vector:
    return tuple(float(value) for value in values)


def _optional_vector(values: Any) -> Vector | None:
    return None if values is None else _vector(values)


def _body_to_dict(body: BodyDrawing) -> dict[str, Any]:
    return {
        "points": {name: list(point) for name, point in body.points.items()},
        "segments": [list(segment) for segment in body.segments],
        "com": None if body.com is None else list(body.com),
        "outlines": [[list(point) for point in line] for line in body.outlines],
        "pieces": [{"corners": [list(x) for x in piece.corners], "radius": piece.radius} for piece in body.pieces],
    }


def _body_from_dict(data: Mapping[str, Any]) -> BodyDrawing:
    return BodyDrawing(
        points={name: _vector(point) for name, point in data["points"].items()},
        segments=tuple((str(a), str(b)) for a, b in data["segments"]),
        com=_optional_vector(data["com"]),
        # older files have none of these
        outlines=tuple(tuple(map(_vector, line)) for line in data.get("outlines", ())),
        pieces=tuple(Piece(tuple(map(_vector, x["corners"])), float(x["radius"])) for x in data.get("pieces", ())),
    )


def _joint_to_dict(joint: JointDrawing) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": joint.kind,
        "body": joint.body,
        "point": list(joint.point),
        "parent": joint.parent,
        "axis": None if joint.axis is None else list(joint.axis),
        "carrier": joint.carrier,
    }


def _joint_from_dict(data: Mapping[str, Any]) -> JointDrawing:
    return JointDrawing(
        name=data["name"],
        kind=data["kind"],
        body=data["body"],
        point=_vector(data["point"]),
        parent=data["parent"],
        axis=_optional_vector(data["axis"]),
        carrier=data.get("carrier", ""),
    )


def _spring_from_dict(data: Mapping[str, Any]) -> SpringDrawing:
    (body_a, point_a), (body_b, point_b) = data["ends"]
    return SpringDrawing(data["name"], ((body_a, _vector(point_a)), (body_b, _vector(point_b))))
