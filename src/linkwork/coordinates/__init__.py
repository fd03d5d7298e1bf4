"""Coordinates: every unknown has a name and an index; they give q, Φ, M, Q, poses and quantities as expressions."""

from linkwork.coordinates.mixed import Mixed
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.numbering import ALL_COORDINATES as ALL
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.coordinates.relative import Relative

__all__ = ["ALL", "Mixed", "Natural", "ReferencePoint", "Relative"]
