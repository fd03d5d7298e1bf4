"""Couplings: the joints and bodies that they name exist, and their numbers make sense."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound couplings."""
    for name, coupling in draft.couplings.items():
        yield from coupling.faults(draft, f"couplings.{name}")
