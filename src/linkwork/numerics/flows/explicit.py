"""Systems whose dependent states are given by formulas, with several variants of them (``kernels/constrained/explicit.py``).

Nothing here knows mechanics: variants, blocks and selectors are numbers, the caller names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.flows.flow import Flow, Series
from linkwork.numerics.kernels.constrained.explicit import Explicit
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.kernels.language.records import ModelFunction, SeriesFunction
from linkwork.numerics.kernels.linear.slope import Slope


@dataclass(frozen=True)
class IteratedBlock:
    """A block for Newton's method: its function [Φ (n), dΦ (n, n)] by name, and the places of its unknowns in v."""

    residual: str
    unknowns: tuple[int, ...]


@dataclass(frozen=True)
class Variant:
    """The functions of a variant by name (flow, state, select; '': no selectors), its selectors, its blocks by iteration.

    reads: the states that its flow reads, where they are known: stages of a step need no others
    """

    flow: str
    state: str
    select: str = ""
    selectors: int = 0
    iterations: tuple[IteratedBlock, ...] = ()
    reads: tuple[int, ...] = ()


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
FEW = 0.5  # of all states: where the flow reads more, stages have all of them
BLOCKS, UNKNOWNS = 8, 64  # room for iterated blocks and their unknowns, of every variant but the first


def first_selector(variant: int, first_count: int) -> int:
    """Place of the selectors of a variant behind the parameters, the first one having *first_count*."""
    return 0 if variant == 0 else first_count + (variant - 1) * ROOM


@dataclass(frozen=True)
class Formulas:
    """Dependent states by formulas, as data: the variants that a run begins with.

    The parameters of a system are followed by the selectors of all variants, which the flow sets.
    most: of further variants that may be asked for when the first ones come near their ends
    """

    variants: tuple[Variant, ...]
    most: int = 0

    def with_selectors(self, system: ConstrainedSystem) -> ConstrainedSystem:
        """The system with room for all selectors behind its parameters."""
        count = self.variants[0].selectors + ROOM * (len(self.variants) - 1 + self.most)
        return replace(system, p=np.concatenate([system.p, np.zeros(count)]))

    def sizes(self, nv: int) -> dict[str, int]:
        """Fields of the memory, with room for further variants; nv: how many velocities there are."""
        blocks = [block for variant in self.variants for block in variant.iterations]
        return {
            "room": len(self.variants) + self.most,
            "block_room": len(blocks) + BLOCKS * self.most,
            "largest": max([len(block.unknowns) for block in blocks] + [min(nv, UNKNOWNS) if self.most else 0]),
        }

    def fill(
        self,
        memory: Workspace,
        first: Sequence[VariantCode],
        more: Callable[[], Sequence[VariantCode]] | None,
        link_net: Callable[[], None] | None = None,
    ) -> Callable[[], None]:
        """Put the first variants into the memory. Returns what adds those that *more* gives, and the net, once."""
        assert isinstance(memory, Explicit)
        more = more if self.most else None
        memory.pending = int(more is not None or link_net is not None)
        _add(memory, first)

        def attend() -> None:
            if not memory.pending:
                return
            memory.pending = 0
            if link_net is not None:
                link_net()
            if more is not None:
                _add(memory, more())

        return attend


def variant_log(flow: Flow) -> VariantLog:
    """Read the history of the variants of a flow."""
    memory = flow.memory
    assert isinstance(memory, Explicit)
    times, entered = memory.entry_times[: memory.entries].tolist(), memory.entered[: memory.entries].tolist()
    entries = list(zip(times, entered, strict=True))
    return VariantLog(entries[0][1], memory.exchanges, tuple(entries[1:]))


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
        if len(variant.reads) <= FEW * memory.n:
            line.read, line.read_count = np.array(variant.reads, dtype=np.int64), len(variant.reads)
        for i, block in enumerate(variant.iterations, start=line.first_iteration):
            own = memory.blocks[i]
            own.residual, own.size = ModelFunction(functions[block.residual]), len(block.unknowns)
            own.unknowns = np.array(block.unknowns, dtype=np.int64)
        memory.count += 1
