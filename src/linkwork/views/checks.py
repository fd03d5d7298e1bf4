"""How well a run went: its checks beside what is allowed, its accuracy beside the wish, its frames beside the clock."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.errors import ResultError
from linkwork.results.accuracy import Accuracy
from linkwork.results.audit import Audit, short
from linkwork.results.pacing import Pacing
from linkwork.views.figures import AXIS, Sheet, figure, finish, literal
from linkwork.views.palette import SERIES
from linkwork.views.plots import BAR

FINE, ALARM = SERIES[0], "#b91c1c"
LEAST = 1e-18  # what is drawn of a measure that is zero


@figure
def plot_audit(sheet: Sheet, audit: Audit) -> None:
    """Draw every check as its value over what is allowed, on a logarithmic scale: beyond 1 it has failed."""
    if not audit.checks:
        raise ResultError(f"{audit.title}: there are no checks to draw")
    # of what must not be at all, one is as bad as ten
    ratios = [check.value / check.allowed if check.allowed > 0 else 10.0 * check.value for check in audit.checks]
    texts = [check.text or f"{check.name} {short(check.value)}" for check in audit.checks]
    verdict = {None: audit.line, True: "passed", False: "FAILED"}[audit.passed]
    _draw_bars(sheet, f"audit: {verdict}", ([check.name for check in audit.checks], texts), ratios, "value / allowed")


@figure
def plot_accuracy(sheet: Sheet, accuracy: Accuracy) -> None:
    """Draw the error that was reached over the one that was asked for."""
    texts = [f"{accuracy.worst}: {short(accuracy.reached)} of its scale, {accuracy.wish:g} asked for"]
    held = "to the end" if accuracy.satisfied else f"up to {accuracy.holds_until:.4g} s of {accuracy.end:g} s"
    title = f"accuracy: holds {held} ({accuracy.runs} runs)"
    _draw_bars(sheet, title, (["error"], texts), [accuracy.reached / accuracy.wish], "reached / asked for")


def _draw_bars(
    sheet: Sheet, title: str, rows: tuple[Sequence[str], Sequence[str]], ratios: Sequence[float], what: str
) -> None:
    """Ratios on a logarithmic scale, with names before and texts in them; those beyond 1 in red."""
    (names, texts), places = rows, np.arange(len(ratios))
    axis = sheet.one(8.0, 1.3 + 1.8 * BAR * len(ratios), title)
    known = np.array([ratio if ratio > LEAST else LEAST for ratio in np.nan_to_num(ratios, nan=np.inf)])
    low, high = min(1e-3, 0.1 * known.min()), max(1e2, 10.0 * np.max(known, where=np.isfinite(known), initial=1.0))
    colours = [ALARM if ratio > 1.0 else FINE for ratio in known]
    axis.barh(places, np.minimum(known, high) - low, 0.6, left=low, color=colours, alpha=0.35)
    for place, text in zip(places, texts, strict=True):
        axis.annotate(
            literal(text), (low, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize="small"
        )
    axis.set(xscale="log", xlim=(low, high))
    axis.set_yticks(places, [literal(name) for name in names])
    axis.invert_yaxis()
    axis.axvline(1.0, **{**AXIS, "color": ALARM, "zorder": 3})
    finish(axis, what)


@figure
def plot_pacing(sheet: Sheet, pacing: Pacing) -> None:
    """How many frames ended how long before or after their time on the clock."""
    axis = sheet.one(7.0, 3.5, pacing.title)
    delays = 1e3 * pacing.delays
    axis.hist(delays[delays <= 0], bins="auto", color=FINE, alpha=0.6, label="in time")
    if np.any(delays > 0):
        axis.hist(delays[delays > 0], bins="auto", color=ALARM, alpha=0.6, label="late")
    axis.axvline(0.0, color="0.2", linewidth=1, linestyle="--", label="the clock")
    finish(axis, "end of a frame after its time [ms]", "frames")
