"""Kinds of bodies, one file per kind: how a body resists, and where its places are."""

from linkwork.elements.bodies.base import BodyInertia, BodyKind, Marker
from linkwork.elements.bodies.rigid import Rigid, rigid_marker

__all__ = ["BodyInertia", "BodyKind", "Marker", "Rigid", "rigid_marker"]
