"""The backlash of couplings, beside the mechanism that they are drawn in."""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.elements.couplings.backlash import Backlash
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.motion import misfit
from linkwork.elements.couplings.teeth import SkewTeeth
from linkwork.model.couplings.backlash import CouplingBacklash
from linkwork.topology.relations import DrawnMechanism


def backlash_of(sketch: DrawnMechanism, coupled: Coupled, declared: CouplingBacklash) -> Backlash:
    """The play of teeth, as a length or an angle, whichever the first coordinate and the wheels know."""
    first, key = coupled.terms[0], "backlash"
    kinds = {f.name: f.kind for f in sketch.geometry.joints[first.joint].kind.freedoms(sketch.space)}
    slides = kinds[first.freedom] == "length"
    if slides and declared.angle is not None:
        raise misfit(f"{key}.angle", f"'{first.joint}' slides: its play is a length", "write backlash: 0.1 mm")
    if not slides and declared.gap is not None:
        _require_circles(coupled, f"{key}.gap")

    def value(expression: Expression | None) -> ca.SX:
        return ca.SX(0) if expression is None else sketch.value(expression)

    law = None if declared.stiffness is None else (value(declared.stiffness), value(declared.damping))
    turns, play = declared.angle is not None, declared.gap if declared.angle is None else declared.angle
    return Backlash(value(play), turns, value(declared.restitution), value(declared.start), law)


def _require_circles(coupled: Coupled, key: str) -> None:
    hint = "write backlash: {angle: 0.2 deg}, of the first wheel"
    if coupled.contact is None:
        raise misfit(key, "nothing says how large the pitch circles are: teeth or a ratio alone do not", hint)
    if isinstance(coupled.contact, SkewTeeth):
        raise misfit(key, "the axes are skew: a length along one pitch circle is none along the other", hint)
