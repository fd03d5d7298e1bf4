"""How long the steps of an integrator may be: the intervals of absolute stability on the real and the imaginary axis."""

from __future__ import annotations

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.stability import stability_function
from linkwork.results.integrator_tables import StabilityLimits, StabilityRegions


def stability_limits(integrator: str | Method) -> StabilityLimits:
    """The intervals of absolute stability of an integrator on the negative real and on the imaginary axis; prints."""
    return StabilityLimits(stability_function(integrator))


def stability_region(*integrators: str | Method) -> StabilityRegions:
    """The z = hλ for which no solution of one or more integrators, by name or as objects, grows; prints and plots."""
    if not integrators:
        raise RefusedError("there is no integrator to draw the stability of; name one, such as 'rk4'")
    return StabilityRegions(tuple(map(stability_limits, integrators)))
