"""Bode diagrams: magnitudes and phases over the frequency."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import refuse_existing
from linkwork.results.frequency_response import FrequencyResponse
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (8.0, 6.0)  # inches
STYLES = ("-", "--", ":", "-.")


def plot_response(
    response: FrequencyResponse,
    pairs: Sequence[tuple[str, str]],
    *,
    path: str | Path | None = None,
    show: bool = False,
    overwrite: bool | None = None,
) -> Figure:
    """Draw pairs (output, input), magnitudes above and phases below; *path* also writes the figure."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure(SIZE, show)
    size, turn = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    units = {response.unit(*pair) for pair in pairs}
    looks = cycle(product(STYLES, SERIES))
    order = np.argsort(response.omega)
    for pair, (style, colour) in zip(pairs, looks, strict=False):
        unit = f" [{response.unit(*pair)}]" if len(units) > 1 and response.unit(*pair) else ""
        magnitude = np.where(np.isfinite(response.magnitude(*pair)), response.magnitude(*pair), np.nan)[order]
        label = literal(f"{pair[0]} / {pair[1]}{unit}")
        size.plot(response.frequency[order], magnitude, style, color=colour, linewidth=1.4, label=label)
        phase = np.degrees(response.phase(*pair))[order]
        turn.plot(response.frequency[order], phase, style, color=colour, linewidth=1.4)
    for omega in {omega for pair in pairs for omega in response.unbounded.get(pair, []) if omega > 0.0}:
        size.axvline(omega / (2 * np.pi), color="0.5", linestyle=":", linewidth=1)
    unit = units.pop() if len(units) == 1 else ""
    size.set_ylabel(literal(f"magnitude [{unit}]" if unit else "magnitude"))
    size.set_yscale("log")
    turn.set_xscale("log")
    turn.set_ylabel("phase [°]")
    turn.set_xlabel("frequency [Hz]")
    turn.yaxis.set_major_locator(_degrees())
    for axes in (size, turn):
        axes.grid(True, which="both", linewidth=0.5, alpha=0.35)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
    size.legend(loc="best", frameon=False, fontsize="small")
    linear = response.linearisation
    size.set_title(literal(f"{linear.name} {linear.where}"), loc="left", fontsize="medium", fontweight="bold")
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure


def _degrees() -> object:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=6, steps=[1.5, 3, 4.5, 9])
