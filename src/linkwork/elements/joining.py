"""That an element is one group, which holds while nobody releases it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Joined:
    """All its conditions hold together, or none; start: whether at first; words: what it does where it begins and ends.

    while_held: what it is in between
    """

    start: bool
    words: tuple[str, str]
    while_held: str
