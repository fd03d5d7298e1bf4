"""Loads that are formulas of themselves: friction x, which grows with what joints press with, which friction changes.

What is read of the conditions is affine in x, π = π⁰ + L x, and x = R(π, x). Newton's method in a given number of steps from
x = 0 is written out,

    x ← x − (1 − R')⁻¹ (x − R),   R' = ∂R/∂x + ∂R/∂π L,

which ends after one step where R is affine, and doubles its digits where sizes of forces bend it. The determinant of 1 − R'
is one without friction. Where it comes to zero, x grows without end: what slips there jams, and beyond there is no motion
that slips this way, or several. Such a place, and one where the steps have not found x, has no room left (``Bound``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.linear import solve_linear
from linkwork.elements.contribution import Implied

STEPS = 8
SINGULAR = 1e-6  # determinant of 1 − R' that is none
FOUND = 1e-9  # x − R, of the largest x, that is none


@dataclass(frozen=True, eq=False)
class ImpliedLoads:
    """x (n) as an expression, and its room: positive where it has one value."""

    x: ca.SX
    room: ca.SX


def implied_of(items: Sequence[Implied], pi: ca.SX, read: tuple[ca.SX, ca.SX]) -> ImpliedLoads:
    """x of the *items*; read: π⁰ (m) and L (m × n)."""
    n = len(items)
    x, values = ca.vertcat(*[item.symbol for item in items]), ca.vertcat(*[item.value for item in items])
    start, slope = ca.SX.sym("start", pi.numel()), ca.SX.sym("slope", pi.numel(), n)
    left = x - ca.substitute(values, pi, start + slope @ x)
    given = [start, ca.vec(slope), ca.vertcat(ca.SX(0, 1), *_others(left, (x, start, slope)))]
    step = ca.Function("step", [x, *given], [left, ca.jacobian(left, x)])
    at = [ca.densify(read[0]), ca.vec(ca.densify(read[1])), given[-1]]
    found = ca.SX.zeros(n)
    # one step is exact where R is affine
    affine = not ca.depends_on(ca.jacobian(left, x), x)
    for _ in range(1 if affine else STEPS):
        wrong, matrix = step.call([found, *at], True, False)
        found = found - solve_linear(ca.densify(matrix), ca.densify(wrong))[0]
    wrong, matrix = step.call([found, *at], True, False)
    determinant = solve_linear(ca.densify(matrix), ca.densify(wrong))[1]
    missed = ca.norm_inf(wrong) - FOUND * ca.norm_inf(found)
    room = ca.if_else(missed > 0, ca.fmin(determinant, 0) - missed, determinant - SINGULAR)
    return ImpliedLoads(*ca.cse([found, room]))


def _others(expression: ca.SX, own: tuple[ca.SX, ...]) -> list[ca.SX]:
    """The symbols of an expression but its own."""
    mine = {symbol.element_hash() for item in own for symbol in ca.vertsplit(ca.vec(item))}
    return [symbol for symbol in ca.symvar(expression) if symbol.element_hash() not in mine]
