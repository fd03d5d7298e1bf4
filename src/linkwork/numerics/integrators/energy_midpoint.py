"""The midpoint rule with an energy constraint: second order, and an energy that is right to rounding errors for any time.

The midpoint rule itself keeps energies of linear systems, and bounds the errors of others while steps are short. Here
every step ends on the energy surface (``numerics/kernels/stepping/energy_midpoint.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.kernels.stepping.energy_midpoint import EnergyStepping
from linkwork.numerics.kernels.stepping.run import Stepping


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EnergyMidpoint(Method):
    """A method that is told the energy of what it integrates."""

    memory: ClassVar[type[Stepping]] = EnergyStepping
    family: ClassVar[str] = "energy_midpoint"
    keeps_energy: ClassVar[bool] = True
    adaptive = False
    implicit = True
    stiffly_accurate = False
    evaluations = "1 solved, 1"

    def own(self) -> Mapping[str, float | Array]:
        return {"fresh": 1}


ENERGY_MIDPOINT = EnergyMidpoint(
    name="energy_midpoint",
    title="midpoint rule with an energy constraint",
    order=2,
    dense_order=2,
    stability="A-stable",
    source="T. J. R. Hughes, T. K. Caughey, W. K. Liu, J. Appl. Mech. 45 (1978) 366-370, with a line of its own; "
    "García de Jalón and Bayo, section 7.1.5",
)
