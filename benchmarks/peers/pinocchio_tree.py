"""Pinocchio on the open chains: ``aba`` with the springs as joint torques, SciPy's DOP853; the top by its quaternion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.base import Contender, Run
from peers.equation import Array
from peers.trees import TREES, Tree

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "pin"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(problem: Problem) -> list[Contender]:
    import pinocchio

    if not hasattr(pinocchio, "aba"):  # a test tool of the same name
        raise ImportError("the package 'pinocchio' that is installed is another one")
    if problem.name not in TREES:
        return []
    return [Contender("Pinocchio, SciPy DOP853", TOLERANCES, partial(_prepare, problem))]


def _model(tree: Tree) -> Any:
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array(tree.gravity)
    parent, place = 0, np.zeros(3)
    for i in range(tree.links):
        kind = pin.JointModelSpherical() if tree.ball else pin.JointModelRZ()
        parent = model.addJoint(parent, kind, pin.SE3(np.eye(3), place), f"joint{i}")
        body = pin.Inertia(tree.mass, np.array(tree.com), np.diag(tree.inertia))
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
        place = np.array([1.0, 0.0, 0.0])
    return model


def _prepare(problem: Problem, tolerance: float) -> Run:
    import pinocchio as pin
    from scipy.integrate import solve_ivp

    tree = TREES[problem.name]
    model = _model(tree)
    data = model.createData()
    stiffness, damping = np.array(tree.stiffness), np.array(tree.damping)
    start = np.array([*((0.0, 0.0, 0.0, 1.0) if tree.ball else (0.0, 0.0)), *tree.speeds])
    grid, nq = problem.grid, model.nq

    def rates(t: float, y: Array) -> Array:
        q, v = y[:nq], y[nq:]
        if not tree.ball:
            return np.concatenate([v, pin.aba(model, data, q, v, -stiffness * q - damping * v)])
        x, w = q[:3], q[3]  # its quaternions have the scalar last
        turn = 0.5 * np.array([*(w * v + np.cross(x, v)), -x @ v])
        return np.concatenate([turn, pin.aba(model, data, q / np.linalg.norm(q), v, np.zeros(3))])

    def run() -> Array:
        y = solve_ivp(rates, (0.0, problem.end), start, "DOP853", grid, rtol=tolerance, atol=tolerance / 100).y.T
        return problem.observe((), y[:, [3, 0, 1, 2]]) if tree.ball else y[:, 0]

    return run
