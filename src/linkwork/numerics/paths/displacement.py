"""A mechanism whose motion is prescribed, followed from position to position: see ``kernels/constrained/following.py``."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.kernels.constrained import displacement as kernels
from linkwork.numerics.kernels.constrained import following
from linkwork.numerics.kernels.constrained.displacement import Displacement
from linkwork.numerics.kernels.language.calling import Kernel, MachineCode
from linkwork.numerics.loader import compiled
from linkwork.numerics.policy import POLICY
from linkwork.progress import working

METHODS = {
    "newton": kernels.NEWTON,
    "damped": kernels.DAMPED,
    "modified": kernels.MODIFIED,
    "least_squares": kernels.LEAST_SQUARES,
}


FEW = 100  # positions that are found before anybody could interrupt
WATCH = 0.1  # s
IMPROVED = POLICY.improved
SHARP = 12  # iterations of that


@dataclass(frozen=True, eq=False)
class PrescribedSystem:
    """Conditions that determine the positions q at every time, as compiled functions of (t, y = [q, v, s], p).

    gap: Φ (m); closure: Φ, C (m, nv) and a (m) with Φ̇ = C v + a; bend: b with Φ̈ = C v̇ + b; jerk: d/dt (C v̇ + b) less
    C v̈, of (t, [y, v̇], p); retract: q ⊕ δ; count: s, with its turns counted, where there are
    rank: how many rows are independent; scale (nv): typical sizes of the coordinates
    lengths (m): the greatest lengths of rows of C, each in units of the scale, that have been seen; they grow
    rows: C, in units of the scale, at some times, states and parameters (N × np, or None where they stay p): (N, m, nv)
    """

    sizes: tuple[int, int, int, int]  # nq, nv, ns, m
    functions: Mapping[str, MachineCode]
    rank: int
    scale: Array
    p: Array
    lengths: Array
    rows: Callable[[Array, Array, Array | None], Array]


@dataclass(frozen=True, eq=False)
class Displacements:
    """Positions at the times that were reached: y (k, n), v̇ and v̈ (k, nv), iterations of each (k), and the costs.

    pivots (k): how independent the conditions are there
    """

    y: Array
    vdot: Array
    jerk: Array
    iterations: NDArray[np.int64]
    pivots: Array
    reached: float  # time
    last: Array  # (n) the state there
    steps: int
    rejected: int
    factorisations: int
    evaluations: int
    wall_time: float
    interrupted: bool = False
    passed: tuple[float, ...] = ()  # times of singular positions through which the motion goes on smoothly
    near: tuple[tuple[float, float], ...] = ()  # between these times branches do not meet, however near they come
    singular: NDArray[np.intp] | None = None  # positions that are singular themselves
    lost: float | None = None  # time of one where it could not be told how it goes on


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
    settings = {"method": METHODS[method], "prediction": prediction, "derivatives": order, "limit": limit}
    return _run(following.follow, system, times, np.atleast_2d(y), along, tolerance=tolerance, **settings)


def complete(
    system: PrescribedSystem, times: Array, y: Array, along: Array | None = None, *, improve: bool = False
) -> Displacements:
    """The derivatives at positions that are known: y (N, n) at all times, of which only q and the first s are read.

    improve: the positions are nearly known, and first brought onto the conditions by Newton's method
    """
    settings = {"tolerance": IMPROVED, "limit": SHARP, "improve": int(improve)}
    return _run(following.complete, system, times, y, along, method=kernels.NEWTON, derivatives=3, **settings)


def without_first(found: Displacements) -> Displacements:
    """The positions behind the first one."""
    return replace(
        found,
        y=found.y[1:],
        vdot=found.vdot[1:],
        jerk=found.jerk[1:],
        iterations=found.iterations[1:],
        pivots=found.pivots[1:],
    )


def _run(
    kernel: Kernel[[Displacement], int],
    system: PrescribedSystem,
    times: Array,
    y: Array,
    along: Array | None,
    **settings: float,
) -> Displacements:
    d = _lay_out(system, np.ascontiguousarray(times, dtype=np.float64), along, settings)
    d.states[: y.size] = y.ravel()
    began = perf_counter()
    found, interrupted = _watched(compiled(kernel), d)
    taken = perf_counter() - began
    return Displacements(
        y=d.states.reshape(-1, d.n)[:found],
        vdot=d.accelerations.reshape(-1, d.nv)[:found],
        jerk=d.jerks.reshape(-1, d.nv)[:found],
        iterations=d.spent[:found],
        pivots=d.smallest[:found],
        reached=d.reached,
        last=d.y.copy(),
        steps=d.steps,
        rejected=d.rejected,
        factorisations=d.factorisations,
        evaluations=d.evaluations,
        wall_time=taken,
        interrupted=interrupted,
    )


def _lay_out(
    system: PrescribedSystem, times: Array, along: Array | None, settings: Mapping[str, float]
) -> Displacement:
    nq, nv, ns, m = system.sizes
    changing = None if along is None else np.ascontiguousarray(along, dtype=np.float64)
    d = Displacement(
        nq=nq,
        nv=nv,
        ns=ns,
        m=m,
        holonomic=m,
        every=m,
        every_position=m,
        n=nq + nv + ns,
        rank=system.rank,
        **{name: system.functions.get(name) for name in ("gap", "closure", "bend", "jerk", "retract", "count")},
        # the kernel writes into parameters that change
        p=system.p if changing is None else system.p.copy(),
        along=changing,
        np=0 if changing is None else changing.shape[1],
        points=times.size,
        times=times,
        states=np.zeros(times.size * (nq + nv + ns)),
        accelerations=np.zeros(times.size * nv),
        jerks=np.zeros(times.size * nv),
        spent=np.zeros(times.size, np.int64),
        smallest=np.zeros(times.size),
        greatest=system.lengths,
        **settings,
    )
    d.scale[:] = system.scale
    return d


def _watched(function: Callable[[Displacement], int], d: Displacement) -> tuple[int, bool]:
    """How many positions the kernel found, and whether Ctrl-C ended it: it runs beside, and is told to stop."""
    if d.points < FEW or threading.current_thread() is not threading.main_thread():
        return function(d), False
    found: list[int] = []
    done, interrupted = threading.Event(), False

    def work() -> None:
        try:
            found.append(function(d))
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    first, length = d.times[0], d.times[-1] - d.times[0]
    with working("solving the kinematics") as tell:
        while not done.is_set():
            try:
                done.wait(WATCH)
                if tell is not None and length > 0.0:
                    tell((d.reached - first) / length)
            except KeyboardInterrupt:
                d.stop, interrupted = 1, True
    return found[0], bool(interrupted and found[0] < d.points)
