"""Stage 4: the equations of motion in a formulation's own unknowns, as functions of (t, y, p)."""

from linkwork.equations.equations import Equations, formulate, start_of

__all__ = ["Equations", "formulate", "start_of"]
