"""A motion in a file: columns of joint coordinates and their rates under headings such as ``O.angle [deg]``.

A file may hold more than a motion, as that of a saved run does. What is nearly the name of a coordinate or a rate that the
file does not have is refused; of the rest, what is no quantity of the run is told in a note (``unread_note``). That of a
sweep is over the way of a coordinate, that of poses over the number of the sample.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from linkwork.algebra.headings import Heading, read_heading
from linkwork.analysis.kinematics.record import SAMPLE, dimension_of, level_names
from linkwork.arrays import Array
from linkwork.errors import Faults, RefusedError, UnitError, UnknownNameError
from linkwork.model import Model
from linkwork.model.sections import SECTIONS
from linkwork.results.quantities import Variable

SHOWN = 5  # faults of a table, and columns of a note
TIMES = ("time", "t")
WAY = "way of "  # with which names of variables begin that are no time
JERK = re.compile("j[xyz]|jerk[xyz]?")
ALIKE = 0.75  # similarity of names of which one is the other misspelt


@dataclass(frozen=True, eq=False)
class MotionTable:
    """Columns (N) in SI by their names, and the names of those that are no motion.

    notes: what to know of it; live: names of parameters whose values no table carries, and nobody gives
    """

    source: Path
    columns: Mapping[str, Array]
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    live: tuple[str, ...] = ()

    def unread_note(self, known: Container[str]) -> tuple[str, ...]:
        """What to know of columns that are no motion: those that are not *known* as quantities of the run, and what those
        that are known do not tell."""
        unknown = [name for name in self.others if name not in known]
        bare = (
            f"'{self.source}' is the table of a run, which carries no parameters: {', '.join(self.live)} as in the model; "
            "parameters={...} gives others, and a run that is saved as .nc has its own"
        )
        left = (bare,) if self.live and len(unknown) < len(self.others) else ()
        if not unknown:
            return left
        named = ", ".join(unknown[:SHOWN]) + (f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else "")
        form = "is no quantity of this run, and is" if len(unknown) == 1 else "are no quantities of this run, and are"
        return (f"{named} of '{self.source}' {form} not read", *left)


def read_motion_table(model: Model, path: str | Path, given: Container[str] = ()) -> MotionTable:
    """The columns of a file of joint coordinates and their rates, in SI; *given*: live parameters that have values."""
    source = Path(path)
    if not source.is_file():
        raise RefusedError(f"there is no motion file '{source}'")
    try:
        with source.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise RefusedError(f"'{source}' is no table of text: {error}") from None
    cells = rows[0] if rows else []
    headings = [read_heading(cell.strip().removeprefix("#") if i == 0 else cell) for i, cell in enumerate(cells)]
    names, known = [model.named(heading.name) for heading in headings], level_names(model)
    over = _over(model, headings, names)
    time = next((word for word in TIMES if word in names), over and over.name)
    dimensions = _dimensions(model) | ({} if over is None else {over.name: "length" if over.unit == "m" else "angle"})
    places = [i for i, name in enumerate(names) if name in known or name == time]
    if time is None or len(places) < 2:
        wanted, named = ", ".join(list(known)[:3]), ", ".join(names[:6]) or "nothing"
        raise RefusedError(
            f"'{source}' has no motion: its first line must name time and coordinates such as {wanted}; it names {named}"
        )
    others = [name for i, name in enumerate(names) if i not in places and name and not _of_other_runs(name, known)]
    faults = Faults(f"'{source}'")
    _refuse_misspelt(model, [names[i] for i in places], others, faults)
    if over is not None:
        headings = [replace(heading, unit=over.over_time(heading.unit)) for heading in headings]
    factors = _factors(headings, names, places, dimensions, faults)
    faults.tell()
    columns = _columns(source, rows, headings, places)
    found = {names[i]: f * column for i, f, column in zip(places, factors, columns, strict=True)}
    live = tuple(name for name in model.live_parameters if name not in given)
    table = MotionTable(source, found, tuple(others), live=live)
    return table if over is None else _over_time(table, over, {name for name in found if known.get(name, ("", 0))[1]})


def _over_time(table: MotionTable, over: Variable, rates: Container[str]) -> MotionTable:
    """The table of a sweep, over time at one per second; of poses at rest, the poses alone."""
    columns = dict(table.columns)
    if over == SAMPLE and not any(np.any(column) for name, column in columns.items() if name in rates):
        return replace(table, columns={n: column for n, column in columns.items() if n not in rates and n != over.name})
    moments = columns.pop(over.name) if over == SAMPLE or over.name.startswith(WAY) else columns[over.name]
    order = slice(None, None, -1 if len(moments) > 1 and moments[-1] < moments[0] else 1)
    timed = {"time": moments} | columns
    return replace(table, columns={name: column[order] for name, column in timed.items()}, notes=over.pace)


def _over(model: Model, headings: Sequence[Heading], names: Sequence[str]) -> Variable | None:
    """What the samples of a table are over, where that is no time: a coordinate or its way, or the number of the pose."""
    if not names or any(word in names for word in TIMES):
        return None
    first, known = names[0], level_names(model)
    if first == SAMPLE.name:
        return SAMPLE
    key = known.get(first.removeprefix(WAY))
    if key is None or key[1]:
        return None
    over = Variable(first, "rad" if dimension_of(model, first.removeprefix(WAY)) == "angle" else "m")
    swept = first.startswith(WAY) or any(over.over_time(heading.unit) != heading.unit for heading in headings)
    return over if swept else None


def _of_other_runs(name: str, known: Container[str]) -> bool:
    """Whether runs of other verbs have it: sums of energies and works, loads on the ground, motors, inputs, jerks."""
    above, _, last = name.rpartition(".")
    if name.startswith("input_") or JERK.fullmatch(last):
        return True
    return above in ("energy", "work", "ground") or (above in known and last in ("effort", "force", "power", "energy"))


def _dimensions(model: Model) -> dict[str, str]:
    """What the columns of a motion measure."""
    found = dict.fromkeys(TIMES, "time")
    freedoms = {(name, f.name): f for name, joint in model.joints.items() for f in joint.freedoms}
    for name, (key, level) in level_names(model).items():
        f = freedoms[key]
        found[name] = (f.dimension, f.rate_dimension, f.acceleration_dimension)[level]
    return found


def _factors(
    headings: Sequence[Heading],
    names: Sequence[str],
    places: Sequence[int],
    dimensions: Mapping[str, str],
    faults: Faults,
) -> list[float]:
    """What brings the columns to SI; each name stands once."""
    found: list[float] = []
    seen: dict[str, Heading] = {}
    for i in places:
        with faults:
            if (first := seen.setdefault(names[i], headings[i])) is not headings[i]:
                raise RefusedError(
                    f"columns '{first.text}' and '{headings[i].text}' are the same; leave one of them out"
                )
            try:
                found.append(headings[i].factor(dimensions[names[i]]))
            except UnitError as error:
                raise UnitError(f"{error}; without a unit it is SI") from None
    return found


def _refuse_misspelt(model: Model, given: Sequence[str], others: Sequence[str], faults: Faults) -> None:
    """Columns that are nearly the names of coordinates or rates that are not among those given."""
    known = level_names(model)
    told = {known[name] for name in given if name in known}
    missing = [name for name, item in known.items() if item not in told]
    elements = {element for section in SECTIONS for element in getattr(model, section.name)} - set(model.joints)
    for name in others:
        joint = name.partition(".")[0]
        if joint in elements:
            continue
        candidates = [item for item in missing if joint not in model.joints or item.startswith(f"{joint}.")]
        meant = max(candidates, key=lambda item: _likeness(name, item), default="")
        if _likeness(name, meant) >= ALIKE:
            with faults:
                raise UnknownNameError(f"column '{name}': did you mean '{meant}'? rename it, or leave it out")


def _likeness(a: str, b: str) -> float:
    return SequenceMatcher(None, a.lower(), b.lower()).ratio()


def _columns(
    source: Path, rows: Sequence[Sequence[str]], headings: Sequence[Heading], places: Sequence[int]
) -> list[Array]:
    """Some columns of a table as numbers; all cells that are none are named by their lines."""
    faults, columns = Faults(f"'{source}'"), [np.zeros(len(rows)) for _ in places]
    lines = [(number, row) for number, row in enumerate(rows[1:], start=2) if any(cell.strip() for cell in row)]
    for place, (number, row) in enumerate(lines):
        for column, i in zip(columns, places, strict=True):
            with faults:
                column[place] = _cell(f"line {number} of '{source}'", headings[i].text, row[i] if i < len(row) else "")
    if len(faults.found) > SHOWN:
        faults.found[SHOWN:] = [RefusedError(f"and {len(faults.found) - SHOWN} more")]
    faults.tell()
    return [column[: len(lines)] for column in columns]


def _cell(where: str, heading: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise RefusedError(f"{where}: {heading} is '{text.strip()}', which is no number")
    return value
