"""Records: the memory that kernels and their callers share, declared once::

    class Fall(Record):
        count: int  # sizes and other integers
        step: float = 1e-3
        push: ModelFunction | None = None  # compiled code
        way: Path  # another record
        heights: Floats = array("count", "count + 1")  # memory of its own
        times: Floats = borrowed()  # memory of somebody else

    fall = Fall(count=3, push=address, way=way, times=times)

A kernel takes it as an argument (``def drop(fall: Fall, h: float) -> int``), reads and sets ``fall.step``, indexes
``fall.heights[i]`` and calls ``fall.push(t, y, p, out)``. So does Python, where arrays are flat too.

Every field takes a cell of eight bytes: a number, or the address of what it stands for, 0 for None. Arrays of its own lie one
behind the other, zero at first; their sizes are expressions of integers of the record.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDTH = 8  # bytes of a cell
C_TYPES: dict[Any, Any] = {"void": None, "int64": ctypes.c_int64, "double": ctypes.c_double, "int32": ctypes.c_int32}
NUMBERS = {int: "int64", float: "double", Floats: "double*", Ints: "int64*", type(None): "void", bool: "int64"}


@dataclass(frozen=True)
class Own:
    """Memory of a record's own: the factors of its length."""

    shape: tuple[str, ...]


def array(*shape: str) -> Any:
    """A field whose memory belongs to the record; its length is the product of expressions of integers of the record."""
    return Own(shape)


def borrowed() -> Any:
    """A field whose memory somebody else has, or None."""
    return None


@dataclass(frozen=True)
class Signature:
    """Types of the result and of the arguments: 'double', 'int64', 'double*', ... or a record."""

    result: str
    arguments: tuple[Any, ...]


def kind_of(hint: Any) -> Any:
    """The type of a hint in the language of kernels: a word, a record or compiled code."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    if isinstance(hint, type) and issubclass(hint, Record | CompiledFunction):
        return hint
    if hint in NUMBERS:
        return NUMBERS[hint]
    raise TypeError(f"{hint} is no type of the language of kernels: int, float, Floats, Ints, a record, compiled code")


def signature_of(function: Any) -> Signature:
    """The signature that the hints of a function give it."""
    hints = get_type_hints(function)
    result = kind_of(hints.pop("return"))
    return Signature(result, tuple(kind_of(hint) for hint in hints.values()))


def as_c(kind: Any) -> Any:
    """The type of ctypes."""
    return C_TYPES.get(kind, ctypes.c_void_p)


def passed(value: Any) -> Any:
    """What stands for a value in a call of compiled code."""
    if isinstance(value, Record | CompiledFunction):
        return value.address
    return value.ctypes.data if isinstance(value, np.ndarray) else value


class CompiledFunction:
    """Compiled code by its address. Subclasses declare its signature in ``__call__``, whose body never runs."""

    declared: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        cls.declared = cls.__call__
        cls.__call__ = CompiledFunction.__call__  # type: ignore[method-assign]

    def __init__(self, address: int) -> None:
        self.address = int(address)

    @classmethod
    def signature(cls) -> Signature:
        """Types of the result and of the arguments."""
        return signature_of(cls.declared)

    def __call__(self, *values: Any) -> Any:
        signature = self.signature()
        prototype = ctypes.CFUNCTYPE(as_c(signature.result), *map(as_c, signature.arguments))
        return prototype(self.address)(*map(passed, values))


class ModelFunction(CompiledFunction):
    """A straight-line function of a model: out of time, state and parameters."""

    def __call__(self, t: float, y: Floats, p: Floats, out: Floats) -> None: ...


@dataclass(frozen=True)
class Field:
    """A field of a record: its type, its cell, and the factors of its length where its memory is the record's."""

    name: str
    kind: Any
    cell: int
    default: Any = None


class Record:
    """Memory with names; see the top of this file."""

    __slots__ = ("_cells", "_held", "_numbers")

    _declared: ClassVar[dict[str, Any]] = {}
    _fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        cls._declared = cls._declared | {name: cls.__dict__.get(name) for name in cls.__annotations__}
        cls._fields = {}
        for name in cls.__annotations__:
            setattr(cls, name, _access(name))

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The fields by name."""
        if not cls._fields:
            hints = get_type_hints(cls)
            for cell, (name, default) in enumerate(cls._declared.items()):
                cls._fields[name] = Field(name, kind_of(hints[name]), cell, default)
        return cls._fields

    def __init__(self, **given: Any) -> None:
        known = self.fields()
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(unknown)}; it has {', '.join(known)}")
        self._cells: Ints = np.zeros(len(known), np.int64)
        self._numbers: Floats = self._cells.view(np.float64)
        self._held: dict[str, Any] = {}
        for field in known.values():
            value = given.get(field.name, None if isinstance(field.default, Own) else field.default)
            if value is not None:
                setattr(self, field.name, value)
        self._allocate([field for field in known.values() if isinstance(field.default, Own)])

    def _allocate(self, own: list[Field]) -> None:
        from linkwork.numerics import bounds

        sizes = {field.name: _length(self, field) for field in own}
        for kind, dtype in (("double*", np.float64), ("int64*", np.int64)):
            mine = [field.name for field in own if field.kind == kind]
            block = np.zeros(sum(sizes[name] for name in mine), dtype)
            place = 0
            for name in mine:
                setattr(self, name, block[place : place + sizes[name]])
                place += sizes[name]
            bounds.note(block)
        bounds.note(self._cells)

    @property
    def address(self) -> int:
        """Under which kernels know it."""
        return int(self._cells.ctypes.data)


def _length(record: Record, field: Field) -> int:
    names = {name: getattr(record, name) for name, other in record.fields().items() if other.kind == "int64"}
    return int(np.prod([eval(factor, {"max": max}, names) for factor in field.default.shape], dtype=np.int64))


def _access(name: str) -> Any:
    """The attribute that reads and sets a field."""

    def read(self: Record) -> Any:
        field = self.fields()[name]
        if field.kind == "int64":
            return int(self._cells[field.cell])
        if field.kind == "double":
            return float(self._numbers[field.cell])
        return self._held.get(name)

    def write(self: Record, value: Any) -> None:
        field = self.fields()[name]
        if field.kind == "int64":
            self._cells[field.cell] = value
        elif field.kind == "double":
            self._numbers[field.cell] = value
        else:
            self._held[name] = held = _held(field, value)
            self._cells[field.cell] = 0 if held is None else passed(held)

    return property(read, write)


def _held(field: Field, value: Any) -> Any:
    """What a field holds on to: an array as kernels see it, another record, compiled code."""
    if value is None:
        return None
    if field.kind in ("double*", "int64*"):
        wanted = np.float64 if field.kind == "double*" else np.int64
        if not (isinstance(value, np.ndarray) and value.dtype == wanted and value.flags.c_contiguous):
            raise TypeError(
                f"'{field.name}' is an array of {np.dtype(wanted)} without gaps, not {type(value).__name__}"
            )
        from linkwork.numerics import bounds

        bounds.note(value)
        return value.reshape(-1)
    if issubclass(field.kind, CompiledFunction) and not isinstance(value, CompiledFunction):
        return field.kind(value) if value else None
    if not isinstance(value, field.kind):
        raise TypeError(f"'{field.name}' is a {field.kind.__name__}, not a {type(value).__name__}")
    return value
