"""Normal first: one F, two turns and one slide (2R1P1F, 1R1P1S1F, 1P2S1F, 1R1C1F, 1S1C1F).

Cut at the flat joint, the two turns bring one normal onto the other; the offset of the planes is linear in the slide.
The normals are equal, n = +m: a flipped face is another assembly of the sketch, with another zero position.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.turns import Turn
from linkwork.closed_form.base import (
    SLIDING,
    TURNING,
    ChainBranch,
    ChainElement,
    ElementMotion,
    Opened,
    closing_frame,
    cut,
    motion,
    place_of,
    rotate,
    rotation,
    turn_between,
    unit_turn,
)
from linkwork.closed_form.trigonometric import trigonometric_root


def solve(chain: Sequence[ChainElement], displacement: Frame) -> list[ChainBranch]:
    """Both assemblies of a chain with one flat joint, two turns and one slide."""
    return [solve_on(chain, displacement, side, name) for name, side in (("+", 1), ("-", -1))]


def solve_on(chain: Sequence[ChainElement], displacement: Frame, side: ca.SX | int, name: str = "") -> ChainBranch:
    """One assembly of a chain with one flat joint, two turns and one slide: +1 the first, −1 the second."""
    place = place_of(chain, "F")
    opened = cut(chain, displacement, place)
    axes = [element.axis for _, element in opened.around if element.kind in TURNING]
    turns, valid = _align(axes, opened.start.axis, opened.end.axis, side)
    turn_of = dict(zip([i for i, e in opened.around if e.kind in TURNING], turns, strict=True))
    slide = _close_offset(opened, turn_of)
    found = {i: motion(chain[i], turn_of.get(i), slide if chain[i].kind in SLIDING else None) for i, _ in opened.around}
    found[place] = flat_motion(chain[place], [found[i].frame for i in sorted(found)], displacement, place)
    return ChainBranch(name, tuple(found[i] for i in range(len(chain))), valid)


def flat_motion(flat: ChainElement, frames: Sequence[Frame], displacement: Frame, place: int) -> ElementMotion:
    """Motion of the flat joint that the *frames* of all other elements leave to it."""
    left = closing_frame(frames, displacement, place)
    axes, n = left.axes, flat.axis
    # trace R = 1 + 2 cos, and the skew part of R is sin ñ
    cosine = (axes[0, 0] + axes[1, 1] + axes[2, 2] - 1) / 2
    skew = ca.vertcat(axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0], axes[1, 0] - axes[0, 1]) / 2
    turn = unit_turn(cosine, ca.dot(n, skew))
    travel = left.point(flat.point) - flat.point
    slide = travel - ca.dot(n, travel) * n
    # the frame is made of the coordinates, so that what is not planar stays visible as a gap of the loop
    axes = rotation(n, turn)
    return ElementMotion(Frame(flat.point + slide - axes @ flat.point, axes), turn, slide)


def _align(axes: Sequence[ca.SX], start: ca.SX, end: ca.SX, side: ca.SX | int) -> tuple[list[Turn], ca.SX]:
    """Turns with R(a₁, θ₁) R(a₂, θ₂) *start* = *end*, and their validity.

    a₁ · R(a₂, θ₂) m = a₁ · n is A cos θ₂ + B sin θ₂ = D; then θ₁ carries R(a₂, θ₂) m onto n.
    """
    first, second = axes
    along = ca.dot(first, second) * ca.dot(second, start)
    a = ca.dot(first, start) - along
    b = ca.dot(first, ca.cross(second, start))
    root = trigonometric_root(a, b, ca.dot(first, end) - along, side)
    return [turn_between(first, rotate(second, root.turn, start), end), root.turn], root.valid


def _close_offset(opened: Opened, turn_of: dict[int, Turn]) -> ca.SX:
    """Slide (m) that brings the point p of the start into the plane: n · (E(d = 0) p − o) + d n · Q a = 0."""
    # from the last element to the first: where p gets to, and the direction of the slide
    reached, direction = opened.start.point, ca.SX(3, 1)
    for i, element in reversed(opened.around):
        if i in turn_of:
            reached = element.point + rotate(element.axis, turn_of[i], reached - element.point)
            direction = rotate(element.axis, turn_of[i], direction)
            if element.kind == "S":
                reached = reached + element.advance(turn_of[i]) * element.axis
        if element.kind in SLIDING:
            direction = element.axis
    n = opened.end.axis
    return -ca.dot(n, reached - opened.end.point) / ca.dot(n, direction)
