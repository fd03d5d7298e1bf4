"""The way of a dragged point beside the path that it was led along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.results.assembled import DraggedPoint
from linkwork.results.files import refuse_existing
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_drag(
    drag: DraggedPoint, *, path: str | Path | None = None, show: bool = False, overwrite: bool = False
) -> Figure:
    """Draw both in the x-y plane; *path* also writes the figure (png, svg, pdf)."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure((6.0, 4.5), show)
    axis = figure.add_subplot()
    axis.plot(drag.path[:, 0], drag.path[:, 1], "--", color="0.5", label="wanted")
    axis.plot(drag.places[:, 0], drag.places[:, 1], color=SERIES[0], label=literal(drag.point))
    axis.set(xlabel="x, m", ylabel="y, m", aspect="equal")
    axis.legend()
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure
