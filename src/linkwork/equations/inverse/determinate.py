"""All reactions and efforts of a known motion in one function without branches, where they are determinate.

G f = r of ``reactions``, Newton's and Euler's equations of every body, is then square and regular, and is solved in
symbols by orthogonal factors that leave out its zeros. For whole batches of motions this is much faster than a general
solver; what depends on redundant constraints has no such function.
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.reactions.reactions import ReactionPlan, plan_reactions
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
            f"{unknowns} reactions and efforts in {equations} equations of the bodies are not determinate here: a degree of "
            "freedom "
            "is not driven, or conditions are redundant; inverse_dynamics solves them"
        )
    pushes = ca.solve(ca.sparsify(g), r) if unknowns else ca.SX(0, 1)
    if "A" in known.name_out():
        apart, seen = (found[known.index_out(name)] @ ca.diag(ca.sign(pushes)) for name in "AV")
        pushes, world = ca.solve(ca.sparsify(g + apart), r), world + seen
    loads = ca.cse(world @ pushes)
    return ca.Function("loads", [t, state, p], [ca.densify(loads)], ["t", "y", "p"], ["loads"])


def prescribed_loads_function(coordinates: Coordinates, motion: ca.Function) -> ca.Function:
    """The function (t, y, p) → [components of all reactions, whether all loops close] of a motion in closed form.

    motion: the function 'motion' of the equations, [q, v, v̇, closed]; its p begins with that of the coordinates
    """
    loads = loads_function(coordinates)
    t, y, p = motion.sx_in()
    found = ca.vertcat(*[ca.densify(item) for item in motion.call([t, y, p], True, False)])
    nq, nv = coordinates.q.numel(), coordinates.v.numel()
    state = ca.vertcat(found[: nq + nv], y[nq + nv :], found[nq + nv : nq + 2 * nv])
    values = loads.call([t, state, p[: coordinates.p.numel()]], True, False)[0]
    outputs = ca.cse(ca.vertcat(values, found[-1]))
    return ca.Function("prescribed_loads", [t, y, p], [ca.densify(outputs)], ["t", "y", "p"], ["loads"])
