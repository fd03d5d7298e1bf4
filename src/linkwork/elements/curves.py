"""A curve fixed in a body: its points as a function of a parameter u, with tangents, normals and curvature.

In the plane the normal is on the left of the direction of growing u. With the curvature k towards the normal, the curve
at the distance r on the side of the normal, c + r n, has the tangent (1 − r k) c' and the same normals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.arrays import Array

ToNumbers = Callable[[ca.SX], Array]
"""The value of an expression of the live parameters."""
SAMPLES = 721


@dataclass(frozen=True, eq=False)
class BodyCurve:
    """c(u) (d) in the axes of a body, from ``first`` to ``last``; a closed one begins again where it ends."""

    formula: Callable[[ca.SX], ca.SX]
    first: ca.SX
    last: ca.SX
    closed: bool
    unit: str = ""  # of u: m, rad, or none
    beside: BodyCurve | None = None  # the curve that it keeps a distance from, whose normals it has

    def point(self, u: ca.SX) -> ca.SX:
        """c(u)."""
        if not self.closed:
            return self.formula(u)
        period = self.last - self.first
        return self.formula(u - period * ca.floor((u - self.first) / period))

    def tangent(self, u: ca.SX) -> ca.SX:
        """c'(u)."""
        return derivative(self.point, u)

    def normal(self, u: ca.SX) -> ca.SX:
        """The unit vector on the left, in the plane; a fixed one where the curve stands still."""
        if self.beside is not None:
            return self.beside.normal(u)
        along = self.tangent(u)
        along += ca.vertcat(ca.dot(along, along) == 0, 0)
        return ca.vertcat(-along[1], along[0]) / ca.norm_2(along)

    def curvature(self, u: ca.SX) -> ca.SX:
        """The curvature towards the normal, in the plane."""
        along, bending = self.tangent(u), derivative(self.tangent, u)
        return (along[0] * bending[1] - along[1] * bending[0]) / ca.norm_2(along) ** 3

    def offset(self, distance: ca.SX) -> BodyCurve:
        """The curve at a distance on the side of the normal, in the plane."""
        once = replace(self, closed=False)
        return replace(self, formula=lambda u: once.point(u) + distance * once.normal(u), beside=self)

    def seen(self, plane: list[int]) -> BodyCurve:
        """The curve in two of its coordinates."""
        return replace(self, formula=lambda u: self.formula(u)[plane])

    def steepness(self, number: ToNumbers) -> Array:
        """How nearly it runs along every axis (d): the largest cosines between its tangents and the axis."""
        along = self.tabulate(self.tangent, number)[1]
        return np.max(np.abs(along) / np.linalg.norm(along, axis=1, keepdims=True), axis=0)

    def nearest(self, place: Array, number: ToNumbers) -> float:
        """About the u of the point of the curve that is nearest to a place."""
        u, points = self.tabulate(self.point, number)
        return float(u[int(np.argmin(np.linalg.norm(points - place, axis=1)))])

    def tabulate(
        self, quantity: Callable[[ca.SX], ca.SX], number: ToNumbers, count: int = SAMPLES
    ) -> tuple[Array, Array]:
        """Values of u (count) all along the curve, both ends included, and of a quantity there (count × n)."""
        u = ca.SX.sym("u")
        expression = ca.densify(quantity(u))
        free = [symbol for symbol in ca.symvar(expression) if not ca.is_equal(symbol, u)]
        function = ca.Function("quantity", [u, *free], [expression]).map(count)
        first, last = (float(np.ravel(number(end))[0]) for end in (self.first, self.last))
        places = np.linspace(first, last, count)
        values = [np.full((1, count), np.ravel(number(symbol))[0]) for symbol in free]
        return places, np.array(function(places[None, :], *values)).T


def derivative(function: Callable[[ca.SX], ca.SX], u: ca.SX) -> ca.SX:
    """The derivative of a function of one number."""
    symbol = ca.SX.sym("u")
    return ca.substitute(ca.jacobian(function(symbol), symbol), symbol, u)
