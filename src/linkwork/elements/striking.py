"""Given impulses: what strikes at a time."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca


@dataclass(frozen=True, eq=False)
class Strike:
    """An impulse that an element gives at a time, s. The loads and efforts of the element are *acts* times the impulse.

    acts: a parameter, 0 but at the instant of the blow; side: one, 1 until the time has come and −1 behind it
    size: the impulse, in the unit
    """

    time: ca.SX
    acts: ca.SX
    side: ca.SX
    size: ca.SX
    unit: str
