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
        str | None, typer.Option(help="Follow it along a live parameter: F=0:100:21 (first, last, how many).")
    ] = None,
    unstable: Annotated[bool, typer.Option("--unstable", help="Take the nearest one, stable or not.")] = False,
    coordinates: Annotated[
        str, typer.Option(help="Coordinates: relative, reference_point, natural, mixed.")
    ] = "relative",
    parameter: ParameterOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw it here (.png, .svg, .pdf).")] = None,
    force: ForceOption = False,
) -> None:
    """Find where a mechanism rests, with its stiffness and stability."""
    if all_ and along is not None:
        raise typer.BadParameter("--all and --along are two questions: ask one of them", param_hint="--along")
    model = lw.load(file)
    options: dict[str, Any] = {
        "method": method,
        "coordinates": coordinates,
        "at": read_parameters(at or []),
        "parameters": read_parameters(parameter or []),
    }
    found: lw.Equilibrium | lw.Equilibria | lw.EquilibriumPath
    if along is not None:
        found = lw.equilibrium_path(model, _read_along(along), stable=not unstable, **options)
    elif all_:
        found = lw.find_equilibria(model, **options)
    else:
        found = lw.find_equilibrium(model, stable=not unstable, **options)
    typer.echo(str(found))
    if plot is not None:
        found.plot(path=plot, overwrite=force)
        print_written({"plot": plot})


def _read_along(text: str) -> dict[str, list[float]]:
    """Values of a parameter from ``name=first:last:count``."""
    import numpy as np

    from linkwork.algebra.units import si

    name, _, values = text.partition("=")
    parts = values.split(":")
    if not name or len(parts) != 3 or not parts[2].strip().isdigit() or int(parts[2]) < 1:
        reason = f"'{text}' is not name=first:last:count, for example F=0:100:21"
        raise typer.BadParameter(reason, param_hint="--along")
    return {name.strip(): list(np.linspace(si(parts[0], "any"), si(parts[1], "any"), int(parts[2])))}
