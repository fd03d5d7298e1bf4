"""A force at a point of a body, and a torque on a body: given vectors in world or body axes."""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.forces.base import Action, Load, Solid, Station


def point_force(space: Space, station: Station, force: ca.SX) -> Action:
    """The force *force* (d, world axes) at a point of a body."""
    return Action(loads=(Load(station.body, station.position, force, ca.SX(space.rotations, 1)),))


def torque(space: Space, solid: Solid, moment: ca.SX) -> Action:
    """The torque *moment* (k, world axes) on a body."""
    return Action(loads=(Load(solid.body, solid.frame.origin, ca.SX(space.dimension, 1), moment),))
