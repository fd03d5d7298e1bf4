"""Pinocchio: ``aba`` of trees and ``constraintDynamics`` of loops, called from SciPy's DOP853 and LSODA.

Springs of joints are torques, those between points forces on bodies. A loop is closed by point constraints: of redundant
rows the proximal solver takes care; positions are not corrected and drift by the error of the integration.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.layout import Arrangement, Mounted, layout

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "pin"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)
METHODS = ("DOP853", "LSODA")


def contenders(task: Task) -> list[Contender]:
    import pinocchio

    if not hasattr(pinocchio, "constraintDynamics"):  # a test tool of the same name
        raise ImportError("the package 'pinocchio' that is installed is another one")
    read = partial(_observed, task)
    return [
        Contender(f"Pinocchio, SciPy's {name}", TOLERANCES, partial(_prepare, task, name), read) for name in METHODS
    ]


def model_of(bodies: Arrangement) -> Any:
    """The spanning tree."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array(bodies.gravity)
    for number, link in enumerate(bodies.links):
        place = pin.SE3(np.eye(3), bodies.offset(number))
        joint = model.addJoint(link.parent + 1, _joint(link), place, link.joint)
        body = pin.Inertia(link.mass, link.centre - link.place, link.inertia)
        model.appendBodyToJoint(joint, body, pin.SE3.Identity())
    return model


def _joint(link: Mounted) -> Any:
    import pinocchio as pin

    if link.kind == "spherical":
        return pin.JointModelSpherical()
    if np.allclose(link.axis, (0.0, 0.0, 1.0)):
        return pin.JointModelRZ() if link.kind == "revolute" else pin.JointModelPZ()
    axis = np.array(link.axis)
    return pin.JointModelRevoluteUnaligned(axis) if link.kind == "revolute" else pin.JointModelPrismaticUnaligned(axis)


def _observed(task: Task, states: Array) -> Array:
    """What is observed, of q and v (N, nq + nv)."""
    import pinocchio as pin

    bodies = layout(task)
    if task.observe is not None:
        # quaternions of balls have the scalar last
        return task.observe(bodies.names, states[:, [3, 0, 1, 2]] if bodies.links[0].kind == "spherical" else states)
    model = model_of(bodies)
    data, nq = model.createData(), model.nq
    both = pin.computeKineticEnergy, pin.computePotentialEnergy
    kinetic = np.array([both[0](model, data, y[:nq], y[nq:]) for y in states])
    return kinetic + np.array([both[1](model, data, y[:nq]) for y in states])


def _prepare(task: Task, method: str, tolerance: float) -> Timed:
    from scipy.integrate import odeint, solve_ivp

    bodies = layout(task)
    model = model_of(bodies)
    rates = _rates(bodies, model)
    start = np.concatenate([np.zeros(model.nq), *(link.speed for link in bodies.links)])
    if model.nq > model.nv:
        start[model.nq - 1] = 1.0
    grid, options = task.grid, {"rtol": tolerance, "atol": tolerance / 100}

    def run() -> Array:
        if method == "LSODA":
            return np.asarray(odeint(rates, start, grid, tfirst=True, mxstep=10**6, **options))
        return np.asarray(solve_ivp(rates, (0.0, task.end), start, method, grid, **options).y.T)

    return run


def _rates(bodies: Arrangement, model: Any) -> Callable[[float, Array], Array]:
    import pinocchio as pin

    data, nq = model.createData(), model.nq
    stiffness = np.array([link.stiffness for link in bodies.links])
    damping = np.array([link.damping for link in bodies.links])
    sprung = bool(stiffness.any() or damping.any())
    constant = np.zeros(model.nv)
    constant[list(bodies.torques)] = list(bodies.torques.values())
    pull = _struts(bodies, model, data) if bodies.struts else None
    solve = _closed(bodies, model, data, pull) if bodies.closures else None

    def rates(t: float, y: Array) -> Array:
        q, v = y[:nq], y[nq:]
        if nq > model.nv:  # a ball, whose quaternion has the scalar last
            x, w = q[:3], q[3]
            turn = 0.5 * np.array([*(w * v + np.cross(x, v)), -x @ v])
            return np.concatenate([turn, pin.aba(model, data, q / np.linalg.norm(q), v, constant)])
        tau = constant - stiffness * q - damping * v if sprung else constant
        if solve is not None:
            return np.concatenate([v, solve(q, v, tau)])
        if pull is not None:
            return np.concatenate([v, pin.aba(model, data, q, v, tau, pull(q, v))])
        return np.concatenate([v, pin.aba(model, data, q, v, tau)])

    return rates


def _struts(bodies: Arrangement, model: Any, data: Any) -> Callable[[Array, Array], Any]:
    """Forces on all bodies, in axes of their joints."""
    import pinocchio as pin

    none = pin.Force.Zero()
    ends = [
        [(number + 1, bodies.local(number, place)) for number, place in zip((s.first, s.second), s.ends, strict=True)]
        for s in bodies.struts
    ]

    def pull(q: Array, v: Array) -> Any:
        pin.forwardKinematics(model, data, q, v)
        forces = [none] * model.njoints
        for strut, ((i, a), (j, b)) in zip(bodies.struts, ends, strict=True):
            first, second = data.oMi[i], data.oMi[j]
            between = second.act(b) - first.act(a)
            length = np.sqrt(between @ between)
            along = between / length
            speeds = [data.v[k].linear + np.cross(data.v[k].angular, p) for k, p in ((i, a), (j, b))]
            rate = along @ (second.rotation @ speeds[1] - first.rotation @ speeds[0])
            force = (strut.stiffness * (length - strut.free) + strut.damping * rate) * along
            for k, p, local in ((i, a, first.rotation.T @ force), (j, b, -second.rotation.T @ force)):
                forces[k] = forces[k] + pin.Force(local, np.cross(p, local))
        return pin.StdVec_Force(forces)

    return pull


def _closed(
    bodies: Arrangement, model: Any, data: Any, pull: Callable[[Array, Array], Any] | None
) -> Callable[[Array, Array, Array], Array]:
    """v̇ with the loops closed; forces between points are brought to the joints."""
    import pinocchio as pin

    loops, loop_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for closure in bodies.closures:
        for place in bodies.pins(closure):
            sides = [(n + 1, pin.SE3(np.eye(3), bodies.local(n, place))) for n in (closure.first, closure.second)]
            loop = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *sides[0], *sides[1])
            loops.append(loop)
            loop_data.append(loop.createData())
    pin.initConstraintDynamics(model, data, loops, loop_data)
    proximal = pin.ProximalSettings(1e-14, 1e-10, 20)
    other, none = model.createData(), np.zeros(model.nv)

    def solve(q: Array, v: Array, tau: Array) -> Array:
        if pull is not None:
            forces = pull(q, v)
            tau = tau + pin.rnea(model, other, q, none, none) - pin.rnea(model, other, q, none, none, forces)
        return np.array(pin.constraintDynamics(model, data, q, v, tau, loops, loop_data, proximal))

    return solve
