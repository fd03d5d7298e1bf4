"""Tables of a declaration: rows of two numbers, written out or read from a text file.

``table: [[0, 0], [0.1, 5]]``, ``table: {file: spring.csv}`` or ``table: {rows: [...], interpolation: smooth}``; of a file
with more than two columns, ``table: {file: gait.csv, column: fx}``.
A file is found beside the model file, and its rows become part of the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca

from linkwork.algebra.curves import Cubic, linear_curve, smooth_curve
from linkwork.algebra.expressions import Expression
from linkwork.algebra.headings import Heading, read_headings
from linkwork.algebra.units import DIMENSIONS
from linkwork.errors import Fault, UnitError, did_you_mean
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.fields import Read, as_list, brief, read_each, read_scalar, refused, write
from linkwork.model.geometry import Values
from linkwork.model.named_files import allowed_file

CURVES = {"linear": linear_curve, "smooth": smooth_curve}
KEYS = ("rows", "file", "column", "interpolation")
MAX_ROWS = 1000
MAX_BYTES = 4 * 2**20  # of a file with a table


@dataclass(frozen=True)
class Table:
    """Points (x, f) of a curve, SI, and how to go between them."""

    rows: tuple[tuple[Expression, Expression], ...]
    interpolation: str = "linear"

    def curve(self, values: Values) -> Cubic:
        """The curve as expressions of the live parameters."""
        columns: list[list[ca.SX]] = [[values.value(row[i]) for row in self.rows] for i in (0, 1)]
        return CURVES[self.interpolation](*columns)


def table_schema(x: str, f: str) -> dict[str, Any]:
    """JSON schema of a table."""
    row = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "string"}]}, "minItems": 2, "maxItems": 2}
    rows = {"type": "array", "items": row, "minItems": 2}
    named = {
        "type": "object",
        "properties": {
            "rows": rows,
            "file": {"type": "string"},
            "column": {"type": "string"},
            "interpolation": {"type": "string", "enum": list(CURVES)},
        },
        "additionalProperties": False,
    }
    text = f"rows [{x}, {f}], first column increasing; or a file of them, and the interpolation"
    return {"anyOf": [rows, named], "description": text}


def table_field(x: str, f: str) -> Read:
    """Annotation of a table with these dimensions of its two columns."""
    return Read(lambda value: read_table(value, x, f), table_schema(x, f), write_table)


def read_table(value: Any, x: str, f: str) -> Table:
    """Read rows, or a mapping with rows or the name of a file; *x* and *f* are dimensions."""
    if isinstance(value, Table):
        return value
    if not isinstance(value, Mapping):
        return Table(_read_rows(value, x, f))
    for key in value:
        if key not in KEYS:
            raise refused(f"unknown key '{key}'", did_you_mean(str(key), KEYS))
    if ("rows" in value) == ("file" in value):
        raise refused("rows or a file are needed, one of them", "write rows: [[0, 0], [0.1, 5]], or file: data.csv")
    way = value.get("interpolation", "linear")
    if way not in CURVES:
        raise refused(f"interpolation {brief(way)} is not one of: {', '.join(CURVES)}")
    if "file" in value:
        file, column = value["file"], value.get("column")
        if not isinstance(file, str) or not file:
            raise refused(f"{brief(file)} is not the name of a file", "write file: data.csv")
        if not (column is None or isinstance(column, str)):
            raise refused(f"column {brief(column)} is not the name of a column", "write column: fx")
        return Table(_read_file(file, column, x, f), way)
    if "column" in value:
        raise refused("a column is one of a file", "write file: data.csv beside it, or leave it out")
    return Table(_read_rows(value["rows"], x, f), way)


def _read_rows(value: Any, x: str, f: str) -> tuple[tuple[Expression, Expression], ...]:
    rows = as_list(value)
    if rows is None:
        raise refused(f"{brief(value)} is not a table", "write rows [[0, 0], [0.1, 5]], or {file: data.csv}")
    if len(rows) < 2:
        raise refused(f"a table needs at least two rows, not {len(rows)}", "write [[0, 0], [0.1, 5]]")
    if len(rows) > MAX_ROWS:
        raise refused(f"a table of {len(rows)} rows is too long (limit {MAX_ROWS})", "leave out rows")
    return read_each({f"[{i}]": row for i, row in enumerate(rows)}, lambda row: _read_row(row, x, f))


def _read_row(value: Any, x: str, f: str) -> tuple[Expression, Expression]:
    items = as_list(value)
    if items is None or len(items) != 2:
        raise refused("a row has two numbers", "write [0.1, 5]")
    return read_scalar(items[0], x), read_scalar(items[1], f)


def _read_file(name: str, column: str | None, x: str, f: str) -> tuple[tuple[Expression, Expression], ...]:
    """The first column of numbers and the second, or that of a name; between them commas, semicolons or spaces.

    # starts a comment. One heading is allowed, whose units are read: ``x [mm], F [N]``, also as a comment.
    """
    try:
        lines = allowed_file(name, MAX_BYTES).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise refused(f"the file '{name}' cannot be read: {error.strerror or error}") from None
    except UnicodeError:
        raise refused(f"the file '{name}' is no UTF-8 text", "save it as text with two columns of numbers") from None
    headings = read_headings(lines[0].strip().removeprefix("#")) if lines else []
    place = _place(headings, name, column)
    factors = _factors([headings[0], headings[place]], name, (x, f)) if place < len(headings) else (1.0, 1.0)
    rows: list[list[float]] = []
    for i, line in enumerate(lines, 1):
        parts = re.split(r"\s*[,;\s]\s*", line.partition("#")[0].strip())
        if parts == [""]:
            continue
        try:
            row = [float(part) for part in (parts if column is None else (parts[0], parts[place]))]
        except (ValueError, IndexError):  # what stands there is not told: a file may be any
            if rows or i > 1:
                hint = "two columns, separated by commas, semicolons or spaces; # begins a comment"
                raise refused(f"line {i} of '{name}' is not two numbers", hint) from None
        else:
            rows.append([a * b for a, b in zip(row, factors, strict=True)] if len(row) == len(factors) else row)
    if column is None and rows and len(rows[0]) > 2:
        hint = "name one: column: fx, as the first line of the file calls it"
        raise refused(f"the file '{name}' has {len(rows[0])} columns, of which two are needed", hint)
    return _read_rows(rows, x, f)


def _place(headings: list[Heading], name: str, column: str | None) -> int:
    """Which column is that of the values."""
    if column is None:
        return 1
    places = [i for i, heading in enumerate(headings) if heading.name == column and i > 0]
    if len(places) != 1:
        found = "no column" if not places else f"{len(places)} columns"
        hint = "the first line of the file names its columns, as in: time, fx [N], fy [N]"
        raise refused(f"the first line of '{name}' names {found} '{column}' behind the first one", hint)
    return places[0]


def _factors(headings: list[Heading], name: str, dimensions: tuple[str, str]) -> tuple[float, float]:
    """What brings the columns below two headings to SI."""
    found = [1.0, 1.0]
    for i, (heading, dimension) in enumerate(zip(headings, dimensions, strict=True)):
        try:
            found[i] = heading.factor(dimension)
        except UnitError:  # what stands there is not told: a file may be any
            needed = DIMENSIONS[dimension]
            hint = f"write its unit, as in '{'xf'[i]} [{needed.example.split()[-1]}]', or none for SI"
            which = ("the first column", "the column of values")[i]
            raise refused(
                f"the unit in the heading of {which} of '{name}' is not one of {needed.spoken}", hint
            ) from None
    return found[0], found[1]


def write_table(table: Table | None) -> Any:
    if table is None:
        return None
    rows = write(table.rows)
    return rows if table.interpolation == "linear" else {"rows": rows, "interpolation": table.interpolation}


def table_faults(draft: DraftNumbers, path: str, table: Table | None) -> Iterator[Fault]:
    """The first column must increase from row to row."""
    if table is None:
        return
    numbers = [draft.number(row[0]) for row in table.rows]
    for i, (before, after) in enumerate(pairwise(numbers)):
        if before is not None and after is not None and not after > before:
            reason = f"row {i + 2} begins with {after:g}, which does not come after {before:g} of row {i + 1}"
            yield Fault(f"{path}[{i + 1}]", reason, "the first column of a table must increase from row to row")


def damper_faults(draft: DraftNumbers, path: str, table: Table | None) -> Iterator[Fault]:
    """The table of a damper: it resists at every rate, also beyond its ends, and not at all at rest."""
    if table is None:
        return
    rows = [(draft.number(x), draft.number(f)) for x, f in table.rows]
    known = [(x, f) for x, f in rows if x is not None and f is not None]
    if len(known) < len(rows):
        return
    hint = "a damper takes power out; use a formula of the rate for anything else"
    for i, (x, f) in enumerate(known):
        if x * f < 0.0 or (x == 0.0 and f != 0.0):
            yield Fault(f"{path}[{i}]", f"row {i + 1}: {f:g} at the rate {x:g} does not resist it", hint)
    if known[0][0] < 0.0 < known[-1][0] and all(x != 0.0 for x, _ in known):
        yield Fault(path, "has rates on both sides of zero but no row for rest", "add the row [0, 0]")
    if known[0][0] > 0.0 or known[-1][0] < 0.0:
        yield Fault(path, "has no rate on one side of zero, and none for rest", "begin or end it with the row [0, 0]")
    for i, (near, end) in ((0, (known[1], known[0])), (len(known) - 1, (known[-2], known[-1]))):
        if end[0] != 0.0 and abs(end[1]) < abs(near[1]):
            reason = f"row {i + 1}: the force falls towards the end, and would change its sign beyond it"
            yield Fault(f"{path}[{i}]", reason, "add a last row with the force of the one before")
