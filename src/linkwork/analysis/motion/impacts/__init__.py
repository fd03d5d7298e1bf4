"""Laws of impacts, one file each: what velocities and impulses follow where conditions meet that have no room left."""

from linkwork.analysis.motion.impacts.base import Blow, ImpactLaw, Rubbed, Struck
from linkwork.analysis.motion.impacts.newton import NewtonImpact
from linkwork.analysis.motion.impacts.poisson import PoissonImpact
from linkwork.analysis.motion.impacts.stronge import StrongeImpact
from linkwork.errors import RefusedError, did_you_mean

ALL_LAWS: tuple[ImpactLaw, ...] = (NewtonImpact(), PoissonImpact(), StrongeImpact())
IMPACT_LAWS = {law.name: law for law in ALL_LAWS}


def impact_law(name: str | ImpactLaw) -> ImpactLaw:
    """The law of impacts with a name."""
    if isinstance(name, ImpactLaw):
        return name
    if name not in IMPACT_LAWS:
        raise RefusedError(f"unknown law of impacts {name!r}; {did_you_mean(str(name), list(IMPACT_LAWS))}")
    return IMPACT_LAWS[name]


__all__ = [
    "ALL_LAWS",
    "IMPACT_LAWS",
    "Blow",
    "ImpactLaw",
    "NewtonImpact",
    "PoissonImpact",
    "Rubbed",
    "StrongeImpact",
    "Struck",
    "impact_law",
]
