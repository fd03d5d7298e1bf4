"""A force at a point of a body, a torque on a body, an effort along a joint coordinate: given values.

The power of all of them is brought in from outside. A body that is named for the reaction feels the opposite, at the same
point, so that force and reaction have no moment together.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, JointCoordinate, JointEffort, Load, Reading, Solid, Station


def point_force(space: Space, station: Station, force: ca.SX, reaction: str | None = None) -> Contribution:
    """The force *force* (d, world axes) at a point of a body."""
    still = ca.SX(space.rotations, 1)
    loads = [Load(station.body, station.position, force, still, station.velocity)]
    loads += [Load(reaction, station.position, -force, still)] if reaction is not None else []
    readings = {f"f{axis}": Reading("N", f"force along {axis}", force[i]) for i, axis in enumerate(space.axis_names)}
    return Contribution(loads=tuple(loads), supplies=True, readings=readings | {"force": _size("N", "force", force)})


def torque(space: Space, solid: Solid, moment: ca.SX, reaction: Solid | None = None) -> Contribution:
    """The torque *moment* (k, world axes) on a body, or at a place of it."""
    none = ca.SX(space.dimension, 1)
    loads = [Load(solid.body, solid.frame.origin, none, moment, omega=solid.omega)]
    loads += [Load(reaction.body, reaction.frame.origin, none, -moment)] if reaction is not None else []
    if space.planar:
        return Contribution(loads=tuple(loads), supplies=True, readings={"torque": Reading("N*m", "torque", moment)})
    readings = {
        f"m{axis}": Reading("N*m", f"torque about {axis}", moment[i]) for i, axis in enumerate(space.axis_names)
    }
    return Contribution(
        loads=tuple(loads), supplies=True, readings=readings | {"torque": _size("N*m", "torque", moment)}
    )


def _size(unit: str, word: str, vector: ca.SX) -> Reading:
    return Reading(unit, f"size of the {word}", ca.norm_2(vector))


def effort(coordinate: JointCoordinate, value: ca.SX) -> Contribution:
    """A given force or torque on the child along a freedom of the joint."""
    word = "force" if coordinate.unit == "m" else "torque"
    reading = Reading(coordinate.effort_unit, f"{word} on the child along {coordinate.joint}", value)
    return Contribution(
        efforts=(JointEffort(coordinate.joint, coordinate.freedom, value),), supplies=True, readings={word: reading}
    )
