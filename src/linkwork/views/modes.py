"""Mechanisms as they stand: one alone, or all assembly modes side by side, the one in use pale behind the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from textwrap import fill
from typing import Any, Protocol

import numpy as np

from linkwork.position.geometry import Pose
from linkwork.results.assembled import AssembledPose
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.results.drawing import GROUND, Drawing, JointDrawing
from linkwork.results.sketch import draw
from linkwork.topology import Topology
from linkwork.topology.assembly_mode import AssemblyMode
from linkwork.topology.modes.modes import FoundMode
from linkwork.views.backdrop import standing
from linkwork.views.figures import Sheet, figure, literal, mechanism_axis
from linkwork.views.picture import Array, Picture
from linkwork.views.still import draw_mechanism

PANEL, SINGLE = 2.7, 6.4  # inches of one among others, and of one alone
MOST = 40  # panels
NAMED = 14  # joints up to which their names are written
PALE_SHADE = 0.3
CLEAR = np.pi / 3  # between a bar and the name of a joint at its end
INK, PALE, USED = "#1f2937", "#d1d5db", "#0072b2"


def draw_modes(sheet: Sheet, modes: AssemblyModes) -> None:
    """Draw the modes in panels of one scale."""
    pictures = [Picture(modes.drawing, mode.position) for mode in modes.modes[:MOST]]
    columns = _columns(len(pictures))
    rows = ceil(len(pictures) / columns)
    box = _box(pictures)
    height = PANEL * (box[1][1] / box[1][0] if modes.drawing.space == "planar" else 1.0)
    left = f" ({len(pictures)} are shown)" if len(pictures) < len(modes) else ""
    title = fill(f"{modes.title}{left}", 36 * max(columns, 2))
    grid = sheet.new(max(columns, 2) * PANEL, rows * (height + 0.25) + 0.45, title).add_gridspec(rows, columns)
    for i, picture in enumerate(pictures):
        axis = mechanism_axis(sheet.figure, grid[divmod(i, columns)], modes.drawing)
        _draw(axis, picture, box, modes.in_use.position if modes.in_use else None)
        _entitle(axis, picture, i + 1)


plot_modes = figure(draw_modes)


@figure
def plot_pose(sheet: Sheet, pose: AssembledPose) -> None:
    """Draw a mechanism as it is put together."""
    draw_standing(sheet, pose.title, pose.drawing, pose.poses)


@figure
def plot_mode(sheet: Sheet, mode: AssemblyMode) -> None:
    """Draw one assembly mode."""
    draw_standing(sheet, mode.title, draw(mode.topology, mode.p), mode.poses)


class HasTopology(Protocol):
    """What is made of a topology: coordinates, a mechanism, a function."""

    @property
    def title(self) -> str: ...
    @property
    def topology(self) -> Topology: ...


@figure
def plot_start(sheet: Sheet, stage: Topology | HasTopology) -> None:
    """Draw the mechanism of a stage of the walk as it is put together."""
    topology = stage if isinstance(stage, Topology) else stage.topology
    draw_standing(sheet, stage.title, draw(topology, topology.geometry.defaults), topology.assembly.poses)


def draw_standing(sheet: Sheet, title: str, drawing: Drawing, poses: Mapping[str, Pose]) -> None:
    """Draw one mechanism in given poses, with the symbols and names of its joints."""
    picture = Picture(drawing, FoundMode({}, {}, poses, 0.0))
    low, size = _box([picture])
    height = SINGLE * min(max(size[1] / size[0], 0.4), 1.2) if drawing.space == "planar" else SINGLE
    axis = sheet.one(SINGLE, height + 0.5, fill(title, 64), drawing)
    _draw(axis, picture, (low, size))


def _columns(count: int) -> int:
    """One row for a few panels; else as few empty places as can be."""
    return max(count, 1) if count <= 4 else min((4, 5, 3), key=lambda columns: -count % columns)


def _box(pictures: Sequence[Picture]) -> tuple[Array, Array]:
    """Low corner and size (d) of the box that holds all pictures, with room around them."""
    corners = np.vstack([corner for picture in pictures for corner in _corners(picture)])
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    widest = float(np.max(high - low)) or 1.0
    size = np.maximum(high - low, 0.45 * widest) + 0.24 * widest
    return (low + high - size) / 2, size


def _corners(picture: Picture) -> list[Array]:
    """Those of the box round a mechanism, and the ends of what its sliders run on."""
    guides, joints = standing(picture).guides, {joint.name: joint for joint in picture.drawing.joints}
    ends = [picture.place(joints[name].parent, end) for name, guide in guides.items() for end in guide]
    return [picture.low, picture.high, *ends]


def _draw(axis: Any, picture: Picture, box: tuple[Array, Array], used: FoundMode | None = None) -> None:
    """One panel: the mode in use pale behind, then the mechanism and the names of its joints."""
    _frame(axis, box, picture.mode.in_use)
    if used is not None and used is not picture.mode:
        draw_mechanism(axis, Picture(picture.drawing, used), shade=PALE_SHADE)
    draw_mechanism(axis, picture)
    if len(picture.drawing.joints) <= NAMED:
        _name_joints(axis, picture, box)


def _name_joints(axis: Any, picture: Picture, box: tuple[Array, Array]) -> None:
    """Names beside the joints, on the side away from the bodies; those at one place together."""
    from matplotlib.patheffects import withStroke

    look: dict[str, Any] = {"fontsize": 6.5, "color": INK, "zorder": 6}
    look["path_effects"] = [withStroke(linewidth=2.0, foreground="white", alpha=0.85)]
    for place, away, names in _labels(picture):
        text = literal(", ".join(names))
        if len(place) == 3:
            axis.text(*(place + 0.04 * float(np.max(box[1])) * away), text, ha="center", va="center", **look)
            continue
        away, side = _inside(away, (place - box[0]) / box[1], len(text))
        note = axis.annotate(text, place, xytext=tuple(9.0 * away), textcoords="offset points", **side, **look)
        # a long name may stand over the frame, but must not make the panel smaller
        note.set_in_layout(False)


def _inside(away: Array, where: Array, length: int) -> tuple[Array, dict[str, str]]:
    """Direction and sides of a name of so many letters, which stays in the panel; *where* runs from 0 to 1."""
    if length > 3 and (where[0] > 0.7 or where[0] < 0.3):
        # near the left or right edge a long name stands above or below its joint, and runs inwards
        up = away[1] > -0.5
        side = {"ha": "right" if where[0] > 0.7 else "left", "va": "bottom" if up else "top"}
        return np.array([0.0, 1.0 if up else -1.0]), side
    return away, {"ha": _side(away[0], "left", "right"), "va": _side(away[1], "bottom", "top")}


def _side(component: float, ahead: str, behind: str) -> str:
    return "center" if abs(component) < 0.5 else ahead if component > 0 else behind


def _labels(picture: Picture) -> list[tuple[Array, Array, list[str]]]:
    """Where joints are, the direction (unit) away from their bodies, and the names of those at one place."""
    found: list[tuple[Array, Array, list[str]]] = []
    for joint in picture.drawing.joints:
        place = picture.place(joint.body, joint.point)
        at_place = [names for other, _, names in found if np.allclose(other, place, rtol=0, atol=1e-6)]
        if at_place:
            at_place[0].append(joint.name)
        else:
            found.append((place, _away(picture, joint, place), [joint.name]))
    return found


def _away(picture: Picture, joint: JointDrawing, place: Array) -> Array:
    """Direction (unit) from the middle of the bodies of a joint; of one on the ground to the side of its support."""
    near = [corner for body in (joint.body, joint.parent) for corner in picture.corners(body)]
    away = place - np.mean(near, axis=0) if near else np.zeros(len(place))
    if len(place) == 2 and GROUND in (joint.body, joint.parent):
        return np.array([1.0 if away[0] > 0 else -1.0, 0.0])
    size = float(np.linalg.norm(away))
    away = away / size if size > 1e-9 else np.eye(len(place))[-1]
    return away if len(place) == 3 else _beside_bars(away, [corner - place for corner in near])


def _beside_bars(away: Array, bars: Sequence[Array]) -> Array:
    """The direction (unit) in the plane nearest to one, CLEAR of bars that begin at the joint; upwards rather than down."""
    angles = [np.arctan2(bar[1], bar[0]) for bar in bars if np.linalg.norm(bar) > 1e-9]

    def worth(turn: float) -> float:
        between = [abs((turn - angle + np.pi) % (2 * np.pi) - np.pi) for angle in angles]
        towards = np.array([np.cos(turn), np.sin(turn)])
        return float(min([*between, CLEAR]) + 0.2 * (towards @ away) + 0.02 * towards[1])

    best = max(np.arctan2(away[1], away[0]) + np.linspace(0.0, 2 * np.pi, 24, endpoint=False), key=worth)
    return np.array([np.cos(best), np.sin(best)])


def _entitle(axis: Any, picture: Picture, number: int) -> None:
    # no line ends inside the brackets
    name = f"mode {number}: {picture.mode.name}" + (" (in\N{NO-BREAK SPACE}use)" if picture.mode.in_use else "")
    weight, colour = ("bold", USED) if picture.mode.in_use else ("normal", INK)
    axis.set_title(
        literal(fill(name, 40).replace("\N{NO-BREAK SPACE}", " ")), fontsize="small", fontweight=weight, color=colour
    )


def _frame(axis: Any, box: tuple[Array, Array], used: bool) -> None:
    """The same scale in every panel, no numbers, a coloured frame round the mode in use."""
    low, size = box
    for name, start, width in zip("xyz", low, size, strict=False):
        getattr(axis, f"set_{name}lim")(start, start + width)
        getattr(axis, f"set_{name}ticks")([])
    if len(low) == 2:
        axis.set_aspect("equal")
        for spine in axis.spines.values():
            spine.set(color=USED if used else PALE, linewidth=2.0 if used else 0.8)
        return
    axis.set_box_aspect(tuple(size), zoom=1.22)
    for part in (axis.xaxis, axis.yaxis, axis.zaxis):
        part.set_pane_color((0.0, 0.45, 0.7, 0.07) if used else (0.0, 0.0, 0.0, 0.02))
        part.line.set_color(USED if used else PALE)
