"""Pinocchio: a tree of three hinges, the loop closed by a point constraint, ``constraintDynamics`` with SciPy's DOP853.

The point constraint has three rows, of which the one across the plane is redundant; the proximal solver takes care of
it. Positions are not corrected: they drift by the error of the integration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from peers.base import Contender, Run
from peers.equation import COUPLER, CRANK, GRAVITY, GRID, GROUND, ROCKER, Array, start_angles

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "pin"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(problem: Problem) -> list[Contender]:
    import pinocchio

    if not hasattr(pinocchio, "constraintDynamics"):  # a test tool of the same name
        raise ImportError("the package 'pinocchio' that is installed is another one")
    if problem.name != "four_bar":
        return []
    return [Contender("Pinocchio, SciPy DOP853", TOLERANCES, _prepare)]


def _prepare(tolerance: float) -> Run:
    import numpy as np
    import pinocchio as pin
    from scipy.integrate import solve_ivp

    model = pin.Model()
    model.gravity.linear = np.array([0.0, -GRAVITY, 0.0])
    parents = (0, 1, 0)
    offsets = ([0.0, 0.0, 0.0], [CRANK, 0.0, 0.0], [GROUND, 0.0, 0.0])
    for i, length in enumerate((CRANK, COUPLER, ROCKER)):
        place = pin.SE3(np.eye(3), np.array(offsets[i]))
        joint = model.addJoint(parents[i], pin.JointModelRZ(), place, f"joint{i}")
        about = np.diag([0.0, length**3 / 12, length**3 / 12])
        bar = pin.Inertia(length, np.array([length / 2, 0.0, 0.0]), about)
        model.appendBodyToJoint(joint, bar, pin.SE3.Identity())
    ends = [pin.SE3(np.eye(3), np.array([length, 0.0, 0.0])) for length in (COUPLER, ROCKER)]
    loop = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, 2, ends[0], 3, ends[1])
    data, loops, loop_data = model.createData(), pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    loops.append(loop)
    loop_data.append(loop.createData())
    pin.initConstraintDynamics(model, data, loops, loop_data)
    proximal = pin.ProximalSettings(1e-14, 1e-10, 20)
    tau = np.zeros(3)
    psi = start_angles()
    start = [psi[0], psi[1] - psi[0], psi[2], 0.0, 0.0, 0.0]

    def rates(t: float, y: Array) -> Array:
        acceleration = pin.constraintDynamics(model, data, y[:3], y[3:], tau, loops, loop_data, proximal)
        return np.concatenate([y[3:], acceleration])

    def run() -> Array:
        return solve_ivp(rates, (0.0, GRID[-1]), start, "DOP853", GRID, rtol=tolerance, atol=tolerance / 100).y[0]

    return run
