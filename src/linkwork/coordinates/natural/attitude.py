"""Bodies that keep their orientation to each other: those that a weld or a slide connects.

They need one basis together, and every direction of one is a direction of all. The conditions of such a joint against
rotation then hold by themselves. A group with the ground in it has constant axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.joints import JointKind
from linkwork.position.geometry import GROUND, Geometry


@dataclass(frozen=True, eq=False)
class Attitude:
    """The orientation of a body in its group: its axes are those of the ``root`` body times ``turn``."""

    root: str
    turn: ca.SX  # d × d

    def local(self, vector: ca.SX) -> ca.SX:
        """A vector in the axes of the body, seen in those of the root."""
        return self.turn @ vector


def prevents_rotation(space: Space, kind: JointKind) -> bool:
    """Whether a joint keeps both bodies at the same orientation."""
    return all(f.kind == "length" for f in kind.freedoms(space))


def group_attitudes(geometry: Geometry) -> Mapping[str, Attitude]:
    """The group of every body, the ground included, which is the root of its own group."""
    links: dict[str, list[tuple[str, ca.SX]]] = {name: [] for name in (GROUND, *geometry.bodies)}
    for joint in geometry.joints.values():
        if prevents_rotation(geometry.space, joint.kind):
            # A_parent a = A_child b
            across = joint.a.axes @ joint.b.axes.T
            links[joint.parent].append((joint.child, across))
            links[joint.child].append((joint.parent, across.T))
    found: dict[str, Attitude] = {}
    for root in links:
        if root in found:
            continue
        found[root] = Attitude(root, ca.SX.eye(geometry.space.dimension))
        fresh = [root]
        while fresh:
            body = fresh.pop()
            for other, across in links[body]:
                if other not in found:
                    found[other] = Attitude(root, geometry.product(found[body].turn, across))
                    fresh.append(other)
    return found
