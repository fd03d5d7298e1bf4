"""Profiles of cams from the motion that a follower should make.

The cam turns counter-clockwise by u from where it is drawn, so that what stands still lies at the angle β = α − u in its
axes. A follower that moves along a line, or turns about a pivot, draws the path of its point into the cam. A flat face
draws lines m·x = h with the normal m at the angle γ, and their envelope is the profile: c = h m + (dh/dγ) m⊥, where
h + d²h/dγ² is its radius of curvature.
Source: any text on cams; the envelope is that of a line given by its distance from the origin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from linkwork.elements.curves import BodyCurve, derivative

CamLaw = Callable[[ca.SX], ca.SX]


@dataclass(frozen=True, eq=False)
class Slide:
    """Travel along a line at the angle ``towards`` in the axes of the cam as drawn, ``offset`` to the left of its centre."""

    towards: ca.SX
    offset: ca.SX


@dataclass(frozen=True, eq=False)
class Swing:
    """Turning about a pivot, seen from the cam as drawn: its direction and distance.

    ``arm``: distance of the point from the pivot, or of the face along its normal off the cam; ``side``: ±1, the sense in
    which the arm is turned from the direction to the cam, or the normal of the face from the direction of the pivot.
    """

    towards: ca.SX
    distance: ca.SX
    arm: ca.SX
    side: float


def point_path(motion: Slide | Swing, law: CamLaw, nearest: ca.SX) -> BodyCurve:
    """The path in the cam of a point that is at the distance *nearest* from its centre where there is no lift."""

    def at(u: ca.SX) -> ca.SX:
        beta = motion.towards - u
        if isinstance(motion, Slide):
            along, across = _directions(beta)
            return (ca.sqrt(nearest**2 - motion.offset**2) + law(u)) * along + motion.offset * across
        d, arm = motion.distance, motion.arm
        rest = ca.acos((d**2 + arm**2 - nearest**2) / (2 * d * arm))
        # from the pivot the arm looks back at the cam, turned aside; the lift turns it away
        turned = _directions(beta + ca.pi + motion.side * (rest + law(u)))[0]
        return d * _directions(beta)[0] + arm * turned

    return _once_round(at)


def face_envelope(motion: Slide | Swing, law: CamLaw, nearest: ca.SX) -> tuple[BodyCurve, CamLaw]:
    """The profile under a flat face at the distance *nearest* where there is no lift, and its radius of curvature."""

    def face(u: ca.SX) -> tuple[ca.SX, ca.SX]:
        """γ and h."""
        beta = motion.towards - u
        if isinstance(motion, Slide):
            return beta, nearest + law(u)
        aside = ca.acos((nearest - motion.arm) / motion.distance) - law(u)
        return beta + motion.side * aside, motion.distance * ca.cos(aside) + motion.arm

    def slope(u: ca.SX) -> ca.SX:
        return derivative(lambda x: face(x)[1], u) / derivative(lambda x: face(x)[0], u)

    def at(u: ca.SX) -> ca.SX:
        gamma, distance = face(u)
        normal, along = _directions(gamma)
        return distance * normal + slope(u) * along

    def radius(u: ca.SX) -> ca.SX:
        return face(u)[1] + derivative(slope, u) / derivative(lambda x: face(x)[0], u)

    return _once_round(at), radius


def _directions(angle: ca.SX) -> tuple[ca.SX, ca.SX]:
    """The unit vector at an angle, and the one on its left."""
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.vertcat(c, s), ca.vertcat(-s, c)


def _once_round(at: CamLaw) -> BodyCurve:
    return BodyCurve(at, ca.SX(0), ca.SX(2 * ca.pi), True, "rad")
