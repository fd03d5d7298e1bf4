"""Formulations, one file each. Adding one is a new file and a line in ``ALL_FORMULATIONS``."""

from linkwork.equations.formulations.base import Formulation
from linkwork.equations.formulations.baumgarte import Baumgarte
from linkwork.equations.formulations.hybrid import Hybrid
from linkwork.equations.formulations.multipliers import Multipliers
from linkwork.equations.formulations.partitioning import Partitioning

ALL_FORMULATIONS: tuple[Formulation, ...] = (Hybrid(), Partitioning(), Multipliers(), Baumgarte())

__all__ = ["ALL_FORMULATIONS", "Baumgarte", "Formulation", "Hybrid", "Multipliers", "Partitioning"]
