"""Bodies, forces, relations and couplings of a model: derivatives, powers and accelerations, in all kinds of coordinates.

At one position and one random velocity that all conditions allow,

* Φ̇ = C v + a and Φ̈ = C v̇ + b are derivatives, by differences;
* P + D + d(T + V)/dt = 0 of an element without a source, and D ≥ 0;
* the generalised forces have the power of all loads, Q·v = Σ P, each P the same in all coordinates;
* ½ v·M v is the kinetic energy ½ Σ u·B u of the bodies, which have the same accelerations in all coordinates;
* a relation does not notice where the whole mechanism is, and how it is turned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.units import read_unit
from linkwork.coordinates.base import CoordinateKind
from linkwork.coordinates.contributions import place_unknowns
from linkwork.coordinates.mixed import Mixed
from linkwork.coordinates.numbering import ALL_COORDINATES, Coordinates, KindChoice, number, starting_state
from linkwork.coordinates.power import applied_power
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.elements.bodies import Carrier
from linkwork.elements.contribution import Contribution, Placement
from linkwork.model import Model
from linkwork.position.geometry import GROUND
from linkwork.testing.comparing import Array, central, require, require_close
from linkwork.testing.files import check_saved
from linkwork.testing.joints import moved
from linkwork.topology.analyse import analyse
from linkwork.topology.topology import Topology

NEAR = 1e-9  # of the size of what is compared, between coordinates
BY_DIFFERENCES = 1e-6  # of the same, of derivatives


def check_elements(model: Model, *, time: float = 0.1, seed: int = 0) -> None:
    """Check all elements of a model, a small one that has the kind in question.

    time: at which formulas are looked at
    """
    check_saved(model)
    rng, topology = np.random.default_rng(seed), analyse(model)
    _check_bodies(topology)
    _check_places(topology, rng, time)
    first: dict[str, Array] = {}
    twists: Mapping[str, Array] = {}
    rates = np.zeros(0)
    for kind in _describing(topology):
        there = _there(topology, kind, time, (twists, rates), rng)
        twists, rates = twists or there.twists(), there.own_rates()
        _check_conditions(there)
        _check_inertia(there)
        found = {**_check_powers(there, rng), **there.accelerations()}
        first = first or found
        size = max([1.0, *(float(np.max(np.abs(value), initial=0.0)) for value in first.values())])
        for name, value in found.items():
            require_close(f"{name} in {kind} coordinates", value, first[name], NEAR * size)


def _describing(topology: Topology) -> list[CoordinateKind]:
    """The kinds of coordinates that take all bodies: some take rigid ones alone."""
    rigid = all(body.kind.is_rigid for body in topology.geometry.bodies.values())
    return ALL_COORDINATES if rigid else [ReferencePoint(), Mixed()]


@dataclass(frozen=True, eq=False)
class _There:
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


def _there(
    topology: Topology,
    kind: KindChoice,
    time: float,
    moving: tuple[Mapping[str, Array], Array],
    rng: np.random.Generator,
) -> _There:
    """The assembled position with a velocity: that of twists and own rates, or a random one that all conditions allow."""
    c, assembly, p = number(topology, kind), topology.assembly, topology.geometry.defaults
    twists, inside = moving
    q, v = c.kind.place(topology.geometry, topology.tree, assembly.poses, twists or assembly.twists, p)
    own, rates = place_unknowns(topology.geometry, assembly)
    q, v = np.concatenate([q, own]), np.concatenate([v, rates])
    there = _There(c, time, *starting_state(c, q, v, time, p))
    rows = there.value(c.jacobian).reshape(len(c.rows), len(v), order="F")
    # only what the conditions lead is left to them where a motion is given: unknowns of relations
    v[_own_places(c)[: len(inside)]] = inside
    free = rng.normal(size=len(v)) if not twists else v
    last = len(own) if twists else len(v)
    v = free.copy()
    misfit = rows @ v + there.value(c.a)
    v[len(v) - last :] -= np.linalg.lstsq(rows[:, len(v) - last :], misfit, rcond=1e-10)[0]
    return _There(c, time, *starting_state(c, q, v, time, p))


def _own_places(c: Coordinates) -> list[int]:
    """Which of the velocities are rates of coordinates that bodies have for themselves."""
    bodies, names = c.geometry.bodies, c.kinematics.v_names
    return [names.index(f"{body}.{item.name}'") for body in c.kinematics.own for item in bodies[body].kind.unknowns]


def _check_conditions(there: _There) -> None:
    c, count = there.c, there.c.holonomic
    speed, labels = c.jacobian @ c.v + c.a, [str(label) for label in c.labels]
    checks = {"first": (c.phi[:count], speed[:count], count), "second": (speed, c.b, len(c.rows))}
    for order, (quantity, rate, rows) in checks.items():
        found, expected = there.value(rate), central(partial(there.later, quantity))
        size = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
        for i in range(rows):
            what = f"{labels[i]}: {order} derivative in {c.kind} coordinates"
            require_close(what, found[i], expected[i], BY_DIFFERENCES * size)


def _check_inertia(there: _There) -> None:
    c = there.c
    own = [c.motion.inertia(name) for name in c.geometry.bodies if not c.kinematics.spins_held]
    moving = sum((ca.dot(item.velocities, item.block @ item.velocities) for item in own), ca.SX(0)) / 2
    found, expected = (float(there.value(item)[0]) for item in (ca.dot(c.v, c.mass @ c.v) / 2, moving))
    if own:
        require_close(f"kinetic energy in {c.kind} coordinates", found, expected, NEAR * max(1.0, abs(expected)))


def _check_powers(there: _There, rng: np.random.Generator) -> dict[str, Array]:
    """The powers of all elements that act."""
    c, found = there.c, {}
    vdot = rng.normal(size=c.v.numel())
    for name, action in c.loading.actions.items():
        power, lost = there.value(applied_power(c, action)), there.value(action.dissipation)
        require(bool(lost >= 0.0), f"{name}: it gives power where it should destroy it, {-lost.item():.3g} W")
        stored = central(partial(there.later, action.kinetic + action.potential, vdot=vdot))
        size = max(1.0, float(np.abs([power, lost, stored]).max()))
        if not action.supplies:
            what = f"{name}: P + D + d(T + V)/dt in {c.kind} coordinates; say supplies=True where it has a source"
            require_close(what, power + lost + stored, 0.0, BY_DIFFERENCES * size)
        _check_readings(there, name, action)
        found[f"power of {name}"] = power
    for name, item in c.related.items():
        _check_readings(there, name, item)
    total = sum(found.values(), np.zeros(1))
    size = max(1.0, *(float(np.abs(value).max()) for value in (total, *found.values())))
    require_close("Q·v and the power of all loads", there.value(ca.dot(c.loading.generalised, c.v)), total, NEAR * size)
    return found


def _check_readings(there: _There, name: str, item: Contribution) -> None:
    for key, reading in item.readings.items():
        read_unit(reading.unit or "1")
        require(bool(np.all(np.isfinite(there.value(reading.value)))), f"{name}.{key} has no value")


def _check_bodies(topology: Topology) -> None:
    """Where s = 0 the places, the centre of mass and the inertia of every body are those that are drawn."""
    geometry, space = topology.geometry, topology.geometry.space
    still = Twist(ca.SX(space.dimension, 1), ca.SX(space.rotations, 1))

    def drawn(name: str, what: str, found: ca.SX, expected: ca.SX, own: ca.SX) -> None:
        value, wanted = geometry.number(ca.substitute(found, own, ca.SX.zeros(own.shape))), geometry.number(expected)
        require_close(f"{what} of body '{name}' as it is drawn", value, wanted, NEAR * max(1.0, np.abs(wanted).max()))

    for name, body in geometry.bodies.items():
        s, rates = (ca.SX.sym(letter, len(body.kind.unknowns)) for letter in ("s", "rates"))
        carrier = Carrier(Frame.identity(space.dimension), still, s, rates)
        block = body.kind.inertia(space, carrier, geometry.gravity, own_axes=True).block
        drawn(name, "centre of mass", body.kind.centre(s), body.centre, s)
        drawn(name, "inertia", block[: space.freedoms, : space.freedoms], body.kind.drawn.block(space), s)
        for joint in (item for item in geometry.joints.values() if name in (item.parent, item.child)):
            place = joint.frame_in(name)
            seat = body.kind.seat(s, place)
            drawn(name, f"place of joint '{joint.name}'", seat.origin, place.origin, s)
            drawn(name, f"axes of joint '{joint.name}'", seat.axes, place.axes, s)


def _check_places(topology: Topology, rng: np.random.Generator, time: float) -> None:
    """Relations but drivers, with the whole mechanism, ground and all, elsewhere."""
    geometry, space = topology.geometry, topology.geometry.space
    poses = topology.assembly.poses
    frames = {GROUND: geometry.ground_frame, **{name: poses[name].frame() for name in geometry.bodies}}
    delta = rng.normal(size=space.freedoms)
    still = Frame.identity(space.dimension)
    away = {name: moved(still, space, delta) @ frame for name, frame in frames.items()}
    for name, relation in geometry.relations.items():
        own = ca.SX(ca.DM(poses[name].origin)) if relation.unknowns else ca.SX(0, 1)
        here, there = (relation.contribute(Placement(space, at, ca.SX(time), own)) for at in (frames, away))
        for one, other in zip(here.conditions, there.conditions, strict=True):
            if not relation.driving:
                values = [float(geometry.number(item.residual)) for item in (one, other)]
                require_close(f"{name}: {one.component}, moved with all", values[1], values[0], 1e-9 * geometry.length)
