"""Formulations, one file each. Adding one is a new file and a line in ``ALL_FORMULATIONS``."""

from linkwork.equations.formulations.augmented_lagrangian import AugmentedLagrangian
from linkwork.equations.formulations.base import Formulation
from linkwork.equations.formulations.baumgarte import Baumgarte
from linkwork.equations.formulations.hybrid import Hybrid
from linkwork.equations.formulations.multipliers import Multipliers
from linkwork.equations.formulations.partitioning import Partitioning
from linkwork.equations.formulations.penalty import Penalty

ALL_FORMULATIONS: tuple[Formulation, ...] = (
    Hybrid(),
    Partitioning(),
    Multipliers(),
    Baumgarte(),
    Penalty(),
    AugmentedLagrangian(),
)

__all__ = [
    "ALL_FORMULATIONS",
    "AugmentedLagrangian",
    "Baumgarte",
    "Formulation",
    "Hybrid",
    "Multipliers",
    "Partitioning",
    "Penalty",
]
