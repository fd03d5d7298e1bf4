"""Distance links: a body with a ball joint at either end only keeps the distance between the two, on expressions.

Its spin about the line of the balls is free and does not matter. With the input frozen, RGGR and RRGG are the same loop:
one ball is a given point, the other rides on an arm that turns by φ about a given axis, and
C₁ cos φ + C₂ sin φ + C₃ = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.trigonometric import trigonometric_root


@dataclass(frozen=True, eq=False)
class SwingingArm:
    """An arm (3) from ``pivot`` (3), a point of the axis, to a ball; it turns about the unit ``axis`` (3)."""

    pivot: ca.SX
    axis: ca.SX
    arm: ca.SX

    @property
    def parts(self) -> tuple[ca.SX, ca.SX, ca.SX]:
        """The vectors a, b, c of the turned arm a cos φ + b sin φ + c."""
        c = ca.dot(self.axis, self.arm) * self.axis
        return self.arm - c, ca.cross(self.axis, self.arm), c

    def ball(self, turn: Turn) -> ca.SX:
        """Position (3) of the ball when the arm is turned by *turn* from where it is given."""
        a, b, c = self.parts
        return self.pivot + a * turn[0] + b * turn[1] + c


@dataclass(frozen=True, eq=False)
class DistanceBranch:
    """One assembly of a distance link.

    ``turn`` is that of the arm, ``ball`` (3) the position of its ball, ``link`` (3) the unit vector from the given ball
    to it. ``valid``, a squared sine, is positive where the assembly is real and regular, zero at a dead centre,
    negative where the link does not reach; there the numbers are finite and without meaning.
    """

    turn: Turn
    ball: ca.SX
    link: ca.SX
    valid: ca.SX


def distance_coefficients(ball: ca.SX, length: ca.SX, swing: SwingingArm) -> tuple[ca.SX, ca.SX, ca.SX]:
    """C₁, C₂, C₃ (length²) of the condition that the *ball* (3) and that of the *swing* are *length* apart.

    With l₁ and l₄ the given ball and the pivot of the swing seen from any origin, and the arm a cos φ + b sin φ + c:
    C₁ = 2a·(l₄ − l₁), C₂ = 2b·(l₄ − l₁), C₃ = |l₄ − l₁|² + l₃² − l₂² + 2c·(l₄ − l₁).
    """
    gap = swing.pivot - ball
    a, b, c = swing.parts
    constant = ca.sumsqr(gap) + ca.sumsqr(swing.arm) - length * length + 2 * ca.dot(c, gap)
    return 2 * ca.dot(a, gap), 2 * ca.dot(b, gap), constant


def distance_link(ball: ca.SX, length: ca.SX, swing: SwingingArm, side: ca.SX | int) -> DistanceBranch:
    """The turn of *swing* that brings its ball to the distance *length* from the given *ball* (3).

    The two lie to either side of the position where the arm points at the ball as seen along the axis, +1 beyond it and
    −1 before it. RGGR: *ball* is the tip of the input crank. RRGG: *ball* is fixed, and *swing* is the second crank,
    carried along by the first.
    """
    c1, c2, c3 = distance_coefficients(ball, length, swing)
    # −C₁ and −C₂ point at the ball, C₁ and C₂ away from it
    root = trigonometric_root(-c1, -c2, c3, side)
    end = swing.ball(root.turn)
    return DistanceBranch(root.turn, end, (end - ball) / length, root.valid)
