"""CasADi's own evaluator, called as compiled code is: slow, and what every other backend is compared with."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.compiler.backends.base import LANES_CALL, SCALAR_CALL, FunctionCode, SeriesCode, Source
from linkwork.compiler.interpreter import dense_function
from linkwork.compiler.llvm.width import LANES
from linkwork.errors import RefusedError


@dataclass(frozen=True)
class Reference:
    """Interpret the expressions; each call goes through Python."""

    @property
    def name(self) -> str:
        """The name that `build` knows it by."""
        return "reference"

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return "CasADi's evaluator: no compilation, slow, for comparison"

    def text(self, source: Source) -> str:
        """Refuse: nothing is compiled."""
        raise RefusedError("the backend 'reference' makes no code, so that nothing can be linked; take 'cpu'")

    def scalar(self, source: Source) -> FunctionCode:
        """Return a callback that evaluates the function once."""
        start = time.perf_counter()
        evaluator = _Evaluator(source.function)

        def call(t: float, y: int, p: int, out: int) -> None:
            evaluator.t[0] = t
            _copy(evaluator.y, y)
            _copy(evaluator.p, p)
            evaluator.run()
            ctypes.memmove(out, evaluator.out.ctypes.data, evaluator.out.nbytes)

        return _code(SCALAR_CALL(call), start)

    def lanes(self, source: Source) -> FunctionCode:
        """Return a callback that evaluates the function for eight lanes, one after another."""
        start = time.perf_counter()
        evaluator = _Evaluator(source.function)
        inputs = tuple(np.empty((array.size, LANES)) for array in (evaluator.t, evaluator.y, evaluator.p))
        out = np.empty((evaluator.out.size, LANES))

        def call(t: int, y: int, p: int, out_address: int) -> None:
            for array, address in zip(inputs, (t, y, p), strict=True):
                _copy(array, address)
            for lane in range(LANES):
                evaluator.t[:], evaluator.y[:], evaluator.p[:] = (array[:, lane] for array in inputs)
                evaluator.run()
                out[:, lane] = evaluator.out
            ctypes.memmove(out_address, out.ctypes.data, out.nbytes)

        return _code(LANES_CALL(call), start)

    def series(self, source: Source, states: frozenset[int]) -> SeriesCode:
        """Refuse: the evaluator knows no power series."""
        raise RefusedError("the backend 'reference' has no power series, which the Taylor method needs; take 'cpu'")


class _Evaluator:
    """A function with fixed places in memory for its inputs (t, y, p) and its dense, concatenated output."""

    def __init__(self, function: ca.Function) -> None:
        dense = dense_function(function)
        self.t, self.y, self.p = (np.zeros(dense.numel_in(i)) for i in range(3))
        self.out = np.zeros(dense.numel_out(0))
        self._buffer, self.run = _buffered(dense, (self.t, self.y, self.p), self.out)


def _buffered(
    function: ca.Function, inputs: tuple[NDArray[np.float64], ...], out: NDArray[np.float64]
) -> tuple[Any, Callable[[], None]]:
    buffer: Any
    buffer, run = function.buffer()
    for i, array in enumerate(inputs):
        if array.size:
            buffer.set_arg(i, array.data)
    if out.size:
        buffer.set_res(0, out.data)
    return buffer, run


def _copy(target: NDArray[np.float64], address: int) -> None:
    if target.nbytes:
        ctypes.memmove(target.ctypes.data, address, target.nbytes)


@dataclass(frozen=True, eq=False)
class _Callback:
    function: ctypes._FuncPointer

    def address(self, symbol: str) -> int:
        return int(ctypes.cast(self.function, ctypes.c_void_p).value or 0)


def _code(callback: ctypes._FuncPointer, start: float) -> FunctionCode:
    return FunctionCode("callback", False, time.perf_counter() - start, _Callback(callback))
