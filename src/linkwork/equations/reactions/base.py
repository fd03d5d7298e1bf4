"""What a way to solve G f = r for the reactions is, and what it says where it cannot work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from linkwork.coordinates.gearing import geared
from linkwork.equations.reactions.balance import Array, Balance
from linkwork.errors import RefusedError
from linkwork.numerics.policy import POLICY

SINGULAR = POLICY.regular  # a matrix whose condition number is above the inverse of this is singular


class ReactionScheme(ABC):
    """One way to get the components (N, nc) of all reactions."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def solve(self, balance: Balance) -> Array:
        """The components W f. What is not unique is no number, but in 'least_squares' and 'newton'."""

    def refuse(self, reason: str, works: str = "least_squares") -> RefusedError:
        """An error that says what works instead."""
        return RefusedError(f"reactions by '{self.name}': {reason}; '{works}' works")

    def require_bodies_alone(self, balance: Balance) -> None:
        """Refuse rotors that are geared, for what takes the inertia of bodies for that of the mechanism."""
        for spin, _ in geared(balance.plan.coordinates.loading.actions):
            raise self.refuse(f"the rotor in '{spin.body}' is geared, and its inertia is no body's", "projection")

    def solve_square(self, balance: Balance, matrix: Array, right: Array) -> Array:
        """Solve regular systems, or say why they are not."""
        conditions = np.linalg.cond(matrix) if matrix.shape[-1] else np.ones(len(matrix))
        worst = int(np.argmax(conditions))
        if conditions[worst] > 1.0 / SINGULAR:
            raise self.refuse(why_open(balance, worst))
        return np.asarray(np.linalg.solve(matrix, right))

    def motions(self, balance: Balance) -> Array:
        """Dᵀ (N, n, k): an orthonormal basis of the motions that the conditions allow; with f they must fill the space."""
        inertia, (count, n, unknowns) = balance.inertia(), balance.matrix.shape
        _, sizes, vt = np.linalg.svd(POLICY.unit_rows(inertia.jacobian * inertia.scale)[0])
        ranks = np.sum(sizes > POLICY.rank, axis=-1)
        freedoms = vt.shape[-1] - ranks
        wrong = np.flatnonzero(freedoms + unknowns != n)
        if wrong.size:
            raise self.refuse(why_open(balance, int(wrong[0])))
        basis = inertia.scale[:, None] * vt[:, vt.shape[-1] - int(freedoms[0]) :].swapaxes(-1, -2)
        motions = inertia.velocities @ basis
        return np.asarray(np.linalg.qr(motions)[0]) if motions.shape[-1] else motions.reshape(count, n, 0)


def why_open(balance: Balance, sample: int) -> str:
    """Why the reactions are not determined at one sample."""
    names = [f"{element}.{name}" for element, name in balance.plan.components]
    loose = [name for name, is_open in zip(names, balance.open[sample], strict=True) if is_open]
    if not loose:
        return "there is a motion that meets no inertia"
    listed = ", ".join(loose[:6]) + (f" and {len(loose) - 6} more" if len(loose) > 6 else "")
    if np.any(np.atleast_1d(balance.open.all(axis=0))[balance.open[sample]]):
        return f"conditions are redundant, and {listed} are not unique"
    return f"the position at t = {balance.time[sample]:.6g} s is singular, and {listed} are not unique there"
