"""The way of a dragged point beside the path that it was led along, with the mechanism at some places."""

from __future__ import annotations

import numpy as np

from linkwork.results.dragged import FOLLOWED, DraggedPoint
from linkwork.views.figures import SMALL, Sheet, figure, literal
from linkwork.views.still import draw_still

SHOWN = 5  # poses of the mechanism
WAY = "#b91c1c"


@figure
def plot_drag(sheet: Sheet, drag: DraggedPoint) -> None:
    """Draw all of it in world axes."""
    axis = sheet.one(7.0, 5.6, drag.name, drag.drawing)
    shown = np.unique(np.linspace(0, len(drag) - 1, SHOWN).round().astype(int))
    for i in shown:
        draw_still(axis, drag.drawing, drag.poses[i], shade=1.0 if i == shown[-1] else 0.25)
    axis.plot(*drag.path.T, "--", color="0.45", label="wanted", zorder=5)
    axis.plot(*drag.places.T, color=WAY, label=literal(drag.point), zorder=6)
    for i in np.flatnonzero(drag.distances > FOLLOWED * drag.size):
        if i in shown:
            axis.plot(*np.array([drag.path[i], drag.places[i]]).T, color="0.45", linewidth=0.8, linestyle=":", zorder=5)
    axis.legend(**SMALL)
