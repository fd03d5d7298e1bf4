"""Distances of hulls by least squares over all corners and by the difference of both; poses that are drawn."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls
from scipy.spatial import ConvexHull


def turns(rng: np.random.Generator, count: int, d: int) -> np.ndarray:
    axes = np.linalg.qr(rng.normal(size=(count, d, d)))[0]
    axes[:, :, 0] *= np.sign(np.linalg.det(axes))[:, None]
    return axes


def by_least_squares(one: np.ndarray, other: np.ndarray) -> float:
    """min |Dλ|, λ ≥ 0, Σλ = 1: minimising |Dλ|² + (1 − Σλ)² gives the same λ but for its sum."""
    d = (one[:, None] - other[None]).reshape(-1, one.shape[1])
    share = nnls(np.vstack([d.T, np.ones(len(d))]), np.array([0.0] * one.shape[1] + [1.0]))[0]
    return float(np.linalg.norm(d.T @ share) / share.sum())


def by_difference(one: np.ndarray, other: np.ndarray) -> float:
    """The distance of the origin from the nearest face of {a − b}."""
    d = (one[:, None] - other[None]).reshape(-1, one.shape[1])
    return float(np.min(-ConvexHull(d).equations[:, -1]))
