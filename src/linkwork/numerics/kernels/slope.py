"""∂ẏ/∂y from compiled entries and their places, which stand together in a table of addresses."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels.calling import call_model, doubles, integers, kernel
from linkwork.numerics.kernels.linear import HUGE, largest

FUNCTION, COUNT, PLACES, ENTRIES = 0, 1, 2, 3  # of a table: addresses, and how many entries there are
UNKNOWN = 1  # there is no exact derivative here


@kernel("int32(int64 table, int64 n, double t, double* y, double* p, double* out)")
def write_slope(table, n, t, y, p, out):
    """out (n, n), column-major. Returns UNKNOWN where it is not finite."""
    known = integers(table)
    entries, places = doubles(known[ENTRIES]), integers(known[PLACES])
    call_model(known[FUNCTION], t, y, p, entries)
    if largest(entries, known[COUNT]) >= HUGE:
        return UNKNOWN
    for i in range(n * n):
        out[i] = 0.0
    for e in range(known[COUNT]):
        out[places[e]] = entries[e]
    return 0
