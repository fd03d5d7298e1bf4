"""The hybrid method: loops closed by formulas where there are any, by Newton's method on the smallest blocks elsewhere.

Only the inputs of the plan are independent, M' u̇ = h'; no constraint can be violated. Formulas for several sets of
inputs (variants) are prepared, and the run changes set before the one in use ends (dead centre), without a restart. Near
a position where all of them end, coordinate partitioning takes over for a while.
Source: the hybrid displacement analysis of Lee and Youm's table, with explicit closing conditions for the dynamics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.formulations.base import Array, Formulation, Scheme
from linkwork.equations.formulations.partitioning import closing_functions, open_scheme
from linkwork.equations.minimal import Minimal
from linkwork.numerics.constrained import ConstrainedSystem
from linkwork.numerics.explicit import IteratedBlock, Variant, explicit_failure, explicit_flow, variant_log
from linkwork.numerics.integrators.flow import Flow
from linkwork.topology.blocks import ITERATION, Plan

LARGE = 60  # coordinates beyond which no fall-back is compiled: its matrices are dense


@dataclass(frozen=True)
class Hybrid(Formulation):
    """Closed-form loops in minimal coordinates.

    *closed_form*: False solves all blocks of the plan by iteration, for comparison.
    *variants*: how many sets of inputs are prepared, the first included.
    """

    name: ClassVar[str] = "hybrid"
    summary: ClassVar[str] = "minimal coordinates, loops in closed form, Newton on the smallest blocks that need it"
    closes_loops: ClassVar[bool] = True
    holds_spins: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("relative",)

    closed_form: bool = True
    variants: int = 4

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c = coordinates
        if not c.rows:
            return open_scheme(c, t, y, p)
        prepared = [Minimal(c, plan, t, y, p) for plan in self._plans(c)]
        selectors = ca.vertcat(*[minimal.selectors for minimal in prepared])
        functions: dict[str, ca.Function] = {}
        for i, minimal in enumerate(prepared):
            functions |= _functions(c, minimal, selectors, i)
        fall_back = c.v.numel() <= LARGE
        closing = closing_functions(c)
        functions |= closing if fall_back else {name: f for name, f in closing.items() if name == "retract"}

        def begin(system: ConstrainedSystem, addresses: Mapping[str, int], t: float, y: Array) -> Flow:
            variants = [_variant(addresses, minimal, i) for i, minimal in enumerate(prepared)]
            return explicit_flow(system, variants, t, y, fall_back=fall_back)

        plans = [minimal.plan for minimal in prepared]
        extra = _motion(c, prepared[0], selectors) if not plans[0].inputs and plans[0].closed else {}
        return Scheme(functions, begin, lambda flow: _notes(flow, c, plans), explicit_failure, extra)

    def _plans(self, c: Coordinates) -> list[Plan]:
        """The plan of the topology, then others whose inputs stand in its tree."""
        most = self.variants if c.v.numel() <= LARGE else 1
        found = c.topology.planner.variants(most) if most > 1 else [c.topology.plan]
        return found if self.closed_form else [iterated_plan(plan) for plan in found]


def iterated_plan(plan: Plan) -> Plan:
    """The same blocks, all of them by iteration."""
    blocks = [replace(block, family=ITERATION, base="") if block.cuts else block for block in plan.blocks]
    return replace(plan, blocks=tuple(blocks))


def _function(c: Coordinates, selectors: ca.SX, name: str, outputs: Sequence[ca.SX]) -> ca.Function:
    """A function of (t, y, p) with the selectors behind the parameters."""
    p = ca.vertcat(c.p, selectors)
    return ca.Function(name, [c.t, c.y, p], [ca.densify(ca.vertcat(*outputs))], ["t", "y", "p"], ["out"])


def _functions(c: Coordinates, minimal: Minimal, selectors: ca.SX, i: int) -> dict[str, ca.Function]:
    def function(name: str, outputs: Sequence[ca.SX]) -> ca.Function:
        return _function(c, selectors, name, outputs)

    found = {
        f"flow{i}": function(f"flow{i}", [minimal.derivative, minimal.health]),
        f"state{i}": function(f"state{i}", [minimal.positions, minimal.velocities, minimal.health]),
    }
    if minimal.selectors.numel():
        found[f"select{i}"] = function(f"select{i}", [minimal.choices])
    for j, block in enumerate(minimal.iterations):
        found[f"block{i}_{j}"] = function(f"block{i}_{j}", [block.residual, ca.vec(block.jacobian)])
    return found


def _motion(c: Coordinates, minimal: Minimal, selectors: ca.SX) -> dict[str, ca.Function]:
    """[q, v, v̇, health] of a mechanism whose motion is prescribed, at any time, without integration."""
    nq, nv = c.q.numel(), c.v.numel()
    outputs = [minimal.positions, minimal.velocities, minimal.derivative[nq : nq + nv], minimal.health]
    return {"motion": _function(c, selectors, "motion", outputs)}


def _variant(addresses: Mapping[str, int], minimal: Minimal, i: int) -> Variant:
    blocks = [IteratedBlock(addresses[f"block{i}_{j}"], block.unknowns) for j, block in enumerate(minimal.iterations)]
    return Variant(
        addresses[f"flow{i}"],
        addresses[f"state{i}"],
        addresses.get(f"select{i}", 0),
        minimal.selectors.numel(),
        tuple(blocks),
    )


def _notes(flow: Flow, c: Coordinates, plans: Sequence[Plan]) -> tuple[str, ...]:
    log = variant_log(flow)

    def inputs(variant: int) -> str:
        if variant < 0:
            return "coordinate partitioning"
        return (
            ", ".join(c.topology.planner.name_of(key) for key in plans[variant].inputs)
            or "none: all motion is prescribed"
        )

    if not log.changes:
        return (f"independent: {inputs(log.initial)}",)
    times = "; ".join(f"{time:.4g} s: {inputs(variant)}" for time, variant in log.history[:6])
    more = "; ..." if log.changes > 6 else ""
    return (f"independent: {inputs(log.initial)}; the set changed {log.changes} times ({times}{more})",)
