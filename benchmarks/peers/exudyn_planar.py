"""Exudyn: three planar rigid bodies with four revolute joints, its implicit trapezoidal rule of index 2.

Its explicit integrators take no algebraic constraints. The build without range checks is used.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.base import Contender, Run
from peers.equation import COUPLER, CRANK, GRAVITY, GRID, GROUND, ROCKER, Array, start_angles

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "exudyn"
STEPS = (1e-2, 4e-3, 2e-3, 1e-3, 4e-4, 2e-4, 8e-5)


def contenders(problem: Problem) -> list[Contender]:
    _exudyn()
    if problem.name != "four_bar":
        return []
    return [Contender("Exudyn, trapezoidal index 2", STEPS, _prepare, unit="step")]


def _exudyn() -> ModuleType:
    sys.exudynFast = True  # type: ignore[attr-defined]  # read when the package is first imported
    with redirect_stdout(io.StringIO()):
        import exudyn
    return exudyn


def _add_bar(mbs: Any, item: Any, foot: Array, angle: float, length: float) -> tuple[int, int, int]:
    """A bar with its weight; returns its node and the markers at its two ends."""
    middle = foot + length / 2 * np.array([np.cos(angle), np.sin(angle)])
    node = mbs.AddNode(item.NodeRigidBody2D(referenceCoordinates=[*middle, angle]))
    inertia = length**3 / 12
    body = mbs.AddObject(item.ObjectRigidBody2D(physicsMass=length, physicsInertia=inertia, nodeNumber=node))
    first, centre, last = (
        mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0.0, 0.0]))
        for x in (-length / 2, 0.0, length / 2)
    )
    mbs.AddLoad(item.LoadForceVector(markerNumber=centre, loadVector=[0.0, -GRAVITY * length, 0.0]))
    return node, first, last


def _build(exu: Any) -> tuple[Any, int]:
    """The system and the sensor of the crank."""
    from exudyn import itemInterface as item

    mbs = exu.SystemContainer().AddSystem()
    psi = start_angles()
    elbow = CRANK * np.array([np.cos(psi[0]), np.sin(psi[0])])
    ground = mbs.AddObject(item.ObjectGround())
    o, c = (
        mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=ground, localPosition=[x, 0.0, 0.0])) for x in (0.0, GROUND)
    )
    node, o1, a1 = _add_bar(mbs, item, np.zeros(2), psi[0], CRANK)
    _, a2, b2 = _add_bar(mbs, item, elbow, psi[1], COUPLER)
    _, c3, b3 = _add_bar(mbs, item, np.array([GROUND, 0.0]), psi[2], ROCKER)
    for pair in ((o, o1), (a1, a2), (b2, b3), (c, c3)):
        mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=list(pair)))
    what = exu.OutputVariableType.Coordinates
    sensor = mbs.AddSensor(item.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what))
    mbs.Assemble()
    return mbs, sensor


def _prepare(step: float) -> Run:
    exu = _exudyn()
    mbs, sensor = _build(exu)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(GRID[-1] / step)
    settings.timeIntegration.endTime = float(GRID[-1])
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 0.1

    def run() -> Array:
        mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.TrapezoidalIndex2)
        return start_angles()[0] + mbs.GetSensorStoredData(sensor)[:, 3]

    return run
