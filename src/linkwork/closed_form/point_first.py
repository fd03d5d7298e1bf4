"""Point first: one G and three freedoms of R, P and C (3R1G, 2R1P1G, 1R1C1G, 1R2P1G, 1P1C1G, 3P1G).

Cut at the ball, three freedoms carry a point p onto a point b: E₁ E₂ E₃ p = b. Seen at the middle freedom, y = E₁⁻¹ b
and x = E₃ p lie on circles or lines. A middle R keeps z and |·|², a middle P the two components across its axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import (
    Branch,
    Element,
    Motion,
    across,
    closing_frame,
    cut,
    place_of,
    reversed_turn,
    solve_columns,
    turn_between,
)
from linkwork.closed_form.freedoms import Freedom, Value, carried_point, motions, polish, scaled, split
from linkwork.closed_form.outer_pair import Outer, Pair, solve_pair
from linkwork.closed_form.trigonometric import solve_quadratic, solve_trigonometric


def solve(chain: Sequence[Element], displacement: Frame) -> list[Branch]:
    """All assemblies (four, two or one) of a chain with one ball."""
    place = place_of(chain, "G")
    ball = chain[place]
    freedoms = split(cut(chain, displacement, place))
    p = displacement.inverse().point(ball.point)
    # lengths from the ball, in units of the size of the loop
    distances = [f.point - ball.point for f in freedoms] + [p - ball.point]
    size = ca.sqrt(sum((ca.dot(v, v) for v in distances), ca.SX(0)))
    units = scaled(freedoms, ball.point, size)
    branches = []
    for pair in _solve_outer(units, distances[-1] / size):
        values, valid = _with_middle(units, pair, distances[-1] / size)
        found = motions(chain, freedoms, values, size)
        axes = closing_frame([found[i].frame for i in sorted(found)], displacement, place).axes
        found[place] = Motion(Frame(ball.point - axes @ ball.point, axes))
        branches.append(Branch(pair.name, tuple(found[i] for i in range(len(chain))), valid))
    return branches


def _solve_outer(freedoms: Sequence[Freedom], p: ca.SX) -> list[Pair]:
    """Solutions for the first and the third freedom; the target b is the origin."""
    first, middle, third = freedoms
    if not any(f.turning for f in freedoms):
        slides = solve_columns([f.axis for f in freedoms], -p)
        return [Pair("1", slides[0], slides[2], ca.SX(1))]
    outer = [_outer(middle, first, ca.SX(3, 1), -1), _outer(middle, third, p, 1)]
    if not (first.turning or third.turning):
        return _two_slides(*outer)
    if not middle.turning and not (first.turning and third.turning):
        return _turn_and_slide(*outer)
    return solve_pair(*outer)


def _with_middle(freedoms: Sequence[Freedom], pair: Pair, p: ca.SX) -> tuple[list[Value], ca.SX]:
    """The values of all three freedoms and their validity: the middle one carries x onto y, then the last steps."""
    first, middle, third = freedoms
    x = third.carry(pair.third, p)
    back = reversed_turn(pair.first) if isinstance(pair.first, tuple) else -pair.first
    y = first.carry(back, ca.SX(3, 1))
    value: Value = ca.dot(middle.axis, y - x)
    if middle.turning:
        value = turn_between(middle.axis, x - middle.point, y - middle.point)
    return polish(freedoms, [pair.first, value, pair.third], pair.valid, lambda f, v: carried_point(f, v, p))


def _outer(middle: Freedom, outer: Freedom, x: ca.SX, sign: int) -> Outer:
    """The two conditions of *middle* on the point *x* that *outer* moves forwards (sign 1) or backwards (−1).

    A circle x = c + a cos q + s sin q enters |x|² linearly, since a ⟂ s and |a| = |s|; a line enters as (1, d, d²).
    """
    if outer.turning:
        centre = outer.point + ca.dot(outer.axis, x - outer.point) * outer.axis
        terms = [centre, x - centre, sign * ca.cross(outer.axis, x - centre)]
        squares = [ca.dot(terms[1], terms[1]), ca.SX(0)]
    else:
        terms = [x, sign * outer.axis, ca.SX(3, 1)]
        squares = [ca.SX(0), ca.SX(1)]
    if middle.turning:
        start = terms[0] - middle.point
        along = [ca.dot(middle.axis, v) for v in (start, *terms[1:])]
        radial = [ca.dot(start, start) + squares[0], 2 * ca.dot(start, terms[1]), 2 * ca.dot(start, terms[2])]
        radial[2] += squares[1]
        rows = ca.vertcat(ca.horzcat(*along), ca.horzcat(*radial))
    else:
        rows = across(middle.axis) @ ca.horzcat(*terms)
    return Outer(outer.turning, rows, squares[0])


def _two_slides(first: Outer, third: Outer) -> list[Pair]:
    """P R P: z is linear in (d₁, d₃), a line (d₁, d₃) = base + t direction, on which |·|² is quadratic in t."""
    k0, k1, l1 = first.rows[0, 0] - third.rows[0, 0], first.rows[0, 1], third.rows[0, 1]
    size = ca.sqrt(k1 * k1 + l1 * l1)
    base = (-k0 * k1 / size**2, k0 * l1 / size**2)
    direction = (l1 / size, k1 / size)
    a, b = first.rows[1, 1], third.rows[1, 1]
    c0 = first.rows[1, 0] - third.rows[1, 0] + a * base[0] - b * base[1] + base[0] ** 2 - base[1] ** 2
    c1 = a * direction[0] - b * direction[1] + 2 * (base[0] * direction[0] - base[1] * direction[1])
    c2 = direction[0] ** 2 - direction[1] ** 2
    return [
        Pair(name, base[0] + root.slide * direction[0], base[1] + root.slide * direction[1], root.valid)
        for name, root in zip("+-", solve_quadratic(c0, c1, c2), strict=True)
    ]


def _turn_and_slide(first: Outer, third: Outer) -> list[Pair]:
    """R P P or P P R: the outer slide is eliminated, A cos + B sin = D remains."""
    turn, slide = (first, third) if first.turning else (third, first)
    difference = ca.horzcat(turn.rows[:, 0] - slide.rows[:, 0], turn.rows[:, 1:])
    w = slide.rows[:, 1]
    k = ca.horzcat(-w[1], w[0]) @ difference
    pairs = []
    for name, root in zip("+-", solve_trigonometric(k[1], k[2], -k[0]), strict=True):
        d = ca.dot(w, difference @ ca.vertcat(1, *root.turn)) / ca.dot(w, w)
        if first.turning:
            pairs.append(Pair(name, root.turn, d, root.valid))
        else:
            pairs.append(Pair(name, d, root.turn, root.valid))
    return pairs
