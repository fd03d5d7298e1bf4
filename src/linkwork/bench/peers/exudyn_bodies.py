"""Exudyn: rigid bodies, in the plane with three coordinates; its trapezoidal rule of index 2 and generalised alpha.

Its explicit integrators take no algebraic constraints. The build without range checks is used; in space, where constraints
may be redundant, its dense solver, which takes them. Torsion springs of joints have no counterpart in the plane.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.layout import Arrangement, Closure, Mounted, layout, steps_of

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "exudyn"
COUNTS = (4, 16, 64, 256, 1024)  # steps between two outputs
METHODS = ("trapezoidal index 2", "generalised alpha")
DAMPED = 0.95  # spectral radius of generalised alpha
FREE = {"revolute": (1, 1, 1, 1, 1, 0), "prismatic": (1, 1, 0, 1, 1, 1), "spherical": (1, 1, 1, 0, 0, 0)}


def contenders(task: Task) -> list[Contender]:
    _exudyn()
    if any(link.stiffness or link.damping for link in layout(task).links):
        return []
    steps, read = steps_of(task, COUNTS), partial(_observed, task)
    return [Contender(f"Exudyn, {name}", steps, partial(_prepare, task, name), read, "step") for name in METHODS]


def _exudyn() -> ModuleType:
    sys.exudynFast = True  # type: ignore[attr-defined]  # read when the package is first imported
    with redirect_stdout(io.StringIO()):
        import exudyn
    exudyn.config.printToConsole = False  # what it says of steps that fail is part of the trial
    return exudyn


class _System:
    """The bodies in Exudyn, with sensors of what is read."""

    def __init__(self, bodies: Arrangement) -> None:
        exu = _exudyn()
        self.exu, self.bodies = exu, bodies
        self.mbs = exu.SystemContainer().AddSystem()
        from exudyn import itemInterface as item

        self.item = item
        self.ground = self.mbs.AddObject(item.ObjectGround())
        self.numbers = [self._flat(link) if bodies.planar else self._solid(link) for link in bodies.links]
        self._connect()
        what = exu.OutputVariableType
        asked = (
            (what.Coordinates, what.Coordinates_t) if bodies.planar else (what.Position, what.Velocity, what.Rotation)
        )
        asked = asked if bodies.planar else (*asked, what.AngularVelocityLocal)
        self.sensors = [[self._sensor(node, one) for one in asked] for node, _ in self.numbers]
        self.mbs.Assemble()

    def _connect(self) -> None:
        """Joints, springs and torques."""
        bodies, item = self.bodies, self.item
        for link in bodies.links:
            self._join(link.parent, bodies.links.index(link), link.place, link.axis, link.kind)
        for closure in bodies.closures:
            self._close(closure)
        for strut in bodies.struts:
            ends = [self._marker(n, p) for n, p in zip((strut.first, strut.second), strut.ends, strict=True)]
            self.mbs.AddObject(
                item.SpringDamper(
                    markerNumbers=ends, stiffness=strut.stiffness, damping=strut.damping, referenceLength=strut.free
                )
            )
        for number, torque in bodies.torques.items():
            at = self._marker(number, bodies.links[number].centre, turns=True)
            self.mbs.AddLoad(item.LoadTorqueVector(markerNumber=at, loadVector=[0.0, 0.0, torque]))

    def _sensor(self, node: int, what: Any) -> int:
        sensor = self.item.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what)
        return int(self.mbs.AddSensor(sensor))

    def _flat(self, link: Mounted) -> tuple[int, int]:
        item, mbs = self.item, self.mbs
        node = mbs.AddNode(
            item.NodeRigidBody2D(
                referenceCoordinates=[*link.centre[:2], 0.0], initialVelocities=[*link.velocity[:2], link.omega[2]]
            )
        )
        body = mbs.AddObject(
            item.ObjectRigidBody2D(physicsMass=link.mass, physicsInertia=float(link.inertia[2, 2]), nodeNumber=node)
        )
        self._weigh(body, link)
        return node, body

    def _solid(self, link: Mounted) -> tuple[int, int]:
        item, mbs = self.item, self.mbs
        w = link.omega
        rates = 0.5 * np.array([0.0, *w])  # of Euler parameters, from (1, 0, 0, 0)
        node = mbs.AddNode(
            item.NodeRigidBodyEP(
                referenceCoordinates=[*link.centre, 1.0, 0.0, 0.0, 0.0], initialVelocities=[*link.velocity, *rates]
            )
        )
        places = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
        inertia = [float(link.inertia[place]) for place in places]
        body = mbs.AddObject(item.ObjectRigidBody(physicsMass=link.mass, physicsInertia=inertia, nodeNumber=node))
        self._weigh(body, link)
        return node, body

    def _weigh(self, body: int, link: Mounted) -> None:
        at = self.mbs.AddMarker(self.item.MarkerBodyMass(bodyNumber=body))
        self.mbs.AddLoad(self.item.LoadMassProportional(markerNumber=at, loadVector=list(self.bodies.gravity)))

    def _marker(self, number: int, place: Array, turns: bool = False) -> int:
        body = self.ground if number < 0 else self.numbers[number][1]
        local = place if number < 0 else place - self.bodies.links[number].centre
        kind = self.item.MarkerBodyRigid if turns else self.item.MarkerBodyPosition
        return int(self.mbs.AddMarker(kind(bodyNumber=body, localPosition=list(local))))

    def _join(self, first: int, second: int, place: Array, axis: Array, kind: str) -> None:
        item = self.item
        if self.bodies.planar:
            pair = [self._marker(first, place), self._marker(second, place)]
            self.mbs.AddObject(item.RevoluteJoint2D(markerNumbers=pair))
            return
        pair = [self._marker(first, place, turns=True), self._marker(second, place, turns=True)]
        frame = _frame(axis)
        self.mbs.AddObject(
            item.GenericJoint(
                markerNumbers=pair, constrainedAxes=list(FREE[kind]), rotationMarker0=frame, rotationMarker1=frame
            )
        )

    def _close(self, closure: Closure) -> None:
        self._join(closure.first, closure.second, closure.place, closure.axis, "revolute")


def _frame(axis: Array) -> Array:
    """Axes whose third is that of a joint."""
    side = np.eye(3)[np.argmin(np.abs(axis))]
    first = np.cross(side, axis)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])


def _prepare(task: Task, method: str, step: float) -> Timed:
    system = _System(layout(task))
    exu, settings = system.exu, system.exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(task.end / step)
    settings.timeIntegration.endTime = task.end
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = DAMPED
    settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = task.end / (len(task.grid) - 1)
    if not system.bodies.planar:
        settings.linearSolverType = exu.LinearSolverType.EigenDense
        settings.linearSolverSettings.ignoreSingularJacobian = True
        settings.timeIntegration.newton.relativeTolerance = 1e-6
    kinds = exu.DynamicSolverType
    kind = kinds.TrapezoidalIndex2 if method == METHODS[0] else kinds.GeneralizedAlpha

    def run() -> list[list[Array]]:
        system.mbs.SolveDynamic(settings, solverType=kind)
        return [[system.mbs.GetSensorStoredData(one)[:, 1:] for one in sensors] for sensors in system.sensors]

    return run


def _observed(task: Task, found: list[list[Array]]) -> Array:
    """What is observed, of what the sensors have of every body."""
    bodies = layout(task)
    if task.observe is None:
        return sum(
            (_energy(bodies, link, one) for link, one in zip(bodies.links, found, strict=True)), start=np.zeros(1)
        )
    return task.observe(bodies.names, _coordinates(bodies, found))


def _energy(bodies: Arrangement, link: Mounted, found: list[Array]) -> Array:
    if bodies.planar:
        position, velocity = found[0][:, :2], found[1]
        spin = link.inertia[2, 2] * velocity[:, 2] ** 2
        place, speed = np.column_stack([position + link.centre[:2]]), velocity[:, :2]
        weight = place @ bodies.gravity[:2]
    else:
        place, speed = found[0], found[1]
        spin = np.einsum("ni,ij,nj->n", found[3], link.inertia, found[3])
        weight = place @ bodies.gravity
    energy: Array = 0.5 * (link.mass * (speed**2).sum(axis=1) + spin) - link.mass * weight
    return energy


def _coordinates(bodies: Arrangement, found: list[list[Array]]) -> Array:
    """Joint coordinates of the tree, of bodies in the plane; of a slider its travel; of a ball its quaternion."""
    columns = []
    for link, one in zip(bodies.links, found, strict=True):
        if bodies.planar:
            carrier = found[link.parent][0][:, 2] if link.parent >= 0 else 0.0
            columns.append(one[0][:, 2] - carrier)
        elif link.kind == "spherical":
            columns.extend(_quaternion(one[2]))
        else:
            columns.append((one[0] - link.centre) @ link.axis)
    return np.column_stack(columns)


def _quaternion(angles: Array) -> tuple[Array, Array, Array, Array]:
    """Of Tait-Bryan angles about x, y and z."""
    (a, b, c), (d, e, f) = np.cos(angles.T / 2), np.sin(angles.T / 2)
    return a * b * c - d * e * f, d * b * c + a * e * f, a * e * c - d * b * f, a * b * f + d * e * c
