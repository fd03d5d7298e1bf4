"""Forces of gear teeth at the pitch point C, on the first wheel; on the second the opposite.

With the torque λ on the first wheel about its axis e and its radius ρ at C, the direction t in which C moves when the wheel
turns forwards, and the direction n in which teeth are driven apart:

    F = λ/ρ (t − tan β e') + |λ|/ρ tan α / cos β n

α is the pressure angle in the normal section and β the helix angle of the first wheel, positive for a right-handed one: its
tooth lies along e' cos β + t sin β, and pushes at right angles to that. e' is e on parallel axes and the line c of contact
of two cones, away from the apex. On skew axes two torques, λ and f₂ λ with the factor f₂ of the second wheel, decide the
force in the common tangent plane, and tan α |F| drives the teeth apart.
(J. E. Shigley, C. R. Mischke, Mechanical Engineering Design, 5th ed. 1989, chapter 13.)
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.elements.couplings.contact import (
    ContactForces,
    Frames,
    ToothForm,
    Touch,
    across,
    unit,
    world_line,
)


@dataclass(frozen=True, eq=False)
class ParallelTeeth(Touch):
    """Wheels on parallel axes, of sizes s₁ and s₂: C divides the way between the axes as s₁ : ±s₂."""

    sizes: tuple[ca.SX, ca.SX]
    internal: bool
    form: ToothForm

    def forces(self, frames: Frames) -> ContactForces:
        (p1, e), (p2, _) = (world_line(motion, frames) for motion in (self.first, self.second))
        s1, s2 = self.sizes
        gap = across(p2 - p1, e)
        share = s1 / (s1 - s2 if self.internal else s1 + s2)
        radius = share * ca.norm_2(gap)  # negative where C lies behind the first axis
        at, n = p1 + share * gap + self.level * e, unit(gap)
        push = (ca.cross(e, n) - ca.sign(radius) * ca.tan(self.form.helix) * e) / radius
        apart = (1.0 if self.internal else -1.0) * self.form.separation(push) * n
        return ContactForces(self.pair(at, push), self.pair(at, apart))


@dataclass(frozen=True, eq=False)
class BevelTeeth(Touch):
    """Cones on axes that meet: the line of contact is c ∝ s₂ e₁ ± s₁ e₂ with e₁ and e₂ from the apex to the wheels.

    senses: signs of these directions against those of the axes; wider: which is the larger wheel of an internal mesh;
    by_second: whether the circle of the second wheel says how far from the apex they touch
    """

    sizes: tuple[ca.SX, ca.SX]
    senses: tuple[float, float]
    form: ToothForm
    wider: int | None = None
    by_second: bool = False

    def forces(self, frames: Frames) -> ContactForces:
        (p1, d1), (p2, d2) = (world_line(motion, frames) for motion in (self.first, self.second))
        apex = p1 + _along(p1, d1, p2, d2) * d1
        e1, e2 = self.senses[0] * d1, self.senses[1] * d2
        s1, s2 = self.sizes
        line = s2 * e1 + s1 * e2 if self.wider is None else (1 if self.wider == 1 else -1) * (s2 * e1 - s1 * e2)
        c = unit(line)
        place, e = (p2, e2) if self.by_second else (p1, e1)
        reach = ca.dot(place - apex, e) / ca.dot(c, e)
        forwards = ca.cross(e1, c)  # of the length sin γ₁
        radius = reach * ca.norm_2(forwards)
        push = self.senses[0] * (unit(forwards) - ca.tan(self.form.helix) * c) / radius
        inwards = unit(across(e1, c))
        apart = (-1.0 if self.wider == 0 else 1.0) * self.form.separation(push) * inwards
        at = apex + reach * c
        return ContactForces(self.pair(at, push), self.pair(at, apart))


@dataclass(frozen=True, eq=False)
class SkewTeeth(Touch):
    """Worm or screw gears: C divides the common normal at the share that is given; *factor*: f₂."""

    factor: ca.SX
    share: ca.SX
    form: ToothForm

    def forces(self, frames: Frames) -> ContactForces:
        (p1, e1), (p2, e2) = (world_line(motion, frames) for motion in (self.first, self.second))
        foot = p1 + _along(p1, e1, p2, e2) * e1
        normal = p2 + _along(p2, e2, p1, e1) * e2 - foot
        n, r1, r2 = unit(normal), self.share * ca.norm_2(normal), (1 - self.share) * ca.norm_2(normal)
        # F = x (e₁ × n) + y e₁ with F·(e₁ × r₁ n) = 1 and F·(e₂ × r₂ n) = f₂
        x = 1 / r1
        y = (self.factor / r2 - x * ca.dot(e1, e2)) / ca.dot(n, ca.cross(e1, e2))
        push = x * ca.cross(e1, n) + y * e1
        at = foot + self.share * normal
        return ContactForces(self.pair(at, push), self.pair(at, -self.form.separation(push) * n))


def _along(p1: ca.SX, e1: ca.SX, p2: ca.SX, e2: ca.SX) -> ca.SX:
    """How far along the first line the second is nearest."""
    gap, cosine = p2 - p1, ca.dot(e1, e2)
    return (ca.dot(gap, e1) - cosine * ca.dot(gap, e2)) / (1 - cosine**2)
