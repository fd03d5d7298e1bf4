"""Eigenvalues of linear equations in the complex plane, and over a parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.answer.column import label
from linkwork.results.linear_system import LinearSystem
from linkwork.results.point_paths import point_path
from linkwork.results.root_locus import RootLocus
from linkwork.results.vibration_modes import VibrationMode, VibrationModes
from linkwork.views.figures import AXIS, Sheet, cross, figure, finish, literal
from linkwork.views.palette import SERIES
from linkwork.views.still import draw_still, poses_at

SWING = 49  # frames of a swing, from one end and back to it
REAL, IMAGINARY = "real part [1/s]", "imaginary part [rad/s]"
MARK = "0.3"  # of what a legend explains, whatever the colour of a branch
CROSSING: dict[str, Any] = {"color": "0.5", "linestyle": ":", "linewidth": 1}


@figure
def plot_eigenvalues(sheet: Sheet, of: LinearSystem | VibrationModes) -> None:
    """Draw eigenvalues as crosses: those on the right grow, those on the left decay."""
    linear = of.linearisation if isinstance(of, VibrationModes) else of
    axes = sheet.one(6.0, 5.0, f"{linear.name} {linear.where}")
    found = linear.eigenvalues
    reach = 1.15 * max(float(np.max(np.abs(found.real), initial=0.0)), 1e-3 * float(np.max(np.abs(found), initial=1.0)))
    axes.axvspan(0.0, reach, color=SERIES[1], alpha=0.08, label="grows")
    cross(axes)
    axes.plot(found.real, found.imag, "x", color=SERIES[0], markersize=8, markeredgewidth=2, label="eigenvalues")
    axes.set_xlim(-reach, reach)
    finish(axes, REAL, IMAGINARY)


@figure
def plot_shape(sheet: Sheet, mode: VibrationMode) -> None:
    """Draw the mechanism as it swings in a mode: at both ends, pale in between, with the ways of its joints and points."""
    swing = mode.motion(frames=SWING)
    drawing, half = swing.drawing, SWING // 2
    axis = sheet.one(7.0, 5.6, mode.title, drawing)
    for i in (half // 2, half, 0):
        draw_still(axis, drawing, poses_at(swing, float(swing.time[i])), shade={0: 1.0, half: 0.45}.get(i, 0.15))
    for name, body in drawing.bodies.items():
        for point in body.points:
            place = point_path(swing, f"{name}.{point}").places[: half + 1]
            axis.plot(*place.T, color="0.4", linewidth=0.9, linestyle=":", zorder=5)


@figure
def plot_locus(sheet: Sheet, locus: RootLocus) -> None:
    """Draw eigenvalues over the parameter, real parts in full and imaginary ones dashed, and in the complex plane."""
    over, plane = sheet.new(10.0, 4.6, locus.title).subplots(1, 2)
    for i, branch in enumerate(locus.eigenvalues.T):
        colour = SERIES[i % len(SERIES)]
        over.plot(locus.values, branch.real, color=colour)
        upper = np.where(branch.imag > 0, branch.imag, np.nan)
        over.plot(locus.values, upper, "--", color=colour, linewidth=0.9)
        plane.plot(branch.real, branch.imag, ".-", color=colour, markersize=3, linewidth=0.8)
        plane.plot(branch.real[:1], branch.imag[:1], "x", color=colour, markersize=7)
    for crossing in locus.crossings:
        over.axvline(crossing.value, **CROSSING)
    over.axhline(0.0, **AXIS)
    cross(plane)
    _explain(over, plane, locus)
    finish(over, label(locus.parameter, locus.unit), "eigenvalues [1/s]")
    finish(plane, REAL, IMAGINARY)


def _explain(over: Any, plane: Any, locus: RootLocus) -> None:
    """What the lines and marks of a root locus are, in their legends; colours tell the branches apart."""
    over.plot([], [], color=MARK, label="real part")
    over.plot([], [], "--", color=MARK, linewidth=0.9, label="imaginary part")
    if locus.crossings:
        over.plot([], [], **CROSSING, label="begins or ends to grow")
    first = f"{locus.parameter} = {locus.values[0]:g} {locus.unit}".rstrip()
    plane.plot([], [], "x", color=MARK, markersize=7, label=literal(first))
