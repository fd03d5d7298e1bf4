"""Numbers of a sane size: squares and products of a few of them are still numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from linkwork.algebra.expressions import Number
from linkwork.errors import Fault
from linkwork.model.parameters import LARGEST, SMALLEST
from linkwork.model.reading import DraftModel

TINY = "write 0, or check its unit"
# what is divided by: sizes of parts, and lengths of directions; a tiny place, angle or speed is as good as zero
_SIZE = re.compile(
    r"(bodies|couplings|relations)\.(?!.*(rotation|\bat\b|com|origin|points|angle|offset|phase)).*[^\]]$"
)
_DIRECTION = re.compile(r"\.(axis|axes|direction|normal)\b")


def faults(draft: DraftModel) -> Iterator[Fault]:
    """Numbers, values of formulas and whole vectors that no computation survives."""
    vectors: dict[str, list[float]] = {}
    for path, _, expression in draft.expressions():
        value = draft.number(expression)
        written = [abs(node.value) for node in expression.walk(written=True) if isinstance(node, Number)]
        largest = max([*written, 0.0 if value is None else abs(value)])
        if largest > LARGEST:
            yield Fault(path, f"{largest:g} is too large for any computation", f"at most {LARGEST:g}; check its unit")
        elif path.endswith("]") and _DIRECTION.search(path):
            vectors.setdefault(path[: path.rindex("[")], []).append(math.nan if value is None else abs(value))
        elif value is not None and 0.0 < abs(value) < SMALLEST and _SIZE.match(path):
            yield Fault(path, f"{value:g} is too small for any computation", f"at least {SMALLEST:g}: {TINY}")
    for path, sizes in vectors.items():
        # a component that is nothing beside the others is a rounding error
        if 0.0 < max(sizes) < SMALLEST:
            yield Fault(path, f"all components are below {SMALLEST:g}: too small for any computation", TINY)
