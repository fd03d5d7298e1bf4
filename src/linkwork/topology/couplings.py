"""Couplings as linear relations between joint coordinates: Σ cᵢ φᵢ = constant of the assembly.

The factors are expressions of the live parameters. A coupling pushes along each of its coordinates with cᵢ λ, so that its
power λ Σ cᵢ φ̇ᵢ vanishes.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.model import Coupling, Model
from linkwork.topology.geometry import Term
from linkwork.topology.labels import RowLabel


def resolve_couplings(model: Model, value: Callable[[Expression], ca.SX]) -> dict[str, tuple[Term, ...]]:
    """The terms of all couplings; *value* gives the expression of a formula of parameters."""
    return {name: _gear(model, coupling, value) for name, coupling in model.couplings.items()}


def coupling_label(name: str, terms: tuple[Term, ...]) -> RowLabel:
    """The label of the condition of a coupling: its joints."""
    joints = list(dict.fromkeys(term.joint for term in terms))
    listed = ", ".join(joints[:-1])
    return RowLabel(name, f"{listed} and {joints[-1]}" if listed else joints[-1], "coupling")


def _gear(model: Model, coupling: Coupling, value: Callable[[Expression], ca.SX]) -> tuple[Term, ...]:
    factors = (ca.SX(1), -value(coupling.ratio))
    freedoms = coupling.freedoms or (None, None)
    return tuple(
        Term(joint, freedom or model.joints[joint].freedoms[0].coordinate, factor)
        for joint, freedom, factor in zip(coupling.joints, freedoms, factors, strict=True)
    )
