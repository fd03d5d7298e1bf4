"""A planetary train without its planets: sun, ring and carrier turn about one line.

Relative to the carrier the planets reverse the motion, z_s (φ_s − φ_c) + z_r (φ_r − φ_c) = constant (Willis):

    z_s φ_s + z_r φ_r = (z_s + z_r) φ_c + constant
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.motion import ALIKE, CoupledMotion, are_parallel, combine, misfit


def couple_planetary(
    sun: CoupledMotion, ring: CoupledMotion, sizes: tuple[ca.SX, ca.SX], values: tuple[float, float]
) -> Coupled:
    """*sun* and *ring* turn against the carrier; *sizes* are teeth or radii, *values* those at the defaults."""
    gap = ring.point - sun.point
    off = float(np.linalg.norm(np.cross(gap, sun.direction)))
    if not are_parallel(sun.direction, ring.direction) or off > ALIKE * max(1.0, float(np.linalg.norm(gap))):
        raise misfit("ring", f"'{ring.body}' and '{sun.body}' do not turn about the same line of the carrier")
    if values[1] <= values[0]:
        raise misfit("ring", f"has {values[1]:g}, the sun {values[0]:g}: the ring must be larger", "exchange them")
    sense = float(np.sign(sun.direction @ ring.direction))
    return Coupled(combine((ca.SX(1), sun), (sense * sizes[1] / sizes[0], ring)))
