"""∂ẏ/∂y from compiled entries and their places."""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Ints, ModelFunction, Record, array, borrowed
from linkwork.numerics.kernels.linear.dense import HUGE, largest

UNKNOWN = 1  # there is no exact derivative here


class Slope(Record):
    """Code of the exact ∂ẏ/∂y (n, n): its entries, and their places row + column n."""

    function: ModelFunction
    count: int
    places: Ints = borrowed()
    entries: Floats = array("count")


@kernel
def write_slope(slope: Slope, n: int, t: float, y: Floats, p: Floats, out: Floats) -> Code:
    """out (n, n), column-major. Returns UNKNOWN where it is not finite."""
    entries, places, count = slope.entries, slope.places, slope.count
    slope.function(t, y, p, entries)
    if largest(entries, count) >= HUGE:
        return UNKNOWN
    out[: n * n] = 0.0
    for e in range(count):
        out[places[e]] = entries[e]
    return 0
