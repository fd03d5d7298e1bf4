"""Plane first: one F and three turns (3R1F), the exact dual of point first.

Cut at the flat joint, three turns carry a plane onto a plane. A turn about a middle axis keeps the component of the
normal along the axis and the distance of the plane from a point of the axis; both are linear in the (cosine, sine) of
the outer turns.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import Branch, Element, cut, place_of, reversed_turn, turn_between
from linkwork.closed_form.freedoms import (
    Freedom,
    Value,
    carried_direction,
    carried_point,
    motions,
    polish,
    scaled,
    split,
)
from linkwork.closed_form.normal_first import flat_motion
from linkwork.closed_form.outer_pair import Outer, Pair, solve_pair


def solve(chain: Sequence[Element], displacement: Frame) -> list[Branch]:
    """All assemblies (up to four) of a chain with one flat joint and three turns."""
    place = place_of(chain, "F")
    flat = chain[place]
    freedoms = split(cut(chain, displacement, place))
    back = displacement.inverse()
    m, p = back.vector(flat.axis), back.point(flat.point)
    # lengths from the point of the flat joint, in units of the size of the loop
    distances = [f.point - flat.point for f in freedoms] + [p - flat.point]
    size = ca.sqrt(sum((ca.dot(v, v) for v in distances), ca.SX(0)))
    units = scaled(freedoms, flat.point, size)
    p = distances[-1] / size
    branches = []
    first, middle, third = units
    outer = [_outer(middle, first, flat.axis, ca.SX(0), -1), _outer(middle, third, m, ca.dot(m, p), 1)]
    for pair in solve_pair(*outer):
        values, valid = _with_middle(units, pair, (m, p), flat.axis)
        found = motions(chain, freedoms, values, size)
        found[place] = flat_motion(flat, [found[i].frame for i in sorted(found)], displacement, place)
        branches.append(Branch(pair.name, tuple(found[i] for i in range(len(chain))), valid))
    return branches


def _outer(middle: Freedom, outer: Freedom, n: ca.SX, height: ca.SX, sign: int) -> Outer:
    """The two conditions of *middle* on the plane n·x = height that *outer* turns forwards (1) or backwards (−1).

    n(q) = c + a cos q + s sin q, and h − n·o₃ is kept by the outer turn, so h − n·o₂ = h₀ + n(q)·(o₃ − o₂).
    """
    centre = ca.dot(outer.axis, n) * outer.axis
    terms = ca.horzcat(centre, n - centre, sign * ca.cross(outer.axis, n - centre))
    rows = ca.horzcat(middle.axis, outer.point - middle.point).T @ terms
    rows[1, 0] += height - ca.dot(n, outer.point)
    return Outer(True, rows, ca.dot(n - centre, n - centre))


def _with_middle(
    freedoms: Sequence[Freedom], pair: Pair, plane: tuple[ca.SX, ca.SX], n: ca.SX
) -> tuple[list[Value], ca.SX]:
    """The values of all three turns and their validity: the middle one carries normal onto normal, then the last steps."""
    first, middle, third = freedoms
    back = reversed_turn(pair.first) if isinstance(pair.first, tuple) else pair.first
    turn = turn_between(middle.axis, third.vector(pair.third, plane[0]), first.vector(back, n))

    def gap(f: Sequence[Freedom], values: Sequence[Value]) -> tuple[ca.SX, list[ca.SX]]:
        # an error of the normal is across n, to first order; the height is put along n: three conditions in one vector
        direction, direction_by = carried_direction(f, values, plane[0])
        point, point_by = carried_point(f, values, plane[1])
        residual = direction - n + ca.dot(n, point) * n
        return residual, [d + ca.dot(n, x) * n for d, x in zip(direction_by, point_by, strict=True)]

    return polish(freedoms, [pair.first, turn, pair.third], pair.valid, gap)
