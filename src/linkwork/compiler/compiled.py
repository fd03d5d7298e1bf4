"""One function of a program, callable with arrays; its code is made at its first use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.compiler.backends.base import Backend, FunctionCode, SeriesCode, Source
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.llvm.batch import run_batch
from linkwork.compiler.llvm.from_python import PlainCall, plain_call
from linkwork.compiler.recurrences import states_read

WORTHWHILE = 10_000  # samples that take CasADi's evaluator as long as a compilation


_always: list[None] = []  # one for each who wants everything compiled


@contextmanager
def always_compiled() -> Iterator[None]:
    """Everything is compiled, also for few samples: last digits do not depend on how many there were before."""
    _always.append(None)
    try:
        yield
    finally:
        _always.pop()


class CompiledFunction:
    """out = f(t, y, p), with t the time, y the state (ny,), p the live parameters (np,), out (nout,)."""

    def __init__(self, name: str, function: ca.Function, backend: Backend, seldom: bool = False) -> None:
        self.name = name
        self.backend = backend
        self._source = Source(function, seldom)
        self._codes: dict[str, FunctionCode] = {}
        self._series: dict[frozenset[int], SeriesCode] = {}
        self._interpreted = 0

    @property
    def instructions(self) -> Instructions:
        """The instruction list of the function."""
        return self._source.instructions

    @property
    def operations(self) -> int:
        """How many operations an evaluation takes, before the backend looks at them."""
        return int(self._source.function.n_instructions())

    def __reduce__(self) -> tuple[object, ...]:
        return CompiledFunction, (self.name, self._source.function, self.backend, self._source.seldom)

    @cached_property
    def size_y(self) -> int:
        """Length of the state y."""
        return int(self._source.function.numel_in(1))

    @cached_property
    def size_p(self) -> int:
        """Length of the live parameters p."""
        return int(self._source.function.numel_in(2))

    @cached_property
    def size_out(self) -> int:
        """Length of the output: all outputs of the function, dense, one after another, column by column."""
        function = self._source.function
        return sum(int(function.numel_out(i)) for i in range(function.n_out()))

    @property
    def codes(self) -> dict[str, FunctionCode]:
        """The code made so far: 'scalar', 'lanes'."""
        return dict(self._codes)

    @property
    def address(self) -> int:
        """Address of ``void f(double t, const double *y, const double *p, double *out)``; out overlaps no input."""
        return self._code("scalar").address

    @property
    def lanes_address(self) -> int:
        """Address of ``void f(const double *t, const double *y, const double *p, double *out)`` for eight lanes.

        Element e of lane l lies at 8 e + l in each array.
        """
        return self._code("lanes").address

    def text(self) -> str:
        """The module of LLVM that defines the function, without an address of any machine."""
        return self.backend.text(self._source)

    def states_read(self) -> frozenset[int]:
        """Places in y that the outputs depend on."""
        return states_read(self.instructions, range(self.size_out))

    def series(self, states: frozenset[int]) -> SeriesCode:
        """Code for the power series of the *states* of ẏ = f(t, y, p), where the function gives [ẏ, ...]."""
        if states not in self._series:
            self._series[states] = self.backend.series(self._source, states)
        return self._series[states]

    def __call__(self, t: float, y: ArrayLike, p: ArrayLike = ()) -> NDArray[np.float64]:
        """Evaluate once: y (ny,), p (np,); return (nout,)."""
        found = self._call(t, y, p, np.empty(self.size_out))
        if found is None:
            y, p = self._vector("y", y, self.size_y), self._vector("p", p, self.size_p)
            found = self._call(float(t), y, p, np.empty(self.size_out))
            assert found is not None, "arrays that were made for the call are plain"
        return found

    def batch(self, t: ArrayLike, y: ArrayLike, p: ArrayLike = ()) -> NDArray[np.float64]:
        """Evaluate for N samples in a compiled loop, eight at a time; return (N, nout).

        t: (N,) or one time for all; y: (N, ny); p: (np,) for all samples or (N, np).
        """
        return run_batch(self.lanes_address, self.size_out, *self._samples(t, y, p))

    def sample(self, t: ArrayLike, y: ArrayLike, p: ArrayLike = ()) -> NDArray[np.float64]:
        """The same for what is asked for once or a few times: as long as that is quicker, nothing is compiled for it."""
        times, states, parameters = self._samples(t, y, p)
        if _always or "lanes" in self._codes or self._interpreted + len(states) > WORTHWHILE:
            return run_batch(self.lanes_address, self.size_out, times, states, parameters)
        self._interpreted += len(states)
        each = np.ascontiguousarray(np.broadcast_to(parameters, (len(states), self.size_p)))
        return self._source.interpreter(times, states, each)

    def unpack(self, out: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Cut an output (..., nout) into the outputs of the function by name, each (..., rows, columns)."""
        parts = {}
        offset = 0
        function = self._source.function
        for i in range(function.n_out()):
            rows, columns = function.size_out(i)
            part = out[..., offset : offset + rows * columns]
            parts[function.name_out(i)] = part.reshape(*out.shape[:-1], columns, rows).swapaxes(-1, -2)
            offset += rows * columns
        return parts

    def __repr__(self) -> str:
        sizes = f"{self.name}(t, y[{self.size_y}], p[{self.size_p}]) -> out[{self.size_out}]"
        return f"<CompiledFunction {sizes}, {self.backend.name}>"

    @cached_property
    def _call(self) -> PlainCall:
        """What evaluates plain arrays, and nothing else."""
        code = self._code("scalar")
        return plain_call(code.address, (self.size_y, self.size_p, self.size_out), code)

    def _code(self, form: str) -> FunctionCode:
        if form not in self._codes:
            make = self.backend.scalar if form == "scalar" else self.backend.lanes
            self._codes[form] = make(self._source)
        return self._codes[form]

    def _samples(self, t: ArrayLike, y: ArrayLike, p: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        """t (N,), y (N, ny) and p, checked and contiguous."""
        states = np.ascontiguousarray(y, dtype=np.float64)
        if states.ndim != 2 or states.shape[1] != self.size_y:
            raise ValueError(f"function '{self.name}': y has the shape {states.shape}, it must be (N, {self.size_y})")
        count = len(states)
        times = np.asarray(t, dtype=np.float64)
        if times.shape not in ((), (count,)):
            raise ValueError(
                f"function '{self.name}': t has the shape {times.shape}, it must be ({count},) or a number"
            )
        parameters = np.ascontiguousarray(p, dtype=np.float64)
        if parameters.shape not in ((self.size_p,), (count, self.size_p)):
            valid = f"({self.size_p},) or ({count}, {self.size_p})"
            raise ValueError(f"function '{self.name}': p has the shape {parameters.shape}, it must be {valid}")
        return np.ascontiguousarray(np.broadcast_to(times, (count,))), states, parameters

    def _vector(self, letter: str, values: ArrayLike, size: int) -> NDArray[np.float64]:
        """An array of our own with these values."""
        array = np.asarray(values, dtype=np.float64)
        if array.size != size or array.ndim > 1:
            raise ValueError(f"function '{self.name}': {letter} has the shape {array.shape}, it must be ({size},)")
        found = np.empty(size)
        found[:] = array
        return found
