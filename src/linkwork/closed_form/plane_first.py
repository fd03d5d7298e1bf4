"""Plane first: one F and three turns (3R1F), the exact dual of point first.

Cut at the flat joint, three turns carry a plane onto a plane. A turn about a middle axis keeps the component of the
normal along the axis and the distance of the plane from a point of the axis; both are linear in the (cosine, sine) of
the outer turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import ChainBranch, ChainElement, Guess, cut, place_of, turn_between
from linkwork.closed_form.carrying import Carried, Carrying
from linkwork.closed_form.freedoms import AxisFreedom, FreedomValue, MiddleView, Path, view
from linkwork.closed_form.normal_first import flat_motion
from linkwork.closed_form.outer_pair import Outer


def solve(chain: Sequence[ChainElement], displacement: Frame) -> list[ChainBranch]:
    """All assemblies (up to four) of a chain with one flat joint and three turns."""
    seen, carrying = _read(chain, displacement)
    return [_branch(chain, displacement, seen, carried) for carried in carrying.all_assemblies()]


def follow(chain: Sequence[ChainElement], displacement: Frame, guesses: Sequence[Guess]) -> ChainBranch:
    """The assembly nearest to what is thought of the elements."""
    seen, carrying = _read(chain, displacement)
    return _branch(chain, displacement, seen, carrying.nearest(seen.guesses(guesses)))


@dataclass(frozen=True, eq=False)
class _Plane:
    """A plane n·x = h that an outer turn moves: the normal n, and h = ``height`` + n·``arm``, for every turn."""

    normal: Path
    arm: ca.SX
    height: ca.SX

    def at(self, value: FreedomValue) -> tuple[ca.SX, ca.SX]:
        n = self.normal.at(value)
        return n, self.height + ca.dot(n, self.arm)


def _read(chain: Sequence[ChainElement], displacement: Frame) -> tuple[MiddleView, Carrying]:
    opened = cut(chain, displacement, place_of(chain, "F"))
    seen = view(opened.around, [opened.start.point, opened.end.point])
    first, middle, third = seen.freedoms
    end = _plane(first, seen.vector(opened.end.axis), seen.point(opened.end.point), -1)
    start = _plane(third, seen.vector(opened.start.axis), seen.point(opened.start.point), 1)

    def turn_of_middle(of_first: FreedomValue, of_third: FreedomValue) -> FreedomValue:
        return turn_between(middle.axis, start.normal.at(of_third), end.normal.at(of_first))

    def gap(values: Sequence[FreedomValue]) -> tuple[ca.SX, list[ca.SX]]:
        # an error of the normal is across n, to first order; the height is put along n: three conditions in one vector
        n, end_height = end.at(values[0])
        m, start_height = start.at(values[2])
        m = middle.vector(values[1], m)
        residual = m - n + (start_height - end_height) * n
        n_by, m_by = end.normal.slope(values[0]), start.normal.slope(values[2])
        by_first = -n_by - ca.dot(n_by, end.arm) * n
        by_third = middle.vector(values[1], m_by) + ca.dot(m_by, start.arm) * n
        return residual, [by_first, ca.cross(middle.axis, m), by_third]

    return seen, Carrying(_outer(middle, first, end, -1), _outer(middle, third, start, 1), turn_of_middle, gap)


def _plane(outer: AxisFreedom, n: ca.SX, point: ca.SX, sign: int) -> _Plane:
    """The plane with the normal *n* through *point* that *outer* turns forwards (*sign* 1) or backwards (−1)."""
    return _Plane(outer.direction_path(n, sign), outer.point, ca.dot(n, point - outer.point))


def _outer(middle: AxisFreedom, outer: AxisFreedom, plane: _Plane, sign: int) -> Outer:
    """The two invariants: a·n of the middle axis a through the origin, and the height of the plane over the origin.

    With r the radius of the circle of n, det = r² (a × o)·u for the axis u through o of the outer turn.
    """
    rows = ca.horzcat(middle.axis, plane.arm).T @ ca.horzcat(*plane.normal.terms)
    rows[1, 0] += plane.height
    return Outer(True, rows, sign * ca.dot(ca.cross(middle.axis, outer.point), outer.axis))


def _branch(chain: Sequence[ChainElement], displacement: Frame, seen: MiddleView, carried: Carried) -> ChainBranch:
    place = place_of(chain, "F")
    found = seen.motions(chain, carried.values)
    found[place] = flat_motion(chain[place], [found[i].frame for i in sorted(found)], displacement, place)
    return ChainBranch(carried.name, tuple(found[i] for i in range(len(chain))), carried.valid)
