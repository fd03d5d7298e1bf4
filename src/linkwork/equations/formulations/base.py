"""The contract of a formulation: functions of (t, y, p) from the coordinates, and a flow from their machine code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.coordinates.numbering import Coordinates
from linkwork.numerics.constrained import ConstrainedSystem
from linkwork.numerics.integrators.flow import Flow

Array = NDArray[np.float64]


class Formulation(ABC):
    """One way to write and integrate the equations of motion. Its parameters are its own."""

    name: ClassVar[str]
    summary: ClassVar[str]
    closes_loops: ClassVar[bool]  # whether positions satisfy Φ = 0 at every output, without drift

    @abstractmethod
    def functions(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Mapping[str, ca.Function]:
        """The functions that the flow needs. t, y, p are a typical state, from which orders of pivots are chosen."""

    @abstractmethod
    def flow(self, system: ConstrainedSystem, t: float, y: Array) -> Flow:
        """The flow that starts at a state which satisfies the conditions."""

    def notes(self, flow: Flow, coordinates: Coordinates) -> tuple[str, ...]:
        """What a user should know about a finished run."""
        return ()

    def __str__(self) -> str:
        return self.name
