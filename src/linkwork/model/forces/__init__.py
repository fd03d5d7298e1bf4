"""Declarations of forces, one file per kind. Adding one is a new file and a line in ``ALL_FORCES``."""

from linkwork.model.forces.actuator import Actuator
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.forces.bushing import Bushing
from linkwork.model.forces.drag import Drag
from linkwork.model.forces.effort import Effort
from linkwork.model.forces.force import Force
from linkwork.model.forces.friction import Friction
from linkwork.model.forces.impulse import Impulse
from linkwork.model.forces.rotor import Rotor
from linkwork.model.forces.spring import Spring
from linkwork.model.forces.torque import Torque
from linkwork.model.forces.torsion_spring import TorsionSpring

ALL_FORCES: tuple[type[AppliedForce], ...] = (
    Force,
    Torque,
    Effort,
    Actuator,
    Spring,
    TorsionSpring,
    Bushing,
    Drag,
    Friction,
    Rotor,
    Impulse,
)
FORCE_KINDS: dict[str, type[AppliedForce]] = {cls.model_fields["kind"].default: cls for cls in ALL_FORCES}

__all__ = ["ALL_FORCES", "FORCE_KINDS", "AppliedForce", "Scene", *(cls.__name__ for cls in ALL_FORCES)]
