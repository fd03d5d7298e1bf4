"""What integrators do to a vibration without damping: how much too long its period is, and how it dies out or grows.

On ẍ + ω²x = 0 one step of size h turns and stretches x − i ẋ/ω by R(iωh) = ρ e^{iφ}; the exact solution turns it by ωh. So
the period is longer by ωh/φ − 1, and the vibration is that of a damping ratio ξ = −ln ρ / φ (García de Jalón and Bayo,
"Kinematic and Dynamic Simulation of Multibody Systems", chapter 7, problem 7/1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.answer import AnswerList, Column, Grid
from linkwork.errors import RefusedError
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.amplification import turning_root, turns_alike
from linkwork.numerics.integrators.base import Method

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


def oscillator_table(
    integrators: Iterable[str | Method] | None = None, steps: Iterable[float] = (0.01, 0.1, 0.5, 1.0)
) -> OscillatorTable:
    """Period elongation and damping of integrators on ẍ + ω²x = 0 by the size of their steps; prints.

    integrators: names or objects; if not given, all whose steps are alike
    steps: ωh, so 0.1 are 63 steps a period
    """
    sizes = [float(step) for step in steps]
    if wrong := [size for size in sizes if not 0.0 < size < float("inf")]:
        raise RefusedError(f"steps are ωh in rad, positive and finite; got {', '.join(f'{size:g}' for size in wrong)}")
    rows = []
    chosen = [method for method in ALL_METHODS if turns_alike(method)] if integrators is None else integrators
    for method in chosen:
        name = method if isinstance(method, str) else method.name
        for size in sizes:
            value = turning_root(method, size)
            rows.append(OscillatorRow(name, size, abs(value), float(np.angle(value))))
    return OscillatorTable(tuple(rows))


def _figure(value: float) -> str:
    return "0" if abs(value) < ROUNDING else f"{value:.3g}"
