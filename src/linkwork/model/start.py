"""Declaration of where a body stands when a mechanism is put together, if not where it is drawn."""

from __future__ import annotations

from pydantic import Field

from linkwork.model.element import Element
from linkwork.model.fields import Position
from linkwork.model.rotation import RotationField


class StartPose(Element):
    """Where the frame of a body lies when the assembly begins; lengths, axes and drivers still belong to the sketch."""

    origin: Position = Field(description="where the origin of the body frame lies, world axes, m")
    rotation: RotationField | None = None
