"""What the quantities of the state measure that formulas name: ``O.angle`` an angle, ``coupler.P.vx`` a speed."""

from __future__ import annotations

from collections.abc import Iterable

from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.unit_words import Unit
from linkwork.model.places import Places
from linkwork.model.quantities import ANGULAR, ENERGIES, ENERGY, INERTIA, MASS, MOMENTUM

ENDINGS = {
    **{f"{kind}{axis}": unit for kind, unit in (("", "m"), ("v", "m/s"), ("a", "m/s^2")) for axis in "xyz"},
    **{f"{kind}{axis}": unit for kind, unit in (("w", "rad/s"), ("alpha", "rad/s^2")) for axis in "xyz"},
}
"""Of components along axes."""
TURNING = {"angle": "rad", "speed": "rad/s", "acceleration": "rad/s^2"}
"""Of a body in the plane."""
VECTORS = {MOMENTUM: "N*s", ANGULAR: "N*m*s", INERTIA: "kg*m^2", MASS: "kg"}


def state_units(places: Places, names: Iterable[str]) -> dict[str, Unit]:
    """The units of those quantities of the state that have one everywhere, by name."""
    found = {name: _unit(places, *name.partition(".")[::2]) for name in names if "." in name}
    return {name: read_unit(unit) for name, unit in found.items() if unit}


def _unit(places: Places, head: str, rest: str) -> str:
    """The unit of a quantity of something; '' where it is its own affair, such as a reading of a relation."""
    if head == ENERGY:
        return "J" if rest in ENERGIES else ""
    if head in places.relations:
        return ""
    if head in places.joints and (own := _of_joint(places, head, rest)):
        return own
    for part in (head, *rest.split(".")):
        if part in VECTORS:
            return VECTORS[part]
    if head in places.bodies and rest in places.bodies[head].READINGS:
        return ""
    if head in places.bodies and rest in TURNING:
        return TURNING[rest]
    return ENDINGS.get(rest.rpartition(".")[2], "")


def _of_joint(places: Places, joint: str, rest: str) -> str:
    for freedom in places.joints[joint].freedoms:
        for name, unit in (
            (freedom.name, freedom.unit),
            (freedom.rate, f"{freedom.unit}/s"),
            (freedom.acceleration, f"{freedom.unit}/s^2"),
        ):
            if rest == name:
                return unit
    return ""
