"""All reactions and efforts of a known motion in one function without branches, where they are determinate.

G f = r of ``reactions``, Newton's and Euler's equations of every body, is then square and regular, and is solved in
symbols by orthogonal factors that leave out its zeros. For whole batches of motions this is much faster than a general
solver; what depends on redundant constraints has no such function.

In singular positions G is singular too, and what is found there is nothing. To tell them G z = w is solved beside it for
loads w of all equations that have the size of one force each and signs in no order: where z is larger than 1/ε, a singular
value of G is smaller than ε.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.reactions.reactions import ReactionPlan, plan_reactions
from linkwork.errors import RefusedError
from linkwork.numerics.policy import POLICY


def loads_function(coordinates: Coordinates, plan: ReactionPlan | None = None) -> ca.Function:
    """The function (t, [y, v̇], p) → components of all reactions, in the order of ``ReactionPlan.components``."""
    known = _loads(coordinates, plan)
    t, state, p = known.sx_in()
    loads = ca.cse(known.call([t, state, p], True, False)[0])
    return ca.Function("loads", [t, state, p], [ca.densify(loads)], ["t", "y", "p"], ["loads"])


def _loads(coordinates: Coordinates, plan: ReactionPlan | None) -> ca.Function:
    """The same, and the size of z."""
    chosen = plan or plan_reactions(coordinates)
    known = chosen.function
    t, state, p = known.sx_in()
    found = known.call([t, state, p])
    g, r, world = (found[known.index_out(name)] for name in ("G", "r", "W"))
    equations, unknowns = g.shape
    if equations != unknowns:
        raise RefusedError(
            f"{unknowns} reactions and efforts in {equations} equations of the bodies are not determinate here: a degree of "
            "freedom "
            "is not driven, or conditions are redundant; inverse_dynamics solves them"
        )
    signs = np.random.default_rng(0).choice([-1.0, 1.0], equations)
    solved = ca.solve(ca.sparsify(g), ca.horzcat(r, ca.SX(signs / chosen.sizes))) if unknowns else ca.SX(0, 2)
    pushes, tried = solved[:, 0], ca.norm_inf(solved[:, 1] / ca.SX(chosen.scale)) if unknowns else ca.SX(0)
    if "A" in known.name_out():
        apart, seen = (found[known.index_out(name)] @ ca.diag(ca.sign(pushes)) for name in "AV")
        pushes, world = ca.solve(ca.sparsify(g + apart), r), world + seen
    return ca.Function("tried_loads", [t, state, p], [world @ pushes, tried])


def prescribed_loads_function(coordinates: Coordinates, motion: ca.Function) -> ca.Function:
    """The function (t, y, p) → [components of all reactions, whether all loops close] of a motion in closed form.

    In singular positions, where loads are not determinate, the last number is none.

    motion: the function 'motion' of the equations, [q, v, v̇, closed]; its p begins with that of the coordinates
    """
    loads = _loads(coordinates, None)
    t, y, p = motion.sx_in()
    found = ca.vertcat(*[ca.densify(item) for item in motion.call([t, y, p], True, False)])
    nq, nv = coordinates.q.numel(), coordinates.v.numel()
    state = ca.vertcat(found[: nq + nv], y[nq + nv :], found[nq + nv : nq + 2 * nv])
    values, tried = loads.call([t, state, p[: coordinates.p.numel()]], True, False)
    known = ca.if_else(tried < 1.0 / POLICY.rank, found[-1], ca.SX(ca.DM.nan()))
    outputs = ca.cse(ca.vertcat(values, known))
    return ca.Function("prescribed_loads", [t, y, p], [ca.densify(outputs)], ["t", "y", "p"], ["loads"])
