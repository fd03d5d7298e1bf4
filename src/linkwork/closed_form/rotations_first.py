"""Rotations first: three turns, three slides, no G and no F (3R3P to 3C, ten rows).

The turns close the orientation alone; the slides then follow from three linear equations (Lee and Youm).
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import (
    SLIDING,
    TURNING,
    Branch,
    Element,
    Motion,
    Turn,
    across,
    compose,
    motion,
    reversed_turn,
    rotate,
    solve_columns,
    turn_between,
)
from linkwork.closed_form.trigonometric import solve_trigonometric


def solve(chain: Sequence[Element], displacement: Frame) -> list[Branch]:
    """Both assemblies of a chain with three turns and three slides."""
    axes = [element.axis for element in chain if element.kind in TURNING]
    return [
        Branch(name, _close_position(chain, turns, displacement), valid)
        for name, (turns, valid) in zip("+-", orient(axes, displacement.axes), strict=True)
    ]


def orient(axes: Sequence[ca.SX], target: ca.SX) -> list[tuple[list[Turn], ca.SX]]:
    """Turns with R(a₁, θ₁) R(a₂, θ₂) R(a₃, θ₃) = *target* (3 × 3), and their validity.

    a₁ᵀ R(a₂, θ₂) a₃ = a₁ᵀ R a₃ is A cos θ₂ + B sin θ₂ = D; then θ₁ carries R(a₂, θ₂) a₃ onto R a₃, and θ₃ is the
    angle of R(a₂, θ₂)ᵀ R(a₁, θ₁)ᵀ R, read off a direction across a₃.
    """
    first, middle, last = axes
    along = ca.dot(first, middle) * ca.dot(middle, last)
    a = ca.dot(first, last) - along
    b = ca.dot(first, ca.cross(middle, last))
    d = ca.dot(first, target @ last) - along
    solutions = []
    for root in solve_trigonometric(a, b, d):
        turn_first = turn_between(first, rotate(middle, root.turn, last), target @ last)
        beside = across(last)[0, :].T
        back = rotate(first, reversed_turn(turn_first), target @ beside)
        turn_last = turn_between(last, beside, rotate(middle, reversed_turn(root.turn), back))
        solutions.append(([turn_first, root.turn, turn_last], root.valid))
    return solutions


def _close_position(chain: Sequence[Element], turns: Sequence[Turn], displacement: Frame) -> tuple[Motion, ...]:
    """Motions of all elements: the three slides (m) solve Σ dᵢ Qᵢ₋₁ aᵢ = d − d(all slides zero)."""
    remaining = iter(turns)
    turn_of = [next(remaining) if element.kind in TURNING else None for element in chain]
    still = [motion(element, turn) for element, turn in zip(chain, turn_of, strict=True)]
    before = [compose([m.frame for m in still[:i]]) for i in range(len(chain))]
    columns = [frame.vector(e.axis) for frame, e in zip(before, chain, strict=True) if e.kind in SLIDING]
    reached = compose([m.frame for m in still]).origin
    slides = iter(ca.vertsplit(solve_columns(columns, displacement.origin - reached)))
    return tuple(
        motion(element, turn, next(slides) if element.kind in SLIDING else None)
        for element, turn in zip(chain, turn_of, strict=True)
    )
