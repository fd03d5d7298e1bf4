"""How a kernel is declared, and what it may call.

A kernel is a Python function on numbers, arrays and records (``records.py``) with hints::

    from linkwork.numerics.kernels.language.calling import at, kernel

    @kernel
    def flow_example(t: float, y: Floats, ydot: Floats, memory: Example) -> Code:
        memory.terms(t, y, memory.p, at(memory.out, 6))
        ...
        return 0

``linkwork.numerics.loader.compiled(kernel)`` is the compiled kernel as Python calls it, ``kernel_address("file.function")``
its address in this process, as ``kernel.address``. Called as it is, the kernel runs as the Python function that it is.

The language is the part of Python that ``translation.py`` turns into LLVM code:

- Values are float (double), int (64 bits) and bool; arrays are flat and indexed (``y[i]``, ``y[i] = x``). A variable has one
  type, that of its first assignment: a sum that becomes a float starts at ``0.0``, not at ``0``. It must have a value on
  every way to where it is read; the body of a loop may not run at all.
- ``at(y, i)`` is the rest of an array from an element on. ``y[a:b] = x[c:d] + h * k[e:f]`` is done element by element, as
  many as the left side has; arrays that overlap must be the same parts. Fields of records are read, set, indexed
  and, where they hold compiled code, called; ``field is None`` asks whether there is one. Parts of arrays stay where they
  are: their elements are set.
- Assignment (also of tuples), ``if``, ``while``, ``for ... in range``, ``break``, ``continue``, ``return``; arithmetic,
  comparison, ``and``, ``or``, ``not``, ``a if b else c``; ``abs``, ``min``, ``max``, ``int``, ``float``, and functions
  of ``math``.
- Constants of the module, of other modules (``codes.EMPTY_ROW``) and of ``math`` may be used by name.
- Kernels call each other by name, also across files; the callee comes with the caller into its object. Functions of
  libraries are declared by ``library`` (``linear/lapack.py``) and called in the same way.
- A kernel may take kernels (``correct: Callable[[float, Floats, M], float]``), records of any kind (``memory: M``, a type
  variable) and records of constants (a record that a module has made): it is translated once for all that it is given.
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from linkwork.above import ask
from linkwork.numerics.kernels.language.records import (
    Floats,
    Ints,
    MachineFunction,
    Record,
    Signature,
    kind_of,
    signature_of,
)

ROOMS = Path(__file__).parent.parent
P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A", Floats, Ints)


class MachineCode(Protocol):
    """What has machine code in this process when it is wanted: a kernel, a compiled function. It owns the code."""

    @property
    def address(self) -> int: ...


@dataclass(frozen=True)
class Kernel(Generic[P, R]):
    """One declared kernel. Called from Python it runs as the Python function that it is."""

    file: str
    name: str
    function: Callable[P, R]
    vectorise: bool = False
    known: tuple[tuple[str, Any], ...] = ()  # parameters whose kernels and records of constants are known
    kinds: tuple[tuple[str, Any], ...] = ()  # types of the records that it takes of any kind

    @cached_property
    def signature(self) -> Signature:
        """Types of the result and of the arguments that are not known."""
        plain, known, kinds = signature_of(self.function), dict(self.known), dict(self.kinds)
        pairs = zip(self.parameters, plain.arguments, strict=True)
        return Signature(plain.result, tuple(kinds.get(name, kind) for name, kind in pairs if name not in known))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of all parameters."""
        return tuple(inspect.signature(self.function).parameters)

    @property
    def is_open(self) -> bool:
        """Whether something must be given to it before it can be translated."""
        return None in self.signature.arguments

    @property
    def symbol(self) -> str:
        """Name of the C function."""
        tags = [value.symbol if isinstance(value, Kernel) else _tag(value) for _, value in self.known]
        return "__".join([f"linkwork_{self.file}_{self.name}", *tags, *(kind.__name__ for _, kind in self.kinds)])

    @cached_property
    def address(self) -> int:
        """Of its machine code in this process."""
        return int(ask("loads", "address_of")(self))

    @cached_property
    def called(self) -> Callable[P, R]:
        """Its machine code as Python calls it, with numbers, arrays and records."""
        return cast(Callable[P, R], ask("loads", "call_of")(self))

    @cached_property
    def kept(self) -> dict[type[MachineFunction], MachineFunction]:
        """What fields of records hold of it."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        return kernel_named, (self.function.__module__, self.name)

    def given(self, known: Mapping[str, Any], kinds: Mapping[str, Any]) -> Kernel[..., R]:
        """The same with what some of its parameters are: kernels and records of constants, and types of records."""
        return replace(self, known=tuple(known.items()), kinds=tuple(kinds.items()))

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        return self.function(*arguments, **named)


@dataclass(frozen=True)
class LibraryFunction:
    """Machine code of a library that returns nothing; ``machine/engine.py`` finds it by its name."""

    symbol: str
    signature: Signature

    def __call__(self, *arguments: Any) -> None:
        raise NotImplementedError(f"{self.symbol} is called by compiled kernels alone")


def library(symbol: str, *arguments: Any) -> LibraryFunction:
    """Declare a function of a library by its name and the hints of its arguments."""
    return LibraryFunction(symbol, Signature("void", tuple(map(kind_of, arguments))))


def _tag(constants: Record) -> str:
    """A name for the numbers of a record."""
    return f"{type(constants).__name__}_{zlib.crc32(constants._cells.tobytes()):x}"


@overload
def kernel(given: Callable[P, R]) -> Kernel[P, R]: ...
@overload
def kernel(*, vectorise: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(given: Callable[P, R] | None = None, *, vectorise: bool = False) -> Any:
    """Declare a kernel; inside other kernels the decorated name is a call of it.

    vectorise: let the compiler widen the loops. That takes its time and pays only in the few small kernels that do the
    long loops; all others are compiled for size.
    """

    def declare(function: Callable[P, R]) -> Kernel[P, R]:
        return Kernel(function.__module__.rpartition(".")[2], function.__name__, function, vectorise)

    return declare if given is None else declare(given)


@cache
def kernel_file(name: str) -> ModuleType:
    """The module of a file of kernels, in whatever room it lies; no two have the same name."""
    (path,) = ROOMS.glob(f"*/{name}.py")
    return import_module(f"linkwork.numerics.kernels.{path.parent.name}.{name}")


def kernels_of(file: str) -> list[Kernel[..., Any]]:
    """The kernels of a file that are complete."""
    known = vars(kernel_file(file)).values()
    return [value for value in known if isinstance(value, Kernel) and value.file == file and not value.is_open]


def kernel_named(module: str, name: str) -> Kernel[..., Any]:
    """The kernel of a module."""
    found: Kernel[..., Any] = getattr(import_module(module), name)
    return found


def at(pointer: A, index: int) -> A:
    """The rest of an array from an element on."""
    return pointer[index:]
