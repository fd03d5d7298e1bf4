"""Multipliers of a periodic motion in the complex plane."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import refuse_existing
from linkwork.results.floquet import ITSELF, FloquetMultipliers
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (6.0, 5.6)  # inches


def plot_multipliers(
    found: FloquetMultipliers, *, path: str | Path | None = None, show: bool = False, overwrite: bool | None = None
) -> Figure:
    """Draw multipliers as crosses: those inside of the unit circle decay; *path* also writes the figure."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure(SIZE, show)
    axes = figure.subplots()
    angles = np.linspace(0.0, 2.0 * np.pi, 361)
    axes.fill(np.cos(angles), np.sin(angles), color=SERIES[2], alpha=0.1, label="decays")
    axes.plot(np.cos(angles), np.sin(angles), color="0.5", linewidth=0.8)
    axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.axvline(0.0, color="0.5", linewidth=0.8)
    if found.autonomous:
        axes.plot([1.0], [0.0], "o", color=SERIES[1], markersize=9, markerfacecolor="none", label=ITSELF)
    values = found.others
    axes.plot(values.real, values.imag, "x", color=SERIES[0], markersize=8, markeredgewidth=2, label="multipliers")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("real part")
    axes.set_ylabel("imaginary part")
    axes.set_title(literal(f"{found.name}, period {found.period:.6g} s: {found.verdict}"), fontsize="medium")
    axes.grid(alpha=0.25)
    axes.legend(loc="best", fontsize="small")
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure
