"""The compiled right-hand side of Linkwork for programs that want a Python function: one call through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.linkwork_flow import fresh_flow, prepared

if TYPE_CHECKING:
    from linkwork.bench.task import Task

FLOW = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 3)


def rates_into(task: Task) -> tuple[Callable[[float, Array, Array], None], Array]:
    """f(t, y, out) with the least that Python can do, and the start. The memory of the flow lives with the function."""
    flow, start = fresh_flow(task), prepared(task)[1].copy()
    call, inner, found = FLOW(flow.flow.address), np.empty(start.size), np.empty(start.size)
    addresses = inner.ctypes.data, found.ctypes.data, flow.memory.address

    def rates(t: float, y: Array, out: Array, keep: object = flow) -> None:
        inner[:] = y
        call(t, *addresses)
        out[:] = found

    return rates, start
