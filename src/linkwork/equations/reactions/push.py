"""What one unknown of the reactions does, and the pushes of relations.

The push of a condition Φ on positions follows from its gradient: with displacements δ and small rotations θ of a body
about its origin, force ∂Φ/∂δ and moment ∂Φ/∂θ; that of a condition ψ on velocities alone from ∂ψ/∂v and ∂ψ/∂ω. The
unknowns u of a relation have no inertia, hence ∂Φ/∂u λ = 0 stands beside Newton's and Euler's equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import casadi as ca

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import Space
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.meshing import MESH, contact_sides
from linkwork.coordinates.rubbing import joint_of
from linkwork.coordinates.stops import STOP
from linkwork.elements.contribution import Placement
from linkwork.elements.couplings.backlash import RADIUS, SIGNS, Backlash
from linkwork.elements.couplings.contact import Touch
from linkwork.elements.relations.base import Relation
from linkwork.elements.stops import LOWER
from linkwork.position.geometry import GROUND

Wrench = tuple[str, ca.SX, ca.SX, ca.SX]
"""Body, force, moment at the point, point."""


@dataclass(frozen=True, eq=False)
class Push:
    """One unknown: its wrenches on bodies, whether its size is a torque, and what it does to unknowns.

    apart: wrenches per unit of its size |f|, such as those that drive teeth apart; steady: those that are always there
    """

    element: str
    wrenches: tuple[Wrench, ...]
    moment: bool
    own: ca.SX | None = None  # ∂Φ/∂u of the unknowns of its relation
    apart: tuple[Wrench, ...] = ()
    steady: tuple[Wrench, ...] = ()
    idle: ca.SX = field(default_factory=lambda: ca.SX(1, 1))  # 1 where it comes and goes and does not act, else 0


def contact_push(c: Coordinates, name: str, contact: Touch, moment: bool) -> Push:
    """What a coupling pushes with where its bodies touch."""
    forces, d = contact.forces(c.kinematics.frames), c.space.dimension
    none = ca.SX(c.space.rotations, 1)
    along, apart, steady = (
        tuple((item.body, item.force[:d], none, item.at[:d]) for item in items)
        for items in (forces.along, forces.apart, forces.steady)
    )
    return Push(name, along, moment, None, apart, steady)


def relation_pushes(c: Coordinates) -> Iterator[Push]:
    """One push for every condition of every relation."""
    d, k = c.space.dimension, c.space.freedoms
    selectors = {(item.label.element, item.label.group): item.selector for item in c.limits}
    for name, relation in c.geometry.relations.items():
        bodies = [body for body in dict.fromkeys(relation.bodies) if body != GROUND]
        moved, delta = _displaced(c, bodies)
        own, rate = ca.SX.sym("own", len(relation.unknowns)), ca.SX.sym("rate", len(bodies) * k)
        twists = {body: Twist(rate[i * k : i * k + d], rate[i * k + d : (i + 1) * k]) for i, body in enumerate(bodies)}
        twists[GROUND] = Twist(ca.SX(d, 1), ca.SX(c.space.rotations, 1))
        here, at_rest = ca.vertcat(delta, own), ca.vertcat(ca.SX.zeros(delta.numel()), c.unknowns[name])
        at = Placement(c.space, {**c.kinematics.frames, **moved}, c.t, own, twists)
        for condition in relation.contribute(at).conditions:
            along = rate if condition.level == "velocity" else here
            gradient = ca.substitute(ca.jacobian(condition.residual, along).T, here, at_rest)
            holds = selectors.get((name, condition.switched), ca.SX(1))
            wrenches, moment = tuple(_wrenches(c, bodies, holds * gradient)), not condition.is_length
            yield Push(name, wrenches, moment, gradient[delta.numel() :] if along is here else None, idle=1 - holds)


def stop_pushes(c: Coordinates) -> Iterator[Push]:
    """One push for every stop, along its coordinate and away from it: a force (N), or a torque (N·m) of an angle."""
    for limit in (item for item in c.limits if item.label.kind == STOP):
        joint, freedom = limit.label.element.rsplit(".", 1)
        wrenches, turns = joint_effort(
            c, joint, freedom, (1 if limit.label.component == LOWER else -1) * limit.selector
        )
        yield Push(limit.label.element, wrenches, turns, idle=1 - limit.selector)


def grip_pushes(c: Coordinates) -> Iterator[Push]:
    """One push for every joint that may stick, along its coordinate."""
    for item in (item for item in c.grips.values() if not item.unit):
        joint = joint_of(item.name)
        freedom = c.geometry.joints[joint].kind.freedoms(c.space)[0].name
        wrenches, turns = joint_effort(c, joint, freedom, item.selector)
        yield Push(item.label.element, wrenches, turns, idle=1 - item.selector)


def touch_pushes(c: Coordinates) -> Iterator[Push]:
    """One push for every contact across its surfaces, and one along them where it may stick."""
    for item in (item for item in c.limits if item.unit):
        wrenches = tuple((load.body, item.selector * load.force, load.moment, load.at) for load in item.unit)
        yield Push(item.label.element, wrenches, False, idle=1 - item.selector)


def mesh_pushes(c: Coordinates) -> Iterator[Push]:
    """One push for every flank of a coupling that does not say where its bodies touch, along all of its coordinates."""
    for item in (item for item in c.limits if item.label.kind == MESH and not item.unit):
        coupled, _ = c.geometry.meshes[item.label.element]
        size = SIGNS[item.label.component] * item.selector
        pushes = [joint_effort(c, term.joint, term.freedom, size * term.factor) for term in coupled.terms]
        wrenches = tuple(wrench for wrenches, _ in pushes for wrench in wrenches)
        yield Push(item.label.element, wrenches, pushes[0][1], idle=1 - item.selector)


def mesh_components(c: Coordinates, pushes: Sequence[Push]) -> Iterator[Component]:
    """What the flanks of every coupling with backlash push with along its first coordinate, and on the second body."""
    for name in dict.fromkeys(item.label.element for item in c.limits if item.label.kind == MESH):
        (coupled, backlash), own = c.geometry.meshes[name], [i for i, push in enumerate(pushes) if push.element == name]
        turns = c.motion.coordinates[coupled.terms[0].joint, coupled.terms[0].freedom].kind != "length"
        lever = ca.SX(1) if coupled.contact is None or not turns else _arm(c, name, backlash)
        sides = [item.label.component for item in c.limits if item.label.element == name]
        row = {i: SIGNS[side] * lever for i, side in zip(own, sides, strict=True)}
        yield Component(name, "effort", "N*m" if turns else "N", row)
        if coupled.contact is not None:
            yield from _force_components(c, name, {i: pushes[i].wrenches for i in own}, contact_sides(coupled)[1])


def _arm(c: Coordinates, name: str, backlash: Backlash) -> ca.SX:
    """What the push of a flank about a wheel is a torque by."""
    if backlash.turns:
        return ca.SX(c.kinematics.length)
    return next(own.symbol for own in c.constants if own.name == f"{name}.{RADIUS}")


def touch_components(c: Coordinates, pushes: Sequence[Push]) -> Iterator[Component]:
    """What contacts push with across their surfaces."""
    for item in (item for item in c.one_sided.values() if item.unit and item.label.kind != MESH):
        name = item.label.element
        place = next(i for i, push in enumerate(pushes) if push.element == name)
        yield Component(name, "force", "N", {place: ca.SX(1)})


def stop_components(c: Coordinates, pushes: Sequence[Push]) -> Iterator[Component]:
    """What the stops of every coordinate push with along it, on the child."""
    labels, places = [limit.label for limit in c.limits if limit.label.kind == STOP], dict[str, list[int]]()
    for i, push in enumerate(pushes):
        places.setdefault(push.element, []).append(i)
    for name in dict.fromkeys(label.element for label in labels):
        own = [label for label in labels if label.element == name]
        signs = [ca.SX(1 if label.component == LOWER else -1) for label in own]
        turns = pushes[places[name][0]].moment
        yield Component(name, STOP, "N*m" if turns else "N", dict(zip(places[name], signs, strict=True)))


def joint_effort(c: Coordinates, name: str, freedom: str | None, size: ca.SX) -> tuple[tuple[Wrench, ...], bool]:
    """The wrenches of an effort along a coordinate of a joint, and whether it is a torque."""
    joint, (_, index) = c.geometry.joints[name], c.geometry.key(name, freedom)
    a, b = joint.frames(c.kinematics.frames)
    force, moment = joint.kind.efforts(c.space, a, b)[index]
    pair = (
        (joint.child, force * size, moment * size, b.origin),
        (joint.parent, -force * size, -moment * size, b.origin),
    )
    return pair, joint.kind.freedoms(c.space)[index].kind != "length"


def _displaced(c: Coordinates, bodies: list[str]) -> tuple[dict[str, Frame], ca.SX]:
    """The frames of some bodies after small displacements, and the symbols of these."""
    d, moved, symbols = c.space.dimension, {}, [ca.SX(0, 1)]
    for body in bodies:
        frame, delta = c.kinematics.frames[body], ca.SX.sym(f"delta_{body}", c.space.freedoms)
        turned = frame.axes + _turn(c.space, delta[d:]) @ frame.axes
        angle = None if frame.angle is None else frame.angle + delta[d]
        moved[body] = Frame(frame.origin + delta[:d], turned, angle)
        symbols.append(delta)
    return moved, ca.vertcat(*symbols)


def _turn(space: Space, rotation: ca.SX) -> ca.SX:
    return rotation * ca.SX([[0, -1], [1, 0]]) if space.planar else ca.skew(rotation)


def _wrenches(c: Coordinates, bodies: list[str], gradient: ca.SX) -> Iterator[Wrench]:
    d, k = c.space.dimension, c.space.freedoms
    for i, body in enumerate(bodies):
        part = gradient[i * k : (i + 1) * k]
        yield body, part[:d], part[d:], c.kinematics.frames[body].origin


def own_equations(c: Coordinates, pushes: Sequence[Push]) -> Iterator[tuple[int, int, ca.SX]]:
    """Row, column, value: ∂Φ/∂u of all unknowns of relations; and that conditions which do not hold do not push."""
    first: dict[str, int] = {}
    count = 0
    for name, relation in c.geometry.relations.items():
        first[name], count = count, count + len(relation.unknowns)
    for column, push in enumerate(pushes):
        if push.own is not None and push.own.numel():
            yield from ((first[push.element] + i, column, value) for i, value in enumerate(ca.vertsplit(push.own)))
    for column, push in enumerate(pushes):
        if not push.idle.is_zero():
            yield count, column, push.idle
            count += 1


def further_equations(c: Coordinates) -> int:
    """How many equations ``balance_of_unknowns`` adds to those of the bodies."""
    return sum(unknowns.numel() for unknowns in c.unknowns.values()) + sum(map(len, c.coming))


@dataclass(frozen=True, eq=False)
class Component:
    """A number that is reported of a relation: what it is of the pushes, by their places."""

    element: str
    name: str
    unit: str
    row: Mapping[int, ca.SX]


def relation_components(c: Coordinates, pushes: Sequence[Push]) -> Iterator[Component]:
    """World components of the force of every relation on the last of its bodies, its efforts, and its power.

    As dΦ/dt = 0 along the motion, a relation that depends on time brings in the power −∂Φ/∂t λ; one whose condition
    on velocities A v + a = 0 has a part a without velocities, −a λ.
    """
    places: dict[str, list[int]] = {}
    for i, push in enumerate(pushes):
        places.setdefault(push.element, []).append(i)
    for name, relation in c.geometry.relations.items():
        target, mine = reported(relation), places.get(name, [])
        yield from _force_components(c, name, {i: pushes[i].wrenches for i in mine}, target)
        still = relation.contribute(Placement(c.space, c.kinematics.frames, c.t, c.unknowns[name]))
        lengths = ca.DM([condition.is_length for condition in still.conditions])
        for effort, weights in still.pushes.items():
            turns = ca.sparsify(weights * (1 - lengths)).nnz() > 0
            yield Component(name, effort, "N*m" if turns else "N", _spread(weights, mine))
        timed = [x.residual if x.level == "velocity" else ca.jacobian(x.residual, c.t) for x in still.conditions]
        drift = ca.sparsify(ca.vertcat(ca.SX(0, 1), *timed))
        if drift.nnz():
            yield Component(name, "power", "W", _spread(-drift, mine))


def _force_components(
    c: Coordinates, name: str, wrenches: Mapping[int, Sequence[Wrench]], target: str
) -> Iterator[Component]:
    """World components of the force of an element on a body, from the wrenches of its pushes by their places."""
    none = ca.SX(c.space.dimension, 1)
    forces = {i: sum((part for body, part, *_ in own if body == target), none) for i, own in wrenches.items()}
    for k, axis in enumerate(c.space.axis_names):
        yield Component(name, f"f{axis}", "N", {i: force[k] for i, force in forces.items()})


def contacts(c: Coordinates) -> dict[str, Touch]:
    """The couplings that push where their bodies touch."""
    return {name: item.contact for name, item in c.geometry.couplings.items() if item.contact is not None}


def contact_components(c: Coordinates, pushes: Sequence[Push], apart: bool = False) -> Iterator[Component]:
    """World components of the force where two bodies touch in one place; *apart*: those of |f| alone."""
    for name in contacts(c):
        (column,) = (i for i, push in enumerate(pushes) if push.element == name)
        push, (_, target) = pushes[column], contact_sides(c.geometry.couplings[name])
        if push.steady or len(push.wrenches) != 2:
            continue  # a belt, whose pull is that of two strands
        yield from _force_components(c, name, {column: push.apart if apart else push.wrenches}, target)


def _spread(weights: ca.SX, places: list[int]) -> dict[int, ca.SX]:
    return dict(zip(places, ca.vertsplit(ca.densify(weights)), strict=True))


def reported(relation: Relation) -> str:
    """The last body of a relation that moves."""
    return next(body for body in reversed(relation.bodies) if body != GROUND)
