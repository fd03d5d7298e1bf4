"""The motion of linear equations over time, as a user reads it: δẋ = A δx + B δu from a variation and with inputs.

The whole of it is found by the matrix exponential (``numerics/systems/linear_flow.py``). What belongs to single modes
follows by projection: with right and left eigenvectors X_g, Y_g of a mode, its part is X_g Y_g δx, and moves as if the
others were not there (``numerics/systems/spectrum.py``). So a modal superposition is the sum of the parts that are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.algebra.units import si
from linkwork.answer import Answer, Column, Grid
from linkwork.answer.column import label as headed
from linkwork.answer.column import matching
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.systems.linear_flow import advance, pieces
from linkwork.numerics.systems.spectrum import Group, split
from linkwork.results.input_signals import InputMotion, InputSignals
from linkwork.results.linear_system import LinearSystem, place
from linkwork.results.measured import NamedValues
from linkwork.results.result import Result
from linkwork.results.vibration_modes import VibrationMode, VibrationModes

FREE = "free motions"
ROUNDING = 1e-12  # of a part of inputs, beside those of modes, that is none
OFF = 1e-6  # part of a variation that is against the conditions, beside the whole, that is refused


@dataclass(frozen=True, eq=False, repr=False)
class LinearMotion(Answer):
    """Variations over time: ``motion["car.ay"]`` is an array over ``motion.time``, of states, inputs and any other quantity.

    x (N, n): all states, of the modes that are kept; u (N, nu): inputs
    kept: names of the modes that are kept, as ``mode 1``, or None where it is all of them
    """

    view = "linear_motion.plot_motion"

    linearisation: LinearSystem
    time: Array
    x: Array
    u: Array
    kept: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        linear: LinearSystem,
        time: Array,
        initial: Mapping[str, float | str],
        inputs: Mapping[str, InputMotion],
        modes: Sequence[int | str | VibrationMode] | None,
    ) -> LinearMotion:
        """From a variation of states and with inputs, by all modes or by some."""
        if len(time) < 2 or np.any(np.diff(time) <= 0) or not np.all(np.isfinite(time)):
            raise RefusedError("output times must increase, and be two at least")
        start = np.zeros(len(linear.states))
        for name, value in initial.items():
            start[place(name, linear.states, "state")] = si(value, "any")
        kept = None if modes is None else _chosen(linear, modes)
        _check_start(linear, start)
        signals = InputSignals(inputs, linear.inputs, time)
        u = signals(time)
        if not np.all(np.isfinite(u)):
            name = linear.inputs[int(np.argmin(np.all(np.isfinite(u), axis=0)))]
            raise RefusedError(f"the input '{name}' has no finite value at some of the output times")
        given = pieces(signals, signals.breaks)
        found = advance(linear.a, linear.b, start, given)[np.searchsorted(given.ends, time)]
        if kept is not None:
            groups = _groups(linear)
            found = sum((groups[label].part(found) for label in kept), np.zeros_like(found))
        return cls(linear, time, found, u, kept)

    def __getitem__(self, name: str) -> Array:
        """The variation of a state, an input, or any other named quantity, (N)."""
        return self._read(name, self.x, self.u)

    def _read(self, name: str, x: Array, u: Array) -> Array:
        linear = self.linearisation
        if name in linear.states:
            return x[:, linear.states.index(name)]
        if name in linear.inputs:
            return u[:, linear.inputs.index(name)]
        if name in linear.outputs:
            row = linear.outputs.index(name)
            return x @ linear.c[row] + u @ linear.d[row]
        c, d = linear.source.slopes([name])
        return x @ c[0] + u @ d[0]

    def __len__(self) -> int:
        return len(self.time)

    @cached_property
    def parts(self) -> dict[str, Array]:
        """What belongs to each mode that is kept, by its name: states (N, n)."""
        groups = _groups(self.linearisation)
        return {label: groups[label].part(self.x) for label in (groups if self.kept is None else self.kept)}

    def contributions(self, name: str) -> NamedValues:
        """The part of each mode in a state or another quantity, (N) each; inputs act on some quantities without a mode."""
        nothing = np.zeros_like(self.u)
        found = {label: self._read(name, part, nothing) for label, part in self.parts.items()}
        direct = self._read(name, np.zeros_like(self.x), self.u)
        size = max((float(np.max(np.abs(values))) for values in found.values()), default=0.0)
        found |= {"input": direct} if np.max(np.abs(direct)) > ROUNDING * size else {}
        unit = self.linearisation.source.unit(name)
        return NamedValues(f"{name} by modes", Column("time", self.time, "s"), found, unit)

    @property
    def names(self) -> tuple[str, ...]:
        """States, outputs and inputs."""
        linear = self.linearisation
        return tuple(dict.fromkeys([*linear.states, *linear.outputs, *linear.inputs]))

    def motion(self, scale: float = 1.0) -> Result:
        """The mechanism that moves so, as a result that can be animated; *scale* makes small variations visible."""
        if not self.linearisation.resting:
            raise RefusedError("variations of a motion are no motion of the mechanism: linearise about an equilibrium")
        return self.linearisation.source.follow(
            scale * self.x, scale * self.u, self.time, f"linear motion of {self.linearisation.name}"
        )

    @property
    def by(self) -> str:
        """How it was found."""
        return "all modes" if self.kept is None else ", ".join(self.kept) or "no mode"

    @property
    def title(self) -> str:
        linear, span = self.linearisation, f"{self.time[0]:g} to {self.time[-1]:g} s"
        return f"linear motion of {linear.name} {linear.where}, {span}, by {self.by}"

    @property
    def notes(self) -> tuple[str, ...]:
        return self.linearisation.notes

    def report(self) -> list[str | Grid]:
        """Ranges of states, outputs and inputs, and the largest part of each mode."""
        parts = self.parts if self.linearisation.projected is None else {}
        rows = []
        for name in self.names:
            values = self[name]
            shared = parts and name not in self.linearisation.inputs
            shares: Mapping[str, Array] = self.contributions(name) if shared else {}
            sizes = [f"{np.max(np.abs(shares[part])):.4g}" if part in shares else "-" for part in parts]
            ends = [f"{x:.5g}" for x in (values.min(), values.max(), values[-1])]
            rows.append([headed(name, self.linearisation.source.unit(name)), *ends, *sizes])
        return [Grid(rows, ["", "least", "largest", "at the end", *parts]), *self.linearisation.remarks]

    def columns(self) -> list[Column]:
        """States, outputs and inputs over time."""
        return self.pick(self.names)

    def pick(self, names: Sequence[str]) -> list[Column]:
        """Any quantities over time, by their names; patterns are for states, outputs and inputs."""
        unit, chosen = (
            self.linearisation.source.unit,
            [n for name in names for n in matching(name, self.names) or [name]],
        )
        return [Column("time", self.time, "s"), *(Column(name, self[name], unit(name)) for name in chosen)]


def _check_start(linear: LinearSystem, x: Array) -> None:
    """Refuse an initial variation that conditions between the states do not allow."""
    tangent = linear.physical[1]
    off = tangent @ np.linalg.lstsq(tangent, x)[0] - x
    if np.max(np.abs(off), initial=0.0) > OFF * np.max(np.abs(x), initial=0.0):
        raise RefusedError(
            "the initial variation is against the conditions between the states: give one that satisfies them"
        )


def _groups(linear: LinearSystem) -> dict[str, Group]:
    """Groups of eigenvalues by the names of their modes, the slowest first, free motions last."""
    if linear.projected is not None:
        raise RefusedError("modes go their own ways in independent states: linearise without penalties for their parts")
    left = list(VibrationModes(linear))
    found: dict[tuple[int, ...], tuple[str, Group]] = {}
    for group in split(linear.a):
        if group.neutral:
            found[(len(linear.states) + 1,)] = FREE, group
            continue
        numbers = []
        for value in group.values[group.values.imag >= 0.0]:
            nearest = int(np.argmin([abs(mode.eigenvalue - value) for mode in left]))
            numbers.append(left.pop(nearest).number)
        numbers.sort()
        found[tuple(numbers)] = _label(numbers), group
    return {label: group for _, (label, group) in sorted(found.items(), key=lambda item: item[0])}


def _label(numbers: Sequence[int]) -> str:
    return f"mode{'s' if len(numbers) > 1 else ''} {' and '.join(str(number) for number in numbers)}"


def _chosen(linear: LinearSystem, modes: Sequence[int | str | VibrationMode]) -> tuple[str, ...]:
    """Names of the groups of chosen modes; those of a Jordan block are chosen together."""
    count, labels = len(VibrationModes(linear)), _groups(linear)
    if isinstance(modes, str) or not isinstance(modes, Iterable):
        raise RefusedError(f"give a list of modes, such as [1, 2] or ['free'], not {modes!r}")
    wanted = [mode.number if isinstance(mode, VibrationMode) else mode for mode in modes]
    for mode in wanted:
        if mode == "free" and FREE not in labels:
            raise RefusedError("there are no free motions: something brings every motion back")
        if mode != "free" and mode not in range(1, count + 1):
            raise RefusedError(f"there is no mode {mode!r}: modes count from 1 to {count}, and 'free' are free motions")
    found = []
    for label, group in labels.items():
        numbers = ["free"] if group.neutral else [int(word) for word in label.split() if word.isdigit()]
        missing = [number for number in numbers if number not in wanted]
        if not missing:
            found.append(label)
        elif len(missing) < len(numbers):
            raise RefusedError(
                f"{label} have one eigenvalue and one shape, and cannot be told apart: keep all of them or none"
            )
    return tuple(found)
