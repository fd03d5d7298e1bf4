"""Linkages of given lengths, drawn in a given position and on a given side. Units are SI."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

import linkwork as lw

Array = NDArray[np.float64]


def revolute(*bodies: str, **more: Any) -> dict[str, Any]:
    return {"kind": "revolute", "bodies": list(bodies), **more}


def circles_meet(a: Array, ra: float, b: Array, rb: float, side: float) -> Array:
    """The point at *ra* from *a* (..., 2) and at *rb* from *b*, to the left (side +1) or right (−1) of the way from a."""
    way = b - a
    distance = np.linalg.norm(way, axis=-1, keepdims=True)
    along = (distance**2 + ra**2 - rb**2) / (2 * distance)
    across = side * np.sqrt(np.maximum(ra**2 - along**2, 0.0))
    unit = way / distance
    normal = np.stack([-unit[..., 1], unit[..., 0]], axis=-1)
    return a + along * unit + across * normal


def four_bar(lengths: tuple[float, ...], angle: float, side: float, shift: tuple[float, float] = (0, 0)) -> lw.Model:
    """A four-bar (crank, coupler, rocker, ground) with its crank at *angle*, pivots O and C level."""
    crank, coupler, rocker, ground = lengths
    at = np.array(shift, dtype=float)
    pin, pivot = at + crank * np.array([cos(angle), sin(angle)]), at + np.array([ground, 0.0])
    meet = circles_meet(pin, coupler, pivot, rocker, side)
    return lw.Model(
        space="planar",
        points={"O": at.tolist(), "A": pin.tolist(), "B": meet.tolist(), "C": pivot.tolist()},
        bodies={
            "crank": {"bar": ["O", "A"], "length": crank, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": coupler, "mass": 1},
            "rocker": {"bar": ["C", "B"], "length": rocker, "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "coupler"),
            "B": revolute("coupler", "rocker"),
            "C": revolute("ground", "rocker"),
        },
    )


def slider_crank(lengths: tuple[float, float, float], angle: float, side: float) -> lw.Model:
    """A slider-crank (crank, coupler, offset) with its crank at *angle*; the slider runs along x, zero beside O."""
    crank, coupler, offset = lengths
    pin = [crank * cos(angle), crank * sin(angle)]
    travel = pin[0] + side * sqrt(max(coupler**2 - (offset - pin[1]) ** 2, 0.0))
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": pin, "B": [travel, offset], "S": [0, offset]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": crank, "mass": 1},
            "rod": {"bar": ["A", "B"], "length": coupler, "mass": 1},
            "slider": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["S", "B"], "axis": [1, 0]},
        },
    )


def rssr() -> lw.Model:
    """Two cranks about z and y, joined by a rod on two spherical joints, which is free to spin."""
    return lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "A": [0, 0.3, 0], "B": [1, 0.2, 0.9], "C": [1, 0, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1, "radius": 0.02},
            "rod": {"bar": ["A", "B"], "mass": 1, "radius": 0.02},
            "rocker": {"bar": ["C", "B"], "mass": 1, "radius": 0.02},
        },
        joints={
            "O": revolute("ground", "crank", axis=[0, 0, 1]),
            "A": {"kind": "spherical", "bodies": ["crank", "rod"]},
            "B": {"kind": "spherical", "bodies": ["rod", "rocker"]},
            "C": revolute("ground", "rocker", axis=[0, 1, 0]),
        },
    )


def rssr_limits() -> tuple[float, float]:
    """The least and the largest angle of joint C of :func:`rssr`, where the crank's equation loses its roots.

    |A(θ) − B(φ)|² = l² is P cos θ + Q sin θ = R, with P, Q, R functions of φ: it has roots while R² ≤ P² + Q².
    """
    from scipy.optimize import brentq

    length = np.linalg.norm([1, 0.2 - 0.3, 0.9])

    def spare(phi: float) -> float:
        # B turns about the y axis through C
        x, z = 1 + 0.9 * sin(phi), 0.9 * cos(phi)
        radius, y = 0.3, 0.2
        p, q = 2 * radius * x, 2 * radius * y
        r = radius**2 + x**2 + y**2 + z**2 - length**2
        return float(p**2 + q**2 - r**2)

    low, high = (brentq(spare, 0.0, end, xtol=1e-15, rtol=1e-15) for end in (-0.6, 0.6))
    return float(low), float(high)
