"""The elements of a model as users declare them: ``lw.elements``."""

from linkwork.model.body import Body
from linkwork.model.contacts import Contact
from linkwork.model.couplings import Belt, Gear, LinearCoupling, Planetary, Rack
from linkwork.model.drive import Driver
from linkwork.model.forces import (
    Actuator,
    Bushing,
    Drag,
    Effort,
    Force,
    Friction,
    Impulse,
    Rotor,
    Spring,
    Torque,
    TorsionSpring,
)
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.moving_base import MovingBase
from linkwork.model.parameters import Parameter
from linkwork.model.relations import (
    Cable,
    Cam,
    Connection,
    Curve,
    Distance,
    KnifeEdge,
    LineDistance,
    Rolling,
    Rope,
    Track,
)
from linkwork.model.shapes import Mesh, Shape
from linkwork.model.surfaces import Surface
from linkwork.model.switches import JointSwitch

__all__ = [
    "Actuator",
    "Belt",
    "Body",
    "Bushing",
    "Cable",
    "Cam",
    "Connection",
    "Contact",
    "Curve",
    "Distance",
    "Drag",
    "Driver",
    "Effort",
    "Force",
    "Friction",
    "Gear",
    "Guide",
    "Impulse",
    "Joint",
    "JointSwitch",
    "KnifeEdge",
    "LineDistance",
    "LinearCoupling",
    "Mesh",
    "MovingBase",
    "Parameter",
    "Planetary",
    "Rack",
    "Rolling",
    "Rope",
    "Rotor",
    "Shape",
    "Spring",
    "Surface",
    "Torque",
    "TorsionSpring",
    "Track",
]
