"""``lw.integrators``: those with parameters, all there are, and what a step of one does."""

from linkwork.analysis.methods.oscillator import oscillator_table, spectral_radius
from linkwork.analysis.methods.stability_limits import stability_limits, stability_region
from linkwork.numerics.integrators import ALL_METHODS as ALL
from linkwork.numerics.integrators.adams_moulton import adams_bashforth_moulton
from linkwork.numerics.integrators.collocation import Collocation, WilsonTheta
from linkwork.numerics.integrators.generalised_alpha import GeneralisedAlpha
from linkwork.numerics.integrators.hht import HHT
from linkwork.numerics.integrators.newmark import Newmark
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.results.integrator_tables import OscillatorTable, StabilityLimits, StabilityRegions

__all__ = sorted(name for name in globals() if not name.startswith("_"))
