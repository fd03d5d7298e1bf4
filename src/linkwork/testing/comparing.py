"""Numbers beside each other, and derivatives by differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np

from linkwork.arrays import Array


def require(holds: bool, what: str) -> None:
    """Say what does not hold."""
    if not holds:
        raise AssertionError(what)


def require_close(what: str, found: Any, expected: Any, within: float) -> None:
    """Say which numbers differ by more than *within*, and by how much."""
    one, other = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    require(one.size == np.broadcast(one, other).size, f"{what}: {one.shape} numbers for {other.shape}")
    off = float(np.max(np.abs(one - other), initial=0.0))
    require(off <= within, f"{what}: {one} for {other}, off by {off:.3g} where {within:.3g} is allowed")


def central(f: Callable[[float], Array], h: float = 1e-5) -> Array:
    """The derivative of a function at zero."""
    return np.asarray((f(h) - f(-h)) / (2 * h))


def numeric(expression: ca.SX) -> Array:
    """An expression without symbols."""
    return np.array(ca.DM(ca.densify(expression)))


def random_rotation(rng: np.random.Generator) -> Array:
    """A rotation matrix, uniformly distributed."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return np.asarray(q * np.linalg.det(q))
