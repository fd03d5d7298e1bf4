"""A gear: two joint coordinates in a fixed ratio, or two wheels that mesh."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import casadi as ca
from pydantic import Field

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import ToothForm
from linkwork.elements.couplings.gear import WheelSizes, mesh, mesh_by_ratio
from linkwork.elements.couplings.motion import CoupledMotion, are_parallel
from linkwork.errors import Fault
from linkwork.model.couplings.backlash import BacklashField, CouplingBacklash, backlash_faults
from linkwork.model.couplings.base import (
    CouplingElement,
    Train,
    angle_faults,
    angle_value,
    body_faults,
    size_faults,
    teeth_faults,
)
from linkwork.model.draft import Draft
from linkwork.model.fields import Angle, ElementName, Ratio, VectorOfExpressions, pair_field, vector_field
from linkwork.model.references import freedom_faults, point_faults

Radii = Annotated[VectorOfExpressions, vector_field("length", (2,))]
Teeth = Annotated[VectorOfExpressions, vector_field("dimensionless", (2,))]
_SIZES = ("ratio", "teeth", "radii")
_FORM = ("pressure_angle", "helix_angle", "at")


class Gear(CouplingElement):
    """Two joint coordinates, a = ratio × b + constant of the assembly; or two wheels on axes that one body carries."""

    kind: Literal["gear"] = "gear"
    joints: Annotated[tuple[str, str], pair_field("the two coupled joints")] | None = Field(
        None, description="the two coupled joints [a, b]; default: none, then bodies"
    )
    freedoms: Annotated[tuple[str, str], pair_field("coordinate of each joint")] | None = Field(
        None, description="which coordinate of each joint, when they have several; default: the only one"
    )
    bodies: Annotated[tuple[str, str], pair_field("the two wheels")] | None = Field(
        None, description="the two wheels, in place of joints; default: none", examples=[["sun", "planet"]]
    )
    ratio: Ratio | None = Field(
        None,
        description="coordinate of a = ratio × coordinate of b + constant, with its sign; default: from teeth or radii",
    )
    teeth: Teeth | None = Field(
        None, description="numbers of teeth of the two wheels; default: none", examples=[[20, 40]]
    )
    radii: Radii | None = Field(None, description="pitch radii of the two wheels, m; they must mesh; default: none")
    internal: bool = Field(False, description="whether one wheel is a ring with the teeth inside")
    hand: Literal["right", "left"] | None = Field(
        None, description="thread of the first wheel (worm), for skew axes; default: none, required there"
    )
    arm: ElementName | None = Field(None, description="the body that carries both axes; default: found by the joints")
    pressure_angle: Angle | None = Field(
        None, description="of the teeth, in their normal section; default 0: they push along the tangent alone"
    )
    helix_angle: Angle | None = Field(
        None, description="of the teeth, positive for a right-handed first wheel; default 0"
    )
    at: ElementName | None = Field(
        None, description="a point in the plane of the mesh; default: that of the joint next to the first wheel"
    )
    backlash: BacklashField | None = None

    def own_faults(self) -> Iterator[Fault]:
        if (self.joints is None) == (self.bodies is None):
            reason = "is missing" if self.joints is None else "conflicts with bodies"
            yield Fault(
                "joints", reason, "write joints: [a, b] with a ratio, or bodies: [wheel, wheel] with teeth or radii"
            )
        elif self.joints is not None:
            yield from self._joint_faults(self.joints)
        else:
            yield from self._wheel_faults()

    def _joint_faults(self, joints: tuple[str, str]) -> Iterator[Fault]:
        if joints[0] == joints[1] and (self.freedoms is None or self.freedoms[0] == self.freedoms[1]):
            yield Fault("joints", f"couples '{joints[0]}' with itself", "name two different coordinates")
        if self.ratio is None:
            yield Fault("ratio", "is missing", "write ratio: -2, negative for wheels that turn against each other")
        for key in ("teeth", "radii", "hand", "arm", *_FORM):
            if getattr(self, key) is not None:
                yield Fault(key, "belongs to a gear between bodies", "leave it out, or write bodies in place of joints")
        if self.internal:
            yield Fault("internal", "belongs to a gear between bodies", "give the ratio its sign")

    def _wheel_faults(self) -> Iterator[Fault]:
        given = [key for key in _SIZES if getattr(self, key) is not None]
        if not given:
            yield Fault("teeth", "are missing", "write teeth: [20, 40], radii: [0.1, 0.2], or ratio: -2")
        elif len(given) > 1:
            yield Fault(given[1], f"conflicts with {given[0]}", "give one of teeth, radii, ratio")
        if self.freedoms is not None:
            yield Fault("freedoms", "belongs to a gear between joints", "leave it out")
        if self.ratio is not None and (self.internal or self.hand is not None):
            key = "internal" if self.internal else "hand"
            yield Fault(key, "the ratio has a sign already", "leave it out, or give teeth in place of the ratio")
        elif self.ratio is not None:
            for key in _FORM:
                if getattr(self, key) is not None:
                    yield Fault(key, "a ratio does not say where teeth touch", "give teeth or radii in its place")
        elif self.internal and self.hand is not None:
            yield Fault("hand", "conflicts with internal", "a worm has no internal mesh")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if self.joints is not None:
            for joint, freedom in zip(self.joints, self.freedoms or (None, None), strict=True):
                yield from freedom_faults(draft, path, joint, freedom, ("joints", "freedoms"))
        if self.bodies is not None:
            yield from body_faults(draft, path, [("bodies", body) for body in self.bodies], ("arm", self.arm))
        if draft.number(self.ratio) == 0.0:
            yield Fault(f"{path}.ratio", "is zero", "a gear needs a ratio other than zero")
        yield from teeth_faults(draft, f"{path}.teeth", self.teeth or ())
        yield from size_faults(draft, f"{path}.radii", self.radii or (), " m")
        yield from angle_faults(draft, path, self.pressure_angle, self.helix_angle)
        yield from backlash_faults(draft, f"{path}.backlash", self.backlash)
        if self.at is not None:
            yield from point_faults(draft, f"{path}.at", self.at)

    @property
    def play(self) -> CouplingBacklash | None:
        return self.backlash

    def couple(self, train: Train) -> Coupled:
        if self.joints is not None:
            assert self.ratio is not None
            factors = ca.SX(1), -train.value(self.ratio)
            named = zip(self.joints, self.freedoms or (None, None), factors, strict=True)
            return Coupled(tuple(train.term(joint, freedom, factor) for joint, freedom, factor in named))
        assert self.bodies is not None
        arm = self.arm or train.carrier(self.bodies)
        first, second = (train.turning(body, arm) for body in self.bodies)
        if self.ratio is not None:
            return mesh_by_ratio(first, second, train.value(self.ratio))
        given = self.teeth or self.radii
        assert given is not None
        one, two = (train.value(size) for size in given)
        sizes, form = WheelSizes(one, two, self.radii is not None), self._form(train, first, second)
        return mesh(first, second, sizes, self.internal, self.hand, train.number, form=form)

    def _form(self, train: Train, first: CoupledMotion, second: CoupledMotion) -> ToothForm:
        """How the teeth lie, and where the mesh is."""
        angles = angle_value(train, self.pressure_angle), angle_value(train, self.helix_angle)
        if self.at is None:
            return ToothForm(*angles)
        if are_parallel(first.direction, second.direction):
            return ToothForm(*angles, level=train.level(self.at, first))
        return ToothForm(*angles, share=train.share(self.at, first, second))
