"""The vibration modes of a mechanism, as a user reads them.

An eigenvalue λ of δẋ = A δx with its vector w is a motion Re(w e^{λt}): ω = |λ| is its natural angular frequency,
ζ = −Re λ / |λ| its damping ratio, 1 / |Re λ| the time in which it decays or grows by the factor e.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.answer import Answer, AnswerList, Column, Grid
from linkwork.errors import RefusedError
from linkwork.numerics.systems.spectrum import eigenpairs, neutral_size, split
from linkwork.results.linear_system import ComplexArray, LinearSystem, written
from linkwork.results.result import Result

SHOWN = 4  # components of a shape in the table
FREE, MANY = 1e-6, 8  # part of a free motion beside the largest one that is told; how many names
HEADS = ("mode", "eigenvalue, 1/s", "Hz", "damping", "time constant", "shape")


@dataclass(frozen=True, eq=False, repr=False)
class VibrationMode(Answer):
    """One mode: its eigenvalue, 1/s, and its shape in the states of the linearisation, of which the largest is 1."""

    view = "vibrations.plot_shape"

    number: int
    eigenvalue: complex
    vector: ComplexArray
    linearisation: LinearSystem

    @property
    def oscillates(self) -> bool:
        return abs(self.eigenvalue.imag) > 1e-9 * abs(self.eigenvalue)

    @property
    def omega(self) -> float:
        """Natural angular frequency ``|λ|``, rad/s."""
        return abs(self.eigenvalue)

    @property
    def frequency(self) -> float:
        """Natural frequency, Hz; zero of a mode that does not oscillate."""
        return self.omega / (2 * np.pi) if self.oscillates else 0.0

    @property
    def damping_ratio(self) -> float:
        """``−Re λ / |λ|``: 1 where it decays without oscillation, negative where it grows."""
        return -self.eigenvalue.real / self.omega

    @property
    def time_constant(self) -> float:
        """Time in which it decays, or grows, by the factor e, s; infinite where it does neither."""
        rate = abs(self.eigenvalue.real)
        return 1.0 / rate if rate > 1e-9 * self.omega else float("inf")

    @property
    def what(self) -> str:
        """What it does, in a word or two."""
        steady = np.isinf(self.time_constant)
        trend = "" if steady else "decays" if self.eigenvalue.real < 0 else "grows"
        return " and ".join(filter(None, ["oscillates" if self.oscillates else "", trend]))

    def shape(self, *names: str) -> dict[str, complex]:
        """The part of named quantities in it, as amplitudes with phases; without names, that of the states."""
        if not names:
            return dict(zip(self.linearisation.states, self.vector.tolist(), strict=True))
        found = self.linearisation.source.slopes(names)[0] @ self.vector
        return dict(zip(names, found.tolist(), strict=True))

    def motion(self, amplitude: float | None = None, frames: int = 49) -> Result:
        """One swing of the mode, as a result that can be animated; one second long, without decay.

        amplitude: of the state that is 1 in the shape; by default such that the motion can be seen
        """
        if frames < 2:
            raise RefusedError(f"a motion needs two frames at least, not {frames}")
        title = f"mode {self.number} of {self.linearisation.name}"
        return self.linearisation.source.swing(self.vector, amplitude, frames, title)

    @property
    def cells(self) -> list[str]:
        """Its row of the table; an eigenvalue with an imaginary part oscillates."""
        told = dict(self.facts())
        trend = self.what.removeprefix("oscillates").removeprefix(" and ")
        time = ", ".join(filter(None, [told["time constant"], trend]))
        return [str(self.number), written(self.eigenvalue), told["Hz"], told["damping"], time, told["shape"]]

    def _shape_text(self) -> str:
        linear = self.linearisation
        kept = [i for i in range(len(linear.states)) if linear.positions[i]] or list(range(len(linear.states)))
        kept = sorted(sorted(kept, key=lambda i: -abs(self.vector[i]))[:SHOWN])
        return ", ".join(f"{linear.states[i]} {_component(self.vector[i])}" for i in kept if abs(self.vector[i]) > 1e-6)

    @property
    def title(self) -> str:
        return f"mode {self.number} of {self.linearisation.name}: {written(self.eigenvalue)} 1/s"

    def facts(self) -> list[tuple[str, str]]:
        """Frequency, damping, time constant and shape as texts."""
        hertz, omega = (f"{x:.6g}" if self.oscillates else "-" for x in (self.frequency, self.omega))
        time = "-" if np.isinf(self.time_constant) else f"{self.time_constant:.5g} s"
        numbers = [("Hz", hertz), ("rad/s", omega), ("damping", _ratio(self.damping_ratio)), ("time constant", time)]
        return [*numbers, ("motion", self.what), ("shape", self._shape_text())]

    def columns(self) -> list[Column]:
        """The shape: amplitudes and phases of all states."""
        names, sizes = self.linearisation.states, np.abs(self.vector)
        return [Column("state", names), Column("amplitude", sizes, "1"), Column("phase", np.angle(self.vector), "rad")]


@dataclass(frozen=True, eq=False, repr=False)
class VibrationModes(AnswerList[VibrationMode]):
    """The modes of a mechanism about a state, the slowest first; conjugate eigenvalues are one mode. Prints as a table.

    Eigenvalues that are zero are no vibrations: nothing brings these motions back. They are counted in ``neutral``.
    """

    view = "vibrations.plot_eigenvalues"

    linearisation: LinearSystem

    @cached_property
    def _all(self) -> tuple[tuple[VibrationMode, ...], int]:
        linear = self.linearisation
        matrix, lift = linear.physical
        values, vectors = eigenpairs(matrix)
        threshold = neutral_size(values)
        kept = [i for i in np.argsort(np.abs(values)) if values[i].imag >= 0 and abs(values[i]) > threshold]
        zeros = int(np.sum(np.abs(values) <= threshold))
        shapes = {i: _scaled(lift @ vectors[:, i], linear) for i in kept}
        return tuple(VibrationMode(k, complex(values[i]), shapes[i], linear) for k, i in enumerate(kept, 1)), zeros

    @property
    def modes(self) -> tuple[VibrationMode, ...]:
        return self._all[0]

    @property
    def neutral(self) -> int:
        """How many eigenvalues are zero."""
        return self._all[1]

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Positions that nothing brings back, by name."""
        linear = self.linearisation
        matrix, lift = linear.physical
        bases = [lift @ group.right for group in split(matrix) if group.neutral]
        if not bases:
            return ()
        sizes = np.where(linear.positions, np.linalg.norm(bases[0], axis=1), 0.0)
        return tuple(
            name for name, size in zip(linear.states, sizes, strict=True) if size > FREE * max(sizes.max(), 1e-300)
        )

    @property
    def items(self) -> Sequence[VibrationMode]:
        return self.modes

    @property
    def stable(self) -> bool:
        """Whether no mode grows; neutral motions are left aside."""
        return all(mode.eigenvalue.real <= 1e-9 * mode.omega for mode in self.modes)

    @property
    def title(self) -> str:
        linear, count = self.linearisation, len(self)
        return f"{count} mode{'' if count == 1 else 's'} of {linear.name} {linear.where}"

    @property
    def notes(self) -> tuple[str, ...]:
        return self.linearisation.notes

    def report(self) -> list[str | Grid]:
        lines: list[str | Grid] = [
            Grid([mode.cells for mode in self.modes], HEADS) if len(self) else "nothing vibrates"
        ]
        if self.neutral:
            names = ", ".join(self.free[:MANY]) + (", ..." if len(self.free) > MANY else "")
            are = "s are" if self.neutral > 1 else " is"
            lines.append(f"{self.neutral} eigenvalue{are} zero: free motions{' of ' if names else ''}{names}")
        return [*lines, *self.linearisation.remarks]

    def columns(self) -> list[Column]:
        """A row for each mode: its numbers in full, and its shape as amplitudes and phases of all states."""
        modes, values = self.modes, np.array([mode.eigenvalue for mode in self.modes], dtype=complex)
        found = [
            Column("mode", [mode.number for mode in modes]),
            Column("re", values.real, "1/s"),
            Column("im", values.imag, "1/s"),
            Column("frequency", [mode.frequency for mode in modes], "Hz"),
            Column("damping ratio", [mode.damping_ratio for mode in modes], "1"),
            Column("time constant", [mode.time_constant for mode in modes], "s"),
        ]
        for i, name in enumerate(self.linearisation.states):
            parts = np.array([mode.vector[i] for mode in modes], dtype=complex)
            found += [Column(f"amplitude {name}", np.abs(parts)), Column(f"phase {name}", np.angle(parts), "rad")]
        return found


def _scaled(vector: ComplexArray, of: LinearSystem) -> ComplexArray:
    """A shape whose largest position is 1; of several that are as large, the first."""
    kept = np.array(of.positions) if np.any(np.abs(vector[list(of.positions)]) > 0) else np.ones(len(vector), bool)
    size = np.where(kept, np.abs(vector), 0.0)
    first = int(np.argmax(size >= (1 - 1e-9) * size.max()))
    return np.asarray(vector / vector[first], dtype=complex)


def _ratio(value: float) -> str:
    return "0" if abs(value) < 1e-9 else f"{value:.5g}"


def _component(value: complex) -> str:
    """An amplitude with its phase, where that is not 0 or 180 degrees."""
    if abs(value.imag) <= 1e-6 * abs(value):
        return f"{value.real:.4g}"
    return f"{abs(value):.4g}∠{np.degrees(np.angle(value)):.0f}°"
