"""Expressions of t, y, v̇ and p at many states at once, by the expressions themselves: nothing is compiled.

What an audit looks at is the same for all runs of a mechanism. It is written once, as functions of the coordinates, and
stays with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any

import casadi as ca
import numpy as np

from linkwork.analysis.prepared.memo import of_noun
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates

Writer = Callable[[Coordinates, ca.SX], Sequence[ca.SX]]  # of coordinates and v̇
AT_ONCE = (128, 32, 8)  # states
NARROW = 64  # numbers of an expression whose columns are laid out as such
REPEATS = 1500  # nodes of expressions in which repeats are looked for: it takes a few microseconds each


class Written:
    """Expressions as columns (N, k) of numbers."""

    def __init__(self, c: Coordinates, write: Writer) -> None:
        vdot = ca.SX.sym("vdot", c.v.numel())
        parts = [ca.densify(ca.vec(item)) for item in write(c, vdot)]
        every = ca.vertcat(ca.SX(0, 1), *parts)
        if ca.n_nodes(every) < REPEATS:
            every = ca.cse(every)
        self._ends = np.cumsum([part.numel() for part in parts])
        self._function = ca.Function("audit", [ca.vertcat(c.t, c.y, vdot, c.p)], [ca.densify(every)])
        self._lock = Lock()
        self._runs: dict[int, tuple[Any, Callable[[], None]]] = {}
        self.is_zero, self.needs_accelerations = bool(every.is_zero()), bool(ca.depends_on(every, vdot))

    def _run(self, size: int) -> tuple[Any, Callable[[], None]]:
        """Memory of the arguments, and what evaluates so many states at once."""
        if size not in self._runs:
            self._runs[size] = self._function.map(size).buffer()
        return self._runs[size]

    def __call__(self, t: Array, y: Array, vdot: Array, p: Array) -> list[Array]:
        """Columns of each expression, (N, its size), at t (N), y (N, n), v̇ (N, nv), and p (np) or (N, np)."""
        if not len(self._ends):
            return []
        count = len(t)
        room = -(-count // AT_ONCE[-1]) * AT_ONCE[-1]
        found = np.zeros((room, self._ends[-1]))
        if found.size and not self.is_zero:
            given = np.empty((room, self._function.numel_in(0)))
            start = 0
            for values, size in ((t[:, None], 1), (y, y.shape[1]), (vdot, vdot.shape[1])):
                given[:count, start : start + size] = values
                start += size
            given[:count, start:] = p[..., : given.shape[1] - start]
            given[count:] = given[count - 1]  # the last one stands for the rest
            self._evaluate(given, found)
        parts = (found[:count, low:high] for low, high in pairwise([0, *self._ends]))
        # what is looked for along many states lies in columns, one behind the other
        return [part if part.shape[1] > NARROW else np.asfortranarray(part) for part in parts]

    def _evaluate(self, given: Array, found: Array) -> None:
        """From arguments (N, n) to expressions (N, k), where N is a multiple of the fewest that are evaluated at once."""
        first = 0
        with self._lock:
            for size in AT_ONCE:
                while first + size <= len(given):
                    buffer, run = self._run(size)
                    buffer.set_arg(0, given[first : first + size].data)
                    buffer.set_res(0, found[first : first + size].data)
                    run()
                    first += size


def written(c: Coordinates, write: Writer) -> Written:
    """What a function of a module writes, once for these coordinates."""
    return of_noun(c, "written", write, lambda: Written(c, write), most=None)
