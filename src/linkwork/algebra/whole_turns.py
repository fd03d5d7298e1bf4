"""Whole turns of angles: which one is nearest to another angle, on expressions and on numbers.

An angle x is n turns beyond y where x − y − 2πn lies in (−π, π], n = ⌈(x − y)/2π − ½⌉; half a turn is the same on both sides
but for its last digits, and counts as +π.
"""

from __future__ import annotations

import math

import casadi as ca

HALF = 0.5 + 1e-9  # of a turn; the margin keeps what points backwards at +π whatever the last digit
TURN = 2 * math.pi


def turns_beyond(angle: ca.SX, near: ca.SX | float = 0.0) -> ca.SX:
    """How many whole turns an angle is beyond another one."""
    return ca.ceil((angle - near) / TURN - HALF)


def turns_into(angle: ca.SX, low: ca.SX, high: ca.SX) -> ca.SX:
    """How many whole turns bring an angle into a range; none where it is there, or where none do."""
    least = ca.ceil((low - angle) / TURN - 1e-9)
    inside = ca.logic_and(least != 0, angle + TURN * least <= high)
    return ca.if_else(ca.logic_and(ca.logic_not(ca.logic_and(angle >= low, angle <= high)), inside), least, 0)


def principal(angle: float, near: float = 0.0) -> float:
    """The same angle within half a turn of another one: by default in (−π, π]."""
    return angle - TURN * math.ceil((angle - near) / TURN - HALF)
