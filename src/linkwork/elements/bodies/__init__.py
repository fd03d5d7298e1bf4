"""Kinds of bodies, one file per kind: how a body resists, and where its places are."""

from linkwork.elements.bodies.base import BodyKind, Carrier, Marker, Resistance
from linkwork.elements.bodies.rigid import Rigid

__all__ = ["BodyKind", "Carrier", "Marker", "Resistance", "Rigid"]
