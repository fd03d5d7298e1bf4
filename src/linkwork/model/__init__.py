"""Declarations: the model of a mechanism and its elements, checked as a whole."""

from linkwork.model.body import Body
from linkwork.model.couplings import ALL_COUPLINGS
from linkwork.model.drive import Driver
from linkwork.model.forces import ALL_FORCES
from linkwork.model.guide import Guide
from linkwork.model.joint import GROUND, Joint
from linkwork.model.joint_kinds import JOINT_KINDS
from linkwork.model.model import Model
from linkwork.model.parameters import Parameter
from linkwork.model.shapes import Mesh, Shape

__all__ = [
    "ALL_COUPLINGS",
    "ALL_FORCES",
    "GROUND",
    "JOINT_KINDS",
    "Body",
    "Driver",
    "Guide",
    "Joint",
    "Mesh",
    "Model",
    "Parameter",
    "Shape",
]
