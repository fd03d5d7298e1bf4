"""Rotations first: three turns, three slides, no G and no F (3R3P to 3C, ten rows).

The turns close the orientation alone; the slides then follow from three linear equations (Lee and Youm).
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
    across,
    motion,
    reversed_turn,
    rotate,
    solve_columns,
    turn_between,
)
from linkwork.closed_form.trigonometric import trigonometric_root


def solve(chain: Sequence[ChainElement], displacement: Frame) -> list[ChainBranch]:
    """Both assemblies of a chain with three turns and three slides."""
    return [solve_on(chain, displacement, side, name) for name, side in (("+", 1), ("-", -1))]


def solve_on(chain: Sequence[ChainElement], displacement: Frame, side: ca.SX | int, name: str = "") -> ChainBranch:
    """One assembly of a chain with three turns and three slides: +1 the first, −1 the second."""
    axes = [element.axis for element in chain if element.kind in TURNING]
    turns, valid = orient(axes, displacement.axes, side)
    return ChainBranch(name, _close_position(chain, turns, displacement), valid)


def orient(axes: Sequence[ca.SX], target: ca.SX, side: ca.SX | int) -> tuple[list[Turn], ca.SX]:
    """Turns with R(a₁, θ₁) R(a₂, θ₂) R(a₃, θ₃) = *target* (3 × 3), and their validity.

    a₁ᵀ R(a₂, θ₂) a₃ = a₁ᵀ R a₃ is A cos θ₂ + B sin θ₂ = D; then θ₁ carries R(a₂, θ₂) a₃ onto R a₃, and θ₃ is the
    angle of R(a₂, θ₂)ᵀ R(a₁, θ₁)ᵀ R, read off a direction across a₃.
    """
    first, middle, last = axes
    along = ca.dot(first, middle) * ca.dot(middle, last)
    a = ca.dot(first, last) - along
    b = ca.dot(first, ca.cross(middle, last))
    image = target @ last
    root = trigonometric_root(a, b, ca.dot(first, image) - along, side)
    turn_first = turn_between(first, rotate(middle, root.turn, last), image)
    beside = across(last)[0, :].T
    back = rotate(first, reversed_turn(turn_first), target @ beside)
    turn_last = turn_between(last, beside, rotate(middle, reversed_turn(root.turn), back))
    return [turn_first, root.turn, turn_last], root.valid


def _close_position(
    chain: Sequence[ChainElement], turns: Sequence[Turn], displacement: Frame
) -> tuple[ElementMotion, ...]:
    """Motions of all elements: the three slides (m) solve Σ dᵢ Qᵢ₋₁ aᵢ = d − d(all slides zero)."""
    remaining = iter(turns)
    turn_of = [next(remaining) if element.kind in TURNING else None for element in chain]
    # from the last element to the first: where the origin gets to, and the directions of the slides behind it
    reached, columns = ca.SX(3, 1), list[ca.SX]()
    for element, turn in zip(reversed(chain), reversed(turn_of), strict=True):
        if turn is not None:
            reached = element.point + rotate(element.axis, turn, reached - element.point)
            columns = [rotate(element.axis, turn, column) for column in columns]
            if element.kind == "S":
                reached = reached + element.advance(turn) * element.axis
        if element.kind in SLIDING:
            columns.insert(0, element.axis)
    slides = iter(ca.vertsplit(solve_columns(columns, displacement.origin - reached)))
    return tuple(
        motion(element, turn, next(slides) if element.kind in SLIDING else None)
        for element, turn in zip(chain, turn_of, strict=True)
    )
