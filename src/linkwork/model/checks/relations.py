"""Relations: the points and bodies that they name exist, and their numbers make sense."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound relations."""
    for name, relation in draft.relations.items():
        yield from relation.faults(draft, f"relations.{name}")
