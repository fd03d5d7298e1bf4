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
from linkwork.views.figures import Sheet, figure, literal, mechanism_axis
from linkwork.views.palette import SERIES
from linkwork.views.picture import Array, Picture
from linkwork.views.still import draw_springs

PANEL, SINGLE = 2.7, 6.4  # inches of one among others, and of one alone
MOST = 40  # panels
NAMED = 14  # joints up to which their names are written
INK, GREY, PALE, SHADOW, USED = "#1f2937", "#6b7280", "#d1d5db", "#e9ebee", "#0072b2"
SLIDING = ("prismatic", "cylindrical", "helical", "point_on_line")
MARKS = {"prismatic": "s", "planar": "s", "parallel": "s", "cylindrical": "D", "helical": "D"} | dict.fromkeys(
    ("universal", "constant_velocity"), "P"
)
SIZES = {"prismatic": 9.0, "planar": 9.0, "parallel": 6.0, "cylindrical": 6.5, "helical": 6.5, "spherical": 7.0}


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
    low, high = np.min([p.low for p in pictures], axis=0), np.max([p.high for p in pictures], axis=0)
    widest = float(np.max(high - low)) or 1.0
    size = np.maximum(high - low, 0.45 * widest) + 0.24 * widest
    return (low + high - size) / 2, size


def _draw(axis: Any, picture: Picture, box: tuple[Array, Array], used: FoundMode | None = None) -> None:
    """One panel: the mode in use pale behind, then axes, bodies and joints."""
    low, size = box
    reach = float(np.max(size))
    if used is not None and used is not picture.mode:
        _draw_bodies(axis, Picture(picture.drawing, used), PALE)
    if picture.drawing.space == "spatial":
        _draw_shadow(axis, picture, low[2])
    for joint in picture.drawing.joints:
        _draw_axis(axis, picture, joint, reach)
    draw_springs(axis, picture)
    _draw_bodies(axis, picture)
    # slides first: a pin in a block lies on it
    for joint in sorted(picture.drawing.joints, key=lambda joint: joint.kind not in SLIDING):
        _draw_joint(axis, picture, joint)
    if len(picture.drawing.joints) <= NAMED:
        _name_joints(axis, picture, box)
    _frame(axis, box, picture.mode.in_use)


def _draw_bodies(axis: Any, picture: Picture, colour: str = "") -> None:
    """The bodies in their colours, or all in one *colour* in the background."""
    drawing = picture.drawing
    for i, (name, body) in enumerate(drawing.bodies.items()):
        own = colour or SERIES[i % len(SERIES)]
        if drawing.space == "planar" and len(body.segments) > 2 and not colour:
            corners = np.array([picture.place(name, body.points[first]) for first, _ in body.segments])
            axis.fill(*corners.T, color=own, alpha=0.22, linewidth=0, zorder=2)
        width, order = (1.6, 1) if colour else (2.4, 3)
        for line in picture.lines(name):
            axis.plot(*line.T, color=own, linewidth=width, solid_capstyle="round", zorder=order)


def _draw_shadow(axis: Any, picture: Picture, floor: float) -> None:
    """What the bodies look like from above, on the floor of the panel."""
    for name in picture.drawing.bodies:
        for line in picture.lines(name):
            axis.plot(line[:, 0], line[:, 1], [floor, floor], color=SHADOW, linewidth=1.4, zorder=0)


def _draw_axis(axis: Any, picture: Picture, joint: JointDrawing, reach: float) -> None:
    """The line of a slide; in space the axis of every joint that has one."""
    direction = picture.axis(joint)
    if direction is None or (picture.drawing.space == "planar" and joint.kind not in SLIDING):
        return
    middle = picture.place(joint.body, joint.point)
    along = (0.13 if joint.kind in SLIDING else 0.07) * reach * direction
    axis.plot(*np.array([middle - along, middle + along]).T, color=GREY, linewidth=1.0, zorder=1.5)
    rails = picture.corners(joint.parent) if joint.kind in SLIDING else []
    if rails:
        # as far as the child has slid away from the nearest point of its parent
        nearest = min(rails, key=lambda corner: float(np.linalg.norm(corner - middle)))
        axis.plot(*np.array([nearest, middle]).T, color=GREY, linewidth=1.0, linestyle=(0, (3, 2)), zorder=1.5)


def _draw_joint(axis: Any, picture: Picture, joint: JointDrawing) -> None:
    """A mark by kind; one on the ground stands on a support in the plane, and is dark in space."""
    if joint.kind in ("fixed", "free"):
        return
    place, planar = picture.place(joint.body, joint.point)[:, None], picture.drawing.space == "planar"
    grounded = GROUND in (joint.body, joint.parent)
    if grounded and planar and joint.kind not in SLIDING:
        axis.plot(*place, linestyle="", marker=6, markersize=11, color=GREY, zorder=4)
    dark = grounded and (joint.kind in SLIDING or not planar)
    look: dict[str, Any] = {"marker": MARKS.get(joint.kind, "o"), "markersize": SIZES.get(joint.kind, 5.0)}
    face = (GREY if planar else INK) if dark else "white"
    axis.plot(*place, linestyle="", color=INK, markerfacecolor=face, markeredgewidth=1.1, zorder=5, **look)


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
        note = axis.annotate(text, place, xytext=tuple(6.5 * away), textcoords="offset points", **side, **look)
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
    return away / size if size > 1e-9 else np.eye(len(place))[-1]


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
