"""The command line.

demo, new, check, assemblies, assemble, kinematics, modes, floquet, run, inverse, realtime, equilibrium, view.

Exit codes: 0 fine; 1 an error, or a run that stopped early (its partial result is kept); 2 wrong usage; 3 with --strict
a result that fails its audit; 130 interrupted (the partial result is kept).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli import positions
from linkwork.cli.equilibrium import equilibrium
from linkwork.cli.floquet import floquet
from linkwork.cli.inverse import inverse
from linkwork.cli.modes import modes
from linkwork.cli.printing import (
    INTERRUPTED,
    complain,
    exit_by,
    exit_by_audit,
    labelled,
    print_found,
    print_names,
    print_summary,
    print_written,
    screen,
    simulate_shown,
)
from linkwork.cli.templates import template_text
from linkwork.errors import LinkworkError

app = typer.Typer(
    name="linkwork",
    help="A mechanism compiler: check, simulate and view multibody systems with closed loops.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: run a command; errors of Linkwork become readable text, not tracebacks."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    opt.ALLOW_OUTSIDE.set("--allow-outside" in given)
    try:
        app(args=[word for word in given if word not in ("--debug", "--allow-outside")], prog_name="linkwork")
    except (LinkworkError, OSError) as error:
        if debug:
            raise
        complain(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        complain("interrupted")
        sys.exit(INTERRUPTED)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    allow_outside: Annotated[
        bool, typer.Option("--allow-outside", help="Models may name tables and meshes outside their folder.")
    ] = False,
) -> None:
    # commands say themselves what an audit has found
    warnings.filterwarnings("ignore", ".*fails its audit.*")
    # --debug and --allow-outside are taken out by main, wherever they stand; they are declared here for the help
    if version:
        typer.echo(f"linkwork {lw.__version__}")
        raise typer.Exit


@app.command()
def demo(
    out: opt.OutOption = Path("linkwork-demo"),
    template: Annotated[str, typer.Option(help="Which packaged mechanism to run.")] = "four_bar",
    force: opt.ForceOption = None,
    open_: opt.OpenOption = False,
) -> None:
    """Run a packaged mechanism and write its animation, plot and result."""
    text = template_text(template)
    source = out / f"{template}.yaml"
    targets = opt.plan_files(out, template, (".nc", ".html", ".png"), force)
    opt.write_text(source, text, force)
    result = simulate_shown(opt.load_model(source), 4.0, {})
    print_summary(result)
    result.save(targets[".nc"], overwrite=force)
    result.animate(targets[".html"], overwrite=force)
    result.plot(path=targets[".png"], overwrite=force)
    print_written({"model": source, **labelled(targets)})
    if open_:
        typer.launch(targets[".html"].resolve().as_uri())
    exit_by(result)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the mechanism, or of its file.", show_default=False)],
    template: Annotated[str, typer.Option(help="Mechanism to start from; a wrong name lists all.")] = "four_bar",
    force: opt.ForceOption = None,
) -> None:
    """Write a commented model file to start from."""
    import json

    path = Path(name) if Path(name).suffix.lower() in {".yaml", ".yml"} else Path(f"{name}.yaml")
    text = template_text(template)
    text = text.replace(f"\nname: {template}\n", f"\nname: {json.dumps(path.stem, ensure_ascii=False)}\n")
    opt.write_text(path, text, force)
    print_written({"model": path})
    screen().print(f"next: linkwork run {path}", markup=False, highlight=False, soft_wrap=True)


@app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="Model file (.yaml, .json, .dat).", show_default=False)] = None,
    limits: Annotated[
        bool, typer.Option("--limits", help="Also follow a mechanism with one freedom to its limits.")
    ] = False,
    parameter: opt.ParameterOption = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of model files instead.")] = False,
) -> None:
    """Print a model and the analysis of its structure, or all its faults."""
    if schema:
        import json

        from linkwork.formats import schema as file_schema

        typer.echo(json.dumps(file_schema(), indent=2))
        return
    if file is None:
        raise typer.BadParameter("give the model file to check, or --schema", param_hint="FILE")
    model = opt.load_model(file)
    typer.echo(str(model))
    typer.echo()
    topology = lw.analyse(model, parameters=opt.read_parameters(parameter or []))
    typer.echo(str(topology))
    if limits:
        typer.echo()
        typer.echo(str(lw.find_limits(topology)))


@app.command()
def assemblies(
    file: opt.FileArgument,
    plot: Annotated[Path | None, typer.Option(help="Draw all modes here (.png, .svg, .pdf).")] = None,
    parameter: opt.ParameterOption = None,
    tries: Annotated[int, typer.Option(help="Starts of a search at least, where there is no closed form.")] = 0,
    force: opt.ForceOption = None,
) -> None:
    """List all positions in which a mechanism can be assembled with its inputs held."""
    opt.check_targets(force, plot)
    found = lw.assembly_modes(opt.load_model(file), parameters=opt.read_parameters(parameter or []), tries=tries)
    print_written(print_found(found, force, plot=plot))


app.command()(modes)
app.command()(floquet)


@app.command()
def run(
    file: opt.FileArgument,
    until: Annotated[str, typer.Option(help="End of the run: 10, 10s, 500ms, 2min.")] = "10s",
    step: Annotated[str | None, typer.Option(help="Output step: 1ms; by default about 1000 outputs.")] = None,
    out: opt.OutOption = Path(),
    coordinates: opt.CoordinatesOption = None,
    formulation: Annotated[str | None, typer.Option(help="Formulation: hybrid, partitioning, ...")] = None,
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
    html: Annotated[bool, typer.Option("--html", help="Also write the animated page.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Also write all quantities as text.")] = False,
    force: opt.ForceOption = None,
    strict: opt.StrictOption = False,
) -> None:
    """Simulate a model and write its result (.nc)."""
    end = opt.read_seconds(until, "--until")
    options = {
        "step": None if step is None else opt.read_seconds(step, "--step"),
        "coordinates": coordinates,
        "formulation": formulation,
        "integrator": integrator,
        "rtol": rtol,
        "atol": atol,
        "accuracy": accuracy,
        "max_steps": max_steps,
        "fixed_step": None if fixed_step is None else opt.read_seconds(fixed_step, "--fixed-step"),
        "parameters": opt.read_parameters(parameter or []),
    }
    model = opt.load_model(file)
    wanted = [".nc", *([".html"] if html else []), *([".csv"] if csv else [])]
    targets = opt.plan_files(out, file.stem, wanted, force)
    result = simulate_shown(model, end, options)
    print_summary(result)
    result.save(targets[".nc"], overwrite=force)
    if html:
        result.animate(targets[".html"], overwrite=force)
    if csv:
        result.save(targets[".csv"], overwrite=force)
    print_written(labelled(targets))
    exit_by(result, strict)


app.command()(inverse)


@app.command()
def realtime(
    file: opt.FileArgument,
    fixed_step: Annotated[str, typer.Option(help="Size of a step: 1ms.")] = "1ms",
    steps: Annotated[int, typer.Option(help="How many steps are taken.")] = 100_000,
    coordinates: opt.CoordinatesOption = None,
    formulation: Annotated[str | None, typer.Option(help="Formulation: hybrid, partitioning, ...")] = None,
    integrator: Annotated[str | None, typer.Option(help="Integrator: rk4, trapezoidal, ...")] = None,
    max_iterations: Annotated[
        int | None, typer.Option(help="Iterations of an implicit step, always that many.")
    ] = None,
    clock: Annotated[str, typer.Option(help="wall, or processor: without the time of other programs.")] = "wall",
    parameter: opt.ParameterOption = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the histogram of step times here (.png, .svg, .pdf).")] = None,
    force: opt.ForceOption = None,
    strict: opt.StrictOption = False,
) -> None:
    """Take steps of one size as fast as they go, and report what they cost."""
    options: dict[str, Any] = {
        "coordinates": coordinates,
        "formulation": formulation,
        "integrator": integrator,
        "max_iterations": max_iterations,
        "parameters": opt.read_parameters(parameter or []),
    }
    chosen = {name: value for name, value in options.items() if value is not None}
    opt.check_targets(force, plot)
    rt = lw.realtime(opt.load_model(file), opt.read_seconds(fixed_step, "--fixed-step"), clock=clock, **chosen)
    rt.step(steps)
    typer.echo(str(rt))
    if plot is not None:
        rt.timing.plot(path=plot, overwrite=force)
        print_written({"plot": plot})
    if not rt.outcome.completed:
        complain(str(rt.outcome))
        raise typer.Exit(1)
    exit_by_audit(rt.audit, strict)


app.command()(equilibrium)


@app.command()
def view(
    file: Annotated[Path, typer.Argument(help="Result file (.nc).", show_default=False)],
    names: Annotated[bool, typer.Option("--names", help="List all quantities with their units.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write the animated page here.")] = None,
    trace: Annotated[list[str] | None, typer.Option(help="Point or joint to trace in the page.")] = None,
    plot: Annotated[list[str] | None, typer.Option(help="Quantity or pattern to plot, e.g. 'B.*'.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the plot here; by default beside the result.")] = None,
    csv: Annotated[Path | None, opt.table_option("Write all quantities here")] = None,
    force: opt.ForceOption = None,
    open_: opt.OpenOption = False,
) -> None:
    """Summarise a result, and write pages, plots and tables from it."""
    from linkwork.results import load_result

    result = load_result(file)
    written = {}
    if names:
        print_names(result)
    if html is not None:
        written["animation"] = result.animate(html, trace=trace or None, plot=plot or None, overwrite=force)
    if png is not None or (plot and html is None):
        written["plot"] = png or file.with_suffix(".png")
        result.plot(*(plot or []), path=written["plot"], overwrite=force)
    if csv is not None:
        written["table"] = result.save(csv, overwrite=force)
    if not written and not names:
        print_summary(result)
    print_written(written)
    if open_ and html is not None:
        typer.launch(html.resolve().as_uri())


app.command()(positions.assemble)
app.command()(positions.kinematics)
