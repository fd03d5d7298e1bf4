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
OutOption = Annotated[
    Path, typer.Option("--out", "-o", help="Folder of the files that are named without one; made if it is missing.")
]
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
StrictOption = Annotated[bool, typer.Option("--strict", help="End with exit code 4 where the result fails its audit.")]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the page of --html in the browser.")]
MethodOption = Annotated[str, typer.Option(help="virtual_power, multipliers, penalty or relaxation.")]
StartOption = Annotated[
    list[str] | None, typer.Option(help="Joint coordinate to start from: O.angle='30 deg'; may be repeated.")
]
StateOption = Annotated[
    list[str] | None, typer.Option(help="Quantity in which shapes are given, e.g. O.angle and O.speed.")
]
AlongOption = Annotated[
    list[str],
    typer.Option(
        help="Live parameter with its values: F=0:100:21 (first, last, how many), or F=0:50 in steps of their own.",
        show_default=False,
    ),
]
EquilibriumOption = Annotated[
    bool, typer.Option("--equilibrium", help="Go to the stable position of rest nearby first.")
]
BodyOption = Annotated[list[str] | None, typer.Option(help="Body; may be repeated. By default all.")]
FormulationOption = Annotated[str | None, typer.Option(help="Formulation: hybrid, partitioning, ...")]
POINTS = 361  # of a range of values that nobody has counted


def load_model(file: Path) -> lw.Model:
    """Read a model file as the options of the program allow."""
    return lw.load(file, allow_outside=ALLOW_OUTSIDE.get())


def read_seconds(text: str | None, option: str) -> float | None:
    """A time in seconds, where one is given."""
    from linkwork.algebra.units import si

    if text is None:
        return None
    try:
        value = si(text, "time")
    except UnitError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    if not value > 0:
        raise typer.BadParameter(f"'{text}' is not after the start; give a time above zero", param_hint=option)
    return value


def read_pairs(entries: Sequence[str] | None, option: str, example: str) -> dict[str, str]:
    """Texts by name from ``name=text``; each name once."""
    found: dict[str, str] = {}
    for entry in entries or ():
        name, sign, text = (part.strip() for part in entry.partition("="))
        if not (name and sign and text):
            raise typer.BadParameter(f"'{entry}' is not name=value, for example {example}", param_hint=option)
        if name in found:
            reason = f"{name} is given twice, as '{found[name]}' and '{text}': give it once"
            raise typer.BadParameter(reason, param_hint=option)
        found[name] = text
    return found


def read_parameters(entries: Sequence[str] | None, option: str = "--parameter") -> dict[str, float | str] | None:
    """Live parameters from ``name=value``; a value with a unit stays text."""
    return {name: _number_or_text(text) for name, text in read_pairs(entries, option, "k=500").items()} or None


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def read_numbers(entries: Sequence[str] | None, option: str) -> dict[str, float]:
    """Weights and the like from ``name=value``."""
    found = read_parameters(entries, option) or {}
    for name, value in found.items():
        if isinstance(value, str):
            raise typer.BadParameter(f"'{value}' of {name} is not a number", param_hint=option)
    return {name: float(value) for name, value in found.items()}


def read_along(entries: Sequence[str]) -> tuple[dict[str, list[float]], bool]:
    """Live parameters with their values from ``name=first:last:count`` or ``name=first:last``, and whether counted."""
    found = {name: read_range(text, "--along") for name, text in read_pairs(entries, "--along", "F=0:100:21").items()}
    if len({len(values) for values, _ in found.values()}) > 1:
        raise typer.BadParameter("all of them need the same number of values", param_hint="--along")
    return {name: values for name, (values, _) in found.items()}, all(counted for _, counted in found.values())


def read_range(text: str, option: str) -> tuple[list[float], bool]:
    """Values from ``first:last:count``, or two of them from ``first:last``, and whether they are counted."""
    from linkwork.algebra.units import si

    first, *others = (part.strip() for part in text.split(":"))
    counted = len(others) == 2 and others[1].isdigit() and int(others[1]) > 0
    if not (counted or len(others) == 1):
        reason = f"'{text}' is neither first:last:count nor first:last, for example F=0:100:21"
        raise typer.BadParameter(reason, param_hint=option)
    begin, end = si(first, "any"), si(others[0], "any")
    if not counted:
        return [begin, end], False
    count = int(others[1])
    inner = [begin + i * (end - begin) / (count - 1) for i in range(1, count - 1)]
    return [begin, *inner, *([end] if count > 1 else [])], True


def read_motion(entries: Sequence[str] | None) -> Any:
    """A result (.nc), a table (.csv), or formulas of t and ranges of values by coordinate; None where nothing is given."""
    entries = entries or []
    files = [Path(entry) for entry in entries if Path(entry).suffix.lower() in (".csv", ".nc") and "=" not in entry]
    if files and len(entries) > 1:
        raise typer.BadParameter("give one table or result, or formulas", param_hint="--motion")
    if not files:
        return {
            name: read_range(text if text.count(":") > 1 else f"{text}:{POINTS}", "--motion")[0]
            if ":" in text
            else text
            for name, text in read_pairs(entries, "--motion", "O.angle='2*pi*t'").items()
        } or None
    if files[0].suffix.lower() == ".nc":
        from linkwork.results import load_result

        return load_result(files[0])
    return files[0]


def placed(file: Path, folder: Path) -> Path:
    """Where a file lies: in the *folder* that --out names, unless it is named with one of its own."""
    return folder / file if file.parent == Path() else file


def make_folder(folder: Path) -> None:
    """Make a folder for files where it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if folder.exists() else error.strerror or str(error)
        raise ResultError(f"the folder '{folder}' cannot be made: {reason}; give another one") from None


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
