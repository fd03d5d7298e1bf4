"""What a block gives: where its clusters are, seen from the first, and whether that is real."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.turns import Turn


@dataclass(frozen=True, eq=False)
class Assembled:
    """One assembly of a loop.

    frames: of all clusters but the first, in the coordinates of the first
    valid: ≥ 0 where it is real; 0 at a dead centre
    turns: cosine and sine of joint angles that the solution knows, by (joint, place)
    quaternions: of ball joints, by joint
    slides: lengths that the solution knows, by (joint, place)
    """

    frames: tuple[Frame, ...]
    valid: ca.SX
    turns: Mapping[tuple[str, int], Turn] = field(default_factory=dict)
    quaternions: Mapping[str, ca.SX] = field(default_factory=dict)
    slides: Mapping[tuple[str, int], ca.SX] = field(default_factory=dict)
