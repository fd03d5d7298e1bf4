"""The command `equilibrium`: where a mechanism rests, one place or all, or along a parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli.options import FileArgument, ForceOption, ParameterOption, read_parameters
from linkwork.cli.printing import print_written


def equilibrium(
    file: FileArgument,
    method: Annotated[str, typer.Option(help="virtual_power, multipliers, penalty or relaxation.")] = "virtual_power",
    at: Annotated[
        list[str] | None, typer.Option(help="Joint coordinate to start from: O.angle='30 deg'; may be repeated.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Look for all equilibria, from many starts.")] = False,
    along: Annotated[
        str | None,
        typer.Option(
            help="Follow it along a live parameter: F=0:100:21 (first, last, how many), or F=0:100 round limit points."
        ),
    ] = None,
    switch: Annotated[
        bool, typer.Option("--switch", help="Turn off at the first bifurcation of --along F=0:100.")
    ] = False,
    unstable: Annotated[bool, typer.Option("--unstable", help="Take the nearest one, stable or not.")] = False,
    coordinates: Annotated[
        str, typer.Option(help="Coordinates: relative, reference_point, natural, mixed.")
    ] = "relative",
    parameter: ParameterOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw it here (.png, .svg, .pdf).")] = None,
    save: Annotated[Path | None, typer.Option(help="Write its numbers here (.csv; of a single one also .nc).")] = None,
    force: ForceOption = False,
) -> None:
    """Find where a mechanism rests, with its stiffness and stability."""
    from linkwork.results.files import refuse_existing

    if all_ and along is not None:
        raise typer.BadParameter("--all and --along are two questions: ask one of them", param_hint="--along")
    model = lw.load(file)
    options: dict[str, Any] = {
        "method": method,
        "coordinates": coordinates,
        "at": read_parameters(at or []),
        "parameters": read_parameters(parameter or []),
    }
    for target in (plot, save):
        if target is not None:
            refuse_existing(target, overwrite=force)
    found: lw.Equilibrium | lw.Equilibria | lw.EquilibriumPath
    if along is not None:
        values, by = _read_along(along)
        found = lw.equilibrium_path(model, values, by=by, switch=switch, stable=not unstable, **options)
    elif all_:
        found = lw.find_equilibria(model, **options)
    else:
        found = lw.find_equilibrium(model, stable=not unstable, **options)
    typer.echo(str(found))
    written = {}
    if plot is not None:
        found.plot(path=plot, overwrite=force)
        written["plot"] = plot
    if save is not None:
        written["numbers"] = found.save(save, overwrite=force)
    print_written(written)


def _read_along(text: str) -> tuple[dict[str, list[float]], str]:
    """Values of a parameter and how to follow them: ``name=first:last:count`` by the load, ``name=first:last`` by length."""
    import numpy as np

    from linkwork.algebra.units import si

    name, _, values = text.partition("=")
    parts = [part.strip() for part in values.split(":")]
    counted = len(parts) == 3 and parts[2].isdigit() and int(parts[2]) > 0
    if not name or not (counted or len(parts) == 2):
        reason = f"'{text}' is neither name=first:last:count nor name=first:last, for example F=0:100:21"
        raise typer.BadParameter(reason, param_hint="--along")
    first, last = (si(part, "any") for part in parts[:2])
    if not counted:
        return {name.strip(): [first, last]}, "arc_length"
    return {name.strip(): list(np.linspace(first, last, int(parts[2])))}, "load"
