"""What is integrated: right-hand sides and event functions, by name; the memory of a run has their machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.arrays import Array
from linkwork.numerics.kernels.language.calling import Kernel, MachineCode
from linkwork.numerics.kernels.language.records import FlowFunction, Ints, ModelFunction, Record, RefreshFunction
from linkwork.numerics.kernels.stepping.advance import evaluate_samples, refresh_samples
from linkwork.numerics.kernels.stepping.status import ATTEND
from linkwork.numerics.loader import compiled

AnyKernel = Kernel[..., Any]


@dataclass(frozen=True)
class StateMaps:
    """Maps between the state y that the outside knows and the state of *size* numbers that a flow integrates.

    encode, decode: ``int32 map(double t, double* from, double* to, void* memory)``; < 0 fails
    """

    size: int
    encode: AnyKernel
    decode: AnyKernel


@dataclass(frozen=True, eq=False)
class ImplicitEquations:
    """F(t, y, k) = 0 in n states and their rates, in compiled code; matrices are column-major.

    residual, tangent: see `ResidualFunction` and `TangentFunction`; memory: that of both
    positions: how many states come first whose rates follow from the others
    levels: (n) powers of the step size that errors of states are multiplied by
    grades: (n) how often a state is differentiated, forces like accelerations: matrices are scaled by these powers of 1/τ
    rated: how many states come first that have rates, and are found to the whole tolerance whatever their level
    """

    residual: AnyKernel
    tangent: AnyKernel
    memory: Record
    size: int
    positions: int = 0
    levels: Sequence[float] | Array | None = None
    grades: Sequence[float] | Array | None = None
    rated: int = 0


@dataclass(frozen=True, eq=False)
class Solver:
    """What finds implicit stages of a flow, with the memory that belongs to it.

    solve: ``int32 solve(double t, double tau_q, double tau, double* hat, double* y, double* k, void* memory)``;
        finds y and k with y = hat + tau k that satisfy the equations at t, from a first y; positions have tau_q in the
        place of tau. Returns how many iterations it took, < 0: failure
    memory: its own; that of ``kernels/stepping/newton.py`` has the equations F(t, y, k) = 0 and their derivatives at hand,
        which methods need that solve all stages of a step at once
    levels: (n) powers of the step size that errors of states are multiplied by; None: none
    tolerate: is told the tolerances of a run before it starts: rtol, and atol (n); None for steps of fixed size
    counters: what it has done so far, by name
    equations: those that it solves, where it is Newton's method that does
    """

    solve: AnyKernel
    memory: Record
    equations: ImplicitEquations | None = None
    levels: Array | None = None
    tolerate: Callable[[float, Array | None], None] | None = None
    counters: Callable[[], dict[str, int]] | None = None


@dataclass(frozen=True, eq=False)
class Energy:
    """The energy of what a flow integrates, for methods that keep it.

    function: of (t, [y, v̇], p) with the energy, the power that changes it, and its kinetic part
    velocities: how many states behind the positions are velocities v
    """

    function: MachineCode
    p: Array
    velocities: int


@dataclass(frozen=True, eq=False)
class Series:
    """Code that fills the power series of a state, with the work that it needs up to the longest order.

    function: ``void series(double t, double* y, double* p, double* out, double* work, int64 order)``, out (order + 1, n)
    """

    function: MachineCode
    work: Array


@dataclass(frozen=True, eq=False)
class Flow:
    """ẏ = f(t, y) in compiled code, with the memory that belongs to it.

    flow: ``int32 flow(double t, double* y, double* ydot, void* memory)``; may correct y; < 0 fails
    refresh: ``int32 refresh(double t, double* y, void* memory)``; returns 1 when the
        derivative must be evaluated again, 2 when its owner should be called, 3 when the state means something else
        now, so that former states are no history of it, 4 when that concerns more than positions, < 0: failure
    energy: of the state, for methods that keep it
    memory: that of all of them, only passed on; one run at a time
    attend: the owner, called between two steps when the refresh asks for it
    own: where the state that is integrated is not the one that the outside gives and sees
    positions: how many states come first whose rates follow from the others
    solver: of implicit stages. Where the flow comes with one, the equations are those of such stages, and the flow only
        gives derivatives at the start
    series: ``int32 series(double t, double* y, double* out, int64 order, void* memory)``; fills
        out (order + 1, n) with the coefficients of the power series of the state from y at t; states that the refresh
        gives may stay 0 from order 1 on. < 0: there is no series here
    slope: ``int32 slope(double t, double* y, double* out, void* memory)``; ∂ẏ/∂y (n, n) as the
        flow has it, column-major. Returns 1 where it is not known, < 0: failure
    reads: which states the flow reads in the next step, behind how many they are (-1: any of them); the others are those
        that the refresh gives
    start: ``int32 start(double t, double* y, void* memory)``; chooses what a run begins with, < 0: failure
    """

    flow: AnyKernel
    refresh: AnyKernel | None = None
    memory: Record = field(default_factory=Record)
    attend: Callable[[], None] | None = None
    own: StateMaps | None = None
    positions: int = 0
    solver: Solver | None = None
    energy: Energy | None = None
    series: AnyKernel | None = None
    slope: AnyKernel | None = None
    start: AnyKernel | None = None
    reads: Ints | None = None

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What runs of this flow have in common, by their methods."""
        return {}

    def look_after(self) -> None:
        """Do what the refresh has asked for."""
        if self.attend is not None:
            self.attend()

    def begin(self, t: float, y: ArrayLike) -> int:
        """Choose what a run begins with, from a state that stays as it is. Returns the code of a failure < 0."""
        if self.start is None:
            return 0
        start, state = compiled(self.start), np.array(y, dtype=np.float64)
        code = int(start(t, state, self.memory))
        if code == ATTEND:
            self.look_after()
            code = int(start(t, state, self.memory))
        return code

    def evaluate(self, t: float, y: Array, ydot: Array) -> int:
        """Call the flow once; y may be corrected. Returns its code."""
        return int(compiled(self.flow)(t, y, ydot, self.memory))

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

    def _translate(self, kernel: AnyKernel, t: float, given: Array, found: Array) -> None:
        if compiled(kernel)(t, given, found, self.memory) < 0:
            found.fill(np.nan)

    def correct(self, t: float, y: Array) -> int:
        """Call the refresh once, if there is one: corrects y in place. Returns its code."""
        return 0 if self.refresh is None else int(compiled(self.refresh)(t, y, self.memory))


@dataclass(frozen=True, eq=False)
class Events:
    """Functions of the state whose zeros are located during the integration.

    function: g(t, y, p) with *count* values
    p: parameters of g
    directions: per function, +1 = only from negative to positive, -1 = only from positive to negative, 0 = both;
        HELD = it must be positive: also where it was not so at the start of a step and is negative at its end;
        WATCHED = HELD, and looked at inside the steps, as +1, -1 and 0 are too
    terminal: per function, whether its zero ends the run
    rounding: per function, how large its rounding errors may be; one that is held is negative where it is so by more
    """

    function: MachineCode | None
    count: int
    p: ArrayLike = ()
    directions: ArrayLike = 0
    terminal: ArrayLike = False
    rounding: ArrayLike = 0.0

    def evaluate(self, t: float, y: Array, p: Array, values: Array) -> None:
        """Call the event functions once."""
        if self.function is not None:
            ModelFunction(self.function)(t, y, p, values)


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
    if flow.refresh is None:
        return y
    times, states = np.ascontiguousarray(t), np.array(y, dtype=np.float64, order="C")
    count, n = states.shape
    compiled(refresh_samples)(n, count, RefreshFunction(flow.refresh), times, states, flow.memory)
    return states
