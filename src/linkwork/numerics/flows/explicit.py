"""Flows of systems whose dependent states are given by formulas, with several variants of them.

Nothing here knows mechanics: variants, blocks and selectors are numbers, the caller names them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.flows.constrained import LOG_LIMIT
from linkwork.numerics.flows.context import ConstrainedSystem, Failure, failure_of
from linkwork.numerics.flows.procedure import Procedure
from linkwork.numerics.integrators.flow import Flow, Series
from linkwork.numerics.kernels.constrained import explicit as kernels
from linkwork.numerics.kernels.constrained.explicit import Explicit
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.records import ModelFunction, SeriesFunction
from linkwork.numerics.kernels.linear.slope import Slope
from linkwork.numerics.kernels.stepping.status import ATTEND
from linkwork.numerics.loader import compiled, kernel_address

FAILURES = {
    kernels.BRANCH_ENDS: "the branch of a closed loop ends here (dead centre)",
    kernels.NOT_CONVERGED: "a block of closing conditions cannot be met near the last position",
    kernels.BLOCK_SINGULAR: "a block of closing conditions is singular (dead centre)",
    kernels.NOT_FINITE: "a value of the model is not finite",
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
    net: Procedure | None,
    more: Callable[[], Sequence[Variant]] | None = None,
    most: int = 0,
) -> Flow:
    """Flow by the formulas of the variants; y0 (nq + nv + ns) satisfies the constraints.

    The parameters of *system* are followed by the selectors of all variants, which the flow sets. net: coordinate
    partitioning, by the closure and the terms of *system*, where no variant is left; None: they are not there.
    more: gives further variants when the first ones come near their ends, *most* of them at most.
    The flow belongs to one run forwards in time.
    """
    first = variants[0].selectors
    p = np.concatenate([system.p, np.zeros(first + ROOM * (len(variants) - 1 + most))])
    own = replace(system, p=p)
    memory = _lay_out(own, variants, most, net.allocate(own, {}) if net is not None else None)
    memory.selectors, memory.pending = len(system.p), int(more is not None)
    _add(memory, variants)

    def attend() -> None:
        if more is not None and memory.pending:
            memory.pending = 0
            _add(memory, more())

    state = np.array(y0, dtype=float)
    begin = compiled(kernels.start_explicit)
    if begin(t0, state, memory) == ATTEND:
        attend()
        memory.logged = memory.changes = 0
        begin(t0, state, memory)
    flow, refresh = kernel_address("explicit.flow_explicit"), kernel_address("explicit.refresh_explicit")
    series = kernel_address("explicit.series_explicit") if variants[0].series else 0
    slope = kernel_address("explicit.slope_explicit") if variants[0].slope else 0
    return Flow(flow, refresh, memory, (system.keepalive,), attend, series=series, slope=slope)


def flow_parameters(flow: Flow) -> np.ndarray:
    """The parameters that a flow works with: those of its system, then the selectors of its variants."""
    assert isinstance(flow.memory, Explicit | Workspace)
    return flow.memory.p


def variant_log(flow: Flow) -> VariantLog:
    """Read the history of the variants of a flow."""
    memory = _memory_of(flow)
    entries = [(float(memory.log_times[i]), int(memory.log[i])) for i in range(memory.logged)]
    return VariantLog(entries[0][1], memory.changes, tuple(entries[1:]))


def explicit_failure(flow: Flow) -> Failure | None:
    """What the last failed evaluation was about, or None; of the fall-back, when that was in use."""
    memory = _memory_of(flow)
    if memory.variant < 0 and memory.net is not None:
        return failure_of(memory.net) if memory.net.failure else None
    code = memory.failure
    return Failure(code, FAILURES.get(code, f"failure {code}"), None, None, 0.0) if code else None


def _memory_of(flow: Flow) -> Explicit:
    assert isinstance(flow.memory, Explicit)
    return flow.memory


def _lay_out(system: ConstrainedSystem, variants: Sequence[Variant], most: int, net: Workspace | None) -> Explicit:
    """The memory of the kernels, with room for further variants."""
    blocks = [block for variant in variants for block in variant.iterations]
    memory = Explicit(
        nq=system.nq,
        nv=system.nv,
        ns=system.ns,
        n=system.size,
        p=system.p,
        retract=system.retract,
        reframe=system.reframe,
        net=net,
        room=len(variants) + most,
        block_room=len(blocks) + BLOCKS * most,
        largest=max([len(block.unknowns) for block in blocks] + [min(system.nv, UNKNOWNS) if most else 0]),
        log_limit=LOG_LIMIT,
    )
    memory.scale[:] = system.scale
    return memory


def _add(memory: Explicit, variants: Sequence[Variant]) -> None:
    """Put variants behind those that are there."""
    for variant in variants:
        before = memory.variants[memory.count - 1] if memory.count else None
        line = memory.variants[memory.count]
        line.flow, line.state, line.select = (
            ModelFunction(address) for address in (variant.flow, variant.state, variant.select)
        )
        line.first_selector = first_selector(memory.count, memory.variants[0].selector_count)
        line.selector_count, line.iteration_count = variant.selectors, len(variant.iterations)
        line.first_iteration = before.first_iteration + before.iteration_count if before else 0
        if variant.series is not None:
            line.series, line.series_work = SeriesFunction(variant.series.address), variant.series.work
        line.slope = variant.slope
        for i, block in enumerate(variant.iterations, start=line.first_iteration):
            own = memory.blocks[i]
            own.residual, own.size = ModelFunction(block.residual), len(block.unknowns)
            own.unknowns = np.array(block.unknowns, dtype=np.int64)
        memory.count += 1
