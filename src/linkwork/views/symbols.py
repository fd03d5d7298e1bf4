"""How links, pins, sliders, springs and supports look on an axis of matplotlib: as on the animated page (``symbols.js``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.arrays import Array

PAPER, INK, MUTED, STEEL, GRID, SHADOW = "#fbfcfd", "#1c2430", "#667080", "#8a94a3", "#e9edf1", "#dfe2e6"
BRASS = "#c98b2b"
LINK, THINNEST, THICKEST = 0.032, 2.6, 15.0  # width of a link: part of the size of the mechanism, and in points
GUIDE, BAR, SLOT, JOINT = 0.1, 0.4, 0.6, 0.8  # layers in the plane; in space what is nearer lies above
TURNS = 7  # of a spring
Colour = str | tuple[float, ...]


def mixed(colour: Colour, other: Colour, part: float) -> Colour:
    """A colour on the way to another one."""
    from matplotlib.colors import to_rgb

    return tuple(p + part * (q - p) for p, q in zip(to_rgb(colour), to_rgb(other), strict=True))


@dataclass(frozen=True, eq=False)
class Brush:
    """What draws symbols on an axis; nearer ones lie above farther ones.

    centre (d), size: of the mechanism, m; scale: points of print for a metre; frame (3 × 3): in space the directions to the
    right, up and to the eye, by rows; shade: less than 1 draws pale, and below what is strong
    """

    axis: Any
    centre: Array
    size: float
    scale: float
    frame: Array | None = None
    shade: float = 1.0

    @property
    def width(self) -> float:
        """Of a link, in points."""
        return float(np.clip(LINK * self.size * self.scale, THINNEST, THICKEST))

    def metres(self, points: float) -> float:
        """So many points of print in the world."""
        return points / self.scale

    def order(self, layer: float, places: Array, *others: Array) -> float:
        """What is drawn later: the layer, and in space what is nearer; what sits on *others* is as near as they are."""
        if self.frame is not None:
            near = max(float(np.mean(np.atleast_2d(x) @ self.frame[2])) for x in (places, *others))
            part = (near - float(self.centre @ self.frame[2])) / self.size
            layer = 0.1 + 0.8 * float(np.clip(0.5 + part, 0.0, 1.0)) + 0.06 * (layer - BAR)
        return 3.0 + layer if self.shade >= 1.0 else 1.0 + 0.9 * self.shade + 0.09 * layer

    def tint(self, colour: Colour) -> Colour:
        return colour if self.shade >= 1.0 else mixed(colour, "white", 1.0 - self.shade)

    def seen(self, direction: Array) -> Array:
        """A direction (d) on the paper (2)."""
        return direction if self.frame is None else self.frame[:2] @ direction

    # -- strokes -----------------------------------------------------------------------------------------------

    def line(self, places: Array, colour: Colour, width: float, order: float, *, cap: str = "round") -> None:
        """A line through places (n × d), *width* in points."""
        look = {"solid_capstyle": cap, "solid_joinstyle": "round", "zorder": order}
        self.axis.plot(*places.T, color=self.tint(colour), linewidth=width, **look)

    def lines(self, pieces: Sequence[Array], colour: Colour, width: float, order: float) -> None:
        """Several lines in one."""
        if pieces:
            gap = np.full((1, pieces[0].shape[1]), np.nan)
            self.line(np.vstack([part for piece in pieces for part in (piece, gap)]), colour, width, order)

    def fill(self, places: Array, colour: Colour, order: float) -> None:
        """An area with the corners (n × d)."""
        if self.frame is None:
            self.axis.fill(*places.T, color=self.tint(colour), linewidth=0, zorder=order)
            return
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        area = Poly3DCollection([places], facecolor=self.tint(colour), linewidth=0)
        area.set_zorder(order)
        self.axis.add_collection3d(area)

    def mark(
        self, place: Array, shape: Array, order: float, *, face: Colour | None, edge: Colour | None, width: float = 1.2
    ) -> None:
        """A shape on the paper at a place (d): its outline (n × 2) in points, where NaN lifts the pen."""
        from matplotlib.path import Path

        gaps = np.isnan(shape[:, 0])
        starts = np.concatenate([[True], gaps[:-1]])[~gaps]
        outline = Path(shape[~gaps], np.where(starts, Path.MOVETO, Path.LINETO))
        look = {"markerfacecolor": "none" if face is None else self.tint(face), "zorder": order}
        look |= {"markeredgecolor": "none" if edge is None else self.tint(edge), "markeredgewidth": width}
        size = 2.0 * float(np.max(np.abs(outline.vertices)))
        self.axis.plot(*place[:, None], linestyle="", marker=outline, markersize=size, **look)

    # -- symbols -----------------------------------------------------------------------------------------------

    def link(self, places: Array, colour: Colour, width: float, order: float) -> None:
        """A rounded bar."""
        self.line(places, mixed(colour, INK, 0.18), width, order)
        self.line(places, mixed(colour, PAPER, 0.42), width - min(2.2, 0.35 * width), order)

    def plate(self, corners: Array, colour: Colour, width: float, order: float) -> None:
        """A rounded plate."""
        ring = np.vstack([corners, corners[:2]])
        self.line(ring, mixed(colour, INK, 0.18), width, order)
        self.fill(corners, mixed(colour, PAPER, 0.62), order)
        self.line(ring, mixed(colour, PAPER, 0.42), width - min(2.2, 0.35 * width), order)

    def disc(self, place: Array, radius: float, order: float, face: Colour, edge: Colour | None = INK) -> None:
        """A disc, *radius* in points."""
        self.mark(place, radius * circle(), order, face=face, edge=edge)

    def ball(self, place: Array, radius: float, colour: Colour, order: float) -> None:
        """A ball with a gleam."""
        self.disc(place, radius, order, mixed(colour, PAPER, 0.2), mixed(colour, INK, 0.35))
        self.mark(place, radius * (0.4 * circle() + (-0.28, 0.28)), order, face=mixed(colour, "white", 0.62), edge=None)

    def barrel(self, ends: Array, thickness: float, order: float) -> None:
        """A short cylinder (2 × 3) in space, with its nearer end face."""
        assert self.frame is not None
        axis = np.diff(ends, axis=0)[0] / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-300)
        far, near = ends if float(axis @ self.frame[2]) > 0 else ends[::-1]
        across = self.seen(axis)
        turn, wide = np.arctan2(across[1], across[0]), max(abs(float(axis @ self.frame[2])), 0.05)
        c, s = np.cos(turn), np.sin(turn)
        face = 0.5 * thickness * (circle() * (wide, 1.0)) @ np.array([[c, s], [-s, c]])
        self.mark(far, face, order, face=mixed(STEEL, INK, 0.1), edge=INK)
        for colour, width in ((INK, thickness + 1.2), (mixed(STEEL, PAPER, 0.25), thickness - 1.2)):
            self.line(np.array([far, near]), colour, width, order, cap="butt")
        self.mark(near, face, order, face=mixed(STEEL, PAPER, 0.55), edge=INK)

    def block(self, place: Array, direction: Array, length: float, height: float, colour: Colour) -> None:
        """A slider in the plane, its sides in points."""
        corners = 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * (length, height)
        u = direction / max(float(np.linalg.norm(direction)), 1e-300)
        order = self.order(JOINT - 0.05, place)
        self.mark(place, corners @ np.array([u, (-u[1], u[0])]), order, face=colour, edge=INK)

    def support(self, place: Array, radius: float) -> None:
        """A stand below a pin of the ground in the plane: triangle, line, hatching; *radius* of the pin in points."""
        r = 3.1 * radius
        triangle = r * np.array([[0.0, 0.0], [-0.8, -1.05], [0.8, -1.05], [0.0, 0.0]])
        order = self.order(GUIDE, place)
        self.mark(place, triangle, order, face=mixed(STEEL, PAPER, 0.65), edge=STEEL)
        line = np.array([[-1.25, -1.05], [1.25, -1.05]]) * r
        self.mark(place, hatched(line, 0.42 * r), order, face=None, edge=STEEL, width=1.0)

    def wall(self, ends: Array, depth: float, order: float) -> None:
        """A line of the ground (2 × 2) in the plane, hatched on its right-hand side."""
        self.lines([hatched(ends, self.metres(depth))], STEEL, 1.0, order)
        self.line(ends, STEEL, 1.6, order, cap="butt")

    def strut(self, ends: Array, cylinder: float, order: float) -> None:
        """A hydraulic strut (2 × d): a cylinder of a length in metres, a rod that comes out of it, an eye at each end."""
        along, w = ends[1] - ends[0], 0.95 * self.width
        length = float(np.linalg.norm(along))
        if length == 0.0:
            return
        mouth = ends[0] + min(cylinder / length, 0.94) * along
        for places, colour, width in ((ends, STEEL, 0.42 * w), (np.array([ends[0], mouth]), BRASS, w)):
            self.line(places, INK, width, order, cap="butt")
            self.line(places, colour, width - min(1.6, 0.3 * width), order, cap="butt")
        for end in ends:
            self.disc(end, 0.5 * w, order, mixed(STEEL, PAPER, 0.4))

    def spring(self, ends: Array, order: float) -> None:
        """A coil (2 × d)."""
        along = ends[1] - ends[0]
        across = np.array([-along[1], along[0]]) if self.frame is None else np.cross(along, self.frame[2])
        length = float(np.linalg.norm(across))
        if length == 0.0:
            return
        across *= self.metres(float(np.clip(0.024 * self.size * self.scale, 2.0, 10.0))) / length
        coil = 0.16 + 0.68 * (np.arange(2 * TURNS) + 0.5) / (2 * TURNS)
        s = np.concatenate([[0.0, 0.16], coil, [0.84, 1.0]])
        side = np.concatenate([[0.0, 0.0], np.resize([1.0, -1.0], 2 * TURNS), [0.0, 0.0]])
        places = ends[0] + s[:, None] * along + side[:, None] * across
        thin = float(np.clip(0.13 * self.width, 0.8, 1.5))
        self.line(places, PAPER, 2.4 * thin, order)
        self.line(places, MUTED, thin, order)
        for end in ends:
            self.disc(end, 1.5 * thin, order, MUTED, None)


def circle() -> Array:
    """A circle (n × 2) with the radius 1."""
    turn = np.linspace(0.0, 2 * np.pi, 25)
    return np.column_stack([np.cos(turn), np.sin(turn)])


def hatched(ends: Array, depth: float) -> Array:
    """A line (2 × 2) with strokes on its right-hand side, as one outline with gaps (n × 2)."""
    length = float(np.linalg.norm(ends[1] - ends[0]))
    if not length > 0:
        return ends
    u = (ends[1] - ends[0]) / length
    stroke = depth * np.array([u[1] - u[0], -u[0] - u[1]])
    gap, count = np.full(2, np.nan), max(int(length / (0.95 * depth)), 1)
    pieces = [*ends, gap]
    for i in range(count):
        start = ends[0] + u * (i + 0.9) * length / count
        pieces += [start, start + stroke, gap]
    return np.array(pieces[:-1])
