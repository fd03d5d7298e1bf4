"""Formulas that jump, in a run: their branches are held from one jump to the next (``algebra/expressions/switches.py``).

At a jump the branch changes, and with it perhaps what a driver prescribes. A jump of a prescribed position cannot be
followed: the run ends there. A jump of a prescribed speed takes an impulse along the conditions (``holding.py``).

Sides of polygons that touch are chosen by what is largest of several lengths. That is found anew wherever anything changes,
and by rates where lengths are alike: a corner that comes to the end of a side goes on beyond it, and not into the next one.

Where a formula would jump back and forth without end, such as dry friction by ``sign`` in a joint that sticks, a run with
adaptive steps ends too. Steps of fixed size go on with the formula as it is written; so do all where no acceleration feels
the jump, as of a force on a driven joint at rest, whose speed is zero but for rounding errors, until another formula jumps.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.expressions.switches import FREE
from linkwork.analysis.prepared.prepare import Array, Mechanism
from linkwork.coordinates.coordinates import Coordinates
from linkwork.results.outcome import Outcome, Status

POSITION, SPEED = 1e-9, 1e-9  # jumps of conditions (m or rad, and their rates) that count, relative to values above 1
FREED = 20  # times that switches are left free in a run before it ends: two of them may wake each other without end
UNFELT = 1e-9  # jump of accelerations, of what it would be without conditions, and of rates above 1
RETURNS, STEPS = 8, 3  # a switch that comes back so often after so few steps will not stop
ALIKE = 1e-9  # difference of rates, of the size of speeds, that is none
ROUNDING = 64 * float(np.finfo(float).eps)  # of guards, in the sizes of what they depend on
BEHIND = 1e-300  # added to guards: a zero at the start is no crossing
FLIPS = 100  # of guards at one time
ROUNDS = 4  # in which choices that depend on each other are made
SAMPLES = 10_000  # of a run, at which formulas of time are looked at for pulses


def guards(c: Coordinates) -> ca.SX:
    """All guards, positive where their branches hold."""
    return ca.vertcat(ca.SX(0, 1), *[guard.value + BEHIND for switch in c.switches for guard in switch.guards])


@dataclass(eq=False)
class Switching:
    """The switches of one run. p: the parameters of its flow, in which the selectors are changed."""

    mechanism: Mechanism
    p: Array
    fixed: bool = False  # whether steps have one size
    others: int = 0  # events before the guards
    behind: int = 0  # guards of other kinds behind them
    notes: list[str] = field(default_factory=list)
    stopped: Outcome | None = None
    jumps: int = 0
    changed: set[int] = field(default_factory=set)  # switches, at the last jump

    def __post_init__(self) -> None:
        self._returns = np.zeros(len(self.mechanism.coordinates.switches), dtype=int)
        self._freed = 0
        self._unfelt: set[int] = set()  # switches that are left free, since nothing feels them
        self.selectors = self.p[self.mechanism.coordinates.switch_places]
        self.rounding = np.zeros(self.others + self.count + self.behind)

    def hold(self, t: float, y: Array) -> None:
        """Hold the branches of a state."""
        if not self.mechanism.coordinates.switches:
            return
        chosen = self.selectors[self._choices].copy()
        self.selectors[:] = FREE
        self.selectors[:] = np.array(self._functions[0](t, y, self._known)).ravel()
        self.selectors[self._choices] = chosen
        self.measure_rounding(t, y)

    def choose(self, t: float, y: Array, speed: float) -> bool:
        """Find anew which of several lengths are the largest; whether others are. speed: the size of speeds."""
        before = self.selectors.copy()
        for _ in range(ROUNDS if self._choices else 0):
            # lengths of sides are those of a corner that was chosen before them
            last = self.selectors.copy()
            self._choose(t, y, speed)
            if np.all(self.selectors == last):
                break
        return bool(np.any(self.selectors != before))

    def _choose(self, t: float, y: Array, speed: float) -> None:
        first = 0
        values, rates, second = (np.array(item).ravel() for item in self._lengths(t, y, self._known))
        for i in self._choices:
            choice = self.mechanism.coordinates.switches[i].largest
            assert choice is not None
            own = slice(first, first + choice.measures.numel())
            alike = np.flatnonzero(values[own] >= np.max(values[own]) - choice.alike)
            fast = rates[own][alike]
            alike = alike[fast >= np.max(fast) - ALIKE * speed]
            self.selectors[i] = float(alike[int(np.argmax(second[own][alike]))])
            first = own.stop

    @cached_property
    def _choices(self) -> list[int]:
        """The switches that are chosen by lengths."""
        return [i for i, switch in enumerate(self.mechanism.coordinates.switches) if switch.largest is not None]

    @cached_property
    def chosen(self) -> frozenset[int]:
        """The guards of these."""
        return frozenset(np.flatnonzero(np.isin(self._owners, self._choices)).tolist())

    @cached_property
    def _lengths(self) -> ca.Function:
        """The lengths that are compared, their rates, and the second ones."""
        c = self.mechanism.coordinates
        every = [choice for switch in c.switches if (choice := switch.largest) is not None]
        values, second = (ca.vertcat(*[getattr(item, name) for item in every]) for name in ("measures", "second"))
        rates = c.motion.drift(values) + ca.jtimes(values, c.t, ca.SX(1))
        return ca.Function("lengths", [c.t, c.y, c.p], [ca.densify(item) for item in (values, rates, second)])

    def measure_rounding(self, t: float, y: Array) -> None:
        """How large rounding errors of the guards may be near a state: Σ |∂g/∂x| |x| of what they depend on."""
        self.rounding[self.others : self.others + self.count] = (
            ROUNDING * np.array(self._functions[3](t, y, self._known)).ravel()
        )

    def longest_step(self, start: float, end: float) -> float:
        """Half the shortest time between two jumps of formulas of time: no step may leap over a pulse.

        Guards that are straight lines in time have one zero, which no step misses.
        """
        c = self.mechanism.coordinates
        curved = [s for s in c.switches if s.timed and any(_is_curved(guard.value, c.t) for guard in s.guards)]
        if not curved or not end > start:
            return math.inf
        values = ca.vertcat(*[switch.value for switch in curved])
        f = ca.Function("selectors", [c.t, c.p], [ca.densify(values)]).map(SAMPLES + 1)
        times = np.linspace(start, end, SAMPLES + 1)
        self.release()
        found = np.array(f(times[None, :], np.tile(self._known[:, None], SAMPLES + 1)))
        changes = times[1:][np.any(found[:, 1:] != found[:, :-1], axis=0)]
        gaps = np.diff(changes, prepend=start)
        return 0.5 * float(np.min(gaps)) if gaps.size else math.inf

    def release(self) -> None:
        """Leave all formulas as they are written."""
        self.selectors[:] = FREE

    def change(self, t: float, y: Array, steps: int, passed: Collection[int] = ()) -> bool:
        """Take the next branches where guards say so, after so many steps; returns whether a prescribed speed jumps.

        passed: guards whose zeros the integrator has located here, though rounding errors may show another sign now.
        Where a prescribed position jumps there is no motion behind it; ``stopped`` says which.
        """
        before = self._conditions(t, y)
        if steps > STEPS:
            self._hold_again(t, y)
        held = self.selectors.copy()
        self.changed = changed = self._flip(t, y, passed)
        behind = self.selectors.copy()
        endless = self._count(changed, steps)
        for switch in () if self.fixed else endless:
            self._freed += 1
            if self._freed > FREED or self._is_felt(t, y, switch, (held[switch], behind[switch])):
                self.stopped = self._endless(t, switch)
                return False
            self._unfelt.add(switch)
        after = self._conditions(t, y)
        apart = np.abs(after[0] - before[0]) > POSITION * np.maximum(1.0, np.abs(after[0]))
        if apart.any():
            row = int(np.argmax(np.abs(after[0] - before[0])))
            self.stopped = self._jumped(t, row, float(before[0][row] - after[0][row]))
            return False
        jump = after[1] - before[1]
        jumps = bool(np.any(np.abs(jump) > SPEED * np.maximum(1.0, np.abs(before[1]))))
        if jumps:
            self._note_jump(t, jump)
        return jumps

    def _hold_again(self, t: float, y: Array) -> None:
        """Hold the branches of switches that nothing felt so far: behind another jump something may."""
        for switch in self._unfelt:
            self.selectors[switch] = float(np.array(self._functions[0](t, y, self._known)).ravel()[switch])
            self._returns[switch] = 0
        self._unfelt.clear()

    def _is_felt(self, t: float, y: Array, switch: int, branches: tuple[float, float]) -> bool:
        """Whether accelerations, or the rates of other states, are not the same on two branches of a switch.

        M Δv̇ = Δh + Cᵀ Δλ, C Δv̇ + Δb = 0, beside M⁻¹ Δh without the conditions.
        """
        if branches[0] == branches[1]:
            return True  # there and back at once
        found, now = [], float(self.selectors[switch])
        for branch in branches:
            self.selectors[switch] = branch
            found.append([np.array(value).ravel() for value in self._loads(t, y, self._known)])
        self.selectors[switch] = now
        force, drift, rates = (two - one for one, two in zip(*found, strict=True))
        if np.any(np.abs(rates) > UNFELT * np.maximum(1.0, np.abs(found[0][2]))):
            return True
        scale = self.mechanism.coordinates.kinematics.scale
        _, _, mass, jacobian = self._conditions(t, y)
        mass, jacobian, force = mass * np.outer(scale, scale), jacobian * scale, force * scale
        size = float(np.max(np.abs(mass), initial=0.0)) or 1.0
        m = len(drift)
        system = np.block([[mass / size, jacobian.T], [jacobian, np.zeros((m, m))]])
        moved = np.linalg.lstsq(system, np.concatenate([force / size, -drift]), rcond=1e-12)[0][: len(force)]
        alone = np.linalg.lstsq(mass / size, force / size, rcond=1e-12)[0]
        return bool(np.max(np.abs(moved), initial=0.0) > UNFELT * np.max(np.abs(alone), initial=0.0))

    @cached_property
    def _loads(self) -> ca.Function:
        """h, b, and the rates of other states."""
        c = self.mechanism.coordinates
        return ca.Function("loads", [c.t, c.y, c.p], [ca.densify(ca.SX(item)) for item in (c.forces, c.b, c.s_rates)])

    def _flip(self, t: float, y: Array, passed: Collection[int]) -> set[int]:
        """The branches behind the guards that are passed, then next ones until all guards hold, but for rounding errors.

        A guard that is zero but for them may have either sign on the right branch: where it is the wrong one, the next
        step ends with a guard that was never positive, and comes back to its start. Returns the switches that changed.
        """
        changed: set[int] = set()
        found, noise = self._guards(t, y), np.zeros(len(self.selectors))
        for guard in passed:
            switch = int(self._owners[guard])
            self.selectors[switch] = found[1][guard]
            noise[switch] = 2.0 * abs(found[0][guard])
            changed.add(switch)
        for _ in range(FLIPS):
            found = self._guards(t, y)
            wrong = np.flatnonzero(found[0] < -noise[self._owners])
            if not wrong.size:
                break
            self.selectors[self._owners[wrong[0]]] = found[1][wrong[0]]
            changed.add(int(self._owners[wrong[0]]))
        return changed

    def _guards(self, t: float, y: Array) -> list[Array]:
        """Guards, and the selectors behind them."""
        return [np.array(value).ravel() for value in self._functions[1](t, y, self._known)]

    def _count(self, changed: set[int], steps: int) -> list[int]:
        """The switches that come back again and again, which are left free from now on."""
        self.jumps += int(bool(changed))
        endless = []
        for i, switch in enumerate(self.mechanism.coordinates.switches):
            self._returns[i] = self._returns[i] + 1 if i in changed and steps <= STEPS else 0
            if self._returns[i] > RETURNS and not switch.timed:
                self.selectors[i] = FREE
                endless.append(i)
        return endless

    @property
    def count(self) -> int:
        """How many guards there are."""
        return len(self._owners)

    @property
    def _known(self) -> Array:
        return self.p[: self.mechanism.coordinates.p.numel()]

    @cached_property
    def _owners(self) -> Array:
        counts = [len(switch.guards) for switch in self.mechanism.coordinates.switches]
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def _functions(self) -> tuple[ca.Function, ca.Function, ca.Function, ca.Function]:
        """Selectors; guards and the next selectors; conditions, their rates, M and C; sizes of what guards are made of."""
        c = self.mechanism.coordinates
        inputs = [c.t, c.y, c.p]
        values = ca.vertcat(ca.SX(0, 1), *[switch.value for switch in c.switches])
        nexts = ca.vertcat(ca.SX(0, 1), *[guard.next for switch in c.switches for guard in switch.guards])
        rate = c.jacobian @ c.v + c.a
        known = ca.vertcat(c.t, c.y)
        sizes = ca.fabs(ca.jacobian(guards(c), known)) @ ca.fabs(known)
        return (
            ca.Function("selectors", inputs, [ca.densify(values)]),
            ca.Function("guards", inputs, [ca.densify(guards(c)), ca.densify(nexts)]),
            ca.Function("conditions", inputs, [ca.densify(item) for item in (c.phi, rate, c.mass, c.jacobian)]),
            ca.Function("sizes", inputs, [ca.densify(sizes)]),
        )

    def _conditions(self, t: float, y: Array) -> list[Array]:
        found = self._functions[2](t, y, self._known)
        return [np.array(found[0]).ravel(), np.array(found[1]).ravel(), *(np.array(item) for item in found[2:])]

    def _note_jump(self, t: float, jump: Array) -> None:
        c, row = self.mechanism.coordinates, int(np.argmax(np.abs(jump)))
        label, unit = c.labels[row], "rad/s" if c.rows[row].meaning.turns else "m/s"
        self.notes.append(
            f"{label.kind} '{label.element}' jumps in speed by {-float(jump[row]):.6g} {unit} at t = {t:.6g} s: the "
            "velocities behind it are those of an impulse"
        )

    def _jumped(self, t: float, row: int, jump: float) -> Outcome:
        c = self.mechanism.coordinates
        label, unit = c.labels[row], "rad" if c.rows[row].meaning.turns else "m"
        reason = (
            f"{label.kind} '{label.element}' ({label.component}) jumps in position by {jump:.6g} {unit}, which no motion "
            "can follow; prescribe a ramp, or a speed"
        )
        return Outcome(Status.STOPPED_EARLY, reason, t, label.element)

    def _endless(self, t: float, switch: int) -> Outcome:
        formula = self.mechanism.coordinates.switches[switch].formula
        reason = (
            f"the formula '{formula}' jumps back and forth without end, as dry friction does in a joint that sticks; make "
            "it smooth, for example by tanh, or take a force of kind friction"
        )
        return Outcome(Status.STOPPED_EARLY, reason, t)


def _is_curved(guard: ca.SX, t: ca.SX) -> bool:
    return bool(ca.depends_on(ca.jacobian(guard, t), t))
