"""Commands about small motions: linear equations, vibrations, how they answer to inputs that swing, Floquet multipliers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.answering import Giving

if TYPE_CHECKING:
    from linkwork.answer import Answer

Output = Annotated[list[str] | None, typer.Option(help="Quantity that is read: car.ay; may be repeated.")]


def linearise(
    file: opt.FileArgument,
    state: opt.StateOption = None,
    input_: Annotated[list[str] | None, typer.Option("--input", help="Input: road, O.effort; may be repeated.")] = None,
    output: Output = None,
    equilibrium: opt.EquilibriumOption = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Linearise a mechanism about its assembled state, or about an equilibrium."""
    return _linear(
        file, equilibrium, coordinates, parameter, states=state or (), inputs=input_ or (), outputs=output or ()
    )


def frequency_response(
    file: opt.FileArgument,
    input_: Annotated[
        list[str], typer.Option("--input", help="Input: road, O.effort; may be repeated.", show_default=False)
    ],
    output: Annotated[
        list[str], typer.Option(help="Quantity that is read: car.ay; may be repeated.", show_default=False)
    ],
    equilibrium: opt.EquilibriumOption = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Tell what outputs do while inputs swing, with a Bode diagram."""
    return lw.frequency_response(_linear(file, equilibrium, coordinates, parameter, inputs=input_, outputs=output))


def modes(
    file: opt.FileArgument,
    state: opt.StateOption = None,
    mode: Annotated[int, typer.Option(help="Which mode is animated, counted from the slowest.")] = 1,
    equilibrium: opt.EquilibriumOption = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """List frequencies, damping and shapes of small motions about the assembled state, or about an equilibrium."""
    return lw.modes(_linear(file, equilibrium, coordinates, parameter, states=state or ()))


def root_locus(
    file: opt.FileArgument,
    along: opt.AlongOption,
    state: opt.StateOption = None,
    equilibrium: opt.EquilibriumOption = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Follow the eigenvalues along a live parameter."""
    return lw.root_locus(
        opt.load_model(file),
        opt.read_along(along)[0],
        about="equilibrium" if equilibrium else "assembled",
        states=state or (),
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter),
    )


def floquet(
    file: opt.FileArgument,
    period: Annotated[str | None, typer.Option(help="Period: 0.1s; by default read off the formulas of time.")] = None,
    find: Annotated[bool, typer.Option("--find", help="Look for a periodic motion near the assembled state.")] = False,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """List the multipliers of a periodic motion: what has become of small variations after a period."""
    seconds = opt.read_seconds(period, "--period")
    values = opt.read_parameters(parameter)
    return lw.floquet(opt.load_model(file), seconds, find=find, coordinates=coordinates, parameters=values)


def _linear(file: Path, equilibrium: bool, kind: str | None, parameter: list[str] | None, **choices: Any) -> Any:
    """Linear equations about the assembled state, or about the equilibrium nearby."""
    model = opt.load_model(file)
    given: dict[str, Any] = {"coordinates": kind, "parameters": opt.read_parameters(parameter)}
    if equilibrium:
        return lw.linearise(lw.find_equilibrium(model, **given), **choices)
    return lw.linearise(model, **given, **choices)


def _moving_mode(found: Any, given: dict[str, Any]) -> Any:
    mode = given["mode"]
    if not 1 <= mode <= len(found):
        raise typer.BadParameter(f"there are {len(found)} modes, no mode {mode}", param_hint="--mode")
    return found[mode - 1].motion()


COMMANDS = {
    linearise: Giving(),
    frequency_response: Giving(),
    modes: Giving(moving=_moving_mode),
    root_locus: Giving(),
    floquet: Giving(moving=lambda found, _: found.motion),
}
