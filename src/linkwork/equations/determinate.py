"""All reactions and efforts of a known motion in one function without branches, where they are determinate.

G f = r of ``reactions``, Newton's and Euler's equations of every body, is then square and regular, and is solved in
symbols by orthogonal factors that leave out its zeros. For whole batches of motions this is much faster than a general
solver; what depends on redundant conditions has no such function.
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.reactions import ReactionPlan, plan_reactions
from linkwork.errors import RefusedError


def loads_function(coordinates: Coordinates, plan: ReactionPlan | None = None) -> ca.Function:
    """The function (t, [y, v̇], p) → components of all reactions, in the order of ``ReactionPlan.components``."""
    known = (plan or plan_reactions(coordinates)).function
    t, state, p = known.sx_in()
    found = known.call([t, state, p])
    g, r, world = (found[known.index_out(name)] for name in ("G", "r", "W"))
    equations, unknowns = g.shape
    if equations != unknowns:
        raise RefusedError(
            f"{unknowns} reactions and efforts in {equations} equations of the bodies are not determinate here: a freedom "
            "is not driven, or conditions are redundant; inverse_dynamics solves them"
        )
    loads = ca.cse(world @ ca.solve(ca.sparsify(g), r)) if unknowns else ca.SX(world.shape[0], 1)
    return ca.Function("loads", [t, state, p], [ca.densify(loads)], ["t", "y", "p"], ["loads"])
