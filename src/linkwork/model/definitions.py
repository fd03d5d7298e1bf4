"""Definitions: formulas by names, and tables over the time or over another formula.

``grf: {table: [[0, 0], [0.5 s, 100 N]]}`` is the formula ``linear_table(t, 0, 0, 0.5 s, 100 N)``, and
``{table: {file: gait.csv, column: fy, interpolation: smooth}, over: "mod(t, 1.1)"}`` a smooth one of the rows of a file.
It is written back as a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from linkwork.algebra.expressions import TIME, Call, Expression, Name
from linkwork.algebra.expressions.tabulated import TABLES, as_call
from linkwork.errors import did_you_mean
from linkwork.model.fields import Read, read_scalar, refused, scalar_schema, write
from linkwork.model.tables import Table, read_table, table_schema, write_table

KEYS = ("table", "over")


def read_definition(value: Any) -> Expression:
    """A formula, or a table."""
    if not isinstance(value, Mapping):
        return read_scalar(value)
    for key in value:
        if key not in KEYS:
            raise refused(f"unknown key '{key}'", did_you_mean(str(key), KEYS))
    if "table" not in value:
        raise refused("the table is missing", "write {table: [[0, 0], [0.5, 100]]}, over the time, or a formula")
    over = read_scalar(value.get("over", TIME))
    table = read_table(value["table"], "time" if over == Name(TIME) else "any", "any")
    return as_call(over, table.rows, table.interpolation)


def write_definition(formula: Expression) -> Any:
    """A formula as a text, a table as one."""
    if not (isinstance(formula, Call) and formula.function in TABLES.values()):
        return write(formula)
    over, *numbers = formula.arguments
    rows = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    way = next(way for way, function in TABLES.items() if function == formula.function)
    table = {"table": write_table(Table(rows, way))}
    return table if over == Name(TIME) else {**table, "over": write(over)}


def _schema() -> dict[str, Any]:
    keys = {"table": table_schema("x", "f"), "over": {"type": "string", "description": "formula of x; default: t"}}
    named = {"type": "object", "properties": keys, "required": ["table"], "additionalProperties": False}
    schema = scalar_schema("any")
    return {**schema, "anyOf": [*schema["anyOf"], named]}


Definition = Annotated[Expression, Read(read_definition, _schema(), write_definition)]
