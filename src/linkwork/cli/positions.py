"""Commands about the structure and the positions of a mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.answering import TABLES, Giving

if TYPE_CHECKING:
    from linkwork.answer import Answer


def analyse(file: opt.FileArgument, parameter: opt.ParameterOption = None) -> Answer:
    """Print a model and the analysis of its structure, or all its faults."""
    return lw.analyse(opt.load_model(file), parameters=opt.read_parameters(parameter))


def diagnose(file: opt.FileArgument, parameter: opt.ParameterOption = None) -> Answer:
    """Tell whether the assembled position is singular, and why."""
    return lw.diagnose(opt.load_model(file), parameters=opt.read_parameters(parameter))


def find_limits(
    file: opt.FileArgument,
    input_: Annotated[str | None, typer.Option("--input", help="Coordinate that is moved: O.angle.")] = None,
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Follow a mechanism with one freedom to its limits: ranges, dead centres, branch points."""
    return lw.find_limits(opt.load_model(file), input_, parameters=opt.read_parameters(parameter))


def assembly_modes(
    file: opt.FileArgument,
    parameter: opt.ParameterOption = None,
    tries: Annotated[int, typer.Option(help="Starts of a search at least, where there is no closed form.")] = 0,
    body: opt.BodyOption = None,
) -> Answer:
    """List all positions in which a mechanism can be assembled with its inputs held."""
    values = opt.read_parameters(parameter)
    return lw.assembly_modes(opt.load_model(file), parameters=values, bodies=body, tries=tries)


def assemble(
    file: opt.FileArgument,
    near: Annotated[
        list[str] | None, typer.Option(help="What is wanted: O='30 deg' of a joint, coupler.P='1.2,0.5' of a point.")
    ] = None,
    weight: Annotated[list[str] | None, typer.Option(help="Weight of a wish: O=2.")] = None,
    priority: Annotated[list[str] | None, typer.Option(help="Priority of a wish: O=2 comes after 1.")] = None,
    method: Annotated[str, typer.Option(help="newton, damped, least_squares or continuation.")] = "damped",
    parameter: opt.ParameterOption = None,
) -> Answer:
    """Put a mechanism together as near to given values as it can be; --save pose.yaml writes the model that starts there."""
    wanted: dict[str, Any] = {
        name: tuple(part.strip() for part in text.split(",")) if "," in text else text
        for name, text in opt.read_pairs(near, "--near", "O='30 deg'").items()
    }
    ranks = opt.read_numbers(priority, "--priority")
    return lw.assemble(
        opt.load_model(file),
        wanted,
        weights=opt.read_numbers(weight, "--weight"),
        priorities={name: int(rank) for name, rank in ranks.items()},
        method=method,
        parameters=opt.read_parameters(parameter),
    )


COMMANDS = {
    analyse: Giving(shown=lambda topology: f"{topology.model}\n\n{topology}"),
    diagnose: Giving(),
    find_limits: Giving(),
    assembly_modes: Giving(moving=lambda found, _: found, film=False),
    assemble: Giving(endings=(".yaml", *TABLES)),
}
