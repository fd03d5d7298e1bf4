"""Whether and why bodies cannot move by themselves: some motion of them meets no inertia."""

from __future__ import annotations

from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.errors import Fault, ModelError
from linkwork.topology import Topology
from linkwork.topology.mobility.idle import idle_motion


def idle_fault(topology: Topology, name: str) -> Fault:
    """What moves without inertia, and what would help."""
    at = topology.assembly.poses, topology.geometry.defaults
    motion = idle_motion(topology.drives, topology.conditions, *at, name)
    along = "" if motion is None else f": {motion}"
    if topology.geometry.is_massless(name):
        reason = f"is zero, but the body can move freely{along}"
        return Fault(f"bodies.{name}.mass", reason, "give it a mass, or drive its motion")
    solid = "a radius or section of the bar, " if topology.model.bodies[name].bar is not None else ""
    given = "0.001" if topology.geometry.space.planar else "[0.001, 0.001, 0.001]"
    told = f"; what acts at the centre of mass alone turns no body, and any inertia does: {given}"
    single = told if len(topology.model.bodies[name].point_names) == 1 else ""
    hint = f"give {solid}an inertia, or a joint that prevents this rotation{single}"
    return Fault(f"bodies.{name}.inertia", f"is zero about an axis about which the body can turn freely{along}", hint)


def check_inertia(mechanism: Mechanism) -> None:
    """Refuse dynamics when some motion meets no inertia, naming the bodies.

    The spin of a slender bar between two balls stays what it is. Of other links without inertia about the line of their
    balls it is at rest in formulations that know it, where their plan can be followed (its inputs stand in the tree).
    """
    topology, plan, k = mechanism.topology, mechanism.topology.plan, mechanism.coordinates.kinematics
    follows = mechanism.equations.formulation.holds_spins and all(name in plan.tree for name, _ in plan.inputs)
    idle = {*(plan.passive if follows else ()), *k.spinless, *k.spins_held}
    bodies = [name for name in topology.mobility.unresisted if name not in idle]
    if not bodies:
        return
    faults = [idle_fault(topology, name) for name in bodies]
    raise ModelError(faults, topology.model.name or "model")
