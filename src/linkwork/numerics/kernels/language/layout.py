"""How records lie in memory: their cells, and the arrays of their own behind each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDTH = 8  # bytes of a cell


@dataclass(frozen=True)
class Own:
    """Memory of a record's own: the factors of its length."""

    shape: tuple[str, ...]


@dataclass(frozen=True)
class RecordRow:
    """The type of records that lie one behind the other."""

    record: Any


@dataclass(frozen=True)
class Field:
    """A field of a record: its type, its cell, and the factors of its length where its memory is the record's."""

    name: str
    kind: Any
    cell: int
    default: Any = None


PlacedRecord = tuple[int, Any, NDArray[np.intp], Ints, dict[str, slice]]
"""Size and type of a block of memory; cells with the addresses of its arrays, how far behind its begin they lie, where."""


class RecordLayout:
    """The fields of a record, those with a default, and those with memory of their own: numbers, integers, records."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = fields
        self.defaults = {
            name: field.default
            for name, field in fields.items()
            if field.default is not None and not isinstance(field.default, Own)
        }
        own = {name: field for name, field in fields.items() if isinstance(field.default, Own)}
        self.own = [
            (names, [fields[name].cell for name in names], dtype)
            for kind, dtype in (("double*", np.float64), ("int64*", np.int64))
            if (names := [name for name, field in own.items() if field.kind == kind])
        ]
        self.rows = [name for name, field in own.items() if isinstance(field.kind, RecordRow)]
        products = [f"{name!r}: ({') * ('.join(item.default.shape)})" for name, item in own.items()]
        self._lengths = compile("{" + ", ".join(products) + "}", "lengths of a record", "eval")
        self._sizes = {name: field.cell for name, field in fields.items() if field.kind == "int64"}
        self._size_cells = np.array(list(self._sizes.values()), np.intp)
        self._known: dict[bytes, tuple[list[PlacedRecord], dict[str, int]]] = {}

    def places(self, cells: Ints) -> tuple[list[PlacedRecord], dict[str, int]]:
        """Where the arrays of a record's own lie, and how many records its rows have; once for every set of sizes."""
        key = cells[self._size_cells].tobytes()
        if key not in self._known:
            self._known[key] = self._measure(cells.tolist())
        return self._known[key]

    def _measure(self, values: list[int]) -> tuple[list[PlacedRecord], dict[str, int]]:
        sizes = {name: values[cell] for name, cell in self._sizes.items()}
        lengths: dict[str, int] = eval(self._lengths, {"max": max}, sizes)
        found: list[PlacedRecord] = []
        for names, cells, dtype in self.own:
            edges = np.cumsum([0, *(lengths[name] for name in names)])
            slices = {name: slice(int(a), int(b)) for name, a, b in zip(names, edges, edges[1:], strict=False)}
            found.append((int(edges[-1]), dtype, np.array(cells), WIDTH * edges[:-1], slices))
        return found, {name: lengths[name] for name in self.rows}
