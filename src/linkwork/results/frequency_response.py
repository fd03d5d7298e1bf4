"""How outputs of a linear system swing when its inputs do, as a user reads it: H(ω) = C (iω − A)⁻¹ B + D.

An input u = û cos ωt makes an output z = û |H| cos(ωt + arg H), when all that decays has gone. Frequencies are angular ones,
rad/s, where they are called omega, and Hz where they are called frequency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from linkwork.answer import Answer, Column, Grid
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.systems.transfer import Transfer
from linkwork.results.linear_system import ComplexArray, LinearSystem, place
from linkwork.results.vibration_modes import VibrationMode, VibrationModes

POINTS = 400  # frequencies of an even logarithmic grid
AROUND = 40  # further ones about each mode that is lightly damped
LIGHT = 0.3  # damping ratio below which a mode gets them
NARROW = 1e-3  # width of a mode without damping, beside its frequency, for their spacing
DECADE = 10.0  # how far a grid reaches beyond the slowest and the fastest mode
NOTHING = 1e-12  # |H| at rest, beside the largest of the pair, that is a rounding error
STANDS_OUT = 1e-3  # least rise of log10 |H| to a peak from both sides
HEADS = ("output", "input", "at rest", "peak", "unit", "Hz", "rad/s", "amplification", "phase", "mode")


@dataclass(frozen=True)
class Peak:
    """A largest magnitude of one output for one input.

    omega: rad/s; gain: ``|H|`` there, infinite where a mode without damping is met; phase: rad
    static: ``|H|`` at rest; mode: number of the mode whose frequency is nearest
    """

    output: str
    input: str
    omega: float
    gain: float
    phase: float
    static: float
    mode: int

    @property
    def frequency(self) -> float:
        """Hz."""
        return self.omega / (2 * np.pi)

    @property
    def amplification(self) -> float:
        """The gain beside that at rest; NaN where there is none at rest, or no bound."""
        bounded = np.isfinite(self.static) and self.static > 0.0
        return self.gain / self.static if bounded else float("nan")


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyResponse(Answer):
    """The response of all outputs to all inputs of a linearisation; ``response["car.ay", "road"]`` is one of them.

    omega (N): angular frequencies, rad/s; values (N, nz, nu): H, infinite where a mode without damping is met
    """

    view = "frequency_response.plot_response"

    linearisation: LinearSystem
    omega: Array
    values: ComplexArray

    @classmethod
    def of(
        cls, linear: LinearSystem, omega: ArrayLike | None, between: tuple[float, float] | None
    ) -> FrequencyResponse:
        """At given frequencies, or at those that show all of it, in a range or by the modes."""
        if not linear.inputs or not linear.outputs:
            raise RefusedError(
                "a frequency response needs inputs and outputs, such as inputs=['road'], outputs=['car.ay']"
            )
        if omega is not None and between is not None:
            raise RefusedError("give frequencies, or the range between two of them, not both")
        try:
            asked = _grid(linear, between) if omega is None else np.atleast_1d(np.asarray(omega, dtype=float)).ravel()
        except (TypeError, ValueError) as reason:
            got = between if omega is None else omega
            raise RefusedError(f"frequencies are numbers in rad/s, not {got!r}; one Hz is 2π of them") from reason
        if not asked.size or not np.all(np.isfinite(asked)) or np.any(asked < 0.0):
            raise RefusedError("frequencies of a response are numbers that are not negative, in rad/s")
        return cls(linear, asked, Transfer(linear.a, linear.b, linear.c, linear.d)(asked))

    @cached_property
    def _transfer(self) -> Transfer:
        linear = self.linearisation
        return Transfer(linear.a, linear.b, linear.c, linear.d)

    @property
    def frequency(self) -> Array:
        """Frequencies (N), Hz."""
        return self.omega / (2 * np.pi)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All (output, input)."""
        return [(output, name) for output in self.linearisation.outputs for name in self.linearisation.inputs]

    def __getitem__(self, pair: tuple[str, str]) -> ComplexArray:
        """H (N) of an output for an input: ``response[output, input]``."""
        row, column = self._place(pair)
        return self.values[:, row, column]

    def _place(self, pair: tuple[str, str]) -> tuple[int, int]:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise RefusedError(f"a response is that of an output to an input: response[output, input], not {pair!r}")
        return place(pair[0], self.linearisation.outputs, "output"), place(pair[1], self.linearisation.inputs, "input")

    def __len__(self) -> int:
        return len(self.omega)

    def magnitude(self, output: str, input: str) -> Array:
        """``|H|`` (N)."""
        return np.abs(self[output, input])

    def phase(self, output: str, input: str) -> Array:
        """arg H (N) without jumps of a turn, rad; behind the input where it is negative, NaN where H has no bound.

        Of the turns that are open, the slowest frequency has that of (iω)ⁿ, where ``|H|`` goes with ωⁿ there.
        """
        values = self[output, input]
        bounded, found = np.isfinite(values), np.full(len(values), np.nan)
        order = np.argsort(np.where(bounded, self.omega, np.inf), kind="stable")[: int(bounded.sum())]
        angles = np.unwrap(np.angle(values[order]))
        first = np.abs(values[order[:2]])
        if len(first) == 2 and np.all(first > 0.0) and 0.0 < self.omega[order[0]] < self.omega[order[1]]:
            growth = np.log(first[1] / first[0]) / np.log(self.omega[order[1]] / self.omega[order[0]])
            angles += 2 * np.pi * np.round((growth * np.pi / 2 - angles[0]) / (2 * np.pi))
        found[order] = angles
        return found

    def unit(self, output: str, input: str) -> str:
        """The unit of H, empty where it has none or it is not known."""
        over, below = (self.linearisation.source.unit(name) for name in (output, input))
        if over == below or not over or not below:
            return ""
        above = f"({over})" if "/" in over else over
        return f"{above}/{below}" if "/" not in below and "*" not in below else f"{above}/({below})"

    @property
    def unbounded(self) -> dict[tuple[str, str], list[float]]:
        """Angular frequencies at which a mode without damping, or a free motion at zero, leaves H without a bound."""
        found: dict[tuple[str, str], list[float]] = {}
        for omega, entries in self._transfer.unbounded():
            for i, pair in enumerate(self.pairs):
                if entries.flat[i]:
                    found.setdefault(pair, []).append(omega)
        return found

    @cached_property
    def static(self) -> Array:
        """``|H|`` at rest (nz, nu), infinite where a free motion is pushed."""
        found = np.abs(self._transfer([0.0])[0])
        largest = np.max(np.where(np.isfinite(self.values), np.abs(self.values), 0.0), axis=0)
        return np.where(found <= NOTHING * largest, 0.0, found)

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """Largest magnitudes between the first and the last frequency, found exactly, by pairs and frequencies."""
        low, high = float(self.omega.min()), float(self.omega.max())
        if not high > low:
            return ()
        grid = np.union1d(self.omega, _grid(self.linearisation, (max(low, 1e-3 * high), high)))
        values, rest = self._transfer(grid), self.static.ravel()
        modes, without = VibrationModes(self.linearisation), self.unbounded
        found = []
        for i, (output, name) in enumerate(self.pairs):
            sizes = np.abs(values.reshape(len(grid), -1)[:, i])
            poles = [omega for omega in without.get((output, name), []) if omega > 0.0 and low <= omega <= high]
            for omega in sorted([*self._summits(grid, sizes, i, poles), *poles]):
                value = self._transfer([omega])[0].flat[i]
                angle = float(np.angle(value)) if np.isfinite(value) else float("nan")
                found.append(Peak(output, name, omega, abs(value), angle, float(rest[i]), _nearest(modes, omega)))
        return tuple(found)

    def _summits(self, grid: Array, sizes: Array, entry: int, poles: Sequence[float]) -> Iterator[float]:
        """Places of the largest of one entry that stand out of a grid, but for poles."""
        from scipy.optimize import minimize_scalar
        from scipy.signal import find_peaks

        kept = np.isfinite(sizes) & (sizes > 0.0)
        grid, sizes = grid[kept], sizes[kept]
        for i in find_peaks(np.log10(sizes), prominence=STANDS_OUT)[0]:
            low, high = grid[i - 1], grid[i + 1]
            if any(low <= pole <= high for pole in poles):
                continue
            found = minimize_scalar(
                lambda omega: -np.abs(self._transfer([omega])[0].flat[entry]),
                bounds=(low, high),
                method="bounded",
                options={"xatol": 1e-9 * high},
            )
            yield float(found.x)

    @property
    def title(self) -> str:
        linear, hertz = self.linearisation, self.frequency
        return f"frequency response of {linear.name} {linear.where}, {hertz.min():.4g} to {hertz.max():.4g} Hz"

    def report(self) -> list[str | Grid]:
        """The peaks of every pair."""
        rows = []
        for i, (output, name) in enumerate(self.pairs):
            own = [peak for peak in self.peaks if (peak.output, peak.input) == (output, name)]
            static, unit = _written(float(self.static.flat[i])), self.unit(output, name)
            first = [output, name, static]
            rows += [[*first, *_cells(peak, unit)] for peak in own] or [[*first, "-", unit, *(["-"] * 5)]]
        lines: list[str | Grid] = [Grid(rows, HEADS)]
        without = [omega for places in self.unbounded.values() for omega in places]
        if any(omega > 0.0 for omega in without):
            lines.append("unbounded: nothing damps the mode there, and the linear equations know no end of its growth")
        if any(omega == 0.0 for omega in without):
            lines.append("free at rest: nothing holds a free motion against a steady input")
        linear = self.linearisation
        if not linear.stable and any(mode.damping_ratio < -1e-9 for mode in VibrationModes(linear)):
            lines.append("a mode grows: the response is there in theory only, beside a motion that leaves it")
        return [*lines, *linear.remarks]

    @property
    def notes(self) -> tuple[str, ...]:
        return self.linearisation.notes

    def columns(self) -> list[Column]:
        """Over the frequency, of all pairs: real and imaginary parts, magnitudes and phases."""
        found = [Column("frequency", self.frequency, "Hz"), Column("omega", self.omega, "rad/s")]
        for output, name in self.pairs:
            value, unit, pair = self[output, name], self.unit(output, name), f"{output}/{name}"
            found += [Column(f"re {pair}", value.real, unit), Column(f"im {pair}", value.imag, unit)]
            found += [
                Column(f"|{pair}|", np.abs(value), unit),
                Column(f"phase {pair}", self.phase(output, name), "rad"),
            ]
        return found


def _grid(linear: LinearSystem, between: tuple[float, float] | None) -> Array:
    """Angular frequencies that show every mode: even ones, and others on equal angles of the circle of a resonance."""
    modes = VibrationModes(linear)
    sizes = [mode.omega for mode in modes] or [1.0]
    low, high = (float(x) for x in between or (min(sizes) / DECADE, max(sizes) * DECADE))
    if not 0.0 < low < high < np.inf:
        raise RefusedError(f"a range of frequencies goes from a positive one to a larger one, not from {low} to {high}")
    angles = (np.arange(AROUND) + 0.5) / AROUND * np.pi - np.pi / 2
    parts = [np.geomspace(low, high, POINTS)]
    for mode in modes:
        if mode.oscillates and abs(mode.damping_ratio) < LIGHT:
            width = max(abs(mode.eigenvalue.real), NARROW * mode.omega if np.isinf(mode.time_constant) else 0.0)
            parts.append(abs(mode.eigenvalue.imag) + width * np.tan(angles))
    found = np.unique(np.concatenate(parts))
    return found[(found >= low) & (found <= high)]


def _nearest(modes: Sequence[VibrationMode], omega: float) -> int:
    swinging = [mode for mode in modes if mode.oscillates] or list(modes)
    return min(swinging, key=lambda mode: abs(abs(mode.eigenvalue.imag) - omega)).number if swinging else 0


def _written(value: float) -> str:
    return f"{value:.5g}" if np.isfinite(value) else "free"


def _cells(peak: Peak, unit: str) -> list[str]:
    """What a row of the table says of a peak, behind the gain at rest."""
    gain = f"{peak.gain:.5g}" if np.isfinite(peak.gain) else "unbounded"
    times = f"{peak.amplification:.4g}" if np.isfinite(peak.amplification) else "-"
    phase = f"{np.degrees(peak.phase):.1f}°" if np.isfinite(peak.phase) else "-"
    return [gain, unit, f"{peak.frequency:.6g}", f"{peak.omega:.6g}", times, phase, str(peak.mode)]
