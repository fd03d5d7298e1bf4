"""A rotational spring with a damper, on a joint or between two bodies of the plane."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import degrees
from typing import Annotated, ClassVar, Literal

import casadi as ca
from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.algebra.whole_turns import TURN
from linkwork.elements.contribution import Contribution, MeasuredAngle, Told
from linkwork.elements.forces.law import LawForce
from linkwork.elements.forces.torsion_spring import torsion_spring, torsion_spring_between
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE
from linkwork.model.fields import Angle, ElementName, RotationalDamping, RotationalStiffness, TorqueValue, pair_field
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.forces.law import Law, Words
from linkwork.model.references import freedom_faults, freedom_of, known_body_faults
from linkwork.model.tables import Table, table_field

ROUNDING = 1e-12  # of what counts as a whole turn
WORDS = Words("angle", "deflection", "torque")


class TorsionSpring(AppliedForce):
    """A rotational spring with a damper against an angle that counts turns: linear, by tables, or by a formula."""

    SCOPES: ClassVar = {"torque": STATE.knowing(**WORDS.meanings)}

    kind: Literal["torsion_spring"] = "torsion_spring"
    joint: ElementName | None = Field(None, description="a joint that turns; default: none, then bodies")
    freedom: ElementName | None = Field(
        None, description="which angle, when the joint has several coordinates; default: the only one"
    )
    bodies: Annotated[tuple[str, str], pair_field("two bodies")] | None = Field(
        None,
        description="instead of a joint, two bodies of the plane; the angle is that of the second less the first; "
        "default: none",
    )
    stiffness: RotationalStiffness = Field(number(0.0), description="torque per angle, N*m/rad")
    damping: RotationalDamping = Field(number(0.0), description="torque per angular speed, N*m*s/rad")
    free_angle: Angle | None = Field(None, description="angle without torque, rad; default: as drawn")
    table: Annotated[Table, table_field("angle", "torque")] | None = Field(
        None, description="torque over angle; default: none"
    )
    damping_table: Annotated[Table, table_field("angular_speed", "torque")] | None = Field(
        None, description="torque over the rate of the angle; default: none"
    )
    torque: TorqueValue | None = Field(
        None,
        description="torque against the angle, N*m: formula of angle, deflection, speed, t and state; default: none",
    )

    @property
    def law(self) -> Law:
        """How it answers to its angle."""
        return Law(
            words=WORDS,
            stiffness=self.stiffness,
            damping=self.damping,
            free=self.free_angle,
            table=self.table,
            damping_table=self.damping_table,
            formula=self.torque,
            only=None,
            given=frozenset(self.model_fields_set),
        )

    def own_faults(self) -> Iterator[Fault]:
        if (self.joint is None) == (self.bodies is None):
            yield Fault("joint", "a joint or two bodies are needed, one of them", "write joint: or bodies:")
        if self.bodies is not None and self.freedom is not None:
            yield Fault("freedom", "goes with a joint", "leave it out")
        if self.bodies is not None and self.bodies[0] == self.bodies[1]:
            yield Fault("bodies", f"joins '{self.bodies[0]}' with itself", "name two different bodies")
        yield from self.law.own_faults()

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if self.joint is not None:
            yield from freedom_faults(draft, path, self.joint, self.freedom)
            freedom = freedom_of(draft, self.joint, self.freedom)
            if freedom is not None and not freedom.angular:
                reason = f"{self.joint}.{freedom.name} is not an angle"
                yield Fault(f"{path}.joint", reason, "use kind: spring between two points")
        for body in self.bodies or ():
            yield from known_body_faults(draft, f"{path}.bodies", body)
        if self.bodies is not None and draft.space == "spatial":
            hint = "name a joint, or use kind: bushing"
            yield Fault(f"{path}.bodies", "two bodies have one relative angle in the plane only", hint)
        yield from self.law.faults(draft, path)

    @property
    def joints(self) -> tuple[str, ...]:
        return () if self.joint is None else (self.joint,)

    def contribute(self, scene: Scene) -> Contribution:
        if self.joint is not None:
            drawn = partial(scene.drawn_angle, self.joint, self.freedom)
            angle, answer, told = self._answer(scene, scene.angle(self.joint, self.freedom), drawn)
            coordinate = scene.coordinate(self.joint, self.freedom)
            return replace(torsion_spring(replace(coordinate, value=angle.value), answer), told=told)
        assert self.bodies is not None
        drawn = partial(scene.drawn_turn, self.bodies)
        angle, answer, told = self._answer(scene, scene.angle_between(self.bodies), drawn)
        pair = scene.solid(self.bodies[0]), scene.solid(self.bodies[1])
        return replace(torsion_spring_between(pair, angle, answer), told=told)

    def _answer(
        self, scene: Scene, angle: MeasuredAngle, drawn: Callable[[], ca.SX]
    ) -> tuple[MeasuredAngle, LawForce, tuple[Told, ...]]:
        """The angle in the turn in which its table is read, what the spring answers to it, and what is said of its turns."""
        told = []
        if self.table is not None and not angle.counts:
            low, high = (scene.value(self.table.rows[i][0]) for i in (0, -1))
            turns = scene.turns_into(angle, low, high)
            angle = replace(angle, value=angle.value + TURN * turns)
            told.append(Told(turns, partial(_read, angle.name)))

        def meant(free: ca.SX) -> ca.SX:
            counts = angle.counts or abs(float(scene.sketch.number(free)[0])) >= TURN * (1 - ROUNDING)
            turns = scene.turns_beyond(angle, free)
            told.append(Told(ca.vertcat(turns, free), partial(_wound if counts else _taken, angle.name)))
            return free if counts else free + TURN * turns

        answer = self.law.answer(scene, angle.value, angle.rate, drawn, meant)
        if self.law.as_drawn and angle.counts:
            told.append(Told(ca.vertcat(scene.turns_beyond(angle, drawn()), drawn()), partial(_wound, angle.name)))
        return angle, answer, tuple(told)


def _taken(angle: str, turns: float, free: float) -> str:
    """That a free angle is taken in another turn than that in which it is written."""
    given, meant = f"{degrees(free):.6g} deg", f"{degrees(free + TURN * turns):.6g} deg"
    how = "a start that initial gives counts turns, and so does a free angle of a whole turn"
    return f"free_angle {given} is taken as {meant}, in the turn in which {angle} starts; {how}" if turns else ""


def _wound(angle: str, turns: float, free: float) -> str:
    """That a spring starts wound by whole turns."""
    count = f"{turns:+g} {'turn' if abs(turns) == 1 else 'turns'}"
    return f"starts wound by {count}, with {angle} counted from the free angle {degrees(free):.6g} deg" if turns else ""


def _read(angle: str, turns: float) -> str:
    """That a table is read in another turn."""
    return f"its table is read at {angle} {360 * turns:+g} deg, in the turn of its rows" if turns else ""
