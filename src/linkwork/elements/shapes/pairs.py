"""Which pairs of shapes may touch, and what there is for each: an expression, a kernel, both, or conditions of curves."""

from __future__ import annotations

from collections.abc import Callable

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Frames
from linkwork.elements.shapes.forms import ContactShape
from linkwork.elements.shapes.gaps import (
    ContactGap,
    Placed,
    plane_and_corners,
    plane_and_turned,
    two_balls,
)
from linkwork.elements.shapes.polygon_gaps import (
    Choosing,
    arc_and_point,
    bar_and_point,
    plane_and_hull,
    polygon_and_point,
    two_polygons,
)
from linkwork.errors import RefusedError

SPATIAL_WORDS = ("point", "ball", "bar", "hull", "turned", "plane", "field")
PLANAR_WORDS = ("point", "ball", "bar", "hull", "plane", "arc", "curve")
_GROUND = {"plane", "field"}
_CURVES, _ON_CURVES = {"arc", "curve"}, ("point", "ball", "plane", "arc", "curve")

PairGaps = Callable[[Placed, Placed], tuple[ContactGap, ...]]
GAPS: dict[tuple[str, str], PairGaps] = {
    ("plane", "ball"): plane_and_corners,
    ("plane", "bar"): plane_and_corners,
    ("plane", "turned"): plane_and_turned,
    ("ball", "ball"): two_balls,
}
TurningGaps = Callable[[Placed, Placed, Choosing | None], tuple[ContactGap, ...]]
CHOSEN_GAPS: dict[tuple[str, str], TurningGaps] = {("plane", "hull"): plane_and_hull, ("bar", "ball"): bar_and_point}
PLANAR_GAPS: dict[tuple[str, str], TurningGaps] = {
    ("arc", "ball"): arc_and_point,
    ("hull", "ball"): polygon_and_point,
    ("hull", "hull"): two_polygons,
    ("hull", "bar"): two_polygons,
    ("bar", "bar"): two_polygons,
}
"""By the words of both shapes; points are balls without a radius. Those that are chosen have corners and sides to choose."""


def gaps(
    one: ContactShape, other: ContactShape, frames: Frames, choose: Choosing | None = None
) -> tuple[ContactGap, ...]:
    """The gaps of two shapes, one for every place at which they may touch; *choose*: how sides of polygons are chosen."""
    pair = (one.word, other.word)
    first, second = (one.seen(frames), one), (other.seen(frames), other)
    dimension = first[0].origin.numel()
    if (found := known_gaps(pair, dimension, choose)) is not None:
        return found(first, second)
    if (found := known_gaps(pair[::-1], dimension, choose)) is not None:
        return tuple(gap.flipped() for gap in found(second, first))
    raise RefusedError(
        f"the gap of '{one.name}' ({pair[0]}) and '{other.name}' ({pair[1]}) is not smooth: it comes from the compiled "
        "narrow phase"
    )


def known_gaps(words: tuple[str, str], dimension: int, choose: Choosing | None = None) -> PairGaps | None:
    """What gives the gaps of two words in this order, if anything does."""
    one, other = ("ball" if word == "point" else word for word in words)
    chosen = CHOSEN_GAPS | (PLANAR_GAPS if dimension == 2 else {})
    if (one, other) in chosen:
        turning = chosen[one, other]
        return lambda first, second: turning(first, second, choose)
    return GAPS.get((one, other))


def offers(space: Space, one: str, other: str) -> tuple[str, ...]:
    """What a pair of words has: 'expression', 'kernel', 'conditions'; nothing where it cannot touch."""
    if {one, other} <= _GROUND:
        return ()
    found = any(known_gaps(pair, space.dimension) is not None for pair in ((one, other), (other, one)))
    if _CURVES & {one, other}:
        partner = other if one in _CURVES else one
        return (*(("expression",) if found else ()), "conditions") if partner in _ON_CURVES else ()
    return ("expression", "kernel") if found else ("kernel",)
