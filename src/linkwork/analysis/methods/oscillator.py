"""What integrators do to a vibration without damping: how much too long its period is, and how it dies out or grows.

On ẍ + ω²x = 0 one step of size h turns and stretches x − i ẋ/ω by R(iωh) = ρ e^{iφ}; the exact solution turns it by ωh. So
the period is longer by ωh/φ − 1, and the vibration is that of a damping ratio ξ = −ln ρ / φ (García de Jalón and Bayo,
"Kinematic and Dynamic Simulation of Multibody Systems", chapter 7, problem 7/1).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from linkwork.answer import Column
from linkwork.errors import RefusedError
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.amplification import turning_root, turns_alike, vibration_growth
from linkwork.numerics.integrators.base import Method
from linkwork.results.integrator_tables import OscillatorRow, OscillatorTable
from linkwork.results.measured import MeasuredValues


def oscillator_table(
    integrators: Iterable[str | Method] | None = None, steps: Iterable[float] = (0.01, 0.1, 0.5, 1.0)
) -> OscillatorTable:
    """Period elongation and damping of integrators on ẍ + ω²x = 0 by the size of their steps; prints.

    integrators: names or objects; if not given, all whose steps are alike
    steps: ωh, so 0.1 are 63 steps a period
    """
    sizes = [float(step) for step in steps]
    if wrong := [size for size in sizes if not 0.0 < size < float("inf")]:
        raise RefusedError(f"steps are ωh in rad, positive and finite; got {', '.join(f'{size:g}' for size in wrong)}")
    rows = []
    chosen = [method for method in ALL_METHODS if turns_alike(method)] if integrators is None else integrators
    for method in chosen:
        name = method if isinstance(method, str) else method.name
        for size in sizes:
            value = turning_root(method, size)
            rows.append(OscillatorRow(name, size, abs(value), float(np.angle(value))))
    return OscillatorTable(tuple(rows))


def spectral_radius(integrator: str | Method, steps: ArrayLike, damping: float = 0.0) -> MeasuredValues:
    """What is left of a vibration after one step, at worst, for each of the *steps* ωh; more than 1: it grows.

    damping: ξ of the vibration itself
    """
    sizes = np.atleast_1d(np.asarray(steps, dtype=float)).ravel()
    name = integrator if isinstance(integrator, str) else integrator.name
    growth = vibration_growth(integrator, sizes, damping)
    return MeasuredValues(f"spectral radius of {name}", Column("step", sizes, "rad"), growth)
