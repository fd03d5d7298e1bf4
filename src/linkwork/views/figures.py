"""One frame for all figures: how they are made, look, and are written.

A view is a function that draws an answer on a `Sheet`; ``@figure`` makes it one that returns a matplotlib figure, and takes
``path``, ``overwrite``, ``show`` and ``size`` too. Figures belong to no window and change nothing global.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from inspect import Parameter, Signature, signature
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from linkwork.algebra.given import FilePath, Scalar
from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.units import si
from linkwork.answer.files import refuse_existing, written_whole
from linkwork.answer.own_files import SOFTWARE
from linkwork.arguments import check_arguments
from linkwork.errors import RefusedError, ResultError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from linkwork.results.drawing import Drawing

_MARKS = {".png": "Software", ".svg": "Title", ".pdf": "Creator", ".eps": "Creator", ".ps": "Creator"}
GRID: dict[str, Any] = {"linewidth": 0.5, "alpha": 0.35}
AXIS: dict[str, Any] = {"color": "0.5", "linewidth": 0.8, "zorder": 0}
TITLE: dict[str, Any] = {"fontsize": "medium", "fontweight": "bold"}
SMALL: dict[str, Any] = {"frameon": False, "fontsize": "small"}
VIEW = (22.0, -54.0)  # elevation and azimuth of mechanisms in space, degrees
THINNEST = 0.5  # side of a box in space, beside the longest one
PRINTED = 8.0  # points of letters in a figure with a size
FLAT = 0.02  # what is no more than this part of the height of an axis is a level line
WIDTH, AXIS_HEIGHT, MARGIN = 8.0, 2.1, 0.9  # inches, of axes below each other
BAND_ROW, BAND_MARGIN = 0.2, 0.1  # inches, of a band below them


class View(Protocol):
    """A function that draws what it is given."""

    def __call__(
        self,
        *given: Any,
        axes: Any = None,
        path: FilePath | None = None,
        show: bool = False,
        overwrite: bool | None = None,
        size: tuple[Scalar, Scalar] | None = None,
        **options: Any,
    ) -> Figure:
        """The figure: of the *axes* given, or a new one. *path* also writes it (png, svg, pdf), *show* opens a window.

        *size*: width and height in millimetres or with units, with letters of a size for print
        """
        ...


def figure(draw: Callable[..., None]) -> View:
    """Make a view of a function that draws on a sheet."""

    known = _with_frame(signature(draw), signature(View.__call__))

    @wraps(draw)
    def made(
        *given: Any,
        axes: Any = None,
        path: FilePath | None = None,
        show: bool = False,
        overwrite: bool | None = None,
        size: tuple[Scalar, Scalar] | None = None,
        **options: Any,
    ) -> Figure:
        check_arguments("plot", known, options)
        if path is not None:
            refuse_existing(Path(path), overwrite=overwrite)
        sheet = Sheet(show, axes, size)
        with _letters(size):
            draw(sheet, *given, **options)
        if path is not None:
            write_figure(sheet.figure, Path(path), overwrite)
        if show:
            show_figure(sheet.figure)
        elif path is None and axes is None:
            _show_in_notebook(sheet.figure)
        return sheet.figure

    made.__signature__ = known  # type: ignore[attr-defined]
    return made


def _with_frame(own: Signature, frame: Signature) -> Signature:
    """What the function takes but for the sheet, then what every view takes."""
    added = [parameter for parameter in frame.parameters.values() if parameter.kind is Parameter.KEYWORD_ONLY]
    return frame.replace(parameters=[*list(own.parameters.values())[1:], *added])


class Sheet:
    """What a view draws on: a new figure of a size, or an axis that was given."""

    figure: Figure

    def __init__(self, show: bool = False, axis: Any = None, size: tuple[Scalar, Scalar] | None = None) -> None:
        self._show, self._axis, self._size = show, axis, _inches(size)
        if axis is not None and size is not None:
            raise RefusedError("size: the axes that are given have theirs; leave one of them out")
        if axis is not None:
            self.figure = axis.figure

    def new(self, width: float, height: float, title: str = "") -> Figure:
        """An empty figure, in inches, with a title above it."""
        if self._axis is not None:
            raise RefusedError(
                "this picture has several axes, and cannot be drawn on the one that is given: leave it out"
            )
        size = self._size or (width, height)
        self.figure = _windowed_figure(size) if self._show else _new_figure(size)
        if title:
            self.figure.suptitle(literal(title), **TITLE)
        return self.figure

    def one(self, width: float, height: float, title: str, drawing: Drawing | None = None) -> Any:
        """The axis that was given, or the only one of a new figure; *drawing*: of the mechanism that is shown on it."""
        if self._axis is not None:
            return self._axis
        axis = mechanism_axis(self.new(width, height), 111, drawing)
        axis.set_title(literal(title), loc="left", wrap=True, **TITLE)
        return axis

    def below(self, count: int, title: str, band: int = 0) -> list[Any]:
        """So many axes below each other, over one quantity; the axis that was given, where it is one.

        band: rows of a low axis below them, which is the last one then; there is none on an axis that was given
        """
        if self._axis is not None and count == 1:
            return [self._axis]
        heights = [AXIS_HEIGHT * max(1.0, 1.4 / count)] * count + ([BAND_MARGIN + BAND_ROW * band] if band else [])
        made = self.new(WIDTH, MARGIN + sum(heights))
        axes = list(made.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0])
        axes[0].set_title(literal(title), loc="left", wrap=True, **TITLE)
        made.align_ylabels()
        return axes


def mechanism_axis(figure: Any, place: Any, drawing: Drawing | None = None) -> Any:
    """An axis for the picture of a mechanism, in space with three dimensions."""
    if drawing is None or drawing.space == "planar":
        return figure.add_subplot(place)
    # a spatial axis registers itself when it is imported
    import mpl_toolkits.mplot3d  # noqa: F401

    axis = figure.add_subplot(place, projection="3d")
    axis.view_init(*VIEW, vertical_axis="xyz"[drawing.upright])
    return axis


def make_room(axis: Any) -> None:
    """No side of a spatial box is much shorter than the longest one: marks would lie on each other."""
    import numpy as np

    low, high = np.array([axis.get_xlim3d(), axis.get_ylim3d(), axis.get_zlim3d()]).T
    size = np.maximum(high - low, THINNEST * np.max(high - low))
    middle = 0.5 * (low + high)
    for place, (set_limits, side) in enumerate(
        ((axis.set_xlim3d, axis.xaxis), (axis.set_ylim3d, axis.yaxis), (axis.set_zlim3d, axis.zaxis))
    ):
        set_limits(middle[place] - 0.5 * size[place], middle[place] + 0.5 * size[place])
        side.get_major_locator().set_params(nbins=4)
    axis.set_box_aspect(size)


def show_lengths(axis: Any, unit: str, dimension: int) -> None:
    """Round numbers of a unit along the axes of a mechanism, which are in metres."""
    from matplotlib.ticker import AutoLocator, FuncFormatter

    metres = read_unit(unit).factor

    class Rounded(AutoLocator):
        def tick_values(self, vmin: float, vmax: float) -> Any:
            return [metres * value for value in super().tick_values(vmin / metres, vmax / metres)]

    for name in "xyz"[:dimension]:
        side = getattr(axis, f"{name}axis")
        side.set_major_locator(Rounded())
        side.set_major_formatter(FuncFormatter(lambda value, _: f"{round(value / metres, 9) + 0.0:g}"))
        axis.set(**{f"{name}label": f"{name} [{unit}]"})


def finish(axis: Any, x: str = "", y: str = "", *, beside: int = 0, legend: bool = True) -> None:
    """Headings of an axis, a faint grid and no box; the legend in the best place, or *beside* it in so many columns."""
    axis.set(xlabel=literal(x), ylabel=literal(y))
    axis.grid(True, which="both", **GRID)
    for side in {"top", "right"} & {*axis.spines}:  # a round axis has none
        axis.spines[side].set_visible(False)
    if not legend or not axis.get_legend_handles_labels()[0]:
        return
    place = {"loc": "center left", "bbox_to_anchor": (1.005, 0.5), "ncols": beside} if beside else {"loc": "best"}
    axis.legend(**place, **SMALL)


def level(axis: Any, least: float) -> None:
    """Draw what changes by less than *least* as a level line: without this, rounding errors would fill the axis."""
    low, high = axis.dataLim.intervaly
    if not 0.0 <= high - low < least:
        return
    middle, half = 0.5 * (low + high), 0.5 * least
    if high - low < FLAT * least:
        half = 0.05 * max(abs(middle), 1e6 * least)
    axis.set_ylim(middle - half, middle + half)


def cross(axis: Any) -> None:
    """The lines through zero of a complex plane."""
    axis.axhline(0.0, **AXIS)
    axis.axvline(0.0, **AXIS)


def literal(text: str) -> str:
    """Keep matplotlib from reading dollar signs in names as formulas, and from hiding names with a leading underscore."""
    return text.replace("$", r"\$") if not text.startswith("_") else "\u200b" + text.replace("$", r"\$")


def _inches(size: tuple[Scalar, Scalar] | None) -> tuple[float, float] | None:
    """Millimetres as matplotlib has them."""
    if size is None:
        return None
    refusal = f"size = {size}: width and height of the figure in millimetres, such as (90, 60), or as ('9 cm', '6 cm')"
    if isinstance(size, str | Real) or len(size) != 2:
        raise RefusedError(refusal)
    width, height = (1000.0 * si(side, "length") if isinstance(side, str) else side for side in size)
    if not all(isinstance(side, Real) and 10.0 <= float(side) <= 5000.0 for side in (width, height)):
        raise RefusedError(refusal)
    return width / 25.4, height / 25.4


def _letters(size: tuple[Scalar, Scalar] | None) -> AbstractContextManager[Any]:
    """Letters as large as beside printed text, where a figure has the size that it is printed with."""
    from matplotlib import rc_context

    return nullcontext() if size is None else rc_context({"font.size": PRINTED})


def _new_figure(size: tuple[float, float]) -> Figure:
    from linkwork.views.notebook import ShownFigure  # which loads matplotlib

    return ShownFigure(size)


def _show_in_notebook(figure: Figure) -> None:
    from linkwork.views.notebook import show_below  # which loads matplotlib

    show_below(figure)


def _windowed_figure(size: tuple[float, float]) -> Figure:
    import matplotlib
    import matplotlib.pyplot as pyplot

    if matplotlib.get_backend().lower() in {"agg", "pdf", "ps", "svg", "cairo", "template"}:
        raise ResultError("there is no display to show the plot on; write it to a file with path='plot.png'")
    return pyplot.figure(figsize=size, layout="constrained")


def write_figure(figure: Any, path: Path, overwrite: bool | None) -> None:
    """Write a figure whole or not at all; the ending tells the format (png, svg, pdf)."""
    known, ending = sorted(figure.canvas.get_supported_filetypes()), path.suffix.lower()
    if ending.lstrip(".") not in known:
        raise ResultError(f"cannot write a plot as '{path.name}'; endings that work: {', '.join(known)}")
    from matplotlib import rc_context

    # letters stay letters: they can be searched, and edited
    text = rc_context({"svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42})
    with text, written_whole(path, overwrite=overwrite) as part:
        figure.savefig(part, dpi=150, metadata={_MARKS[ending]: SOFTWARE} if ending in _MARKS else None)


def show_figure(figure: Figure) -> None:
    """Open the window of a figure."""
    import matplotlib.pyplot as pyplot

    pyplot.figure(figure)
    pyplot.show()
