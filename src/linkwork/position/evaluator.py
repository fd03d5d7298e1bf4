"""Residuals and readings of all conditions at given poses, with their derivatives, as compiled functions give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import casadi as ca
import numpy as np

from linkwork.numerics.matrices.long_rows import AnyRows, LongRows
from linkwork.position.geometry import Array, Pose

Poses: TypeAlias = Mapping[str, Pose]
MANY = 200  # unknowns, above which matrices are sparse


class Evaluator:
    """What ``PoseConditions.evaluate`` does, at fixed parameters and without the cost of CasADi's calls.

    It has memory of its own, so that each thread needs one of its own.
    """

    def __init__(
        self,
        function: ca.Function,
        patterns: Mapping[int, LongRows],
        pack: Callable[[Poses], Array],
        p: Array,
        time: float,
    ) -> None:
        self._pack, self._patterns = pack, patterns
        self._inputs = [np.zeros(function.numel_in(0)), p, np.array([time])]
        self._outputs = [np.zeros(function.nnz_out(i)) for i in range(function.n_out())]
        buffer: Any
        buffer, self._run = function.buffer()
        for i, given in enumerate(self._inputs):
            buffer.set_arg(i, given.data)
        for i, found in enumerate(self._outputs):
            buffer.set_res(i, found.data)
        self._buffer = buffer  # what runs does not hold it itself

    def __call__(self, poses: Poses) -> tuple[Array, Array, Array, Array]:
        """Residuals (m), their derivative (m × size), readings (r), their derivative (r × size)."""
        phi, slopes, values, rates = self.rows(poses)
        return phi, np.asarray(slopes), values, np.asarray(rates)

    def rows(self, poses: Poses) -> tuple[Array, AnyRows, Array, AnyRows]:
        """The same, where there are many unknowns with matrices that have their entries alone."""
        phi, values = self.numbers(poses)
        return phi, self._matrix(1), values, self._matrix(3)

    def numbers(self, poses: Poses) -> tuple[Array, Array]:
        """Residuals (m) and readings (r), without matrices."""
        self._inputs[0][:] = self._pack(poses)
        self._run()
        return self._outputs[0].copy(), self._outputs[2].copy()

    def _matrix(self, i: int) -> AnyRows:
        """A derivative as it has been found."""
        pattern = self._patterns[i]
        found = pattern.with_values(self._outputs[i][pattern.values.astype(np.intp)])
        return found if found.width > MANY else np.asarray(found)
