"""The multipliers of a periodic motion, as a user reads them.

After a period T a small variation is μ times what it was: μ = e^{λT}, where the exponent λ = log μ / T is fixed but for
multiples of 2πi/T. The motion is stable where all |μ| < 1; on the unit circle nothing of first order decides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import write_rows
from linkwork.results.linearisation import Array, ComplexArray
from linkwork.results.result import Result
from linkwork.results.writing import aligned
from linkwork.shown import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REAL = 1e-9  # imaginary part beside the size that counts as none
CIRCLE = 1e-6  # distance from the unit circle that counts as none
ITSELF = "the motion itself, a moment later"


@dataclass(frozen=True, eq=False, repr=False)
class FloquetMultipliers:
    """Multipliers of a periodic motion, the largest first; prints as a table.

    period: s; states: names of the independent states (k); start: their values at the start of the period
    monodromy (k, k): what a variation of the states has become after a period
    others: multipliers but for that of the motion itself, which is 1 where time is not in the equations (autonomous)
    gap: by how much the motion misses its start, error: of the monodromy matrix, as it is estimated
    motion: one period, as a result that can be plotted and animated
    """

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
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.multipliers) / self.period, dtype=complex)

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
            return "stable: small variations decay"
        return "neither: small variations stay" if self.stable else "unstable: small variations grow"

    @property
    def title(self) -> str:
        return f"{len(self.multipliers)} multipliers of a motion of {self.name} with the period {self.period:.10g} s"

    def table(self) -> list[list[str]]:
        """Rows of texts below a row of heads."""
        rows = [["multiplier", "size", "angle", "exponent 1/s", ""]]
        for i, (value, exponent) in enumerate(zip(self.multipliers, self.exponents, strict=True)):
            if value.imag < -REAL * abs(value):
                continue
            what = ITSELF if self.autonomous and i == 0 else _what(value)
            angle = f"{np.degrees(np.angle(value)) + 0.0:.4f}°" if _is_complex(value) or value.real < 0 else "0°"
            tiny = REAL / self.period
            rate = complex(_cut(exponent.real, tiny), _cut(exponent.imag, tiny) if _is_complex(value) else 0.0)
            rows.append([_written(value), f"{abs(value):.8g}", angle, _written(rate), what])
        counts = Counter(tuple(row) for row in rows)
        return [[f"{counts[row]} × {row[0]}" if counts[row] > 1 else row[0], *row[1:]] for row in counts]

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def __str__(self) -> str:
        lines = aligned(self.table())
        ends = [f"  {self.verdict}"]
        if self.error > CIRCLE:
            ends.append(f"  the matrix is known to {self.error:.1g} only: the motion has kinks, or changes very fast")
        return "\n".join([self.title, *lines, *ends, *(f"  note: {note}" for note in self.notes)])

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write multipliers, exponents and the monodromy matrix as comma-separated values."""
        rows: list[list[object]] = [["period [s]", self.period]]
        rows.append(["re multiplier", "im multiplier", "size", "re exponent [1/s]", "im exponent [1/s]"])
        for value, exponent in zip(self.multipliers, self.exponents, strict=True):
            numbers = (value.real, value.imag, abs(value), exponent.real, exponent.imag)
            rows.append([float(x) for x in numbers])
        rows.append(["monodromy", *self.states])
        rows += ([name, *row.tolist()] for name, row in zip(self.states, self.monodromy, strict=True))
        return write_rows(path, rows, overwrite=overwrite)

    def plot(self, path: str | Path | None = None, *, show: bool = False, overwrite: bool | None = None) -> Figure:
        """Draw the multipliers with the unit circle; returns the matplotlib Figure."""
        return drawn("floquet.plot_multipliers", self, path=path, show=show, overwrite=overwrite)


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
