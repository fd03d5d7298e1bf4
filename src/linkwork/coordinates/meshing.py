"""Couplings with backlash as elements of a mechanism in motion."""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca

from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import Contribution
from linkwork.elements.couplings.backlash import LooseMesh
from linkwork.elements.couplings.base import Coupled
from linkwork.position.geometry import GROUND

MESH = "mesh"  # kind of their rows


def contact_sides(coupled: Coupled) -> tuple[str, str]:
    """By whom, and on whom, the force where a coupling touches is reported: on the second body, or on that which moves."""
    if coupled.contact is None:
        return GROUND, GROUND
    first, second = coupled.contact.first.body, coupled.contact.second.body
    return (first, second) if second != GROUND else (second, first)


def meshes_of(scene: MovingScene, length: float, *, every: bool) -> Iterator[tuple[str, bool, Contribution]]:
    """Couplings with backlash by name, whether their flanks are rigid, and what they do; *every*: rigid ones too."""
    for name, (coupled, backlash) in scene.meshes.items():
        if backlash.law is not None or every:
            mesh = LooseMesh(coupled, backlash, scene, ca.SX.sym(f"{name}.radius"), length, contact_sides(coupled))
            yield name, backlash.law is None, mesh.contribute(scene.holds(f"flanks of {name}"))
