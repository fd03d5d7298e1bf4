"""The way of a dragged point beside the path that it was led along, with the mechanism at some places."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.results.dragged import FOLLOWED, DraggedPoint
from linkwork.results.files import refuse_existing
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.still import draw_still, mechanism_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 5  # poses of the mechanism
WAY = "#b91c1c"


def plot_drag(
    drag: DraggedPoint,
    *,
    axis: Any = None,
    path: str | Path | None = None,
    show: bool = False,
    overwrite: bool | None = None,
) -> Figure:
    """Draw all of it in world axes, on a new figure or a given axis; *path* also writes the figure (png, svg, pdf)."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure((7.0, 5.6), show) if axis is None else axis.figure
    if axis is None:
        axis = mechanism_axis(figure, 111, drag.drawing)
        axis.set_title(literal(drag.name), loc="left", fontsize="medium", fontweight="bold")
    shown = np.unique(np.linspace(0, len(drag) - 1, SHOWN).round().astype(int))
    for i in shown:
        draw_still(axis, drag.drawing, drag.poses[i], shade=1.0 if i == shown[-1] else 0.25)
    axis.plot(*drag.path.T, "--", color="0.45", label="wanted", zorder=5)
    axis.plot(*drag.places.T, color=WAY, label=literal(drag.point), zorder=6)
    for i in np.flatnonzero(drag.distances > FOLLOWED * drag.size):
        if i in shown:
            axis.plot(*np.array([drag.path[i], drag.places[i]]).T, color="0.45", linewidth=0.8, linestyle=":", zorder=5)
    axis.set(xlabel="x [m]", ylabel="y [m]")
    axis.legend(frameon=False, fontsize="small")
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure
