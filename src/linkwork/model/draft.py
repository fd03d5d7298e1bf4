"""A description while it is read, as its elements see the rest of it."""

from __future__ import annotations

from collections.abc import KeysView
from typing import Protocol

from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.places import Places


class Draft(DraftNumbers, Places, Protocol):
    """What an element may ask about the others: those that are sound, and the names of all."""

    def names(self, section: str) -> KeysView[str]:
        """All names written in a section, of sound and faulty elements alike."""
        ...
