"""Figures of matplotlib that belong to no window and change nothing global, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.errors import ResultError
from linkwork.results.files import written_whole
from linkwork.results.own_files import SOFTWARE

_MARKS = {
    ".png": {"Software": SOFTWARE},
    ".svg": {"Title": SOFTWARE},
    ".pdf": {"Creator": SOFTWARE},
    ".eps": {"Creator": SOFTWARE},
    ".ps": {"Creator": SOFTWARE},
}

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(size: tuple[float, float], show: bool = False) -> Figure:
    """An empty figure, width and height in inches; one that is to be shown belongs to a window."""
    if show:
        return _windowed_figure(size)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _windowed_figure(size: tuple[float, float]) -> Figure:
    import matplotlib
    import matplotlib.pyplot as pyplot

    if matplotlib.get_backend().lower() in {"agg", "pdf", "ps", "svg", "cairo", "template"}:
        raise ResultError("there is no display to show the plot on; write it to a file with path='plot.png'")
    return pyplot.figure(figsize=size, layout="constrained")


def literal(text: str) -> str:
    """Keep matplotlib from reading dollar signs in names as formulas."""
    return text.replace("$", r"\$")


def write_figure(figure: Figure, path: Path, overwrite: bool | None) -> None:
    """Write a figure whole or not at all; the ending tells the format (png, svg, pdf)."""
    known = sorted(figure.canvas.get_supported_filetypes())
    if path.suffix.lower().lstrip(".") not in known:
        raise ResultError(f"cannot write a plot as '{path.name}'; endings that work: {', '.join(known)}")
    with written_whole(path, overwrite=overwrite) as part:
        figure.savefig(part, dpi=150, metadata=_MARKS.get(path.suffix.lower()))


def show_figure(figure: Figure) -> None:
    """Open the window of a figure."""
    import matplotlib.pyplot as pyplot

    pyplot.figure(figure)
    pyplot.show()
