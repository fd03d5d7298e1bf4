"""Which pairs of shapes may touch, and what there is for each: an expression, a kernel, both, or conditions of curves."""

from __future__ import annotations

from linkwork.algebra.space import Space
from linkwork.elements.shapes.gaps import known_gaps

SPATIAL_WORDS = ("point", "ball", "bar", "hull", "turned", "plane")
PLANAR_WORDS = ("point", "ball", "bar", "hull", "plane", "curve")
_NEVER = ({"plane"},)  # both are ground
_ON_CURVES = ("point", "ball", "plane", "curve")


def offers(space: Space, one: str, other: str) -> tuple[str, ...]:
    """What a pair of words has: 'expression', 'kernel', 'conditions'; nothing where it cannot touch."""
    if {one, other} in _NEVER:
        return ()
    if "curve" in (one, other):
        partner = other if one == "curve" else one
        return ("conditions",) if partner in _ON_CURVES else ()
    found = any(known_gaps(pair, space.dimension) is not None for pair in ((one, other), (other, one)))
    return ("expression", "kernel") if found else ("kernel",)
