"""A result as a moving scene: drawing, poses and quantities on a limited number of frames, ready for JSON."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ResultError, UnknownNameError, did_you_mean
from linkwork.results import BodyDrawing, Drawing, Result
from linkwork.results.drawing import GROUND, Vector
from linkwork.results.quantities import NOT_UNIQUE, Array
from linkwork.results.reaction import FORCE_COMPONENTS
from linkwork.views.backdrop import body_poses, bounds, place
from linkwork.views.plots import default_names

MOST_QUANTITIES = 300
STILL = 1e-6  # a point that moves less than this part of the scene's size stands still


@dataclass(frozen=True)
class TracedPoint:
    """A point whose path can be shown: label, body, place (d,) in its frame, and its name if it is no joint's."""

    label: str
    body: str
    point: Vector
    name: str = ""

    def to_dict(self, drawing: Drawing) -> dict[str, Any]:
        return {
            "label": self.label,
            "body": _index(drawing, self.body),
            "point": list(self.point),
            "name": self.name,
            "free": bool(self.name),
        }


def frame_indices(samples: int, most: int) -> NDArray[np.intp]:
    """Indices of the frames kept: all, or *most* of them evenly spread with both ends."""
    if samples <= most:
        return np.arange(samples)
    return np.round(np.linspace(0, samples - 1, max(most, 2))).astype(np.intp)


def heading(result: Result) -> str:
    """How the run ended, and what its audit has found."""
    return "; ".join([str(result.outcome), *([f"audit failed: {text}" for text in result.audit.findings])])


def build_scene(
    result: Result,
    *,
    trace: str | Sequence[str] | None = None,
    plot: str | Sequence[str] | None = None,
    quantities: Sequence[str] | None = None,
    frames: int = 1200,
) -> dict[str, Any]:
    """Everything the page needs, as plain data."""
    if not len(result):
        raise ResultError(f"result '{result.name}' has no samples to animate")
    kept = frame_indices(len(result), frames)
    poses = {body: body_poses(result, body)[kept] for body in result.drawing.bodies}
    low, high = bounds(result.drawing, poses)
    tracks = _moving_tracks(result.drawing, poses, float(np.linalg.norm(high - low)))
    shown = _as_list(plot)
    plotted = result.select(shown) if shown is not None else _default_plot(result)
    listed, left_out = _listed(result, quantities, plotted)
    return {
        "name": result.name,
        "outcome": {"good": result.outcome.completed and bool(result.audit), "text": heading(result)},
        "over": {"name": result.variable.name, "unit": result.variable.unit},
        "time": pack(result.time[kept], np.float64),
        "bounds": [low.tolist(), high.tolist()],
        **_drawn(result, kept, poses),
        "tracks": [track.to_dict(result.drawing) for track in tracks],
        "quantities": _quantities(result, listed, kept),
        "events": [{"name": event.name, "time": float(event.time)} for event in result.events],
        "traced": _traced(_as_list(trace), tracks, result.drawing),
        "plotted": [listed.index(name) for name in plotted],
        "remarks": _remarks(len(result), len(kept), left_out),
        "facts": [list(row) for row in result.facts() if row[0] != "quantities"]
        + [["note", note] for note in result.notes],
    }


def pack(values: Array, kind: type[np.floating[Any]] = np.float32) -> str:
    """Little-endian floats as base64 text."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<")).tobytes()).decode()


# -- the drawing -----------------------------------------------------------------------------------------------


def _drawn(result: Result, kept: NDArray[np.intp], poses: dict[str, Array]) -> dict[str, Any]:
    drawing = result.drawing
    return {
        "space": drawing.space,
        "gravity": list(drawing.gravity),
        "ground": [{"name": name, "point": list(point)} for name, point in drawing.ground.items()],
        "bodies": [_body(name, body, poses[name]) for name, body in drawing.bodies.items()],
        "joints": _joints(result, kept),
        "springs": [
            {"name": spring.name, "ends": [{"body": _index(drawing, b), "point": list(p)} for b, p in spring.ends]}
            for spring in drawing.springs
        ],
        "strings": [
            {"name": item.name, "stops": [{"body": _index(drawing, b), "point": list(p)} for b, p in item.stops]}
            for item in drawing.strings
        ],
        "outlines": _rounded(drawing.outlines),
    }


def _body(name: str, body: BodyDrawing, poses: Array) -> dict[str, Any]:
    points = dict(body.points)
    places = list(points.values())
    segments = [[list(points).index(a), list(points).index(b)] for a, b in body.segments]
    if not segments:
        if body.com is not None and len(places) < 2:
            places.append(body.com)
        segments = [[i, i + 1] for i in range(len(places) - 1)]
    return {
        "name": name,
        "points": [list(place) for place in places],
        "segments": segments,
        "stays": _stays(segments, len(places)),
        "com": None if body.com is None else list(body.com),
        "outlines": _rounded(body.outlines),
        "poses": pack(poses),
    }


def _rounded(outlines: Sequence[Sequence[Vector]]) -> list[list[list[float]]]:
    """Polylines with as many digits as a screen shows."""
    return [[[float(f"{x:.6g}") for x in point] for point in line] for line in outlines]


def _stays(segments: list[list[int]], points: int) -> list[list[int]]:
    """Thin lines that tie points off the segments to the ends of the first one."""
    tied = {end for segment in segments for end in segment}
    return [[point, end] for point in range(points) if point not in tied for end in (segments[0] if segments else [])]


def _joints(result: Result, kept: NDArray[np.intp]) -> list[dict[str, Any]]:
    drawing, reactions = result.drawing, result.reactions
    entries = []
    for joint in drawing.joints:
        force, loose = None, False
        if joint.name in reactions:
            force = pack(reactions[joint.name].force[kept])
            loose = any(component in FORCE_COMPONENTS for component in reactions[joint.name].not_unique)
        entries.append(
            {
                "name": joint.name,
                "kind": joint.kind,
                "body": _index(drawing, joint.body),
                "parent": _index(drawing, joint.parent),
                "point": list(joint.point),
                "axis": None if joint.axis is None else list(joint.axis),
                "carrier": _index(drawing, joint.carrier),
                "force": force,
                "loose": loose,
            }
        )
    return entries


def _index(drawing: Drawing, body: str) -> int:
    """Number of a body in the scene; the ground is -1."""
    if body == GROUND:
        return -1
    if body not in drawing.bodies:
        raise ResultError(f"the drawing names a body '{body}' that it does not have")
    return list(drawing.bodies).index(body)


# -- paths of points -------------------------------------------------------------------------------------------


def _moving_tracks(drawing: Drawing, poses: dict[str, Array], size: float) -> list[TracedPoint]:
    """Joints first, then named points that are no joint, then centres of mass; only what moves."""
    tracks = [TracedPoint(j.name, j.body, j.point) for j in drawing.joints if j.body != GROUND]
    for name, body in drawing.bodies.items():
        joints = {j.name for j in drawing.joints if name in (j.body, j.parent)}
        tracks += [TracedPoint(f"{name}.{p}", name, at, p) for p, at in body.points.items() if p not in joints]
    tracks += [TracedPoint(f"{n}.com", n, b.com) for n, b in drawing.bodies.items() if b.com is not None]
    moving = []
    for track in tracks:
        spread = np.ptp(place(poses[track.body], track.point), axis=0)
        if not np.all(spread <= STILL * size):
            moving.append(track)
    return moving


def _traced(wanted: list[str] | None, tracks: Sequence[TracedPoint], drawing: Drawing) -> list[int]:
    """Numbers of the tracks shown at first: those asked for, else points that are neither joint nor end of a spring."""
    if wanted is None:
        ends = {end for spring in drawing.springs for end in spring.ends}
        return [i for i, track in enumerate(tracks) if track.name and (track.body, track.point) not in ends][:3]
    chosen = []
    seats = {f"{body}.{joint.name}": joint.name for joint in drawing.joints for body in (joint.body, joint.parent)}
    for name in wanted:
        pinned = seats.get(name)
        found = [i for i, t in enumerate(tracks) if {name, pinned} & {t.label, t.label.partition(".")[2]}]
        if not found:
            hint = did_you_mean(name, [track.label for track in tracks])
            raise UnknownNameError(f"no moving point or joint '{name}' to trace; {hint}")
        chosen.append(found[0])
    return chosen


# -- quantities ------------------------------------------------------------------------------------------------


def _default_plot(result: Result) -> list[str]:
    return default_names(result)[:4] if result.names() else []


def _listed(result: Result, quantities: Sequence[str] | None, plotted: list[str]) -> tuple[list[str], int]:
    """Names of the quantities in the page, and how many were left out."""
    if quantities is not None:
        return list(dict.fromkeys([*plotted, *result.select(quantities)])), 0
    names = result.names()
    if len(names) <= MOST_QUANTITIES:
        return names, 0
    chosen = set(plotted) | set(names[:MOST_QUANTITIES])
    return [name for name in names if name in chosen], len(names) - len(chosen)


def _quantities(result: Result, names: Sequence[str], kept: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Values as 32-bit deviations from a 64-bit offset, so that small changes of large numbers survive."""
    values, loose = result.values(names), result.undetermined(names)
    entries = []
    for name in names:
        quantity, series = result.quantity(name), values[name][kept]
        finite = series[np.isfinite(series)]
        offset = float(finite[0]) if len(finite) else 0.0
        entries.append(
            {
                "name": name,
                "unit": quantity.unit,
                "text": quantity.description + (f" ({NOT_UNIQUE})" if name in loose else ""),
                "offset": offset,
                "values": pack(series - offset),
            }
        )
    return entries


def _remarks(samples: int, kept: int, left_out: int) -> list[str]:
    remarks = []
    if kept < samples:
        remarks.append(f"{kept} of {samples} samples are shown; the result file has all.")
    if left_out:
        remarks.append(f"{left_out} quantities are left out here; choose with names=[...].")
    return remarks


def _as_list(names: str | Sequence[str] | None) -> list[str] | None:
    if names is None:
        return None
    return [names] if isinstance(names, str) else list(names)
