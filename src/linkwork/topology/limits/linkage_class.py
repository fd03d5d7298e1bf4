"""The class of a planar four-bar or slider-crank, read off its lengths."""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import frame_about
from linkwork.closed_form.limits import LinkageClass, grashof_class, slider_crank_class
from linkwork.elements.joints.prismatic import sliding_axis
from linkwork.numerics.policy import POLICY
from linkwork.position.geometry import GROUND, Array
from linkwork.topology.topology import Topology


def find_class(topology: Topology, joint: str) -> LinkageClass | None:
    """The class of a mechanism that is a single flat loop of four joints and is driven at *joint*; else None.

    Four revolutes: a four-bar. Three of them and a slide at the ground: a slider-crank. The loop is read from the pivot
    at the ground that is driven, else from the first one. In space the revolutes must be parallel, normal to the slide.
    """
    model = topology.model
    if len(model.joints) != 4 or [len(loop) for loop in topology.loops] != [4] or model.couplings:
        return None
    loop = topology.loops[0]
    grounded = [name for name in loop if GROUND in model.joints[name].bodies]
    pivots = [name for name in grounded if model.joints[name].kind == "revolute"]
    if not pivots:
        return None
    order = _outwards(loop, joint if joint in pivots else pivots[0], grounded)
    kinds = [model.joints[name].kind for name in order]
    if kinds[:3] != ["revolute"] * 3 or kinds[3] not in ("revolute", "prismatic"):
        return None
    frames = [_frame(topology, name) for name in order]
    slide = None if kinds[3] == "revolute" else frames[3][1][:, sliding_axis(topology.geometry.space)]
    flat = _flatten(frames[:3] if slide is not None else frames, slide)
    if flat is None:
        return None
    places = [flat @ origin for origin, _ in frames]
    ahead = [*places[1:], places[0]]
    crank, coupler, rocker, ground = (float(np.linalg.norm(b - a)) for a, b in zip(places, ahead, strict=True))
    if slide is None:
        return grashof_class(crank, coupler, rocker, ground)
    way, from_pivot = flat @ slide, places[2] - places[0]
    return slider_crank_class(crank, coupler, float(way[0] * from_pivot[1] - way[1] * from_pivot[0]))


def _outwards(loop: tuple[str, ...], first: str, grounded: list[str]) -> list[str]:
    """The joints of the loop from a grounded one on, away from the ground: the other grounded one comes last."""
    at = loop.index(first)
    order = [*loop[at:], *loop[:at]]
    return order if order[-1] in grounded else [order[0], *reversed(order[1:])]


def _frame(topology: Topology, joint: str) -> tuple[Array, Array]:
    """Origin and axes of a joint in the world, in the assembled position."""
    geometry, declared = topology.geometry, topology.geometry.joints[joint]
    frame: Frame = declared.a
    if declared.parent != GROUND:
        frame = topology.assembly.poses[declared.parent].frame() @ frame
    found = ca.vertcat(frame.origin, ca.vec(frame.axes))
    values, d = np.atleast_1d(geometry.number(found)), geometry.space.dimension
    return values[:d], values[d:].reshape(d, d, order="F")


def _flatten(frames: list[tuple[Array, Array]], slide: Array | None) -> Array | None:
    """Two directions (2 × d) that span the plane in which the linkage moves; None if it moves in none."""
    if len(frames[0][0]) == 2:
        return np.eye(2)
    normal = frames[0][1][:, 2]
    tilted = [float(np.linalg.norm(np.cross(normal, axes[:, 2]))) for _, axes in frames]
    if slide is not None:
        tilted.append(abs(float(normal @ slide)))
    return frame_about(normal)[:, :2].T if max(tilted) < POLICY.rank else None
