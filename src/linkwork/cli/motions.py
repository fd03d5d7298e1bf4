"""Commands about motions: dynamics, kinematics, inverse dynamics, real time, and what is asked of a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.answering import RESULTS, Giving

if TYPE_CHECKING:
    from linkwork.answer import Answer

METHODS = (
    "virtual_power, multipliers, penalty, newton, recursion, joint_elimination, element_elimination, "
    "constraint_variation"
)
StepOption = Annotated[str | None, typer.Option(help="Output step: 1ms; by default about 1000 outputs.")]
ResultArgument = Annotated[Path, typer.Argument(help="Result file (.nc).", show_default=False)]


def simulate(
    file: opt.FileArgument,
    until: Annotated[str, typer.Option(help="End of the run: 10, 10s, 500ms, 2min.")] = "10s",
    step: StepOption = None,
    coordinates: opt.CoordinatesOption = None,
    formulation: opt.FormulationOption = None,
    integrator: Annotated[
        str | None,
        typer.Option(
            help="Integrator: dop853, radau5, rk4, ...; by default by accuracy, and changed where it is stiff."
        ),
    ] = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance of the integrator.")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance, in the units of the states.")] = None,
    accuracy: Annotated[
        float | None, typer.Option(help="Error of every coordinate over the whole run: 1e-6 of its scale.")
    ] = None,
    max_steps: Annotated[int | None, typer.Option(help="Most steps, rejected ones included.")] = None,
    fixed_step: Annotated[
        str | None, typer.Option(help="Step size: 1ms; integrators without step control need it.")
    ] = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Simulate a model. The run is kept in MODEL.nc, unless --save names other files."""
    options = {
        "step": opt.read_seconds(step, "--step"),
        "coordinates": coordinates,
        "formulation": formulation,
        "integrator": integrator,
        "rtol": rtol,
        "atol": atol,
        "accuracy": accuracy,
        "max_steps": max_steps,
        "fixed_step": opt.read_seconds(fixed_step, "--fixed-step"),
        "parameters": opt.read_parameters(parameter),
    }
    end = opt.read_seconds(until, "--until")
    return lw.simulate(opt.load_model(file), end, **_given(options))


def solve_kinematics(
    file: opt.FileArgument,
    motion: Annotated[
        list[str] | None,
        typer.Option(
            help="Motion of an input: a formula of t O='2*pi*t' or of its rate O.speed='3 + sin(t)', a range of values "
            "O='0 deg:360 deg:361'; may be repeated. Or a table (.csv) with the columns time, O.angle, ..."
        ),
    ] = None,
    until: Annotated[str | None, typer.Option(help="End of the motion: 10, 10s, 500ms.")] = None,
    step: StepOption = None,
    method: Annotated[str | None, typer.Option(help="newton, damped, modified, least_squares, closed_form.")] = None,
    prediction: Annotated[int, typer.Option(help="Order of the first approximation: 0, 1 or 2.")] = 2,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Move the inputs of a mechanism: positions to jerks. The run is kept in MODEL_kinematics.nc, unless --save is given."""
    return lw.solve_kinematics(
        opt.load_model(file),
        opt.read_motion(motion),
        until=opt.read_seconds(until, "--until"),
        step=opt.read_seconds(step, "--step"),
        method=method,
        prediction=prediction,
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter),
    )


def inverse_dynamics(
    file: opt.FileArgument,
    motion: Annotated[
        list[str] | None,
        typer.Option(
            help="Motion of a joint coordinate by a formula of t: O.angle='1 + 2*t'; may be repeated. Or a table (.csv) "
            "with the columns time, O.angle, ..., or a result (.nc)."
        ),
    ] = None,
    until: Annotated[
        str, typer.Option(help="End of a motion by drivers or formulas, which begins at zero: 10s, 500ms.")
    ] = "10s",
    step: StepOption = None,
    motor: Annotated[
        list[str] | None, typer.Option(help="Motor: a driver, an effort, an actuator, a joint or 'A.angle'.")
    ] = None,
    weight: Annotated[list[str] | None, typer.Option(help="Weight of a motor among too many: name=2.")] = None,
    method: Annotated[str, typer.Option(help=f"{METHODS}.")] = "virtual_power",
    tolerance: Annotated[
        float, typer.Option(help="How far the motion may be from the conditions, relative to the mechanism.")
    ] = 1e-6,
    friction: Annotated[bool, typer.Option(help="Whether joints rub.")] = True,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Find the efforts of motors and all reactions of a known motion; kept in MODEL_inverse.nc, unless --save is given."""
    return lw.inverse_dynamics(
        opt.load_model(file),
        opt.read_motion(motion),
        motors=motor or None,
        weights=opt.read_numbers(weight, "--weight"),
        method=method,
        tolerance=tolerance,
        friction=friction,
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter),
        until=opt.read_seconds(until, "--until"),
        step=opt.read_seconds(step, "--step"),
    )


def realtime(
    file: opt.FileArgument,
    fixed_step: Annotated[str, typer.Option(help="Size of a step: 1ms.")] = "1ms",
    steps: Annotated[int, typer.Option(help="How many steps are taken.")] = 100_000,
    coordinates: opt.CoordinatesOption = None,
    formulation: opt.FormulationOption = None,
    integrator: Annotated[str | None, typer.Option(help="Integrator: rk4, trapezoidal, ...")] = None,
    max_iterations: Annotated[
        int | None, typer.Option(help="Iterations of an implicit step, always that many.")
    ] = None,
    clock: Annotated[str, typer.Option(help="wall, or processor: without the time of other programs.")] = "wall",
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Take steps of one size as fast as they go, and report what they cost."""
    options = {
        "coordinates": coordinates,
        "formulation": formulation,
        "integrator": integrator,
        "max_iterations": max_iterations,
        "parameters": opt.read_parameters(parameter),
    }
    size = opt.read_seconds(fixed_step, "--fixed-step")
    stepped = lw.realtime(opt.load_model(file), size, clock=clock, **_given(options))  # type: ignore[arg-type]
    stepped.step(steps)
    return stepped


def view(
    file: ResultArgument,
    names: Annotated[bool, typer.Option("--names", help="Print all quantities with their units instead.")] = False,
) -> Answer:
    """Summarise a saved result; pages, plots and tables of it."""
    from linkwork.results import load_result

    result = load_result(file)
    if names:
        typer.echo("\n".join(f"{q.name}  [{q.unit}]  {q.description}" for q in result.source.catalogue.values()))
        raise typer.Exit
    return result


def interference(
    file: ResultArgument,
    body: opt.BodyOption = None,
    clearance: Annotated[str, typer.Option(help="Distance below which bodies interfere: 5 mm.")] = "0",
) -> Answer:
    """Find the least clearance of every pair of bodies in a saved result, and when they are too near."""
    return lw.interference(lw.load_result(file), body or None, clearance=clearance)


def envelope(file: ResultArgument, body: opt.BodyOption = None) -> Answer:
    """Find the region that bodies sweep in a saved result."""
    return lw.envelope(lw.load_result(file), body or None)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Options that were given; the others keep the defaults of the function."""
    return {name: value for name, value in options.items() if value is not None}


def _itself(found: Any, *_: Any) -> Any:
    return found


def _its_result(found: Any, *_: Any) -> Any:
    return found.result


COMMANDS = {
    simulate: Giving(RESULTS, moving=_itself, quantities=True, run=_itself, kept=""),
    solve_kinematics: Giving(RESULTS, moving=_itself, quantities=True, run=_itself, kept="_kinematics"),
    inverse_dynamics: Giving(RESULTS, moving=_its_result, quantities=True, run=_its_result, kept="_inverse"),
    realtime: Giving(numbers=lambda stepped: stepped.timing, run=_itself),
    view: Giving(RESULTS, moving=_itself, quantities=True),
    interference: Giving(),
    envelope: Giving(),
}
