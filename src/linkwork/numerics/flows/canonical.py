"""Procedures in positions and momenta (``kernels/constrained/canonical.py`` and ``canonical_independent.py``).

Their functions: 'momenta' stands in the place of the terms, 'encode' and 'momentum_rates' are those of the state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.numerics.flows.constrained import SETTLED, correction_policy
from linkwork.numerics.flows.procedure import Array, OwnTerms, Procedure
from linkwork.numerics.flows.r_matrix import by_inputs
from linkwork.numerics.kernels.constrained import canonical as kernels
from linkwork.numerics.kernels.constrained import canonical_independent as independent
from linkwork.numerics.kernels.constrained.straight import rechart

NEWTON = 20  # most iterations of a projection
MOMENTA = {"terms": "momenta", "encode": "encode", "rates": "momentum_rates"}
"""Functions by the fields that call them."""


@dataclass(frozen=True, eq=False)
class Penalties:
    """Penalties (m), one for each row, and the corrections of their multipliers."""

    alpha: Array
    corrections: int
    tolerance: float


def by_momenta(integrals: int = 0, penalties: Penalties | None = None, *, renew: bool = True) -> Procedure:
    """Positions and momenta: velocities by the null space, or by penalties where they are given.

    integrals: how many integrals of conditions stand behind the state
    renew: take the momenta anew after every step, with multipliers from a state that has returned to its conditions
    """
    numbers: dict[str, Any] = {"iteration_limit": NEWTON, "integrals": integrals}
    if penalties is not None:
        policy = correction_policy(penalties.corrections, penalties.tolerance)
        numbers |= {"augmented": 1, "penalty": penalties.alpha, "multiplier_policy": policy}
    return Procedure(
        flow=(kernels.open_state, kernels.rates_of_momenta),
        refresh=(kernels.open_state, kernels.renew_momenta) if renew else SETTLED,
        functions=MOMENTA,
        numbers=numbers,
        own=OwnTerms(kernels.encode_momenta, kernels.decode_momenta, integrals),
    )


def by_independent_momenta(units: Array, basis: str, switch_ratio: float) -> Procedure:
    """The momenta of ż = B v, counted in *units* (nv), from a state that satisfies the conditions."""
    return by_inputs(
        (independent.open_inputs, independent.rates_in_inputs),
        (independent.renew_inputs, rechart),
        basis,
        switch_ratio,
        functions=MOMENTA,
        numbers={"units": units},
        own=OwnTerms(independent.encode_inputs, independent.decode_inputs, 1),
    )
