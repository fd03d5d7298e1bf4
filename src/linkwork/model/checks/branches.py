"""Branches: they are named by joints that are there, each by one key only."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault, did_you_mean
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the chosen branches that show without an analysis of the loops."""
    named: dict[str, str] = {}
    for key in draft.branches:
        path = f"branches.{key}"
        for joint in key.split("-"):
            if joint not in draft.names("joints"):
                yield Fault(path, f"there is no joint '{joint}'", did_you_mean(joint, draft.names("joints")))
            elif named.setdefault(joint, key) != key:
                yield Fault(
                    path, f"the branch of joint {joint} is chosen by '{named[joint]}' already", "keep one of them"
                )
