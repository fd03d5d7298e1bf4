"""A pause of the search for garbage, for work that makes a great many objects which all stay.

Imports make a thousand classes, and the walk a hundred thousand expressions: the collector would go through all of them
several times, which takes a tenth of a first result, and find nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage inside; where somebody else has switched it off it stays so."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
