"""Regions of absolute stability: the z = hλ for which a step of an integrator does not let ẏ = λy grow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, product
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.integrators.root_locus import StabilityRoots
from linkwork.numerics.integrators.stability import StabilityFunction
from linkwork.results.integrator_tables import OscillatorTable, StabilityLimits, StabilityRegions
from linkwork.views.figures import AXIS, SMALL, Sheet, cross, figure, finish, literal
from linkwork.views.palette import SERIES
from linkwork.views.plots import STYLES

POINTS = 401
UNBOUNDED = 4.0  # what to show of a region without an end
NAMES, LINE = 5, 0.22  # names beside each other in a legend, inches of a line of them
LITTLE = 1e-6  # of an error, below which it is drawn as it is, and not by its power of ten
ROUNDING = 1e-9  # of the size of roots
FARTHEST = 50.0  # part of the edge of such a region


@figure
def plot_region(sheet: Sheet, found: StabilityLimits | StabilityRegions) -> None:
    """Draw the z = hλ for which no solution grows."""
    functions = [item.function for item in ([found] if isinstance(found, StabilityLimits) else found)]
    axes = sheet.one(6.0, 6.0, "")
    x, y = _window(functions)
    z = x + 1j * y[:, None]
    looks = cycle(product(STYLES, SERIES))
    for function, (style, colour) in zip(functions, looks, strict=False):
        every = 2 if isinstance(function, StabilityRoots) else 1
        size = function.growth(z[::every, ::every])
        axes.contourf(x[::every], y[::every], size, levels=[0.0, 1.0], colors=[colour], alpha=0.1)
        axes.contour(x[::every], y[::every], size, levels=[1.0], colors=[colour], linestyles=[style], linewidths=1.5)
        axes.plot([], [], style, color=colour, label=function.name)
    cross(axes)
    axes.set_aspect("equal")
    finish(axes, "Re hλ", "Im hλ", beside=1)


@figure
def plot_oscillator(sheet: Sheet, table: OscillatorTable) -> None:
    """Draw elongation of the period and damping ratio over the size of a step, one line for each integrator."""
    above, below = sheet.below(2, table.title)
    names = list(dict.fromkeys(row.method for row in table))
    for name, (style, colour) in zip(names, cycle(product(STYLES, SERIES)), strict=False):
        rows = sorted((row for row in table if row.method == name), key=lambda row: row.step)
        steps = [row.step for row in rows]
        look: dict[str, Any] = {"color": colour, "marker": ".", "linewidth": 1.4, "label": literal(name)}
        above.plot(steps, [100.0 * row.elongation for row in rows], style, **look)
        below.plot(steps, [row.damping_ratio for row in rows], style, **look)
    for axis, what in ((above, "elongation of the period [%]"), (below, "damping ratio")):
        axis.axhline(0.0, **AXIS)
        axis.set(xscale="log")
        axis.set_yscale("symlog", linthresh=LITTLE)
        finish(axis, y=what, legend=False)
    below.set_xlabel("step ωh [rad]")
    sheet.figure.set_figheight(sheet.figure.get_figheight() + LINE * ceil(len(names) / NAMES))
    sheet.figure.legend(*above.get_legend_handles_labels(), loc="outside lower center", ncols=NAMES, **SMALL)


def _window(functions: Sequence[StabilityFunction | StabilityRoots]) -> tuple[Array, Array]:
    """Real and imaginary parts that show all regions that end, and a part of those that do not."""
    limits = [function.limit(-1.0 + 0.0j) for function in functions]
    reach = 2.0 * max((limit for limit in limits if np.isfinite(limit)), default=UNBOUNDED)
    x = y = np.linspace(-reach, reach, POINTS)
    z: NDArray[np.complex128] = x + 1j * y[:, None]
    left, right, top = -1.0, 1.0, 1.0
    for function, limit in zip(functions, limits, strict=True):
        if not np.isfinite(limit):
            edge = _edge(function)
            left, right = min(left, -UNBOUNDED, edge.real.min()), max(right, UNBOUNDED / 2, edge.real.max())
            top = max(top, UNBOUNDED, edge.imag.max())
            continue
        inside = _edge(function) if isinstance(function, StabilityRoots) else z[function.growth(z) <= 1.0]
        inside = inside[function.growth(inside) <= 1.0 + ROUNDING]
        left, right = min(left, inside.real.min()), max(right, inside.real.max())
        top = max(top, inside.imag.max())
    margin = 0.08 * max(right - left, 2.0 * top)
    return np.linspace(left - margin, right + margin, POINTS), np.linspace(-top - margin, top + margin, POINTS)


def _edge(function: StabilityFunction | StabilityRoots) -> NDArray[np.complex128]:
    """Where a region without an end may have holes."""
    edge = function.edge if isinstance(function, StabilityRoots) else np.zeros(1, dtype=complex)
    return edge[np.abs(edge) < FARTHEST]
