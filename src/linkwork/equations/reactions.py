"""Joint reactions by name, whatever the coordinates and the formulation.

Newton and Euler for every body, at its centre of mass and in world axes, with the known accelerations on one side and
the unknown pushes f of joints, relations, drivers and couplings on the other:

    G f = r,   r = [m a − F ; I α + ω × I ω − N]

G has the directions in which a joint can push: on the child by the parent, at the joint, and the opposite on the parent.
The system is consistent. Where conditions are redundant its solution is not unique: the one of least norm is taken
(moments divided by the size of the mechanism), and the components that depend on that choice are named.
Source: scheme 38 of the distribution B of physical joint forces, Bᵀ f = M q̈ − h, in the velocities of the bodies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.push import Component, Push, balance_of_unknowns, relation_components, relation_pushes
from linkwork.topology.geometry import GROUND

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReactionPlan:
    """How to get reactions: a function of (t, [y, v̇], p) with G, r and W, and what the rows of W mean.

    W f gives the world components of all reactions; ``components`` are (element, component) in that order.
    """

    function: ca.Function
    components: tuple[tuple[str, str], ...]
    scale: Array  # (nf,) size of one unit of each push
    units: Mapping[tuple[str, str], str]  # of the components of relations


def plan_reactions(c: Coordinates) -> ReactionPlan:
    """Build G, r and W."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    pushes = [*_joint_pushes(c), *relation_pushes(c), *_actuator_pushes(c)]
    related = list(relation_components(c, pushes))
    extended = ca.vertcat(c.y, vdot)
    world, components = _world_components(c, pushes, related)
    outputs = [_matrix(c, pushes), _right_side(c, vdot), world]
    function = ca.Function(
        "wrenches", [c.t, extended, c.p], [ca.densify(item) for item in outputs], ["t", "y", "p"], ["G", "r", "W"]
    )
    scale = np.array([c.kinematics.length if push.moment else 1.0 for push in pushes])
    return ReactionPlan(function, components, scale, {(item.element, item.name): item.unit for item in related})


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


def _actuator_pushes(c: Coordinates) -> Iterator[Push]:
    """Drivers push along their coordinate; a coupling pushes along all of its coordinates, in the ratio of its factors."""
    model = c.topology.model
    for name, driver in model.joint_drivers.items():
        wrenches, angular = _along(c, driver.joint, driver.freedom, ca.SX(1))
        yield Push(name, wrenches, angular)
    for name, coupled in c.geometry.couplings.items():
        pushes = [_along(c, term.joint, term.freedom, term.factor) for term in coupled.terms]
        yield Push(name, tuple(wrench for wrenches, _ in pushes for wrench in wrenches), pushes[0][1])


def _along(
    c: Coordinates, name: str, freedom: str | None, size: ca.SX
) -> tuple[tuple[tuple[str, ca.SX, ca.SX, ca.SX], ...], bool]:
    joint, (_, index) = c.geometry.joints[name], c.geometry.key(name, freedom)
    a, b = joint.frames(c.kinematics.frames)
    force, moment = joint.kind.efforts(c.space, a, b)[index]
    pair = (
        (joint.child, force * size, moment * size, b.origin),
        (joint.parent, -force * size, -moment * size, b.origin),
    )
    return pair, joint.kind.freedoms(c.space)[index].kind != "length"


def _matrix(c: Coordinates, pushes: list[Push]) -> ca.SX:
    space, k = c.space, c.space.freedoms
    bodies = {name: i for i, name in enumerate(c.geometry.bodies)}
    matrix = ca.SX(len(bodies) * k, len(pushes))
    for column, push in enumerate(pushes):
        for body, force, moment, at in push.wrenches:
            if body == GROUND:
                continue
            centre = c.kinematics.frames[body].point(c.geometry.bodies[body].com)
            wrench = ca.vertcat(force, moment + space.moment(at - centre, force))
            start = bodies[body] * k
            matrix[start : start + k, column] += wrench
    return ca.vertcat(matrix, balance_of_unknowns(c, pushes))


def _right_side(c: Coordinates, vdot: ca.SX) -> ca.SX:
    """Inertia forces less applied forces, body by body."""
    space, motion = c.space, c.motion
    parts: list[ca.SX] = []
    for name, body in c.geometry.bodies.items():
        frame, omega = c.kinematics.frames[name], c.kinematics.twists[name].omega
        station = motion.station(name, body.com)
        inertia = space.rotate_inertia(frame.axes, body.inertia)
        force = body.mass * (motion.acceleration(station.velocity, vdot) - c.geometry.gravity)
        moment = inertia @ motion.acceleration(omega, vdot) + space.gyroscopic(inertia, omega)
        for load in c.loading.loads:
            if load.body == name:
                force = force - load.force
                moment = moment - load.moment - space.moment(load.at - station.position, load.force)
        parts.append(ca.vertcat(force, moment))
    return ca.vertcat(ca.SX(0, 1), *parts, ca.SX(sum(own.numel() for own in c.unknowns.values()), 1))


def _world_components(
    c: Coordinates, pushes: list[Push], related: list[Component]
) -> tuple[ca.SX, tuple[tuple[str, str], ...]]:
    """World components of what every joint and relation transmits; one number for drivers and couplings."""
    space = c.space
    rows: list[ca.SX] = []
    names: list[tuple[str, str]] = []
    for name in c.geometry.joints:
        mine = [(i, push) for i, push in enumerate(pushes) if push.element == name]
        block = ca.SX(space.freedoms, len(pushes))
        for i, push in mine:
            _, force, moment, _ = push.wrenches[0]
            block[:, i] = ca.vertcat(force, moment)
        labels = [f"f{axis}" for axis in space.axis_names] + [f"m{axis}" for axis in space.turn_names]
        # all components of what the kind of joint transmits, so that the names do not depend on the coordinates
        has_force, has_moment = any(not push.moment for _, push in mine), any(push.moment for _, push in mine)
        keep = [k for k in range(space.freedoms) if (has_force if k < space.dimension else has_moment)]
        rows += [block[k, :] for k in keep]
        names += [(name, labels[k]) for k in keep]
    rows += [item.row for item in related]
    names += [(item.element, item.name) for item in related]
    actuators = {*c.topology.model.joint_drivers, *c.topology.model.couplings}
    for i, push in enumerate(pushes):
        if push.element in actuators:
            row = ca.SX(1, len(pushes))
            row[0, i] = 1
            rows.append(row)
            names.append((push.element, "effort"))
    return (ca.vertcat(*rows) if rows else ca.SX(0, len(pushes))), tuple(names)


def solve_reactions(matrix: Array, right: Array, world: Array, scale: Array) -> Array:
    """World components (N, nc) from G (N, 6b, nf), r (N, 6b) and W (N, nc, nf); least norm where not unique."""
    if matrix.shape[-1] == 0:
        return np.zeros(world.shape[:2])
    inverse = np.linalg.pinv(matrix * scale, rcond=1e-10)
    pushes = scale * np.einsum("nij,nj->ni", inverse, right)
    return np.einsum("nci,ni->nc", world, pushes)


def not_unique(matrix: Array, world: Array, scale: Array) -> NDArray[np.bool_]:
    """Which world components (nc) change with the solution: W z ≠ 0 for some z with G z = 0 (one state)."""
    if matrix.shape[-1] == 0:
        return np.zeros(len(world), dtype=bool)
    _, sizes, vt = np.linalg.svd(matrix * scale)
    rank = int(np.sum(sizes > 1e-9 * max(float(sizes[0]), 1e-300)))
    free = (world * scale) @ vt[rank:].T
    return np.asarray(np.max(np.abs(free), axis=1, initial=0.0) > 1e-7)
