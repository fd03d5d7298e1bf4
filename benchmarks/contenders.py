"""What of Linkwork is timed. A formulation or kind of coordinates is taken up as soon as Linkwork has it."""

from __future__ import annotations

from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.equations.formulations import ALL_FORMULATIONS

# in the order of the tables; a name that this version does not have is left out
_FORMULATIONS = ("hybrid", "partitioning", "multipliers")
_DEPENDENT_COORDINATES = ("reference_point", "mixed", "natural")

FORMULATIONS: tuple[str, ...] = tuple(
    name for name in _FORMULATIONS if name in {formulation.name for formulation in ALL_FORMULATIONS}
)
DEPENDENT_COORDINATES: tuple[str, ...] = tuple(
    name for name in _DEPENDENT_COORDINATES if name in {kind.name for kind in ALL_COORDINATES}
)
INTEGRATORS: tuple[str, ...] = ("dop853", "dopri5")
