"""Records: the memory that kernels and their callers share, declared once::

    class Fall(Record):
        count: int  # sizes and other integers
        step: float = 1e-3
        push: ModelFunction | None = None  # compiled code
        way: Path  # another record
        heights: Floats = array("count", "count + 1")  # memory of its own
        times: Floats = borrowed()  # memory of somebody else
        out: Floats = array("2 * count")  # what a function gives at once,
        speeds: Floats = part("out", "count")  # and what its parts are,
        loads: Floats = part("out", "count")  # one behind the other

    fall = Fall(count=3, push=address, way=way, times=times)

A kernel takes it as an argument (``def drop(fall: Fall, h: float) -> int``), reads and sets ``fall.step``, indexes
``fall.heights[i]`` and calls ``fall.push(t, y, p, out)``. So does Python, where arrays are flat too.

Every field takes a cell of eight bytes: a number, or the address of what it stands for, 0 for None. Arrays of its own lie
one behind the other, zero at first; their sizes are expressions of integers of the record. Where a part of an array lies
follows from the integers of the moment at which it is read. A field ``ways: list[Path] = array("count")`` is a row of
records, ``fall.ways[i]`` one of them.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Self, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.kernels.language import bounds
from linkwork.numerics.kernels.language.layout import Field, Own, RecordLayout, RecordRow, aligned, place_of
from linkwork.numerics.kernels.language.layout import Floats as Floats
from linkwork.numerics.kernels.language.layout import Ints as Ints

Code = Annotated[int, "int32"]  # what compiled code returns that others may have written: negative where it has failed
C_TYPES: dict[Any, Any] = {"void": None, "int64": ctypes.c_int64, "double": ctypes.c_double, "int32": ctypes.c_int32}
Snapshot = tuple[Ints, list[NDArray[Any]]]  # cells and arrays of a record
NUMBERS = {int: "int64", float: "double", Floats: "double*", Ints: "int64*", type(None): "void", bool: "int64"}


def array(*shape: str) -> Any:
    """A field whose memory belongs to the record; its length is the product of expressions of integers of the record."""
    return Own(shape)


def part(whole: str, *shape: str) -> Any:
    """A field that is the next part of an array of the record, behind those declared before; it has no cell of its own."""
    return Own(shape, whole)


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
    if isinstance(hint, TypeVar) or get_origin(hint) is Callable:
        return None  # whatever is given
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Annotated:
        return hint.__metadata__[0]
    if isinstance(hint, type) and issubclass(hint, Record | MachineFunction):
        return hint
    if get_origin(hint) is list:
        return RecordRow(*get_args(hint))
    if hint in NUMBERS:
        return NUMBERS[hint]
    raise TypeError(f"{hint} is no type of the language of kernels: int, float, Floats, Ints, a record, compiled code")


def signature_of(function: Any) -> Signature:
    """The signature that the hints of a function give it."""
    hints = get_type_hints(function, include_extras=True)
    result = kind_of(hints.pop("return"))
    return Signature(result, tuple(kind_of(hint) for hint in hints.values()))


def as_c(kind: Any) -> Any:
    """The type of ctypes."""
    return C_TYPES.get(kind, ctypes.c_void_p)


def passed(value: Any) -> Any:
    """What stands for a value in a call of compiled code."""
    if isinstance(value, (Record, MachineFunction)):
        return value.address
    if isinstance(value, np.ndarray):
        return place_of(value)
    if isinstance(value, list):
        return value[0].address if value else 0
    return value


@cache
def _words(signature: Signature) -> tuple[str, ...]:
    """A signature in which all records are alike."""
    return tuple(kind if isinstance(kind, str) else "record" for kind in (signature.result, *signature.arguments))


class MachineFunction:
    """Compiled code. Subclasses declare its signature in ``__call__``, whose body never runs."""

    declared: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        cls.declared = cls.__call__
        cls.__call__ = MachineFunction.__call__  # type: ignore[method-assign]

    def __init__(self, code: Any) -> None:
        self.code = code  # its owner, or an address
        self.address = int(code if isinstance(code, int) else code.address)

    @classmethod
    @cache
    def signature(cls) -> Signature:
        """Types of the result and of the arguments."""
        return signature_of(cls.declared)

    @classmethod
    def fits(cls, code: Any) -> bool:
        """Whether code is called as this, where it says how. Records may be of any kind: who sets code sets its memory."""
        known = getattr(code, "signature", None)
        return not isinstance(known, Signature) or _words(known) == _words(cls.signature())

    def __call__(self, *values: Any) -> Any:
        signature = self.signature()
        prototype = ctypes.CFUNCTYPE(as_c(signature.result), *map(as_c, signature.arguments))
        return prototype(self.address)(*map(passed, values))


class Record:
    """Memory with names; see the top of this file."""

    __slots__ = ("_blocks", "_cells", "_held", "_numbers", "_whole", "address")
    address: int  # under which kernels know it
    _declared: ClassVar[dict[str, Any]] = {}
    _laid: ClassVar[RecordLayout | None] = None

    def __init_subclass__(cls) -> None:
        cls._declared = cls._declared | {name: cls.__dict__.get(name) for name in cls.__annotations__}
        cls._laid = None

    @classmethod
    def layout(cls) -> RecordLayout:
        """How it lies in memory."""
        if cls._laid is None:
            hints = get_type_hints(cls, include_extras=True) if cls._declared else {}
            cls._laid = RecordLayout({name: kind_of(hints[name]) for name in cls._declared}, cls._declared)
            for name, field in cls._laid.fields.items():
                setattr(cls, name, (_Part if field.begin else ACCESS.get(field.kind, _Access))(field))
        return cls._laid

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The fields by name."""
        return cls.layout().fields

    def __init__(self, **given: Any) -> None:
        self._begin(given)
        self._allocate(self.layout())

    @classmethod
    def template(cls, **given: Any) -> Self:
        """A record without memory of its own, for others to be made from."""
        template = cls.__new__(cls)
        template._begin(given)
        return template

    def with_(self, **given: Any) -> Self:
        """A template with what this one has and what is given."""
        template = type(self).__new__(type(self))
        template._place(self._cells.copy())
        template._held |= self._held
        template._set(given)
        return template

    def made(self, **given: Any) -> Self:
        """A record with what this template has and what is given."""
        record = self.with_(**given)
        for held in self._held.values() if bounds.ACTIVE else ():
            if isinstance(held, np.ndarray):
                bounds.note(held)
        record._allocate(self.layout())
        return record

    def _begin(self, given: dict[str, Any]) -> None:
        layout = self.layout()
        self._place(np.zeros(layout.width, np.int64))
        self._set(layout.defaults | given)

    def _set(self, given: Mapping[str, Any]) -> None:
        fields = self.fields()
        if not given.keys() <= fields.keys():
            unknown = ", ".join(sorted(given.keys() - fields.keys()))
            raise TypeError(f"{type(self).__name__} has no field {unknown}; it has {', '.join(fields)}")
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value)

    def _place(self, cells: Ints) -> None:
        self._cells, self._whole = cells, cells.data
        self._numbers = self._whole.cast("B").cast("d") if cells.size else self._whole
        self.address = place_of(cells)
        self._held: dict[str, Any] = {}
        self._blocks: list[tuple[NDArray[Any], dict[str, slice]]] = []  # memory of its own, and where arrays lie in it

    @classmethod
    def row(cls, count: int) -> list[Record]:
        """So many records of this kind, one behind the other."""
        cells = np.zeros((count, cls.layout().width), np.int64)
        found = [cls.__new__(cls) for _ in range(count)]
        for record, own in zip(found, cells, strict=True):
            record._place(own)
        return found

    def _allocate(self, layout: RecordLayout) -> None:
        """Lay out the arrays of its own; attributes are made of them when they are asked for."""
        places, rows = layout.places(self._cells)
        for size, dtype, cells, offsets, slices in places:
            block = aligned(size, dtype)
            self._blocks.append((block, slices))
            self._cells[cells] = place_of(block) + offsets
        for name, count in rows.items():
            setattr(self, name, layout.fields[name].kind.record.row(count))
        if bounds.ACTIVE:
            for part in (self._cells, *(block[part] for block, slices in self._blocks for part in slices.values())):
                bounds.note(part)

    def snapshot(self) -> Snapshot:
        """All that it holds now, what belongs to others excepted."""
        return self._cells.copy(), [block.copy() for block, _ in self._blocks]

    def restore(self, snapshot: Snapshot) -> None:
        """Put it back to what it was."""
        self._cells[:] = snapshot[0]
        for (block, _), kept in zip(self._blocks, snapshot[1], strict=True):
            block[:] = kept


class _Access:
    """The attribute that reads and sets a field: what the record holds on to, its address in the cell."""

    def __init__(self, field: Field) -> None:
        self.field, self.cell = field, field.cell

    def __get__(self, record: Record | None, owner: Any = None) -> Any:
        if record is None:
            return self
        name = self.field.name
        if name not in record._held:
            for block, slices in record._blocks:
                if name in slices:
                    record._held[name] = block[slices[name]]
        return record._held.get(name)

    def __set__(self, record: Record, value: Any) -> None:
        record._held[self.field.name] = held = _held(self.field, value)
        record._whole[self.cell] = 0 if held is None else passed(held)


class _Whole(_Access):
    """That of an integer."""

    def __get__(self, record: Record | None, owner: Any = None) -> Any:
        return self if record is None else record._whole[self.cell]

    def __set__(self, record: Record, value: Any) -> None:
        record._whole[self.cell] = value


class _Number(_Access):
    """That of a number."""

    def __get__(self, record: Record | None, owner: Any = None) -> Any:
        return self if record is None else record._numbers[self.cell]

    def __set__(self, record: Record, value: Any) -> None:
        record._numbers[self.cell] = value


class _Part(_Access):
    """That of a part of another array."""

    def __get__(self, record: Record | None, owner: Any = None) -> Any:
        if record is None:
            return self
        return getattr(record, self.field.default.of)[record.layout().extent(self.field, record._cells)]

    def __set__(self, record: Record, value: Any) -> None:
        raise TypeError(f"'{self.field.name}' is a part of '{self.field.default.of}' and stays there: set its elements")


ACCESS: dict[Any, type[_Access]] = {"int64": _Whole, "double": _Number}


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
        bounds.note(value)
        return value.reshape(-1)
    if isinstance(field.kind, RecordRow):
        return value
    if issubclass(field.kind, MachineFunction) and not isinstance(value, MachineFunction):
        return _code(field, value) if value else None
    if not isinstance(value, field.kind):
        raise TypeError(f"'{field.name}' is a {field.kind.__name__}, not a {type(value).__name__}")
    return value


def _code(field: Field, code: Any) -> MachineFunction:
    """Compiled code as a field calls it; kernels keep it for the next record."""
    kept: dict[Any, MachineFunction] = getattr(code, "kept", {})
    if field.kind not in kept:
        if not field.kind.fits(code):
            raise TypeError(f"'{field.name}' is a {field.kind.__name__}, and '{code.name}' is called otherwise")
        kept[field.kind] = field.kind(code)
    return kept[field.kind]


# -- compiled code that records hold ------------------------------------------------------------------------------------


class ModelFunction(MachineFunction):
    """A straight-line function of a model: out of time, state and parameters."""

    def __call__(self, t: float, y: Floats, p: Floats, out: Floats) -> None:
        raise NotImplementedError


class SeriesFunction(MachineFunction):
    """Power series of the rates of a model: out (order + 1, n), with work for them."""

    def __call__(self, t: float, y: Floats, p: Floats, out: Floats, work: Floats, order: int) -> None:
        raise NotImplementedError


class FlowFunction(MachineFunction):
    """ẏ, which may correct y; or a state in other terms, or ∂ẏ/∂y (n, n). The memory is its own."""

    def __call__(self, t: float, y: Floats, out: Floats, memory: Record) -> Code:
        raise NotImplementedError


class RefreshFunction(MachineFunction):
    """Corrects y at the end of a step."""

    def __call__(self, t: float, y: Floats, memory: Record) -> Code:
        raise NotImplementedError


class FlowSeriesFunction(MachineFunction):
    """The power series of a state: out (order + 1, n)."""

    def __call__(self, t: float, y: Floats, out: Floats, order: int, memory: Record) -> Code:
        raise NotImplementedError


class StageFunction(MachineFunction):
    """y and k of an implicit stage with y = hat + τ k, from a first y."""

    def __call__(self, t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats, memory: Record) -> Code:
        raise NotImplementedError


class ResidualFunction(MachineFunction):
    """Equations F(t, y, k) = 0."""

    def __call__(self, t: float, y: Floats, k: Floats, F: Floats, memory: Record) -> Code:
        raise NotImplementedError


class TangentFunction(MachineFunction):
    """∂F/∂y and ∂F/∂k, column-major."""

    def __call__(self, t: float, y: Floats, k: Floats, Fy: Floats, Fk: Floats, memory: Record) -> Code:
        raise NotImplementedError
