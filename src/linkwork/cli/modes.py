"""The command `modes`: vibrations of a mechanism, and how it answers to inputs that swing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.printing import print_found, print_written


def modes(
    file: opt.FileArgument,
    state: Annotated[
        list[str] | None, typer.Option(help="Quantity in which shapes are given, e.g. O.angle and O.speed.")
    ] = None,
    equilibrium: Annotated[
        bool, typer.Option("--equilibrium", help="Go to the stable position of rest nearby first.")
    ] = False,
    along: Annotated[
        str | None, typer.Option(help="Root locus over a live parameter instead: v=3:8:15 (first, last, how many).")
    ] = None,
    coordinates: opt.CoordinatesOption = None,
    parameter: opt.ParameterOption = None,
    csv: Annotated[Path | None, opt.table_option("Write all modes here")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the eigenvalues here (.png, .svg, .pdf).")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the animated page of one mode here.")] = None,
    mode: Annotated[int, typer.Option(help="Which mode is animated, counted from the slowest.")] = 1,
    response: Annotated[
        list[str] | None,
        typer.Option(help="Frequency response INPUT:OUTPUT, e.g. road:car.ay or O.effort:P.x; may be repeated."),
    ] = None,
    bode: Annotated[Path | None, typer.Option(help="Draw the frequency response here (.png, .svg, .pdf).")] = None,
    response_csv: Annotated[Path | None, opt.table_option("Write the frequency response here")] = None,
    force: opt.ForceOption = None,
) -> None:
    """List frequencies, damping and shapes of small motions about the assembled state, or about an equilibrium."""
    pairs = _read_pairs(response or [])
    if not pairs and (bode is not None or response_csv is not None):
        raise typer.BadParameter("of which input and output? give --response INPUT:OUTPUT", param_hint="--response")
    opt.check_targets(force, csv, plot, html, bode, response_csv)
    model, kind, values = opt.load_model(file), coordinates or "relative", opt.read_parameters(parameter or [])
    if along is not None:
        if html is not None or pairs:
            raise typer.BadParameter(
                "a root locus has no animation and no response: ask for them without it", param_hint="--along"
            )
        name, series, _ = opt.read_series(along)
        about = "equilibrium" if equilibrium else "assembled"
        options: dict[str, Any] = {"about": about, "states": state or (), "coordinates": kind, "parameters": values}
        print_written(print_found(lw.root_locus(model, {name: series}, **options), force, plot=plot, table=csv))
        return
    subject: Any = lw.find_equilibrium(model, coordinates=kind, parameters=values) if equilibrium else model
    chosen: dict[str, Any] = {} if equilibrium else {"coordinates": kind, "parameters": values}
    linear = lw.linearise(
        subject,
        states=state or (),
        inputs=list(dict.fromkeys(name for name, _ in pairs)),
        outputs=list(dict.fromkeys(name for _, name in pairs)),
        **chosen,
    )
    found = lw.modes(linear)
    if html is not None and not 1 <= mode <= len(found):
        raise typer.BadParameter(f"there are {len(found)} modes, no mode {mode}", param_hint="--mode")
    written = print_found(found, force, plot=plot, table=csv)
    if html is not None:
        written["animation"] = found[mode - 1].motion().animate(html, overwrite=force)
    if pairs:
        answer = linear.frequency_response()
        typer.echo("\n" + str(answer))
        if bode is not None:
            answer.plot(*[(output, name) for name, output in pairs], path=bode, overwrite=force)
            written["bode"] = bode
        if response_csv is not None:
            written["response"] = answer.save(response_csv, overwrite=force)
    print_written(written)


def _read_pairs(entries: Sequence[str]) -> list[tuple[str, str]]:
    """Inputs and outputs from ``input:output``."""
    pairs = []
    for entry in entries:
        given, sign, output = (part.strip() for part in entry.partition(":"))
        if not (given and sign and output):
            raise typer.BadParameter(
                f"'{entry}' is not INPUT:OUTPUT, for example O.effort:P.x", param_hint="--response"
            )
        pairs.append((given, output))
    return pairs
