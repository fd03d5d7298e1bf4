"""One mechanism at one state in several coordinates, as numbers: what all ways to find accelerations and forces must give.

The other side is the Newton-Euler equations of all bodies with the conditions of all joints, in reference-point coordinates,

    M u̇ = h + Cᵀ λ,   C u̇ + b = 0,   u = T v + η,

a dense system in which no recursion, no elimination in a fixed order and no compiled code has a part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np
from random_mechanisms import Array, Numbers

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import number, starting_state
from linkwork.equations.equations import start_of
from linkwork.position.geometry import Pose

NEARER = (1.0, 0.3, 0.1)  # parts of a displacement, of which one does that can be closed
CLOSED, ROUNDS = 1e-13, 30  # of the size of a mechanism


def _cross(r: Array, f: Array) -> Array:
    """r × f, in the plane about the normal."""
    return np.cross(r, f) if r.size == 3 else np.array([r[0] * f[1] - r[1] * f[0]])


@dataclass(frozen=True, eq=False)
class State:
    """A mechanism in some coordinates at a time and a state."""

    c: Coordinates
    t: float
    y: Array
    p: Array

    def values(self, *expressions: ca.SX, given: ca.SX | None = None, value: Array | None = None) -> list[Array]:
        """Expressions of t, y, p, and of *given* symbols with their value."""
        more = ca.SX(0, 1) if given is None else given
        f = ca.Function("f", [self.c.t, self.c.y, self.c.p, more], [ca.densify(item) for item in expressions])
        found = f.call([self.t, self.y, self.p, np.zeros(0) if value is None else value])
        return [np.array(x).reshape(item.shape) for x, item in zip(found, expressions, strict=True)]

    @cached_property
    def vdot(self) -> ca.SX:
        """Symbols of v̇."""
        return ca.SX.sym("vdot", self.c.v.numel())

    @cached_property
    def bodies(self) -> ca.SX:
        """u: velocities of the centres of mass (world), and angular velocities (in space in the axes of the bodies)."""
        k, found = self.c.kinematics, [ca.SX(0, 1)]
        for name in self.c.geometry.bodies:
            turning = k.twists[name].omega
            own = turning if self.c.space.planar else k.frames[name].axes.T @ turning
            found += [self.c.motion.centre(name).velocity, own]
        return ca.vertcat(*found)

    def body_accelerations(self, vdot: Array) -> Array:
        """u̇ of v̇."""
        return self.values(self.c.motion.acceleration(self.bodies, self.vdot), given=self.vdot, value=vdot)[0].ravel()

    def rates_of(self, accelerations: Array) -> Array:
        """v̇ of u̇."""
        lift, _ = self.values(ca.jacobian(self.bodies, self.c.v), self.bodies)
        free = self.body_accelerations(np.zeros(self.c.v.numel()))
        return np.linalg.lstsq(lift, accelerations - free, rcond=None)[0]

    def change_of_accelerations(self, along: Array, vdot: Array, change: Array) -> Array:
        """What becomes of u̇ when y goes on *along* a direction and v̇ has a *change*."""
        whole = ca.vertcat(self.c.y, self.vdot)
        moved = ca.jtimes(self.c.motion.acceleration(self.bodies, self.vdot), whole, np.concatenate([along, change]))
        return self.values(moved, given=self.vdot, value=vdot)[0].ravel()

    def direction(self, rng: np.random.Generator) -> Array:
        """A random direction of y that leaves quaternions their length."""
        c = self.c
        turned = ca.jtimes(c.rates, c.v, rng.normal(size=c.v.numel()))
        return np.concatenate([self.values(turned)[0].ravel(), rng.normal(size=c.v.numel() + c.s.numel())])

    def beside(self, step: Array) -> State:
        """A state near by."""
        return replace(self, y=self.y + step)


def moving_state(c: Coordinates, rng: np.random.Generator, t: float = 0.0, away: float = 0.3) -> State:
    """A state of relative coordinates away from the sketch that satisfies its conditions, with other live parameters."""
    y, p = start_of(c)
    live, nq, nv = len(c.geometry.defaults), c.q.numel(), c.v.numel()
    live_values = p[:live] * rng.uniform(0.7, 1.4, size=live)
    moved = c.q + c.v if c.kinematics.retract is None else c.kinematics.retract
    retract = ca.Function("retract", [c.q, c.v], [ca.densify(moved)])
    drawn = away * rng.normal(size=nv)
    for part in NEARER:
        q, step = y[:nq], part * drawn
        for _ in range(ROUNDS):
            q = np.array(retract(q, step)).ravel()
            at = State(c, t, *starting_state(c, q, np.zeros(nv), t, live_values))
            phi, rows = at.values(c.phi, c.jacobian)
            if (closed := np.abs(phi).max(initial=0.0) < CLOSED * c.kinematics.length) or not np.isfinite(phi).all():
                break
            step = -np.linalg.lstsq(rows, phi.ravel(), rcond=1e-12)[0]
        if closed:
            break
    else:
        raise AssertionError("the loops do not close")
    v, (drift,) = rng.normal(size=nv), at.values(c.a)
    v -= np.linalg.lstsq(rows, rows @ v + drift.ravel(), rcond=1e-12)[0]
    return State(c, t, *starting_state(c, q, v, t, live_values))


def elsewhere(at: State, kind: str) -> State:
    """The same state in other coordinates."""
    c, there = at.c, number(at.c.topology, kind)
    live, twists = at.p[: len(c.geometry.defaults)], Numbers(c).twists(at.y, at.p)
    q, v = there.kind.place(c.geometry, c.topology.tree, _poses(at), twists, live)
    y, p = starting_state(there, q, v, at.t, live)
    own = dict(zip(_own_states(c), at.y[len(at.y) - c.s.numel() :], strict=True))
    for i, name in enumerate(_own_states(there), start=len(y) - there.s.numel()):
        y[i] = own.get(name, y[i])
    return State(there, at.t, y, p)


def _poses(at: State) -> dict[str, Pose]:
    """The places of all bodies; angles in the plane with the turns that those of the joints add up to."""
    c, found = at.c, Numbers(at.c).poses(at.y, at.p)
    if not c.space.planar:
        return found
    turned = at.y[: c.q.numel()] - start_of(c)[0][: c.q.numel()]
    for name, pose in found.items():
        drawn = c.topology.assembly.poses[name].angle
        (along,) = at.values(ca.jacobian(c.kinematics.twists[name].omega, c.v))
        found[name] = replace(pose, angle=drawn + (along @ turned).item())
    return found


def _own_states(c: Coordinates) -> list[str]:
    """The names of s."""
    return [state.name for state in c.auxiliaries]


@dataclass(frozen=True, eq=False)
class NewtonEuler:
    """The bodies and their conditions at the state *at* of relative coordinates."""

    at: State

    @cached_property
    def there(self) -> State:
        return elsewhere(self.at, "reference_point")

    @cached_property
    def terms(self) -> tuple[Array, Array, Array, Array]:
        """M, h, C and b."""
        c = self.there.c
        mass, h, rows, b = self.there.values(c.mass, c.forces, c.jacobian, c.b)
        return mass, h.ravel(), rows, b.ravel()

    @cached_property
    def lift(self) -> Array:
        """T = ∂u/∂v."""
        return self.at.values(ca.jacobian(self.at.bodies, self.at.c.v))[0]

    @cached_property
    def solution(self) -> tuple[Array, Array, Array]:
        """u̇, λ, and how far u̇ may be off when every term of the equations is off by a part of 1."""
        mass, h, rows, b = self.terms
        matrix = np.block([[mass, -rows.T], [rows, np.zeros((len(rows), len(rows)))]])
        inverse = np.linalg.inv(matrix)
        found = inverse @ np.concatenate([h, -b])
        sizes = np.abs(matrix) @ np.abs(found) + np.concatenate([np.abs(h), np.abs(b)])
        return found[: len(h)], found[len(h) :], (np.abs(inverse) @ sizes)[: len(h)]

    @property
    def independent(self) -> bool:
        """Whether no condition follows from others."""
        rows = self.terms[2]
        return not len(rows) or bool(np.linalg.svd(rows, compute_uv=False)[-1] > 1e-6)

    def pushes(self) -> dict[str, Array]:
        """Force and moment (world axes, at its point on the child) of every joint on its child, by the multipliers of its
        conditions."""
        c, d, (_, multipliers, _) = self.there.c, self.there.c.space.dimension, self.solution
        size, places, found = c.space.freedoms, list(c.geometry.bodies), dict[str, Array]()
        poses = Numbers(c).poses(self.there.y, self.there.p)
        for name, joint in c.geometry.joints.items():
            own = [i for i, label in enumerate(c.labels) if label.element == name]
            whole = self.terms[2][own].T @ multipliers[own]
            body, sign = (joint.child, 1.0) if joint.child in places else (joint.parent, -1.0)
            first = size * places.index(body)
            force, moment = np.split(sign * whole[first : first + size], [d])
            moment = moment if c.space.planar else poses[body].axes @ moment
            centre, at = self.there.values(c.motion.centre(body).position, joint.frames(c.kinematics.frames)[1].origin)
            found[name] = np.concatenate([force, moment + _cross((centre - at).ravel(), force)])
        return found

    def mass(self) -> tuple[Array, Array]:
        """Tᵀ M T, and what adds up to its entries."""
        mass, lift = self.terms[0], self.lift
        return lift.T @ mass @ lift, np.abs(lift).T @ np.abs(mass) @ np.abs(lift)

    def forces(self, vdot: Array) -> tuple[Array, Array]:
        """Tᵀ (M u̇ − h) that a motion takes, and what adds up to it."""
        mass, h, *_ = self.terms
        rates = self.at.body_accelerations(vdot)
        return self.lift.T @ (mass @ rates - h), np.abs(self.lift).T @ (np.abs(mass) @ np.abs(rates) + np.abs(h))
