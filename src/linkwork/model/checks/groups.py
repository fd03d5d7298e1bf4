"""Groups: of bodies that are there, each once."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault, did_you_mean
from linkwork.model.joint import GROUND
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the groups."""
    known = list(draft.names("bodies"))
    for name, bodies in draft.groups.items():
        path = f"groups.{name}"
        if not bodies:
            yield Fault(path, "has no bodies", f"write {name}: [{', '.join(known[:2])}]")
        for index, body in enumerate(bodies):
            if body == GROUND:
                yield Fault(f"{path}[{index}]", "the ground does not move and has no mass", "leave it out")
            elif body not in known:
                yield Fault(f"{path}[{index}]", f"there is no body '{body}'", did_you_mean(body, known))
            elif body in bodies[:index]:
                yield Fault(f"{path}[{index}]", f"names '{body}' twice", "leave it out once")
