"""How a kernel is declared, and what it may call.

A kernel is a Python function on scalars and raw pointers with the C signature that it will have once compiled::

    from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel

    @kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
    def flow_example(t, y, ydot, ic, w):
        call_model(ic[0], t, y, doubles(ic[1]), at(w, 6))
        ...
        return 0

``linkwork.numerics.loader.kernel_address("file.function")`` gives the address of the compiled kernel.

The language is the part of Python that ``translation.py`` turns into LLVM code:

- Values are float (double), int (64 bits) and bool; pointers are indexed (``y[i]``, ``y[i] = x``). A variable has one
  type, that of its first assignment: a sum that becomes a float starts at ``0.0``, not at ``0``. It must have a value on
  every way to where it is read; the body of a loop may not run at all.
- ``at(y, i)`` is the pointer ``y + i``; ``doubles(address)`` and ``integers(address)`` make a pointer of an address in
  ``ic``; ``call_model``, ``call_flow``, ``call_stage`` and the others below call compiled code by its address.
- Assignment (also of tuples), ``if``, ``while``, ``for ... in range``, ``break``, ``continue``, ``return``; arithmetic,
  comparison, ``and``, ``or``, ``not``, ``a if b else c``; ``abs``, ``min``, ``max``, ``int``, ``float``, and functions
  of ``math``.
- Constants of the module, of other modules (``slots.RANK``) and of ``math`` may be used by name.
- Kernels call each other by name, also across files; the callee comes with the caller into its object.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeVar, overload

from linkwork.numerics.kernels.records import Signature, signature_of

P = ParamSpec("P")
R = TypeVar("R")

C_TYPES = ("void", "int32", "int64", "double", "int64*", "double*")


def parse_signature(text: str) -> Signature:
    """Read ``"int32(double t, double* y)"``; the names of the arguments are for the reader."""
    outer = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", text)
    parts = outer.group(2).split(",") if outer else []
    inner = [re.fullmatch(r"\s*(\w+\s*\*?)\s*\w*\s*", part) for part in parts]
    types = [outer.group(1) if outer else ""] + [match.group(1).replace(" ", "") if match else "" for match in inner]
    if any(name not in C_TYPES for name in types):
        raise TypeError(f"'{text}' is not a C signature of the types {', '.join(C_TYPES)}")
    return Signature(types[0], tuple(types[1:]))


@dataclass(frozen=True)
class Kernel(Generic[P, R]):
    """One declared kernel. Called from Python it runs as the Python function that it is."""

    file: str
    name: str
    function: Callable[P, R]
    text: str = ""  # of a signature in the words of C, where hints do not give it
    vectorise: bool = False

    @cached_property
    def signature(self) -> Signature:
        """Types of the result and of the arguments."""
        return parse_signature(self.text) if self.text else signature_of(self.function)

    @property
    def symbol(self) -> str:
        """Name of the C function."""
        return f"linkwork_{self.file}_{self.name}"

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        return self.function(*arguments, **named)


@overload
def kernel(given: Callable[P, R]) -> Kernel[P, R]: ...
@overload
def kernel(given: str = "", *, vectorise: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(given: Any = "", *, vectorise: bool = False) -> Any:
    """Declare a kernel, by its hints or with its C signature; inside other kernels the decorated name is a call of it.

    vectorise: let the compiler widen the loops. That takes its time and pays only in the few small kernels that do the
    long loops; all others are compiled for size.
    """

    def declare(function: Callable[P, R], text: str = "") -> Kernel[P, R]:
        return Kernel(function.__module__.rpartition(".")[2], function.__name__, function, text, vectorise)

    return declare(given) if callable(given) else lambda function: declare(function, given)


@dataclass(frozen=True)
class CallByAddress:
    """``name(address, ...)``: call the C function with this signature at the address."""

    signature: Signature

    def __call__(self, address: int, *arguments: Any) -> Any:
        raise TypeError("a call by address works in compiled kernels only")


call_model = CallByAddress(parse_signature("void(double t, double* y, double* p, double* out)"))
call_flow = CallByAddress(parse_signature("int32(double t, double* y, double* ydot, int64* ic, double* w)"))
call_stage = CallByAddress(
    parse_signature(
        "int32(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)"
    )
)
call_residual = CallByAddress(parse_signature("int32(double t, double* y, double* k, double* F, int64* ic, double* w)"))
call_tangent = CallByAddress(
    parse_signature("int32(double t, double* y, double* k, double* Fy, double* Fk, int64* ic, double* w)")
)
call_series = CallByAddress(
    parse_signature("void(double t, double* y, double* p, double* out, double* work, int64 order)")
)
call_flow_series = CallByAddress(
    parse_signature("int32(double t, double* y, double* out, int64 order, int64* ic, double* w)")
)
call_refresh = CallByAddress(parse_signature("int32(double t, double* y, int64* ic, double* w)"))
call_attempt = CallByAddress(parse_signature("int32(int64* c, double* r, double h)"))
call_interpolate = CallByAddress(parse_signature("int32(int64* c, double* r, double h, double theta, double* out)"))
call_accept = CallByAddress(parse_signature("void(int64* c, double* r, double h, double* new, double* derivative)"))
call_restart = CallByAddress(parse_signature("void(int64* c, double* r)"))
call_clock = CallByAddress(parse_signature("int32(int64 choice, int64* ticks)"))
call_counter = CallByAddress(parse_signature("int32(int64* ticks)"))


@dataclass(frozen=True)
class PointerAt:
    """``name(address)``: the pointer to numbers at an address."""

    type: str

    def __call__(self, address: int) -> Any:
        raise TypeError("an address becomes a pointer in compiled kernels only")


doubles = PointerAt("double*")
integers = PointerAt("int64*")


def at(pointer: Any, index: int) -> Any:
    """Pointer to element *index* of *pointer*; from Python: the rest of an array."""
    return pointer[index:]
