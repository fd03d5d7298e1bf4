"""The least part of friction that holds a mechanism at rest.

With the efforts x of dry friction in its joints, displacements N that all other conditions allow, and limits that push,

    Nᵀ (h + B x) = 0,   |x_j| ≤ s b_j(w, x),   λ_i ≥ 0,   s as small as it can be.

The equations leave x = x₀ + Z z; what joints transmit, w, and λ are affine in z, and b_j = μ₀ N_j l_j. Where there are as
many such joints as freedoms, z is empty and s is the largest share. Otherwise s is found by linear programs, with b_j
expanded about the last z, from several starts: s b_j ≈ s₀ b_j + s₀ b_j' Δz + (s − s₀) b_j.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from linkwork.arrays import Array

STARTS, STEPS = 4, 60
ENDED = 1e-13  # change of s that ends a search
NONE = 1e-12  # of the largest bound: a bound, or friction, that is none

FrictionBounds = Callable[[Array], tuple[Array, Array]]
"""Of z: b (n) and ∂b/∂z (n, k)."""


@dataclass(frozen=True, eq=False)
class HeldByFriction:
    """x = x₀ + Z z with what bounds it; *pushes*: λ = λ₀ + Λ z of limits; size: of the forces that act."""

    start: Array
    ways: Array
    bounds: FrictionBounds
    pushes: tuple[Array, Array]
    size: float


@dataclass(frozen=True, eq=False)
class Share:
    """The least s, infinite where nothing holds, with z and the shares |x_j|/b_j (n)."""

    usage: float
    z: Array
    shares: Array


def least_share(problem: HeldByFriction, near: Array | None = None) -> Share:
    """The least part of friction that holds; *near*: friction (n) of a similar question, from which to begin."""
    k = problem.ways.shape[1]
    if not k:
        return _at(problem, np.zeros(0))
    random = np.random.default_rng(0)
    starts = [np.zeros(k), *(problem.size * random.standard_normal((STARTS - 1, k)))]
    if near is not None:
        starts = [np.linalg.lstsq(problem.ways, near - problem.start)[0]]
    return min((_searched(problem, start) for start in starts), key=lambda share: share.usage)


def _at(problem: HeldByFriction, z: Array) -> Share:
    """The shares of one z."""
    x = problem.start + problem.ways @ z
    bounds = problem.bounds(z)[0]
    none = NONE * max(float(np.max(bounds, initial=0.0)), problem.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(np.abs(x) <= none, 0.0, np.abs(x) / np.where(bounds > none, bounds, 0.0))
    pulls = np.any(problem.pushes[0] + problem.pushes[1] @ z < -NONE * problem.size)
    return Share(np.inf if pulls else float(np.max(shares, initial=0.0)), z, shares)


def _searched(problem: HeldByFriction, z: Array) -> Share:
    """From one start; the region in which the expansion is trusted shrinks where s does not."""
    best, trust = _at(problem, z), 10.0 * problem.size
    for _ in range(STEPS):
        found = _step(problem, best, trust)
        if found is None or found[1] >= best.usage * (1.0 - ENDED):
            break
        other = _at(problem, found[0])
        if other.usage < best.usage:
            gained = best.usage - other.usage
            best = other
            if gained <= ENDED * max(best.usage, 1e-300):
                break
        else:
            trust *= 0.2
            if trust < 1e-14 * problem.size:
                break
    return best


def _step(problem: HeldByFriction, now: Share, trust: float) -> tuple[Array, float] | None:
    """z of the linear program about the present one, and the s that it expects."""
    k, (bounds, slopes) = problem.ways.shape[1], problem.bounds(now.z)
    x, usage = problem.start + problem.ways @ now.z, now.usage if np.isfinite(now.usage) else 0.0
    push, by = problem.pushes[0] + problem.pushes[1] @ now.z, problem.pushes[1]
    # units of the largest bound, so that all numbers are near one
    unit = max(float(np.max(bounds, initial=0.0)), NONE * problem.size, 1e-300)
    rows = [np.column_stack([(sign * problem.ways - usage * slopes), -bounds]) for sign in (1.0, -1.0)]
    right = [-sign * x for sign in (1.0, -1.0)]
    matrix = np.vstack([*rows, np.column_stack([-by, np.zeros(len(push))])])
    matrix[:, :k] *= trust
    found = linprog(
        np.append(np.zeros(k), 1.0),
        A_ub=matrix / unit,
        b_ub=np.concatenate([*right, push]) / unit,
        bounds=[(-1.0, 1.0)] * k + [(0.0, None)],
        method="highs",
    )
    return (now.z + trust * found.x[:k], float(found.x[k])) if found.status == 0 else None
