"""Couplings, one file per kind: linear relations between joint coordinates."""

from linkwork.elements.couplings.base import Coupled, CoupledMotion, Term, Wheel, misfit
from linkwork.elements.couplings.belt import run_belt
from linkwork.elements.couplings.contact import ContactForces, PointForce, ToothForm, Touch
from linkwork.elements.couplings.gear import WheelSizes, mesh, mesh_by_ratio
from linkwork.elements.couplings.planetary import couple_planetary
from linkwork.elements.couplings.rack import mesh_with_rack

__all__ = [
    "ContactForces",
    "Coupled",
    "CoupledMotion",
    "PointForce",
    "Term",
    "ToothForm",
    "Touch",
    "Wheel",
    "WheelSizes",
    "couple_planetary",
    "mesh",
    "mesh_by_ratio",
    "mesh_with_rack",
    "misfit",
    "run_belt",
]
