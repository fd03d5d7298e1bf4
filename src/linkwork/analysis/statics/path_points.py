"""Positions of rest under changing parameters, and the curve that they lie on, for whatever follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.analysis.statics.resting import FoundRest, RestQuestion
from linkwork.analysis.statics.stiffness import principal
from linkwork.arrays import Array
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.numerics.paths.arc_length import PathSlope
from linkwork.numerics.paths.rest import Rest, balance
from linkwork.position.rank import least_solution
from linkwork.results.equilibrium import stability_of


@dataclass(frozen=True, eq=False)
class PathPoint:
    """A position of rest, with the question that has its parameters."""

    question: RestQuestion
    found: FoundRest

    @property
    def kind(self) -> str:
        """'stable', 'unstable' or 'neutral', as the stiffness alone says."""
        return stability_of(self.found.directions, False)


def changed(question: RestQuestion, places: Sequence[int], values: Array) -> RestQuestion:
    """The same question with other values of the parameters at the *places*."""
    p = question.statics.p.copy()
    p[list(places)] = values
    return replace(question, statics=question.statics.with_parameters(p))


class LoadedCurve:
    """Positions of rest with parameters p + μ Δp: forces in admissible directions and their slopes.

    Displacements are δ = N a + S δμ with C N = 0 and C S = −∂Φ/∂p Δp, so that joints stay closed where a dimension changes;
    with h + Cᵀλ = 0 the forces change by δ(Nᵀh) = −Nᵀ K δ + Nᵀ ∂(h + Cᵀλ)/∂p Δp δμ.
    """

    def __init__(self, question: RestQuestion, change: Array) -> None:
        self.question, self.change, self._first = question, change, question.statics.p

    def at(self, load: float) -> Statics:
        return self.question.statics.with_parameters(self._first + load * self.change)

    def move(self, x: Array, delta: Array, load: float) -> tuple[Array, bool]:
        """x ⊕ δ, all joints closed under a load."""
        statics = self.at(load)
        return statics.close(statics.move(x, delta))

    def slope(self, x: Array, load: float) -> PathSlope:
        statics = self.at(load)
        h, _, jacobian = statics.forces(x)
        push, now = statics.push(h, jacobian), balance(statics, x)
        pulled, opened = statics.load_slope(x, push, self.change)
        shift, by_load = np.zeros(statics.nv), -now.directions.T @ pulled
        if np.any(opened):
            shift = -statics.scale * least_solution(jacobian * statics.scale, opened)
            by_load += now.directions.T @ statics.stiffness(x, push) @ shift
        lift = np.column_stack([now.directions, shift])
        twists = statics.rates(x)[1] @ lift
        gauge = np.vstack([twists, np.eye(1, lift.shape[1], lift.shape[1] - 1)])
        matrix, size = np.column_stack([now.stiffness, by_load]), max(now.stiffest, now.size)
        return PathSlope(now.force, matrix, lift, gauge, now.error, size)

    def point(self, x: Array, load: float) -> PathPoint:
        """A position of the curve with its stiffness and what moves."""
        statics = self.at(load)
        now = balance(statics, x)
        directions, ways = principal(statics, x, now)
        return PathPoint(
            replace(self.question, statics=statics),
            FoundRest(Rest(x, 0, True), now, tuple(directions), ways, statics, {}),
        )
