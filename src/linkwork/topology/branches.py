"""The assembly branch of a loop, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linkwork.topology.geometry import GROUND, Array, Geometry, Pose
from linkwork.topology.graph import Loop


@dataclass(frozen=True)
class Branch:
    """How a loop is put together: a short name, and what it means."""

    name: str
    meaning: str
    count: int | None  # number of branches, where it is known


def find_branch(geometry: Geometry, loop: Loop, poses: Mapping[str, Pose], p: Array) -> Branch:
    """Describe the branch of a planar loop by the side on which its closing dyad lies; name others by the sketch."""
    names = [link.name for link in loop.links]
    revolute = all(geometry.joints[name].kind.name == "revolute" for name in names)
    if not geometry.space.planar or not revolute or len(names) < 3:
        return Branch("as sketched", "the assembly nearest to the sketch", None)
    places = {name: _place(geometry, name, poses, p) for name in names}
    before, middle, after = names[-1], names[0], names[1]
    side = _cross(places[middle] - places[before], places[after] - places[middle])
    reach = np.linalg.norm(places[middle] - places[before]) * np.linalg.norm(places[after] - places[middle])
    if abs(side) < 1e-9 * reach:
        return Branch("dead centre", f"{before}, {middle} and {after} lie on one line: two branches meet here", 2)
    word = "right" if side > 0 else "left"
    meaning = f"{middle} lies to the {word} of the line {before} to {after}"
    if len(names) == 4:
        crossed = _crossed([places[name] for name in names])
        return Branch("crossed" if crossed else "open", meaning, 2)
    return Branch(f"{word} of {before}-{after}", meaning, None)


def _place(geometry: Geometry, joint: str, poses: Mapping[str, Pose], p: Array) -> Array:
    declared = geometry.joints[joint]
    local = np.atleast_1d(geometry.number(declared.a.origin, p))
    return local if declared.parent == GROUND else poses[declared.parent].point(local)


def _cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _crossed(corners: list[Array]) -> bool:
    """Whether two opposite sides of a quadrilateral meet."""

    def meet(a: Array, b: Array, c: Array, d: Array) -> bool:
        return bool(_cross(b - a, c - a) * _cross(b - a, d - a) < 0 and _cross(d - c, a - c) * _cross(d - c, b - c) < 0)

    one, two, three, four = corners
    return meet(one, two, three, four) or meet(two, three, four, one)
