"""Laws of impacts, one file each: what velocities and impulses follow where conditions meet that have no room left."""

from linkwork.analysis.motion.impacts.base import Blow, ImpactLaw, Rubbed, Struck
from linkwork.analysis.motion.impacts.newton import NewtonImpact

ALL_LAWS: tuple[ImpactLaw, ...] = (NewtonImpact(),)
IMPACT_LAWS = {law.name: law for law in ALL_LAWS}

__all__ = ["ALL_LAWS", "IMPACT_LAWS", "Blow", "ImpactLaw", "NewtonImpact", "Rubbed", "Struck"]
