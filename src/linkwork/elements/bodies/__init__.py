"""Kinds of bodies, one file per kind: how a body resists, and where its places are."""

from linkwork.elements.bodies.base import BodyKind, Marker, Resistance
from linkwork.elements.bodies.rigid import Rigid, rigid_marker

__all__ = ["BodyKind", "Marker", "Resistance", "Rigid", "rigid_marker"]
