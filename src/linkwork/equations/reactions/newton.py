"""Newton's method with all components of every joint (García de Jalón and Bayo, section 6.2.1).

Every joint has as many unknowns x as a body has equations, six in space: a force and a moment along the axes of the world.
The equations of the bodies are joined by auxiliary ones, in which each joint says what it cannot transmit:

    [ K  G ] [ x ]   [ r ]      revolute: M·u = 0         cylindrical: F·u = M·u = 0
    [ A  0 ] [ f ] = [ 0 ],     prismatic: F·u = 0        spherical: M = 0

and so on: the rows of A are a basis of what is perpendicular to all that the joint can push with, whatever its kind. f are
the unknowns of relations, drivers, couplings and motors. Moments are taken about the centres of mass, not about the origin,
which is the same balance in better numbers. Where there are more unknowns than equations, the solution of least norm is
taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkwork.equations.reactions.balance import Array, Balance
from linkwork.equations.reactions.base import ReactionScheme
from linkwork.numerics.matrices.many_matrices import pseudo_inverse
from linkwork.position.geometry import GROUND


@dataclass(frozen=True, eq=False)
class NewtonSystem:
    """The equations of N states: matrix (N, e, u), right side (N, e), and places of the pushes that are no joint's.

    transmitted: for every joint its unknowns, its pushes, and what these are of the first (N, 6, k)
    """

    matrix: Array
    right: Array
    others: list[int]
    transmitted: list[tuple[slice, list[int], Array]]

    def pushes(self, solution: Array, count: int) -> Array:
        """f (N, count) of all pushes from the unknowns (N, u)."""
        found = np.zeros((len(solution), count))
        for unknowns, pushes, directions in self.transmitted:
            if pushes:
                inverse = pseudo_inverse(directions, np.full(len(solution), 1e-12))
                found[:, pushes] = (inverse @ solution[:, unknowns, None])[..., 0]
        found[:, self.others] = solution[:, solution.shape[1] - len(self.others) :]
        return found


def newton_system(balance: Balance) -> NewtonSystem:
    """Equations of all bodies and joints."""
    plan, count = balance.plan, len(balance.right)
    c, k = plan.coordinates, plan.coordinates.space.freedoms
    joints = c.geometry.joints
    size = np.tile([1.0] * c.space.dimension + [c.kinematics.length] * c.space.rotations, len(joints))
    whole = plan.sizes[:, None] * balance.evaluate(plan.all_components)["G"] * size
    others = [i for i, pusher in enumerate(plan.pushers) if pusher not in joints]
    auxiliary, transmitted = [], []
    for place, (name, joint) in enumerate(joints.items()):
        unknowns = slice(place * k, (place + 1) * k)
        rows = balance.rows_of(joint.child if joint.child != GROUND else joint.parent)
        pushes = balance.elements[name][0] if name in balance.elements else []
        directions = np.linalg.solve(whole[:, rows, unknowns], balance.matrix[:, rows][:, :, pushes])
        held = np.zeros((count, k - len(pushes), len(joints) * k))
        held[:, :, unknowns] = np.linalg.svd(directions)[0][:, :, len(pushes) :].swapaxes(-1, -2)
        auxiliary.append(held)
        transmitted.append((unknowns, pushes, directions))
    silent = np.concatenate([np.zeros((count, 0, len(joints) * k)), *auxiliary], axis=1)
    bodies = np.concatenate([whole, balance.matrix[:, :, others]], axis=2)
    joined = np.concatenate([silent, np.zeros((count, silent.shape[1], len(others)))], axis=2)
    right = np.concatenate([balance.right, np.zeros((count, silent.shape[1]))], axis=1)
    return NewtonSystem(np.concatenate([bodies, joined], axis=1), right, others, transmitted)


class NewtonScheme(ReactionScheme):
    """All components of all joints at once."""

    name: ClassVar[str] = "newton"
    summary: ClassVar[str] = "Newton's equations with all components of every joint, and what each cannot transmit"

    def solve(self, balance: Balance) -> Array:
        system = newton_system(balance)
        found = (pseudo_inverse(system.matrix, balance.tolerance) @ system.right[..., None])[..., 0]
        pushes = system.pushes(found, balance.matrix.shape[-1])
        return np.einsum("nci,ni->nc", balance.world, pushes)
