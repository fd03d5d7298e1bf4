"""A point on a curve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from linkwork.elements.relations import curve as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import ElementName
from linkwork.model.references import other_body_faults
from linkwork.model.relations.base import Sketch
from linkwork.model.relations.curve_keys import CurveElement

STEEP = 0.99  # cosine between a curve and an axis that it runs along


class Curve(CurveElement):
    """A point on a curve of another body: a pin in a curved slot, a bead on a wire."""

    READINGS: ClassVar[tuple[str, ...]] = ("u",)

    kind: Literal["curve"] = "curve"
    point: ElementName = Field(description="the point: 'arm.P', or just 'P' when only one body has it")
    closed: bool | None = Field(None, description="whether the curve closes; default: in polar form only")

    def own_faults(self) -> Iterator[Fault]:
        yield from super().own_faults()
        if self.closed is False and self.polar_points is not None:
            yield Fault("closed", "polar_points go once round", "give points or formulas for an open curve")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from self.curve_faults(draft, path, self.closes(self.closed))
        yield from other_body_faults(draft, f"{path}.point", self.point, self.body)
        if draft.space == "spatial":
            for key in ("r", "polar_points"):
                if getattr(self, key) is not None:
                    yield Fault(f"{path}.{key}", "is a planar curve", "in space write x, y and z, or points")

    def relate(self, sketch: Sketch) -> mechanics.OnCurve:
        curve = self.build_curve(sketch, self.closes(self.closed))
        upright = None if sketch.space.planar else _upright(curve.steepness(sketch.number))
        return mechanics.OnCurve(self.place_origin(sketch), curve, sketch.place(self.point), upright)


def _upright(steepness: NDArray[np.float64]) -> int | None:
    """The axis that a curve in space keeps across best, if it does."""
    best = int(np.argmin(steepness))
    return best if steepness[best] < STEEP else None
