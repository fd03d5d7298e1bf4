"""What a spring with a damper answers to a deflection and its rate, be it a length or an angle.

The answer is an elastic part e(x), which has the potential V = ∫ e dx, and a part d(ẋ) that resists the motion and
destroys the power D = d ẋ ≥ 0:

* linear: e = k (x − x₀), d = c ẋ (García de Jalón and Bayo, eqs. 4.102 to 4.107);
* curves through the points of a table, for either part;
* a formula, of which a polynomial in x alone has a potential, exact by Gauss-Legendre integration with eight points; all
  others count as a source of power.

A cable (only pull) and a stop (only push) answer where e has their sign, with e + d where that has it too; what a damper
would take beyond that is not taken, so that D = (f − e) ẋ ≥ 0 still.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from linkwork.algebra.curves import Cubic
from linkwork.elements.contribution import Contribution

DEGREE = 15  # of a polynomial that eight points integrate exactly
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)
SIDES = {"pull": 1.0, "push": -1.0}


@dataclass(frozen=True, eq=False)
class LawForce:
    """A force that grows with the deflection x − x₀, with its potential and the power that it destroys.

    stretch: of a part of the force that is *stretch* times x itself; along: all the rest of the force, None: all of it
    drag: of a part of the rest that is *drag* times the rate
    """

    force: ca.SX
    potential: ca.SX = field(default_factory=lambda: ca.SX(1, 1))
    dissipation: ca.SX = field(default_factory=lambda: ca.SX(1, 1))
    supplies: bool = False
    stretch: ca.SX = field(default_factory=lambda: ca.SX(1, 1))
    along: ca.SX | None = None
    drag: ca.SX = field(default_factory=lambda: ca.SX(1, 1))
    deflection: ca.SX = field(default_factory=lambda: ca.SX(1, 1))

    @property
    def rest(self) -> ca.SX:
        """The force without its part by *stretch*."""
        return self.force if self.along is None else self.along

    def acting(self, **parts: Any) -> Contribution:
        """What an element does that answers so: its loads, efforts and readings, with these energies."""
        return Contribution(potential=self.potential, dissipation=self.dissipation, supplies=self.supplies, **parts)

    def __add__(self, other: LawForce) -> LawForce:
        return LawForce(
            self.force + other.force,
            self.potential + other.potential,
            self.dissipation + other.dissipation,
            self.supplies or other.supplies,
            self.stretch + other.stretch,
            self.rest + other.rest,
            self.drag + other.drag,
        )


def linear(stiffness: ca.SX, damping: ca.SX, deflection: ca.SX, rate: ca.SX) -> LawForce:
    """e = k (x − x₀), d = c ẋ."""
    elastic, viscous = stiffness * deflection, damping * rate
    return LawForce(elastic + viscous, stiffness * deflection**2 / 2, viscous * rate, drag=damping)


def stretched(stiffness: ca.SX, x: ca.SX, free: ca.SX) -> LawForce:
    """e = k x − k x₀ in two parts, of which the first needs no direction: where x₀ is zero, the ends may meet."""
    deflection = x - free
    return LawForce(stiffness * deflection, stiffness * deflection**2 / 2, stretch=stiffness, along=-stiffness * free)


def one_sided(stiffness: ca.SX, damping: ca.SX, deflection: ca.SX, rate: ca.SX, side: str) -> LawForce:
    """The same for a cable ('pull', e > 0) or a stop ('push', e < 0)."""
    sign = SIDES[side]
    elastic = ca.fmax(sign * stiffness * deflection, 0)
    total = ca.if_else(elastic > 0, ca.fmax(elastic + sign * damping * rate, 0), 0)
    touching = ca.if_else(elastic > 0, stiffness * deflection**2 / 2, 0)
    return LawForce(sign * total, touching, sign * (total - elastic) * rate)


def elastic_curve(curve: Cubic, x: ca.SX) -> LawForce:
    """e(x) through the points of a table."""
    return LawForce(curve.value(x), curve.primitive(x))


def resisting_curve(curve: Cubic, rate: ca.SX) -> LawForce:
    """d(ẋ) through the points of a table."""
    force = curve.value(rate)
    return LawForce(force, dissipation=force * rate)


def polynomial(force: Callable[[ca.SX], ca.SX], start: ca.SX, x: ca.SX) -> LawForce:
    """A force that is a polynomial of x alone, up to DEGREE; its potential counts from *start*."""
    half = (x - start) / 2
    parts = [w * force(start + half * (1 + point)) for point, w in zip(POINTS, WEIGHTS, strict=True)]
    return LawForce(force(x), half * sum(parts, ca.SX(1, 1)))
