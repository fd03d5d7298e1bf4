"""The four-bar of the paper (``src/linkwork/mechanisms/published_four_bar.yaml``) with its closed form written by hand."""

from __future__ import annotations

import math

import numpy as np
from mechanisms import load_mechanism
from numpy.typing import NDArray

import linkwork as lw

Array = NDArray[np.float64]

CRANK, COUPLER, FOLLOWER, D = 2.0, 4.0, 3.0, (4.0, -1.0)  # m
MASS, INERTIA = 22.0, 11.0  # kg, kg m²
START, SPEED = math.pi / 2, 2 * math.pi  # rad, rad/s


def free_model() -> lw.Model:
    """Starts with 2π rad/s."""
    return load_mechanism("published_four_bar")


def driven_model() -> lw.Model:
    """Driven at 2π rad/s."""
    data = free_model().to_dict()
    data.pop("initial")
    return lw.Model(**data, drivers={"motor": {"joint": "O", "position": f"{START!r} + {SPEED!r}*t"}})


def solve(phi: Array) -> tuple[Array, Array, Array]:
    """Angles of crank, coupler and follower, and their first and second derivatives with respect to φ, each (3, ...).

    With the loop A + p = D + q: p = u d + w d⊥ and q = p - d, where d = D - A; then A' + ω2 p⊥ = ω3 q⊥ and its derivative.
    """
    ax, ay = CRANK * np.cos(phi), CRANK * np.sin(phi)
    dx, dy = D[0] - ax, D[1] - ay
    d2 = dx * dx + dy * dy
    u = (COUPLER**2 - FOLLOWER**2 + d2) / (2 * d2)
    w = np.sqrt(COUPLER**2 / d2 - u * u)
    px, py = u * dx - w * dy, u * dy + w * dx
    qx, qy = px - dx, py - dy
    pxq, p_q = px * qy - py * qx, px * qx + py * qy
    w2, w3 = -(ax * qy - ay * qx) / pxq, -(ax * py - ay * px) / pxq
    e2 = (ax * qx + ay * qy + w2 * w2 * p_q - w3 * w3 * FOLLOWER**2) / pxq
    e3 = (ax * px + ay * py + w2 * w2 * COUPLER**2 - w3 * w3 * p_q) / pxq
    angles = np.array([phi, np.arctan2(py, px), np.arctan2(qy, qx)])
    return angles, np.array([np.ones_like(phi), w2, w3]), np.array([np.zeros_like(phi), e2, e3])


def effective_inertia(phi: Array) -> Array:
    """J of the kinetic energy J φ̇²/2, kg m²."""
    (_, psi2, _), (_, w2, w3), _ = solve(phi)
    middle = CRANK**2 + w2 * CRANK * COUPLER * np.cos(psi2 - phi) + (w2 * COUPLER / 2) ** 2  # |v2|² / φ̇²
    return MASS * ((CRANK / 2) ** 2 + middle + (w3 * FOLLOWER / 2) ** 2) + INERTIA * (1 + w2**2 + w3**2)
