"""Drake: a continuous MultibodyPlant with its Runge-Kutta and Radau integrators of adaptive step.

Continuous plants take no constraints: open chains alone, without balls, whose three angles have a singular position.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.layout import Arrangement, layout

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "drake"
TOLERANCES = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
FIRST = 1e-7  # step, of the run
INTEGRATORS = {"runge_kutta5": "Runge-Kutta 5", "radau3": "Radau 3"}


def contenders(task: Task) -> list[Contender]:
    import pydrake.multibody.plant  # noqa: F401

    bodies = layout(task)
    if bodies.closures or any(link.kind == "spherical" for link in bodies.links):
        return []
    read, named = partial(_observed, task), INTEGRATORS.items()
    return [Contender(f"Drake, {name}", TOLERANCES, partial(_prepare, task, kind), read) for kind, name in named]


def plant_of(bodies: Arrangement) -> Any:
    """The chain as a plant."""
    from pydrake.math import RigidTransform
    from pydrake.multibody import plant as mp
    from pydrake.multibody import tree as mt

    plant = mp.MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector(np.array(bodies.gravity))
    made: list[Any] = []
    for number, link in enumerate(bodies.links):
        centre = link.centre - link.place
        moments = np.diag(link.inertia), (link.inertia[0, 1], link.inertia[0, 2], link.inertia[1, 2])
        inertia = mt.RotationalInertia(*moments[0], *moments[1])
        matter = mt.SpatialInertia.MakeFromCentralInertia(link.mass, centre, inertia)
        body = plant.AddRigidBody(link.name, matter)
        carrier = made[link.parent] if link.parent >= 0 else plant.world_body()
        place = mt.FixedOffsetFrame(f"at {link.joint}", carrier.body_frame(), RigidTransform(bodies.offset(number)))
        kind = mt.RevoluteJoint if link.kind == "revolute" else mt.PrismaticJoint
        frames = plant.AddFrame(place), body.body_frame()
        joint = plant.AddJoint(kind(link.joint, *frames, link.axis, damping=link.damping))
        if link.stiffness:
            plant.AddForceElement(mt.RevoluteSpring(joint, 0.0, link.stiffness))
        made.append(body)
    for strut in bodies.struts:
        ends = [
            item
            for n, place in zip((strut.first, strut.second), strut.ends, strict=True)
            for item in (made[n] if n >= 0 else plant.world_body(), bodies.local(n, place))
        ]
        plant.AddForceElement(mt.LinearSpringDamper(*ends, strut.free, strut.stiffness, strut.damping))
    plant.Finalize()
    return plant


def _prepare(task: Task, integrator: str, tolerance: float) -> Timed:
    from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

    bodies = layout(task)
    plant = plant_of(bodies)
    simulator = Simulator(plant)
    # with longer steps, the first one too, stiff dampers make it go on forever
    ResetIntegratorFromFlags(simulator, integrator, float(task.grid[1]))
    simulator.get_mutable_integrator().set_target_accuracy(tolerance)
    simulator.get_mutable_integrator().request_initial_step_size_target(FIRST * task.end)
    start = np.concatenate([np.zeros(len(bodies.links)), *(link.speed for link in bodies.links)])

    def run() -> Array:
        context = simulator.get_mutable_context()
        context.SetTime(0.0)
        plant.SetPositionsAndVelocities(context, start)
        simulator.Initialize()
        states = [start]
        for time in task.grid[1:]:
            simulator.AdvanceTo(time)
            states.append(plant.GetPositionsAndVelocities(context).copy())
        return np.array(states)

    return run


def _observed(task: Task, states: Array) -> Array:
    bodies = layout(task)
    if task.observe is not None:
        return task.observe(bodies.names, states)
    plant = plant_of(bodies)
    context, found = plant.CreateDefaultContext(), []
    for state in states:
        plant.SetPositionsAndVelocities(context, state)
        found.append(plant.CalcKineticEnergy(context) + plant.CalcPotentialEnergy(context))
    return np.array(found)
