"""Figures that show themselves where an object is shown, as in a notebook, without a word to matplotlib."""

from __future__ import annotations

from io import BytesIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

DPI = 192  # twice as many as shown: sharp on fine screens


class ShownFigure(Figure):
    """A figure of no window, which notebooks show as a picture."""

    def __init__(self, size: tuple[float, float]) -> None:
        super().__init__(figsize=size, layout="constrained")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The picture, and how large it is shown."""
        width, height = self.get_size_inches()
        return self.picture(), {"width": round(96 * width), "height": round(96 * height)}

    def picture(self) -> bytes:
        """As a file of the format PNG."""
        file = BytesIO()
        self.savefig(file, format="png", dpi=DPI)
        return file.getvalue()
