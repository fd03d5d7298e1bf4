"""Flows of constrained systems in positions and momenta (``kernels/canonical.py``, ``kernels/canonical_independent.py``)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.context import ConstrainedSystem, allocate
from linkwork.numerics.integrators.flow import Flow, OwnState
from linkwork.numerics.kernels.records import ModelFunction
from linkwork.numerics.loader import kernel_address
from linkwork.numerics.r_matrix import begin_inputs

NEWTON = 20  # most iterations of a projection


@dataclass(frozen=True)
class Momenta:
    """Addresses of the functions of a canonical flow, and how many integrals of conditions stand behind its state."""

    terms: int
    encode: int
    rates: int
    integrals: int = 0


@dataclass(frozen=True, eq=False)
class Penalties:
    """Penalties (m), one for each row, and the corrections of their multipliers."""

    alpha: np.ndarray
    corrections: int
    tolerance: float


def canonical_flow(
    system: ConstrainedSystem, momenta: Momenta, penalties: Penalties | None = None, *, renew: bool = True
) -> Flow:
    """Flow in positions and momenta: velocities by the null space, or by penalties where they are given.

    renew: take the momenta anew after every step, with multipliers from a state that has returned to its conditions
    """
    limit = NEWTON if penalties is None else penalties.corrections
    further = {"encode": momenta.encode, "rates": momenta.rates, "integrals": momenta.integrals}
    memory = allocate(replace(system, terms=momenta.terms), iteration_limit=limit, **further)
    if penalties is not None:
        memory.augmented, memory.tolerance = 1, penalties.tolerance
        memory.penalty[:] = penalties.alpha
    refresh = kernel_address(f"canonical.{'renew' if renew else 'keep'}_momenta")
    flow, encode, decode = (kernel_address(f"canonical.{name}_momenta") for name in ("flow", "encode", "decode"))
    own = OwnState(system.size + momenta.integrals, encode, decode)
    return Flow(flow, refresh, memory, (system.p, system.keepalive), own=own)


def independent_canonical_flow(
    system: ConstrainedSystem,
    momenta: Momenta,
    units: np.ndarray,
    start: tuple[float, np.ndarray],
    *,
    basis: str,
    switch_ratio: float,
) -> Flow:
    """Flow in the momenta of ż = B v, counted in *units* (nv); the start (t, y) satisfies the constraints."""
    memory = begin_inputs(replace(system, terms=momenta.terms), *start, basis=basis, switch_ratio=switch_ratio)
    memory.encode, memory.rates = ModelFunction(momenta.encode), ModelFunction(momenta.rates)
    memory.units[:] = units
    flow, refresh, encode, decode = (
        kernel_address(f"canonical_independent.{name}_inputs") for name in ("flow", "refresh", "encode", "decode")
    )
    return Flow(flow, refresh, memory, (system.p, system.keepalive), own=OwnState(system.size + 1, encode, decode))
