"""The command `floquet`: whether motions near a periodic one come back to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import linkwork as lw
from linkwork.cli.options import (
    CoordinatesOption,
    FileArgument,
    ForceOption,
    ParameterOption,
    check_targets,
    load_model,
    read_parameters,
    read_seconds,
    table_option,
)
from linkwork.cli.printing import print_written


def floquet(
    file: FileArgument,
    period: Annotated[str | None, typer.Option(help="Period: 0.1s; by default read off the formulas of time.")] = None,
    find: Annotated[bool, typer.Option("--find", help="Look for a periodic motion near the assembled state.")] = False,
    coordinates: CoordinatesOption = None,
    parameter: ParameterOption = None,
    csv: Annotated[Path | None, table_option("Write multipliers here, as .json with the monodromy matrix")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the multipliers here (.png, .svg, .pdf).")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the animated page of one period here.")] = None,
    force: ForceOption = None,
) -> None:
    """List the multipliers of a periodic motion: what has become of small variations after a period."""
    check_targets(force, csv, plot, html)
    found = lw.floquet(
        load_model(file),
        None if period is None else read_seconds(period, "--period"),
        find=find,
        coordinates=coordinates or "relative",
        parameters=read_parameters(parameter or []),
    )
    typer.echo(str(found))
    written = {}
    if csv is not None:
        written["table"] = found.save(csv, overwrite=force)
    if plot is not None:
        found.plot(path=plot, overwrite=force)
        written["plot"] = plot
    if html is not None:
        written["animation"] = found.motion.animate(html, overwrite=force)
    print_written(written)
