"""Commands about positions of rest: one of them, all of them, or along live parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.answering import RESULTS, Giving

if TYPE_CHECKING:
    from linkwork.answer import Answer

ARC_LENGTH = 0.05  # of a path whose values are not counted
Unstable = Annotated[bool, typer.Option("--unstable", help="Take the nearest one, stable or not.")]


def find_equilibrium(
    file: opt.FileArgument,
    method: opt.MethodOption = "virtual_power",
    start: opt.StartOption = None,
    unstable: Unstable = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Find where a mechanism rests, with its stiffness and stability."""
    return lw.find_equilibrium(
        opt.load_model(file),
        method=method,
        start=opt.read_parameters(start, "--start"),
        stable=not unstable,
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter),
    )


def find_equilibria(
    file: opt.FileArgument,
    method: opt.MethodOption = "virtual_power",
    start: opt.StartOption = None,
    tries: Annotated[int, typer.Option(help="Starts of the search.")] = 40,
    assemblies: Annotated[bool, typer.Option(help="Look in all assembly modes, or in that of the start alone.")] = True,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Find positions of rest, stable and unstable ones, from many starts."""
    return lw.find_equilibria(
        opt.load_model(file),
        method=method,
        start=opt.read_parameters(start, "--start"),
        tries=tries,
        assemblies=assemblies,
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter),
    )


def equilibrium_path(
    file: opt.FileArgument,
    along: opt.AlongOption,
    method: opt.MethodOption = "virtual_power",
    start: opt.StartOption = None,
    switch: Annotated[
        bool, typer.Option("--switch", help="Turn off at the first bifurcation of --along F=0:100.")
    ] = False,
    unstable: Unstable = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Follow a position of rest along live parameters, round limit points where their values are not counted."""
    values, counted = opt.read_along(along)
    return lw.equilibrium_path(
        opt.load_model(file),
        values,
        method=method,
        start=opt.read_parameters(start, "--start"),
        arc_length=None if counted else ARC_LENGTH,
        switch=switch,
        stable=not unstable,
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter),
    )


COMMANDS = {
    find_equilibrium: Giving(endings=RESULTS),
    find_equilibria: Giving(),
    equilibrium_path: Giving(endings=RESULTS, moving=lambda found, _: found),
}
