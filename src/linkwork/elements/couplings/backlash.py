"""Backlash: a coupling whose teeth touch with one flank, with the other one, or not at all.

With s, the way of the first coordinate of a relation Σ cᵢ φᵢ beyond its value at the assembly, teeth stand between two
flanks,

    Φ = j (1 − p)/2 − r s ≥ 0   ahead,      Φ = j (1 + p)/2 + r s ≥ 0   behind,

with the play j along the pitch circle of radius r, and p from −1 to 1 where the first wheel stands in it at the start. Where
it has run ahead the flank pushes it back with λ ≥ 0 along the circle, and the other wheel on: −r λ on the first coordinate,
and cᵢ times that on the others. A play that is an angle of the first wheel counts with a lever, as angles of stops do. Teeth
that touch push as those of a coupling without backlash, and drive each other apart (``teeth.py``).

A flank with a stiffness is a spring with a damper that never pulls (``elements/stops.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import casadi as ca
import numpy as np

from linkwork.elements.contribution import (
    Condition,
    Contribution,
    Frames,
    JointCoordinate,
    JointEffort,
    Load,
    OwnState,
    Reading,
)
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import across, world_line
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.stops import Holds, SpringLaw, sprung

AHEAD, BEHIND = "ahead", "behind"
SIGNS: Mapping[str, int] = {AHEAD: -1, BEHIND: 1}
"""The sign with which a flank pushes along the first coordinate."""
RADIUS = "radius"  # name of the constant
WORDS = ("touches", "is free", "bounces")


@dataclass(frozen=True, eq=False)
class Backlash:
    """The play j between both flanks: along the pitch circle, or the way of a coordinate that slides (m), or an angle (rad).

    turns: whether it is an angle of the first coordinate; restitution: the part of the speed that comes back; law: stiffness
    and damping of a flank, in place of it; start: p
    """

    play: ca.SX
    turns: bool
    restitution: ca.SX
    start: ca.SX
    law: SpringLaw | None = None


def drawn_with_play(coupled: Coupled, backlash: Backlash, pen: Pen) -> Drawings:
    """The wheels, with as much room between their teeth."""
    drawings = coupled.drawings(pen)
    play, start = (float(np.ravel(pen.number(item))[0]) for item in (backlash.play, backlash.start))
    play *= drawings.wheels[0].radius if backlash.turns and drawings.wheels else 1.0
    return replace(drawings, play=play, ahead=start * play / 2)


class MeshScene(Protocol):
    """What is asked about a mechanism."""

    def coordinate(self, joint: str, freedom: str | None) -> JointCoordinate:
        """A joint coordinate, with its rate."""
        ...

    @property
    def frames(self) -> Frames:
        """The frames of all bodies and of the ground."""
        ...


@dataclass(frozen=True, eq=False)
class LooseMesh:
    """A coupling with backlash in a mechanism. length: of the mechanism, the lever of angles (m).

    radius: a symbol of its pitch circle; sides: by whom and on whom its force is told
    """

    coupled: Coupled
    backlash: Backlash
    scene: MeshScene
    radius: ca.SX
    length: float
    sides: tuple[str, str]

    @property
    def coordinates(self) -> list[JointCoordinate]:
        return [self.scene.coordinate(term.joint, term.freedom) for term in self.coupled.terms]

    @property
    def slides(self) -> bool:
        """Whether its first coordinate is a length."""
        return self.coordinates[0].unit == "m"

    @property
    def lever(self) -> ca.SX:
        """Of the push λ about the first coordinate (m), or 1."""
        return ca.SX(1) if self.slides else ca.SX(self.length) if self.backlash.turns else self.radius

    def contribute(self, holds: Holds) -> Contribution:
        """What its flanks do."""
        factors = [term.factor for term in self.coupled.terms]
        values, rates = [x.value for x in self.coordinates], [x.rate for x in self.coordinates]
        relation, rate = (sum((c * x for c, x in zip(factors, of, strict=True)), ca.SX(0)) for of in (values, rates))
        phase = ca.SX.sym(f"{self.coupled.component}.phase")
        constants = [OwnState("phase", phase, ca.SX(0), relation)]
        if self._by_radius:
            constants.append(OwnState(RADIUS, self.radius, ca.SX(0), self._pitch_radius()))
        per = self.radius if self._by_radius else ca.SX(1)  # of the play, per unit of the first coordinate
        half, start = self.backlash.play / 2, self.backlash.start
        rooms = {side: half * (1 + sign * start) + sign * per * (relation - phase) for side, sign in SIGNS.items()}
        unit, words = ("rad" if self.backlash.turns else "m"), "way to the flank that the first meets where it has run"
        readings = {f"gap.{side}": Reading(unit, f"{words} {side}", room) for side, room in rooms.items()}
        if self.backlash.law is None:
            conditions = tuple(self._limit(side, room) for side, room in rooms.items())
            return Contribution(conditions, readings=readings, constants=tuple(constants))
        return self._soft(rooms, per * rate, holds, readings, tuple(constants))

    @property
    def _by_radius(self) -> bool:
        return not self.slides and not self.backlash.turns

    def _pitch_radius(self) -> ca.SX:
        contact = self.coupled.contact
        assert contact is not None
        point, axis = world_line(contact.first, self.scene.frames)
        return ca.norm_2(across(contact.forces(self.scene.frames).along[0].at - point, axis))

    def _limit(self, side: str, room: ca.SX) -> Condition:
        turns, what = self.backlash.turns, f"the first has run {side}"
        return Condition(
            side,
            self.length * room if turns else room,
            level="limit",
            words=WORDS,
            while_held="touches",
            meaning=f"{'torque' if turns else 'force'} of the flank that is met where {what}",
            restitution=self.backlash.restitution,
            lever=self.length if turns else None,
            unit=self.loads(side, self.lever),
        )

    def loads(self, side: str, torque: ca.SX) -> tuple[Load, ...]:
        """What teeth that touch do to both bodies where a flank pushes with so much about the first coordinate."""
        if self.coupled.contact is None:
            return ()
        forces = self.coupled.contact.forces(self.scene.frames)
        pushes = [(item, SIGNS[side] * torque) for item in forces.along] + [(item, torque) for item in forces.apart]
        planar = next(iter(self.scene.frames.values())).origin.numel() == 2
        d, none = (2, ca.SX(1, 1)) if planar else (3, ca.SX(3, 1))
        return tuple(Load(item.body, item.at[:d], size * item.force[:d], none) for item, size in pushes)

    def _soft(
        self,
        rooms: Mapping[str, ca.SX],
        rate: ca.SX,
        holds: Holds,
        readings: Mapping[str, Reading],
        constants: tuple[OwnState, ...],
    ) -> Contribution:
        """Springs with dampers in place of both conditions."""
        assert self.backlash.law is not None
        per = self.radius if self._by_radius else ca.SX(1)
        effort, potential, dissipation, loads = ca.SX(0), ca.SX(0), ca.SX(0), list[Load]()
        for side, room in rooms.items():
            found = sprung(-room, -SIGNS[side] * rate, self.backlash.law, holds)
            effort += SIGNS[side] * per * found.force
            potential += found.potential
            dissipation += found.dissipation
            loads += self.loads(side, per * found.force)
        efforts = tuple(
            JointEffort(x.joint, x.freedom, term.factor * effort)
            for term, x in zip(self.coupled.terms, self.coordinates, strict=True)
        )
        told = Reading(self.coordinates[0].effort_unit, "effort of the teeth along the first coordinate", effort)
        return Contribution(
            loads=tuple(loads),
            efforts=() if loads else efforts,
            potential=potential,
            dissipation=dissipation,
            readings={**readings, "effort": told, **self._force(loads)},
            constants=constants,
        )

    def _force(self, loads: list[Load]) -> dict[str, Reading]:
        """The force of the teeth on the second body, or on that which moves."""
        if self.coupled.contact is None:
            return {}
        by, on = self.sides
        force = sum((load.force for load in loads if load.body == on), ca.SX(loads[0].force.numel(), 1))
        return {
            f"f{axis}": Reading("N", f"{axis} force on {on} by {by} where they touch, world axes", force[i])
            for i, axis in zip(range(force.numel()), "xyz", strict=False)
        }
