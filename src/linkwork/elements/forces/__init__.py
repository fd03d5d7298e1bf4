"""Forces, one file per kind: from positions and velocities to loads, efforts and a potential."""

from linkwork.elements.forces.base import Action, Effort, JointCoordinate, Load, Solid, Station
from linkwork.elements.forces.joint_effort import effort, torsion_spring
from linkwork.elements.forces.point_force import point_force, torque
from linkwork.elements.forces.spring import spring

__all__ = [
    "Action",
    "Effort",
    "JointCoordinate",
    "Load",
    "Solid",
    "Station",
    "effort",
    "point_force",
    "spring",
    "torque",
    "torsion_spring",
]
