"""Flows of systems whose dependent states are given by formulas, with several variants of them.

Nothing here knows mechanics: variants, blocks and selectors are numbers, the caller names them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.constrained import LOG_LIMIT
from linkwork.numerics.context import ConstrainedSystem, Failure, allocate, failure_of
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.kernels import explicit_slots as slots
from linkwork.numerics.kernels import slots as net_slots
from linkwork.numerics.loader import kernel_address

FAILURES = {
    slots.BRANCH_ENDS: "the branch of a closed loop ends here (dead centre)",
    slots.NOT_CONVERGED: "a block of closing conditions cannot be met near the last position",
    slots.BLOCK_SINGULAR: "a block of closing conditions is singular (dead centre)",
    slots.NOT_FINITE: "a value of the model is not finite",
}


@dataclass(frozen=True)
class IteratedBlock:
    """A block for Newton's method: address of its function [Φ (n), dΦ (n, n)] and the places of its unknowns in v."""

    residual: int
    unknowns: tuple[int, ...]


@dataclass(frozen=True)
class Variant:
    """Addresses of the functions of one variant (flow, state, select), its selectors, and its blocks by iteration."""

    flow: int
    state: int
    select: int
    selectors: int
    iterations: tuple[IteratedBlock, ...] = ()


@dataclass(frozen=True)
class VariantLog:
    """Variants over a run: the first, how often it has changed, and the first changes (t, variant); −1: the fall-back."""

    initial: int
    changes: int
    history: tuple[tuple[float, int], ...]


def explicit_flow(
    system: ConstrainedSystem, variants: Sequence[Variant], t0: float, y0: np.ndarray, *, fall_back: bool
) -> Flow:
    """Flow by the formulas of the variants; y0 (nq + nv + ns) satisfies the constraints.

    The parameters of *system* are followed by the selectors of all variants, which the flow sets. fall_back: whether
    the closure and the terms of *system* are there for coordinate partitioning where no variant is left.
    The flow belongs to one run forwards in time.
    """
    selectors = sum(variant.selectors for variant in variants)
    p = np.concatenate([system.p, np.zeros(selectors)])
    own = replace(system, p=p)
    net = allocate(own, LOG_LIMIT) if fall_back else None
    if net is not None:
        net[1][net_slots.SWITCH_RATIO] = 0.5
    ic, w = _allocate(own, variants, len(system.p), net)
    state = np.array(y0, dtype=float)
    start = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 3)
    start(kernel_address("explicit.start_explicit"))(t0, state.ctypes.data, ic.ctypes.data, w.ctypes.data)
    flow, refresh = kernel_address("explicit.flow_explicit"), kernel_address("explicit.refresh_explicit")
    return Flow(flow, refresh, ic, w, (p, net, system.keepalive))


def variant_log(flow: Flow) -> VariantLog:
    """Read the history of the variants of a flow."""
    logged = int(flow.ic[slots.LOGGED])
    first, times = int(flow.ic[slots.LOG]), int(flow.ic[slots.LOG_TIMES])
    entries = [(float(flow.w[times + i]), int(flow.ic[first + i])) for i in range(logged)]
    return VariantLog(entries[0][1], int(flow.ic[slots.CHANGES]), tuple(entries[1:]))


def explicit_failure(flow: Flow) -> Failure | None:
    """What the last failed evaluation was about, or None; of the fall-back, when that was in use."""
    net = flow.keepalive[1]
    if flow.ic[slots.VARIANT] < 0 and net is not None:
        return failure_of(*net) if net[0][net_slots.FAILURE] else None
    code = int(flow.ic[slots.FAILURE])
    return Failure(code, FAILURES.get(code, f"failure {code}"), None, None, 0.0) if code else None


def _allocate(
    system: ConstrainedSystem,
    variants: Sequence[Variant],
    selectors: int,
    net: tuple[np.ndarray, np.ndarray] | None,
) -> tuple[np.ndarray, np.ndarray]:
    nq, nv, ns = system.nq, system.nv, system.ns
    blocks = [block for variant in variants for block in variant.iterations]
    largest = max((len(block.unknowns) for block in blocks), default=0)
    table = slots.HEADER
    iterations = table + slots.LINE * len(variants)
    unknowns = iterations + slots.ITERATION_LINE * len(blocks)
    pivots = unknowns + sum(len(block.unknowns) for block in blocks)
    log = pivots + largest
    ic = np.zeros(log + LOG_LIMIT, dtype=np.int64)
    sizes = {
        slots.OUT: nq + nv + ns + 1,
        slots.SYSTEM: largest * (largest + 1),
        slots.X: largest,
        slots.ROW_SCALE: largest,
        slots.SCALE: nv,
        slots.STEP: nq + nv + ns,
        slots.LOG_TIMES: LOG_LIMIT,
    }
    offset = slots.SCALARS
    for slot, size in sizes.items():
        ic[slot] = offset
        offset += size
    w = np.zeros(offset)
    w[ic[slots.SCALE] :][:nv] = system.scale
    ic[[slots.NQ, slots.NV, slots.NS]] = nq, nv, ns
    ic[[slots.PARAMETERS, slots.RETRACT, slots.SELECTORS]] = system.p.ctypes.data, system.retract, selectors
    if net is not None:
        ic[[slots.NET_INTEGERS, slots.NET_WORK]] = net[0].ctypes.data, net[1].ctypes.data
    ic[[slots.COUNT, slots.LOG_LIMIT]] = len(variants), LOG_LIMIT
    ic[[slots.TABLE, slots.ITERATIONS, slots.PIVOTS, slots.LOG]] = table, iterations, pivots, log
    _write_tables(ic, variants, unknowns)
    return ic, w


def _write_tables(ic: np.ndarray, variants: Sequence[Variant], unknowns: int) -> None:
    table, iterations = int(ic[slots.TABLE]), int(ic[slots.ITERATIONS])
    selector = block = 0
    for i, variant in enumerate(variants):
        line = table + i * slots.LINE
        ic[line : line + slots.LINE] = (
            *(variant.flow, variant.state, variant.select),
            *(selector, variant.selectors, block, len(variant.iterations)),
        )
        selector += variant.selectors
        for item in variant.iterations:
            n = len(item.unknowns)
            ic[iterations + block * slots.ITERATION_LINE :][: slots.ITERATION_LINE] = item.residual, n, unknowns
            ic[unknowns : unknowns + n] = item.unknowns
            unknowns += n
            block += 1
