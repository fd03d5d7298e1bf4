"""Drag of a fluid at a point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.elements.contribution import Contribution
from linkwork.elements.forces.drag import drag
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE
from linkwork.model.fields import Damping, Density, ElementName, Ratio, SpeedVector, Value
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.forces.force import loaded_point_faults
from linkwork.model.references import size_faults

_SHAPE = ("density", "coefficient", "area")


class Drag(AppliedForce):
    """Drag at a point: −(linear + quadratic·speed)·velocity relative to the wind; quadratic = ½ρcA where these are given."""

    SCOPES: ClassVar = {"wind": STATE}

    kind: Literal["drag"] = "drag"
    at: ElementName = Field(description="the point that moves through the fluid")
    body: ElementName | None = Field(
        None, description="the loaded body, when the point alone does not tell; default: the body of the point"
    )
    linear: Damping = Field(number(0.0), description="force per speed, N*s/m")
    quadratic: Value = Field(number(0.0), description="force per square of the speed, N*s^2/m^2")
    density: Density | None = Field(
        None, description="instead of quadratic: density of the fluid, kg/m^3; default: none"
    )
    coefficient: Ratio | None = Field(None, description="drag coefficient; default: none, required with density")
    area: Value | None = Field(None, description="area, m^2; default: none, required with density")
    wind: SpeedVector | None = Field(
        None, description="velocity of the fluid, m/s: numbers or formulas of t and state; default: 0"
    )

    def own_faults(self) -> Iterator[Fault]:
        given = [key for key in _SHAPE if getattr(self, key) is not None]
        if given and "quadratic" in self.model_fields_set:
            yield Fault("quadratic", f"conflicts with {given[0]}", "give quadratic, or density, coefficient and area")
        elif given and len(given) < len(_SHAPE):
            missing = [key for key in _SHAPE if key not in given]
            yield Fault(missing[0], "is missing", "density, coefficient and area go together")
        elif not given and not {"linear", "quadratic"} & self.model_fields_set:
            yield Fault("linear", "no drag is given", "write linear, quadratic, or density, coefficient and area")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from loaded_point_faults(draft, path, self.at, self.body)
        if draft.space is not None and self.wind is not None:
            yield from size_faults(f"{path}.wind", self.wind, 2 if draft.space == "planar" else 3, draft.space)
        for key in ("linear", "quadratic", *_SHAPE):
            value = draft.number(getattr(self, key))
            if value is not None and value < 0.0:
                yield Fault(f"{path}.{key}", f"is {value:g}; it cannot be negative", "drag takes power out")

    @property
    def pointwise(self) -> bool:
        return True

    def contribute(self, scene: Scene) -> Contribution:
        quadratic = scene.value(self.quadratic)
        if self.density is not None and self.coefficient is not None and self.area is not None:
            quadratic = scene.value(self.density) * scene.value(self.coefficient) * scene.value(self.area) / 2
        wind = None if self.wind is None else scene.vector(self.wind)
        return drag(scene.space, scene.station(self.at, self.body), scene.value(self.linear), quadratic, wind)
