"""Variations of linear equations over time, whole and by modes."""

from __future__ import annotations

from linkwork.answer.column import label
from linkwork.results.linear_motion import LinearMotion
from linkwork.views.figures import Sheet, figure, finish, literal
from linkwork.views.palette import SERIES


@figure
def plot_motion(sheet: Sheet, motion: LinearMotion, *names: str, modes: bool = False) -> None:
    """Draw quantities below each other, outputs by default, with the parts of the *modes* dashed if wanted."""
    linear = motion.linearisation
    shown = names or linear.outputs or linear.states
    rows = sheet.below(len(shown), motion.title)
    for axes, name in zip(rows, shown, strict=True):
        axes.plot(motion.time, motion[name], color="0.2" if modes else SERIES[0], linewidth=1.6, label="all")
        for i, (part, values) in enumerate(motion.contributions(name).items() if modes else ()):
            axes.plot(motion.time, values, "--", color=SERIES[i % len(SERIES)], linewidth=1.1, label=literal(part))
        finish(axes, y=label(name, linear.source.unit(name)), beside=1, legend=modes)
        axes.margins(x=0.0)
    rows[-1].set_xlabel("time [s]")
