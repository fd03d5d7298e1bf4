"""Friction of contacts in the plane whose forces are given: at rest, where what presses follows from all that holds.

Of a place that touches, the force across the surfaces and the friction x along them are numbers at the end of p, as those of
joints are (``given_friction.py``).
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca

from linkwork.coordinates.coming import OneSided
from linkwork.coordinates.contributions import load_velocity
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.rubbing import RUBBING, GivenFriction
from linkwork.coordinates.touching import TOUCHING
from linkwork.elements.contribution import Contribution, Load, Reading
from linkwork.elements.rubbing import Coefficients
from linkwork.elements.shapes.touchables import ContactLaw


def given_touchings(c: Coordinates) -> Iterator[tuple[str, Contribution, GivenFriction]]:
    """The friction of all places of the plane that may stick, by the names of its elements."""
    for item in c.one_sided.values():
        law = _law(c, item)
        if law is not None and law.grips and c.space.planar:
            yield f"{item.label.element}.{RUBBING}", *_given(c, item, law)


def _law(c: Coordinates, item: OneSided) -> ContactLaw | None:
    """The law of a place where bodies touch."""
    if item.label.kind != TOUCHING:
        return None
    known = {pair.name: pair.law for pair in c.geometry.touchables.pairs}
    known |= {joint: law for joint, (_, law) in c.geometry.clearings.items()}
    name = item.label.element
    return known.get(name, known.get(name.rpartition(".")[0]))


def _given(c: Coordinates, item: OneSided, law: ContactLaw) -> tuple[Contribution, GivenFriction]:
    name, (second, first) = item.label.element, item.unit
    n = second.force
    along = ca.vertcat(n[1], -n[0])
    x, pressed = ca.SX.sym(f"{name} along"), ca.SX.sym(f"{name} across", c.space.freedoms)
    into, still = ca.SX.sym(f"{name} into"), ca.SX.sym(f"{name} still")
    none = ca.SX(c.space.rotations, 1)
    loads = Load(second.body, second.at, x * along, none), Load(first.body, first.at, -x * along, none)
    slip = ca.dot(along, load_velocity(c.motion, second)[0] - load_velocity(c.motion, first)[0])
    rule = Coefficients(law.friction, law.static, law.stribeck)
    bound = rule.sticking * pressed[0]
    size = ca.if_else(still > 0.5, bound, rule.at(slip**2) * pressed[0])
    told = Reading("N", "friction along the surface, on the second", x)
    contribution = Contribution(loads=loads, dissipation=-x * slip, readings={"force": told})
    return contribution, GivenFriction(x, pressed, into, still, -into * size, bound, slip)
