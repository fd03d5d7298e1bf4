"""What commands print, and how they run and end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.markup import escape

import linkwork as lw

if TYPE_CHECKING:
    from linkwork.answer import Answer
    from linkwork.results import Result
    from linkwork.results.audit import Audit

INTERRUPTED = 130
FAILED_AUDIT = 3


def simulate_shown(model: Any, until: float, options: dict[str, Any]) -> Result:
    """Simulate with a progress bar; options that were not given keep the defaults of `simulate`."""
    chosen = {name: value for name, value in options.items() if value is not None}
    with progress_bar(f"simulating {model.name or 'the model'}") as advance:
        return lw.simulate(model, until, progress=advance, **chosen)


@contextmanager
def progress_bar(text: str) -> Iterator[Any]:
    """A bar on the error stream that is gone when the work is done."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = _console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(text, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def exit_by(result: Result, strict: bool = False) -> None:
    """End with the exit code of a run; *strict*: also where it fails its audit."""
    from linkwork.results import Status

    codes = {Status.STOPPED_EARLY: 1, Status.INTERRUPTED: INTERRUPTED}
    if result.status in codes:
        complain(str(result.outcome))
        raise typer.Exit(codes[result.status])
    exit_by_audit(result.audit, strict)


def exit_by_audit(audit: Audit, strict: bool) -> None:
    """Say what failed, and end with an exit code where that is asked for."""
    for finding in audit.findings:
        complain(finding, "audit")
    if strict and not audit:
        raise typer.Exit(FAILED_AUDIT)


def screen() -> Console:
    return _console()


def _console(stderr: bool = False) -> Console:
    """Texts of users are printed as they are: no word between colons becomes a picture."""
    return Console(stderr=stderr, emoji=False)


def complain(text: str, what: str = "error") -> None:
    console = _console(stderr=True)
    console.print(f"[bold red]{what}:[/] ", end="")
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def print_summary(result: Result) -> None:
    from rich.table import Table

    table = Table(title=escape(result.name), title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in [*result.facts(), *(("note", note) for note in result.notes)]:
        table.add_row(label, escape(text))
    screen().print(table)


def print_names(result: Result) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("quantity", "unit", "description"):
        table.add_column(heading, overflow="fold")
    for quantity in result.source.catalogue.values():
        table.add_row(escape(quantity.name), escape(quantity.unit), escape(quantity.description))
    screen().print(table)


def print_found(
    found: Answer, force: bool | None, *, plot: Path | None = None, table: Path | None = None
) -> dict[str, Path]:
    """Print an answer, draw it and save it where that is asked for; what was written, by label."""
    typer.echo(str(found))
    written = {}
    if plot is not None:
        found.plot(path=plot, overwrite=force)
        written["plot"] = plot
    if table is not None:
        written["table"] = found.save(table, overwrite=force)
    return written


def labelled(targets: dict[str, Path]) -> dict[str, Path]:
    labels = {".nc": "result", ".html": "animation", ".png": "plot", "_path.png": "path", ".csv": "table"}
    return {labels[suffix]: path for suffix, path in targets.items() if suffix in labels}


def print_written(paths: dict[str, Path]) -> None:
    for label, path in paths.items():
        screen().print(f"{label:<10} {path}", markup=False, highlight=False, soft_wrap=True)
