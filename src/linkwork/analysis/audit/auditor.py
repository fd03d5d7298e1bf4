"""The audit of a run: energy against works, closure, speeds, momentum, branch, and numbers that are none.

Everything is computed from the states that a result shows, by the expressions of the coordinates themselves and without
compiling anything: the integrator, the formulation and the compiled code have used none of it. `Measures` are the numbers,
``audit_limits`` says what is allowed, and the words are made here. Equations: ``docs/theory/audit.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from linkwork.analysis.audit.branches import find_kinks, follow_branches, name_change
from linkwork.analysis.audit.impacts import check_jumps
from linkwork.analysis.audit.limits import CLOSED, COARSEST, DIGITS, KNOWN, ROUNDING, SOLVED, Limits
from linkwork.analysis.audit.measures import Measures
from linkwork.analysis.audit.momentum import momentum_change
from linkwork.analysis.audit.one_sided import check_friction, check_limits
from linkwork.analysis.motion.singular import passages
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.answer.grid import rounded
from linkwork.arrays import Array
from linkwork.outline import outlined
from linkwork.progress import told
from linkwork.results.audit import Audit, Check, largest, short
from linkwork.results.inverse_dynamics import SupplementedSource
from linkwork.results.quantities import TIME, QuantitySource, Variable

LEAP = 0.3  # of the way that speeds say, and of a tenth of the range of a coordinate: what is more is no motion
FEW = 10.0  # times what is allowed elsewhere: steps that are looked at from one or two outputs
BESIDE = 0.1  # of the time between outputs: an output that near to a change point is one
LISTED = 3  # times of changes in the line
STEADY = ("hybrid", "partitioning")  # formulations that keep conditions of positions and speeds


@outlined
@dataclass(frozen=True, eq=False)
class Auditor:
    """What audits a result when somebody first looks at it.

    breaks: times at which formulas have jumped
    balance: whether the energy is balanced, which needs a run and not samples alone
    falls: whether what is destroyed is not known, so that the energy may fall
    power: whether powers are balanced, sample by sample, which needs efforts
    motion: whether samples follow each other, and are not taken one by one
    held: whether limits hold, and are not passed by a motion that is given
    remedy: what to do about an error of the integration; closes: about conditions that are broken
    doubt: what else may be wrong where the energy is off
    variable: what the outputs are over
    again: what repeats some steps with half their size, and says how far their errors add up, whose, and how sure that is
    """

    trajectory: Trajectory
    limits: Limits
    steps: Array = field(default_factory=lambda: np.empty(0))
    breaks: tuple[float, ...] = ()
    balance: bool = True
    falls: bool = False
    power: bool = False
    motion: bool = True
    held: bool = True
    remedy: str = "tighten rtol, or take a smaller fixed_step"
    doubt: str = ""
    again: Callable[[], tuple[float, str, bool] | None] | None = None
    variable: Variable = TIME
    closes: str = "take another formulation, tighten rtol, or take a smaller fixed_step"

    @told("auditing")
    def __call__(self) -> Audit:
        if not len(self.trajectory.t):
            return Audit(skipped="there are no samples")
        measures = Measures(self.trajectory, self.steps, self.breaks)
        numbers = self._numbers(measures)
        if not numbers.passed:
            return Audit((numbers,), ("anything else",))
        checks = [numbers]
        unchecked: list[str] = []
        checks += self._energy(measures) if self.balance else []
        checks += self._power(measures) if self.power else []
        checks += self._conditions(measures)
        looks = (check_limits, check_friction, check_jumps) if self.held else ()
        checks += [item for look in looks for item in look(measures, self.limits)]
        along = (self._speeds, self._steps, self._momentum, self._branches) if self.motion else ()
        for check, reason in (look(measures) for look in along):
            checks += [check] if check is not None else []
            unchecked += [reason] if reason else []
        if not measures.resolved:
            unchecked.append("works (forces change faster than steps that were tried)")
        return Audit(tuple(checks), tuple(unchecked))

    # -- one check each ----------------------------------------------------------------------------------------

    def _numbers(self, measures: Measures) -> Check:
        where = measures.undefined()
        finding = ""
        if where is not None:
            name, time = where
            finding = f"{name} is infinite or undefined from {self._place(time)} on: check its formula"
        return Check("numbers", float(where is not None), 0.5, finding=finding)

    def _energy(self, measures: Measures) -> list[Check]:
        t, kinetic, potential, work, worked = measures.energies()
        if len(t) == 1 and not np.isfinite(worked):
            return []  # a run that has stopped where it began, for a force without a value: there is nothing to balance
        left = kinetic + potential - kinetic[0] - potential[0] - work
        if self.falls:
            left -= np.minimum.accumulate(left)
        error = largest(left)
        turned = float(np.max(kinetic) + np.ptp(potential) + worked)
        # small motions of a large mechanism: forces times what positions are known to
        known = max(ROUNDING, min(KNOWN * self.limits.position[0], DIGITS))
        floor = known * (float(np.max(kinetic)) + largest(potential) + measures.weight)
        # what hardly leaves its rest, such as springs without force, moves by no more than what is allowed to positions
        floor += max(ROUNDING, KNOWN * self.limits.position[1]) * measures.thrust
        allowed = (self.limits.energy if measures.resolved else COARSEST) * turned + floor
        part = error / turned if turned > 0.0 else 0.0 if error <= floor else np.inf
        rests = turned <= floor and not measures.moves
        text = "energy at rest" if rests else f"energy {short(part)} of {rounded(turned)} J"
        if error <= allowed:
            return [Check("energy", error, allowed, text)]
        if not np.isfinite(error):
            return [Check("energy", error, allowed, text, f"energy or works have no value: {measures.no_power()}")]
        when = float(t[np.argmax(np.abs(left) > allowed)])
        more = "".join(f"; {item}" for item in (self.doubt, self.limits.method) if item)
        finding = (
            f"the energy is off by {error:.3g} J of {turned:.3g} J turned over ({allowed:.2g} J are allowed), first at "
            f"{self._place(when)}: the motion is not that of the model; {self.remedy}{more}"
        )
        return [Check("energy", error, allowed, text, finding)]

    def _power(self, measures: Measures) -> list[Check]:
        """d(T + V)/dt = Σ S − Σ D + vᵀ(conditions that move) at every sample, with the efforts that were found."""
        error, size, time = measures.power_gap()
        allowed = self.limits.power * size + ROUNDING * measures.energy_rate
        finding = ""
        if not error <= allowed:
            finding = (
                f"forces and motors bring in {error:.3g} W more or less than the energy takes up at {self._place(time)}, of "
                f"{size:.3g} W: the efforts do not give this motion; {self._met(time) or self.remedy}"
            )
        part = error / size if size > 0.0 else 0.0
        return [Check("power", error, allowed, f"power {short(part)} of {rounded(size)} W", finding)]

    def _conditions(self, measures: Measures) -> list[Check]:
        if not measures.rows:
            return []
        limits, size = self.limits, measures.length
        checks = []
        for name, level, scale, part, unit, what in (
            ("closure", 0, size, limits.closure, "m", "loops are open by"),
            ("velocities", 1, measures.speed, limits.velocity, "m/s", "velocities break the conditions by"),
            ("accelerations", 2, measures.held, limits.acceleration, "m/s^2", "accelerations break the conditions by"),
        ):
            error, row, time = measures.opening(level)
            text = f"closure {short(error)} m" if level == 0 else ""
            allowed = part * scale
            finding = ""
            if not error <= allowed:
                finding = (
                    f"{what} {error:.3g} {unit} at {row}, {self._place(time)} ({allowed:.2g} {unit} are allowed): "
                    f"{(self._met(time) if level == 2 else '') or self.closes}"
                )
            checks.append(Check(name, error, allowed, text, finding))
        return checks

    def _speeds(self, measures: Measures) -> tuple[Check | None, str]:
        found = measures.speeds(self.limits.position)
        if found is None:
            return None, "" if len(self.trajectory.t) < 2 or not measures.moves else "speeds (outputs too far apart)"
        error, name, time = found
        finding = ""
        # a motion that is solved for has no formulation
        other = "" if self.closes == self.remedy else ", or take another formulation"
        if not error <= self.limits.speed:
            finding = (
                f"{name} does not follow from its speed near {self._place(time)}, by {error:.2g} of the way between "
                f"two outputs: {self.remedy}{other}"
            )
        return Check("speeds", error, self.limits.speed, finding=finding), ""

    def _steps(self, measures: Measures) -> tuple[Check | None, str]:
        # rounding errors of what rests are no part of a motion
        if not measures.moves:
            return None, ""
        found = self.again() if self.again is not None else None
        if found is None:
            return None, "steps" if self.again is not None and len(self.trajectory.t) > 1 else ""
        error, name, enough = found
        allowed = self.limits.steps if enough else FEW * self.limits.steps
        finding = ""
        if not error <= allowed:
            finding = (
                f"steps are too long: repeated with half their size they end elsewhere, and by the end {name} may be off by "
                f"{f'{error:.2g}' if error < 1.0 else 'all'} of its size ({allowed:g} is allowed): {self.remedy}"
            )
        return Check("steps", error, allowed, finding=finding), "" if enough else "small errors of steps (few outputs)"

    def _momentum(self, measures: Measures) -> tuple[Check | None, str]:
        found = momentum_change(measures)
        if found is None:
            return None, ""
        error, what = found
        finding = ""
        if not error <= self.limits.momentum:
            finding = f"{what} changes by {error:.2g} of its size, though nothing outside acts: {self.remedy}"
        return Check("momentum", error, self.limits.momentum, f"momentum {short(error)}", finding), ""

    def _branches(self, measures: Measures) -> tuple[Check | None, str]:
        loops = bool(self.trajectory.mechanism.topology.loops) and len(self.trajectory.t) > 1
        changes = follow_branches(measures) if loops else None
        if changes is None:
            return None, "branch" if loops else ""
        leaps = [change for change in changes if measures.leap(change.low, change.high) > LEAP]
        text = "branch kept"
        if changes:
            dead = [change.time for change in changes if not change.meeting]
            text = f"branch changed at dead centres ({self._listed(dead)})" if dead else text
            met = [change.time for change in changes if change.meeting]
            text += f"{', passed' if dead else ' through'} change points ({self._listed(met)})" if met else ""
        finding = ""
        if leaps:
            places = [self._place(self.trajectory.t[i]) for i in (leaps[0].low, leaps[0].high)]
            text, which = "branch LEFT", name_change(self.trajectory, leaps[0]) or "a loop"
            finding = (
                f"{which} leaps to another branch between {places[0]} and {places[1]}, and no motion leads "
                f"there: the loop has been closed the other way round; {self.remedy}"
            )
        kinks = find_kinks(measures)
        if kinks and not leaps:
            places = [self._place(self.trajectory.t[i]) for i in (kinks[0], kinks[0] + 1)]
            text = "branch LEFT"
            finding = (
                f"speeds jump between {places[0]} and {places[1]}, where branches of the motion meet or nearly do: it goes "
                f"on in another branch, or turns off more sharply than samples show; {self.remedy}"
            )
        return Check("branch", float(len(leaps) + len(kinks)), 0.5, text, finding), ""

    def _met(self, time: float) -> str:
        """What to do where branches meet at a time; '' where they do not."""
        t = self.trajectory.t
        near = BESIDE * float(np.median(np.diff(t))) if len(t) > 1 else 0.0
        if not any(abs(time - other) <= near for other in passages(self.trajectory)):
            return ""
        return (
            "branches of the motion meet at this sample (change point), and neither accelerations nor forces are determined "
            "there; take samples beside it"
        )

    def _place(self, time: float) -> str:
        name = "t" if self.variable.is_time else self.variable.name
        return f"{name} = {time:.6g} {self.variable.unit}".rstrip()

    def _listed(self, times: list[float]) -> str:
        more = f" and {len(times) - LISTED} more" if len(times) > LISTED else ""
        return ", ".join(f"{time:.6g} {self.variable.unit}".rstrip() for time in times[:LISTED]) + more


def inverse_auditor(source: QuantitySource, complete: bool, over: Variable) -> Auditor:
    """Of a motion that was given and brought onto its conditions; *complete*: its motors give all of it at every sample."""
    assert isinstance(source, SupplementedSource)
    assert isinstance(source.source, Trajectory)
    remedy = "take another method such as 'virtual_power', or more corrections of penalties"
    closes = "give the motion with its rates, or more samples of it"
    found = Auditor(source.source, Limits(), balance=False, power=complete, motion=False, remedy=remedy, closes=closes)
    return replace(found, variable=over, held=False)


def another_formulation(mechanism: Mechanism) -> str:
    """What to take in the place of the formulation of a mechanism, where conditions are broken."""
    others = [f"'{name}'" for name in STEADY if name != mechanism.equations.formulation.name]
    return f"take another formulation such as {' or '.join(others)}"


def kinematic_auditor(
    source: QuantitySource, tolerance: float, variable: Variable = TIME, breaks: Sequence[float] = ()
) -> Auditor:
    """Of a motion that was solved for, position by position, with a tolerance of all conditions; its inputs jump in speed
    at *breaks*."""
    assert isinstance(source, Trajectory)
    closed = max(CLOSED, SOLVED * tolerance)
    limits = Limits(closure=closed, position=(0.0, closed * float(source.mechanism.coordinates.kinematics.length)))
    remedy = "take a smaller spacing or tolerance, or another method"
    return Auditor(
        source,
        limits,
        breaks=tuple(breaks),
        balance=False,
        held=False,
        remedy=remedy,
        closes=remedy,
        variable=variable,
    )
