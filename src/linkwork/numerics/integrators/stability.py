"""Linear stability: what a step does to ẏ = λ y, by the tableau; for multistep methods see ``root_locus.py``.

A step multiplies y by R(z), z = hλ (Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.3)::

    R(z) = 1 + z bᵀ (I − z A)⁻¹ 1 = P(z) / Q(z),   Q(z) = det(I − z A)

which a method of order p makes e^z + O(z^(p+1)). A solution does not grow where |R(z)| ≤ 1. Whether that holds along an axis
is a matter of the sign of |Q|² − |P|², a polynomial with real coefficients: limits are its roots, and need no search.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import ArrayLike, NDArray

from linkwork.errors import RefusedError
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.base import Array, Method, RungeKutta, Stability
from linkwork.numerics.integrators.multistep import Multistep
from linkwork.numerics.integrators.root_locus import StabilityRoots, stability_roots

ROUNDING = 1e-12  # of coefficients; those of explicit methods with 12 stages are above 1e-10
REAL = 1e-7  # imaginary part of a root, relative to its size, that is rounding


@dataclass(frozen=True, eq=False, repr=False)
class StabilityFunction:
    """R(z) = P(z) / Q(z); calling it takes a number or an array of numbers z = hλ.

    numerator, denominator: coefficients of P and Q from the constant term on; Q is 1 for an explicit method
    """

    name: str
    numerator: Array
    denominator: Array

    def __repr__(self) -> str:
        return f"<StabilityFunction of {self.name}>"

    def __call__(self, z: ArrayLike) -> NDArray[np.complex128]:
        z = np.asarray(z, dtype=complex)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(Polynomial(self.numerator)(z) / Polynomial(self.denominator)(z), dtype=complex)

    def growth(self, z: ArrayLike) -> Array:
        """``|R(z)|``: what a solution is multiplied by in a step."""
        return np.abs(self(z))

    @property
    def angle(self) -> float:
        """α in rad of an A-stable method, which is π/2; of others it is not looked for, and 0."""
        return 0.0 if self.stability == "conditionally stable" else 0.5 * np.pi

    @property
    def at_infinity(self) -> float:
        """``|R(∞)|``: what is left after one very long step of what should die out."""
        missing = len(self.denominator) - len(self.numerator)
        if missing > 0:
            return 0.0
        return float("inf") if missing < 0 else abs(float(self.numerator[-1] / self.denominator[-1]))

    def margin(self, direction: complex) -> Polynomial:
        """``|Q|² − |P|²`` at z = r · direction as a polynomial in r: not negative where the method is stable."""
        q, p = (part * direction ** np.arange(len(part)) for part in (self.denominator, self.numerator))
        size = max(len(p), len(q)) * 2 - 1
        margin, scale = np.zeros(size), np.zeros(size)
        for coefficients, sign in ((q, 1.0), (p, -1.0)):
            for part in (coefficients.real, coefficients.imag):
                margin[: 2 * len(part) - 1] += sign * np.convolve(part, part)
                scale[: 2 * len(part) - 1] += np.convolve(np.abs(part), np.abs(part))
        # terms cancel, up to the order of the method at least
        margin[np.abs(margin) <= ROUNDING * scale] = 0.0
        return Polynomial(margin)

    def limit(self, direction: complex) -> float:
        """The largest r so that ``|R| ≤ 1`` from z = 0 to r · direction; infinite where there is none."""
        margin = self.margin(direction)
        edges = [0.0, *_positive_roots(margin)]
        inside = [0.5 * (a + b) for a, b in pairwise(edges)] + [2.0 * edges[-1] + 1.0]
        return next((edge for edge, r in zip(edges, inside, strict=True) if margin(r) < 0.0), float("inf"))

    @property
    def stability(self) -> Stability:
        """A-stable: no pole in the left half-plane, and ``|R| ≤ 1`` on its edge; L-stable: also R(∞) = 0."""
        poles = Polynomial(self.denominator).roots()
        if np.any(poles.real <= 0.0) or np.isfinite(self.limit(1j)) or self.at_infinity > 1.0 + ROUNDING:
            return "conditionally stable"
        return "L-stable" if self.at_infinity == 0.0 else "A-stable"


def stability_function(integrator: str | Method) -> StabilityFunction | StabilityRoots:
    """What a step of an integrator, by name or as an object, makes of ẏ = λ y: y₊ = R(hλ) y, or the roots of several steps.

    >>> float(abs(stability_function("euler")(-3.0)))
    2.0
    """
    chosen = method_named(integrator) if isinstance(integrator, str) else integrator
    if isinstance(chosen, Multistep):
        return stability_roots(chosen)
    if isinstance(chosen, RungeKutta):
        return _of_tableau(chosen)
    raise RefusedError(
        f"the integrator '{chosen.name}' has no stability function: its steps are not all alike; take one of fixed order"
    )


def _of_tableau(chosen: RungeKutta) -> StabilityFunction:
    count = chosen.stages + 1
    a, b = chosen.matrix[:count, :count], chosen.matrix[chosen.stages, :count]
    denominator = _determinant(a)
    # P is the product of Q and the series 1 + z b1 + z² bA1 + ...
    powers, series = np.ones(count), [1.0]
    for _ in range(count):
        series.append(float(b @ powers))
        powers = a @ powers
    numerator = np.convolve(denominator, series)[: count + 1]
    return StabilityFunction(chosen.name, _trimmed(numerator), _trimmed(denominator))


def _determinant(a: Array) -> Array:
    """Coefficients of det(I − z A) from the constant term on (Faddeev and Le Verrier)."""
    coefficients, product = [1.0], np.zeros_like(a)
    for k in range(1, len(a) + 1):
        product = a @ (product + coefficients[-1] * np.eye(len(a)))
        coefficients.append(-float(np.trace(product)) / k)
    return np.array(coefficients)


def _trimmed(coefficients: Array) -> Array:
    last = np.flatnonzero(np.abs(coefficients) > ROUNDING)[-1]
    return coefficients[: last + 1]


def _positive_roots(polynomial: Polynomial) -> list[float]:
    coefficients = np.trim_zeros(polynomial.coef, "fb")
    roots = np.asarray(Polynomial(coefficients).roots() if len(coefficients) > 1 else [], dtype=complex)
    return sorted(map(float, roots.real[(roots.real > 0.0) & (np.abs(roots.imag) < REAL * np.abs(roots))]))
