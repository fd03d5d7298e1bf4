"""Multipliers of a periodic motion in the complex plane."""

from __future__ import annotations

import numpy as np

from linkwork.results.floquet import ITSELF, FloquetMultipliers
from linkwork.views.figures import AXIS, Sheet, cross, figure, finish
from linkwork.views.palette import SERIES


@figure
def plot_multipliers(sheet: Sheet, found: FloquetMultipliers) -> None:
    """Draw multipliers as crosses: those inside of the unit circle decay."""
    axes = sheet.one(6.0, 5.6, f"{found.name}, period {found.period:.6g} s: {found.verdict}")
    angles = np.linspace(0.0, 2.0 * np.pi, 361)
    axes.fill(np.cos(angles), np.sin(angles), color=SERIES[2], alpha=0.1, label="decays")
    axes.plot(np.cos(angles), np.sin(angles), **AXIS)
    cross(axes)
    if found.autonomous:
        axes.plot([1.0], [0.0], "o", color=SERIES[1], markersize=9, markerfacecolor="none", label=ITSELF)
    values = found.others
    axes.plot(values.real, values.imag, "x", color=SERIES[0], markersize=8, markeredgewidth=2, label="multipliers")
    axes.set_aspect("equal", adjustable="datalim")
    finish(axes, "real part", "imaginary part")
