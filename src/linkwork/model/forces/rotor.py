"""A spinning rotor inside a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import casadi as ca
from pydantic import Field

from linkwork.algebra.expressions import Expression, number
from linkwork.elements.contribution import Contribution
from linkwork.elements.forces.rotor import Mount, RotorDrive, driven_rotor, free_rotor, geared_rotor
from linkwork.errors import Fault, RefusedError
from linkwork.model.draft import Draft
from linkwork.model.element import STATE, TIME_ONLY
from linkwork.model.fields import (
    AngularSpeed,
    Direction,
    ElementName,
    Inertia,
    RotationalDamping,
    TorqueValue,
    Value,
    VectorOfExpressions,
    literal_faults,
)
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import body_faults, freedom_faults, freedom_of, known_body_faults, size_faults


class Rotor(AppliedForce):
    """A symmetric rotor inside a body that carries its mass and inertia: with a given spin, geared, or free with a motor."""

    SCOPES: ClassVar = {"spin": TIME_ONLY, "torque": STATE.knowing(spin="the spin of the rotor")}

    kind: Literal["rotor"] = "rotor"
    body: ElementName = Field(
        description="the body that carries it; its mass and inertia include the rotor, at rest. A geared one also: ground"
    )
    axis: Direction | None = Field(
        None,
        description="direction of the axis in the axes of the body (space); "
        "default: the normal of the plane, in space required",
    )
    inertia: Inertia = Field(description="moment of inertia about the axis, kg*m^2")
    spin: AngularSpeed | None = Field(None, description="spin relative to the body, rad/s: formula of t; default: free")
    joint: ElementName | None = Field(
        None, description="instead of a given spin: the joint that turns it by a gear; default: none"
    )
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )
    ratio: Value | None = Field(
        None, description="of the gear: spin by the rate of the coordinate; default: 1", examples=[-100]
    )
    torque: TorqueValue | None = Field(
        None,
        description="instead of a given spin: torque of the motor on the rotor, formula of spin, t and state; "
        "default: 0",
    )
    friction: RotationalDamping = Field(number(0.0), description="of its bearing, N*m*s/rad")
    initial: AngularSpeed | None = Field(None, description="free rotor: spin at the start, rad/s; default 0")

    def own_faults(self) -> Iterator[Fault]:
        free = [key for key in ("torque", "friction", "initial") if key in self.model_fields_set]
        given = [key for key in ("spin", "joint") if getattr(self, key) is not None]
        for key in [*given[1:], *(free[:1] if given else ())]:
            yield Fault(key, f"conflicts with {given[0]}, which gives the motion of the rotor", "leave one of them out")
        if not given and not free:
            hint = "write spin: 3000 rpm, joint: for a rotor that is geared, or torque: for one with a motor"
            yield Fault("spin", "is missing", hint)
        for key in ("freedom", "ratio"):
            if self.joint is None and getattr(self, key) is not None:
                yield Fault(key, "goes with a joint", "write joint: too, or leave it out")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        known = body_faults if self.joint is None else known_body_faults
        yield from known(draft, f"{path}.body", self.body)
        if draft.space == "planar" and self.axis is not None:
            yield Fault(f"{path}.axis", "the axis of a planar rotor is the normal of the plane", "leave it out")
        if draft.space == "spatial" and self.axis is None:
            yield Fault(f"{path}.axis", "is missing: a rotor in space needs its direction", "write axis: [0, 0, 1]")
        if draft.space == "spatial" and self.axis is not None:
            yield from size_faults(f"{path}.axis", self.axis, 3, draft.space)
            values = draft.numbers(self.axis)
            if values is not None and not any(values):
                yield Fault(f"{path}.axis", "is zero", "give a direction, such as [0, 0, 1]")
        if self.joint is not None:
            yield from freedom_faults(draft, path, self.joint, self.freedom)
            freedom = freedom_of(draft, self.joint, self.freedom)
            pure = freedom is not None and freedom.angular
            yield from literal_faults(f"{path}.ratio", self.ratio, "dimensionless" if pure else "any")
        for key in ("inertia", "friction"):
            value = draft.number(getattr(self, key))
            if value is not None and (value < 0.0 or (key == "inertia" and value == 0.0)):
                yield Fault(f"{path}.{key}", f"is {value:g}; it must be positive")

    @property
    def carried(self) -> tuple[str, VectorOfExpressions, Expression] | None:
        follows = self.spin is not None or self.joint is not None
        return None if follows else (self.body, self.axis or (), self.inertia)

    @property
    def joints(self) -> tuple[str, ...]:
        return () if self.joint is None else (self.joint,)

    def contribute(self, scene: Scene) -> Contribution:
        solid, inertia = scene.solid(self.body), scene.value(self.inertia)
        mount = Mount(solid, self._world_axis(scene), solid.omega + scene.turning)
        if self.spin is not None:
            spin = scene.value(self.spin)
            return driven_rotor(scene.space, mount, inertia, spin, ca.gradient(spin, scene.time))
        if self.joint is not None:
            if not scene.turning.is_zero():
                raise RefusedError(
                    f"the rotor in '{self.body}' is geared, and the ground turns: make it a body with a joint and a coupling"
                )
            ratio = ca.SX(1) if self.ratio is None else scene.value(self.ratio)
            return geared_rotor(mount, inertia, scene.coordinate(self.joint, self.freedom), ratio)
        speed = ca.SX.sym("speed")
        spin = speed - ca.dot(mount.axis, mount.omega)
        torque = ca.SX(0) if self.torque is None else scene.value(self.torque, {"spin": spin})
        start = ca.SX(0) if self.initial is None else scene.value(self.initial)
        return free_rotor(scene.space, mount, inertia, speed, RotorDrive(torque, scene.value(self.friction), start))

    def _world_axis(self, scene: Scene) -> ca.SX:
        if self.axis is None:
            return ca.SX(1)
        local = scene.vector(self.axis)
        return scene.solid(self.body).frame.vector(local / ca.norm_2(local))
