"""Integration of differential and algebraic equations: one file of data for each method, one compiled kernel for all."""

from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.numerics.integrators.adams import ADAMS
from linkwork.numerics.integrators.adams_bashforth import AB1, AB2, AB3, AB4, AB5
from linkwork.numerics.integrators.adams_moulton import ABM1, ABM2, ABM3, ABM4, ABM5, AM1, AM2, AM3, AM4, AM5
from linkwork.numerics.integrators.backward_differences import BDF1, BDF2, BDF3, BDF4, BDF5
from linkwork.numerics.integrators.backward_euler import BACKWARD_EULER
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.bdf import BDF
from linkwork.numerics.integrators.collocation import COLLOCATION, WILSON_THETA
from linkwork.numerics.integrators.dop853 import DOP853
from linkwork.numerics.integrators.dopri5 import DOPRI5
from linkwork.numerics.integrators.energy_midpoint import ENERGY_MIDPOINT
from linkwork.numerics.integrators.esdirk43 import ESDIRK43
from linkwork.numerics.integrators.euler import EULER
from linkwork.numerics.integrators.gauss import GAUSS4, GAUSS6
from linkwork.numerics.integrators.generalised_alpha import GENERALISED_ALPHA, LIE_GENERALISED_ALPHA
from linkwork.numerics.integrators.heun import HEUN
from linkwork.numerics.integrators.hht import HILBER_HUGHES_TAYLOR
from linkwork.numerics.integrators.implicit_midpoint import IMPLICIT_MIDPOINT
from linkwork.numerics.integrators.lie_midpoint import LIE_MIDPOINT
from linkwork.numerics.integrators.newmark import LINEAR_ACCELERATION, NEWMARK
from linkwork.numerics.integrators.norsett import NORSETT2, NORSETT3
from linkwork.numerics.integrators.radau import RADAU3, RADAU5, RADAU9
from linkwork.numerics.integrators.rk4 import RK4
from linkwork.numerics.integrators.rkf45 import RKF45
from linkwork.numerics.integrators.rkmk4 import RKMK4
from linkwork.numerics.integrators.sundials import ALL_ADAPTERS
from linkwork.numerics.integrators.taylor import TAYLOR
from linkwork.numerics.integrators.tr_bdf2 import TR_BDF2
from linkwork.numerics.integrators.trapezoidal import TRAPEZOIDAL
from linkwork.plugins import discover

ALL_METHODS: list[Method] = [
    *(DOPRI5, DOP853, RKF45, RK4, RKMK4, HEUN, EULER, TAYLOR, TRAPEZOIDAL),
    *(BACKWARD_EULER, IMPLICIT_MIDPOINT, LIE_MIDPOINT, NORSETT2, NORSETT3, TR_BDF2, ESDIRK43),
    *(RADAU3, RADAU5, RADAU9, GAUSS4, GAUSS6),
    *(ADAMS, AB1, AB2, AB3, AB4, AB5, ABM1, ABM2, ABM3, ABM4, ABM5, AM1, AM2, AM3, AM4, AM5),
    *(BDF, BDF1, BDF2, BDF3, BDF4, BDF5),
    *(GENERALISED_ALPHA, LIE_GENERALISED_ALPHA, HILBER_HUGHES_TAYLOR, NEWMARK, LINEAR_ACCELERATION),
    *(WILSON_THETA, COLLOCATION, ENERGY_MIDPOINT),
]


def method_named(name: str, beside: tuple[str, ...] = ()) -> Method:
    """Return the method with this name; *beside*: names of what is no such method, which misspelt ones may mean too."""
    methods = {method.name: method for method in [*ALL_METHODS, *ALL_ADAPTERS]}
    if name not in methods and discover():
        methods |= {method.name: method for method in ALL_METHODS}
    if name not in methods:
        raise UnknownNameError(
            f"there is no integrator '{name}'; {did_you_mean(name, [*methods, *beside], 'integrator')}"
        )
    return methods[name]
