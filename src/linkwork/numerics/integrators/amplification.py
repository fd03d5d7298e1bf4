"""What a step does to a vibration ẍ + 2ξω ẋ + ω² x = 0, of methods that treat positions and velocities each in their way.

Methods of structural dynamics multiply (x, h ẋ, h² a) by a matrix of ωh and ξ; the largest of its eigenvalues, the spectral
radius, tells whether and how fast a vibration dies out. Two of them turn forward and stand for the vibration, the third dies
out by itself (T. J. R. Hughes, "The Finite Element Method", 1987, chapter 9). Methods for first order equations multiply by
R(hλ), λ = ω (−ξ ± i √(1 − ξ²)), or by the roots of a multistep method.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import RefusedError
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.base import Array, Method, RungeKutta
from linkwork.numerics.integrators.multistep import Multistep
from linkwork.numerics.integrators.stability import stability_function
from linkwork.numerics.integrators.structural import Structural


def vibration_growth(integrator: str | Method, steps: ArrayLike, damping: float = 0.0) -> Array:
    """What is left of a vibration after one step, at worst, for each of the *steps* ωh; more than 1: it grows.

    damping: ξ of the vibration itself
    """
    chosen = method_named(integrator) if isinstance(integrator, str) else integrator
    sizes = np.asarray(steps, dtype=float)
    if np.any(~(sizes > 0.0)) or not 0.0 <= damping < 1.0:
        raise RefusedError(f"steps are ωh in rad, positive; damping is ξ from 0 to under 1, and not {damping:g}")
    if isinstance(chosen, Structural):
        found = [np.abs(np.linalg.eigvals(chosen.amplification(size, damping))).max() for size in sizes.ravel()]
        return np.array(found).reshape(sizes.shape)
    return stability_function(chosen).growth(sizes * complex(-damping, np.sqrt(1.0 - damping**2)))


def turns_alike(method: Method) -> bool:
    """Whether every step of a method does the same to a vibration, so that it can be told."""
    return isinstance(method, RungeKutta | Multistep | Structural)


def turning_root(method: str | Method, step: float) -> complex:
    """What one step multiplies x − i ẋ/ω by on ẍ + ω²x = 0: e^{iωh}, were it exact."""
    chosen = method_named(method) if isinstance(method, str) else method
    if not isinstance(chosen, Structural):
        return complex(stability_function(chosen)(1j * step))
    roots = np.linalg.eigvals(chosen.amplification(step))
    return complex(roots[np.argmin(np.abs(roots - np.exp(1j * step)))])
