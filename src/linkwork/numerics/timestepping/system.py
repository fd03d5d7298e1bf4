"""What is stepped: sizes, functions of the model, and where in their numbers everything stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.collision.broad_phase import Kinship
from linkwork.numerics.kernels.collision.shape_record import ShapeRecord
from linkwork.numerics.kernels.language.calling import MachineCode

POSE = 12  # numbers of a shape: place (3), axes (9) by rows


@dataclass(frozen=True)
class IslandPlan:
    """Velocities that belong together, its conditions, and where its M and its C begin in *terms* and in *closure*."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    mass: int
    slopes: int
    closing: int


@dataclass(frozen=True)
class BodyPlan:
    """A body with shapes: its island, −1: nothing moves it; the places of its velocities there; where its numbers stand."""

    island: int
    local: tuple[int, ...]
    origin: int
    slopes: int


@dataclass(frozen=True)
class LimitPlan:
    """A room that is not negative: its island, the places of its velocities in it, and where it stands."""

    island: int
    local: tuple[int, ...]
    room: int
    slopes: int
    drift: int
    back: int


@dataclass(frozen=True)
class TouchLaw:
    """What happens where a pair touches: coefficients of what slides and of what sticks, the speed (m/s) over which the one
    becomes the other (0: at once), and the part of the speed that comes back."""

    friction: float = 0.0
    static: float = 0.0
    fading: float = 0.0
    restitution: float = 0.0


@dataclass(frozen=True, eq=False)
class ShapePlan:
    """Shapes: their records and bodies, who ignores whom, and the laws; pairs: (count, count) the law of each, -1: none."""

    records: Sequence[ShapeRecord] = ()
    of_body: Sequence[int] = ()
    kinship: Kinship = field(default_factory=lambda: Kinship([]))
    laws: Sequence[TouchLaw] = ()
    pairs: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    planar: bool = False

    @property
    def steepest(self) -> float:
        """The largest coefficient of friction."""
        return max((max(law.friction, law.static) for law in self.laws), default=0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class StepSystem:
    """A mechanism as it is stepped; see ``kernels/timestepping/step_memory.py`` for what its functions give.

    size: of the mechanism, m; moving: whether forces depend on velocities; driven: whether conditions move
    """

    nq: int
    nv: int
    ns: int
    m: int
    terms: MachineCode
    closure: MachineCode | None
    retract: MachineCode | None
    out_size: int
    closure_size: int
    poses: int
    powers: MachineCode | None = None
    driven: bool = False
    islands: Sequence[IslandPlan]
    bodies: Sequence[BodyPlan] = ()
    limits: Sequence[LimitPlan] = ()
    shapes: ShapePlan = field(default_factory=ShapePlan)
    size: float
    moving: bool
    p: Array

    @property
    def n(self) -> int:
        """Length of the state."""
        return self.nq + self.nv + self.ns

    @property
    def widest(self) -> int:
        """Velocities of the largest island."""
        return max((len(island.columns) for island in self.islands), default=0)
