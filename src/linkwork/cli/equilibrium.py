"""The command `equilibrium`: where a mechanism rests, one place or all, or along a parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.printing import print_found, print_written

ARC_LENGTH = 0.05  # of a path whose values are not counted


def equilibrium(
    file: opt.FileArgument,
    method: Annotated[str, typer.Option(help="virtual_power, multipliers, penalty or relaxation.")] = "virtual_power",
    start: Annotated[
        list[str] | None, typer.Option(help="Joint coordinate to start from: O.angle='30 deg'; may be repeated.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Look for all equilibria, from many starts.")] = False,
    along: Annotated[
        str | None,
        typer.Option(
            help="Follow it along a live parameter: F=0:50:21 (first, last, how many), or F=0:50 round limit points."
        ),
    ] = None,
    switch: Annotated[
        bool, typer.Option("--switch", help="Turn off at the first bifurcation of --along F=0:100.")
    ] = False,
    unstable: Annotated[bool, typer.Option("--unstable", help="Take the nearest one, stable or not.")] = False,
    coordinates: Annotated[
        str, typer.Option(help="Coordinates: relative, reference_point, natural, mixed.")
    ] = "relative",
    parameter: opt.ParameterOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw it here (.png, .svg, .pdf).")] = None,
    save: Annotated[Path | None, typer.Option(help="Write its numbers here (.csv; of a single one also .nc).")] = None,
    force: opt.ForceOption = None,
) -> None:
    """Find where a mechanism rests, with its stiffness and stability."""
    if all_ and along is not None:
        raise typer.BadParameter("--all and --along are two questions: ask one of them", param_hint="--along")
    model = opt.load_model(file)
    options: dict[str, Any] = {
        "method": method,
        "coordinates": coordinates,
        "start": opt.read_parameters(start or []),
        "parameters": opt.read_parameters(parameter or []),
    }
    opt.check_targets(force, plot, save)
    found: lw.answers.Equilibrium | lw.answers.Equilibria | lw.answers.EquilibriumPath
    if along is not None:
        name, series, counted = opt.read_series(along)
        options |= {"arc_length": None if counted else ARC_LENGTH, "switch": switch, "stable": not unstable}
        found = lw.equilibrium_path(model, {name: series}, **options)
    elif all_:
        found = lw.find_equilibria(model, **options)
    else:
        found = lw.find_equilibrium(model, stable=not unstable, **options)
    print_written(print_found(found, force, plot=plot, table=save))
