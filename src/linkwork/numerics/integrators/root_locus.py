"""Linear stability of multistep methods: the roots ζ of the difference equation that a method makes of ẏ = λ y.

With z = hλ the solutions of a method of k steps are those of y_n = ζⁿ for the k roots of::

    π(ζ, z) = Σ_j Σ_m C_jm ζ^(k−j) z^m = 0

(Hairer and Wanner, "Solving Ordinary Differential Equations II", section V.1). None grows where all ``|ζ| ≤ 1``. The edge of
that region is part of the locus of the z that belong to ζ = e^{iφ}: limits along an axis are places where the locus
crosses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.numerics.integrators.base import Array, Stability
from linkwork.numerics.integrators.multistep import Multistep

Complex = NDArray[np.complex128]

POINTS = 2880  # of the locus
NEAR = 1e-6  # |z| of a place on the locus that is zero
FAR = 1e6  # |z| of a place on the locus that is infinity
REFINEMENTS = 4  # of the place where the locus is nearest to the real axis
ROUNDING = 1e-11  # of the size of roots, and of angles


@dataclass(frozen=True, eq=False, repr=False)
class StabilityRoots:
    """π(ζ, z); calling it gives the root that stands for e^z, for a number or an array of numbers z = hλ.

    coefficients: C (k + 1, degree in z + 1)
    """

    name: str
    coefficients: Array

    def __repr__(self) -> str:
        return f"<StabilityRoots of {self.name}>"

    def roots(self, z: ArrayLike) -> Complex:
        """All k roots ζ, in a new last axis."""
        powers = np.asarray(z, dtype=np.complex128)[..., None] ** np.arange(self.coefficients.shape[1])
        polynomial: Complex = powers @ self.coefficients.T.astype(np.complex128)
        with np.errstate(divide="ignore", invalid="ignore"):
            return _companion_roots(polynomial[..., 1:] / polynomial[..., :1])

    def __call__(self, z: ArrayLike) -> Complex:
        roots = self.roots(z)
        target = np.exp(np.asarray(z, dtype=complex))[..., None]
        nearest = np.argmin(np.abs(roots - target), axis=-1)
        return np.asarray(np.take_along_axis(roots, nearest[..., None], axis=-1)[..., 0], dtype=complex)

    def growth(self, z: ArrayLike) -> Array:
        """The largest ``|ζ|``: what the fastest of the solutions is multiplied by in a step."""
        return np.asarray(np.abs(self.roots(z)).max(axis=-1), dtype=float)

    @property
    def at_infinity(self) -> float:
        """The largest ``|ζ|`` for very long steps."""
        last = np.trim_zeros(self.coefficients[:, -1], "b")
        if self.coefficients[0, -1] == 0.0:
            return float("inf")
        return float(np.abs(np.roots(last)).max(initial=0.0))

    def locus(self, phi: ArrayLike) -> Complex:
        """All z that belong to ζ = e^{iφ}, in a new last axis."""
        k = len(self.coefficients) - 1
        turned = np.exp(1j * np.multiply.outer(np.asarray(phi, dtype=float), np.arange(k, -1, -1)))
        polynomial = turned @ self.coefficients
        # in z or in 1/z: the highest coefficient may vanish, and so does the lowest at φ = 0
        lowest, highest = polynomial[..., :1], polynomial[..., -1:]
        upwards = np.abs(highest) > np.abs(lowest)
        with np.errstate(divide="ignore", invalid="ignore"):
            monic = np.where(upwards, polynomial[..., -2::-1] / highest, polynomial[..., 1:] / lowest)
            roots = _companion_roots(monic)
            return np.asarray(np.where(upwards, roots, 1.0 / roots), dtype=complex)

    @cached_property
    def _curve(self) -> tuple[Array, Complex]:
        """φ (N) and the branches of the locus (N, degree), each of them continuous."""
        phi: Array = (np.arange(POINTS + 1) - 0.3) * np.float64(2.0 * np.pi / POINTS)
        branches = self.locus(phi)
        for i in range(1, len(phi)):
            branches[i] = _in_order(branches[i], branches[i - 1])
        return phi, branches

    @property
    def edge(self) -> Complex:
        """All points of the locus, from which the edge of the region of stability is made."""
        return np.append(self._curve[1].ravel(), 0.0)

    def limit(self, direction: complex) -> float:
        """The largest r so that no solution grows from z = 0 to r · direction; infinite where there is none."""
        edges = [0.0, *self._crossings(direction)]
        inside = [0.5 * (a + b) for a, b in pairwise(edges)] + [2.0 * edges[-1] + 1.0]
        stable = self.growth(np.array(inside) * direction) <= 1.0 + ROUNDING
        return next((edge for edge, good in zip(edges, stable, strict=True) if not good), float("inf"))

    def _crossings(self, direction: complex) -> list[float]:
        phi, branches = self._curve
        found = []
        for branch in (branches / direction).T:
            side = np.where(np.abs(branch.imag) > ROUNDING * np.abs(branch), np.sign(branch.imag), 0.0)
            for i in np.flatnonzero(side[1:] * side[:-1] < 0.0):
                z = self._refined(phi[i : i + 2], branch[i : i + 2], direction)
                if z.real > NEAR and abs(z) < FAR:
                    found.append(float(z.real))
        return sorted(found)

    def _refined(self, phi: Array, ends: Complex, direction: complex) -> complex:
        """z / direction where it is real, by bisection between two points of a branch."""
        (a, b), (za, zb) = phi, ends
        for _ in range(60):
            middle = 0.5 * (a + b)
            candidates = self.locus(middle) / direction
            z = candidates[np.argmin(np.abs(candidates - 0.5 * (za + zb)))]
            if (z.imag > 0.0) == (za.imag > 0.0):
                a, za = middle, z
            else:
                b, zb = middle, z
        return complex(zb)

    @property
    def angle(self) -> float:
        """α in rad: nothing grows, whatever the step, where λ is within α of the negative real axis. 0: there is none."""
        if np.isfinite(self.limit(-1.0 + 0.0j)):
            return 0.0
        phi, branches = self._curve
        angles = _from_negative_axis(branches)
        narrowest, at = float(angles.min()), phi[int(np.argmin(angles))]
        width = phi[1] - phi[0]
        for _ in range(REFINEMENTS):
            near = at + np.linspace(-width, width, 41)
            angles = _from_negative_axis(self.locus(near))
            narrowest, at = min(narrowest, float(angles.min())), near[int(np.argmin(angles))]
            width /= 20.0
        return min(narrowest, 0.5 * np.pi)

    @property
    def stability(self) -> Stability:
        """A-stable: no part of the edge in the left half-plane; L-stable: also nothing left of a very long step."""
        angle = self.angle
        if angle < 0.5 * np.pi - NEAR:
            return "A(α)-stable" if angle > NEAR else "conditionally stable"
        return "L-stable" if self.at_infinity == 0.0 else "A-stable"


def stability_roots(method: Multistep) -> StabilityRoots:
    """π(ζ, z) of a method."""
    k = method.steps
    # rows by powers of z: y₊ = Σ_i (rows) y_{n−i}
    predicted = _history(method.predictor, method.states_kept)
    if not method.corrector.size:
        return _with_leading(method.name, [1.0], predicted)
    corrected, weight = _history(method.corrector, method.states_kept), method.end_weight
    if method.implicit or not method.corrections:
        return _with_leading(method.name, [1.0, -weight], corrected)
    rows = predicted
    for _ in range(method.corrections):
        rows = np.vstack([np.zeros(k), weight * rows])
        rows[: len(corrected)] += corrected
    return _with_leading(method.name, [1.0], rows)


def _history(weights: Array, states_kept: bool) -> Array:
    first = np.eye(len(weights))[:1]
    return first + weights if states_kept else np.vstack([first, weights])


def _with_leading(name: str, leading: list[float], rows: Array) -> StabilityRoots:
    coefficients = np.zeros((rows.shape[1] + 1, max(len(rows), len(leading))))
    coefficients[0, : len(leading)] = leading
    coefficients[1:, : len(rows)] = -rows.T
    return StabilityRoots(name, coefficients)


def _companion_roots(monic: Complex) -> Complex:
    """Roots of x^k + a_1 x^(k−1) + ..., of the a in the last axis; infinite where an a is."""
    k = monic.shape[-1]
    finite = np.isfinite(monic).all(axis=-1, keepdims=True)
    matrix = np.zeros((*monic.shape[:-1], k, k), dtype=complex)
    matrix[..., 0, :] = np.where(finite, -monic, 0.0)
    matrix[..., np.arange(1, k), np.arange(k - 1)] = 1.0
    return np.where(finite, np.linalg.eigvals(matrix), np.inf)


def _from_negative_axis(branches: Complex) -> Array:
    """Smallest angle from the negative real axis at each place of the locus."""
    size = np.abs(branches)
    angles = np.where((size > NEAR) & (size < FAR), np.pi - np.abs(np.angle(branches)), np.pi)
    return np.asarray(angles.min(axis=-1))


def _in_order(values: Complex, before: Complex) -> Complex:
    """The values, each in the place of the nearest one before."""
    left = list(values)
    ordered = []
    for z in before:
        # on the sphere, where infinity is a point as others are
        distances = [abs(w - z) / np.hypot(1.0, abs(w)) for w in left]
        ordered.append(left.pop(int(np.argmin(distances))))
    return np.array(ordered)
