"""Belt or chain between two pulleys on parallel axes: open, both turn the same way; crossed, they turn against each other.

    r₁ θ₁ ∓ r₂ θ₂ = constant

The angles are relative to the body that carries both axes. The belt is taut and does not slip.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.elements.couplings.base import Coupled, Motion, are_parallel, combine, misfit


def run_belt(
    first: Motion, second: Motion, radii: tuple[ca.SX, ca.SX], crossed: bool, values: tuple[float, float]
) -> Coupled:
    """Couple two pulleys; *values* are the radii at the default parameters."""
    if not are_parallel(first.direction, second.direction):
        angle = np.degrees(np.arccos(np.clip(abs(float(first.direction @ second.direction)), 0.0, 1.0)))
        raise misfit(
            "bodies", f"the axes are at {angle:.4g} degrees", "the axes of pulleys are parallel; use kind: linear"
        )
    gap = second.point - first.point
    distance = float(np.linalg.norm(gap - (gap @ first.direction) * first.direction))
    least = sum(values) if crossed else abs(values[0] - values[1])
    if distance <= least:
        what = "a crossed belt needs more than the sum" if crossed else "a belt needs more than the difference"
        raise misfit("radii", f"the axes are {distance:.6g} m apart; {what} of the radii, {least:.6g} m")
    sense = float(np.sign(first.direction @ second.direction)) * (-1.0 if crossed else 1.0)
    wheels = (first.wheel(values[0]), second.wheel(values[1]))
    return Coupled(combine((ca.SX(1), first), (-sense * radii[1] / radii[0], second)), wheels)
