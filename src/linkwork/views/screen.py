"""What a film shows: the stage of the animated page with grid or floor, scale, time and traces, as frames of pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from textwrap import wrap
from typing import Any

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.results.courses import between
from linkwork.results.point_paths import point_path
from linkwork.results.result import Result
from linkwork.views.backdrop import Backdrop, backdrop_of, body_poses, bounds, has_rates, place
from linkwork.views.figures import VIEW, literal, mechanism_axis
from linkwork.views.palette import SERIES
from linkwork.views.plots import headline
from linkwork.views.still import draw_mechanism, picture_of, poses_along
from linkwork.views.symbols import GRID, INK, MUTED, PAPER, mixed
from linkwork.views.tracks import followed

LineOfSight = str | tuple[float, float]
VIEWS = {"front": (0.0, -90.0), "side": (0.0, 0.0), "top": (90.0, -90.0)}
DPI, ROOM, FILLED = (
    100.0,
    0.13,
    0.8,
)  # pixels of an inch; free on every side, beside the box; part that a box in space fills
FINE = 2000  # points of a trace
REACH = 6  # lines of the floor on every side
ALARM = "#9a3412"
TRIAD = {"x": "#d0453b", "y": "#3a9a4b", "z": "#3b6fd0"}


class Screen:
    """A figure of so many pixels on which frames are drawn, at times (M); *remark*: what stands at the top."""

    def __init__(
        self,
        result: Result,
        times: Array,
        size: tuple[int, int],
        *,
        view: LineOfSight | None = None,
        follow: str | None = None,
        trace: Sequence[str] = (),
        remark: str = "",
    ) -> None:
        self.result, self.times, self.drawing = result, times, result.drawing
        self.size, self.view = size, _view(result, view)
        self.traces = [_trace(result, name, times) for name in trace]
        self.about = _followed(result, follow, times)
        self.backdrop = self._backdrop(follow)
        self.figure, self.axis = self._sheet()
        self.clock = self.figure.text(0.985, 0.03, "", ha="right", color=INK, family="DejaVu Sans Mono", fontsize=9)
        self.kept = set(self.axis.get_children())
        self.poses = poses_along(result, times)
        self._label(remark)

    def __len__(self) -> int:
        return len(self.times)

    def frame(self, i: int) -> Array:
        """Pixels (height, width, 3) of a frame."""
        for artist in set(self.axis.get_children()) - self.kept:
            artist.remove()
        backdrop = self._look(i)
        self._draw_traces(self.times[i])
        picture = picture_of(self.drawing, {name: found[i] for name, found in self.poses.items()})
        draw_mechanism(self.axis, picture, backdrop=backdrop)
        decimals = int(np.clip(2 - np.floor(np.log10(max(float(np.ptp(self.times)), 1e-12))), 0, 9))
        variable = self.result.variable
        self.clock.set_text(literal(f"{variable.name} {self.times[i]:.{decimals}f} {variable.unit}".rstrip()))
        self.figure.canvas.draw()
        return np.array(self.figure.canvas.buffer_rgba())[:, :, :3]

    # -- the camera --------------------------------------------------------------------------------------------

    def _backdrop(self, follow: str | None) -> Backdrop:
        """The box of the whole motion with the traces, or that of the bodies as the followed one sees them."""
        whole = backdrop_of(self.result)
        if follow is not None:
            poses = {body: body_poses(self.result, body) for body in self.drawing.bodies}
            low, high = bounds(self.drawing, poses, _path(self.result, follow))
            return replace(whole, low=low, high=high, lowest=whole.low)
        places = np.vstack([whole.low, whole.high, *self.traces])
        return replace(whole, low=np.nanmin(places, axis=0), high=np.nanmax(places, axis=0))

    def _look(self, i: int) -> Backdrop:
        """Turn the camera to where it looks in a frame; gives the box that is seen."""
        shift = self.about[i] if self.about is not None else np.zeros(self.drawing.dimension)
        found = replace(self.backdrop, low=self.backdrop.low + shift, high=self.backdrop.high + shift)
        half = 0.5 * self._span()
        for name, middle, side in zip("xyz", found.centre, half, strict=False):
            getattr(self.axis, f"set_{name}lim")(middle - side, middle + side)
        if self.drawing.space == "spatial":
            self._draw_floor(found)
        return found

    def _span(self) -> Array:
        """Sides (d) of the box that is looked at: in the plane as wide and high as the film."""
        span = self.backdrop.high - self.backdrop.low
        if self.drawing.space == "spatial":
            return np.asarray(np.maximum(span, 0.05 * self.backdrop.size))
        wide, high = self.size
        scale = np.max(np.maximum(span, 0.25 * self.backdrop.size) * (1 + 2 * ROOM) / self.size)
        return np.array([wide, high]) * scale

    def _sheet(self) -> tuple[Any, Any]:
        """The figure and its only axis, which fills it."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(self.size[0] / DPI, self.size[1] / DPI), dpi=DPI, facecolor=PAPER)
        FigureCanvasAgg(figure)
        axis = mechanism_axis(figure, 111, self.drawing)
        axis.set_position((0.0, 0.0, 1.0, 1.0))
        if self.drawing.space == "planar":
            step = round_down(110.0 * float(self._span()[0]) / self.size[0])
            axis.set_facecolor(PAPER)
            for side in (axis.xaxis, axis.yaxis):
                side.set_major_locator(_every(step))
            axis.tick_params(length=0, labelleft=False, labelbottom=False)
            axis.grid(True, color=GRID, linewidth=0.8)
            axis.set_axisbelow(True)
            axis.spines[:].set_visible(False)
            return figure, axis
        # axes in space are square: this one covers the film
        wide, high = (max(self.size) / side for side in self.size)
        axis.set_position(((1.0 - wide) / 2, (1.0 - high) / 2, wide, high))
        axis.patch.set_visible(False)
        axis.set_axis_off()
        axis.view_init(*self.view, vertical_axis="xyz"[self.drawing.upright])
        self._fill(figure, axis)
        return figure, axis

    def _fill(self, figure: Any, axis: Any) -> None:
        """Make the box fill the film: once drawn to see how large it is, and drawn larger."""
        from mpl_toolkits.mplot3d import proj3d

        span, backdrop = self._span(), self.backdrop
        sides = np.array([backdrop.centre - 0.5 * span, backdrop.centre + 0.5 * span])
        axis.set(xlim=sides[:, 0], ylim=sides[:, 1], zlim=sides[:, 2])
        axis.set_box_aspect(tuple(span), zoom=1.0)
        figure.canvas.draw()
        corners = np.array(list(product(*sides.T))).T
        flat = axis.transData.transform(np.column_stack(proj3d.proj_transform(*corners, axis.get_proj())[:2]))
        axis.set_box_aspect(tuple(span), zoom=FILLED * float(np.min(np.array(self.size) / np.ptp(flat, axis=0))))

    # -- what is drawn round the mechanism ---------------------------------------------------------------------

    def _draw_traces(self, now: float) -> None:
        """Every path pale as a whole, strong up to now."""
        fine = np.linspace(self.times[0], self.times[-1], FINE)
        for k, path in enumerate(self.traces):
            colour = SERIES[(k + len(self.drawing.bodies)) % len(SERIES)]
            past = path[fine <= now]
            self.axis.plot(*path.T, color=mixed(colour, PAPER, 0.7), linewidth=1.1, zorder=2)
            self.axis.plot(*past.T, color=colour, linewidth=1.5, zorder=2.5)
            self.axis.plot(*past[-1][:, None], "o", color=colour, markersize=5, zorder=6)

    def _draw_floor(self, seen: Backdrop) -> None:
        """Lines on the floor, which stand in the world wherever the camera looks."""
        up, step = self.drawing.upright, round_down(seen.size / 4)
        a, b = (axis for axis in range(3) if axis != up)
        middle = np.round(seen.centre / step) * step
        middle[up] = seen.floor[up]
        ways, gap = np.arange(-REACH, REACH + 1) * step, np.full((1, 3), np.nan)
        pieces = []
        for first, second in ((a, b), (b, a)):
            for way in ways:
                line = np.tile(middle, (2, 1))
                line[:, first] += way
                line[:, second] += ways[[0, -1]]
                pieces += [line, gap]
        self.axis.plot(*np.vstack(pieces).T, color=GRID, linewidth=0.9, zorder=0)

    def _label(self, remark: str) -> None:
        """Name and remark at the top; a scale at the bottom, in space the directions of the axes."""
        write = self.figure.text
        name, *told = headline(self.result).split("\n")
        write(0.015, 0.965, literal(name), va="top", color=INK, fontsize=10, fontweight="bold")
        letters = max(self.size[0] // 8, 20)
        warning = "\n".join(line for text in told for line in wrap(text, letters))
        write(0.015, 0.965, literal(f"\n{warning}"), va="top", color=ALARM, fontsize=9)
        write(0.985, 0.965, remark, va="top", ha="right", color=MUTED, fontsize=8)
        (wide, high), start = self.size, np.array([16.0, 14.0])
        if self.drawing.space == "planar":
            metre = wide / float(self._span()[0])
            length = round_down(130.0 / metre)
            ends = start + np.array([[0.0, 4.0], [0.0, 0.0], [length * metre, 0.0], [length * metre, 4.0]])
            self._stroke(ends, MUTED)
            write((start[0] + 4) / wide, (start[1] + 5) / high, f"{length:g} m", color=MUTED, fontsize=8)
            return
        e, a = np.radians(self.view)
        right, up = [-np.sin(a), np.cos(a), 0.0], [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]
        seen = np.roll([right, up], self.drawing.upright - 2, axis=1)
        for k, (name, colour) in enumerate(TRIAD.items()):
            tip = start + 26.0 + 24.0 * seen[:, k]
            self._stroke(np.array([start + 26.0, tip]), colour)
            x, y = tip + 7.0 * seen[:, k]
            write(x / wide, y / high, name, color=colour, fontsize=8, ha="center", va="center", fontweight="bold")

    def _stroke(self, pixels: Array, colour: str) -> None:
        from matplotlib.lines import Line2D

        self.figure.add_artist(Line2D(*(pixels / self.size).T, color=colour, linewidth=1.4))


def round_down(x: float) -> float:
    """1, 2 or 5 times a power of ten, not above *x*."""
    power = 10.0 ** np.floor(np.log10(x))
    return float(power * max(digit for digit in (1, 2, 5) if digit <= x / power * (1 + 1e-12)))


def _every(step: float) -> Any:
    from matplotlib.ticker import MultipleLocator

    return MultipleLocator(step)


def _view(result: Result, view: LineOfSight | None) -> tuple[float, float]:
    """Elevation and azimuth, degrees."""
    if view is not None and result.drawing.space == "planar":
        raise RefusedError("view: a mechanism in the plane is seen from above it; leave it out")
    found = VIEW if view is None else VIEWS.get(view) if isinstance(view, str) else view
    if found is None or len(found) != 2:
        raise RefusedError(f"view = {view!r}: {', '.join(VIEWS)}, or elevation and azimuth in degrees, such as {VIEW}")
    return float(found[0]), float(found[1])


def _trace(result: Result, name: str, times: Array) -> Array:
    """The path of a point (n, d), smooth whatever the samples are."""
    fine = np.linspace(times[0], times[-1], FINE)
    if has_rates(result):
        found = point_path(result, name)
        return between(found.time, (found.places, found.velocities, found.accelerations), fine)
    values = result.values([f"{name}.{axis}" for axis in "xyz"[: result.drawing.dimension]])
    return np.column_stack([np.interp(fine, result.time, column) for column in values.values()])


def _followed(result: Result, name: str | None, times: Array) -> Array | None:
    """Where the camera looks (M, d) at some times."""
    if name is None:
        return None
    samples = _path(result, name)
    return np.column_stack([np.interp(times, result.time, column) for column in samples.T])


def _path(result: Result, name: str) -> Array:
    """Where the middle of a body, a joint or a point is (N, d) at the samples."""
    target = followed(name, result.drawing)
    return place(body_poses(result, target.body), target.point)
