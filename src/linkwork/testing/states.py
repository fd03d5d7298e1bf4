"""A mechanism in some coordinates at one moment: numbers of expressions, and what must hold of any state of it.

* Φ̇ = C v + a and Φ̈ = C v̇ + b are derivatives, by differences;
* ½ v·M v is the kinetic energy ½ Σ u·B u of the bodies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import casadi as ca
import numpy as np

from linkwork.coordinates.contributions import own_rates, place_unknowns
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice, number, starting_state
from linkwork.testing.comparing import Array, central, require_close
from linkwork.topology.topology import Topology

NEAR = 1e-9  # of the size of what is compared, between coordinates
BY_DIFFERENCES = 1e-6  # of the same, of derivatives


@dataclass(frozen=True, eq=False)
class SeenState:
    """A mechanism in some coordinates at a time and a state."""

    c: Coordinates
    time: float
    y: Array
    p: Array

    def later(self, expression: ca.SX, h: float, vdot: Array | None = None) -> Array:
        """An expression *h* seconds later."""
        return self.value(expression, h=h, vdot=vdot)

    def value(self, *expressions: ca.SX, h: float = 0.0, vdot: Array | None = None) -> Array:
        """Expressions one behind the other; *h* seconds later by the rates of the state there, and v̇."""
        c = self.c
        f = ca.Function("f", [c.t, c.y, c.p], [ca.densify(ca.vertcat(ca.SX(0, 1), *map(ca.vec, expressions)))])
        y = self.y
        if h:
            rates = ca.Function("r", [c.t, c.y, c.p], [ca.densify(c.rates), ca.densify(c.s_rates)])
            q, s = (np.array(item).ravel() for item in rates(self.time, y, self.p))
            y = y + h * np.concatenate([q, np.zeros(c.v.numel()) if vdot is None else vdot, s])
        return np.array(f(self.time + h, y, self.p)).ravel()

    def holding(self, holds: bool) -> SeenState:
        """The same with all conditions that come and go, or none of them."""
        selectors = [limit.selector for limit in self.c.limits]
        p = [
            float(holds) if any(ca.is_equal(symbol, own) for own in selectors) else value
            for symbol, value in zip(ca.vertsplit(self.c.p), self.p, strict=True)
        ]
        return replace(self, p=np.array(p))

    def twists(self) -> dict[str, Array]:
        """Velocity of the origin and angular velocity of every body."""
        found = self.c.kinematics.twists
        return {name: self.value(found[name].velocity, found[name].omega) for name in self.c.geometry.bodies}

    def own_rates(self) -> Array:
        """Rates of the coordinates that bodies have for themselves."""
        return self.value(self.c.v)[_own_places(self.c)]

    def vdot(self) -> Array:
        """v̇ of M v̇ = h + Cᵀ λ and C v̇ + b = 0, of which conditions may depend on each other."""
        c, n, m = self.c, self.c.v.numel(), len(self.c.rows)
        mass, rows = self.value(c.mass).reshape(n, n, order="F"), self.value(c.jacobian).reshape(m, n, order="F")
        matrix = np.block([[mass, -rows.T], [rows, np.zeros((m, m))]])
        right = np.concatenate([self.value(c.forces), -self.value(c.b)])
        return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-12)[0][:n])

    def accelerations(self) -> dict[str, Array]:
        """Of the centres of mass of all bodies, and their angular accelerations."""
        symbols = ca.SX.sym("vdot", self.c.v.numel())
        motion, found, vdot = self.c.motion, {}, ca.SX(ca.DM(self.vdot()))
        for name in self.c.geometry.bodies:
            velocities = ca.vertcat(motion.centre(name).velocity, self.c.kinematics.twists[name].omega)
            acceleration = motion.acceleration(velocities, symbols)
            found[f"acceleration of {name}"] = self.value(ca.substitute(acceleration, symbols, vdot))
        return found


def seen_state(
    topology: Topology, kind: KindChoice, time: float, rng: np.random.Generator, like: SeenState | None = None
) -> SeenState:
    """The assembled position with a velocity: that of *like*, or a random one that all conditions allow."""
    c, assembly, p = number(topology, kind), topology.assembly, topology.geometry.defaults
    twists = assembly.twists if like is None else like.twists()
    q, v = c.kind.place(topology.geometry, topology.tree, assembly.poses, twists, p)
    own, rates = place_unknowns(topology.geometry, assembly)
    q, v = np.concatenate([q, own]), np.concatenate([v, rates])
    there = SeenState(c, time, *starting_state(c, q, v, time, p))
    rows = there.value(c.jacobian).reshape(len(c.rows), len(v), order="F")
    if like is None:
        v, led = rng.normal(size=len(v)), slice(None)
    else:
        # only what the conditions lead is left to them where a motion is given: unknowns of relations without inertia
        v[_own_places(c)], led = like.own_rates(), slice(len(v) - len(own), None)
        v[led] = like.value(like.c.v)[like.c.v.numel() - len(own) :]
    misfit = rows @ v + there.value(c.a)
    v[led] -= np.linalg.lstsq(rows[:, led], misfit, rcond=1e-10)[0]
    return SeenState(c, time, *starting_state(c, q, v, time, p))


def _own_places(c: Coordinates) -> list[int]:
    """Which of the velocities are rates of coordinates that bodies have for themselves."""
    bodies, names = c.geometry.bodies, c.kinematics.v_names
    return [names.index(f"{body}.{item.name}'") for body in c.kinematics.own for item in bodies[body].kind.unknowns]


def check_conditions(there: SeenState) -> None:
    c, count = there.c, there.c.holonomic
    speed, labels = c.jacobian @ c.v + c.a, [str(label) for label in c.labels]
    checks = {"first": (c.phi[:count], speed[:count], count), "second": (speed, c.b, len(c.rows))}
    for order, (quantity, rate, rows) in checks.items():
        found, expected = there.value(rate), central(partial(there.later, quantity))
        size = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
        for i in range(rows):
            what = f"{labels[i]}: {order} derivative in {c.kind} coordinates"
            require_close(what, found[i], expected[i], BY_DIFFERENCES * size)


def check_inertia(there: SeenState) -> None:
    c = there.c
    own = [c.motion.inertia(name) for name in c.geometry.bodies if not c.kinematics.spins_held]
    moving = sum((ca.dot(item.velocities, item.block @ item.velocities) for item in own), ca.SX(0)) / 2
    for name in c.geometry.heavy:
        masses = [0 if item.mass is None else item.mass for item in c.geometry.relations[name].unknowns]
        moving += ca.dot(ca.vertcat(*masses), own_rates(c.motion, name) ** 2) / 2
    found, expected = (float(there.value(item)[0]) for item in (ca.dot(c.v, c.mass @ c.v) / 2, moving))
    if own:
        require_close(f"kinetic energy in {c.kind} coordinates", found, expected, NEAR * max(1.0, abs(expected)))
