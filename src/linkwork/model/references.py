"""Faults of what one element says about others: points, bodies, joint coordinates, and the size of vectors.

Each function yields faults with complete paths; a reference to an element that has faults of its own passes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from linkwork.elements.joints import Freedom
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.draft import Draft
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.fields import VectorOfExpressions, as_faults
from linkwork.model.joint import GROUND
from linkwork.model.places import locate

Located = Generator[Fault, None, tuple[str, str] | None]


def body_faults(draft: Draft, path: str, body: str) -> Iterator[Fault]:
    """A body that a force acts on: it exists and can move."""
    if body == GROUND:
        yield Fault(path, "acts on the ground, which does not move", "name a body that moves")
    else:
        yield from known_body_faults(draft, path, body)


def known_body_faults(draft: Draft, path: str, body: str) -> Iterator[Fault]:
    """A body that exists, or the ground."""
    known = draft.names("bodies")
    if body != GROUND and body not in known:
        yield Fault(path, f"there is no body '{body}'", did_you_mean(body, [*known, GROUND]))


def point_faults(draft: Draft, path: str, reference: str, body: str | None = None) -> Located:
    """Yield the fault of a reference to a point; return (body, point), or None when that cannot be decided."""
    holder = body or (reference.partition(".")[0] if "." in reference else None)
    if holder in draft.names("bodies") and holder not in draft.bodies:
        return None  # the body has faults of its own
    decided = holder is not None or len(draft.bodies) == len(draft.names("bodies"))  # else a faulty body may have it
    try:
        place = locate(draft, reference, body)
    except ModelError as error:
        if decided:
            yield from as_faults(path, error)
        return None
    return place if decided else None


def pair_faults(draft: Draft, path: str, between: tuple[str, str], what: str) -> Iterator[Fault]:
    """Two points of different bodies, between which *what* acts."""
    places = []
    for reference in between:
        place = yield from point_faults(draft, path, reference)
        places.append(place)
    first, second = places
    if first is not None and second is not None and first[0] == second[0]:
        reason = f"both points are on '{first[0]}': {what} would have no effect"
        yield Fault(path, reason, "name points of two different bodies")


def freedom_faults(
    draft: Draft, path: str, joint: str, freedom: str | None, keys: tuple[str, str] = ("joint", "freedom")
) -> Iterator[Fault]:
    """Faults of a reference to a joint coordinate from *path*; *keys* are the fields that name joint and freedom."""
    if joint not in draft.names("joints"):
        hint = did_you_mean(joint, draft.names("joints")) or "there are no joints"
        yield Fault(f"{path}.{keys[0]}", f"there is no joint '{joint}'", hint)
    elif joint in draft.joints and draft.joints[joint].freedom(freedom) is None:
        kind, known = draft.joints[joint].kind, [f.name for f in draft.joints[joint].freedoms]
        if not known:
            reason = f"the {kind} joint '{joint}' has no coordinate that could be used here"
            yield Fault(f"{path}.{keys[0]}", reason, "name another joint")
        elif freedom is None:
            reason = f"is missing: the {kind} joint '{joint}' has several coordinates"
            yield Fault(f"{path}.{keys[1]}", reason, "write one of: " + ", ".join(known))
        else:
            reason = f"the {kind} joint '{joint}' has no coordinate '{freedom}'"
            yield Fault(f"{path}.{keys[1]}", reason, "it has: " + ", ".join(known))


def freedom_of(draft: Draft, joint: str, name: str | None) -> Freedom | None:
    """The freedom that a reference means; None when it cannot be decided."""
    return draft.joints[joint].freedom(name) if joint in draft.joints else None


def size_faults(path: str, vector: Sequence[object], size: int, space: str) -> Iterator[Fault]:
    """A vector with the wrong number of components."""
    if len(vector) != size:
        needed = "one number is" if size == 1 else f"{size} components are"
        yield Fault(path, f"has {len(vector)} component{'s' if len(vector) != 1 else ''}; {needed} needed ({space})")


def direction_faults(draft: DraftNumbers, path: str, vector: VectorOfExpressions | None) -> Iterator[Fault]:
    """A direction with the wrong number of components, or that is zero; None passes."""
    if vector is None:
        return
    if draft.space is not None:
        yield from size_faults(path, vector, 2 if draft.space == "planar" else 3, draft.space)
    if draft.numbers(vector) is not None and not any(draft.numbers(vector) or ()):
        yield Fault(path, "is zero", "give a direction, such as [1, 0] or [0, 0, 1]")


def line_faults(draft: Draft, path: str, line: tuple[str, str]) -> Generator[Fault, None, str | None]:
    """Two points of one body through which a line goes; return the body, or None when that cannot be decided."""
    places = []
    for reference in line:
        place = yield from point_faults(draft, path, reference)
        places.append(place)
    first, second = places
    if line[0] == line[1]:
        yield Fault(path, f"joins '{line[0]}' with itself", "name two different points")
    elif first is not None and second is not None and first[0] != second[0]:
        reason = f"'{line[0]}' is on '{first[0]}', '{line[1]}' on '{second[0]}'"
        yield Fault(path, reason, f"name two points of one body, such as {first[0]}.{first[1]} first")
    return None if first is None else first[0]


def other_body_faults(draft: Draft, path: str, reference: str, body: str | None) -> Iterator[Fault]:
    """A point of another body than *body*."""
    place = yield from point_faults(draft, path, reference)
    if place is not None and place[0] == body:
        yield Fault(path, f"'{reference}' is on '{body}' too: there is nothing to hold", "name a point of another body")
