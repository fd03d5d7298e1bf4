"""Gear wheels with teeth that mesh, and pulleys, as outlines in the axes of their bodies.

Wheels that mesh share a pitch p = 2π r / z, so that numbers of teeth are as radii. Teeth of the one stand in gaps of the
other where the pitch circles touch; as these roll on each other, they do so ever after. With the arc s from the point of
contact along the tangent, the teeth of a wheel are at s = ± r (φ − α) + k p: φ is the angle of a tooth in the axes of its
wheel, α that of the point of contact, and the sign is − for the second wheel of an external mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.algebra.rotations import frame_about
from linkwork.arrays import Array
from linkwork.results.drawing import Drawing, MeshDrawing, Vector, WheelDrawing
from linkwork.views.sampled import SampledMotion
from linkwork.views.tracks import number_of

FEWEST, MOST = 12, 40  # teeth of the smallest wheel
ADDENDUM, DEDENDUM = 0.9, 1.1  # beside the module, the pitch by π
# half the thickness of a tooth beside the pitch, at its root, on the pitch circle and at its tip
ROOT, PITCH, TIP = 0.36, 0.245, 0.12
THINNEST = 0.1  # by which play makes that less, of the pitch
CIRCLE = 60  # corners of a rim
RIM, HOLES = 2.6, 5  # of a ring, beyond the pitch circle in modules
TOOTHED, BELTS = ("outside", "inside", "rack"), ("belt", "crossed")
TYRE, SPOKES = (1.0, 0.9), 12  # of a wheel that rolls: its radii beside the outer one


@dataclass(frozen=True)
class Toothing:
    """Teeth of a wheel, how many and where the first is (rad, in the axes of the wheel); inside: a ring; play: beside."""

    wheel: WheelDrawing
    count: int
    phase: float
    inside: bool
    play: float = 0.0


def wheel_entries(motion: SampledMotion) -> list[dict[str, Any]]:
    """Wheels as plain data: closed outlines in the axes of their bodies, the first filled, others holes in it."""
    drawing = motion.drawing
    toothed = toothings(motion)
    known = {(item.wheel.body, item.wheel.centre) for item in toothed}
    pulleys = {
        (wheel.body, wheel.centre, wheel.radius): wheel
        for mesh in drawing.meshes
        for wheel in mesh.wheels
        if mesh.kind in BELTS and (wheel.body, wheel.centre) not in known
    }
    rolling = [wheel for mesh in drawing.meshes if mesh.kind == "wheel" for wheel in mesh.wheels]
    return [
        *(_entry(drawing, item.wheel, _rings(item)) for item in toothed),
        *(_entry(drawing, wheel, [_circle(wheel.radius), *_holes(wheel.radius)]) for wheel in pulleys.values()),
        *(_entry(drawing, wheel, [_circle(part * wheel.radius) for part in TYRE], SPOKES) for wheel in rolling),
    ]


def is_rim(outline: Sequence[Vector], body: str, drawing: Drawing) -> bool:
    """Whether a line on a body is the circle of a wheel of it, with or without a spoke."""
    line = np.array(outline)
    for wheel in (wheel for mesh in drawing.meshes for wheel in mesh.wheels if wheel.body == body):
        away = np.linalg.norm(line - np.asarray(wheel.centre)[: drawing.dimension], axis=1)
        if np.all((np.abs(away - wheel.radius) < 1e-6 * wheel.radius) | (away < 1e-9)) and len(line) > CIRCLE // 2:
            return True
    return False


def belt_entries(drawing: Drawing) -> list[dict[str, Any]]:
    """Belts as plain data: the two pulleys, and whether the belt is crossed."""
    return [
        {
            "name": mesh.name,
            "crossed": mesh.kind == "crossed",
            "wheels": [
                {"body": number_of(drawing, w.body), "centre": w.centre, "axis": w.axis, "radius": w.radius}
                for w in mesh.wheels
            ],
        }
        for mesh in drawing.meshes
        if mesh.kind in BELTS
    ]


def _entry(drawing: Drawing, wheel: WheelDrawing, rings: Sequence[Array], spokes: int = 0) -> dict[str, Any]:
    x, y = frame_about(np.asarray(wheel.axis))[:, :2].T

    def placed(line: Array) -> list[list[float]]:
        places = np.asarray(wheel.centre) + np.outer(line[:, 0], x) + np.outer(line[:, 1], y)
        return [[float(f"{c:.6g}") for c in point[: drawing.dimension]] for point in places]

    turns = 2 * np.pi * np.arange(spokes) / max(spokes, 1)
    rim = min(TYRE) * wheel.radius
    return {
        "body": number_of(drawing, wheel.body),
        "centre": list(wheel.centre[: drawing.dimension]),
        "rings": [placed(ring) for ring in rings],
        "spokes": [placed(rim * np.array([[0.0, 0.0], [np.cos(a), np.sin(a)]])) for a in turns],
        "rolls": spokes > 0,
    }


def _circle(radius: float) -> Array:
    turn = np.linspace(0.0, 2 * np.pi, CIRCLE, endpoint=False)
    return radius * np.column_stack([np.cos(turn), np.sin(turn)])


def _rings(item: Toothing) -> list[Array]:
    """The outline with teeth; of a ring, its rim and the toothed hole in it."""
    module, way = 2 * item.wheel.radius / item.count, -1.0 if item.inside else 1.0
    levels = np.array([-DEDENDUM, 0.0, ADDENDUM, ADDENDUM, 0.0, -DEDENDUM]) * way * module + item.wheel.radius
    thinner = min(max(item.play * item.count / (8 * np.pi * item.wheel.radius) - (0.25 - PITCH), 0.0), THINNEST)
    sides = (np.array([ROOT, PITCH, TIP]) - thinner) * 2 * np.pi / item.count
    sides = np.concatenate([-sides, sides[::-1]])
    angles = item.phase + 2 * np.pi * np.arange(item.count)[:, None] / item.count + sides
    toothed = (levels * np.array([np.cos(angles), np.sin(angles)])).reshape(2, -1).T
    if item.inside:
        return [_circle(item.wheel.radius + RIM * module), toothed]
    return [toothed, *_holes(item.wheel.radius)]


def _holes(radius: float) -> list[Array]:
    """Round holes that show how a wheel turns."""
    turns = 2 * np.pi * np.arange(HOLES) / HOLES
    return [_circle(0.13 * radius)[::3] + 0.58 * radius * np.array([np.cos(a), np.sin(a)]) for a in turns]


# -- how many teeth, and where ---------------------------------------------------------------------------------


def toothings(motion: SampledMotion) -> list[Toothing]:
    """Teeth of all wheels that mesh; numbers with which they do so best, wherever they meet again."""
    meshes = [mesh for mesh in motion.drawing.meshes if mesh.kind in TOOTHED]
    found: list[Toothing] = []
    for group in _groups(meshes):
        smallest = min(wheel.radius for mesh in group for wheel in mesh.wheels)
        tries = (_with_pitch(motion, group, 2 * np.pi * smallest / count) for count in range(FEWEST, MOST + 1))
        found += min(tries, key=lambda found: round(found[1], 6))[0]
    return found


def _groups(meshes: Sequence[MeshDrawing]) -> list[list[MeshDrawing]]:
    """Meshes that hang together by their wheels."""
    groups: list[list[MeshDrawing]] = []
    for mesh in meshes:
        ours = {_key(wheel) for wheel in mesh.wheels}
        near = [group for group in groups if any(ours & {_key(w) for w in other.wheels} for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), mesh])
    return groups


def _key(wheel: WheelDrawing) -> tuple[str, tuple[float, ...], float]:
    return wheel.body, wheel.centre, round(wheel.radius, 9)


def _with_pitch(motion: SampledMotion, meshes: Sequence[MeshDrawing], pitch: float) -> tuple[list[Toothing], float]:
    """Teeth of about this pitch, from wheel to wheel; with the largest misfit, in pitches."""
    first = meshes[0].wheels[0]
    found = {_key(first): _toothing(meshes[0], first, pitch, 0.0)}
    misfit, left = 0.0, list(meshes)
    while left:
        mesh = next(item for item in left if any(_key(wheel) in found for wheel in item.wheels))
        left.remove(mesh)
        if len(mesh.wheels) < 2:
            continue
        known, other = mesh.wheels if _key(mesh.wheels[0]) in found else mesh.wheels[::-1]
        phase = meeting_phase(motion, mesh, found[_key(known)], other, pitch)
        new = _toothing(mesh, other, pitch, phase)
        old = found.setdefault(_key(other), new)
        turns = (old.phase - phase) * old.count / (2 * np.pi)
        misfit = max(misfit, abs(turns - round(turns)), abs(other.radius * 2 * np.pi / pitch - new.count))
    return list(found.values()), misfit


def _toothing(mesh: MeshDrawing, wheel: WheelDrawing, pitch: float, phase: float) -> Toothing:
    count = max(round(2 * np.pi * wheel.radius / pitch), 3)
    inside = mesh.kind == "inside" and wheel.radius == max(w.radius for w in mesh.wheels)
    return Toothing(wheel, count, phase, inside, mesh.play)


def meeting_phase(
    motion: SampledMotion, mesh: MeshDrawing, known: Toothing, other: WheelDrawing, pitch: float, frame: int = 0
) -> float:
    """The angle of a tooth of the other wheel, in its axes, that stands in a gap of the known one at a frame."""
    sides = [_axes(motion, wheel, frame) for wheel in (known.wheel, other)]
    gap = sides[1][0] - sides[0][0]
    normal = sides[0][3]
    toward = gap / max(float(np.linalg.norm(gap)), 1e-300)
    if mesh.kind == "inside" and other.radius > known.wheel.radius:
        toward = -toward
    # seen from the other wheel the point of contact lies the other way, or the same in a ring
    alpha = [
        float(np.arctan2(way @ y, way @ x))
        for (_, x, y, _), way in zip(sides, (toward, toward if mesh.kind == "inside" else -toward), strict=True)
    ]
    sense = 1.0 if float(sides[1][3] @ normal) >= 0 else -1.0
    sense *= 1.0 if mesh.kind == "inside" else -1.0
    forwards = _key(known.wheel) == _key(mesh.wheels[0])
    arc = known.wheel.radius * (known.phase - alpha[0]) + pitch / 2 - (mesh.ahead if forwards else 0.0)
    return alpha[1] + sense * arc / other.radius + (0.0 if forwards else mesh.ahead / other.radius)


def _axes(motion: SampledMotion, wheel: WheelDrawing, frame: int) -> tuple[Array, Array, Array, Array]:
    """Centre, axes in its plane and axis (3 each) of a wheel in the world."""
    d, turn, origin = motion.drawing.dimension, np.eye(3), np.zeros(3)
    if wheel.body in motion.drawing.bodies:
        turn[:d, :d] = motion.axes(wheel.body)[frame]
        origin[:d] = motion.poses[wheel.body][frame, :d]
    x, y, z = (turn @ frame_about(np.asarray(wheel.axis))).T
    return origin + turn @ np.asarray(wheel.centre), x, y, z
