"""A wheel on a track in the plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import casadi as ca
import numpy as np
from pydantic import Field

from linkwork.elements.contribution import Place
from linkwork.elements.curves import BodyCurve
from linkwork.elements.relations import track as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import ElementName, Length, refused
from linkwork.model.references import other_body_faults
from linkwork.model.relations.base import Sketch
from linkwork.model.relations.curve_keys import CurveElement


class Track(CurveElement):
    """In the plane: a wheel that rolls on a curve of another body without slipping, or slides along it."""

    READINGS: ClassVar[tuple[str, ...]] = ("u", "contact.x", "contact.y")

    kind: Literal["track"] = "track"
    centre: ElementName = Field(description="the centre of the wheel: a point of the body that rolls")
    radius: Length = Field(description="m")
    slides: bool = Field(False, description="whether it slides without friction, in place of rolling")
    closed: bool | None = Field(None, description="whether the track closes; default: in polar form only")

    def own_faults(self) -> Iterator[Fault]:
        yield from super().own_faults()
        if self.closed is False and self.polar_points is not None:
            yield Fault("closed", "polar_points go once round", "give points or formulas for an open track")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if draft.space == "spatial":
            hint = "in space a disc or a sphere rolls on a plane: a relation of kind rolling"
            yield Fault(f"{path}.kind", "a wheel on a track belongs to the plane", hint)
            return
        yield from self.curve_faults(draft, path, self.closes(self.closed))
        yield from other_body_faults(draft, f"{path}.centre", self.centre, self.body)
        radius = draft.number(self.radius)
        if radius is not None and radius <= 0.0:
            yield Fault(f"{path}.radius", f"is {radius:g} m; it must be positive")

    def relate(self, sketch: Sketch) -> mechanics.TrackRelation:
        curve, origin = self.build_curve(sketch, self.closes(self.closed)), self.place_origin(sketch)
        centre, radius = sketch.place(self.centre), sketch.value(self.radius)
        side = _side(sketch, origin, curve, centre)
        self.check_hollows(sketch, curve, side, radius, "the wheel does not fit into the track")
        return mechanics.TrackRelation(origin, curve, side, centre, radius, self.slides)


def _side(sketch: Sketch, origin: Place, curve: BodyCurve, centre: Place) -> float:
    """1 where the centre is drawn on the left of the track, −1 on the right."""
    track = sketch.drawn(origin.body)
    gap = sketch.drawn(centre.body).point(centre.local) - track.point(origin.local)
    place = np.ravel(sketch.number(track.axes.T @ gap))
    u = ca.SX(curve.nearest(place, sketch.number))
    foot, normal = (np.ravel(sketch.number(item)) for item in (curve.point(u), curve.normal(u)))
    left = float(normal @ (place - foot))
    if left == 0.0:
        raise refused("the centre of the wheel is drawn on the track", "draw it on the side where the wheel is")
    return 1.0 if left > 0.0 else -1.0
