"""Where an element of an array lies, if that is inside: for kernels whose accesses are checked (``bounds.py``).

Pointers know no sizes, but the blocks of memory that are handed to kernels are listed with theirs. An access by a pointer
into a block must stay in it; one by a pointer to the very beginning of a larger block may go as far as that one.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.bounds import BLOCKS, CHECKED, COUNT, FIRST, KEPT, SAFE, UNKNOWN, WRONG
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.layout import WIDTH
from linkwork.numerics.kernels.language.records import Ints


@kernel
def element_address(pointer: int, index: int, place: int, table: Ints) -> int:
    """Address of element *index*, or of a harmless place where that is outside of all that the pointer may reach."""
    address = pointer + WIDTH * index
    smallest, near, whole, known = 0, False, False, False
    for block in range(table[COUNT]):
        begin, end = table[BLOCKS + 2 * block], table[BLOCKS + 2 * block + 1]
        if begin <= pointer < end:
            inside = begin <= address < end
            if not known or end - begin < smallest:
                smallest = end - begin
                near = inside
                known = True
            if inside and begin == pointer:
                whole = True
    table[CHECKED] += 1
    if not known:
        table[UNKNOWN] += 1
        return address
    if near or whole:
        return address
    if table[WRONG] < KEPT:
        row = FIRST + 3 * table[WRONG]
        table[row] = place
        table[row + 1] = pointer
        table[row + 2] = index
    table[WRONG] += 1
    return table[SAFE]
