"""A mechanism whose motion is prescribed, followed from position to position: see ``kernels/displacement.py``."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.kernels import displacement_slots as slots
from linkwork.numerics.loader import kernel_address

Array = NDArray[np.float64]
METHODS = {
    "newton": slots.NEWTON,
    "damped": slots.DAMPED,
    "modified": slots.MODIFIED,
    "least_squares": slots.LEAST_SQUARES,
}


FEW = 100  # positions that are found before anybody could interrupt
WATCH = 0.1  # s


@dataclass(frozen=True, eq=False)
class PrescribedSystem:
    """Conditions that determine the positions q at every time, as compiled functions of (t, y = [q, v, s], p).

    gap: Φ (m); closure: Φ, C (m, nv) and a (m) with Φ̇ = C v + a; bend: b with Φ̈ = C v̇ + b; jerk: d/dt (C v̇ + b) less
    C v̈, of (t, [y, v̇], p); retract: q ⊕ δ or 0; count: s, with its turns counted, or 0
    rank: how many rows are independent; scale (nv): typical sizes of the coordinates
    """

    sizes: tuple[int, int, int, int]  # nq, nv, ns, m
    gap: int
    closure: int
    bend: int
    jerk: int
    retract: int
    count: int
    rank: int
    scale: Array
    p: Array
    keepalive: tuple[object, ...] = ()


@dataclass(frozen=True, eq=False)
class Displacements:
    """Positions at the times that were reached: y (k, n), v̇ and v̈ (k, nv), iterations of each (k), and the costs."""

    y: Array
    vdot: Array
    jerk: Array
    iterations: NDArray[np.int64]
    reached: float  # time
    last: Array  # (n) the state there
    steps: int
    rejected: int
    factorisations: int
    evaluations: int
    wall_time: float
    interrupted: bool = False


def follow(
    system: PrescribedSystem,
    times: Array,
    y: Array,
    *,
    method: str = "modified",
    prediction: int = 1,
    derivatives: int = 3,
    tolerance: float = 1e-12,
    limit: int = 40,
    along: Array | None = None,
) -> Displacements:
    """Follow the motion through increasing times from the closed position y at the first of them.

    prediction: order of the first approximation, 0 to 2; derivatives: 3 up to the jerk, 0 positions alone (the prediction
    needs as many as its order); tolerance: of Φ, as a part of the size of the mechanism; limit: most iterations
    along (N, np): the parameters up to every time and at it, where they change from one to the next
    """
    order = max(derivatives, prediction)
    settings = {slots.METHOD: METHODS[method], slots.ORDER: prediction, slots.DERIVATIVES: order, slots.LIMIT: limit}
    return _run("follow", _changing(system, along), times, np.atleast_2d(y), settings, tolerance, along)


def complete(system: PrescribedSystem, times: Array, y: Array, along: Array | None = None) -> Displacements:
    """The derivatives at positions that are known: y (N, n) at all times, of which only q and the first s are read."""
    settings = {slots.METHOD: slots.NEWTON, slots.DERIVATIVES: 3}
    return _run("complete", _changing(system, along), times, y, settings, 0.0, along)


def _changing(system: PrescribedSystem, along: Array | None) -> PrescribedSystem:
    """A system with parameters of its own where the kernel writes into them."""
    return system if along is None else replace(system, p=system.p.copy())


def _run(
    kernel: str,
    system: PrescribedSystem,
    times: Array,
    y: Array,
    settings: Mapping[int, int],
    tolerance: float,
    along: Array | None,
) -> Displacements:
    nv, n, points = system.sizes[1], sum(system.sizes[:3]), len(times)
    ic, w, offsets = _allocate(system)
    states, vdot, jerk = np.zeros((points, n)), np.zeros((points, nv)), np.zeros((points, nv))
    spent, grid = np.zeros(points, dtype=np.int64), np.ascontiguousarray(times, dtype=np.float64)
    states[: len(y)] = y
    arrays = {slots.TIMES: grid, slots.STATES: states, slots.ACCELERATIONS: vdot, slots.JERKS: jerk, slots.SPENT: spent}
    for slot, value in {**settings, slots.POINTS: points}.items():
        ic[slot] = value
    for slot, array in arrays.items():
        ic[slot] = array.ctypes.data
    if along is not None:
        along = np.ascontiguousarray(along, dtype=np.float64)
        ic[slots.ALONG], ic[slots.NP] = along.ctypes.data, along.shape[1]
    w[slots.TOLERANCE] = tolerance
    kind: Any = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    function = kind(kernel_address(f"displacement.{kernel}"))
    began = perf_counter()
    found, interrupted = _watched(function, ic, w)
    taken = perf_counter() - began
    last = w[offsets[slots.NOW] :][:n].copy()
    return Displacements(
        y=states[:found],
        vdot=vdot[:found],
        jerk=jerk[:found],
        iterations=spent[:found],
        reached=float(w[slots.REACHED]),
        last=last,
        steps=int(ic[slots.STEPS]),
        rejected=int(ic[slots.REJECTED]),
        factorisations=int(ic[slots.FACTORISATIONS]),
        evaluations=int(ic[slots.EVALUATIONS]),
        wall_time=taken,
        interrupted=interrupted,
    )


def _watched(function: Any, ic: NDArray[np.int64], w: Array) -> tuple[int, bool]:
    """How many positions the kernel found, and whether Ctrl-C ended it: it runs beside, and is told to stop."""
    if ic[slots.POINTS] < FEW or threading.current_thread() is not threading.main_thread():
        return int(function(ic.ctypes.data, w.ctypes.data)), False
    found: list[int] = []
    done, interrupted = threading.Event(), False

    def work() -> None:
        try:
            found.append(int(function(ic.ctypes.data, w.ctypes.data)))
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    while not done.is_set():
        try:
            done.wait(WATCH)
        except KeyboardInterrupt:
            ic[slots.STOP], interrupted = 1, True
    return found[0], bool(interrupted and found[0] < ic[slots.POINTS])


def _allocate(system: PrescribedSystem) -> tuple[NDArray[np.int64], Array, dict[int, int]]:
    nq, nv, ns, m = system.sizes
    n = nq + nv + ns
    needs = {
        slots.SCALE: nv, slots.WEIGHTS: m, slots.MATRIX: nv * (m + nv), slots.TAU: max(m, nv), slots.NORMS: max(m, nv),
        slots.RIGHT: m, slots.STEP: nv, slots.OUT: m * (nv + 2), slots.NOW: n + 2 * nv, slots.BASE: n + 2 * nv,
        slots.EXTENDED: n + nv, slots.MOVED: max(nq, ns), slots.BEFORE: nq,
    }  # fmt: skip
    ic = np.zeros(slots.SIZE + max(m, 1), dtype=np.int64)
    offsets, place = {}, slots.NUMBERS
    for slot, size in needs.items():
        offsets[slot] = ic[slot] = place
        place += size
    ic[slots.PIVOTS] = slots.SIZE
    ic[[slots.NQ, slots.NV, slots.NS, slots.M, slots.RANK]] = *system.sizes, system.rank
    addresses: Sequence[int] = (system.gap, system.closure, system.bend, system.jerk, system.retract, system.count)
    ic[[slots.GAP, slots.CLOSURE, slots.BEND, slots.JERK, slots.RETRACT, slots.COUNT]] = addresses
    ic[slots.PARAMETERS] = system.p.ctypes.data
    w = np.zeros(place)
    w[offsets[slots.SCALE] :][:nv] = system.scale
    return ic, w, offsets
