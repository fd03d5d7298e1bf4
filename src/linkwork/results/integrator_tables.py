"""What integrators do to decay and vibration, as a user reads it: errors by the size of a step, and limits of stability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.answer import Answer, AnswerList, Column, Grid
from linkwork.numerics.integrators.root_locus import StabilityRoots
from linkwork.numerics.integrators.stability import StabilityFunction

ROUNDING = 1e-12  # of elongation and damping
HEADS = ("integrator", "ωh", "steps/period", "elongation %", "damping ratio", "amplitude/period")


@dataclass(frozen=True)
class OscillatorRow:
    """One integrator at one step size.

    step: ωh in rad; amplification: ρ of one step; turn: φ of one step in rad, the exact one being *step*
    """

    method: str
    step: float
    amplification: float
    turn: float

    @property
    def elongation(self) -> float:
        """Period over the exact one, less 1; undefined where a step does not turn forward."""
        return self.step / self.turn - 1.0 if self.turn > 0.0 else float("nan")

    @property
    def damping_ratio(self) -> float:
        """ξ of a damped vibration with the same decay; negative where the vibration grows."""
        return -np.log(self.amplification) / self.turn if self.turn > 0.0 else float("nan")

    @property
    def amplitude(self) -> float:
        """What is left of the amplitude after one exact period."""
        with np.errstate(over="ignore"):
            return float(np.float64(self.amplification) ** (2.0 * np.pi / self.step))

    def cells(self) -> tuple[str, ...]:
        """The row as texts, in the order of the heads of the table."""
        steps = f"{2.0 * np.pi / self.step:.4g}"
        elongation, damping = _figure(100.0 * self.elongation), _figure(self.damping_ratio)
        return self.method, f"{self.step:g}", steps, elongation, damping, f"{self.amplitude:.6g}"


@dataclass(frozen=True, repr=False)
class OscillatorTable(AnswerList[OscillatorRow]):
    """Rows by integrator and step; prints as a table."""

    view = "stability.plot_oscillator"

    rows: tuple[OscillatorRow, ...]

    @property
    def items(self) -> Sequence[OscillatorRow]:
        return self.rows

    @property
    def title(self) -> str:
        return "errors of integrators on ẍ + ω²x = 0"

    def report(self) -> list[Grid]:
        return [Grid([row.cells() for row in self.rows], HEADS)]

    def columns(self) -> list[Column]:
        """By integrator and step: elongation of the period, damping ratio, and what is left of the amplitude."""
        return [
            Column("integrator", [row.method for row in self.rows]),
            Column("step", [row.step for row in self.rows], "rad"),
            Column("elongation", [row.elongation for row in self.rows], "1"),
            Column("damping ratio", [row.damping_ratio for row in self.rows], "1"),
            Column("amplitude", [row.amplitude for row in self.rows], "1"),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class StabilityLimits(Answer):
    """Longest stable steps of a method: *real* is ``h|λ|`` for real λ < 0, *imaginary* hω of vibrations without damping.

    angle: α in rad where every step is stable for the λ within α of the negative real axis, else 0
    function: what a step multiplies by, R(z) or the roots of several steps, as a function of z = hλ
    """

    view = "stability.plot_region"

    function: StabilityFunction | StabilityRoots

    @property
    def of(self) -> str:
        """The integrator."""
        return self.function.name

    @cached_property
    def real(self) -> float:
        return self.function.limit(-1.0 + 0.0j)

    @cached_property
    def imaginary(self) -> float:
        return self.function.limit(1j)

    @cached_property
    def angle(self) -> float:
        return self.function.angle

    @property
    def title(self) -> str:
        real, imaginary = _steps("h|λ|", self.real), _steps("hω", self.imaginary)
        text = f"{self.of}: {real} for decay (real λ), {imaginary} for vibrations without damping"
        return text if self.angle in (0.0, 0.5 * np.pi) else f"{text}, A({np.degrees(self.angle):.2f}°)-stable"

    def columns(self) -> list[Column]:
        """One row: the limits, infinite where every step is stable."""
        return _limits([self])


@dataclass(frozen=True, eq=False, repr=False)
class StabilityRegions(AnswerList[StabilityLimits]):
    """The z = hλ for which no solution of one or more integrators grows, with their limits; its plot draws them."""

    view = "stability.plot_region"

    limits: tuple[StabilityLimits, ...]

    @property
    def items(self) -> Sequence[StabilityLimits]:
        return self.limits

    @property
    def title(self) -> str:
        return f"regions of absolute stability of {', '.join(item.of for item in self.limits)}"

    def report(self) -> list[str]:
        """The limits of each."""
        return [item.title for item in self.limits]

    def columns(self) -> list[Column]:
        """A row for each: the limits, infinite where every step is stable."""
        return _limits(self.limits)


def _limits(found: Sequence[StabilityLimits]) -> list[Column]:
    heads = {"real": "1", "imaginary": "1", "angle": "rad"}
    numbers = (Column(name, [getattr(item, name) for item in found], unit) for name, unit in heads.items())
    return [Column("integrator", [item.of for item in found]), *numbers]


def _figure(value: float) -> str:
    return "0" if abs(value) < ROUNDING else f"{value:.3g}"


def _steps(name: str, limit: float) -> str:
    if np.isinf(limit):
        return "any step"
    return f"{name} ≤ {limit:.4g}" if limit > 0.0 else "no step"
