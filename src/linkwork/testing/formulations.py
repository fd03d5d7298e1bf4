"""A formulation gives the motion that the default gives, keeps the balance of energy and closes its loops.

It is run on small mechanisms, one for everything that its abilities promise: conditions too many, bodies without mass,
conditions on velocities alone, conditions that come and go.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache

import numpy as np

from linkwork.analysis.runs.simulate import simulate
from linkwork.equations.formulations import Abilities, Formulation
from linkwork.errors import AuditWarning
from linkwork.model import Model
from linkwork.results.outcome import Status
from linkwork.results.result import Result
from linkwork.testing import mechanisms
from linkwork.testing.comparing import require, require_close

MODELS: tuple[tuple[Callable[[], Model], Callable[[Abilities], bool]], ...] = (
    (mechanisms.damped, lambda able: True),
    (mechanisms.driven, lambda able: True),
    (mechanisms.two_hinges, lambda able: True),
    (mechanisms.swinging_chain, lambda able: True),
    (mechanisms.flat_in_space, lambda able: able.redundant),
    (mechanisms.light_coupler, lambda able: able.massless),
    (mechanisms.sleigh, lambda able: able.rolling),
    (mechanisms.roped, lambda able: able.limits),
)
UNTIL, SAMPLES = 0.4, 8
RTOL, ATOL = 1e-8, 1e-10
# of the size of what is compared; velocities of index 3 are an order less accurate than positions
AGREES, BY_PENALTIES, BY_STEPS = 1e-5, 1e-4, 1e-3
STEPS = 800  # where their size is fixed
OPEN = 1e-9  # of the size of the mechanism


def check_formulation(formulation: Formulation) -> None:
    """Check a formulation on all small mechanisms that it should move, in the first of its kinds of coordinates."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AuditWarning)
        for make, promised in MODELS:
            if promised(formulation.able):
                _check(formulation, make)


def _check(formulation: Formulation, make: Callable[[], Model]) -> None:
    where = f"{formulation}: {make().name}"
    kind = formulation.kinds[0] if formulation.kinds else "reference_point"
    steps: dict[str, float] = {"fixed_step": UNTIL / STEPS} if formulation.needs_fixed_step else {}
    options = {"step": UNTIL / SAMPLES, "rtol": RTOL, "atol": ATOL, **steps}
    try:
        result = simulate(make(), UNTIL, coordinates=kind, formulation=formulation, **options)  # type: ignore[arg-type]
    except Exception as error:
        # whatever it is, it should have moved
        raise AssertionError(f"{where} does not move: {type(error).__name__}: {error}") from error
    require(result.status is Status.COMPLETED, f"{where}: {result.outcome}")
    usual = _usual(make)
    within = BY_STEPS if formulation.needs_fixed_step else AGREES if formulation.able.exact else BY_PENALTIES
    for name in _compared(make()):
        size = max(1.0, float(np.max(np.abs(usual[name]))))
        require_close(f"{where}: {name}", result[name], usual[name], within * size)
    require(result.audit.passed is True, f"{where}: {'; '.join(result.audit.findings)}")
    if formulation.able.closes_loops:
        require(result.audit["closure"].value <= OPEN, f"{where}: {result.audit['closure'].text}")


@cache
def _usual(make: Callable[[], Model]) -> Result:
    """The motion by the default, in relative coordinates."""
    return simulate(make(), UNTIL, step=UNTIL / SAMPLES, rtol=1e-11, atol=1e-13)


def _compared(model: Model) -> list[str]:
    """Places and velocities of all bodies."""
    axes = ("x", "y") if model.space == "planar" else ("x", "y", "z")
    return [f"{body}.{part}{axis}" for body in model.bodies for part in ("", "v") for axis in axes]
