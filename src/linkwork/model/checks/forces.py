"""Forces: each kind says itself what it demands of the rest of the model."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound forces and of the motion of the ground."""
    if draft.base is not None:
        yield from draft.base.faults(draft, "base")
    for name, force in draft.forces.items():
        yield from force.faults(draft, f"forces.{name}")
