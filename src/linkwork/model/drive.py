"""Declarations of drivers: prescribed motions of joint coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from linkwork.elements.contribution import Contribution
from linkwork.elements.drivers.joint_driver import PrescribedCourse, drive_joint
from linkwork.errors import Fault
from linkwork.model.element import TIME_ONLY, Element
from linkwork.model.fields import ElementName, Value
from linkwork.model.forces.base import Scene

_LEVELS = ("position", "speed", "acceleration")


class Driver(Element):
    """A motor that prescribes a joint coordinate as a function of time: its position, speed or acceleration."""

    SCOPES: ClassVar = dict.fromkeys(_LEVELS, TIME_ONLY)

    joint: ElementName = Field(description="name of the driven joint")
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )
    position: Value | None = Field(
        None,
        description="coordinate as a function of t; default: none, one of the three is required",
        examples=["30 deg", "sin(2*t)"],
    )
    speed: Value | None = Field(
        None,
        description="rate of the coordinate as a function of t; default: none, one of the three is required",
        examples=["60 rpm"],
    )
    acceleration: Value | None = Field(None, description="second derivative as a function of t; default: none")
    initial: Value | None = Field(None, description="coordinate at the start; default: from the assembly")
    initial_speed: Value | None = Field(None, description="rate at the start, for a given acceleration; default 0")

    @property
    def level(self) -> str:
        """What is prescribed: 'position', 'speed' or 'acceleration'."""
        return next(level for level in _LEVELS if getattr(self, level) is not None)

    @property
    def motion(self) -> Value:
        """The prescribed function of time, at its level."""
        return getattr(self, self.level)

    def contribute(self, scene: Scene) -> Contribution:
        """What the driver does in a mechanism."""
        first = [None if item is None else scene.value(item) for item in (self.initial, self.initial_speed)]
        return drive_joint(
            scene.coordinate(self.joint, self.freedom), PrescribedCourse(self.level, scene.value(self.motion), *first)
        )

    def own_faults(self) -> Iterator[Fault]:
        given = [level for level in _LEVELS if getattr(self, level) is not None]
        if not given:
            yield Fault("", "no motion is given", "write position, speed or acceleration, for example speed: 60 rpm")
        elif len(given) > 1:
            yield Fault(given[1], f"conflicts with {given[0]}", "give one of position, speed, acceleration")
        if given == ["position"] and self.initial is not None:
            yield Fault("initial", "the position gives the initial value already", "leave it out")
        if given in (["position"], ["speed"]) and self.initial_speed is not None:
            yield Fault("initial_speed", f"the {given[0]} gives the initial speed already", "leave it out")
