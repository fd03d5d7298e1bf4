"""What a mechanism looks like: points and segments on its bodies, without any motion.

The motion comes from quantities: planar ``crank.origin.x``, ``crank.origin.y``, ``crank.angle``; spatial
``crank.origin.x/.y/.z`` and the quaternion ``crank.q0 .. crank.q3`` (w first, body to world).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
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
    """A spring between two ends, each (body, point (d,) in its frame, metres); the body may be ground.

    kind: 'spring', which pulls with its force, or 'strut', an actuator, which pushes
    """

    name: str
    ends: tuple[tuple[str, Vector], tuple[str, Vector]]
    kind: str = "spring"


@dataclass(frozen=True)
class StringDrawing:
    """A rod or a cable, straight between its stops, each (body, point (d,) in its frame, metres).

    kind: 'rod' or 'rope'; radii: of the pulleys at the stops, m, positive on the left of the string, 0 without one
    """

    name: str
    stops: tuple[tuple[str, Vector], ...]
    kind: str = "rope"
    radii: tuple[float, ...] = ()


@dataclass(frozen=True)
class WheelDrawing:
    """A wheel: centre (3,) and axis (3,) in the frame of its body, and its radius; metres."""

    body: str
    centre: Vector
    axis: Vector
    radius: float


@dataclass(frozen=True)
class MeshDrawing:
    """Wheels of a coupling or relation; kind: 'outside' or 'inside' where teeth mesh, 'belt', 'crossed', 'rack', 'wheel'.

    play, ahead: between teeth along the pitch circle, and how far the first wheel is beyond its middle when assembled (m)
    """

    name: str
    kind: str
    wheels: tuple[WheelDrawing, ...]
    play: float = 0.0
    ahead: float = 0.0


@dataclass(frozen=True)
class LoadDrawing:
    """Arrows of an applied load at *point* (d,) of *body*: the quantities of the element that are its components.

    force, moment: last parts of their names, world components; one alone acts along *axis* (3,), which is in the frame of
    *carrier* and has the sign with which it acts on the body
    kind: 'applied', or 'contact' of what stops and rubs
    """

    name: str
    body: str
    point: Vector
    force: tuple[str, ...] = ()
    moment: tuple[str, ...] = ()
    axis: Vector | None = None
    carrier: str = GROUND
    kind: str = "applied"


@dataclass(frozen=True)
class StopDrawing:
    """A stop of a joint, on *body*: what moves meets it at *point* (d,) where it is turned or goes along *direction* (d,).

    condition: the name of what holds while it is pressed; turns: whether it stops an angle
    """

    condition: str
    body: str
    point: Vector
    direction: Vector
    turns: bool


@dataclass(frozen=True)
class PlaneDrawing:
    """A plane of *body* that things touch: a place (d,) on it and the normal (d,) off what is solid."""

    name: str
    body: str
    point: Vector
    normal: Vector


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
    meshes: tuple[MeshDrawing, ...] = ()
    loads: tuple[LoadDrawing, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)  # of the model, by elements other than bodies and joints
    stops: tuple[StopDrawing, ...] = ()
    planes: tuple[PlaneDrawing, ...] = ()

    def named(self, name: str) -> str:
        """The name in tables of an element or quantity as users call it."""
        return Renames(self.renames).of(name)

    def told_of_pin(self, name: str) -> str:
        """What to say of the name of a pin of several bodies, or of a quantity of it; else nothing."""
        pin, dot, rest = self.named(name).partition(".")
        mine = [item.name for item in self.joints if item.name in (f"{pin}_{item.body}", f"{pin}_{item.parent}")]
        if len(mine) < 2:
            return ""
        such = f", such as {mine[0]}.{rest}" if dot else ""
        return f"'{pin}' is a pin of several bodies: its joints are {', '.join(mine)}; name one of them{such}"

    @cached_property
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
            "springs": [asdict(spring) for spring in self.springs],
            "gravity": list(self.gravity),
            "strings": [asdict(string) for string in self.strings],
            "outlines": [[list(point) for point in line] for line in self.outlines],
            "renames": dict(self.renames),
            "meshes": [asdict(mesh) for mesh in self.meshes],
            "loads": [asdict(load) for load in self.loads],
            "sections": dict(self.sections),
            "stops": [asdict(stop) for stop in self.stops],
            "planes": [asdict(plane) for plane in self.planes],
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
            strings=tuple(_string_from_dict(string) for string in data.get("strings", ())),
            outlines=tuple(tuple(map(_vector, line)) for line in data.get("outlines", ())),
            renames=data.get("renames", {}),
            # older files have none of these
            meshes=tuple(_mesh_from_dict(mesh) for mesh in data.get("meshes", ())),
            loads=tuple(_load_from_dict(load) for load in data.get("loads", ())),
            sections=data.get("sections", {}),
            stops=tuple(StopDrawing(**_vectors(stop, "point", "direction")) for stop in data.get("stops", ())),
            planes=tuple(PlaneDrawing(**_vectors(plane, "point", "normal")) for plane in data.get("planes", ())),
        )


def _vector(values: Any) -> Vector:
    return tuple(float(value) for value in values)


def _vectors(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """An entry whose vectors are such."""
    return {**data, **{name: _vector(data[name]) for name in names}}


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
    ends = (body_a, _vector(point_a)), (body_b, _vector(point_b))
    return SpringDrawing(data["name"], ends, data.get("kind", "spring"))


def _string_from_dict(data: Mapping[str, Any]) -> StringDrawing:
    stops = tuple((body, _vector(point)) for body, point in data["stops"])
    return StringDrawing(data["name"], stops, data.get("kind", "rope"), _vector(data.get("radii", ())))


def _mesh_from_dict(data: Mapping[str, Any]) -> MeshDrawing:
    wheels = (
        WheelDrawing(w["body"], _vector(w["centre"]), _vector(w["axis"]), float(w["radius"])) for w in data["wheels"]
    )
    return MeshDrawing(data["name"], data["kind"], tuple(wheels))


def _load_from_dict(data: Mapping[str, Any]) -> LoadDrawing:
    return LoadDrawing(
        name=data["name"],
        body=data["body"],
        point=_vector(data["point"]),
        force=tuple(map(str, data["force"])),
        moment=tuple(map(str, data["moment"])),
        axis=_optional_vector(data["axis"]),
        carrier=data["carrier"],
        kind=data.get("kind", "applied"),
    )
