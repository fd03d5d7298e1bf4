"""A result as a moving scene: drawing, poses and quantities on a limited number of frames, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ResultError
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.results.drawing import BodyDrawing, Drawing, StringDrawing, Vector
from linkwork.results.outcome import refuse_without_samples
from linkwork.results.result import Result
from linkwork.results.rising import rising
from linkwork.views.backdrop import bounds, cylinders
from linkwork.views.happenings import rows_of
from linkwork.views.listed import listed, pack, quantity_entries, quantity_entry
from linkwork.views.loads import Loads
from linkwork.views.palette import SERIES
from linkwork.views.plots import default_names
from linkwork.views.sampled import SampledMotion, centre, sampled, standing_samples
from linkwork.views.tracks import STILL, followed, moving_tracks, number_of, targets_of, traced
from linkwork.views.wheels import belt_entries, is_rim, wheel_entries

FAR = 4.0  # a way that is so much longer than the mechanism is followed
EVENTS = 2000  # that a page lists
POINT = 0.25  # of the scene: the size of a mechanism that is a point


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
    follow: str | None = None,
    frames: int = 1200,
) -> dict[str, Any]:
    """Everything the page needs, as plain data."""
    refuse_without_samples(result.name, len(result), result.outcome)
    result = rising(result)
    kept = frame_indices(len(result), frames)
    motion, shown = sampled(result, kept), _as_list(plot)
    plotted = result.select(shown) if shown is not None else _default_plot(result)
    names, left_out = listed(result, quantities, plotted)
    return {
        "name": result.name,
        "outcome": {"good": result.outcome.completed and bool(result.audit), "text": heading(result)},
        "over": {"name": result.variable.name, "unit": result.variable.unit},
        **staged(motion, _as_list(trace), follow),
        "loads": Loads(result, motion, kept).entries(),
        "quantities": quantity_entries(result, names, kept),
        **happenings(result),
        "plotted": [names.index(name) for name in plotted],
        "remarks": _remarks(len(result), len(kept), left_out, len(result.events) - EVENTS),
        "facts": [list(row) for row in result.facts() if row[0] != "quantities"]
        + [["note", note] for note in result.notes],
    }


def happenings(result: Result) -> dict[str, Any]:
    """Events with what they tell, and what holds when: spans (begin, end), one after the other."""
    told = sorted(result.events, key=lambda event: event.time)[:EVENTS]
    return {
        "events": [{"name": event.name, "time": float(event.time), "text": event.values_told} for event in told],
        "events_left_out": len(result.events) - len(told),
        "holding": [
            {
                "name": row.name,
                "condition": row.condition,
                "colour": SERIES.index(row.colour),
                "spans": pack(np.array(row.spans), np.float64),
            }
            for row in rows_of(result)
        ],
    }


def build_modes_scene(modes: AssemblyModes) -> dict[str, Any]:
    """The assembly modes of a mechanism: one frame each, which are looked at one by one."""
    if not len(modes):
        raise ResultError(f"{modes.title}: there is nothing to draw")
    motion = standing_samples(modes.drawing, [mode.poses for mode in modes])
    used = next((i for i, mode in enumerate(modes) if mode.in_use), None)
    coordinates = [mode.coordinates for mode in modes]
    series = {name: np.array([found[name] for found in coordinates]) for name in coordinates[0]}
    geometry = modes[0].topology.geometry
    units = {f"{n}.{f.name}": f.unit for n, j in geometry.joints.items() for f in j.kind.freedoms(geometry.space)}
    held = [["held", f"{name} = {value}"] for name, value in modes.inputs.items()]
    return {
        "name": modes.name,
        "outcome": {"good": True, "text": modes.title},
        "over": {"name": "mode", "unit": ""},
        **staged(motion, [], None),
        "loads": [],
        "quantities": [quantity_entry(modes.drawing, name, units.get(name, ""), "", x) for name, x in series.items()],
        "events": [],
        "events_left_out": 0,
        "holding": [],
        "plotted": [],
        "stills": [{"name": mode.name, "text": mode.remark} for mode in modes],
        "used": used,
        "remarks": [line for line in modes.report() if isinstance(line, str)],
        "facts": [*held, *(["note", note] for note in modes.notes)],
    }


def staged(motion: SampledMotion, trace: Sequence[str] | None, follow: str | None) -> dict[str, Any]:
    """What stands and moves on the stage, and where the camera looks."""
    drawing, poses = motion.drawing, motion.poses
    low, high = bounds(drawing, poses)
    whole, own = float(np.linalg.norm(high - low)), motion.size
    size = min(own, whole) if own > STILL * whole else POINT * whole or 1.0
    tracks = moving_tracks(drawing, poses, whole)
    targets = targets_of(drawing)
    way = float(np.linalg.norm(np.subtract(*bounds(replace(drawing, outlines=()), poses))))
    if follow is None and FAR * size < way:
        follow = targets[0].label
    return {
        "time": pack(motion.time, np.float64),
        "bounds": [low.tolist(), high.tolist()],
        "size": size,
        "width": motion.link_width(size),
        **_drawn(motion),
        "tracks": [track.to_dict(drawing) for track in tracks],
        "traced": traced(trace, tracks, drawing),
        "targets": [target.to_dict(drawing) for target in targets],
        "followed": None if follow is None else targets.index(followed(follow, drawing)),
    }


# -- the drawing -----------------------------------------------------------------------------------------------


def _drawn(motion: SampledMotion) -> dict[str, Any]:
    drawing = motion.drawing
    struts = cylinders(drawing, motion.poses)
    return {
        "space": drawing.space,
        "gravity": list(drawing.gravity),
        "ground": [{"name": name, "point": list(point)} for name, point in drawing.ground.items()],
        "bodies": [_body(name, body, motion) for name, body in drawing.bodies.items()],
        "joints": _joints(drawing),
        "springs": [
            {
                "name": item.name,
                "kind": item.kind,
                "ends": _ends(drawing, item.ends),
                "cylinder": struts.get(item.name, 0.0),
            }
            for item in drawing.springs
        ],
        "strings": [_string(item, drawing, struts) for item in drawing.strings],
        "outlines": _rounded(drawing.outlines),
        "wheels": wheel_entries(motion),
        "belts": belt_entries(drawing),
        "stops": [asdict(stop) | {"body": number_of(drawing, stop.body)} for stop in drawing.stops],
        "planes": [asdict(plane) | {"body": number_of(drawing, plane.body)} for plane in drawing.planes],
    }


def _ends(drawing: Drawing, ends: Sequence[tuple[str, Vector]]) -> list[dict[str, Any]]:
    return [{"body": number_of(drawing, body), "point": list(point)} for body, point in ends]


def _string(item: StringDrawing, drawing: Drawing, struts: Mapping[str, float]) -> dict[str, Any]:
    """A rope, a rod, or a strut where a rod changes its length."""
    return {
        "name": item.name,
        "kind": "strut" if item.name in struts else item.kind,
        "stops": _ends(drawing, item.stops),
        "radii": list(item.radii),
        "cylinder": struts.get(item.name, 0.0),
    }


def _body(name: str, body: BodyDrawing, motion: SampledMotion) -> dict[str, Any]:
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
        "centre": centre(motion.drawing, name).tolist(),
        "outlines": _rounded([line for line in body.outlines if not is_rim(line, name, motion.drawing)]),
        "poses": pack(motion.values[name]),
        "rates": pack(motion.rates[name]),
    }


def _rounded(outlines: Sequence[Sequence[Vector]]) -> list[list[list[float]]]:
    """Polylines with as many digits as a screen shows."""
    return [[[float(f"{x:.6g}") for x in point] for point in line] for line in outlines]


def _stays(segments: list[list[int]], points: int) -> list[list[int]]:
    """Thin lines that tie points off the segments to the ends of the first one."""
    tied = {end for segment in segments for end in segment}
    return [[point, end] for point in range(points) if point not in tied for end in (segments[0] if segments else [])]


def _joints(drawing: Drawing) -> list[dict[str, Any]]:
    return [
        {
            "name": joint.name,
            "kind": joint.kind,
            "body": number_of(drawing, joint.body),
            "parent": number_of(drawing, joint.parent),
            "point": list(joint.point),
            "axis": None if joint.axis is None else list(joint.axis),
            "carrier": number_of(drawing, joint.carrier),
        }
        for joint in drawing.joints
    ]


def _default_plot(result: Result) -> list[str]:
    return default_names(result)[:4] if result.names() else []


def _remarks(samples: int, kept: int, left_out: int, events: int) -> list[str]:
    remarks = []
    if kept < samples:
        remarks.append(f"{kept} of {samples} samples are shown; the result file has all.")
    if events > 0:
        remarks.append(f"the first {EVENTS} events are shown, {events} more are in the result.")
    if left_out:
        remarks.append(f"{left_out} quantities are left out here; choose with quantities=[...].")
    return remarks


def _as_list(names: str | Sequence[str] | None) -> list[str] | None:
    if names is None:
        return None
    return [names] if isinstance(names, str) else list(names)
