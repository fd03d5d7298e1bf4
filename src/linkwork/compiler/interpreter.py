"""Functions evaluated by CasADi for many samples at once, without compilation: for what is asked for once or twice.

A compilation takes as long as some ten thousand evaluations of the same list. See ``CompiledFunction.sample``.
"""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

PORTION = 512  # samples that are evaluated at once


def dense_function(function: ca.Function) -> ca.Function:
    """The function with one dense output: all of them, one after another, column by column."""
    inputs: Any = function.sx_in() if function.is_a("SXFunction") else function.mx_in()
    outputs: Any = function.call(inputs)
    return ca.Function(function.name(), inputs, [ca.vertcat(*(ca.vec(ca.densify(output)) for output in outputs))])


class Interpreter:
    """A function that CasADi evaluates for many samples."""

    def __init__(self, function: ca.Function) -> None:
        self._dense = dense_function(function)
        self._repeated: dict[int, ca.Function] = {}  # by the number of samples

    def __call__(self, t: NDArray[np.float64], y: NDArray[np.float64], p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Out (N, nout) of samples t (N), y (N, ny), p (N, np), all contiguous."""
        out = np.empty((len(t), self._dense.numel_out(0)))
        for first in range(0, len(t), PORTION):
            part = slice(first, first + PORTION)
            given, found = (t[part], y[part], p[part]), out[part]
            buffer: Any
            buffer, run = self._times(len(found)).buffer()
            for i, array in enumerate(given):
                if array.size:
                    buffer.set_arg(i, array.data)
            if found.size:
                buffer.set_res(0, found.data)
                run()
        return out

    def _times(self, count: int) -> ca.Function:
        if count not in self._repeated:
            self._repeated[count] = self._dense.map(count)
        return self._repeated[count]
