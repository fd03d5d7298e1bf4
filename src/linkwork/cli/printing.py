"""What commands print, and how they end. Texts of users are printed as they are: no word of theirs is markup."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from linkwork.results.audit import Audit

WRONG = 1  # the model, or what is asked of it
STOPPED_EARLY = 3
FAILED_AUDIT = 4
FILES = 5
INTERRUPTED = 130


def exit_by(run: Any, strict: bool = False) -> None:
    """End with the exit code of a run (which has an outcome and an audit); *strict*: also where it fails its audit."""
    from linkwork.results import Status

    codes = {Status.STOPPED_EARLY: STOPPED_EARLY, Status.INTERRUPTED: INTERRUPTED}
    if run.outcome.status in codes:
        complain(str(run.outcome))
        raise typer.Exit(codes[run.outcome.status])
    _exit_by_audit(run.audit, strict)


def _exit_by_audit(audit: Audit, strict: bool) -> None:
    """Say what failed, and end with an exit code where that is asked for."""
    for finding in audit.findings:
        complain(finding, "audit")
    if strict and not audit:
        raise typer.Exit(FAILED_AUDIT)


def complain(text: str, what: str = "error") -> None:
    typer.secho(f"{what}: ", fg="red", bold=True, nl=False, err=True)
    typer.echo(text, err=True)


def print_written(paths: Iterable[tuple[str, Path]], err: bool = False) -> None:
    for label, path in paths:
        typer.echo(f"{label:<10} {path}", err=err)
