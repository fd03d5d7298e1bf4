"""Minimal coordinates by coordinate partitioning: q_D = g(q_I, t) by Newton's method on the closing conditions.

    v_D = A v_I + η,   A = −C_D⁻¹ C_I,   M' v̇_I = h',   M' = D M Dᵀ,   D = [I Aᵀ]

The independent coordinates are chosen by the projective criterion, which weighs the directions with their inertia, and
change during the run when another set becomes clearly better. The state keeps all of q and v: the dependent ones are
starting values for Newton's method, so that a change of set neither restarts the integrator nor costs order.

Conditions on velocities alone make more velocities than positions dependent. Then all positions are integrated, and return
to the conditions by the smallest correction; velocities and accelerations are those of the independent set as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme, no_notes
from linkwork.equations.formulations.multipliers import index_one_functions, multipliers_scheme
from linkwork.equations.recursion.accelerations import tree_accelerations
from linkwork.equations.recursion.slopes import tree_slope
from linkwork.equations.terms import closure_function, in_entries, position_functions, terms_function
from linkwork.numerics.flows.constrained import by_accelerations, by_partition, partition_log
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.r_matrix import by_extended_set, step_counts

LISTED = 6  # changes in a note

INTEGRATED = ("independent", "all")
"""Positions that are integrated: the independent ones, or all."""


@dataclass(frozen=True)
class Partitioning(Formulation):
    """Independent coordinates integrated, the others solved for; no drift is possible.

    *switch_ratio*: the set changes when its criterion falls below this fraction of that of the best set.
    *integrate*: ``"independent"`` solves for the dependent positions in every evaluation; ``"all"`` integrates all positions
    with the independent velocities (Paul's extended set), and returns the dependent ones to the conditions after a step
    that leaves a row open by more than *tolerance*, relative to the size of the mechanism.
    """

    name: ClassVar[str] = "partitioning"
    summary: ClassVar[str] = (
        "minimal coordinates, dependent ones by Newton, independent set by the projective criterion"
    )
    abilities: ClassVar[Abilities] = Abilities(rolling=True, limits=True, singular_positions=True)

    switch_ratio: float = 0.5
    integrate: str = "independent"
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        self.require("integrate", INTEGRATED)
        self.require_numbers(not_negative=("tolerance",), fractions=("switch_ratio",))

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        if not coordinates.rows:
            return open_scheme(coordinates, t, y, p)
        procedure = by_partition(self.switch_ratio)
        if self.integrate == "all":
            procedure = by_extended_set(self.switch_ratio, self.tolerance)
        names = coordinates.kinematics.v_names

        def notes(flow: Flow) -> tuple[str, ...]:
            return *partition_notes(flow, names), *(correction_notes(flow) if self.integrate == "all" else ())

        return Scheme(closing_functions(coordinates), procedure, notes)


def closing_functions(c: Coordinates) -> dict[str, ca.Function]:
    """What coordinate partitioning needs of a mechanism with loops."""
    known = {"closure": closure_function(c), "terms": terms_function(c, c.b), **position_functions(c)}
    return known | in_entries(c, c.b)


def open_scheme(c: Coordinates, t: float, y: Array, p: Array) -> Scheme:
    """An open mechanism: all coordinates are independent, and accelerations follow in straight-line code.

    They come by recursion along the joints, where nothing but rigid bodies resists; else M v̇ = h is eliminated.
    """
    found = tree_accelerations(c, t, y, p) if c.along_tree and c.v.numel() else None
    if found is not None:
        functions = {"accelerate": found.function, **position_functions(c)}
        plain = Scheme(
            functions, by_accelerations(), no_notes, no_series="", straight="accelerate", remarks=(found.remark,)
        )
        if c.kinematics.identities:
            # recursion knows displacements along these alone, and steps leave them a little: differentiation
            return plain
        slope = cache(partial(tree_slope, c, found))

        def notes(flow: Flow) -> tuple[str, ...]:
            return () if flow.slope is None else (slope().remark,)

        return replace(plain, notes=notes, slope=lambda: slope().function)
    return replace(multipliers_scheme(index_one_functions(c, c.b, t, y, p), project=True), notes=no_notes)


def partition_notes(flow: Flow, names: Sequence[str]) -> tuple[str, ...]:
    """Which coordinates are independent, and when others were; nothing where all motion is prescribed."""
    log = partition_log(flow)
    first = _listed(names, log.initial)
    history = [(time, _listed(names, chosen)) for time, chosen in log.history]
    return (f"independent: {first}{changes_text(log.changes, history)}",) if first else ()


def _listed(names: Sequence[str], chosen: Iterable[int]) -> str:
    """Rates by their names; components of an angular velocity in axes of its body are no quantities: in words."""
    return ", ".join(re.sub(r"^(.+)\.spin([xyz])$", r"the turning of \1 about its \2 axis", names[i]) for i in chosen)


def changes_text(changes: int, history: Sequence[tuple[float, str]]) -> str:
    """How often a set of independent coordinates has changed, and when to which."""
    if not changes:
        return ""
    times = "; ".join(f"{time:.4g} s: {names}" for time, names in history[:LISTED])
    often = "once" if changes == 1 else f"{changes} times"
    return f"; the set changed {often} ({times}{'; ...' if changes > LISTED else ''})"


def correction_notes(flow: Flow) -> tuple[str, ...]:
    """How often positions that are integrated have been returned to the conditions."""
    count = step_counts(flow).solved
    return (f"positions returned to the conditions after {count} step{'' if count == 1 else 's'}",)
