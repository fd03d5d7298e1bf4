"""How records lie in memory: their cells, and the arrays of their own behind each other."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDTH = 8  # bytes of a cell
LINE = 8  # cells of a line of the cache, and of the widest vector


def place_of(array: NDArray[Any]) -> int:
    """The address of an array; quicker than ``array.ctypes.data`` for those that can be written to."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))
    except (TypeError, ValueError):  # read only, or empty
        return int(array.ctypes.data)


def aligned(size: int, dtype: Any) -> NDArray[Any]:
    """Zeros that begin where a line of the cache does: vectors are read and written whole."""
    room = np.zeros(size + LINE - 1, dtype)
    first = -place_of(room) // WIDTH % LINE
    return room[first : first + size]


@dataclass(frozen=True)
class Own:
    """Memory of a record's own: the factors of its length, and the array of which it is the next part ('': of none)."""

    shape: tuple[str, ...]
    of: str = ""

    @property
    def length(self) -> str:
        """An expression of integers of the record."""
        return f"({') * ('.join(self.shape)})"


@dataclass(frozen=True)
class RecordRow:
    """The type of records that lie one behind the other."""

    record: Any


@dataclass(frozen=True)
class Field:
    """A field of a record: its type, its cell, and the factors of its length where its memory is the record's.

    A part of an array has the cell of that, and an expression that says where in it the part begins.
    """

    name: str
    kind: Any
    cell: int
    default: Any = None
    begin: str = ""


PlacedRecord = tuple[int, Any, NDArray[np.intp], Ints, dict[str, slice]]
"""Size and type of a block of memory; cells with the addresses of its arrays, how far behind its begin they lie, where."""


class RecordLayout:
    """The fields of a record, those with a default, and those with memory of their own: numbers, integers, records."""

    def __init__(self, kinds: Mapping[str, Any], declared: Mapping[str, Any]) -> None:
        self.fields = fields = _fields(kinds, declared)
        self.width = len({field.cell for field in fields.values()})  # cells
        self.defaults = {
            name: field.default
            for name, field in fields.items()
            if field.default is not None and not isinstance(field.default, Own)
        }
        own = {name: field for name, field in fields.items() if isinstance(field.default, Own) and not field.begin}
        self.own = [
            (names, [fields[name].cell for name in names], dtype)
            for kind, dtype in (("double*", np.float64), ("int64*", np.int64))
            if (names := [name for name, field in own.items() if field.kind == kind])
        ]
        self.rows = [name for name, field in own.items() if isinstance(field.kind, RecordRow)]
        products = [f"{name!r}: {item.default.length}" for name, item in own.items()]
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

    def extent(self, part: Field, cells: Ints) -> slice:
        """Where a part of an array lies in it, with the integers of now."""
        begin, length = eval(f"{part.begin}, {part.default.length}", {"max": max}, self._integers(cells.tolist()))
        return slice(begin, begin + length)

    def _integers(self, values: list[int]) -> dict[str, int]:
        return {name: values[cell] for name, cell in self._sizes.items()}

    def _measure(self, values: list[int]) -> tuple[list[PlacedRecord], dict[str, int]]:
        lengths: dict[str, int] = eval(self._lengths, {"max": max}, self._integers(values))
        found: list[PlacedRecord] = []
        for names, cells, dtype in self.own:
            edges = np.cumsum([0, *(lengths[name] for name in names)])
            slices = {name: slice(int(a), int(b)) for name, a, b in zip(names, edges, edges[1:], strict=False)}
            found.append((int(edges[-1]), dtype, np.array(cells), WIDTH * edges[:-1], slices))
        return found, {name: lengths[name] for name in self.rows}


def _fields(kinds: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Field]:
    """A cell for each field; parts of an array lie one behind the other in it, in the order of their declaration."""
    fields: dict[str, Field] = {}
    ends: dict[str, str] = {}
    cells = 0
    for name, kind in kinds.items():
        given = declared[name]
        whole = given.of if isinstance(given, Own) else ""
        if whole:
            begin = ends.get(whole, "0")
            fields[name] = Field(name, kind, fields[whole].cell, given, begin)
            ends[whole] = f"{begin} + {given.length}"
        else:
            fields[name] = Field(name, kind, cells, given)
            cells += 1
    return fields
