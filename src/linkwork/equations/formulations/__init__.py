"""Formulations, one file each. Adding one is a new file and a line in ``ALL_FORMULATIONS``."""

from linkwork.equations.formulations.augmented_lagrangian import AugmentedLagrangian
from linkwork.equations.formulations.base import Abilities, Formulation
from linkwork.equations.formulations.baumgarte import Baumgarte
from linkwork.equations.formulations.canonical import Canonical
from linkwork.equations.formulations.canonical_augmented import CanonicalAugmented
from linkwork.equations.formulations.canonical_independent import CanonicalIndependent
from linkwork.equations.formulations.canonical_index_two import CanonicalIndex2
from linkwork.equations.formulations.ggl import GearGuptaLeimkuhler
from linkwork.equations.formulations.hybrid import Hybrid
from linkwork.equations.formulations.index1 import Index1
from linkwork.equations.formulations.index2 import Index2
from linkwork.equations.formulations.index3 import Index3
from linkwork.equations.formulations.index_three import Index3AugmentedLagrangian
from linkwork.equations.formulations.multipliers import Multipliers
from linkwork.equations.formulations.partitioning import Partitioning
from linkwork.equations.formulations.penalty import Penalty
from linkwork.equations.formulations.r_method import RMethod
from linkwork.equations.formulations.r_projection import RProjection
from linkwork.equations.formulations.range_space import RangeSpace
from linkwork.equations.formulations.stabilised_partitioning import StabilisedPartitioning
from linkwork.equations.formulations.velocity_transformation import VelocityTransformation

ALL_FORMULATIONS: list[Formulation] = [
    Hybrid(),
    Partitioning(),
    Multipliers(),
    Baumgarte(),
    Penalty(),
    AugmentedLagrangian(),
    RangeSpace(),
    RProjection(),
    RMethod(),
    StabilisedPartitioning(),
    Canonical(),
    CanonicalIndependent(),
    CanonicalAugmented(),
    VelocityTransformation(),
    CanonicalIndex2(),
    Index3AugmentedLagrangian(),
    GearGuptaLeimkuhler(),
    Index3(),
    Index2(),
    Index1(),
]

__all__ = [
    "Abilities",
    "AugmentedLagrangian",
    "Baumgarte",
    "Canonical",
    "CanonicalAugmented",
    "CanonicalIndependent",
    "CanonicalIndex2",
    "Formulation",
    "GearGuptaLeimkuhler",
    "Hybrid",
    "Index1",
    "Index2",
    "Index3",
    "Index3AugmentedLagrangian",
    "Multipliers",
    "Partitioning",
    "Penalty",
    "RMethod",
    "RProjection",
    "RangeSpace",
    "StabilisedPartitioning",
    "VelocityTransformation",
]
