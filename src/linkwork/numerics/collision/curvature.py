"""How the gap of two smooth surfaces opens beside their contact, which is what Hertz's theory asks of them.

Across the normal, surfaces with principal curvatures κ₁, κ₁' and κ₂, κ₂' are A x² + B y² farther apart than at the contact:

    A + B = (κ₁ + κ₁' + κ₂ + κ₂')/2,   B − A = √((κ₁ − κ₁')² + (κ₂ − κ₂')² + 2 (κ₁ − κ₁') (κ₂ − κ₂') cos 2ω)/2,

with the angle ω between the directions of κ₁ and κ₂ (Johnson, *Contact Mechanics*, Cambridge 1985, eqs. 4.4 and 4.5).
"""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.collision.narrow_phase import Contacts


def opening(found: Contacts) -> tuple[Array, Array]:
    """A ≤ B (n each, 1/m) of contacts: 0 along a line, infinite where one of the bodies is sharp."""
    across = found.bends
    straight = [np.any(along != 0.0, axis=1) for along in found.along]
    # balls bend alike in all directions; edges with a radius and barrels do not along them
    along = [np.where(line, 0.0, bend) for line, bend in zip(straight, across, strict=True)]
    cosine = np.einsum("nd,nd->n", *found.along)
    with np.errstate(invalid="ignore"):
        total = sum(across) + sum(along)
        first, second = (a - b for a, b in zip(across, along, strict=True))
        squared = first**2 + second**2 + 2 * first * second * (2 * cosine**2 - 1)
        spread = np.sqrt(np.maximum(squared, 0.0))
        small, large = (total - spread) / 4, (total + spread) / 4
    sharp = np.isinf(across[0]) | np.isinf(across[1])
    return np.where(sharp, np.inf, small), np.where(sharp, np.inf, large)
