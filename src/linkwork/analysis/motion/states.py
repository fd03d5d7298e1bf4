"""What is known of the states of a run: t, y and the accelerations v̇ there."""

from __future__ import annotations

from dataclasses import replace

from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.equations.formulations import AugmentedLagrangian
from linkwork.equations.formulations.penalty import penalties
from linkwork.numerics.flows.accelerations import accelerations
from linkwork.numerics.flows.constrained import by_penalties
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.flows.flow import Flow, evaluate_flow


def known_states(mechanism: Mechanism, start: Start, t: Array, y: Array) -> States:
    """t, y and v̇: of formulations that count no rank their own, elsewhere by the null space of the conditions.

    No choice of coordinates can fail there, and at singular positions the formulation is asked.
    """
    c = mechanism.coordinates
    system = mechanism.system(start.p)
    system = replace(system, functions={name: f for name, f in system.functions.items() if name != "accelerate"})
    rankless = mechanism.equations.formulation.able.singular_start
    own = _own_flow(mechanism, start) if rankless or "terms" not in system.functions else None
    if own is None:
        others = (lambda: _own_flow(mechanism, start), lambda: _penalised(mechanism, start, system))
        return t, y, accelerations(system, t, y, others)
    return t, y, evaluate_flow(own, t, y)[:, c.q.numel() : c.q.numel() + c.v.numel()]


def _own_flow(mechanism: Mechanism, start: Start) -> Flow | None:
    """The flow of the formulation, where it gives the derivatives of the state y."""
    flow = mechanism.flow(start)
    return flow if flow.own is None and not mechanism.equations.formulation.implicit else None


def _penalised(mechanism: Mechanism, start: Start, system: ConstrainedSystem) -> Flow:
    chosen, c = AugmentedLagrangian(), mechanism.coordinates
    penalty = penalties(c, chosen.alpha, 0.0, start.y, start.p)
    return by_penalties(penalty, chosen.corrections, chosen.tolerance).begin(system)
