"""Flows of systems whose dependent states are given by formulas, with several variants of them.

Nothing here knows mechanics: variants, blocks and selectors are numbers, the caller names them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.constrained import LOG_LIMIT
from linkwork.numerics.context import ConstrainedSystem, Failure, allocate, failure_of
from linkwork.numerics.integrators.flow import Flow, Series, Slope
from linkwork.numerics.kernels import explicit_slots as slots
from linkwork.numerics.kernels import slots as net_slots
from linkwork.numerics.kernels.control import ATTEND
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
    """Addresses of the functions of one variant (flow, state, select), its selectors, its blocks by iteration, and the power
    series of its flow where they are wanted and there are none of these blocks."""

    flow: int
    state: int
    select: int
    selectors: int
    iterations: tuple[IteratedBlock, ...] = ()
    series: Series | None = None
    slope: Slope | None = None


@dataclass(frozen=True)
class VariantLog:
    """Variants over a run: the first, how often it has changed, and the first changes (t, variant); −1: the fall-back."""

    initial: int
    changes: int
    history: tuple[tuple[float, int], ...]


ROOM = 32  # selectors of every variant but the first, at most
BLOCKS, UNKNOWNS = 8, 64  # room for iterated blocks and their unknowns, of every variant but the first


def first_selector(variant: int, first_count: int) -> int:
    """Place of the selectors of a variant behind the parameters, the first one having *first_count*."""
    return 0 if variant == 0 else first_count + (variant - 1) * ROOM


def explicit_flow(
    system: ConstrainedSystem,
    variants: Sequence[Variant],
    t0: float,
    y0: np.ndarray,
    *,
    fall_back: bool,
    more: Callable[[], Sequence[Variant]] | None = None,
    most: int = 0,
) -> Flow:
    """Flow by the formulas of the variants; y0 (nq + nv + ns) satisfies the constraints.

    The parameters of *system* are followed by the selectors of all variants, which the flow sets. fall_back: whether
    the closure and the terms of *system* are there for coordinate partitioning where no variant is left.
    more: gives further variants when the first ones come near their ends, *most* of them at most.
    The flow belongs to one run forwards in time.
    """
    first = variants[0].selectors
    p = np.concatenate([system.p, np.zeros(first + ROOM * (len(variants) - 1 + most))])
    own = replace(system, p=p)
    net = allocate(own, LOG_LIMIT) if fall_back else None
    if net is not None:
        net[1][net_slots.SWITCH_RATIO] = 0.5
    tables = _Tables(own, variants, most, len(system.p), net)
    ic, w = tables.ic, tables.w
    ic[slots.PENDING] = int(more is not None)

    def attend() -> None:
        if more is not None and ic[slots.PENDING]:
            ic[slots.PENDING] = 0
            tables.add(more())

    state = np.array(y0, dtype=float)
    start = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 3)
    begin = start(kernel_address("explicit.start_explicit"))
    if begin(t0, state.ctypes.data, ic.ctypes.data, w.ctypes.data) == ATTEND:
        attend()
        ic[[slots.LOGGED, slots.CHANGES]] = 0
        begin(t0, state.ctypes.data, ic.ctypes.data, w.ctypes.data)
    flow, refresh = kernel_address("explicit.flow_explicit"), kernel_address("explicit.refresh_explicit")
    series = kernel_address("explicit.series_explicit") if variants[0].series else 0
    slope = kernel_address("explicit.slope_explicit") if variants[0].slope else 0
    return Flow(flow, refresh, ic, w, (p, net, system.keepalive, tables), attend, series=series, slope=slope)


def flow_parameters(flow: Flow) -> np.ndarray:
    """The parameters that a flow works with: those of its system, then the selectors of its variants."""
    return np.asarray(flow.keepalive[0])


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


class _Tables:
    """``ic`` and ``w`` of the kernels, with room for further variants."""

    def __init__(
        self,
        system: ConstrainedSystem,
        variants: Sequence[Variant],
        most: int,
        selectors: int,
        net: tuple[np.ndarray, np.ndarray] | None,
    ) -> None:
        self._first = variants[0].selectors
        blocks = [block for variant in variants for block in variant.iterations]
        largest = max([len(block.unknowns) for block in blocks] + [min(system.nv, UNKNOWNS) if most else 0])
        table = slots.HEADER
        iterations = table + slots.LINE * (len(variants) + most)
        self._unknowns = iterations + slots.ITERATION_LINE * (len(blocks) + BLOCKS * most)
        pivots = self._unknowns + sum(len(block.unknowns) for block in blocks) + UNKNOWNS * most
        log = pivots + largest
        self.ic = np.zeros(log + LOG_LIMIT, dtype=np.int64)
        self.w = np.zeros(self._lay_out(system, largest))
        ic = self.ic
        self.w[ic[slots.SCALE] :][: system.nv] = system.scale
        ic[[slots.NQ, slots.NV, slots.NS]] = system.nq, system.nv, system.ns
        ic[[slots.PARAMETERS, slots.RETRACT, slots.SELECTORS]] = system.p.ctypes.data, system.retract, selectors
        ic[slots.REFRAME] = system.reframe
        if net is not None:
            ic[[slots.NET_INTEGERS, slots.NET_WORK]] = net[0].ctypes.data, net[1].ctypes.data
        ic[slots.LOG_LIMIT] = LOG_LIMIT
        ic[[slots.TABLE, slots.ITERATIONS, slots.PIVOTS, slots.LOG]] = table, iterations, pivots, log
        self._blocks = 0
        self._kept: list[Series | Slope | None] = []
        self.add(variants)

    def _lay_out(self, system: ConstrainedSystem, largest: int) -> int:
        n = system.nq + system.nv + system.ns
        sizes = {
            slots.OUT: n + 1,
            slots.SYSTEM: largest * (largest + 1),
            slots.X: largest,
            slots.ROW_SCALE: largest,
            slots.SCALE: system.nv,
            slots.STEP: n,
            slots.LOG_TIMES: LOG_LIMIT,
        }
        offset = slots.SCALARS
        for slot, size in sizes.items():
            self.ic[slot] = offset
            offset += size
        return offset

    def add(self, variants: Sequence[Variant]) -> None:
        """Put variants behind those that are there."""
        for variant in variants:
            number = int(self.ic[slots.COUNT])
            line = int(self.ic[slots.TABLE]) + number * slots.LINE
            selector = first_selector(number, self._first)
            self.ic[line : line + slots.LINE] = (
                *(variant.flow, variant.state, variant.select),
                *(selector, variant.selectors, self._blocks, len(variant.iterations)),
                *((variant.series.address, variant.series.work.ctypes.data) if variant.series else (0, 0)),
                variant.slope.table if variant.slope else 0,
            )
            self._kept += [variant.series, variant.slope]
            for block in variant.iterations:
                self._add_block(block)
            self.ic[slots.COUNT] = number + 1

    def _add_block(self, block: IteratedBlock) -> None:
        line = int(self.ic[slots.ITERATIONS]) + self._blocks * slots.ITERATION_LINE
        n = len(block.unknowns)
        self.ic[line : line + slots.ITERATION_LINE] = block.residual, n, self._unknowns
        self.ic[self._unknowns : self._unknowns + n] = block.unknowns
        self._unknowns += n
        self._blocks += 1
