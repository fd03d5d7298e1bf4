"""The audit of a run by time stepping: energy against works, closure, and how exactly contacts were solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.analysis.audit.auditor import Auditor
from linkwork.analysis.audit.limits import COARSEST, ROUNDING, Limits
from linkwork.analysis.motion.stepped_source import SteppedSource
from linkwork.answer.grid import rounded
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.results.audit import Audit, Check, largest, short

OVERLAP = 1e-3  # of the size of the mechanism: gaps are linear in a step, what turns by θ leaves θ²/8: 1e-3 for 5°
SHIFTED = 1e-2  # of the energy turned over: it comes of impacts in the middle of steps and falls with their length
LIFTED = 1e-9  # of the size of the mechanism, by which what rests is lifted and is not moved
CONES = 1e-3  # of the largest velocity, that contacts may be left with in a step
ADRIFT = 1e-3  # of the size of the mechanism: the way that what they are left with comes to in all steps
UNMEASURED = 1e300  # accelerations are means of steps, and no conditions are asked of them


@dataclass(frozen=True, eq=False)
class SteppedAuditor:
    """step: s; memory: what the run has counted; unbalanced: why the energy is not balanced, where it is not."""

    source: SteppedSource
    memory: StepMemory
    step: float
    unbalanced: str = ""

    def __call__(self) -> Audit:
        remedy = f"take a smaller fixed_step than {self.step:g} s"
        limits = Limits(acceleration=UNMEASURED)
        trajectory = self.source.trajectory
        plain = Auditor(trajectory, limits, balance=False, motion=False, remedy=remedy, closes=remedy)
        found = plain()
        if found.skipped or not found.checks[0].passed:
            return found
        kept = tuple(check for check in found.checks if check.name not in ("accelerations", "limits", "pushes"))
        energy = () if self.unbalanced else (self._energy(remedy),)
        contacts = (self._overlap(remedy), self._shifted(remedy), self._cones(), self._adrift())
        checks = (kept[0], *energy, *kept[1:], *contacts)
        return Audit(checks, (*found.unchecked, *([self.unbalanced] if self.unbalanced else ())))

    @property
    def _turned(self) -> float:
        """The energy that is turned over, J."""
        kinetic, potential = self.source.evaluate(("energy.kinetic", "energy.potential")).values()
        return float(np.max(kinetic) + np.ptp(potential) + np.max(np.abs(self.source.works), initial=0.0))

    def _energy(self, remedy: str) -> Check:
        names = ("energy.kinetic", "energy.potential", "energy.balance")
        kinetic, potential, left = self.source.evaluate(names).values()
        turned = self._turned
        error, floor = largest(left), ROUNDING * (float(np.max(kinetic)) + largest(potential))
        allowed = COARSEST * turned + floor
        part = error / turned if turned > 0.0 else 0.0
        finding = f"the energy is off by {error:.3g} J of {turned:.3g} J turned over: {remedy}"
        text = f"energy {short(part)} of {rounded(turned)} J" if turned > floor else "energy at rest"
        return Check("energy", error, allowed, text, "" if error <= allowed else finding)

    def _overlap(self, remedy: str) -> Check:
        deepest, allowed = float(self.memory.tally.deepest), OVERLAP * float(self.memory.size)
        finding = f"shapes or limits overlap by {deepest:.3g} m where steps end ({allowed:.2g} m are allowed): {remedy}"
        text = f"overlap {short(deepest)} m" if self.memory.tally.contacts else ""
        return Check("overlap", deepest, allowed, text, "" if deepest <= allowed else finding)

    def _shifted(self, remedy: str) -> Check:
        error, turned = largest(self.source.works[:, 2]), self._turned
        allowed = SHIFTED * turned + LIFTED * largest(self.source.evaluate(("energy.potential",))["energy.potential"])
        finding = f"taking overlaps apart has shifted {error:.3g} J of {turned:.3g} J turned over: {remedy}"
        return Check("shifted", error, allowed, "", "" if error <= allowed else finding)

    def _adrift(self) -> Check:
        error, allowed = float(self.memory.tally.adrift), ADRIFT * float(self.memory.size)
        finding = (
            f"what contacts were left with may have moved bodies by {error:.3g} m ({allowed:.2g} m are allowed): take a "
            "smaller tolerance, or another solver"
        )
        return Check("adrift", error, allowed, "", "" if error <= allowed else finding)

    def _cones(self) -> Check:
        worst, allowed = float(self.memory.pushing.worst), CONES
        finding = (
            f"contacts were left with {worst:.2g} of the largest velocity: take another solver or a smaller fixed_step; "
            "what cannot move is squeezed without an end"
        )
        text = f"cones {short(worst)}" if self.memory.tally.contacts else ""
        return Check("cones", worst, allowed, text, "" if worst <= allowed else finding)
