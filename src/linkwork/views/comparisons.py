"""Work and precision of programs on the same problems, and the page that tells all of it."""

from __future__ import annotations

import html
import io
from collections.abc import Collection, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from linkwork.algebra.given import FilePath
from linkwork.answer.files import refuse_existing, write_bytes
from linkwork.errors import ResultError
from linkwork.results.comparison import OWN, Compared, Comparison, Sweep
from linkwork.results.timing import duration
from linkwork.views.figures import Sheet, figure, finish, literal
from linkwork.views.palette import SERIES

COLUMNS, PANEL = 2, (6.6, 3.7)  # panels beside each other, and the size of each, inches
WORDS = (1, 5)  # columns of a problem that hold words
STYLE = """
body {font: 15px/1.5 system-ui, sans-serif; max-width: 1280px; margin: 2em auto; padding: 0 1em; color: #1f2933}
h1 {font-size: 1.5em} h2 {font-size: 1.15em; margin-top: 2.2em} table {border-collapse: collapse; margin: 1em 0}
th, td {padding: 0.25em 0.7em; text-align: right; border-bottom: 1px solid #d9dee3; white-space: nowrap}
th {font-weight: 600; white-space: normal; vertical-align: bottom}
th:first-child, td:first-child, td.text, th.text {text-align: left} td:first-child {white-space: normal; min-width: 13em}
.wide {overflow-x: auto} svg {max-width: 100%; height: auto} .missing {color: #9a3412}
"""


@figure
def plot_comparison(sheet: Sheet, comparison: Comparison, *names: str) -> None:
    """Draw time over error for every problem with a sweep (or those of *names*), smaller errors to the right."""
    shown = [problem for problem in swept(comparison) if not names or problem.name in names]
    rows = -(-max(len(shown), 1) // COLUMNS)
    made = sheet.new(PANEL[0] * min(COLUMNS, max(len(shown), 1)), PANEL[1] * rows)
    axes = list(made.subplots(rows, min(COLUMNS, max(len(shown), 1)), squeeze=False).flat)
    for axis in axes[len(shown) :]:
        axis.set_visible(False)
    for axis, problem in zip(axes, shown, strict=False):
        _panel(axis, problem, comparison.shown_programs)


def swept(comparison: Comparison) -> list[Compared]:
    """Problems of which settings were varied."""
    return [problem for problem in comparison.compared if any(len(curve.settings) > 1 for curve in problem.curves)]


def _panel(axis: Any, problem: Compared, programs: list[str]) -> None:
    """One line for every solver, in the colour of its program."""
    drawn: set[str] = set()
    for curve in problem.curves:
        _line(axis, curve, programs.index(curve.program), None if curve.program in drawn else curve.program)
        drawn.add(curve.program)
    axis.set(xscale="log", yscale="log")
    axis.axvline(problem.accuracy, color="0.4", linewidth=0.9, linestyle=":")
    axis.invert_xaxis()
    axis.set_title(literal(problem.title), loc="left", fontsize="medium", fontweight="bold")
    finish(axis, f"largest error [{problem.unit}]", "time [ms]", beside=1)


def _line(axis: Any, curve: Sweep, number: int, name: str | None) -> None:
    own = curve.program == OWN
    axis.plot(
        [max(item.error, 1e-17) for item in curve.settings],
        [1e3 * item.seconds for item in curve.settings],
        "o-" if number <= len(SERIES) else "s--",
        color="black" if own else SERIES[(number - 1) % len(SERIES)],
        linewidth=2.2 if own else 1.1,
        markersize=3.2,
        label=name and literal(name),
        zorder=3 if own else 2,
    )


# -- the page --------------------------------------------------------------------------------------------------------------


def write_comparison_page(comparison: Comparison, path: FilePath, *, overwrite: bool | None = None) -> Path:
    """Write one page that needs nothing else."""
    target = Path(path)
    if target.suffix.lower() not in {".html", ".htm"}:
        raise ResultError(f"a comparison is written as a web page: give '{target.name}' the ending .html")
    refuse_existing(target, overwrite=overwrite)
    return write_bytes(target, comparison_page(comparison).encode(), overwrite=overwrite)


def comparison_page(comparison: Comparison) -> str:
    """The page as text."""
    heads = ["problem", "error", *comparison.shown_programs]
    parts = [
        f"<h1>{html.escape(comparison.title)}</h1>",
        *(f"<p><b>{label}</b>: {html.escape(text)}</p>" for label, text in comparison.facts()),
        *(f"<p{' class=missing' * ('is missing' in note)}>{html.escape(note)}</p>" for note in comparison.notes),
        f"<div class=wide>{_table(heads, comparison.rows())}</div>",
        *(_section(comparison, problem) for problem in comparison.compared),
    ]
    if comparison.refused:
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in comparison.refused)
        parts.append(f"<h2>Settings that were refused or given up</h2><ul>{lines}</ul>")
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(comparison.title)}</title>'
        f"<style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _section(comparison: Comparison, problem: Compared) -> str:
    """A problem: the plot, and every program with its best setting."""
    standings = problem.standings()
    rows = [
        (name, item.told, f"{best.error:.1e}", duration(best.seconds), f"{item.ratio:.3g}", _sweep(item.curve))
        for best, name, item in sorted(
            ((item.setting, name, item) for name, item in standings.items()), key=lambda row: row[0].seconds
        )
    ]
    rows += [(name, "not accurate enough", "", "", "", "") for name in problem.programs if name not in standings]
    source = "the limit of its source" if problem.official else "at which times are compared"
    drawn = _svg(comparison, problem) if problem in swept(comparison) else ""
    return (
        f"<h2>{html.escape(problem.title)}</h2><p>Error {problem.accuracy:g} {problem.unit}: {source}.</p>{drawn}"
        + f"<div class=wide>{_table(['program', 'best setting', 'error', 'time', 'ratio', 'sweep'], rows, WORDS)}</div>"
    )


def _sweep(curve: Sweep) -> str:
    """The range of settings that were tried."""
    values = [item.value for item in curve.settings if not isnan(item.value)]
    return f"{len(values)} of {curve.kind} {max(values):.2g} to {min(values):.2g}" if values else "none"


def _svg(comparison: Comparison, problem: Compared) -> str:
    text = io.StringIO()
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": problem.name}):
        plot_comparison(comparison, problem.name, axes=None).savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _table(heads: list[str], rows: Sequence[tuple[str, ...]], words: Collection[int] = ()) -> str:
    """*words*: columns that are read from the left."""

    def row(cells: Any, kind: str) -> str:
        starts = [f"<{kind}{' class=text' * (number in words)}>" for number in range(len(heads))]
        texts = [html.escape(str(cell)) for cell in cells]
        return "<tr>" + "".join(f"{start}{text}</{kind}>" for start, text in zip(starts, texts, strict=True)) + "</tr>"

    return f"<table>{row(heads, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"
