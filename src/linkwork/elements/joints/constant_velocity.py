"""Constant-velocity (homokinetic) joint: two shafts meet in a point, and both turn about their own axes alike.

The z axes of frames a and b are the shafts. Seen from a, b is bent about some axis normal to z and does not twist, so
that the quaternion of the relative rotation has no z component, e = (w, x, y, 0):

    a_y·b_x − a_x·b_y = 4 w z = 0,

whose gradient is the bisector a_z + b_z of the shafts: about it the joint transmits its moment. With ω·(a_z + b_z) = 0
shafts in bearings, ω_a = n_a a_z and ω_b = n_b b_z, have n_a = n_b at any bend.

Coordinates: the twists α and β of the bend about x and y, tan α/2 = x/w and tan β/2 = y/w (a bend about x or y alone is
that angle itself). They are regular for all bends below 180 degrees, where w = 0. With c, s the cosines and sines of
α/2 and β/2, and n² = 1 − s_α² s_β²:

    e = (c_α c_β, s_α c_β, c_α s_β, 0) / n
    ω = (c_β², 0, −s_β c_β) α̇ / n² + (0, c_α², s_α c_α) β̇ / n²

from ω = 2 (ġ + g × ġ) / (1 + g·g) for the vector g = (tan α/2, tan β/2, 0) of Rodrigues.
"""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import (
    Directions,
    Freedom,
    JointKind,
    Measure,
    joint_row,
    point_rows,
    world_directions,
)


class ConstantVelocity(JointKind):
    name = "constant_velocity"
    axes: ClassVar = {"spatial": 1}
    bends = True
    shares_point = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return (Freedom("angle1", "angle1_rate", "angle"), Freedom("angle2", "angle2_rate", "angle"))

    def motion(self, space: Space, q: ca.SX) -> Frame:
        (c1, s1), (c2, s2), n2 = _halves(q)
        return Frame(ca.SX(3, 1), from_quaternion(ca.vertcat(c1 * c2, s1 * c2, c1 * s2, 0) / ca.sqrt(n2)))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        (c1, s1), (c2, s2), n2 = _halves(q)
        first, second = ca.vertcat(c2, 0, -s2) * (c2 / n2), ca.vertcat(0, c1, s1) * (c1 / n2)
        return ca.SX(3, 2), ca.horzcat(first, second)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        twist = (ca.dot(a.axis(1), b.axis(0)) - ca.dot(a.axis(0), b.axis(1))) / 2
        # 2 w z vanishes with w too, where the shafts are folded; 2 z / w does not, with 4 w² = 1 + tr E
        guarded = 4 * twist / (1 + sum((ca.dot(a.axis(i), b.axis(i)) for i in range(3)), ca.SX(0)))
        return [*point_rows(space, a, b), joint_row("rotation about z", "lock", twist, guarded)]

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return _twist(a, b, 0), _twist(a, b, 1)

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions(world_directions(space), (_bisector(a, b),))

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        # a torque about x of a works on the first angle only, at the rate ω_x / α̇ = w² + x² = (1 + a_x·b_x) / 2; what
        # it has along the bisector belongs to the reaction
        along, found = _bisector(a, b), []
        for i in (0, 1):
            torque = 2 * a.axis(i) / (1 + ca.dot(a.axis(i), b.axis(i)))
            found.append((ca.SX(3, 1), torque - ca.dot(torque, along) * along))
        return tuple(found)


def _halves(q: ca.SX) -> tuple[tuple[ca.SX, ca.SX], tuple[ca.SX, ca.SX], ca.SX]:
    """Cosine and sine of half of each angle, and n²."""
    first, second = ((ca.cos(q[i] / 2), ca.sin(q[i] / 2)) for i in (0, 1))
    return first, second, 1 - (first[1] * second[1]) ** 2


def _twist(a: Frame, b: Frame, i: int) -> Measure:
    """The angle by which b is turned about axis i of a: its half has the tangent e_i / w."""
    j, k = (i + 1) % 3, (i + 2) % 3
    whole = 1 + ca.dot(a.axis(i), b.axis(i))
    sine = ca.dot(a.axis(k), b.axis(j)) - ca.dot(a.axis(j), b.axis(k))
    cosine = ca.dot(a.axis(j), b.axis(j)) + ca.dot(a.axis(k), b.axis(k))
    return Measure(sine=sine / whole, cosine=cosine / whole)


def _bisector(a: Frame, b: Frame) -> ca.SX:
    middle = a.axis(2) + b.axis(2)
    return middle / ca.norm_2(middle)
