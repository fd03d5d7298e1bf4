"""Tables of a declaration: rows of two numbers, written out or read from a text file.

``table: [[0, 0], [0.1, 5]]``, ``table: {file: spring.csv}`` or ``table: {rows: [...], interpolation: smooth}``.
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
from linkwork.errors import Fault, did_you_mean
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.fields import Read, as_list, brief, read_each, read_scalar, refused, write
from linkwork.model.geometry import Values
from linkwork.model.named_files import allowed_file

CURVES = {"linear": linear_curve, "smooth": smooth_curve}
KEYS = ("rows", "file", "interpolation")
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


def table_field(x: str, f: str) -> Read:
    """Annotation of a table with these dimensions of its two columns."""
    row = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "string"}]}, "minItems": 2, "maxItems": 2}
    rows = {"type": "array", "items": row, "minItems": 2}
    named = {
        "type": "object",
        "properties": {
            "rows": rows,
            "file": {"type": "string"},
            "interpolation": {"type": "string", "enum": list(CURVES)},
        },
        "additionalProperties": False,
    }
    text = f"rows [{x}, {f}], first column increasing; or a file of them, and the interpolation"
    return Read(lambda value: read_table(value, x, f), {"anyOf": [rows, named], "description": text}, _write_table)


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
        file = value["file"]
        if not isinstance(file, str) or not file:
            raise refused(f"{brief(file)} is not the name of a file", "write file: data.csv")
        return Table(_read_file(file, x, f), way)
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


def _read_file(name: str, x: str, f: str) -> tuple[tuple[Expression, Expression], ...]:
    """Two columns of numbers, separated by commas, semicolons or spaces; # starts a comment; one heading is allowed."""
    try:
        lines = allowed_file(name, MAX_BYTES).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise refused(f"the file '{name}' cannot be read: {error.strerror or error}") from None
    except UnicodeError:
        raise refused(f"the file '{name}' is no UTF-8 text", "save it as text with two columns of numbers") from None
    rows = []
    for i, line in enumerate(lines, 1):
        parts = re.split(r"\s*[,;\s]\s*", line.partition("#")[0].strip())
        if parts == [""]:
            continue
        try:
            rows.append([float(part) for part in parts])
        except ValueError:  # what stands there is not told: a file may be any
            if rows or i > 1:
                hint = "two columns, separated by commas, semicolons or spaces; # begins a comment"
                raise refused(f"line {i} of '{name}' is not two numbers", hint) from None
    return _read_rows(rows, x, f)


def _write_table(table: Table | None) -> Any:
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
