"""The command `floquet`: whether motions near a periodic one come back to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.printing import print_found, print_written


def floquet(
    file: opt.FileArgument,
    period: Annotated[str | None, typer.Option(help="Period: 0.1s; by default read off the formulas of time.")] = None,
    find: Annotated[bool, typer.Option("--find", help="Look for a periodic motion near the assembled state.")] = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
    csv: Annotated[Path | None, opt.table_option("Write multipliers here, as .json with the monodromy matrix")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the multipliers here (.png, .svg, .pdf).")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the animated page of one period here.")] = None,
    force: opt.ForceOption = None,
) -> None:
    """List the multipliers of a periodic motion: what has become of small variations after a period."""
    opt.check_targets(force, csv, plot, html)
    found = lw.floquet(
        opt.load_model(file),
        None if period is None else opt.read_seconds(period, "--period"),
        find=find,
        coordinates=coordinates or "relative",
        parameters=opt.read_parameters(parameter or []),
    )
    written = print_found(found, force, plot=plot, table=csv)
    if html is not None:
        written["animation"] = found.motion.animate(html, overwrite=force)
    print_written(written)
