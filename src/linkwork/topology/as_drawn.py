"""The mechanism as it is drawn: its sketch, joints closed, whatever drivers, ``initial``, ``start`` and ``branches`` say.

What is measured in it, such as the length of a spring without force, follows the live parameters as the sketch does.
Coordinates that a sketch leaves open are kept as in an assembly of the model, by the names in its ``initial``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from linkwork.algebra.whole_turns import principal
from linkwork.arrays import Array
from linkwork.errors import AssemblyError
from linkwork.model.forces import Spring, TorsionSpring
from linkwork.position.geometry import GROUND, Pose
from linkwork.position.placing import assemble_positions
from linkwork.position.poses import PoseConditions
from linkwork.position.preference import preference
from linkwork.topology.topology import Topology

Placing = tuple[dict[str, Pose], tuple[str, ...]]
"""Poses of all bodies, and the coordinates that kept their sketched values."""


class AsDrawn:
    """Lengths and angles of a mechanism as it is drawn, with values of its live parameters."""

    def __init__(self, topology: Topology, p: Array) -> None:
        self.topology, self.p = topology, p

    @cached_property
    def poses(self) -> Mapping[str, Pose]:
        """Of all bodies."""
        return _placed(self.topology, self.p)[0]

    @cached_property
    def _readings(self) -> Array:
        return _sketched(self.topology).readings_at(self.poses, self.p)

    def length(self, between: tuple[str, str]) -> float:
        """The distance of two points, m."""
        return float(np.linalg.norm(np.subtract(*(self._place(reference) for reference in between))))

    def angle(self, joint: str, freedom: str | None) -> float:
        """An angle of a joint, rad; in (−π, π] or near its reference, unless it counts turns by itself."""
        conditions = _sketched(self.topology)
        names = [f.name for f in self.topology.geometry.joints[joint].kind.scalars(conditions.space)]
        place = conditions.index(joint, freedom or names[0])
        value = float(self._readings[place])
        near = float(self.topology.geometry.number(self.topology.geometry.joints[joint].near, self.p))
        return value if conditions.readings[place].winds else principal(value, near)

    def turn(self, bodies: tuple[str, str]) -> float:
        """The angle of the second body of the plane less that of the first, rad; in (−π, π]."""
        first, second = (0.0 if name == GROUND else self.poses[name].angle or 0.0 for name in bodies)
        return principal(second - first)

    def _place(self, reference: str) -> Array:
        body, point = self.topology.model.locate(reference)
        local = np.atleast_1d(self.topology.geometry.number(self.topology.local_point(body, point), self.p))
        return local if body == GROUND else self.poses[body].point(local)


def remarks(topology: Topology, p: Array) -> tuple[str, ...]:
    """What has to be known of a model wherever its numbers are: its remarks, and what springs take from the drawing.

    p: of the run, live parameters first; where they change, (N, np)
    """
    return (*topology.remarks, *springs_as_drawn(topology, np.atleast_2d(p)[0]))


def springs_as_drawn(topology: Topology, p: Array) -> list[str]:
    """What springs take from the drawing."""
    sketch, found = AsDrawn(topology, p[: len(topology.geometry.defaults)]), []
    for name, force in topology.model.forces.items():
        match force:
            case Spring() if force.law.as_drawn:
                found.append(f"{name} (free_length {sketch.length(force.between):.6g} m)")
            case TorsionSpring() if force.law.as_drawn:
                pair, joint = force.bodies, force.joint
                angle = sketch.angle(str(joint), force.freedom) if pair is None else sketch.turn(pair)
                found.append(f"{name} (free_angle {np.degrees(angle):.6g} deg)")
    return [f"without force as drawn: {', '.join(found)}"] if found else []


_conditions: WeakKeyDictionary[PoseConditions, PoseConditions] = WeakKeyDictionary()
_placings: WeakKeyDictionary[PoseConditions, Placing] = WeakKeyDictionary()


def _sketched(topology: Topology) -> PoseConditions:
    """The conditions of the mechanism without its guides, which begin where it is drawn."""
    own, geometry, guides = topology.conditions, topology.geometry, topology.model.guides
    if not guides and not geometry.start:
        return own.at(0.0)
    if own not in _conditions:
        relations = {name: relation for name, relation in geometry.relations.items() if name not in guides}
        _conditions[own] = PoseConditions(replace(geometry, relations=relations, start={}), own.length)
    return _conditions[own]


def _placed(topology: Topology, p: Array) -> Placing:
    """With other parameters the same coordinates keep their sketched values."""
    own, defaults = topology.conditions, topology.geometry.defaults
    if own not in _placings:
        _placings[own] = _assembled(topology, defaults, ())
    return _placings[own] if np.array_equal(p, defaults) else _assembled(topology, p, _placings[own][1])


def _assembled(topology: Topology, p: Array, kept: tuple[str, ...]) -> Placing:
    conditions, model = _sketched(topology), topology.model
    asked = preference(conditions, model.initial)
    known = [conditions.index(*name.rpartition(".")[::2]) for name in kept]
    try:
        return assemble_positions(conditions, p, (), asked, known)
    except AssemblyError as error:
        raise AssemblyError(
            f"{error}; a spring without free_length or free_angle is without force as drawn, and the sketch cannot be put "
            "together by itself: give these, or draw it nearer to a position in which it closes"
        ) from None


__all__ = ["AsDrawn", "remarks", "springs_as_drawn"]
