"""Why a body cannot move by itself: some motion of it meets no inertia."""

from __future__ import annotations

from linkwork.errors import Fault
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
