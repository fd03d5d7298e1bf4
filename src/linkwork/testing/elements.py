"""Bodies, forces, relations and couplings of a model: derivatives, powers and accelerations, in all kinds of coordinates.

At one position and one random velocity that all conditions allow, with those that come and go and without, what ``states``
says holds, and

* P + D + d(T + V)/dt = 0 of an element without a source, and D ≥ 0;
* the generalised forces have the power of all loads, Q·v = Σ P, each P the same in all coordinates;
* bodies have the same accelerations in all coordinates;
* a relation does not notice where the whole mechanism is, and how it is turned; a condition that comes and goes may, where
  the ground is one of its bodies.
"""

from __future__ import annotations

from functools import partial

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.unit_texts import read_unit
from linkwork.coordinates.base import CoordinateKind
from linkwork.coordinates.mixed import Mixed
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.coordinates.power import applied_power
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.elements.bodies import Carrier
from linkwork.elements.contribution import Contribution, Placement
from linkwork.model import Model
from linkwork.position.geometry import GROUND
from linkwork.position.poses import at_start
from linkwork.testing.comparing import Array, central, require, require_close
from linkwork.testing.files import check_saved
from linkwork.testing.joints import moved
from linkwork.testing.states import BY_DIFFERENCES, NEAR, SeenState, check_conditions, check_inertia, seen_state
from linkwork.topology.analyse import analyse
from linkwork.topology.topology import Topology


def check_elements(model: Model, *, time: float = 0.1, seed: int = 0) -> None:
    """Check all elements of a model, a small one that has the kind in question.

    time: at which formulas are looked at
    """
    check_saved(model)
    rng, topology = np.random.default_rng(seed), analyse(model)
    _check_bodies(topology)
    _check_places(topology, rng, time)
    first: dict[bool, dict[str, Array]] = {}
    usual: SeenState | None = None
    for kind in _describing(topology):
        there = seen_state(topology, kind, time, rng, usual)
        usual = usual or there
        check_inertia(there)
        for holds in (False, True) if there.c.limits else (False,):
            seen = there.holding(holds)
            check_conditions(seen)
            found = {**_check_powers(seen, rng), **seen.accelerations()}
            beside = first.setdefault(holds, found)
            size = max([1.0, *(float(np.max(np.abs(value), initial=0.0)) for value in beside.values())])
            for name, value in found.items():
                require_close(f"{name} in {kind} coordinates", value, beside[name], NEAR * size)


def _describing(topology: Topology) -> list[CoordinateKind]:
    """The kinds of coordinates that take all bodies: some take rigid ones alone."""
    rigid = all(body.kind.is_rigid for body in topology.geometry.bodies.values())
    return ALL_COORDINATES if rigid else [ReferencePoint(), Mixed()]


def _check_powers(there: SeenState, rng: np.random.Generator) -> dict[str, Array]:
    """The powers of all elements that act."""
    c, found = there.c, {}
    vdot = rng.normal(size=c.v.numel())
    for name, action in c.loading.actions.items():
        power, lost = there.value(applied_power(c, name, action)), there.value(action.dissipation)
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


def _check_readings(there: SeenState, name: str, item: Contribution) -> None:
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
        own = ca.SX(poses[name].origin) if relation.unknowns else ca.SX(0, 1)
        places = (Placement(space, at, ca.SX(time), own) for at in (frames, away))
        here, there = (at_start(relation.contribute(place)) for place in places)
        for one, other in zip(here.conditions, there.conditions, strict=True):
            of_the_world = one.level == "limit" and GROUND in relation.bodies
            if not relation.driving and not of_the_world:
                values = [float(geometry.number(item.residual)) for item in (one, other)]
                require_close(f"{name}: {one.component}, moved with all", values[1], values[0], 1e-9 * geometry.length)
