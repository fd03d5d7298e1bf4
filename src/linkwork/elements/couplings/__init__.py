"""Couplings, one file per kind: linear relations between joint coordinates."""

from linkwork.elements.couplings.base import Coupled, Motion, Term, Wheel, misfit
from linkwork.elements.couplings.belt import run_belt
from linkwork.elements.couplings.contact import Contact, ContactForces, PointForce, ToothForm
from linkwork.elements.couplings.gear import Sizes, mesh, mesh_by_ratio
from linkwork.elements.couplings.planetary import couple_planetary
from linkwork.elements.couplings.rack import mesh_with_rack

__all__ = [
    "Contact",
    "ContactForces",
    "Coupled",
    "Motion",
    "PointForce",
    "Sizes",
    "Term",
    "ToothForm",
    "Wheel",
    "couple_planetary",
    "mesh",
    "mesh_by_ratio",
    "mesh_with_rack",
    "misfit",
    "run_belt",
]
