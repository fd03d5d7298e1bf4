"""Points of a mechanism that can be traced or followed: joints, named points, centres of mass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import ResultError, UnknownNameError, did_you_mean
from linkwork.results.drawing import GROUND, Drawing, Vector
from linkwork.views.backdrop import place

STILL = 1e-6  # a point that moves less than this part of the scene's size stands still


@dataclass(frozen=True)
class TracedPoint:
    """A point whose path can be shown: label, body, place (d,) in its frame, and its name if it is no joint's."""

    label: str
    body: str
    point: Vector
    name: str = ""

    def to_dict(self, drawing: Drawing) -> dict[str, Any]:
        """As plain data; the body by its number."""
        return {
            "label": self.label,
            "body": number_of(drawing, self.body),
            "point": list(self.point),
            "name": self.name,
            "free": bool(self.name),
        }


def number_of(drawing: Drawing, body: str) -> int:
    """Number of a body in the scene; the ground is -1."""
    if body == GROUND:
        return -1
    if body not in drawing.bodies:
        raise ResultError(f"the drawing names a body '{body}' that it does not have")
    return list(drawing.bodies).index(body)


def tracks_of(drawing: Drawing) -> list[TracedPoint]:
    """Joints first, then named points that are no joint, then centres of mass."""
    tracks = [TracedPoint(j.name, j.body, j.point) for j in drawing.joints if j.body != GROUND]
    for name, body in drawing.bodies.items():
        joints = {j.name for j in drawing.joints if name in (j.body, j.parent)}
        tracks += [TracedPoint(f"{name}.{p}", name, at, p) for p, at in body.points.items() if p not in joints]
    return tracks + [TracedPoint(f"{n}.com", n, b.com) for n, b in drawing.bodies.items() if b.com is not None]


def moving_tracks(drawing: Drawing, poses: Mapping[str, Array], size: float) -> list[TracedPoint]:
    """Those that move, in a scene of some size."""
    moving = []
    for track in tracks_of(drawing):
        spread = np.ptp(place(poses[track.body], track.point), axis=0)
        if not np.all(spread <= STILL * size):
            moving.append(track)
    return moving


def traced(wanted: Sequence[str] | None, tracks: Sequence[TracedPoint], drawing: Drawing) -> list[int]:
    """Numbers of the tracks shown at first: those asked for, else points that are neither joint nor end of a spring."""
    if wanted is None:
        ends = {end for spring in drawing.springs for end in spring.ends}
        return [i for i, track in enumerate(tracks) if track.name and (track.body, track.point) not in ends][:3]
    seats = _seats(drawing)
    return [_found(seats.get(name, name), tracks, "no moving point or joint '{}' to trace") for name in wanted]


def targets_of(drawing: Drawing) -> list[TracedPoint]:
    """What a camera can follow: the middle of every body, then its points and joints."""
    middles = [TracedPoint(n, n, b.com or (0.0,) * drawing.dimension) for n, b in drawing.bodies.items()]
    return middles + [track for track in tracks_of(drawing) if not track.label.endswith(".com")]


def followed(name: str, drawing: Drawing) -> TracedPoint:
    """What a camera is to follow: a body, a joint or a point."""
    targets = targets_of(drawing)
    return targets[_found(_seats(drawing).get(name, name), targets, "follow: there is no body, joint or point '{}'")]


def _seats(drawing: Drawing) -> dict[str, str]:
    """Joints by the points of their bodies at which they sit."""
    return {f"{body}.{joint.name}": joint.name for joint in drawing.joints for body in (joint.body, joint.parent)}


def _found(name: str, tracks: Sequence[TracedPoint], refusal: str) -> int:
    """The number of a track by its label, or by the name of its point alone."""
    found = [i for i, track in enumerate(tracks) if name == track.label]
    found += [i for i, track in enumerate(tracks) if name == track.label.partition(".")[2]]
    if not found:
        raise UnknownNameError(f"{refusal.format(name)}; {did_you_mean(name, [track.label for track in tracks])}")
    return found[0]
