"""A cable through points, over pulleys and on to a drum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import casadi as ca
import numpy as np
from pydantic import Field

from linkwork.algebra.renames import write_names
from linkwork.elements.relations import cable as mechanics
from linkwork.elements.relations.cable import path_length
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import TIME_ONLY, Element
from linkwork.model.fields import ElementName, Length, Read, as_list, brief, names_schema, read_each, read_name, refused
from linkwork.model.references import point_faults
from linkwork.model.relations.base import RelationElement, Sketch


class Pulley(Element):
    """A pulley of a cable: its centre, its radius, and on which side of the cable it is."""

    point: ElementName = Field(description="the centre: a point of a body")
    radius: Length = Field(description="m")
    side: Literal["left", "right"] = Field(description="where the pulley is, seen along the cable")


class Drum(Element):
    """A drum on which a cable is wound; a positive angle of its joint winds it up."""

    joint: ElementName = Field(description="the revolute joint in which the drum turns")
    radius: Length = Field(description="m; negative where a positive angle pays the cable out")


CableStop = str | Pulley


def _read_stops(value: Any) -> tuple[CableStop, ...]:
    items = as_list(value)
    if items is None or len(items) < 2:
        raise refused("a cable needs two points at least", "write points: [crate.A, frame.P, ground.W]")
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, _read_stop)


def _read_stop(value: Any) -> CableStop:
    if isinstance(value, Pulley):
        return value
    if isinstance(value, Mapping):
        return Pulley(**{str(key): item for key, item in value.items()})
    return read_name(value)


def _read_drum(value: Any) -> Drum:
    if isinstance(value, Drum):
        return value
    if not isinstance(value, Mapping):
        raise refused(f"{brief(value)} is not a drum", "write drum: {joint: J, radius: 10 cm}")
    return Drum(**{str(key): item for key, item in value.items()})


def _write_stops(value: tuple[CableStop, ...]) -> list[Any]:
    return [item.to_dict() if isinstance(item, Pulley) else write_names(item) for item in value]


_PULLEY = {"type": "object", "required": ["point", "radius", "side"], "description": Pulley.__doc__}
_STOPS = {**names_schema(None, "the points"), "items": {"anyOf": [{"type": "string"}, _PULLEY]}, "minItems": 2}
_DRUM = {"type": "object", "required": ["joint", "radius"], "description": Drum.__doc__}


class Cable(RelationElement):
    """A cable of given length through points of bodies, over pulleys, on to a drum. It is taken as always tight."""

    SCOPES: ClassVar = {"length": TIME_ONLY}
    READINGS: ClassVar[tuple[str, ...]] = ("length",)

    kind: Literal["cable"] = "cable"
    points: Annotated[tuple[CableStop, ...], Read(_read_stops, _STOPS, _write_stops)] = Field(
        description="from end to end: points over which it runs, or pulleys {point, radius, side}"
    )
    length: Length | None = Field(
        None,
        description="m, may be a formula of t; with a drum where its joint is at 0; default: as drawn in the sketch",
    )
    drum: Annotated[Drum, Read(_read_drum, _DRUM, lambda drum: None if drum is None else drum.to_dict())] | None = (
        Field(None, description="a drum that winds the cable up: {joint, radius}; default: none")
    )

    def own_faults(self) -> Iterator[Fault]:
        for i in (0, len(self.points) - 1):
            if isinstance(self.points[i], Pulley):
                yield Fault(f"points[{i}]", "a cable ends in a point, not on a pulley", "name the point of its end")
        names = self._names
        for i in range(1, len(names)):
            if names[i] == names[i - 1]:
                yield Fault(f"points[{i}]", f"names '{names[i]}' twice in a row", "leave one of them out")

    @property
    def _names(self) -> list[str]:
        return [item.point if isinstance(item, Pulley) else item for item in self.points]

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        bodies = []
        for i, name in enumerate(self._names):
            place = yield from point_faults(draft, f"{path}.points[{i}]", name)
            bodies.append(None if place is None else place[0])
        if None not in bodies and len(set(bodies)) == 1 and self.drum is None:
            yield Fault(f"{path}.points", f"all points are on '{bodies[0]}': there is nothing to hold")
        for i, item in enumerate(self.points):
            if isinstance(item, Pulley):
                yield from _pulley_faults(draft, f"{path}.points[{i}]", item)
        length = draft.number(self.length)
        if length is not None and length <= 0.0:
            yield Fault(f"{path}.length", f"is {length:g} m; it must be positive")
        if self.drum is not None:
            yield from _drum_faults(draft, f"{path}.drum", self.drum)

    def relate(self, sketch: Sketch) -> mechanics.CableRelation:
        stops = tuple(_stop(sketch, item) for item in self.points)
        names, frames = self._names, {stop.place.body: sketch.drawn(stop.place.body) for stop in stops}
        places = [sketch.number(stop.place.world(frames)) for stop in stops]
        for i in range(1, len(places)):
            if np.array_equal(places[i], places[i - 1]):
                raise refused(f"points {names[i - 1]} and {names[i]} are drawn in the same place", "draw them apart")
        drawn = path_length(stops, frames)
        if not np.isfinite(sketch.number(drawn)).all():
            raise refused("two of its pulleys overlap, or an end lies inside one", "draw them apart")
        drum = (
            None
            if self.drum is None
            else mechanics.WoundDrum(sketch.hinge(self.drum.joint), sketch.value(self.drum.radius))
        )
        if self.length is not None:
            return mechanics.CableRelation(stops, sketch.formula(self.length), drum)
        if drum is not None:
            ends = {body: sketch.drawn(body) for body in (drum.hinge.parent, drum.hinge.child)}
            drawn += drum.radius * ca.atan2(*drum.hinge.turn(ends))
        return mechanics.CableRelation(stops, lambda t: drawn, drum)


def _stop(sketch: Sketch, item: CableStop) -> mechanics.Stop:
    if isinstance(item, str):
        return mechanics.Stop(sketch.place(item))
    return mechanics.Stop(sketch.place(item.point), sketch.value(item.radius), 1 if item.side == "left" else -1)


def _pulley_faults(draft: Draft, path: str, pulley: Pulley) -> Iterator[Fault]:
    if draft.space == "spatial":
        yield Fault(path, "pulleys with a radius are planar", "in space name the point over which the cable runs")
    radius = draft.number(pulley.radius)
    if radius is not None and radius <= 0.0:
        hint = "for a small pulley name its point only"
        yield Fault(f"{path}.radius", f"is {radius:g} m; it must be positive", hint)


def _drum_faults(draft: Draft, path: str, drum: Drum) -> Iterator[Fault]:
    if drum.joint not in draft.names("joints"):
        yield Fault(f"{path}.joint", f"there is no joint '{drum.joint}'", "name a revolute joint")
    elif drum.joint in draft.joints and draft.joints[drum.joint].kind != "revolute":
        yield Fault(f"{path}.joint", f"'{drum.joint}' is {draft.joints[drum.joint].kind}", "name a revolute joint")
    if draft.number(drum.radius) == 0.0:
        yield Fault(f"{path}.radius", "is 0: the drum would wind nothing up", "give its radius, or leave out the drum")
