"""What commands are given: times, parameters, names of files."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.errors import ResultError, UnitError

ALLOW_OUTSIDE: ContextVar[bool] = ContextVar("models may name files outside their folders", default=False)
FileArgument = Annotated[Path, typer.Argument(help="Model file (.yaml, .json, .dat).", show_default=False)]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="Folder for the files; made if it is missing.")]
ForceOption = Annotated[
    bool | None,
    typer.Option("--force/--keep", help="Replace any file, or none; by default those that Linkwork wrote."),
]
ParameterOption = Annotated[
    list[str] | None, typer.Option("--parameter", "-p", help="Value of a live parameter: k=500, l='25 mm'.")
]
CoordinatesOption = Annotated[
    str | None,
    typer.Option(help="Coordinates: relative, reference_point, natural, mixed; orientations behind a colon."),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="End with exit code 3 where the result fails its audit.")]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]


def load_model(file: Path) -> lw.Model:
    """Read a model file as the options of the program allow."""
    return lw.load(file, allow_outside=ALLOW_OUTSIDE.get())


def read_seconds(text: str, option: str) -> float:
    from linkwork.algebra.units import si

    try:
        value = si(text, "time")
    except UnitError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    if not value > 0:
        raise typer.BadParameter(f"'{text}' is not after the start; give a time above zero", param_hint=option)
    return value


def read_pairs(entries: Sequence[str], option: str, example: str) -> dict[str, str]:
    """Texts by name from ``name=text``."""
    found = {}
    for entry in entries:
        name, sign, text = (part.strip() for part in entry.partition("="))
        if not (name and sign and text):
            raise typer.BadParameter(f"'{entry}' is not name=value, for example {example}", param_hint=option)
        found[name] = text
    return found


def table_option(text: str) -> Any:
    """A file for a table, whose ending is looked at before any work is done."""
    return typer.Option(help=f"{text} (.csv, .json).", callback=_as_table)


def _as_table(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in (".csv", ".json"):
        raise typer.BadParameter(f"'{path.name}' is a table: let it end in .csv or .json")
    return path


def read_parameters(entries: Sequence[str]) -> dict[str, float | str] | None:
    """Live parameters from ``name=value``; a value with a unit stays text."""
    values: dict[str, float | str] = {}
    for entry in entries:
        name, sign, value = (part.strip() for part in entry.partition("="))
        if not (name and sign and value):
            raise typer.BadParameter(f"'{entry}' is not name=value, for example k=500", param_hint="--parameter")
        try:
            values[name] = float(value)
        except ValueError:
            values[name] = value
    return values or None


def read_series(text: str) -> tuple[str, list[float], bool]:
    """A parameter and its values from ``name=first:last:count``, or two from ``name=first:last``, and whether counted."""
    from linkwork.algebra.units import si

    name, _, values = text.partition("=")
    parts = [part.strip() for part in values.split(":")]
    counted = len(parts) == 3 and parts[2].isdigit() and int(parts[2]) > 0
    if not name or not (counted or len(parts) == 2):
        reason = f"'{text}' is neither name=first:last:count nor name=first:last, for example F=0:100:21"
        raise typer.BadParameter(reason, param_hint="--along")
    first, last = (si(part, "any") for part in parts[:2])
    if not counted:
        return name.strip(), [first, last], False
    count = int(parts[2])
    inner = [first + i * (last - first) / (count - 1) for i in range(1, count - 1)]
    return name.strip(), [first, *inner, *([last] if count > 1 else [])], True


def read_weights(entries: Sequence[str]) -> dict[str, float]:
    """Weights of motors from ``name=value``."""
    found = read_parameters(entries) or {}
    for name, value in found.items():
        if isinstance(value, str):
            raise typer.BadParameter(f"the weight '{value}' of {name} is no number", param_hint="--weight")
    return {name: float(value) for name, value in found.items()}


def plan_files(folder: Path, stem: str, suffixes: Sequence[str], force: bool | None) -> dict[str, Path]:
    """Files that will be written, by suffix; refused before the run, not after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if folder.exists() else error.strerror or str(error)
        raise ResultError(f"the folder '{folder}' cannot be made: {reason}; give another one") from None
    targets = {suffix: folder / f"{stem}{suffix}" for suffix in suffixes}
    check_targets(force, *targets.values())
    return targets


def check_targets(force: bool | None, *paths: Path | None) -> None:
    """Refuse files that could not be written, before any work is done for them."""
    from linkwork.answer.files import refuse_existing

    for path in paths:
        if path is not None:
            refuse_existing(path, overwrite=force)


def write_text(path: Path, text: str, force: bool | None) -> None:
    from linkwork.answer.files import written_whole

    with written_whole(path, overwrite=force) as part:
        part.write_text(text, encoding="utf-8")
