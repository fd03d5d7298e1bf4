"""Which integrator a run takes: the one that is asked for, or one that suits the equations and the accuracy."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.equations import Equations
from linkwork.errors import RefusedError
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.automatic import Automatic
from linkwork.numerics.integrators.base import Method, RungeKutta
from linkwork.numerics.integrators.dop853 import DOP853
from linkwork.numerics.integrators.dopri5 import DOPRI5
from linkwork.numerics.integrators.esdirk43 import ESDIRK43
from linkwork.numerics.integrators.radau import RADAU5
from linkwork.numerics.integrators.trapezoidal import TRAPEZOIDAL
from linkwork.numerics.timestepping.method import MoreauJean

COARSE = 1e-4  # rtol from which on the lower order needs fewer evaluations


@dataclass(frozen=True, eq=False)
class MethodChoice:
    """A method, and the one that takes over where the equations are stiff; None: no other one."""

    method: Method
    stiff: Method | None = None

    def review(self) -> Automatic | None:
        """What decides between the two in one run."""
        if self.stiff is None or not isinstance(self.method, RungeKutta):
            return None
        return Automatic(self.method, self.stiff)


def find_integrator(wanted: str | Method | None) -> Method | None:
    """The integrator by its name or as it is; None: none was asked for."""
    if wanted == MoreauJean.name or isinstance(wanted, MoreauJean):
        raise RefusedError(
            f"'{MoreauJean.name}' is time stepping, which simulate and realtime alone take: take another integrator here"
        )
    if wanted is None or isinstance(wanted, Method):
        return wanted
    if not isinstance(wanted, str):
        names = ", ".join(f"'{known.name}'" for known in ALL_METHODS)
        raise RefusedError(f"integrator = {wanted!r}: give a name or a method; the names are {names}")
    return method_named(wanted, beside=(MoreauJean.name,))


def choose_integrator(
    wanted: str | Method | None, equations: Equations, rtol: float, fixed_step: bool = False
) -> MethodChoice:
    """The integrator asked for, where it can step the equations of a formulation; else by accuracy and stiffness."""
    method = find_integrator(wanted)
    able = None if method is None else _able(method, equations)
    if equations.formulation.needs_fixed_step and not fixed_step and (able is None or able.adaptive):
        raise RefusedError(
            f"the formulation '{equations.formulation.name}' has penalties that follow the size of the steps, and no "
            "tolerance holds what they leave open: give fixed_step, such as '1 ms', or take 'ggl' or 'index3', which follow "
            "tolerances"
        )
    if able is not None:
        return MethodChoice(able)
    if equations.formulation.implicit and not fixed_step:
        return MethodChoice(ESDIRK43 if equations.formulation.solves_stages else RADAU5)
    if equations.formulation.implicit:
        return MethodChoice(TRAPEZOIDAL)
    explicit = DOP853 if fixed_step or rtol < COARSE else DOPRI5
    return MethodChoice(explicit, None if fixed_step else RADAU5)


def _able(method: Method, equations: Equations) -> Method:
    """The method, where it can step the equations."""
    formulation = equations.formulation
    if formulation.implicit and not method.stiffly_accurate:
        names = " or ".join(f"'{known.name}'" for known in ALL_METHODS if known.stiffly_accurate)
        raise RefusedError(
            f"the formulation '{formulation.name}' has equations of implicit steps, which the integrator '{method.name}' "
            f"cannot integrate; take {names}"
        )
    if (method.remembers or method.carries) and formulation.renews:
        raise RefusedError(
            f"the integrator '{method.name}' remembers former steps, and the formulation '{formulation.name}' takes its "
            "momenta anew after every step: take 'canonical_independent', or an integrator of single steps"
        )
    if method.uses_series and equations.scheme.no_series:
        raise RefusedError(
            f"the integrator '{method.name}' needs a power series, which the formulation '{formulation.name}' does not have "
            f"here: {equations.scheme.no_series}; take '{DOP853.name}', or the formulation 'multipliers'"
        )
    return method
