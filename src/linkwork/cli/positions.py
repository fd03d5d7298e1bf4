"""Commands about positions: assemble, kinematics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.printing import exit_by, labelled, print_found, print_summary, print_written


def assemble(
    file: opt.FileArgument,
    near: Annotated[
        list[str] | None, typer.Option(help="What is wanted: O='30 deg' of a joint, coupler.P='1.2,0.5' of a point.")
    ] = None,
    weight: Annotated[list[str] | None, typer.Option(help="Weight of a wish: O=2.")] = None,
    priority: Annotated[list[str] | None, typer.Option(help="Priority of a wish: O=2 comes after 1.")] = None,
    method: Annotated[str, typer.Option(help="newton, damped, least_squares or continuation.")] = "damped",
    plot: Annotated[Path | None, typer.Option(help="Draw the pose here (.png, .svg, .pdf).")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the model that starts there (.yaml, .json).")] = None,
    parameter: opt.ParameterOption = None,
    force: opt.ForceOption = None,
) -> None:
    """Put a mechanism together as near to given values as it can be."""
    opt.check_targets(force, plot)
    if save is not None and force is None:
        opt.check_targets(True, save)  # the same model again is no obstacle: known when it is written
    else:
        opt.check_targets(force, save)
    wanted = opt.read_pairs(near or [], "--near", "O='30 deg'")
    weights = {
        name: _number(text, "--weight") for name, text in opt.read_pairs(weight or [], "--weight", "O=2").items()
    }
    ranks = opt.read_pairs(priority or [], "--priority", "O=2")
    pose = lw.assemble(
        opt.load_model(file),
        {name: _value(text) for name, text in wanted.items()},
        weights=weights,
        priorities={name: int(_number(text, "--priority")) for name, text in ranks.items()},
        method=method,
        parameters=opt.read_parameters(parameter or []),
    )
    written = print_found(pose, force, plot=plot)
    if save is not None:
        pose.write(save, force)
        written["model"] = save
    print_written(written)


def kinematics(
    file: opt.FileArgument,
    input_: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            "-i",
            help="Motion of a joint as a formula of t: O='2*pi*t', or of its rate: O.speed='3 + sin(t)'.",
        ),
    ] = None,
    motion: Annotated[
        Path | None, typer.Option(help="Motion of joints as a table (.csv) with the columns time, O.angle, ...")
    ] = None,
    sweep: Annotated[str | None, typer.Option(help="Way of one joint instead: O='0 deg:360 deg'.")] = None,
    points: Annotated[int, typer.Option(help="Positions on this way.")] = 361,
    until: Annotated[str | None, typer.Option(help="End of the motion: 10, 10s, 500ms.")] = None,
    method: Annotated[str | None, typer.Option(help="newton, damped, modified, least_squares, closed_form.")] = None,
    prediction: Annotated[int, typer.Option(help="Order of the first approximation: 0, 1 or 2.")] = 2,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
    out: opt.OutOption = Path(),
    html: Annotated[bool, typer.Option("--html", help="Also write the animated page.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Also write all quantities as text.")] = False,
    plot: Annotated[
        list[str] | None, typer.Option(help="Also plot quantities, by names or patterns: C.angle, 'B.*'.")
    ] = None,
    path: Annotated[list[str] | None, typer.Option(help="Also draw the paths of points: coupler.P.")] = None,
    centrodes: Annotated[str | None, typer.Option(help="Draw the centrodes of this body with the paths.")] = None,
    force: opt.ForceOption = None,
    strict: opt.StrictOption = False,
) -> None:
    """Move the inputs of a mechanism, find positions, velocities, accelerations and jerks, and write the result (.nc)."""
    inputs: Any = dict(opt.read_pairs(input_ or [], "--input", "O='2*pi*t'"))
    if sweep is not None:
        inputs |= _sweep(sweep, points)
    if motion is not None:
        if inputs:
            raise typer.BadParameter("give a table, or inputs and sweeps", param_hint="--motion")
        inputs = motion
    drawn = bool(path or centrodes)
    endings = [".nc", *([".html"] * html), *([".csv"] * csv), *([".png"] * bool(plot)), *(["_path.png"] * drawn)]
    targets = opt.plan_files(out, f"{file.stem}_kinematics", endings, force)
    result = lw.solve_kinematics(
        opt.load_model(file),
        inputs or None,
        until=None if until is None else opt.read_seconds(until, "--until"),
        method=method,
        prediction=prediction,
        coordinates=coordinates or "relative",
        parameters=opt.read_parameters(parameter or []),
    )
    print_summary(result)
    result.save(targets[".nc"], overwrite=force)
    if html:
        result.animate(targets[".html"], trace=path, overwrite=force)
    if csv:
        result.save(targets[".csv"], overwrite=force)
    if plot:
        result.plot(*plot, path=targets[".png"], overwrite=force)
    if drawn:
        result.plot_path(*(path or []), body=centrodes, path=targets["_path.png"], overwrite=force)
    print_written(labelled(targets))
    exit_by(result, strict)


def _value(text: str) -> str | tuple[str, ...]:
    """A value with its unit, or the components of a place."""
    return tuple(part.strip() for part in text.split(",")) if "," in text else text


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a number", param_hint=option) from None


def _sweep(text: str, points: int) -> dict[str, Any]:
    import numpy as np

    from linkwork.algebra.units import si

    (name, way), *_ = opt.read_pairs([text], "--sweep", "O='0 deg:360 deg'").items()
    ends = way.split(":")
    if len(ends) != 2 or points < 2:
        raise typer.BadParameter(
            f"'{text}' is no way of two or more points; write O='0 deg:360 deg'", param_hint="--sweep"
        )
    return {name: np.linspace(si(ends[0].strip()), si(ends[1].strip()), points)}
