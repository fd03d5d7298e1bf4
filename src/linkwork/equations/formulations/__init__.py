"""Formulations, one file each. Adding one is a new file and a line in ``ALL_FORMULATIONS``."""

from linkwork.equations.formulations.base import Formulation
from linkwork.equations.formulations.baumgarte import Baumgarte
from linkwork.equations.formulations.multipliers import Multipliers
from linkwork.equations.formulations.partitioning import Partitioning

ALL_FORMULATIONS: tuple[Formulation, ...] = (Partitioning(), Multipliers(), Baumgarte())

__all__ = ["ALL_FORMULATIONS", "Baumgarte", "Formulation", "Multipliers", "Partitioning"]
