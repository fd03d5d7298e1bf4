"""Bode diagrams: magnitudes and phases over the frequency."""

from __future__ import annotations

from itertools import cycle, product

import numpy as np

from linkwork.answer.column import label
from linkwork.results.frequency_response import FrequencyResponse
from linkwork.views.figures import TITLE, Sheet, figure, finish, literal
from linkwork.views.palette import SERIES
from linkwork.views.plots import STYLES


@figure
def plot_response(sheet: Sheet, response: FrequencyResponse, *pairs: tuple[str, str]) -> None:
    """Draw pairs (output, input), all by default, magnitudes above and phases below."""
    shown = [(pair, response[pair])[0] for pair in pairs] or response.pairs
    size, turn = sheet.new(8.0, 6.0).subplots(2, 1, sharex=True, height_ratios=[3, 2])
    units = {response.unit(*pair) for pair in shown}
    order = np.argsort(response.omega)
    for pair, (style, colour) in zip(shown, cycle(product(STYLES, SERIES)), strict=False):
        name = label(f"{pair[0]} / {pair[1]}", response.unit(*pair) if len(units) > 1 else "")
        magnitude = np.where(np.isfinite(response.magnitude(*pair)), response.magnitude(*pair), np.nan)[order]
        size.plot(response.frequency[order], magnitude, style, color=colour, linewidth=1.4, label=literal(name))
        phase = np.degrees(response.phase(*pair))[order]
        turn.plot(response.frequency[order], phase, style, color=colour, linewidth=1.4)
    for omega in {omega for pair in shown for omega in response.unbounded.get(pair, []) if omega > 0.0}:
        size.axvline(omega / (2 * np.pi), color="0.5", linestyle=":", linewidth=1)
    size.set_yscale("log")
    turn.set_xscale("log")
    turn.yaxis.set_major_locator(_degrees())
    finish(size, y=label("magnitude", units.pop() if len(units) == 1 else ""))
    finish(turn, "frequency [Hz]", "phase [°]")
    for axes in (size, turn):
        axes.margins(x=0.0)
    linear = response.linearisation
    size.set_title(literal(f"{linear.name} {linear.where}"), loc="left", **TITLE)


def _degrees() -> object:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=6, steps=[1.5, 3, 4.5, 9])
