"""What happens at a place where two bodies touch, from its gap g, its normal n and the velocities there.

    g ≥ 0  ⊥  λ ≥ 0,   s = P (ẋ_b − ẋ_a),   P = 1 − n nᵀ

λ pushes the bodies apart along n, from the first to the second. Along the surface the law is Coulomb's with N = λ itself,

    s ≠ 0: T = −μ(s) λ s/|s|;   s = 0: |T| ≤ μ₀ λ,

where T acts on the second body, and with the opposite sign on the first, at the same place. While it slips T is an unknown
of the loads (``Implied``), as λ depends on it; while it sticks a condition s = 0 holds, which it can only while the gap is
closed.
In the plane s is one number, along t = (n_y, −n_x).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, Grasp, Implied, Load, Reading
from linkwork.elements.rubbing import Coefficients
from linkwork.elements.shapes.gaps import ContactGap
from linkwork.elements.shapes.touchables import ContactLaw

GAP, SLIP = "gap", "slip"  # components of the rows
WORDS, GRIP_WORDS = ("touches", "parts", "is hit"), ("sticks", "slips")
PRESSED = "a place where it has no value: what it presses with grows without end"
Pressing = Callable[[str], ca.SX]
"""What the conditions of the element push with, by their components."""


@dataclass(frozen=True, eq=False)
class TouchingPlace:
    """Where two bodies may touch: their names, the gap with its normal, and the velocities (d) of both there.

    remedy: what to do where they overlap at the start; length: the size of the mechanism (m)
    """

    name: str
    bodies: tuple[str, str]
    gap: ContactGap
    velocities: tuple[ca.SX, ca.SX]
    remedy: str = "draw them apart, or give the bodies another start"

    @property
    def sliding(self) -> ca.SX:
        """ẋ_b − ẋ_a (d)."""
        return self.velocities[1] - self.velocities[0]

    @property
    def place(self) -> ca.SX:
        """Where forces act: half way between both surfaces."""
        return (self.gap.points[0] + self.gap.points[1]) / 2


def touch(place: TouchingPlace, law: ContactLaw, pushes: Pressing) -> Contribution:
    """The conditions, loads and readings of a rigid contact."""
    condition = Condition(
        GAP,
        place.gap.gap,
        level="limit",
        words=WORDS,
        while_held="touches",
        meaning=f"force of {place.name} across the surfaces, apart",
        restitution=law.restitution,
        remedy=place.remedy,
        unit=_pair(place, place.gap.normal),
    )
    readings = _readings(place)
    if not law.rubs:
        return Contribution((condition,), readings=readings)
    return _rubbing(place, law, pushes, (condition,), readings)


def _readings(place: TouchingPlace) -> dict[str, Reading]:
    axes = "xyz"[: place.place.numel()]
    found = {"gap": Reading("m", "distance of the surfaces, negative where they overlap", place.gap.gap)}
    found |= {axis: Reading("m", f"{axis} of the place", place.place[i]) for i, axis in enumerate(axes)}
    told = "of the normal, from the first to the second"
    return found | {f"n{axis}": Reading("", f"{axis} {told}", place.gap.normal[i]) for i, axis in enumerate(axes)}


def _rubbing(
    place: TouchingPlace,
    law: ContactLaw,
    pushes: Pressing,
    conditions: tuple[Condition, ...],
    readings: Mapping[str, Reading],
) -> Contribution:
    """The same with friction in the plane."""
    normal, n = pushes(GAP), place.gap.normal
    tangent = ca.vertcat(n[1], -n[0])
    slip = ca.dot(tangent, place.sliding)
    force, into = ca.SX.sym(f"{place.name} rubs"), ca.SX.sym(f"{place.name} into")
    rule = Coefficients(law.friction, law.static, law.stribeck)
    size = rule.at(slip**2) * normal
    grip = Condition(
        SLIP,
        slip,
        level="grip",
        words=GRIP_WORDS,
        while_held="sticks",
        meaning=f"friction of {place.name} along the surface",
        unit=_pair(place, tangent),
        grasp=Grasp(rule.sticking * normal, size, into, GAP, law.friction),
    )
    whole = force + pushes(SLIP)
    return Contribution(
        conditions=(*conditions, grip),
        loads=_pair(place, force * tangent),
        dissipation=-force * slip,
        implied=(Implied(force, -into * size, PRESSED),),
        readings={
            **readings,
            "slip": Reading("m/s", "speed of the second along the surface of the first", slip),
            "friction": Reading("N", "force along the surface, on the second", whole),
        },
    )


def _pair(place: TouchingPlace, force: ca.SX) -> tuple[Load, Load]:
    """A force on the second body and its opposite on the first."""
    turning = ca.SX(1 if force.numel() == 2 else 3, 1)
    first, second = place.bodies
    return Load(second, place.place, force, turning), Load(first, place.place, -force, turning)
