"""JSON texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from linkwork.errors import Fault
from linkwork.formats.base import MAX_DEPTH, Document, Format, SourceText, checked_top, unreadable


def read_json(source: SourceText) -> Document:
    """Read a JSON text; a key that is given twice is a fault."""
    faults: list[Fault] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                faults.append(Fault(key, "is given twice in one object", "remove or rename one of them"))
            found[key] = value
        return found

    if not source.text.strip():
        raise unreadable("the file is empty", 'begin with {"linkwork": 1, "space": "planar"}')
    try:
        data = json.loads(source.text, object_pairs_hook=collect)
    except json.JSONDecodeError as error:
        raise unreadable(f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise unreadable(f"not valid JSON: {str(error)[:120]}") from None
    _check_depth(data)
    return Document(checked_top(data), faults=tuple(faults))


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(MAX_DEPTH):
        level = [item for value in level if isinstance(value, (dict, list)) for item in _items(value)]
    if level:
        raise unreadable(f"nested more than {MAX_DEPTH} deep")


def _items(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def write_json(data: Mapping[str, Any]) -> str:
    """Write an indented JSON text."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


JSON = Format("JSON", (".json",), read_json, write_json)
