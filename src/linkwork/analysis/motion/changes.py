"""What changes within a run, from one leg to the next: branches of formulas that jump, and conditions that come and go."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.analysis.motion.holding import Holding
from linkwork.analysis.motion.switching import Switching, guards
from linkwork.analysis.motion.work import Impulse
from linkwork.analysis.walk.prepare import Array, Mechanism
from linkwork.numerics.flows.constrained import forget_rank
from linkwork.numerics.flows.explicit import flow_parameters
from linkwork.numerics.integrators.flow import Flow
from linkwork.results.outcome import Outcome


@dataclass(frozen=True, eq=False)
class Changes:
    """Both, of one run; the guards of formulas stand before those of conditions."""

    flow: Flow
    switching: Switching
    holding: Holding

    @classmethod
    def of(cls, mechanism: Mechanism, flow: Flow, *, fixed: bool, others: int) -> Changes:
        """fixed: whether steps have one size; others: events before all guards."""
        p = flow_parameters(flow)
        return cls(flow, Switching(mechanism, p, fixed, others), Holding(mechanism, p))

    @property
    def guards(self) -> ca.SX:
        return ca.vertcat(guards(self.holding.mechanism.coordinates), self.holding.guards)

    @property
    def stopped(self) -> Outcome | None:
        return self.switching.stopped or self.holding.stopped

    @property
    def impulses(self) -> list[Impulse]:
        return self.switching.impulses + self.holding.impulses

    def begin(self, t: float, y: Array) -> Array:
        """Choose branches and conditions at the start; returns the state behind impulses that they take."""
        begun = self.holding.begin(t, y)
        self.switching.hold(t, begun)
        self._renew(t, begun)
        return begun

    def turn(self, t: float, state: Array, steps: int, passed: Collection[int]) -> Array | None:
        """The state behind guards that were passed after so many steps; None: it does not go on, see ``stopped``."""
        formulas = {index for index in passed if index < self.switching.count}
        limits = {index - self.switching.count for index in passed if index >= self.switching.count}
        y = self.switching.change(t, state, steps, formulas) if formulas or not limits else state
        if y is None or not self.holding.any:
            return y
        held = np.array(y)
        self.flow.correct(t, held)  # inside a step conditions hold as well as the dense output only
        y = self.holding.change(t, held, steps, limits)
        self._renew(t, held)
        return y

    def _renew(self, t: float, y: Array) -> None:
        if self.holding.any:
            forget_rank(self.flow)
            first = self.switching.others + self.switching.count
            self.holding.measure_rounding(self.switching.rounding[first:], t, y)
