"""Stage 4: the equations of motion in a formulation's own unknowns, as functions of (t, y, p)."""

from linkwork.equations.equations import Equations, formulate
from linkwork.equations.formulations import (
    ALL_FORMULATIONS,
    AugmentedLagrangian,
    Baumgarte,
    Canonical,
    CanonicalAugmented,
    CanonicalIndependent,
    Formulation,
    Hybrid,
    Multipliers,
    Partitioning,
    Penalty,
    RangeSpace,
    RMethod,
    RProjection,
    StabilisedPartitioning,
    VelocityTransformation,
)

__all__ = [
    "ALL_FORMULATIONS",
    "AugmentedLagrangian",
    "Baumgarte",
    "Canonical",
    "CanonicalAugmented",
    "CanonicalIndependent",
    "Equations",
    "Formulation",
    "Hybrid",
    "Multipliers",
    "Partitioning",
    "Penalty",
    "RMethod",
    "RProjection",
    "RangeSpace",
    "StabilisedPartitioning",
    "VelocityTransformation",
    "formulate",
]
