"""``lw.integrators``: those with parameters, all there are, and what a step of one does."""

from linkwork.analysis.methods.oscillator import OscillatorTable, oscillator_table
from linkwork.analysis.methods.stability_limits import StabilityLimits, stability_limits
from linkwork.numerics.integrators import ALL_METHODS as ALL
from linkwork.numerics.integrators.adams_moulton import adams_bashforth_moulton
from linkwork.numerics.integrators.amplification import spectral_radius
from linkwork.numerics.integrators.collocation import Collocation, WilsonTheta
from linkwork.numerics.integrators.generalised_alpha import GeneralisedAlpha
from linkwork.numerics.integrators.hht import HHT
from linkwork.numerics.integrators.newmark import Newmark
from linkwork.numerics.integrators.root_locus import StabilityRoots
from linkwork.numerics.integrators.stability import StabilityFunction, stability_function
from linkwork.views.stability import stability_region

__all__ = sorted(name for name in globals() if not name.startswith("_"))
