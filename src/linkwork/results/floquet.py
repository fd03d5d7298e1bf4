"""The multipliers of a periodic motion, as a user reads them.

After a period T a small variation is μ times what it was: μ = e^{λT}, where the exponent λ = log μ / T is fixed but for
multiples of 2πi/T. The motion is stable where all |μ| < 1; on the unit circle nothing of first order decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.answer import Answer, Column, Grid, Units
from linkwork.arrays import Array
from linkwork.results.linear_system import ComplexArray
from linkwork.results.result import Result

REAL = 1e-9  # imaginary part beside the size that counts as none
CIRCLE = 1e-6  # distance from the unit circle that counts as none
ITSELF = "the motion itself, a moment later"


@dataclass(frozen=True, eq=False, repr=False)
class FloquetMultipliers(Answer):
    """Multipliers of a periodic motion, the largest first; prints as a table.

    period: s; states: names of the independent states (k); start: their values at the start of the period
    monodromy (k, k): what a variation of the states has become after a period
    others: multipliers but for that of the motion itself, which is 1 where time is not in the equations (autonomous)
    gap: by how much the motion misses its start, error: of the monodromy matrix, as it is estimated
    motion: one period, as a result that can be plotted and animated
    """

    view = "floquet.plot_multipliers"

    name: str
    period: float
    states: tuple[str, ...]
    start: Array
    monodromy: Array
    others: ComplexArray
    autonomous: bool
    gap: float
    error: float
    motion: Result
    notes: tuple[str, ...] = ()

    @property
    def multipliers(self) -> ComplexArray:
        """All multipliers, that of the motion itself first."""
        return np.concatenate([[1.0 + 0.0j], self.others]) if self.autonomous else self.others

    @property
    def exponents(self) -> ComplexArray:
        """log μ / T, 1/s: growth and frequency in the middle of a period, the latter but for multiples of 2π/T."""
        found = self.multipliers
        with np.errstate(divide="ignore"):
            # a motion that rests on a stop forgets a variation wholly: log 0 is −∞, and no number over T
            growth = np.log(np.abs(found)) / self.period
        return np.asarray(growth + 1j * np.angle(found) / self.period, dtype=complex)

    @property
    def stable(self) -> bool:
        """Whether no multiplier leaves the unit circle; that of the motion itself is left aside."""
        return bool(np.all(np.abs(self.others) <= 1.0 + CIRCLE))

    @property
    def attracting(self) -> bool:
        """Whether all multipliers but that of the motion itself lie inside of the unit circle."""
        return bool(np.all(np.abs(self.others) < 1.0 - CIRCLE))

    @property
    def verdict(self) -> str:
        """What becomes of small variations, in words."""
        if self.attracting:
            return "stable, small variations decay"
        return "marginal, small variations stay" if self.stable else "unstable, small variations grow"

    @property
    def title(self) -> str:
        return f"{self.name}, a motion with the period {self.period:.10g} s: {self.verdict}"

    def report(self) -> list[str | Grid]:
        rows = []
        for i, (value, exponent) in enumerate(zip(self.multipliers, self.exponents, strict=True)):
            if value.imag < -REAL * abs(value):
                continue
            what = ITSELF if self.autonomous and i == 0 else _what(value)
            angle = f"{np.degrees(np.angle(value)) + 0.0:.4f}°" if _is_complex(value) or value.real < 0 else "0°"
            tiny = REAL / self.period
            rate = complex(_cut(exponent.real, tiny), _cut(exponent.imag, tiny) if _is_complex(value) else 0.0)
            rows.append((_written(value), f"{abs(value):.8g}", angle, _written(rate), what))
        told = [(f"{count} × {row[0]}" if count > 1 else row[0], *row[1:]) for row, count in Counter(rows).items()]
        lines: list[str | Grid] = [Grid(told, ("multiplier", "size", "angle", "exponent, 1/s", ""))]
        if self.error > CIRCLE:
            lines.append(f"the matrix is known to {self.error:.1g} only: the motion has kinks, or changes very fast")
        return lines

    def columns(self) -> list[Column]:
        """A row for each multiplier, with its exponent."""
        values, exponents = self.multipliers, self.exponents
        return [
            Column("number", list(range(1, len(values) + 1))),
            Column("re multiplier", values.real, "1"),
            Column("im multiplier", values.imag, "1"),
            Column("size", np.abs(values), "1"),
            Column("re exponent", exponents.real, "1/s"),
            Column("im exponent", exponents.imag, "1/s"),
        ]

    def to_dict(self, names: Sequence[str] | None = None, *, units: Units | None = None) -> dict[str, Any]:
        """Also the period, s, and the monodromy matrix with its states."""
        matrix = {"states": list(self.states), "monodromy": self.monodromy.tolist()}
        return super().to_dict(names, units=units) | {"period": self.period} | matrix


def _is_complex(value: complex) -> bool:
    return abs(value.imag) > REAL * abs(value)


def _cut(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else 0.0


def _what(value: complex) -> str:
    """What a variation along a multiplier does."""
    size = abs(value)
    trend = "grows" if size > 1.0 + CIRCLE else "decays" if size < 1.0 - CIRCLE else "stays"
    if not _is_complex(value) and value.real < 0.0:
        return f"{trend}, on the other side after each period"
    return f"swings and {trend}" if _is_complex(value) else trend


def _written(value: complex) -> str:
    """A number, or a pair of conjugate ones, as text."""
    if not np.isfinite(value):
        return "-"
    return f"{value.real + 0.0:.8g} ± {abs(value.imag):.8g}i" if _is_complex(value) else f"{value.real + 0.0:.8g}"
