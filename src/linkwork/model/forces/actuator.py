"""An actuator with a control signal, between two points or on a joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import casadi as ca
from pydantic import Field

from linkwork.algebra.expressions import Expression, number
from linkwork.elements.contribution import Contribution
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.forces.actuator import Amplifier, joint_actuator, line_actuator
from linkwork.elements.forces.spring import Line
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE, Scope
from linkwork.model.fields import Duration, ElementName, Value, literal_faults, pair_field, vector_field
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import freedom_faults, freedom_of, pair_faults

BETWEEN = STATE.knowing(length="the length of the actuator", speed="the rate of its length")
ON_JOINT = STATE.knowing(
    angle="the angle of its joint", position="the position of its joint", speed="the rate of its coordinate"
)


class Actuator(AppliedForce):
    """An actuator: gain·signal within limits, perhaps with a lag, pushes two points apart or works on a joint."""

    SCOPES: ClassVar = {"signal": STATE}

    kind: Literal["actuator"] = "actuator"
    between: Annotated[tuple[str, str], pair_field("two points")] | None = Field(
        None, description="two points that it pushes apart: 'crank.A', 'ground.O'; default: none, then joint"
    )
    joint: ElementName | None = Field(
        None, description="instead of points, the joint on whose coordinate it works; default: none"
    )
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )
    signal: Value = Field(
        description="formula of t, state and parameters; knows its own length or, on a joint, angle or position, and speed",
        examples=["1.5 - angle - 0.2*speed"],
    )
    gain: Value = Field(number(1.0), description="force or torque per unit of the signal")
    limits: Annotated[tuple[Expression, ...], vector_field("any", (2,))] | None = Field(
        None, description="smallest and largest force or torque; default: none", examples=[[-10, 10]]
    )
    lag: Duration | None = Field(None, description="time constant with which the force follows, s; default: at once")
    initial: Value | None = Field(None, description="with a lag: force at the start; default: what is demanded")

    def expressions(self) -> Iterator[tuple[str, Scope, Expression]]:
        own = BETWEEN if self.joint is None else ON_JOINT
        for path, scope, expression in super().expressions():
            yield path, own if path == "signal" else scope, expression

    def own_faults(self) -> Iterator[Fault]:
        if (self.between is None) == (self.joint is None):
            yield Fault("joint", "a joint or two points are needed, one of them", "write joint: or between:")
        if self.between is not None and self.freedom is not None:
            yield Fault("freedom", "goes with a joint", "leave it out")
        if self.between is not None and self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name two different points")
        if self.initial is not None and self.lag is None:
            yield Fault("initial", "goes with a lag: without one the signal gives the force at once", "leave it out")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        dimension = "force"
        if self.between is not None:
            yield from pair_faults(draft, f"{path}.between", self.between, "the actuator")
        if self.joint is not None:
            yield from freedom_faults(draft, path, self.joint, self.freedom)
            freedom = freedom_of(draft, self.joint, self.freedom)
            dimension = freedom.effort_dimension if freedom is not None else "any"
            has, other = ("angle", "position") if freedom is None or freedom.angular else ("position", "angle")
            if freedom is not None and other in self.signal.names():
                yield Fault(
                    f"{path}.signal", f"'{other}': the coordinate of '{self.joint}' is its {has}", f"write {has}"
                )
        for key, value in (("limits[0]", (self.limits or (None,))[0]), ("limits[1]", (self.limits or (None,))[-1])):
            yield from literal_faults(f"{path}.{key}", value, dimension)
        yield from literal_faults(f"{path}.initial", self.initial, dimension)
        low, high = (draft.number(limit) for limit in self.limits or (None, None))
        if low is not None and high is not None and not low < high:
            yield Fault(f"{path}.limits", f"the lower one, {low:g}, is not below the upper, {high:g}")
        lag = draft.number(self.lag)
        if lag is not None and not lag > 0.0:
            yield Fault(f"{path}.lag", f"is {lag:g} s; it must be positive", "leave it out for a force without delay")

    @property
    def joints(self) -> tuple[str, ...]:
        return () if self.joint is None else (self.joint,)

    def drawings(self, pen: Pen) -> Drawings:
        if self.between is None:
            return Drawings()
        return Drawings(spring=(pen.place(self.between[0]), pen.place(self.between[1])), look="strut")

    @property
    def pointwise(self) -> bool:
        return self.joint is None

    def contribute(self, scene: Scene) -> Contribution:
        limits = None if self.limits is None else (scene.value(self.limits[0]), scene.value(self.limits[1]))
        lag, start = (None if item is None else scene.value(item) for item in (self.lag, self.initial))
        gain = scene.value(self.gain)

        def amplifier(coordinate: str, value: ca.SX, rate: ca.SX) -> Amplifier:
            return Amplifier(scene.value(self.signal, {coordinate: value, "speed": rate}), gain, limits, lag, start)

        if self.between is not None:
            line = Line(
                (scene.station(self.between[0]), scene.station(self.between[1])), scene.never_part(self.between)
            )
            return line_actuator(scene.space, line, amplifier("length", line.length, line.rate))
        assert self.joint is not None
        found = scene.coordinate(self.joint, self.freedom)
        return joint_actuator(found, amplifier(found.word, found.value, found.rate))
