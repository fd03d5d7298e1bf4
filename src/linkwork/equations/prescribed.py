"""The conditions of a mechanism whose motion is prescribed, and their time derivatives, as functions of (t, y, p).

    Φ(q, t) = 0,    C v + a = 0,    C v̇ + b = 0,    C v̈ + j = 0,   j = d/dt (C v̇ + b) at v̈ = 0

J. García de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, Springer 1994, eqs. 3.6 to 3.8; all of
it by exact differentiation. Passive spins have a row each that restricts velocities alone, u·ω = 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.terms import make_function


def prescribed_functions(c: Coordinates, spins: ca.SX | None = None) -> Mapping[str, ca.Function]:
    """gap, closure, bend, jerk; retract and count where positions are no plain numbers and turns are counted.

    spins: rates (k) that are held at zero
    """
    vdot = ca.SX.sym("vdot", c.v.numel())
    spins = ca.SX(0, 1) if spins is None else spins
    none, jacobian = ca.SX(spins.numel(), 1), ca.vertcat(c.jacobian, ca.jacobian(spins, c.v))
    phi, b = ca.vertcat(c.phi, none), ca.vertcat(c.b, c.motion.drift(spins))
    third = rate_along(c, ca.densify(jacobian @ vdot + b), vdot)
    functions = {
        "gap": make_function("kinematic_gap", c, {"phi": phi}),
        "closure": make_function("kinematic_closure", c, {"phi": phi, "C": jacobian, "a": ca.vertcat(c.a, none)}),
        "bend": make_function("kinematic_bend", c, {"b": b}),
        "jerk": make_function("kinematic_jerk", c, {"j": third}, vdot),
    }
    if c.kinematics.retract is not None:
        functions["retract"] = make_function("kinematic_retract", c, {"q": c.kinematics.retract})
    if c.motion.counters:
        functions["count"] = make_function("kinematic_count", c, {"s": counted(c)})
    return functions


def rate_along(c: Coordinates, expression: ca.SX, vdot: ca.SX, further: tuple[ca.SX, ca.SX] | None = None) -> ca.SX:
    """d/dt of a column of expressions of t, q, v and, where *further* gives (v̇, v̈), of v̇."""
    change = c.motion.drift(expression) + ca.jtimes(expression, c.t, ca.SX(1))
    if c.v.numel():
        change += ca.jtimes(expression, c.v, vdot)
        change += 0 if further is None else ca.jtimes(expression, *further)
    return change


def counted(c: Coordinates) -> ca.SX:
    """s with its counters of turns at the angles that they count, nearest to where they were."""
    counters = {str(item.name): item for item in c.motion.counters}
    found = []
    for state in c.auxiliaries:
        off = state.start - state.symbol if state.name in counters else ca.SX(0)
        found.append(state.symbol + ca.atan2(ca.sin(off), ca.cos(off)))
    return ca.vertcat(ca.SX(0, 1), *found)
