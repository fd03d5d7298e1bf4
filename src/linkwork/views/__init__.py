"""Stage 8: views. `plot` gives a figure, `animate` one self-contained HTML page."""

from linkwork.views.page import write_page as animate
from linkwork.views.plots import plot

__all__ = ["animate", "plot"]
