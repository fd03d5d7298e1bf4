"""A given impulse (percussion): P of a force or moment that is so short that nothing moves meanwhile.

    P = ∫ F dt

F is 0 at all other times. What velocities jump by follows from it and from all conditions, where it strikes
(``analysis/motion/striking.py``).
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from linkwork.elements.contribution import Contribution, JointEffort, Load, OwnState
from linkwork.elements.striking import Strike


def impulse(name: str, given: Contribution, value: ca.SX, time: ca.SX, unit: str) -> Contribution:
    """The loads and efforts of a force as those of an impulse; *value*: its components, in the unit."""
    acts, side = ca.SX.sym(f"{name} acts"), ca.SX.sym(f"{name} side")
    loads = tuple(Load(load.body, load.at, acts * load.force, acts * load.moment) for load in given.loads)
    efforts = tuple(JointEffort(item.joint, item.freedom, acts * item.value) for item in given.efforts)
    size = value if value.numel() == 1 else ca.norm_2(value)
    numbers = tuple(OwnState(key, symbol, ca.SX(0), ca.SX(at)) for key, symbol, at in _numbers(acts, side))
    own = Strike(time, acts, side, size, unit)
    return replace(given, loads=loads, efforts=efforts, constants=numbers, readings={}, strike=own)


def _numbers(acts: ca.SX, side: ca.SX) -> tuple[tuple[str, ca.SX, int], ...]:
    return ("acts", acts, 0), ("side", side, 1)
