"""Friction of joints in a motion that is given: what joints transmit is known of it, and need not be a formula of the state.

What each of them transmits, how it slips and the efforts x of its friction are numbers at the end of p, as efforts of motors
are. So the loads, powers and readings of friction are the same expressions as in a run, and x is found outside: what joints
transmit is affine in x where motors give the motion, w = w₀ + L x, and x = R(w, x).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca

from linkwork.algebra.expressions.switches import FREE
from linkwork.coordinates.base import Later
from linkwork.coordinates.contributions import applied, effort_loads, joint_rate
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.given_touching import given_touchings
from linkwork.coordinates.multipliers import mapped
from linkwork.coordinates.naming import Lookup
from linkwork.coordinates.rubbing import GivenFriction, given_rubbings, joint_of
from linkwork.coordinates.scene import MovingScene


@dataclass(frozen=True, eq=False)
class GivenFrictions:
    """That of all joints and of places that touch, by their names; their numbers are the last of p."""

    joints: dict[str, GivenFriction]

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return sum(item.numbers.numel() for item in self.joints.values())


def with_given_friction(c: Coordinates) -> tuple[Coordinates, GivenFrictions]:
    """The coordinates with the friction of joints among their forces, and what is given of it."""
    lookup = Lookup(c.topology, c.motion, c.t, c.related)
    actions, loads, pushed = dict(c.loading.actions), list(c.loading.loads), ca.SX(c.v.numel(), 1)
    found: dict[str, GivenFriction] = {}

    def free(expression: ca.SX) -> ca.SX:
        """Formulas that jump take the branch of the moment."""
        selectors = ca.vertcat(ca.SX(0, 1), *[item.selector for item in lookup.switches.found])
        return ca.substitute(expression, selectors, FREE * ca.SX.ones(selectors.shape))

    for name, told, known in given_rubbings(c.topology.model, MovingScene(lookup)):
        action, given = mapped(told, free), mapped(known, free)
        actions[name] = action
        for item in action.efforts:
            rate = joint_rate(c.motion, item.joint, item.freedom)
            pushed += ca.jacobian(rate, c.v).T @ item.value
            loads += effort_loads(c.motion, item.joint, item.freedom, item.value)
        if given is not None:
            found[joint_of(name)] = given
    for name, action, given in given_touchings(c):
        actions[name] = action
        pushed += applied(c.motion, name, action)
        loads += action.loads
        found[joint_of(name)] = given
    if len(actions) == len(c.loading.actions):
        return c, GivenFrictions({})
    p = ca.vertcat(c.p, *[item.numbers for item in found.values()])
    loading = replace(c.loading, generalised=c.loading.generalised + pushed, loads=tuple(loads), actions=actions)
    driving = Later(lambda: c.forces + pushed)
    return replace(c, loading=loading, driving=driving, p=p, rubs=True), GivenFrictions(found)
