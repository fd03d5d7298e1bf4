"""Lagrange multipliers, index 1 (García de Jalón and Bayo, eq. 5.10):

    [ M  Cᵀ ] [  v̇ ]   [  h ]
    [ C  0  ] [ −λ ] = [ −b ]

All coordinates are integrated. The accelerations satisfy the conditions, positions and velocities drift; after every
accepted step they are returned to the conditions by the smallest correction (``project``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.recursion.loops import LoopAccelerations, loop_accelerations
from linkwork.equations.saddle import Saddle
from linkwork.equations.terms import closure_function, in_entries, make_function, position_functions, terms_function
from linkwork.numerics.flows.constrained import by_multipliers, by_recursion, fallback_count
from linkwork.numerics.flows.flow import Flow

WRITTEN = 400  # unknowns up to which elimination is written out where kernels can factor entries instead
UNWRITTEN = "its accelerations are not one formula: they are factored at every state, with pivots that suit it"
ENTRIES = 20_000  # of M along a tree, beyond which nothing that solves with M stands behind the recursion
MANY = 60  # velocities beyond which elimination of all at once is not tried: it would take far more operations


@dataclass(frozen=True)
class Multipliers(Formulation):
    """Index-1 equations with multipliers; *project* returns every step to the conditions."""

    name: ClassVar[str] = "multipliers"
    summary: ClassVar[str] = "Lagrange multipliers, index 1, all coordinates integrated, steps projected"
    abilities: ClassVar[Abilities] = Abilities(rolling=True, limits=True)

    project: bool = True

    def drifting(self) -> Multipliers:
        return replace(self, project=False)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        along = loop_accelerations(coordinates, coordinates.b, t, y, p)
        if along is not None and not coordinates.limits and entries_of_mass(coordinates) > ENTRIES:
            return recursive_scheme(coordinates, along, self.project)
        functions = index_one_functions(coordinates, coordinates.b, t, y, p, factored=self.project)
        recursive = along is not None and functions.get("accelerate") is along.function
        return multipliers_scheme(functions, self.project, (along.remark,) if recursive and along else ())


def recursive_scheme(c: Coordinates, along: LoopAccelerations, project: bool) -> Scheme:
    """Index-1 equations by the recursion alone: at singular positions a run stops, and says so."""
    functions = {"accelerate": along.function, "closure": closure_function(c), **position_functions(c)}
    return Scheme(functions, by_recursion(project), no_series="", straight="accelerate", remarks=(along.remark,))


def entries_of_mass(c: Coordinates) -> int:
    """About how many entries M of a tree has: those between joints of which one carries the other."""
    carried, total = dict[str, int](), 0
    for step, rates in zip(c.topology.tree.steps, c.kinematics.joint_rates.values(), strict=True):
        own, before = rates.numel(), carried.get(step.inboard, 0)
        carried[step.outboard] = before + own
        total += own * (2 * before + own)
    return total


def multipliers_scheme(functions: Mapping[str, ca.Function], project: bool, remarks: tuple[str, ...] = ()) -> Scheme:
    """Index-1 equations, integrated in all coordinates."""
    no_series = "" if "accelerate" in functions else UNWRITTEN
    procedure = by_multipliers(project)
    return Scheme(functions, procedure, _fallback_notes, no_series=no_series, straight="accelerate", remarks=remarks)


def _fallback_notes(flow: Flow) -> tuple[str, ...]:
    count = fallback_count(flow)
    if not count:
        return ()
    what = "1 evaluation" if count == 1 else f"{count} evaluations"
    return (f"{what} by the null space of the conditions: the order of elimination has small pivots there",)


def index_one_functions(
    c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array, factored: bool = False
) -> dict[str, ca.Function]:
    """Closure, terms and, where an order of pivots exists, straight-line accelerations; *curvature* stands for b.

    factored: whether many unknowns may be factored by their entries instead
    """
    found = {"closure": closure_function(c), "terms": terms_function(c, curvature), **position_functions(c)}
    found |= in_entries(c, curvature)
    large = factored and "sparse_terms" in found and sum(c.jacobian.shape) > WRITTEN
    if large and loop_accelerations(c, curvature, t, y, p) is None:
        return found
    accelerate = accelerate_function(c, curvature, t, y, p)
    if accelerate is not None:
        found["accelerate"] = accelerate
    return found


def accelerate_function(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> ca.Function | None:
    """[q̇, v̇, ṡ, health] with the rows that are independent at the typical state.

    By recursion along the tree or by elimination of all at once, whichever takes fewer operations.
    """
    along = loop_accelerations(c, curvature, t, y, p)
    if along is not None and c.v.numel() > MANY:
        return along.function
    ways = _eliminated(c, curvature, t, y, p), None if along is None else along.function
    known = [function for function in ways if function is not None]
    return min(known, key=lambda function: int(function.n_instructions()), default=None)


def _eliminated(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> ca.Function | None:
    found = Saddle.of(c, t, y, p).solve(curvature)
    if found is None:
        return None
    outputs = {
        "rates": ca.vertcat(c.kinematics.rates, found.solution[: c.v.numel()], c.s_rates),
        "health": found.health,
    }
    return make_function("accelerate", c, outputs)
