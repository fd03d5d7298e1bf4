"""Where a motion that is given goes beyond the limits of joints, ropes and contacts: it is followed there, and told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.arrays import Array
from linkwork.coordinates.stops import limited, stop_name
from linkwork.coordinates.touching import place_names
from linkwork.elements.shapes.pairs import gaps, offers
from linkwork.elements.shapes.polygon_gaps import largest
from linkwork.elements.stops import LOWER, UPPER
from linkwork.model.report import range_text
from linkwork.results.outcome import EventRecord
from linkwork.results.quantities import TIME, Variable

FEWEST = 4  # samples between which a motion is a cubic
ROUNDING = 1e-9  # of a value, in rad, or of the size of the mechanism: beyond a limit by less, it rests on it


@dataclass(frozen=True, eq=False)
class _Room:
    """What is left at all samples (N) until something is met, by its name, and how much of it is rounding."""

    name: str
    values: Array
    margin: float


@dataclass(frozen=True, eq=False)
class _Passed:
    """A coordinate with limits at all samples (N): its name, its values and ends, in words, and how much is rounding."""

    name: str
    values: Array
    low: Array
    high: Array
    told: str
    margin: float

    @property
    def rooms(self) -> tuple[_Room, ...]:
        """What is left to both ends."""
        below, above = self.values - self.low, self.high - self.values
        return tuple(_Room(f"{self.name}.{side}", room, self.margin) for side, room in ((LOWER, below), (UPPER, above)))

    @property
    def outside(self) -> NDArray[np.bool_]:
        return (self.values < self.low - self.margin) | (self.values > self.high + self.margin)


def beyond_notes(source: Trajectory, over: Variable = TIME) -> tuple[str, ...]:
    """A line for every coordinate that is beyond its limits at some of the samples."""
    return tuple(_notes(source, over))


def passings(source: Trajectory, over: Variable = TIME) -> tuple[EventRecord, ...]:
    """Where a motion over time passes a stop, the length of a rope or a surface, this way or the other, by cubic
    polynomials between the samples."""
    if not over.is_time:
        return ()
    rooms = [room for item in _limited(source) for room in item.rooms]
    found = [event for room in (*rooms, *_rooms(source)) for event in _crossings(room, source.t)]
    return tuple(sorted(found, key=lambda event: event.time))


def _notes(source: Trajectory, over: Variable) -> Iterator[str]:
    for item in _limited(source):
        if item.outside.any():
            first = float(source.t[np.argmax(item.outside)])
            place = f"t = {first:.6g} s" if over.is_time else over.place(first)
            yield f"{item.name} is beyond its limits ({item.told}) at {place}: a stop is there, which this motion passes"


def _limited(source: Trajectory) -> Iterator[_Passed]:
    """All coordinates with limits."""
    c, model = source.mechanism.coordinates, source.mechanism.model
    names = [stop_name(*key) for key in limited(model)]
    values = source.evaluate(names) if names and source.t.size else {}
    for joint, freedom in limited(model) if values else ():
        declared, angular = model.joints[joint].ranges[freedom], c.motion.coordinates[joint, freedom].kind != "length"
        low, high = (_along(source, end, side) for end, side in zip(declared, (-np.inf, np.inf), strict=True))
        x = values[stop_name(joint, freedom)]
        if angular and np.isfinite(low[0]) and np.isfinite(high[0]):
            x = x + 2 * pi * np.round(((low[0] + high[0]) / 2 - x[0]) / (2 * pi))
        margin = ROUNDING * (1.0 if angular else float(c.kinematics.length))
        told = range_text(declared, angular).removeprefix("from ")
        yield _Passed(stop_name(joint, freedom), x, low, high, told, margin)


def _rooms(source: Trajectory) -> Iterator[_Room]:
    """What is left to ropes, and the gaps of contacts that are formulas."""
    c = source.mechanism.coordinates
    found = {item.name: item.room for item in c.one_sided.values()}
    for pair in c.geometry.touchables.pairs:
        ends = c.geometry.touchables.ends(pair)
        if "expression" in offers(c.space, *(end.word for end in ends)):
            places = gaps(*ends, c.kinematics.frames, largest if pair.law.compliance is None else None)
            found |= {name: place.gap for name, place in zip(place_names(pair, ends, len(places)), places, strict=True)}
    if not found or not source.t.size:
        return
    read = ca.Function("rooms", [c.t, c.y, c.p], [ca.densify(ca.vertcat(*found.values()))])
    p = np.broadcast_to(source.p[..., : c.p.numel()], (source.t.size, c.p.numel()))
    values = np.array(read.map(source.t.size)(source.t[None], source.y.T, p.T))
    for name, room in zip(found, values, strict=True):
        yield _Room(name, room, ROUNDING * float(c.kinematics.length))


def _crossings(item: _Room, t: Array) -> Iterator[EventRecord]:
    """Zeros of a room."""
    from scipy.interpolate import CubicSpline
    from scipy.optimize import brentq

    room = item.values
    if len(t) < FEWEST or not np.all(np.isfinite(room)):
        return
    beyond, curve = room < -item.margin, CubicSpline(t, room)
    for k in np.flatnonzero(beyond[1:] != beyond[:-1]):
        ends = float(room[k]), float(room[k + 1])
        when = float(t[k + (ends[0] > ends[1])])
        if ends[0] * ends[1] < 0.0:
            when = float(brentq(curve, t[k], t[k + 1], xtol=1e-14))
        word = "is passed" if beyond[k + 1] else "is passed back"
        yield EventRecord(f"{item.name} {word}", when)


def _along(source: Trajectory, end: Expression | None, otherwise: float) -> Array:
    """A limit at all samples (N)."""
    if end is None:
        return np.full(source.t.size, otherwise)
    c = source.mechanism.coordinates
    value = ca.SX(to_sx(end, c.geometry.fixed_values.__getitem__))
    f = ca.Function("end", [c.p], [value])
    return np.array(
        [float(f(row[: c.p.numel()])) for row in np.broadcast_to(source.p, (source.t.size, source.p.shape[-1]))]
    )
