"""Records as data of an LLVM module: what kernels know of a run, without an address of this process.

A record and all that it reaches (arrays, other records, compiled code) becomes global variables with the values of now. A
cell that holds an address here refers there to the variable or the function by name, and whoever links the module, for
whatever machine, puts its own address there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.errors import RefusedError
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.language.layout import WIDTH, RecordRow
from linkwork.numerics.kernels.language.records import MachineFunction, Record


@dataclass(frozen=True, eq=False)
class Image:
    """Variables of a module.

    root: the record that all begins with; kernels and functions: compiled code that it refers to, by its symbol
    places: (symbol, offset in bytes) of the arrays of the root, by field
    """

    regions: tuple[Region, ...]
    root: tuple[str, int]
    kernels: Mapping[str, Kernel[..., Any]]
    functions: Mapping[str, Any]
    places: Mapping[str, tuple[str, int]]

    def text(self, pointer: int = WIDTH) -> str:
        """The definitions, for a machine whose addresses have so many bytes."""
        return "\n".join(region.text(pointer) for region in self.regions)


@dataclass(frozen=True, eq=False)
class Region:
    """A piece of memory: its cells, and what those refer to that are addresses, as constants of LLVM."""

    symbol: str
    begin: int
    cells: np.ndarray
    references: dict[int, str] = field(default_factory=dict)

    def text(self, pointer: int) -> str:
        """Its definition, for a machine whose addresses have so many bytes."""
        parts = list(self._parts(pointer))
        types = ", ".join(kind for kind, _ in parts)
        values = ", ".join(f"{kind} {value}" for kind, value in parts)
        return f"@{self.symbol} = global <{{ {types} }}> <{{ {values} }}>, align {WIDTH}"

    def _parts(self, pointer: int) -> Iterator[tuple[str, str]]:
        filled = np.flatnonzero((self.cells != 0) | np.isin(np.arange(len(self.cells)), list(self.references)))
        i = 0
        for k in (*filled.tolist(), len(self.cells)):
            if k > i:
                yield f"[{k - i} x i64]", "zeroinitializer"
            if k in self.references:
                yield "ptr", self.references[k]
                if pointer < WIDTH:  # cells are as wide everywhere, and what stands first in them is read
                    yield f"[{WIDTH - pointer} x i8]", "zeroinitializer"
            elif k < len(self.cells):
                yield "i64", str(self.cells[k])
            i = k + 1


def image_of(root: Record) -> Image:
    """The image of a record."""
    reached = list(_reached(root, set()))
    spans = [(record.address, WIDTH * len(record._cells)) for record in reached]
    spans += [(a.ctypes.data, a.nbytes) for record in reached for _, a in _arrays(record)]
    regions = _regions(spans)
    kernels: dict[str, Kernel[..., Any]] = {}
    functions: dict[str, Any] = {}
    for record in reached:
        region = _holding(regions, record.address)
        first = (record.address - region.begin) // WIDTH
        for name, item in record.fields().items():
            address = 0 if item.kind in ("int64", "double") else int(record._cells[item.cell])
            if not address:
                continue
            if isinstance(item.kind, type) and issubclass(item.kind, MachineFunction):
                reference = f"@{_code(record, name, kernels, functions)}"
            else:
                target = _holding(regions, address, none=True)
                reference = "null" if target is None else _inside(target, address)
            region.references[first + item.cell] = reference
    top = _holding(regions, root.address)
    places = {name: _placed(_holding(regions, a.ctypes.data), a.ctypes.data) for name, a in _arrays(root) if a.nbytes}
    return Image(tuple(regions), _placed(top, root.address), kernels, functions, places)


def _reached(record: Record, known: set[int]) -> Iterator[Record]:
    """All records that one refers to, itself included, each once."""
    if id(record) in known:
        return
    known.add(id(record))
    yield record
    for name, item in record.fields().items():
        held = getattr(record, name) if item.kind not in ("int64", "double") else None
        if isinstance(item.kind, RecordRow):
            for one in held or ():
                yield from _reached(one, known)
        elif isinstance(held, Record):
            yield from _reached(held, known)


def _arrays(record: Record) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of a record by field."""
    for name, item in record.fields().items():
        held = getattr(record, name) if item.kind in ("double*", "int64*") else None
        if held is not None and held.nbytes:
            yield name, held


def _regions(spans: list[tuple[int, int]]) -> list[Region]:
    """Pieces of memory, those that overlap together."""
    merged: list[list[int]] = []
    for begin, size in sorted(set(spans)):
        if merged and begin < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], begin + size)
        elif size:
            merged.append([begin, begin + size])
    return [
        Region(f"linkwork_record_{i}", begin, np.frombuffer(ctypes.string_at(begin, end - begin), np.int64))
        for i, (begin, end) in enumerate(merged)
    ]


def _holding(regions: list[Region], address: int, none: bool = False) -> Any:
    """The region that has an address; *none*: or None, as of arrays without elements."""
    for region in regions:
        if region.begin <= address < region.begin + WIDTH * len(region.cells):
            return region
    if none:
        return None
    raise RefusedError("a record refers to memory that no record has: it cannot be linked for another machine")


def _placed(region: Region, address: int) -> tuple[str, int]:
    return region.symbol, address - region.begin


def _inside(region: Region, address: int) -> str:
    return f"getelementptr (i8, ptr @{region.symbol}, i64 {address - region.begin})"


def _code(record: Record, name: str, kernels: dict[str, Kernel[..., Any]], functions: dict[str, Any]) -> str:
    """The symbol of the compiled code of a field, which joins those that are wanted."""
    code = getattr(record, name).code
    if isinstance(code, Kernel):
        kernels[code.symbol] = code
        return code.symbol
    if isinstance(code, int):
        raise RefusedError(f"'{name}' of a {type(record).__name__} is known by its address in this process alone")
    symbol = next((known for known, item in functions.items() if item is code), f"linkwork_model_{len(functions)}")
    functions[symbol] = code
    return symbol
