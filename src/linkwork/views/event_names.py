"""Names of events along an axis of matplotlib: as many as have room, decided whenever they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.artist import Artist
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase

BESIDE, GAP = 3.0, 6.0  # points from a line to its name, and between two names


class EventNames(Artist):
    """Names of events at the top of an axis, each where there is room for it; it is decided whenever they are drawn.

    drawn: those that were, from left to right
    """

    def __init__(self, names: Sequence[tuple[float, str]]) -> None:
        super().__init__()
        self.names, self.drawn = sorted(names), list[str]()
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        """Write what has room, on the right of its line, or on the left at the end of the axis."""
        axis, figure = self.axes, self.get_figure(root=True)
        if axis is None or figure is None or not self.get_visible():
            return
        point = figure.dpi / 72.0
        box, taken, self.drawn = axis.bbox, -1e9, []
        letters = Text(va="top", fontsize="x-small", transform=IdentityTransform())
        letters.set_figure(figure)
        letters.set_bbox({"facecolor": axis.get_facecolor(), "edgecolor": "none", "pad": 0.6 * point, "alpha": 0.8})
        places = [float(axis.transData.transform((at, 0.0))[0]) for at, _ in self.names]
        for place, (_, name) in zip(places, self.names, strict=True):
            left = place + BESIDE * point
            if left < taken or not box.x0 - point <= place <= box.x1 + point:
                continue
            letters.set_text(name)
            width = letters.get_window_extent(renderer).width
            if left + width > box.x1:
                left = place - BESIDE * point - width
                if left < taken:
                    continue
            letters.set_position((left, box.y1 - BESIDE * point))
            letters.draw(renderer)
            taken = left + width + GAP * point
            self.drawn.append(name)
