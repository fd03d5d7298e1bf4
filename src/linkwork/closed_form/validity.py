"""The square root that all closed forms by two branches end with."""

from __future__ import annotations

import casadi as ca


def sine_of(valid: ca.SX) -> ca.SX:
    """√valid of a squared sine *valid*; where that is negative, a value that is nought but for rounding.

    A branch that is not real is thus finite, with finite derivatives, and its ``valid`` says that it has no meaning.
    """
    return ca.sqrt(ca.fmax(valid, 1e-32))
