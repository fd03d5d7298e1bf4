"""The energy whose minimum is a stable equilibrium.

To the potential of gravity and springs come the loads that do not change with the motion, −F·r for a force, −τ φ for an
effort along a joint coordinate or a planar moment, and, on a ground that turns steadily with Ω and whose origin has the
acceleration a₀, that of the inertia forces (Goldstein, Classical Mechanics, section 4.10),

    V = Σ m a₀·r − ½ Σ (m |Ω × r|² + Ω·I Ω) .
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.contributions import BASE
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Contribution, JointEffort
from linkwork.position.geometry import GROUND


def rest_energy(c: Coordinates) -> ca.SX:
    """V of all forces that have one."""
    total = c.loading.potential
    for name, action in c.loading.actions.items():
        if name == BASE:
            total = total + _moving_base(c)
        elif action.potential.is_zero():
            total = total + _dead_loads(c, action)
    return total


def _dead_loads(c: Coordinates, action: Contribution) -> ca.SX:
    """Of loads and efforts that no motion changes; zero of others."""
    total = ca.SX(1, 1)
    for load in action.loads:
        if load.body == GROUND:
            continue
        if not ca.depends_on(load.force, c.y):
            total -= ca.dot(load.force, load.at)
        if c.space.planar and not ca.depends_on(load.moment, c.y):
            total -= load.moment * c.motion.angles[load.body]
    for effort in action.efforts:
        if not ca.depends_on(effort.value, c.y):
            total -= effort.value * _coordinate(c, effort)
    return total


def _coordinate(c: Coordinates, effort: JointEffort) -> ca.SX:
    """The coordinate along which an effort acts, of a joint or a body's own."""
    if effort.joint in c.kinematics.own:
        return c.kinematics.own[effort.joint][0][effort.freedom]
    freedoms = c.geometry.joints[effort.joint].kind.freedoms(c.space)
    return c.motion.coordinates[effort.joint, freedoms[effort.freedom].name].value


def _moving_base(c: Coordinates) -> ca.SX:
    base, space = c.topology.model.base, c.space
    assert base is not None
    lookup = Lookup(c.topology, c.motion, c.t, c.related)
    acceleration = ca.vertcat(ca.SX(0, 1), *[lookup.expression(item) for item in base.acceleration or ()])
    omega = ca.vertcat(ca.SX(0, 1), *[lookup.expression(item) for item in base.omega or ()])
    total = ca.SX(1, 1)
    for name in c.geometry.bodies:
        matter, place = c.motion.rigid(name, "mechanisms on a base that moves"), c.motion.centre(name).position
        if base.acceleration is not None:
            total += matter.mass * ca.dot(acceleration, place)
        if base.omega is not None:
            guided = space.turn(omega, place)
            total -= (matter.mass * ca.dot(guided, guided) + ca.dot(omega, matter.inertia @ omega)) / 2
    return total
