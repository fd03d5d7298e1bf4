"""What is integrated: compiled right-hand sides and event functions, by address."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.numerics.integrators.base import Array
from linkwork.numerics.kernels.language.records import FlowFunction, Record, RefreshFunction
from linkwork.numerics.kernels.stepping.advance import evaluate_samples, refresh_samples
from linkwork.numerics.loader import compiled

POINTER = ctypes.c_void_p
FLOW = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, POINTER, POINTER, POINTER)
REFRESH = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, POINTER, POINTER)
MODEL = ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, POINTER, POINTER)


@dataclass(frozen=True)
class StateMaps:
    """Maps between the state y that the outside knows and the state of *size* numbers that a flow integrates.

    encode, decode: addresses of ``int32 map(double t, double* from, double* to, void* memory)``; < 0 fails
    """

    size: int
    encode: int
    decode: int


@dataclass(frozen=True, eq=False)
class Solver:
    """What finds implicit stages of a flow, with the memory that belongs to it.

    solve: address of ``int32 solve(double t, double tau_q, double tau, double* hat, double* y, double* k, void* memory)``;
        finds y and k with y = hat + tau k that satisfy the equations at t, from a first y; positions have tau_q in the
        place of tau. Returns how many iterations it took, < 0: failure
    memory: its own; that of ``kernels/stepping/newton.py`` has the equations F(t, y, k) = 0 and their derivatives at hand,
        which methods need that solve all stages of a step at once
    levels: (n) powers of the step size that errors of states are multiplied by; None: none
    tolerate: is told the tolerances of a run before it starts: rtol, and atol (n); None for steps of fixed size
    counters: what it has done so far, by name
    """

    solve: int
    memory: Record
    keepalive: tuple[Any, ...] = ()
    levels: Array | None = None
    tolerate: Callable[[float, Array | None], None] | None = None
    counters: Callable[[], dict[str, int]] | None = None


@dataclass(frozen=True, eq=False)
class Energy:
    """The energy of what a flow integrates, for methods that keep it.

    address: model function of (t, [y, v̇], p) with the energy, the power that changes it, and its kinetic part
    velocities: how many states behind the positions are velocities v
    """

    address: int
    p: Array
    velocities: int
    keepalive: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Series:
    """Code that fills the power series of a state, with the work that it needs up to the longest order.

    address: of ``void series(double t, double* y, double* p, double* out, double* work, int64 order)``, out (order + 1, n)
    """

    address: int
    work: Array
    keepalive: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Flow:
    """ẏ = f(t, y) in compiled code, with the memory that belongs to it.

    flow: address of ``int32 flow(double t, double* y, double* ydot, void* memory)``; may correct y; < 0 fails
    refresh: address of ``int32 refresh(double t, double* y, void* memory)``, 0 = none; returns 1 when the
        derivative must be evaluated again, 2 when its owner should be called, 3 when the state means something else
        now, so that former states are no history of it, 4 when that concerns more than positions, < 0: failure
    energy: of the state, for methods that keep it
    memory: that of all of them, only passed on; one run at a time
    keepalive: whatever must live as long as the addresses are used
    attend: the owner, called between two steps when the refresh asks for it
    own: where the state that is integrated is not the one that the outside gives and sees
    positions: how many states come first whose rates follow from the others
    solver: of implicit stages. Where the flow comes with one, the equations are those of such stages, and the flow only
        gives derivatives at the start
    series: address of ``int32 series(double t, double* y, double* out, int64 order, void* memory)``, 0 = none; fills
        out (order + 1, n) with the coefficients of the power series of the state from y at t; states that the refresh
        gives may stay 0 from order 1 on. < 0: there is no series here
    slope: address of ``int32 slope(double t, double* y, double* out, void* memory)``, 0 = none; ∂ẏ/∂y (n, n) as the
        flow has it, column-major. Returns 1 where it is not known, < 0: failure
    """

    flow: int
    refresh: int = 0
    memory: Record = field(default_factory=Record)
    keepalive: tuple[Any, ...] = ()
    attend: Callable[[], None] | None = None
    own: StateMaps | None = None
    positions: int = 0
    solver: Solver | None = None
    energy: Energy | None = None
    series: int = 0
    slope: int = 0

    def look_after(self) -> None:
        """Do what the refresh has asked for."""
        if self.attend is not None:
            self.attend()

    def evaluate(self, t: float, y: Array, ydot: Array) -> int:
        """Call the flow once; y may be corrected. Returns its code."""
        return int(FLOW(self.flow)(t, y.ctypes.data, ydot.ctypes.data, self.memory.address))

    def encode(self, t: float, y: Array) -> Array:
        """The state that is integrated, of a state y that the outside gives."""
        if self.own is None:
            return y
        inner = np.zeros(self.own.size)
        self._translate(self.own.encode, t, y, inner)
        return inner

    def decode(self, t: float, inner: Array, size: int) -> Array:
        """The state y (size) that the outside sees, of one that is integrated."""
        if self.own is None:
            return inner
        y = np.zeros(size)
        self._translate(self.own.decode, t, inner, y)
        return y

    def _translate(self, address: int, t: float, given: Array, found: Array) -> None:
        if FLOW(address)(t, given.ctypes.data, found.ctypes.data, self.memory.address) < 0:
            found.fill(np.nan)

    def correct(self, t: float, y: Array) -> int:
        """Call the refresh once, if there is one: corrects y in place. Returns its code."""
        if self.refresh == 0:
            return 0
        return int(REFRESH(self.refresh)(t, y.ctypes.data, self.memory.address))


@dataclass(frozen=True, eq=False)
class Events:
    """Functions of the state whose zeros are located during the integration.

    address: model function g(t, y, p) with *count* values
    p: parameters of g
    directions: per function, +1 = only from negative to positive, -1 = only from positive to negative, 0 = both;
        HELD = it must be positive: also where it was not so at the start of a step and is negative at its end;
        WATCHED = HELD, and looked at inside the steps, as +1, -1 and 0 are too
    terminal: per function, whether its zero ends the run
    rounding: per function, how large its rounding errors may be; one that is held is negative where it is so by more
    """

    address: int
    count: int
    p: ArrayLike = ()
    directions: ArrayLike = 0
    terminal: ArrayLike = False
    rounding: ArrayLike = 0.0
    keepalive: tuple[Any, ...] = ()

    def evaluate(self, t: float, y: Array, p: Array, values: Array) -> None:
        """Call the event functions once."""
        MODEL(self.address)(t, y.ctypes.data, p.ctypes.data, values.ctypes.data)


def evaluate_flow(flow: Flow, t: ArrayLike, y: ArrayLike) -> Array:
    """Derivatives ẏ (N, n) at the times t (N) and states y (N, n), which stay as they are; NaN where the flow fails."""
    states = np.ascontiguousarray(y, dtype=np.float64)
    times = np.ascontiguousarray(np.broadcast_to(np.asarray(t, dtype=np.float64), states.shape[:1]))
    count, n = states.shape
    rates, work = np.empty((count, n)), np.empty(max(n, 1))
    compiled(evaluate_samples)(n, count, FlowFunction(flow.flow), times, states, rates, flow.memory, work)
    return rates


def corrected_states(flow: Flow, t: Array, y: Array) -> Array:
    """States (N, n) at the times t (N) as the refresh of the flow corrects them, one after the other; NaN where it fails."""
    if flow.refresh == 0:
        return y
    times, states = np.ascontiguousarray(t), np.array(y, dtype=np.float64, order="C")
    count, n = states.shape
    compiled(refresh_samples)(n, count, RefreshFunction(flow.refresh), times, states, flow.memory)
    return states
