"""Assembly modes of a mechanism that no plan leads through, by Newton's method from many starts.

Relations between bodies, such as the struts of a Stewart platform, are no blocks with branches. Bodies are thrown about, the
conditions closed with the inputs held, and positions that differ are kept, until many starts have led to nothing new.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkwork.topology.assembly import close_joints
from linkwork.topology.geometry import Pose
from linkwork.topology.modes import CLOSED, AssemblyMode, held_inputs, opening_of
from linkwork.topology.situation import Situation

NAME = "all"  # of the only block
STEPS = 40  # of Newton's method from one start
SAME = 1e-6  # distance (of the size of the mechanism, or of axes) of positions that are one
FEWEST, EACH = 200, 40  # starts without anything new after which the search ends: at least, and for each mode found
DEAD = 1e-7  # singular value, beside the largest, below which another mode meets this one


def search_modes(situation: Situation, most: int) -> list[AssemblyMode]:
    """Up to *most* + 1 modes, the one in use first."""
    random, targets = np.random.default_rng(0), held_inputs(situation)
    found = [dict(situation.poses)]
    idle, width = 0, situation.conditions.evaluate(situation.poses, situation.p)[1].shape[1]
    d, k = situation.space.dimension, situation.space.freedoms
    # as far as the size of the mechanism, and turned anyhow
    reach = np.where(np.arange(width) % k < d, 1.0, np.pi)
    while idle < max(FEWEST, EACH * len(found)) and len(found) <= most:
        idle += 1
        thrown = situation.conditions.move(found[0], random.uniform(-1.0, 1.0, size=width) * reach)
        poses, worst, _ = close_joints(situation.conditions, situation.p, thrown, targets, STEPS)
        if (
            worst is None
            and opening_of(situation, poses) < CLOSED
            and all(_apart(situation, poses, one) for one in found)
        ):
            found.append(poses)
            idle = 0
    return [_mode(situation, poses, i) for i, poses in enumerate(found, start=1)]


def isolated(situation: Situation) -> bool:
    """Whether the inputs that are held leave nothing free."""
    return _regular(situation, situation.poses)


def _regular(situation: Situation, poses: Mapping[str, Pose]) -> bool:
    """Whether conditions and inputs leave nothing free in a position."""
    _, jacobian, _, rates = situation.conditions.evaluate(poses, situation.p)
    rows = np.vstack([jacobian, rates[[target.reading for target in held_inputs(situation)]]])
    values = np.linalg.svd(rows, compute_uv=False)
    return rows.shape[0] >= rows.shape[1] and bool(values[-1] > DEAD * values[0])


def _apart(situation: Situation, poses: dict[str, Pose], other: dict[str, Pose]) -> bool:
    """Whether a body lies elsewhere, by the size of the mechanism, or is turned."""
    pairs = [(poses[name], other[name]) for name in situation.geometry.bodies]
    return any(
        float(np.max(np.abs(one.origin - two.origin))) > SAME * situation.length
        or float(np.max(np.abs(one.axes - two.axes))) > SAME
        for one, two in pairs
    )


def _mode(situation: Situation, poses: dict[str, Pose], number: int) -> AssemblyMode:
    dead = () if _regular(situation, poses) else (NAME,)
    return AssemblyMode({}, {NAME: str(number)}, poses, opening_of(situation, poses), dead)
