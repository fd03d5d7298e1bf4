"""The command `inverse`: efforts of motors, reactions and loads on the ground of a known motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.printing import exit_by, labelled, print_found, print_written

METHODS = (
    "virtual_power, multipliers, penalty, newton, recursion, joint_elimination, element_elimination, "
    "constraint_variation"
)


def inverse(
    file: opt.FileArgument,
    motion: Annotated[
        Path | None, typer.Option(help="Motion: columns time and joint coordinates (.csv), or a result (.nc).")
    ] = None,
    along: Annotated[
        list[str] | None, typer.Option(help="Motion by a formula of t: O.angle='1 + 2*t'; may be repeated.")
    ] = None,
    until: Annotated[
        str, typer.Option(help="End of a motion by drivers or formulas, which begins at zero: 10s, 500ms.")
    ] = "10s",
    step: Annotated[str | None, typer.Option(help="Spacing of its samples: 1ms.")] = None,
    motor: Annotated[list[str] | None, typer.Option(help="Motor: a driver, an effort, a joint or 'A.angle'.")] = None,
    weight: Annotated[list[str] | None, typer.Option(help="Weight of a motor among too many: name=2.")] = None,
    method: Annotated[str, typer.Option(help=f"{METHODS}.")] = "virtual_power",
    tolerance: Annotated[
        float, typer.Option(help="How far the motion may be from the conditions, relative to the mechanism.")
    ] = 1e-6,
    coordinates: Annotated[
        str, typer.Option(help="Coordinates: relative, reference_point, natural, mixed.")
    ] = "relative",
    parameter: opt.ParameterOption = None,
    out: opt.OutOption = Path(),
    plot: Annotated[Path | None, typer.Option(help="Plot efforts and powers here (.png, .svg, .pdf).")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Also write all quantities as text.")] = False,
    force: opt.ForceOption = None,
    strict: opt.StrictOption = False,
) -> None:
    """Find the efforts of motors and all reactions of a known motion, and write them (.nc)."""
    if motion is not None and along:
        raise typer.BadParameter("--motion and --along are two motions: give one of them", param_hint="--along")
    targets = opt.plan_files(out, f"{file.stem}_inverse", [".nc", *([".csv"] if csv else [])], force)
    opt.check_targets(force, plot)
    found = lw.inverse_dynamics(
        opt.load_model(file),
        _motion(motion, along or []),
        motors=motor or None,
        weights=opt.read_weights(weight or []),
        method=method,
        tolerance=tolerance,
        coordinates=coordinates,
        parameters=opt.read_parameters(parameter or []),
        until=opt.read_seconds(until, "--until"),
        step=None if step is None else opt.read_seconds(step, "--step"),
    )
    drawn = print_found(found, force, plot=plot)
    written = {suffix: found.save(path, overwrite=force) for suffix, path in targets.items()}
    print_written({**labelled(written), **drawn})
    exit_by(found.result, strict)


def _motion(file: Path | None, formulas: list[str]) -> Any:
    """A result, a table or formulas."""
    if file is not None and file.suffix.lower() == ".nc":
        from linkwork.results import load_result

        return load_result(file)
    return file or opt.read_pairs(formulas, "--along", "O.angle='1 + 2*t'") or None
