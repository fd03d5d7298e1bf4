"""A coupling: a linear relation Σ cᵢ φᵢ between joint coordinates, its wheels, and where it pushes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, JointCoordinate, OwnState
from linkwork.elements.couplings.contact import Touch
from linkwork.elements.couplings.motion import Term
from linkwork.elements.drawings import Drawings, Pen, Wheel


class JointScene(Protocol):
    """What a coupling asks about a mechanism."""

    def coordinate(self, joint: str, freedom: str | None) -> JointCoordinate:
        """A joint coordinate, with its rate."""
        ...


@dataclass(frozen=True, eq=False)
class Coupled:
    """A coupling: its terms, the first of which gives the unit of its effort, and its wheels where they are known.

    contact: where it pushes; without one it turns, or moves along, each of its coordinates and loads no bearing
    look: how its wheels touch, as in `Drawings`
    """

    terms: tuple[Term, ...]
    wheels: tuple[Wheel, ...] = ()
    contact: Touch | None = None
    look: str = ""

    @property
    def component(self) -> str:
        """The name of its condition: its joints."""
        joints = list(dict.fromkeys(term.joint for term in self.terms))
        listed = ", ".join(joints[:-1])
        return f"{listed} and {joints[-1]}" if listed else joints[-1]

    def drawings(self, pen: Pen) -> Drawings:
        """The pitch circles of its wheels."""
        circles = tuple((wheel.body, wheel.outline(pen.space.dimension)) for wheel in self.wheels)
        return Drawings(circles, wheels=self.wheels, look=self.look)

    def contribute(self, scene: JointScene) -> Contribution:
        """What the coupling does in a mechanism."""
        coordinates = [scene.coordinate(term.joint, term.freedom) for term in self.terms]
        relation = sum((t.factor * x.value for t, x in zip(self.terms, coordinates, strict=True)), ca.SX(0))
        phase, slides = ca.SX.sym(f"{self.component}.phase"), coordinates[0].unit == "m"
        meaning = f"{'force' if slides else 'torque'} per unit factor along {self.terms[0].joint}"
        row = Condition(self.component, relation - phase, is_length=slides, meaning=meaning)
        return Contribution((row,), constants=(OwnState("phase", phase, ca.SX(0), relation),))
