"""How far the conditions of a large system are from losing their independence, at many states."""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.flows.context import ConstrainedSystem, allocate
from linkwork.numerics.kernels.constrained.sparse_passes import lengthen_rows, smallest_pivots
from linkwork.numerics.loader import compiled


class Pivots:
    """The smallest pivot of the conditions at states of a run, over the greatest lengths that their rows have in it.

    rank: the greatest of all states, 0 where there is nothing to look at; smallest: (N) at these states; lengths: (m) of
    all rows, also of those that do not hold
    """

    def __init__(self, system: ConstrainedSystem, t: Array, y: Array) -> None:
        self._memory = allocate(system, entrywise=True)
        times, states = np.ascontiguousarray(t), np.ascontiguousarray(y)
        self.rank, self.smallest = 0, np.zeros(len(t))
        if compiled(lengthen_rows)(len(times), times, states, self._memory) == 0:
            self.rank, self.smallest = self._measured(times, states, 0)
            self.rank, self.smallest = self._measured(times, states, self.rank)
        memory = self._memory
        self.lengths = np.ones(memory.every)
        self.lengths[memory.active[: memory.m]] = np.maximum(memory.lengths[: memory.m], 1e-300)

    def at(self, t: Array, y: Array) -> Array:
        """(N) at other states, 0 where rank is missing."""
        return self._measured(np.ascontiguousarray(t), np.ascontiguousarray(y), self.rank)[1]

    def _measured(self, t: Array, y: Array, rank: int) -> tuple[int, Array]:
        out = np.zeros(len(t))
        found = int(compiled(smallest_pivots)(len(t), t, y, rank, out, self._memory))
        return max(found, 0), out
