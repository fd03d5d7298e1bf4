"""A spinning rotor inside a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import casadi as ca
from pydantic import Field

from linkwork.algebra.expressions import Expression, number
from linkwork.elements.contribution import Contribution
from linkwork.elements.forces.rotor import Mount, RotorDrive, driven_rotor, free_rotor
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE, TIME_ONLY
from linkwork.model.fields import (
    AngularSpeed,
    Direction,
    ElementName,
    Inertia,
    RotationalDamping,
    TorqueValue,
    VectorOfExpressions,
)
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import body_faults, size_faults


class Rotor(AppliedForce):
    """A symmetric rotor inside a body that carries its mass and inertia: with a given spin, or free with a motor."""

    SCOPES: ClassVar = {"spin": TIME_ONLY, "torque": STATE.knowing(spin="the spin of the rotor")}

    kind: Literal["rotor"] = "rotor"
    body: ElementName = Field(description="the body that carries it; its mass and inertia include the rotor, at rest")
    axis: Direction | None = Field(
        None,
        description="direction of the axis in the axes of the body (space); "
        "default: the normal of the plane, in space required",
    )
    inertia: Inertia = Field(description="moment of inertia about the axis, kg*m^2")
    spin: AngularSpeed | None = Field(None, description="spin relative to the body, rad/s: formula of t; default: free")
    torque: TorqueValue | None = Field(
        None,
        description="instead of a given spin: torque of the motor on the rotor, formula of spin, t and state; "
        "default: 0",
    )
    friction: RotationalDamping = Field(number(0.0), description="of its bearing, N*m*s/rad")
    initial: AngularSpeed | None = Field(None, description="free rotor: spin at the start, rad/s; default 0")

    def own_faults(self) -> Iterator[Fault]:
        free = [key for key in ("torque", "friction", "initial") if key in self.model_fields_set]
        if self.spin is not None and free:
            yield Fault(free[0], "conflicts with spin, which gives the motion of the rotor", "leave one of them out")
        if self.spin is None and not free:
            yield Fault("spin", "is missing", "write spin: 3000 rpm, or torque: for a rotor with a motor")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from body_faults(draft, f"{path}.body", self.body)
        if draft.space == "planar" and self.axis is not None:
            yield Fault(f"{path}.axis", "the axis of a planar rotor is the normal of the plane", "leave it out")
        if draft.space == "spatial" and self.axis is None:
            yield Fault(f"{path}.axis", "is missing: a rotor in space needs its direction", "write axis: [0, 0, 1]")
        if draft.space == "spatial" and self.axis is not None:
            yield from size_faults(f"{path}.axis", self.axis, 3, draft.space)
            values = draft.numbers(self.axis)
            if values is not None and not any(values):
                yield Fault(f"{path}.axis", "is zero", "give a direction, such as [0, 0, 1]")
        for key in ("inertia", "friction"):
            value = draft.number(getattr(self, key))
            if value is not None and (value < 0.0 or (key == "inertia" and value == 0.0)):
                yield Fault(f"{path}.{key}", f"is {value:g}; it must be positive")

    @property
    def carried(self) -> tuple[str, VectorOfExpressions, Expression] | None:
        return None if self.spin is not None else (self.body, self.axis or (), self.inertia)

    def contribute(self, scene: Scene) -> Contribution:
        solid, inertia = scene.solid(self.body), scene.value(self.inertia)
        mount = Mount(solid, self._world_axis(scene), solid.omega + scene.turning)
        if self.spin is not None:
            spin = scene.value(self.spin)
            return driven_rotor(scene.space, mount, inertia, spin, ca.gradient(spin, scene.time))
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
