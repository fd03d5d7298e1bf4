"""Joint reactions by name, whatever the coordinates and the formulation.

Newton and Euler for every body, at its centre of mass and in world axes, with the known accelerations on one side and
the unknown pushes f of joints, relations, drivers and couplings on the other:

    G f = r,   r = [m a − F ; I α + ω × I ω − N]

G has the directions in which a joint can push: on the child by the parent, at the joint, and the opposite on the parent.
It is the distribution matrix Bᵀ of Blajer, Schiehlen and Schirm, eq. 32, in the velocities of the bodies. The system is
consistent, and can be solved in several ways: see ``reaction_schemes``.

Teeth drive each other apart whichever way they push, and a belt always pulls: G f + A |f| = r. The efforts of couplings are
known without A, which does no work; with their signs σ it is (G + A σ) f = r, linear again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.meshing import contact_sides
from linkwork.coordinates.motors import Motor
from linkwork.equations.reactions.body_balance import (
    apart_matrix,
    body_inertia,
    body_velocities,
    from_entries,
    push_groups,
    push_matrix,
    right_side,
)
from linkwork.equations.reactions.places import CHILD, check_place, place_of, place_prefix
from linkwork.equations.reactions.push import (
    Component,
    Push,
    contact_components,
    contact_push,
    contacts,
    further_equations,
    grip_pushes,
    joint_effort,
    mesh_components,
    mesh_pushes,
    relation_components,
    relation_pushes,
    reported,
    stop_components,
    stop_pushes,
    touch_components,
    touch_pushes,
)
from linkwork.equations.terms import make_function
from linkwork.numerics.matrices.elimination import Pattern
from linkwork.numerics.matrices.least_norm import LeastNormSolver
from linkwork.outline import outlined
from linkwork.position.geometry import GROUND

OWN_AXES = ("parent", "child", "joint")


@outlined
@dataclass(frozen=True, eq=False)
class ReactionPlan:
    """How to get reactions, by functions of (t, [y, v̇], p) that are compiled when they are asked for.

    W f gives the world components of all reactions; ``components`` are (element, component) in that order, ``pushers``
    the elements of f. ``scale``: size of one unit of each push; ``sizes``: of each equation.
    """

    coordinates: Coordinates
    vdot: ca.SX
    pushes: tuple[Push, ...]
    related: tuple[Component, ...]
    motors: tuple[str, ...] = ()
    at: str = CHILD  # where the moments of joints are taken

    def with_moments_at(self, at: str) -> ReactionPlan:
        """The same reactions with moments at another place."""
        return replace(self, at=check_place(self.coordinates, at))

    @cached_property
    def components(self) -> tuple[tuple[str, str], ...]:
        return self._world[1]

    @property
    def pushers(self) -> tuple[str, ...]:
        return tuple(push.element for push in self.pushes)

    @cached_property
    def columns(self) -> Mapping[str, Sequence[int]]:
        """The places of the pushes of every element."""
        found: dict[str, list[int]] = {}
        for i, push in enumerate(self.pushes):
            found.setdefault(push.element, []).append(i)
        return found

    @cached_property
    def scale(self) -> Array:
        """(nf,) m or 1: a moment counts as the force at the size of the mechanism that gives it."""
        return np.array([self.coordinates.kinematics.length if push.moment else 1.0 for push in self.pushes])

    @cached_property
    def sizes(self) -> Array:
        """(n,) 1 or 1/m: factors that make forces of all equations of the bodies."""
        space, c = self.coordinates.space, self.coordinates
        body = [1.0] * space.dimension + [1.0 / c.kinematics.length] * space.rotations
        own = further_equations(c)
        return np.array(body * len(c.geometry.bodies) + [1.0] * own)

    @cached_property
    def units(self) -> Mapping[tuple[str, str], str]:
        """Of the components of relations, and of forces where couplings touch."""
        return {(item.element, item.name): item.unit for item in self.related}

    @cached_property
    def sides(self) -> Mapping[str, tuple[str, str]]:
        """Whose push is reported by whom: (parent, child) of the joints, (first, last body) of relations and contacts."""
        geometry = self.coordinates.geometry
        found = {name: (joint.parent, joint.child) for name, joint in geometry.joints.items()}
        found |= {name: (item.bodies[0], reported(item)) for name, item in geometry.relations.items()}
        met = {name: coupled for name, (coupled, _) in geometry.meshes.items() if coupled.contact is not None}
        known = {name: geometry.couplings[name] for name in contacts(self.coordinates)} | met
        return found | {name: contact_sides(coupled) for name, coupled in known.items()}

    def touched(self, element: str) -> list[str]:
        """The moving bodies that an element pushes, the child first."""
        wrenches = [wrench for i in self.columns.get(element, ()) for wrench in self.pushes[i].wrenches]
        order = self.sides[element][::-1] if element in self.sides else ()
        pushed = [*(body for body in order if body != GROUND), *(body for body, *_ in wrenches if body != GROUND)]
        return list(dict.fromkeys(pushed))

    @cached_property
    def leaning(self) -> list[int]:
        """The places of pushes with a part that grows with their size |f|, whichever way they act."""
        return [i for i, push in enumerate(self.pushes) if push.apart]

    @cached_property
    def function(self) -> ca.Function:
        """G, r, W and the relative error e of the conditions, which limits what can be told from G.

        A and V are what G and W are of |f|, where pushes lean.
        """
        return make_function(f"{self._prefix}wrenches", self.coordinates, self._terms, self.vdot)

    @cached_property
    def entries(self) -> ca.Function:
        """The entries of G, r and those of W, all as forces, and e: what ``solver`` reads."""
        g, w = self._scaled
        sizes = ca.SX(self.sizes)
        columns = ca.cse([ca.vec(g.nz[:]), ca.densify(sizes * self._terms["r"]), ca.vec(w.nz[:]), self._terms["e"]])
        named = dict(zip("GrWe", columns, strict=True))
        return make_function(f"{self._prefix}wrench_entries", self.coordinates, named, self.vdot)

    @property
    def _prefix(self) -> str:
        return ("driven_" if self.motors else "") + place_prefix(self.coordinates, self.at)

    @cached_property
    def solver(self) -> LeastNormSolver:
        """Solves G f = r at many states, for the components W f."""
        g, w = self._scaled
        (rows, columns), (parts, pushes) = (
            [np.array(places, dtype=np.int64) for places in item.sparsity().get_triplet()] for item in (g, w)
        )
        groups = push_groups(self.coordinates, self.pushes)
        return LeastNormSolver(Pattern(g.shape, rows, columns, w.shape[0], parts, pushes, groups))

    @cached_property
    def _scaled(self) -> tuple[ca.SX, ca.SX]:
        scale = ca.diag(ca.SX(self.scale))
        g, w = (ca.sparsify(self._terms[name]) for name in ("G", "W"))
        return ca.diag(ca.SX(self.sizes)) @ g @ scale, w @ scale

    @cached_property
    def _terms(self) -> dict[str, ca.SX]:
        c = self.coordinates
        closure = ca.SX(0)
        for row in c.rows[: c.holonomic]:
            closure = ca.fmax(closure, ca.fabs(row.residual) * row.weight / c.kinematics.length)
        right = right_side(c, self.vdot, self.pushes)
        terms = {"G": push_matrix(c, self.pushes), "r": right, "W": self._world[0], "e": closure}
        return terms | ({"A": apart_matrix(c, self.pushes), "V": self._world_apart} if self.leaning else {})

    @cached_property
    def _world_apart(self) -> ca.SX:
        """What W is of the sizes |f| of pushes that lean."""
        places = {component: i for i, component in enumerate(self.components)}
        rows = {
            places[item.element, item.name]: item.row
            for item in contact_components(self.coordinates, self.pushes, apart=True)
        }
        entries = ((i, j, value) for i, row in rows.items() for j, value in row.items())
        return from_entries(entries, (len(self.components), len(self.pushes)))

    @cached_property
    def all_components(self) -> ca.Function:
        """G of forces and moments in every joint along all world axes, whether it can transmit them or not."""
        c = self.coordinates
        pushes = [push for name in c.geometry.joints for push in _axis_pushes(c, name)]
        return make_function("all_components", c, {"G": push_matrix(c, pushes)}, self.vdot)

    @cached_property
    def inertia(self) -> ca.Function:
        """The inertia M of the bodies, their velocities J v + ..., and the conditions C v̇ + b = 0."""
        c = self.coordinates
        outputs = {"M": body_inertia(c), "J": body_velocities(c), "C": c.jacobian, "b": c.b}
        return make_function("bodies", c, outputs, self.vdot)

    def axes(self, choice: str) -> ca.Function:
        """Axes (d × d) beside each other, those of one body or of each element of ``sides`` by its own bodies or joint."""
        c = self.coordinates
        frames, joints = c.kinematics.frames, c.geometry.joints
        found = [ca.SX(c.space.dimension, 0)]
        for name, (parent, child) in self.sides.items():
            if choice == "joint" and name in joints:
                found.append(joints[name].frames(frames)[0].axes)
            else:
                found.append(frames[{"parent": parent, "joint": parent, "child": child}.get(choice, choice)].axes)
        return make_function(f"axes_{choice}", c, {"A": ca.horzcat(*found)}, self.vdot)

    @cached_property
    def _world(self) -> tuple[ca.SX, tuple[tuple[str, str], ...]]:
        return _world_components(self)


def plan_reactions(c: Coordinates, motors: Sequence[Motor] = ()) -> ReactionPlan:
    """Find all that pushes; *motors* push with efforts that are unknown too."""
    driven = (_motor_push(c, motor) for motor in motors)
    loose = (*stop_pushes(c), *grip_pushes(c), *touch_pushes(c), *mesh_pushes(c))
    pushes = (*_joint_pushes(c), *relation_pushes(c), *_actuator_pushes(c), *loose, *driven)
    vdot = ca.SX.sym("vdot", c.v.numel())
    related = (*relation_components(c, pushes), *contact_components(c, pushes), *stop_components(c, pushes))
    related = (*related, *touch_components(c, pushes), *mesh_components(c, pushes))
    return ReactionPlan(c, vdot, pushes, related, tuple(m.name for m in motors))


def _motor_push(c: Coordinates, motor: Motor) -> Push:
    loads = motor.loads(c, ca.SX(1))
    return Push(motor.name, tuple((load.body, load.force, load.moment, load.at) for load in loads), motor.turns(c))


def _joint_pushes(c: Coordinates) -> Iterator[Push]:
    space = c.space
    for name, joint in c.geometry.joints.items():
        a, b = joint.frames(c.kinematics.frames)
        directions = joint.kind.reactions(space, a, b)
        none, still = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
        for force in directions.forces:
            pair = ((joint.child, force, still, b.origin), (joint.parent, -force, still, b.origin))
            yield Push(name, pair, False)
        for moment in directions.moments:
            yield Push(name, ((joint.child, none, moment, b.origin), (joint.parent, none, -moment, b.origin)), True)
        for force, moment in directions.combined:
            pair = ((joint.child, force, moment, b.origin), (joint.parent, -force, -moment, b.origin))
            yield Push(name, pair, False)


def _axis_pushes(c: Coordinates, name: str) -> Iterator[Push]:
    """Forces and moments in a joint along all axes of the world."""
    space, joint = c.space, c.geometry.joints[name]
    at = joint.frames(c.kinematics.frames)[1].origin
    for i in range(space.freedoms):
        unit = ca.SX(space.freedoms, 1)
        unit[i] = 1
        force, moment = unit[: space.dimension], unit[space.dimension :]
        pair = ((joint.child, force, moment, at), (joint.parent, -force, -moment, at))
        yield Push(name, pair, i >= space.dimension)


def _actuator_pushes(c: Coordinates) -> Iterator[Push]:
    """Drivers push along their coordinate; a coupling pushes where its bodies touch, or else along all of its coordinates,
    in the ratio of its factors.
    """
    for name, key in c.topology.drives.keys.items():
        wrenches, angular = joint_effort(c, *key, ca.SX(1))
        yield Push(name, wrenches, angular)
    for name, coupled in c.geometry.couplings.items():
        if coupled.contact is not None:
            first = c.motion.coordinates[coupled.terms[0].joint, coupled.terms[0].freedom]
            yield contact_push(c, name, coupled.contact, first.kind != "length")
            continue
        pushes = [joint_effort(c, term.joint, term.freedom, term.factor) for term in coupled.terms]
        yield Push(name, tuple(wrench for wrenches, _ in pushes for wrench in wrenches), pushes[0][1])


def _world_components(plan: ReactionPlan) -> tuple[ca.SX, tuple[tuple[str, str], ...]]:
    """World components of what every joint and relation transmits; one number for drivers and couplings."""
    c, space, pushes = plan.coordinates, plan.coordinates.space, plan.pushes
    rows: list[Mapping[int, ca.SX]] = []
    names: list[tuple[str, str]] = []
    labels = [f"f{axis}" for axis in space.axis_names] + [f"m{axis}" for axis in space.turn_names]
    own = plan.columns
    for name in c.geometry.joints:
        block: list[dict[int, ca.SX]] = [{} for _ in labels]
        mine, place = own.get(name, ()), place_of(c, name, plan.at)
        for i in mine:
            _, force, moment, at = pushes[i].wrenches[0]
            turned = moment if place is None else moment + space.moment(at - place, force)
            for row, value in zip(block, ca.vertsplit(ca.vertcat(force, turned)), strict=True):
                row[i] = value
        # all components of what the kind of joint transmits, so that the names do not depend on the coordinates
        has_force = any(not pushes[i].moment for i in mine)
        has_moment = any(pushes[i].moment for i in mine) or (has_force and place is not None)
        keep = [k for k in range(space.freedoms) if (has_force if k < space.dimension else has_moment)]
        rows += [block[k] for k in keep]
        names += [(name, labels[k]) for k in keep]
    rows += [item.row for item in plan.related]
    names += [(item.element, item.name) for item in plan.related]
    actuators = {*c.topology.drives.keys, *c.geometry.couplings, *plan.motors}
    for name, mine in own.items():
        if name in actuators:
            rows += [{i: ca.SX(1)} for i in mine]
            names += [(name, "effort") for _ in mine]
    entries = ((i, j, value) for i, row in enumerate(rows) for j, value in row.items())
    return from_entries(entries, (len(rows), len(pushes))), tuple(names)
