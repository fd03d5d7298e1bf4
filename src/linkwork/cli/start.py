"""Commands to begin with: a demonstration, a model to start from, the schema of model files, a program in C."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

import linkwork as lw
from linkwork.cli import options as opt
from linkwork.cli.printing import exit_by, print_written

DemoArgument = Annotated[str, typer.Argument(help="Which mechanism that comes with Linkwork is run.")]
NewArgument = Annotated[
    str | None, typer.Argument(help="Name of a mechanism that comes with Linkwork; without it, all are listed.")
]


def demo(
    name: DemoArgument = "driven_four_bar",
    out: opt.OutOption = Path("linkwork-demo"),
    force: opt.ForceOption = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Run a mechanism that comes with Linkwork, and write its model, animation, plot and result."""
    from linkwork.formats.examples import example_text

    text = example_text(name)
    opt.make_folder(out)
    source, result_file, page, plot = (out / f"{name}{ending}" for ending in (".yaml", ".nc", ".html", ".png"))
    opt.check_targets(force, result_file, page, plot)
    opt.write_text(source, text, force)
    result = lw.simulate(opt.load_model(source), 4.0)
    typer.echo(str(result))
    result.save(result_file, overwrite=force)
    result.animate(page, overwrite=force)
    result.plot(path=plot, overwrite=force)
    print_written([("model", source), ("result", result_file), ("animation", page), ("plot", plot)])
    if open_:
        typer.launch(page.resolve().as_uri())
    exit_by(result)


def new(
    name: NewArgument = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file, or the folder of NAME.yaml; by default here.")
    ] = None,
    force: opt.ForceOption = None,
) -> None:
    """Write a commented model file to start from; without a name, list all that there are."""
    from linkwork.formats.examples import example_text

    if name is None:
        typer.echo("\n".join(f"{known:<21} {about}" for known, about in lw.example().items()))
        return
    text, path = example_text(name), out or Path(f"{name}.yaml")
    if path.suffix.lower() not in (".yaml", ".yml"):
        opt.make_folder(path)
        path = path / f"{name}.yaml"
    text = text.replace(f"\nname: {name}\n", f"\nname: {json.dumps(path.stem, ensure_ascii=False)}\n")
    opt.write_text(path, text, force)
    print_written([("model", path)])
    typer.echo(f"next: linkwork simulate {path}")


def schema() -> None:
    """Print the JSON schema of model files, for editors."""
    typer.echo(json.dumps(lw.formats.schema(), indent=2))


def export_c(
    file: opt.FileArgument,
    save: Annotated[Path | None, typer.Option(help="Write the program here (.c); by default MODEL.c.")] = None,
    out: opt.OutOption = Path(),
    force: opt.ForceOption = None,
) -> None:
    """Write the program of a mechanism to one self-contained file of C99."""
    target = opt.placed(save or Path(f"{file.stem}.c"), out)
    if target.suffix.lower() != ".c":
        raise typer.BadParameter(f"'{target}' has to end in .c", param_hint="--save")
    opt.make_folder(out)
    opt.check_targets(force, target)
    print_written([("program", lw.export_c(opt.load_model(file), target))])


COMMANDS = (demo, new, schema, export_c)
