"""Point first: one G and three freedoms of R, P and C (3R1G, 2R1P1G, 1R1C1G, 1R2P1G, 1P1C1G, 3P1G).

Cut at the ball, three freedoms carry a point p onto a point b: E₁ E₂ E₃ p = b. Seen at the middle freedom, y = E₁⁻¹ b
and x = E₃ p lie on circles or lines. A middle R keeps z and |·|², a middle P the two components across its axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import (
    ChainBranch,
    ChainElement,
    ElementMotion,
    Guess,
    across,
    closing_frame,
    cut,
    place_of,
    solve_columns,
    turn_between,
)
from linkwork.closed_form.carrying import Carried, Carrying
from linkwork.closed_form.freedoms import AxisFreedom, FreedomValue, MiddleView, Path, view
from linkwork.closed_form.outer_pair import Outer, OuterPair
from linkwork.closed_form.trigonometric import quadratic_root, trigonometric_root


def solve(chain: Sequence[ChainElement], displacement: Frame) -> list[ChainBranch]:
    """All assemblies (four, two or one) of a chain with one ball."""
    seen, carrying, paths = _read(chain, displacement)
    if not any(f.turning for f in seen.freedoms):
        found = [carrying.complete(_three_slides(seen, paths))]
    elif _is_quadratic(seen):
        found = [carrying.complete(_pair_on(carrying, name, side)) for name, side in (("+", 1), ("-", -1))]
    else:
        found = carrying.all_assemblies()
    return [_branch(chain, displacement, seen, carried) for carried in found]


def solve_on(chain: Sequence[ChainElement], displacement: Frame, side: ca.SX | int) -> ChainBranch:
    """One assembly of a chain with two: +1 the first, −1 the second."""
    seen, carrying, _ = _read(chain, displacement)
    return _branch(chain, displacement, seen, carrying.complete(_pair_on(carrying, "", side)))


def follow(chain: Sequence[ChainElement], displacement: Frame, guesses: Sequence[Guess]) -> ChainBranch:
    """Of the assemblies of a chain with four, the one nearest to what is thought of the elements."""
    seen, carrying, _ = _read(chain, displacement)
    return _branch(chain, displacement, seen, carrying.nearest(seen.guesses(guesses)))


def _read(chain: Sequence[ChainElement], displacement: Frame) -> tuple[MiddleView, Carrying, tuple[Path, Path]]:
    """The closing condition at the middle freedom, E₂ x = y, with the paths of y and x."""
    opened = cut(chain, displacement, place_of(chain, "G"))
    seen = view(opened.around, [opened.start.point, opened.end.point])
    first, middle, third = seen.freedoms
    end = first.point_path(seen.point(opened.end.point), -1)
    start = third.point_path(seen.point(opened.start.point), 1)

    def value_of_middle(of_first: FreedomValue, of_third: FreedomValue) -> FreedomValue:
        x, y = start.at(of_third), end.at(of_first)
        return turn_between(middle.axis, x, y) if middle.turning else ca.dot(middle.axis, y - x)

    def gap(values: Sequence[FreedomValue]) -> tuple[ca.SX, list[ca.SX]]:
        x = middle.carry(values[1], start.at(values[2]))
        by_third = middle.vector(values[1], start.slope(values[2]))
        own = ca.cross(middle.axis, x) if middle.turning else middle.axis
        return x - end.at(values[0]), [-end.slope(values[0]), own, by_third]

    outer = _outer(middle, first, end, -1), _outer(middle, third, start, 1)
    return seen, Carrying(*outer, value_of_middle, gap), (end, start)


def _outer(middle: AxisFreedom, outer: AxisFreedom, path: Path, sign: int) -> Outer:
    """The two conditions of *middle*, its axis a through the origin, on a point that *outer* moves.

    A circle x = c + a cos q + s sin q enters |x|² linearly, since a ⟂ s and |a| = |s|; a line enters as (1, d, d²). With
    r the radius of the circle, det = 2 r² (a × o)·u for the axis u through o of the outer turn and a middle R, r² a·u
    for a middle P.
    """
    start, first, second = path.terms
    if not middle.turning:
        return Outer(
            outer.turning, across(middle.axis) @ ca.horzcat(*path.terms), sign * ca.dot(middle.axis, outer.axis)
        )
    along = [ca.dot(middle.axis, term) for term in path.terms]
    radial = [ca.dot(start, start), 2 * ca.dot(start, first), 2 * ca.dot(start, second)]
    if outer.turning:
        radial[0] += ca.dot(first, first)
    else:
        radial[2] += 1
    rows = ca.vertcat(ca.horzcat(*along), ca.horzcat(*radial))
    return Outer(outer.turning, rows, 2 * sign * ca.dot(ca.cross(middle.axis, outer.point), outer.axis))


def _is_quadratic(seen: MiddleView) -> bool:
    """Whether there are one turn and two slides."""
    return sum(f.turning for f in seen.freedoms) == 1


def _three_slides(seen: MiddleView, paths: tuple[Path, Path]) -> OuterPair:
    end, start = (path.terms[0] for path in paths)
    slides = solve_columns([f.axis for f in seen.freedoms], end - start)
    return OuterPair("1", slides[0], slides[2], ca.SX(1))


def _pair_on(carrying: Carrying, name: str, side: ca.SX | int) -> OuterPair:
    first, third = carrying.first, carrying.third
    if first.turning or third.turning:
        return _turn_and_slide(first, third, name, side)
    return _two_slides(first, third, name, side)


def _two_slides(first: Outer, third: Outer, name: str, side: ca.SX | int) -> OuterPair:
    """P R P: z is linear in (d₁, d₃), a line (d₁, d₃) = base + t direction, on which |·|² is quadratic in t."""
    k0, k1, l1 = first.rows[0, 0] - third.rows[0, 0], first.rows[0, 1], third.rows[0, 1]
    size = ca.sqrt(k1 * k1 + l1 * l1)
    base = (-k0 * k1 / size**2, k0 * l1 / size**2)
    direction = (l1 / size, k1 / size)
    a, b = first.rows[1, 1], third.rows[1, 1]
    c0 = first.rows[1, 0] - third.rows[1, 0] + a * base[0] - b * base[1] + base[0] ** 2 - base[1] ** 2
    c1 = a * direction[0] - b * direction[1] + 2 * (base[0] * direction[0] - base[1] * direction[1])
    c2 = direction[0] ** 2 - direction[1] ** 2
    root = quadratic_root(c0, c1, c2, side)
    return OuterPair(name, base[0] + root.slide * direction[0], base[1] + root.slide * direction[1], root.valid)


def _turn_and_slide(first: Outer, third: Outer, name: str, side: ca.SX | int) -> OuterPair:
    """R P P or P P R: the outer slide is eliminated, A cos + B sin = D remains."""
    turn, slide = (first, third) if first.turning else (third, first)
    difference = ca.horzcat(turn.rows[:, 0] - slide.rows[:, 0], turn.rows[:, 1:])
    w = slide.rows[:, 1]
    k = ca.horzcat(-w[1], w[0]) @ difference
    root = trigonometric_root(k[1], k[2], -k[0], side)
    d = ca.dot(w, difference @ ca.vertcat(1, *root.turn)) / ca.dot(w, w)
    return OuterPair(name, root.turn, d, root.valid) if first.turning else OuterPair(name, d, root.turn, root.valid)


def _branch(chain: Sequence[ChainElement], displacement: Frame, seen: MiddleView, carried: Carried) -> ChainBranch:
    place = place_of(chain, "G")
    found = seen.motions(chain, carried.values)
    axes = closing_frame([found[i].frame for i in sorted(found)], displacement, place).axes
    ball = chain[place].point
    found[place] = ElementMotion(Frame(ball - axes @ ball, axes))
    return ChainBranch(carried.name, tuple(found[i] for i in range(len(chain))), carried.valid)
