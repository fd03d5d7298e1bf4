"""Reactions by virtual power (García de Jalón and Bayo, section 6.2.5.2): a virtual motion w* in which one component of one
reaction alone has power gives that component,

    f · 1 = w*ᵀ (M ẇ − h).

Three ways to find w*: one joint is cut, one body is taken out, or one condition is given a rate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkwork.equations.reactions.balance import OPEN, Array, Balance
from linkwork.equations.reactions.base import ReactionScheme
from linkwork.numerics.matrices.many_matrices import pseudo_inverse, rest_beyond


@dataclass(frozen=True)
class ConstraintScheme(ReactionScheme):
    """One condition is given a unit rate, all others and the inputs none: Gᵀ w* = e, D w* = 0, factored once for all.

    *nearest*: where conditions are redundant no motion varies one alone, and the motion that comes nearest is taken, whose
    power is the reaction of least norm.
    """

    name: ClassVar[str] = "constraint_variation"
    summary: ClassVar[str] = "virtual power with a unit rate of one condition after the other"

    nearest: bool = False

    def solve(self, balance: Balance) -> Array:
        if self.nearest and balance.open.any():
            virtual = pseudo_inverse(balance.matrix.swapaxes(-1, -2), balance.tolerance)
            return np.einsum("nic,ni->nc", virtual @ balance.world.swapaxes(-1, -2), balance.right)
        matrix = np.concatenate([balance.matrix, self.motions(balance)], axis=-1).swapaxes(-1, -2)
        rates = np.zeros((*matrix.shape[:2], balance.world.shape[1]))
        rates[:, : balance.matrix.shape[-1]] = balance.world.swapaxes(-1, -2)
        virtual = self.solve_square(balance, matrix, rates)
        return np.einsum("nic,ni->nc", virtual, balance.right)


@dataclass(frozen=True)
class JointScheme(ReactionScheme):
    """One joint is cut: of the motions that this sets free, w* opens the joint along one component alone.

    *only*: the elements that are wanted; all others are left at zero.
    """

    name: ClassVar[str] = "joint_elimination"
    summary: ClassVar[str] = "virtual power of a motion that opens one joint after the other"

    only: frozenset[str] | None = None

    def solve(self, balance: Balance) -> Array:
        values, zero = np.zeros(balance.world.shape[:2]), balance.tolerance
        for pushes, components in wanted_elements(balance, self.only).values():
            others = np.delete(balance.matrix, pushes, axis=-1)
            # when nothing else may open
            opening = rest_beyond(balance.matrix[:, :, pushes], others, zero).swapaxes(-1, -2)
            wanted = balance.world[:, components][:, :, pushes]
            virtual = wanted @ pseudo_inverse(opening, zero).swapaxes(-1, -2)
            missed = np.abs(virtual @ opening.swapaxes(-1, -2) - wanted).max(axis=-1, initial=0.0)
            found = np.einsum("nci,ni->nc", virtual, balance.right)
            values[:, components] = np.where(missed > OPEN, np.nan, found)
        return values


@dataclass(frozen=True)
class ElementScheme(ReactionScheme):
    """One body is taken out: its own equilibrium and the virtual power of what is left give the pushes on it alone.

    *only*: the elements that are wanted; all others are left at zero.
    """

    name: ClassVar[str] = "element_elimination"
    summary: ClassVar[str] = "equilibrium of one body after the other, with the virtual power of all others"

    only: frozenset[str] | None = None

    def solve(self, balance: Balance) -> Array:
        values, plan = np.zeros(balance.world.shape[:2]), balance.plan
        elements = wanted_elements(balance, self.only)
        for body in dict.fromkeys(plan.touched(element)[0] for element in elements):
            mine = [name for name in elements if plan.touched(name)[0] == body]
            pushes, found, free = self._pushes_on(balance, body)
            for name in mine:
                components = elements[name][1]
                wanted = balance.world[:, components][:, :, pushes]
                loose = np.abs(wanted @ free).max(axis=-1, initial=0.0)
                values[:, components] = np.where(loose > OPEN, np.nan, (wanted @ found)[..., 0])
        return values

    def _pushes_on(self, balance: Balance, body: str) -> tuple[list[int], Array, Array]:
        """The pushes on a body, their values (N, k, 1), and a projection (N, k, k) on what is not unique of them."""
        own, zero = balance.rows_of(body), balance.tolerance
        touching = [i for i, push in enumerate(balance.plan.pushes) if body in [item[0] for item in push.wrenches]]
        rest = np.delete(np.concatenate([balance.matrix, balance.right[..., None]], axis=-1), own, axis=1)
        others, part = np.delete(rest, [*touching, -1], axis=-1), rest[:, :, [*touching, -1]]
        powers = rest_beyond(part, others, zero)  # of the motions of the rest that the other pushes allow
        matrix = np.concatenate([balance.matrix[:, own][:, :, touching], powers[..., :-1]], axis=1)
        right = np.concatenate([balance.right[:, own, None], powers[..., -1:]], axis=1)
        solved = pseudo_inverse(matrix, zero)
        return touching, solved @ right, np.eye(len(touching)) - solved @ matrix


def wanted_elements(balance: Balance, only: Collection[str] | None) -> Mapping[str, tuple[list[int], list[int]]]:
    """The elements of a balance with the places of their pushes and components, or some of them."""
    return {name: item for name, item in balance.elements.items() if only is None or name in only}
