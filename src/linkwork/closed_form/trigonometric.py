"""A cos q + B sin q = D and its projective twin, the quadratic; both branches without inverse functions."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.validity import sine_of

_TINY = 1e-280


@dataclass(frozen=True, eq=False)
class TurnRoot:
    """One solution for an angle; ``valid`` ≥ 0 where it is real."""

    turn: Turn
    valid: ca.SX


@dataclass(frozen=True, eq=False)
class SlideRoot:
    """One solution for a length; ``valid`` ≥ 0 where it is real and finite."""

    slide: ca.SX
    valid: ca.SX


def solve_trigonometric(a: ca.SX, b: ca.SX, d: ca.SX) -> list[TurnRoot]:
    """Both solutions of a cos q + b sin q = d, the one with the angle beyond atan2(b, a) first."""
    return [trigonometric_root(a, b, d, side) for side in (1, -1)]


def trigonometric_root(a: ca.SX, b: ca.SX, d: ca.SX, side: ca.SX | int) -> TurnRoot:
    """One solution of a cos q + b sin q = d: +1 the angle beyond atan2(b, a), −1 the one before it.

    With r² = a² + b² and w² = r² − d²: cos q = (a d ∓ b w)/r², sin q = (b d ± a w)/r²; real where 1 − (d/r)² ≥ 0.
    """
    square = ca.fmax(a * a + b * b, _TINY)
    r = ca.sqrt(square)
    cosine, valid = d / r, (1 - d / r) * (1 + d / r)
    # outside |d| ≤ r the nearest real angle is returned, so that the numbers stay finite
    cosine = ca.fmax(-1, ca.fmin(1, cosine))
    sine = side * sine_of(valid)
    return TurnRoot(((a * cosine - b * sine) / r, (b * cosine + a * sine) / r), valid)


def nearer_side(a: ca.SX, b: ca.SX, guess: Turn) -> ca.SX:
    """The side (+1 or −1) of the solution of a cos q + b sin q = d that is nearer to *guess*, whatever d is."""
    return ca.if_else(a * guess[1] - b * guess[0] >= 0, 1, -1)


def solve_quadratic(c0: ca.SX, c1: ca.SX, c2: ca.SX) -> list[SlideRoot]:
    """Both solutions of c0 + c1 d + c2 d² = 0; a root that has gone to infinity is not valid."""
    return [quadratic_root(c0, c1, c2, side) for side in (1, -1)]


def quadratic_root(c0: ca.SX, c1: ca.SX, c2: ca.SX, side: ca.SX | int) -> SlideRoot:
    """One solution of c0 + c1 d + c2 d² = 0, *side* +1 or −1; not valid when it has gone to infinity.

    With d = tan ψ the equation reads (c0 − c2) cos 2ψ + c1 sin 2ψ = −(c0 + c2), regular for every size of c2.
    """
    root = trigonometric_root(c0 - c2, c1, -(c0 + c2), side)
    return finite_slide(*half_turn(root.turn), root.valid)


def finite_slide(x: ca.SX, w: ca.SX, valid: ca.SX) -> SlideRoot:
    """The length x/w of a point (x, w) on the projective line, not valid when w vanishes."""
    finite = w * w > 1e-20 * (x * x + w * w)
    return SlideRoot(x / ca.if_else(finite, w, 1), ca.if_else(finite, valid, -1))


def half_turn(turn: Turn) -> tuple[ca.SX, ca.SX]:
    """(sin ψ, cos ψ) up to a common factor from (cos 2ψ, sin 2ψ), without cancellation."""
    c, s = turn
    forward = c >= 0
    return ca.if_else(forward, s, 1 - c), ca.if_else(forward, 1 + c, s)
