"""Eigenvalues of linear equations in the complex plane."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import refuse_existing
from linkwork.results.linearisation import Linearisation
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (6.0, 5.0)  # inches


def plot_eigenvalues(
    linear: Linearisation, *, path: str | Path | None = None, show: bool = False, overwrite: bool = False
) -> Figure:
    """Draw eigenvalues as crosses: those on the right grow, those on the left decay; *path* also writes the figure."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure(SIZE, show)
    axes = figure.subplots()
    found = linear.eigenvalues
    reach = 1.15 * max(float(np.max(np.abs(found.real), initial=0.0)), 1e-3 * float(np.max(np.abs(found), initial=1.0)))
    axes.axvspan(0.0, reach, color=SERIES[1], alpha=0.08, label="grows")
    axes.axvline(0.0, color="0.5", linewidth=0.8)
    axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.plot(found.real, found.imag, "x", color=SERIES[0], markersize=8, markeredgewidth=2, label="eigenvalues")
    axes.set_xlim(-reach, reach)
    axes.set_xlabel("real part, 1/s")
    axes.set_ylabel("imaginary part, rad/s")
    axes.set_title(literal(f"{linear.name} {linear.where}"), fontsize="medium")
    axes.grid(alpha=0.25)
    axes.legend(loc="best", fontsize="small")
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure
