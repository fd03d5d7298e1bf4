"""The clock of the machine as compiled code reads it: by the address of a function of the operating system."""

from __future__ import annotations

import ctypes
import sys
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.kernels.stepping.realtime import COUNTER, TIMESPEC


@dataclass(frozen=True)
class Clock:
    """A clock that does not go back: *address* of its function, its *kind* and *choice*, and its *tick* in s."""

    address: int
    kind: int
    choice: int
    tick: float


CLOCKS = ("wall", "processor")


@cache
def clock(name: str = "wall") -> Clock:
    """The steady clock of this machine; 'processor' counts only while this thread is running."""
    if name not in CLOCKS:
        raise RefusedError(f"clock = '{name}'; {did_you_mean(name, CLOCKS)}")
    if sys.platform == "win32":
        if name == "processor":
            raise RefusedError("clock = 'processor': this system has no such clock; take 'wall'")
        kernel = ctypes.windll.kernel32
        rate = ctypes.c_int64()
        kernel.QueryPerformanceFrequency(ctypes.byref(rate))
        return Clock(_address(kernel.QueryPerformanceCounter), COUNTER, 0, 1.0 / rate.value)
    choice = time.CLOCK_MONOTONIC if name == "wall" else time.CLOCK_THREAD_CPUTIME_ID
    return Clock(_address(ctypes.CDLL(None).clock_gettime), TIMESPEC, choice, 1e-9)


def _address(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)
