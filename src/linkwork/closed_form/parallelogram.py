"""Parallelograms: on the uncrossed branch the coupler is translated, so that the dyad RRR becomes linear.

The two circles of the dyad touch when the four links are aligned, and the general formula is singular there; the
translation is not. The crossed branch (antiparallelogram) remains the dyad RRR.
"""

from __future__ import annotations

import casadi as ca

from linkwork.closed_form.dyads import DyadBranch


def is_parallelogram(crank: float, coupler: float, rocker: float, ground: float, tolerance: float = 1e-13) -> bool:
    """Whether opposite sides are equal but for rounding errors; for fixed numbers only, never for live parameters.

    The *tolerance* is relative to the longest side: lengths computed from coordinates carry rounding errors.
    """
    sides = (crank, coupler, rocker, ground)
    allowed = tolerance * max(sides)
    return min(sides) > allowed and abs(crank - rocker) <= allowed and abs(coupler - ground) <= allowed


def parallelogram(base: ca.SX, crank_pin: ca.SX, pin: ca.SX, coupler: ca.SX, rocker: ca.SX) -> DyadBranch:
    """The uncrossed assembly of coupler (link 1, from *crank_pin*) and rocker (link 2, from *pin*).

    *base* (2) and *pin* (2) are the ends of the ground side, *crank_pin* (2) is the tip of the crank on *base*. The
    coupler stays parallel to the ground side and the rocker to the crank: C = B + (A − O). It is regular in every
    position, so that ``valid`` is one; it is an assembly only if :func:`is_parallelogram` holds.
    """
    ground, arm = pin - base, crank_pin - base
    return DyadBranch(pin + arm, ground / coupler, arm / rocker, (), ca.SX(1))
