"""The contract of a coordinate kind.

A kind describes the motion of every body by its own unknowns and says what these cost: conditions between them and the
mass matrix. Everything that does not depend on the kind (drivers, couplings, forces, energies, named quantities) is
added to it once, in ``numbering``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.orientations import Orientation, orientation_named
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.bodies import Carrier
from linkwork.elements.contribution import Condition
from linkwork.elements.joints import JointKind
from linkwork.errors import RefusedError
from linkwork.outline import outlined
from linkwork.position.geometry import Geometry, JointGeometry, Pose
from linkwork.position.labels import RowLabel
from linkwork.topology.graph.graph import SpanningTree

Names = Sequence[str]


@dataclass(frozen=True, eq=False)
class Meaning:
    """What the multiplier of a condition is in physics: ``factor`` × λ in newtons, or newton metres where it ``turns``.

    part: by which the condition was divided, such as a length (m) where it is a difference of products of two lengths; the
    multiplier of the condition itself is λ over it
    """

    text: str
    turns: bool = False
    factor: ca.SX = field(default_factory=lambda: ca.SX(1))
    part: float = 1.0

    @property
    def unit(self) -> str:
        return "N*m" if self.turns else "N"


@outlined
@dataclass(frozen=True, eq=False)
class ConstraintRow:
    """One condition Φᵢ = 0; |Φᵢ| × ``weight`` is the error in metres (an angle counts with the size of the mechanism).

    Where its label says that it restricts velocities only, ``residual`` is ψᵢ(q, v, t), linear in v, and there is no Φᵢ.
    """

    label: RowLabel
    residual: ca.SX
    weight: float = 1.0
    meaning: Meaning = field(default_factory=lambda: Meaning("force"))


@outlined
class Later:
    """An expression that is written when somebody first asks for it: M and h of a long chain are long, and few need them."""

    def __init__(self, write: Callable[[], ca.SX]) -> None:
        self._write = write

    @cached_property
    def expression(self) -> ca.SX:
        return self._write()


@outlined
@dataclass(frozen=True, eq=False)
class Kinematics:
    """What a coordinate kind says about the motion: unknowns, frames and velocities of the bodies, conditions, inertia.

    q (nq) positions, v (nv) velocities with q̇ = ``rates`` (linear in v); M v̇ = ``bias`` + applied forces + Cᵀλ, where
    ``bias`` holds gravity and the quadratic velocity forces.

    retract: q ⊕ δ with δ in the place of v, None where it is the plain sum
    identities: conditions that q satisfies by itself, such as the unit length of a quaternion; retracting restores them
    reframe: q away from the singularities of its angles, then 1 where that is another q and else 0; None: there are none
    """

    q: ca.SX
    v: ca.SX
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]
    rates: ca.SX
    retract: ca.SX | None
    frames: Mapping[str, Frame]
    twists: Mapping[str, Twist]
    joint_values: Mapping[str, ca.SX]
    joint_rates: Mapping[str, ca.SX]
    rows: tuple[ConstraintRow, ...]
    inertia: Later  # M
    weights: Later  # the bias
    scale: Array
    length: float
    of_points: frozenset[str] = frozenset()  # bodies that are made of points and vectors, rigid by conditions alone
    spinless: frozenset[str] = frozenset()  # bodies whose spin about their line these coordinates do not know
    spins_held: frozenset[str] = frozenset()  # slender bars whose spin they know, and M holds
    identities: tuple[ConstraintRow, ...] = ()
    reframe: ca.SX | None = None
    own: Mapping[str, tuple[ca.SX, ca.SX]] = field(default_factory=dict)  # by body: coordinates of its own, their rates

    @property
    def mass(self) -> ca.SX:
        """M."""
        return self.inertia.expression

    @property
    def bias(self) -> ca.SX:
        """Gravity and the quadratic velocity forces."""
        return self.weights.expression

    def heavier(self, mass: ca.SX, bias: ca.SX) -> Kinematics:
        """The same with more in M and in the forces of weight and velocities."""
        if not mass.nnz() and not bias.nnz():
            return self
        return replace(self, inertia=Later(lambda: self.mass + mass), weights=Later(lambda: self.bias + bias))

    def carrier(self, body: str) -> Carrier:
        """The frame of a body and its velocity, with the coordinates that are its own."""
        frame = self.frames[body]
        return Carrier(replace(frame, seat=None), self.twists[body], *self.own.get(body, ()))

    @property
    def charts(self) -> int:
        """How many of q are numbers of charts, or of the orientations at which charts are centred."""
        return sum(name.rsplit(".", 1)[-1].startswith("chart") for name in self.q_names)

    def extended(
        self, q: ca.SX, v: ca.SX, names: tuple[Names, Names], scale: Sequence[float], mass: ca.SX | None = None
    ) -> Kinematics:
        """This motion with further unknowns behind the others: they have rates v, and a *mass* (n, n) or no inertia."""
        n = v.numel()
        framed = self.reframe
        return replace(
            self,
            q=ca.vertcat(self.q, q),
            v=ca.vertcat(self.v, v),
            q_names=(*self.q_names, *names[0]),
            v_names=(*self.v_names, *names[1]),
            rates=ca.vertcat(self.rates, v),
            retract=None if self.retract is None else ca.vertcat(self.retract, q + v),
            inertia=Later(lambda: ca.diagcat(self.mass, ca.SX(n, n) if mass is None else mass)),
            weights=Later(lambda: ca.vertcat(self.bias, ca.SX(n, 1))),
            scale=np.concatenate([self.scale, scale]),
            reframe=None if framed is None else ca.vertcat(framed[:-1], q, framed[-1]),
        )


class CoordinateKind(ABC):
    """One way to number the unknowns of a mechanism; as a text its name, with the variant behind a colon."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        """Give the motion of every body as expressions."""

    @abstractmethod
    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        """Return q and v of given poses and velocities (velocity of the origin and angular velocity, one array)."""

    def variant(self, text: str) -> CoordinateKind:
        """The variant of this kind that *text* names."""
        raise RefusedError(f"{self.name} coordinates have no variant '{text}'")

    def oriented(self, orientation: str) -> CoordinateKind:
        """This kind with its orientations, where it has any, in the parametrisation that an integrator steps in."""
        return self

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class OrientedKind(CoordinateKind):
    """A kind of coordinates in which orientations in space occur, in a parametrisation chosen by name."""

    orientation: str = "euler_parameters"

    def __post_init__(self) -> None:
        orientation_named(self.orientation)

    def variant(self, text: str) -> CoordinateKind:
        return replace(self, orientation=text)

    def oriented(self, orientation: str) -> CoordinateKind:
        if self.orientation not in (type(self)().orientation, orientation):
            raise RefusedError(
                f"the integrator steps orientations in '{orientation}' coordinates, not in '{self}' ones: leave "
                f"':{self.orientation}' out, or take another integrator"
            )
        return replace(self, orientation=orientation)

    @property
    def parametrisation(self) -> Orientation:
        return orientation_named(self.orientation)

    def __str__(self) -> str:
        return self.name if self == type(self)() else f"{self.name}:{self.orientation}"


def orientation_rows(space: Space, element: str, kind: JointKind, q: ca.SX, length: float) -> tuple[ConstraintRow, ...]:
    """What the positions of a joint or of a body satisfy by themselves."""
    return tuple(
        ConstraintRow(RowLabel(element, name, "normalisation"), residual, length)
        for name, residual in kind.identities(space, q)
    )


def reframe_all(space: Space, parts: Sequence[tuple[JointKind, ca.SX]]) -> ca.SX | None:
    """``Kinematics.reframe`` of positions that belong to several joints or bodies."""
    framed = [kind.reframe(space, q) for kind, q in parts]
    if all(item is None for item in framed):
        return None
    moved = [q if item is None else item[0] for (_, q), item in zip(parts, framed, strict=True)]
    changed = [item[1] for item in framed if item is not None]
    return ca.vertcat(*moved, ca.mmax(ca.vertcat(*changed)))


def joint_rows(
    geometry: Geometry, name: str, frames: Mapping[str, Frame], length: float, shared: frozenset[str] = frozenset()
) -> list[ConstraintRow]:
    """The conditions of one joint between the frames of its bodies, less the parts that are *shared*."""
    joint = geometry.joints[name]
    return rows_between(geometry, joint, joint.frames(frames), length, shared)


def rows_between(
    geometry: Geometry,
    joint: JointGeometry,
    ends: tuple[Frame, Frame],
    length: float,
    shared: frozenset[str] = frozenset(),
) -> list[ConstraintRow]:
    """The conditions of a joint between its two frames, less the parts that are *shared*."""
    return [
        constraint_row("joint", joint.name, replace(row, meaning=_held(joint.child, row)), length)
        for row in joint.kind.rows(geometry.space, *ends)
        if row.part not in shared
    ]


def _held(child: str, row: Condition) -> str:
    """The multiplier of a joint condition is a force or moment on the child: its rows have the slope of a displacement."""
    what = "force on {} that holds its {}" if row.is_length else "moment on {} that prevents its {}"
    return what.format(child, row.component)


def constraint_row(kind: str, name: str, condition: Condition, length: float) -> ConstraintRow:
    """A condition of an element, of whatever kind, among those of the mechanism."""
    level = {"limit": "position", "grip": "velocity"}.get(condition.level, condition.level)
    label = RowLabel(name, condition.component, kind, level, condition.switched)
    what = condition.effort or ("force" if condition.is_length else "moment")
    text, turns = condition.meaning or f"{what} of {name}: {condition.component}", not condition.is_length
    meaning = Meaning(text, turns or condition.lever is not None, ca.SX(condition.lever or 1.0))
    return ConstraintRow(label, condition.residual, 1.0 if condition.is_length else length, meaning)
