"""Forces: each kind says itself what it demands of the rest of the model."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.draft import Draft


def faults(draft: Draft) -> Iterator[Fault]:
    """All faults of the sound forces."""
    for name, force in draft.forces.items():
        yield from force.faults(draft, f"forces.{name}")
