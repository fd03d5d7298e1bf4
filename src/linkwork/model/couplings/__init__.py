"""Declarations of couplings, one file per kind. Adding one is a new file and a line in ``ALL_COUPLINGS``."""

from linkwork.model.couplings.base import DEFAULT_KIND, CouplingElement
from linkwork.model.couplings.belt import Belt
from linkwork.model.couplings.gear import Gear
from linkwork.model.couplings.linear import LinearCoupling, LinearTerm
from linkwork.model.couplings.planetary import Planetary
from linkwork.model.couplings.rack import Rack

ALL_COUPLINGS: tuple[type[CouplingElement], ...] = (Gear, Rack, Belt, Planetary, LinearCoupling)
COUPLING_KINDS: dict[str, type[CouplingElement]] = {cls.model_fields["kind"].default: cls for cls in ALL_COUPLINGS}

__all__ = [
    "ALL_COUPLINGS",
    "COUPLING_KINDS",
    "DEFAULT_KIND",
    "Belt",
    "CouplingElement",
    "Gear",
    "LinearCoupling",
    "LinearTerm",
    "Planetary",
    "Rack",
]
