"""Figures that show themselves in notebooks, without a word to matplotlib.

What is drawn in a cell is shown below it, once, as users of matplotlib know it: as the value of the cell, or else when the
cell ends, where a semicolon or further lines follow.
"""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from linkwork.progress import notebook_shell

DPI = 192  # twice as many as shown: sharp on fine screens


_waiting: list[Figure] = []  # for the end of the cell that has drawn them


class ShownFigure(Figure):
    """A figure of no window, which notebooks show as a picture."""

    def __init__(self, size: tuple[float, float]) -> None:
        super().__init__(figsize=size, layout="constrained")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The picture, and how large it is shown."""
        self._is_shown()
        width, height = self.get_size_inches()
        return self.picture(), {"width": round(96 * width), "height": round(96 * height)}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Nothing more than the picture; asked first, whoever makes the picture then."""
        self._is_shown()
        return {}

    def _is_shown(self) -> None:
        """Wait no more."""
        _waiting[:] = [figure for figure in _waiting if figure is not self]

    def picture(self) -> bytes:
        """As a file of the format PNG."""
        file = BytesIO()
        self.savefig(file, format="png", dpi=DPI)
        return file.getvalue()


def show_below(figure: Figure) -> None:
    """Have a figure shown when the cell ends that runs, unless it has been shown by then; outside notebooks, nothing."""
    shell = notebook_shell()
    if shell is None:
        return
    if not _waiting:
        shell.events.register("post_run_cell", _show_waiting)
    _waiting.append(figure)


def _show_waiting(*_: Any) -> None:
    shell = notebook_shell()
    if shell is not None:
        shell.events.unregister("post_run_cell", _show_waiting)
    for figure in tuple(_waiting):
        sys.modules["IPython"].display.display(figure)
