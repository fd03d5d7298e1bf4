"""Expressions of t, y, v̇ and p at many states at once, by the expressions themselves: nothing is compiled.

What an audit looks at is the same for all runs of a mechanism. It is written once, as functions of the coordinates, and
stays with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.coordinates.numbering import Coordinates

Array = NDArray[np.float64]
Writer = Callable[[Coordinates, ca.SX], Sequence[ca.SX]]  # of coordinates and v̇
AT_ONCE = 128  # states


class Written:
    """Expressions as columns (N, k) of numbers."""

    def __init__(self, c: Coordinates, write: Writer) -> None:
        vdot = ca.SX.sym("vdot", c.v.numel())
        parts = [ca.densify(ca.vec(item)) for item in write(c, vdot)]
        every = ca.vertcat(ca.SX(0, 1), *parts)
        self._sizes = [part.numel() for part in parts]
        self._function = ca.Function("audit", [c.t, c.y, vdot, c.p], [ca.densify(every)])
        self._lock = Lock()
        self.is_zero, self.needs_accelerations = bool(every.is_zero()), bool(ca.depends_on(every, vdot))

    @cached_property
    def _run(self) -> tuple[Any, Callable[[], None]]:
        """Memory of the arguments, and what evaluates them AT_ONCE."""
        buffer, run = self._function.map(AT_ONCE).buffer()
        return buffer, run

    def __call__(self, t: Array, y: Array, vdot: Array, p: Array) -> list[Array]:
        """Columns of each expression, (N, its size), at t (N), y (N, n), v̇ (N, nv), and p (N, np)."""
        count, width = len(t), sum(self._sizes)
        found = np.zeros((-(-count // AT_ONCE) * AT_ONCE, width))
        if width and count and not self.is_zero:
            used = p[:, : self._function.numel_in(3)]
            given = [np.ascontiguousarray(array, dtype=np.float64) for array in (t[:, None], y, vdot, used)]
            with self._lock:
                for first in range(0, count, AT_ONCE):
                    self._some([array[first : first + AT_ONCE] for array in given], found[first : first + AT_ONCE])
        return np.split(found[:count], np.cumsum(self._sizes)[:-1], axis=1) if self._sizes else []

    def _some(self, given: list[Array], found: Array) -> None:
        """At no more than AT_ONCE states; where there are fewer, the last one stands for the rest."""
        buffer, run = self._run
        for i, array in enumerate(given):
            if array.size:
                if len(array) < AT_ONCE:
                    given[i] = np.empty((AT_ONCE, array.shape[1]))
                    given[i][: len(array)], given[i][len(array) :] = array, array[-1]
                buffer.set_arg(i, given[i].data)
        buffer.set_res(0, found.data)
        run()


_written: WeakKeyDictionary[Coordinates, dict[Writer, Written]] = WeakKeyDictionary()


def written(c: Coordinates, write: Writer) -> Written:
    """What a function of a module writes, once for these coordinates."""
    known = _written.setdefault(c, {})
    if write not in known:
        known[write] = Written(c, write)
    return known[write]
