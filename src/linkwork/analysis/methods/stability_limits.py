"""How long the steps of an integrator may be: the intervals of absolute stability on the real and the imaginary axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.stability import stability_function


@dataclass(frozen=True, repr=False)
class StabilityLimits(Answer):
    """Longest stable steps of a method: *real* is ``h|λ|`` for real λ < 0, *imaginary* hω of vibrations without damping.

    angle: α in rad where every step is stable for the λ within α of the negative real axis, else 0
    """

    of: str
    real: float
    imaginary: float
    angle: float = 0.0

    @property
    def title(self) -> str:
        real, imaginary = _steps("h|λ|", self.real), _steps("hω", self.imaginary)
        text = f"{self.of}: {real} for decay (real λ), {imaginary} for vibrations without damping"
        return text if self.angle in (0.0, 0.5 * np.pi) else f"{text}, A({np.degrees(self.angle):.2f}°)-stable"

    def columns(self) -> list[Column]:
        """One row: the limits, infinite where every step is stable."""
        limits = Column("real", [self.real], "1"), Column("imaginary", [self.imaginary], "1")
        return [Column("integrator", [self.of]), *limits, Column("angle", [self.angle], "rad")]


def stability_limits(integrator: str | Method) -> StabilityLimits:
    """The intervals of absolute stability of an integrator on the negative real and on the imaginary axis; prints."""
    function = stability_function(integrator)
    return StabilityLimits(function.name, function.limit(-1.0 + 0.0j), function.limit(1j), function.angle)


def _steps(name: str, limit: float) -> str:
    if np.isinf(limit):
        return "any step"
    return f"{name} ≤ {limit:.4g}" if limit > 0.0 else "no step"
