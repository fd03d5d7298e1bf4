"""Derivatives of reactions about a state, exact: what a linearisation needs where reactions are among its outputs.

Reactions z = W f follow from Newton's and Euler's equations of all bodies, G f = r (``equations/reactions/reactions.py``).
So

    δz = δW f + W δf,   G δf = δr − δG f

with δr from the variations of y, v̇ and of the inputs. Where conditions are redundant f is not unique, but W f may be: then
W = X G for some X, and every f gives the same δz, as long as the redundancy lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.equations.linear.variations import Variation, VariationalEquations
from linkwork.equations.reactions.balance import DRIFT, OPEN
from linkwork.equations.reactions.reactions import ReactionPlan, plan_reactions
from linkwork.errors import RefusedError
from linkwork.numerics.matrices.many_matrices import pseudo_inverse
from linkwork.numerics.policy import POLICY


class ReactionSlopes:
    """The derivatives of all reactions of a mechanism as functions of its state, made once."""

    def __init__(self, equations: VariationalEquations) -> None:
        self.equations = equations

    @cached_property
    def plan(self) -> ReactionPlan:
        """That of the coordinates with inputs, which push the bodies too."""
        return plan_reactions(self.equations.c)

    @cached_property
    def names(self) -> list[str]:
        return [f"{element}.{component}" for element, component in self.plan.components]

    @cached_property
    def _pushes(self) -> ca.SX:
        return ca.SX.sym("f", len(self.plan.pushes))

    @cached_property
    def _parts(self) -> dict[str, ca.SX]:
        """G, r, W, the error e of the conditions, and what G and W are of |f|."""
        c = self.equations.c
        found = self.plan.function(t=c.t, y=ca.vertcat(c.y, self.equations.vdot), p=c.p)
        parts = {name: found[name] for name in "GrWe"}
        sizes = {"A": parts["G"].shape, "V": parts["W"].shape}
        return parts | {name: found[name] if self.plan.leaning else ca.SX(*shape) for name, shape in sizes.items()}

    @cached_property
    def _values(self) -> ca.Function:
        return self.equations.function(*self._parts.values())

    @cached_property
    def _slopes(self) -> ca.Function:
        """∂/∂(y, v̇, u) of r − G f and of W f, by (t, y, p, v̇, f)."""
        c, vdot, parts = self.equations.c, self.equations.vdot, self._parts
        f, size = self._pushes, ca.fabs(self._pushes)
        gap, given = parts["r"] - parts["G"] @ f - parts["A"] @ size, parts["W"] @ f + parts["V"] @ size
        found = [ca.jacobian(x, of) for x in (gap, given) for of in (c.y, vdot, self.equations.inputs)]
        return ca.Function("slopes", [c.t, c.y, c.p, vdot, self._pushes], [ca.densify(x) for x in found])

    def about(self, variation: Variation, names: Sequence[str]) -> list[Array]:
        """Derivatives of named reactions by y, v̇ and u."""
        plan, at = self.plan, variation.at
        matrix, right, world, error, apart, seen = variation.value(self._values)
        inverse = self._inverse(plan.sizes[:, None] * matrix * plan.scale, float(error[0, 0]))
        if plan.leaning:
            signs = np.sign(inverse @ right.ravel())
            matrix, world = matrix + apart * signs, world + seen * signs
            inverse = self._inverse(plan.sizes[:, None] * matrix * plan.scale, float(error[0, 0]))
        self._check(names, world, inverse @ matrix)
        pushes = inverse @ right.ravel()
        slopes = self._slopes.call([at.t, at.y, at.p, variation.vdot, pushes])
        found = [np.array(x).reshape(self._slopes.size_out(i)) for i, x in enumerate(slopes)]
        rows = [self.names.index(name) for name in names]
        return [(own + world @ (inverse @ gap))[rows] for gap, own in zip(found[:3], found[3:], strict=True)]

    def _inverse(self, matrix: Array, error: float) -> Array:
        """G⁺ from G in forces alone."""
        if not matrix.size:
            return np.zeros(matrix.T.shape)
        zero = max(POLICY.rank, DRIFT * error) * np.linalg.norm(matrix, ord=2)
        return self.plan.scale[:, None] * pseudo_inverse(matrix[None], np.array([zero]))[0] * self.plan.sizes

    def _check(self, names: Sequence[str], world: Array, known: Array) -> None:
        """Refuse components that change with the solution; *known*: G⁺ G."""
        moved = np.abs((world - world @ known) * self.plan.scale).max(axis=1, initial=0.0) > OPEN
        loose = [name for name, is_loose in zip(self.names, moved, strict=True) if is_loose]
        wrong = [name for name in names if name in loose]
        if wrong:
            kept = [name for name in self.names if name not in loose]
            what = f"unique are {', '.join(kept[:8])}" if kept else "none of the reactions is unique"
            raise RefusedError(
                f"'{wrong[0]}' is not unique, as conditions are redundant, and so has no derivative; {what}"
            )
