"""Eigenvalues of linear equations in the complex plane, and over a parameter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import refuse_existing
from linkwork.results.linearisation import Linearisation
from linkwork.results.root_locus import RootLocus
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (6.0, 5.0)  # inches
WIDE = (10.0, 4.6)


def plot_eigenvalues(
    linear: Linearisation, *, path: str | Path | None = None, show: bool = False, overwrite: bool | None = None
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


def plot_locus(
    locus: RootLocus, *, path: str | Path | None = None, show: bool = False, overwrite: bool | None = None
) -> Figure:
    """Draw eigenvalues over the parameter, real parts in full and imaginary ones dashed, and in the complex plane."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure(WIDE, show)
    over, plane = figure.subplots(1, 2)
    for i, branch in enumerate(locus.eigenvalues.T):
        colour = SERIES[i % len(SERIES)]
        over.plot(locus.values, branch.real, color=colour)
        upper = np.where(branch.imag > 0, branch.imag, np.nan)
        over.plot(locus.values, upper, "--", color=colour, linewidth=0.9)
        plane.plot(branch.real, branch.imag, ".-", color=colour, markersize=3, linewidth=0.8)
        plane.plot(branch.real[:1], branch.imag[:1], "x", color=colour, markersize=7)
    for crossing in locus.crossings:
        over.axvline(crossing.value, color="0.5", linestyle=":", linewidth=1)
    for axes in (over, plane):
        axes.axhline(0.0, color="0.5", linewidth=0.8)
        axes.grid(alpha=0.25)
    plane.axvline(0.0, color="0.5", linewidth=0.8)
    over.set_xlabel(literal(locus.parameter))
    over.set_ylabel("real parts (full), imaginary parts (dashed), 1/s")
    plane.set_xlabel("real part, 1/s")
    plane.set_ylabel("imaginary part, rad/s")
    figure.suptitle(literal(locus.title), fontsize="medium")
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure
