"""What a mechanism does to the ground: the resultant of all that is not inertia.

    F = Σ (m g − m a) + Σ applied forces,   N = Σ (r × (m g − m a) − I α − ω × I ω) + Σ their moments,

about the origin, over all bodies; loads that act on the ground itself count, so that springs and motors between the ground
and a body cancel, and forces from outside are passed on. Without these and weights it is −d/dt of the momenta.
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.gearing import gear_loads
from linkwork.equations.terms import make_function


def shaking_function(c: Coordinates) -> ca.Function:
    """Force (d) and moment (k) on the ground as a function of (t, [y, v̇], p)."""
    space, motion, vdot = c.space, c.motion, ca.SX.sym("vdot", c.v.numel())
    force, moment = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    for name, taken in motion.resistances(vdot).items():
        lost = -taken
        force = force + lost[: space.dimension]
        turned = space.moment(motion.centre(name).position, lost[: space.dimension])
        moment = moment + turned + lost[space.dimension : space.freedoms]
    for load in (*c.loading.loads, *gear_loads(motion, c.loading.actions, vdot)):
        force, moment = force + load.force, moment + load.moment + space.moment(load.at, load.force)
    return make_function("shaking", c, {"force": force, "moment": moment}, vdot)
