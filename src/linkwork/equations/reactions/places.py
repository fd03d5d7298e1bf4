"""Where the moments of reactions are taken: at the point of a joint on its child, on its parent, or about any named point.

A joint pushes its child with a force f and a moment n at its point r_b on the child. About another place r,

    n_r = n + (r_b − r) × f,

so that a joint which lets its bodies slide, and has no moment at one of its points, has one at the other.
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.naming import resolve_point_name
from linkwork.errors import RefusedError, did_you_mean

CHILD, PARENT = "child", "parent"


def check_place(c: Coordinates, at: str) -> str:
    """The place as it is known; refuses what is neither a side of a joint nor a named point."""
    points = c.topology.named_points()
    # the last part of a name is a quantity
    known = at if at in (CHILD, PARENT, *points) else resolve_point_name(c.topology, f"{at}.x").removesuffix(".x")
    if known not in (CHILD, PARENT, *points):
        raise RefusedError(
            f"at = '{at}': moments of reactions are taken at the point of the joint on its '{CHILD}' or '{PARENT}', or at a "
            f"point by its name; {did_you_mean(at, [CHILD, PARENT, *points])}"
        )
    return known


def place_of(c: Coordinates, joint: str, at: str) -> ca.SX | None:
    """Where (d) the moment of a joint is taken; None where it is the point on the child in any case."""
    declared = c.geometry.joints[joint]
    if at == CHILD or (at == PARENT and declared.kind.shares_point):
        return None
    if at == PARENT:
        return declared.frames(c.kinematics.frames)[0].origin
    return c.motion.station(*c.topology.named_points()[at]).position


def place_prefix(c: Coordinates, at: str) -> str:
    """What tells functions with moments at a place from others."""
    known = [PARENT, *c.topology.named_points()]
    return "" if at == CHILD else f"at_{known.index(at)}_"
