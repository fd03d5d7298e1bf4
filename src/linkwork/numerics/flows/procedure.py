"""Procedures: what a formulation integrates, as data.

A procedure names the operations (``kernels/constrained/operations.py``) that give ẏ and that put an accepted state right,
one after the other on one work record, the functions of the model that they call, and their numbers: all by name, so that
it can be stored, compared and linked for any machine. `Procedure.begin` lays out the memory of a run on this one, and puts
the machine code of its system into it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import LinkworkError, RefusedError
from linkwork.numerics.flows.context import ConstrainedSystem, Failure, allocate, failure_of
from linkwork.numerics.flows.explicit import Formulas, VariantCode
from linkwork.numerics.flows.flow import Flow, ImplicitEquations, Series, Solver, StateMaps
from linkwork.numerics.flows.newton import newton_solver
from linkwork.numerics.kernels.constrained import procedure as kernels
from linkwork.numerics.kernels.constrained.explicit import Explicit
from linkwork.numerics.kernels.constrained.operations import ACCELERATIONS, KINDS, RATES, STATE, VELOCITIES
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.language.records import ModelFunction, RefreshFunction, SeriesFunction
from linkwork.numerics.kernels.linear.slope import Slope

Operations = tuple[Kernel[..., Any], ...]
NEEDED = {
    "settle_state": "retract",
    "settle_quietly": "retract",
    "rechart": "reframe",
    "accelerate_straight": "accelerate",
}
"""Operations that do nothing where a system has no such function."""
BY_ENTRIES = {
    "accelerate_straight",
    "evaluate_terms",
    "solve_null_space",
    "project",
    "rechart",
    "settle_state",
    "solve_state",
    "solve_rates",
    "solve_and_watch",
    "start_partition",
}
"""Operations that know C and M by their entries, where a system has these."""
FIELDS = {STATE: "on_state", RATES: "on_rates", VELOCITIES: "on_numbers", ACCELERATIONS: "on_numbers"}


class PartitionError(LinkworkError):
    """No independent set can be chosen at the initial state; carries the failure."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(f"no independent coordinates can be chosen at the initial state: {failure.message}")


@dataclass(frozen=True, eq=False)
class OwnTerms:
    """A state of its own that a procedure integrates: kernels (t, from, to, ws) that give it and read it, and how many
    numbers it has beyond those of y."""

    encode: Kernel[..., Any]
    decode: Kernel[..., Any]
    further: int = 0


@dataclass(frozen=True, eq=False)
class Implicit:
    """Stages that a procedure solves in its own way (*solve*), or equations F(t, y, k) = 0 for Newton's method.

    levels, grades: (n) see ``ImplicitEquations``
    """

    solve: Kernel[..., Any] | None = None
    residual: Kernel[..., Any] | None = None
    tangent: Kernel[..., Any] | None = None
    levels: Array | None = None
    grades: Array | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Procedure:
    """How a formulation gives ẏ, as operations on a record.

    flow, refresh: operations, see the top of this file; start: chooses what a run begins with, (t, y, ws)
    functions: names of functions of the model by the field that calls them; those that every system has are known
    numbers: settings by field, numbers and arrays
    series, slope: kernels that give the power series of a state, and ∂ẏ/∂y, where code for them is there
    dense: whether operations solve with matrices of all velocities, and need the function 'terms'
    formulas: variants of functions between which *flow* and *refresh*, of one kernel each, choose; net: the procedure whose
        operations they call where none of them is left, None: there is none
    """

    flow: Operations
    refresh: Operations = ()
    start: Kernel[..., Any] | None = None
    functions: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)
    own: OwnTerms | None = None
    implicit: Implicit | None = None
    series: Kernel[..., Any] | None = None
    slope: Kernel[..., Any] | None = None
    dense: bool = True
    formulas: Formulas | None = None
    net: Procedure | None = None

    def __post_init__(self) -> None:
        for name in ("flow", "refresh"):
            given = getattr(self, name)
            listed = (given,) if isinstance(given, Kernel) else tuple(given)
            object.__setattr__(self, name, listed)
            for operation in listed:
                kind_of(operation)
        if not self.flow:
            raise RefusedError("a procedure needs operations that give the rates: flow = (evaluate_terms, ...)")

    def begin(
        self,
        system: ConstrainedSystem,
        t: float = 0.0,
        y: Array | None = None,
        *,
        series: Series | None = None,
        slope: Slope | None = None,
        more: Callable[[], Sequence[VariantCode]] | None = None,
    ) -> Flow:
        """The flow from a state y at t that satisfies the conditions.

        series, slope: of the straight-line function, of formulas of the first variant; more: gives further ones
        """
        self._require(system)
        memory = self.allocate(system)
        attend = None
        if self.formulas is not None:
            first = [VariantCode(variant, system.functions, series, slope) for variant in self.formulas.variants]
            attend = self.formulas.fill(memory, first, more, self._linked_net(memory, system))
        wanted: dict[str, Any] = {"reads": memory.reads} if isinstance(memory, Explicit) else {}
        if slope is not None and self.slope is not None:
            memory.slope, wanted["slope"] = slope, self.slope
        if series is not None and self.series is not None:
            memory.series, memory.series_work = SeriesFunction(series.function), series.work
            wanted["series"] = self.series
        own, refresh = self.own, _needed(self.refresh, system)
        flow = Flow(
            self.flow[0] if _is_alone(self.flow, RATES) else kernels.evaluate,
            (refresh[0] if _is_alone(refresh, STATE) else kernels.correct) if refresh else None,
            memory,
            attend,
            start=self.start,
            own=None if own is None else StateMaps(system.size + own.further, own.encode, own.decode),
            **wanted,
        )
        if y is not None and flow.begin(t, y) < 0:
            raise PartitionError(failure_of(memory))
        return flow if self.implicit is None else self._solved(flow, memory, system)

    def _linked_net(self, memory: Workspace, system: ConstrainedSystem) -> Callable[[], None] | None:
        """What puts the operations of the net into the memory, whose machine code few runs need."""
        start = None if self.net is None else self.net.start
        if start is None:
            return None

        def link() -> None:
            assert isinstance(memory, Explicit)
            _link(memory, self._listed(system))
            memory.terms = ModelFunction(system.functions["terms"])
            memory.start_net = RefreshFunction(start)

        return link

    def _require(self, system: ConstrainedSystem) -> None:
        """Refuse a system without the functions that operations call."""
        wanted = ("terms",) * self.dense + ("closure",) * bool(system.m)
        if self.formulas is not None and self.net is None:
            wanted = ()
        missing = [name for name in wanted if name not in system.functions]
        if missing:
            raise RefusedError(
                f"a procedure works with the functions 'terms' and 'closure' of a mechanism, and there is no '{missing[0]}'"
                ": its formulation writes them, as in {'terms': terms_function(c, c.b), 'closure': closure_function(c)}"
            )

    @property
    def _by_entries(self) -> bool:
        """Whether all that it does to a system asks for no more than the entries of its matrices."""
        known = (*self.flow, *self.refresh, *(() if self.start is None else (self.start,)))
        return self.formulas is None and all(operation.name in BY_ENTRIES for operation in known)

    def _listed(self, system: ConstrainedSystem) -> tuple[Operations, Operations]:
        """What the interpreter runs: nothing where one kernel does all, but what its net does."""
        chosen = self if self.formulas is None else self.net
        if chosen is None:
            return (), ()
        flow, refresh = _needed(chosen.flow, system), _needed(chosen.refresh, system)
        if chosen is self:
            flow = () if _is_alone(self.flow, RATES) else flow
            refresh = () if _is_alone(refresh, STATE) else refresh
        return flow, refresh

    def allocate(self, system: ConstrainedSystem) -> Workspace:
        """The work record, with what the operations are to call and know."""
        lists = self._listed(system)
        numbers: dict[str, Any] = {"evaluation_count": len(lists[0]), "refreshing_count": len(lists[1])}
        arrays: dict[str, Array] = {}
        for name, value in self.numbers.items():
            if isinstance(value, Mapping):  # a record of its own
                numbers[name] = Workspace.fields()[name].kind(**value)
            else:
                (arrays if isinstance(value, np.ndarray) else numbers)[name] = value
        if self.formulas is not None:
            numbers |= {"record": Explicit, "first_place": len(system.p), "net": int(self.net is not None)}
            numbers |= self.formulas.sizes(system.nv)
            system = self.formulas.with_selectors(system)
            # what only the net calls is compiled when it is linked
            system = replace(system, functions={k: code for k, code in system.functions.items() if k != "terms"})
        memory = allocate(system, dense=self.dense, entrywise=self._by_entries, **numbers)
        for name, function in self.functions.items():
            setattr(memory, name, ModelFunction(system.functions[function]))
        for name, values in arrays.items():
            place = getattr(memory, name)
            if place is None:
                setattr(memory, name, values)
            else:
                place[:] = values
        if self.net is None:
            _link(memory, lists)
        return memory

    def _solved(self, flow: Flow, memory: Workspace, system: ConstrainedSystem) -> Flow:
        """The flow with its solver of implicit stages."""
        assert self.implicit is not None
        solve, levels = self.implicit.solve, self.implicit.levels
        if solve is not None:
            return replace(flow, solver=Solver(solve, memory, levels=levels))
        assert self.implicit.residual is not None and self.implicit.tangent is not None and levels is not None
        equations = ImplicitEquations(
            self.implicit.residual,
            self.implicit.tangent,
            memory,
            len(levels),
            system.nq,
            levels,
            self.implicit.grades,
            rated=system.size,
        )
        return replace(flow, positions=system.nq, solver=newton_solver(equations))


@cache
def kind_of(operation: Kernel[..., Any]) -> int:
    """What an operation is called with."""
    if not isinstance(operation, Kernel):
        raise RefusedError(f"{operation!r} is no operation: those are kernels of linkwork.numerics.kernels")
    names = tuple(inspect.signature(operation.function).parameters)
    if names not in KINDS:
        known = " or ".join(f"({', '.join(item)})" for item in KINDS)
        raise RefusedError(f"the kernel '{operation.name}({', '.join(names)})' is no operation: those take {known}")
    return KINDS[names]


def _is_alone(operations: Operations, kind: int) -> bool:
    """Whether a single operation is called as the whole list would be."""
    return len(operations) == 1 and kind_of(operations[0]) == kind


def _needed(operations: Operations, system: ConstrainedSystem) -> Operations:
    """Those that have something to do for a system."""
    return tuple(item for item in operations if NEEDED.get(item.name) in (None, *system.functions))


def _link(memory: Workspace, lists: tuple[Operations, Operations]) -> None:
    """Put operations into the lists of an interpreter."""
    for rows, operations in zip((memory.evaluation, memory.refreshing), lists, strict=True):
        for row, operation in zip(rows, operations, strict=True):
            row.kind = kind_of(operation)
            setattr(row, FIELDS[row.kind], operation)
