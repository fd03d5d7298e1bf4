"""Poses from which the assembly begins: of bodies that are there, with the sizes of the space."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault, did_you_mean
from linkwork.model.checks.sizes import space_faults
from linkwork.model.checks.solids import rotation_faults
from linkwork.model.reading import DraftModel
from linkwork.model.references import size_faults


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the poses at the start."""
    for name, pose in draft.start.items():
        path = f"start.{name}"
        if name not in draft.names("bodies"):
            yield Fault(path, f"there is no body '{name}'", did_you_mean(name, draft.names("bodies")))
        yield from rotation_faults(draft, f"{path}.rotation", pose.rotation)
        if draft.space is not None:
            yield from size_faults(f"{path}.origin", pose.origin, 2 if draft.space == "planar" else 3, draft.space)
            yield from space_faults(f"{path}.rotation", pose.rotation, draft.space)
