"""Flows of systems whose dependent states are given by formulas, with several variants of them.

Nothing here knows mechanics: variants, blocks and selectors are numbers, the caller names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.flows.constrained import LOG_LIMIT
from linkwork.numerics.flows.context import ConstrainedSystem, Failure, failure_of
from linkwork.numerics.flows.flow import Flow, Series
from linkwork.numerics.flows.procedure import Procedure
from linkwork.numerics.kernels.constrained import explicit as kernels
from linkwork.numerics.kernels.constrained.explicit import Explicit
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.kernels.language.records import ModelFunction, SeriesFunction
from linkwork.numerics.kernels.linear.slope import Slope
from linkwork.numerics.kernels.stepping.status import ATTEND
from linkwork.numerics.loader import compiled

FAILURES = {
    kernels.BRANCH_ENDS: "the branch of a closed loop ends here (dead centre)",
    kernels.NOT_CONVERGED: "a block of closing conditions cannot be met near the last position",
    kernels.BLOCK_SINGULAR: "a block of closing conditions is singular (dead centre)",
    kernels.NOT_FINITE: "a value of the model is not finite",
}


@dataclass(frozen=True)
class IteratedBlock:
    """A block for Newton's method: its function [Φ (n), dΦ (n, n)] by name, and the places of its unknowns in v."""

    residual: str
    unknowns: tuple[int, ...]


@dataclass(frozen=True)
class Variant:
    """The functions of a variant by name (flow, state, select; '': no selectors), its selectors, its blocks by iteration."""

    flow: str
    state: str
    select: str = ""
    selectors: int = 0
    iterations: tuple[IteratedBlock, ...] = ()


@dataclass(frozen=True, eq=False)
class VariantCode:
    """A variant with its machine code, and the power series and the slope of its flow where they are wanted."""

    variant: Variant
    functions: Mapping[str, MachineCode]
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


@dataclass(frozen=True, kw_only=True)
class Formulas:
    """How a system whose dependent states are given by formulas is integrated, as data.

    The parameters of the system are followed by the selectors of all variants, which the flow sets. net: coordinate
    partitioning, by the closure and the terms of the system, where no variant is left; None: they are not there.
    most: of further variants that may be asked for when the first ones come near their ends
    """

    variants: tuple[Variant, ...]
    net: Procedure | None = None
    most: int = 0

    def begin(
        self,
        system: ConstrainedSystem,
        t: float,
        y: np.ndarray,
        *,
        series: Series | None = None,
        slope: Slope | None = None,
        more: Callable[[], Sequence[VariantCode]] | None = None,
    ) -> Flow:
        """The flow from a state y (nq + nv + ns) at t that satisfies the conditions, for one run forwards in time.

        series, slope: of the first variant; more: gives further ones
        """
        more = more if self.most else None
        p = np.concatenate(
            [system.p, np.zeros(self.variants[0].selectors + ROOM * (len(self.variants) - 1 + self.most))]
        )
        own = replace(system, p=p)
        memory = _lay_out(own, self.variants, self.most, self.net.allocate(own) if self.net is not None else None)
        memory.selectors, memory.pending = len(system.p), int(more is not None)
        _add(memory, [VariantCode(variant, system.functions, series, slope) for variant in self.variants])

        def attend() -> None:
            if more is not None and memory.pending:
                memory.pending = 0
                _add(memory, more())

        state = np.array(y, dtype=float)
        begin = compiled(kernels.start_explicit)
        if begin(t, state, memory) == ATTEND:
            attend()
            memory.logged = memory.changes = 0
            begin(t, state, memory)
        return Flow(
            kernels.flow_explicit,
            kernels.refresh_explicit,
            memory,
            attend,
            series=kernels.series_explicit if series else None,
            slope=kernels.slope_explicit if slope else None,
        )


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
        retract=system.functions.get("retract"),
        reframe=system.functions.get("reframe"),
        net=net,
        room=len(variants) + most,
        block_room=len(blocks) + BLOCKS * most,
        largest=max([len(block.unknowns) for block in blocks] + [min(system.nv, UNKNOWNS) if most else 0]),
        log_limit=LOG_LIMIT,
    )
    memory.scale[:] = system.scale
    return memory


def _add(memory: Explicit, variants: Sequence[VariantCode]) -> None:
    """Put variants behind those that are there."""
    for code in variants:
        variant, functions = code.variant, code.functions
        before = memory.variants[memory.count - 1] if memory.count else None
        line = memory.variants[memory.count]
        line.flow, line.state = (ModelFunction(functions[name]) for name in (variant.flow, variant.state))
        if variant.select:
            line.select = ModelFunction(functions[variant.select])
        line.first_selector = first_selector(memory.count, memory.variants[0].selector_count)
        line.selector_count, line.iteration_count = variant.selectors, len(variant.iterations)
        line.first_iteration = before.first_iteration + before.iteration_count if before else 0
        if code.series is not None:
            line.series, line.series_work = SeriesFunction(code.series.function), code.series.work
        line.slope = code.slope
        for i, block in enumerate(variant.iterations, start=line.first_iteration):
            own = memory.blocks[i]
            own.residual, own.size = ModelFunction(functions[block.residual]), len(block.unknowns)
            own.unknowns = np.array(block.unknowns, dtype=np.int64)
        memory.count += 1
