"""The hybrid method: loops closed by formulas where there are any, by Newton's method on the smallest blocks elsewhere.

Only the inputs of the plan are independent, M' u̇ = h'; no constraint can be violated. Formulas for several sets of
inputs (variants) are prepared, and the run changes set before the one in use ends (dead centre), without a restart. Near
a position where all of them end, coordinate partitioning takes over for a while, also through singular positions.
Source: the hybrid displacement analysis of Lee and Youm's table, with explicit closing conditions for the dynamics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Compiled, Formulation, Scheme
from linkwork.equations.formulations.partitioning import Partitioning, changes_text, closing_functions, open_scheme
from linkwork.equations.minimal import Minimal
from linkwork.equations.terms import position_functions
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import by_formulas, by_partition
from linkwork.numerics.flows.explicit import (
    BLOCKS,
    ROOM,
    UNKNOWNS,
    Formulas,
    IteratedBlock,
    Variant,
    VariantCode,
    first_selector,
    variant_log,
)
from linkwork.numerics.flows.flow import Flow
from linkwork.topology.plan.blocks import ITERATION, Plan

LARGE = 60  # coordinates beyond which no fall-back is compiled: its matrices are dense


@dataclass(frozen=True)
class Hybrid(Formulation):
    """Closed-form loops in minimal coordinates.

    *closed_form*: False solves all blocks of the plan by iteration, for comparison.
    *variants*: how many sets of inputs are prepared, the first included.
    """

    name: ClassVar[str] = "hybrid"
    summary: ClassVar[str] = "minimal coordinates, loops in closed form, Newton on the smallest blocks that need it"
    abilities: ClassVar[Abilities] = Abilities(rolling=True, singular_positions=True)
    holds_spins: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("relative",)

    closed_form: bool = True
    variants: int = 4

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c = coordinates
        if not c.rows:
            return open_scheme(c, t, y, p)
        if c.holonomic < len(c.rows):
            names = ", ".join(dict.fromkeys(label.element for label in c.labels[c.holonomic :]))
            return _without_plan(c, f"{names}: nonholonomic constraints give no positions", t, y, p)
        if c.geometry.heavy:
            names = ", ".join(c.geometry.heavy)
            return _without_plan(c, f"{names}: unknowns with inertia follow from no joint coordinates", t, y, p)
        try:
            prepared = _Prepared(c, self, t, y, p)
        except RefusedError as reason:
            return _without_plan(c, str(reason), t, y, p)
        fall_back = c.v.numel() <= LARGE
        functions = prepared.functions(0) | (closing_functions(c) if fall_back else position_functions(c))
        most = self.variants - 1 if fall_back and prepared.plan(0).inputs else 0

        plan = prepared.plan(0)
        extra = prepared.motion() if not plan.inputs and plan.closed and not plan.passive else {}
        iterated = [block.block.name for block in prepared.minimal(0).iterations]
        no_series = f"its plan solves {', '.join(iterated)} by iteration" if iterated else ""
        straight, given = ("", "") if iterated else (prepared.variant(0).flow, prepared.variant(0).state)
        return Scheme(
            functions,
            by_formulas(Formulas((prepared.variant(0),), most), by_partition(switch_ratio=0.5) if fall_back else None),
            prepared.notes,
            extra,
            no_series,
            straight,
            given,
            prepared.further,
            seldom=frozenset({"closure", "terms"}),
        )


def _without_plan(c: Coordinates, reason: str, t: float, y: Array, p: Array) -> Scheme:
    """Coordinate partitioning, where the start position gives no plan."""
    scheme = Partitioning().write(c, t, y, p)
    return replace(scheme, notes=lambda flow: (f"coordinate partitioning: {reason}", *scheme.notes(flow)))


class _Prepared:
    """The variants of a mechanism: the first at once, the others when they are asked for."""

    def __init__(self, c: Coordinates, formulation: Hybrid, t: float, y: Array, p: Array) -> None:
        self.c, self.formulation, self._typical = c, formulation, (t, y, p)
        self._minimal = {0: Minimal(c, self.plan(0), t, y, p)}
        self._functions: dict[int, dict[str, ca.Function]] = {}

    def plan(self, i: int) -> Plan:
        found = self.c.topology.plan if i == 0 else self._plans[i]
        return found if self.formulation.closed_form else iterated_plan(found)

    @cached_property
    def _plans(self) -> list[Plan]:
        return self.c.topology.planner.variants(self.formulation.variants)

    @property
    def count(self) -> int:
        return len(self._plans)

    def fits(self, i: int) -> bool:
        """Whether a later variant fits into the room that a flow has for it."""
        minimal = self.minimal(i)
        unknowns = sum(len(block.unknowns) for block in minimal.iterations)
        return minimal.selectors.numel() <= ROOM and len(minimal.iterations) <= BLOCKS and unknowns <= UNKNOWNS

    def minimal(self, i: int) -> Minimal:
        if i not in self._minimal:
            self._minimal[i] = Minimal(self.c, self.plan(i), *self._typical)
        return self._minimal[i]

    def _function(self, i: int, name: str, outputs: Mapping[str, ca.SX]) -> ca.Function:
        """A function of (t, y, p) with the selectors of the variant in their place behind the parameters."""
        c, minimal = self.c, self.minimal(i)
        before = first_selector(i, self.minimal(0).selectors.numel())
        p = ca.vertcat(c.p, ca.SX.sym("others", before), minimal.selectors)
        dense = [ca.densify(item) for item in outputs.values()]
        return ca.Function(name, [c.t, c.y, p], dense, ["t", "y", "p"], list(outputs))

    def functions(self, i: int) -> dict[str, ca.Function]:
        """The functions of a variant, made once."""
        if i not in self._functions:
            self._functions[i] = self._write(i)
        return dict(self._functions[i])

    def _write(self, i: int) -> dict[str, ca.Function]:
        minimal = self.minimal(i)
        parts = {
            f"flow{i}": {"rates": minimal.derivative, "health": minimal.health},
            f"state{i}": {"q": minimal.positions, "v": minimal.velocities, "health": minimal.health},
        }
        if minimal.selectors.numel():
            parts[f"select{i}"] = {"selectors": minimal.choices}
        for j, block in enumerate(minimal.iterations):
            parts[f"block{i}_{j}"] = {"phi": block.residual, "slope": block.jacobian}
        return {name: self._function(i, name, outputs) for name, outputs in parts.items()}

    def motion(self) -> dict[str, ca.Function]:
        """[q, v, v̇, health] of a mechanism whose motion is prescribed, at any time, without integration."""
        minimal, nq, nv = self.minimal(0), self.c.q.numel(), self.c.v.numel()
        accelerations = minimal.derivative[nq : nq + nv]
        outputs = {"q": minimal.positions, "v": minimal.velocities, "vdot": accelerations, "health": minimal.health}
        return {"motion": self._function(0, "motion", outputs)}

    def variant(self, i: int) -> Variant:
        """A variant by the names of its functions."""
        minimal = self.minimal(i)
        selectors = minimal.selectors.numel()
        blocks = [IteratedBlock(f"block{i}_{j}", block.unknowns) for j, block in enumerate(minimal.iterations)]
        reads = () if blocks else self._reads(i)
        return Variant(f"flow{i}", f"state{i}", f"select{i}" if selectors else "", selectors, tuple(blocks), reads)

    def _reads(self, i: int) -> tuple[int, ...]:
        """Places in y that the flow of a variant depends on."""
        minimal = self.minimal(i)
        read = ca.which_depends(ca.vertcat(minimal.derivative, minimal.health), self.c.y, 1, False)
        return tuple(place for place, is_read in enumerate(read) if is_read)

    def further(self, compiled: Compiled) -> list[VariantCode]:
        """All other variants that there is room for, compiled."""
        found = []
        for i in takewhile(self.fits, range(1, self.count)):
            functions, straight = self.functions(i), not self.minimal(i).iterations
            pair = (functions[f"flow{i}"], functions[f"state{i}"]) if straight else (None, None)
            found.append(VariantCode(self.variant(i), compiled.compile(functions), *compiled.derivatives(*pair)))
        return found

    def notes(self, flow: Flow) -> tuple[str, ...]:
        """When others than the inputs of the plan were independent."""
        log = variant_log(flow)
        history = [(time, self._inputs(variant)) for time, variant in log.history]
        return (f"independent: {self._inputs(log.initial)}{changes_text(log.changes, history)}",) if history else ()

    def _inputs(self, variant: int) -> str:
        if variant < 0:
            return "coordinate partitioning"
        names = (self.c.topology.planner.name_of(key) for key in self.plan(variant).inputs)
        return ", ".join(names) or "none beside the drivers"


def iterated_plan(plan: Plan) -> Plan:
    """The same blocks, all of them by iteration."""
    blocks = [replace(block, family=ITERATION, base="") if block.cuts else block for block in plan.blocks]
    return replace(plan, blocks=tuple(blocks))
