"""Stage 4: the equations of motion in a formulation's own unknowns, as functions of (t, y, p)."""

from linkwork.equations.equations import Equations, formulate
from linkwork.equations.formulations import ALL_FORMULATIONS, Baumgarte, Formulation, Hybrid, Multipliers, Partitioning

__all__ = [
    "ALL_FORMULATIONS",
    "Baumgarte",
    "Equations",
    "Formulation",
    "Hybrid",
    "Multipliers",
    "Partitioning",
    "formulate",
]
