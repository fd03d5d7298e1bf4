"""The four-bar of the work-precision benchmark, and its equation of motion derived by hand with one unknown.

Crank 1 m, coupler 4 m, rocker 3.5 m, ground 3 m; uniform bars of 1 kg/m; gravity along -y; from rest with the crank at
1 rad. Branch: open, B lies to the left of the line from A to C.

With the loop A + p = C + q, where p is the vector of the coupler and q that of the rocker, and ' the derivative with
respect to the crank angle φ:

    p = u d + w d⊥,   d = C - A,   u = (l2² - l3² + d²)/(2 d²),   w = sqrt(l2²/d² - u²),   q = p - d
    J φ̈ + J'/2 φ̇² + V' = 0,   J = m1 l1²/3 + m2 |v2|² + I2 ω2² + m3 l3²/3 ω3².
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

CRANK, COUPLER, ROCKER, GROUND = 1.0, 4.0, 3.5, 3.0  # m; the masses are the same numbers in kg
GRAVITY = 9.81
START = 1.0  # rad, at rest
GRID = np.arange(101) / 10  # s, where the crank angle is compared


def acceleration(
    phi: Any, omega: Any, sin: Callable[[Any], Any], cos: Callable[[Any], Any], sqrt: Callable[[Any], Any]
) -> Any:
    """φ̈ from φ and φ̇ in any arithmetic: floats, arrays, numbers of many digits, symbols."""
    l1, l2, l3 = CRANK, COUPLER, ROCKER
    ax, ay = l1 * cos(phi), l1 * sin(phi)
    dx, dy = GROUND - ax, -ay
    d2 = dx * dx + dy * dy
    u = (l2**2 - l3**2 + d2) / (2 * d2)
    w = sqrt(l2**2 / d2 - u * u)
    px, py = u * dx - w * dy, u * dy + w * dx
    qx, qy = px - dx, py - dy
    # products of the three vectors: · and ×
    a_p, a_q, p_q = ax * px + ay * py, ax * qx + ay * qy, px * qx + py * qy
    axp, axq, pxq = ax * py - ay * px, ax * qy - ay * qx, px * qy - py * qx
    # first and second derivatives of the angles of coupler and rocker with respect to φ
    w2, w3 = -axq / pxq, -axp / pxq
    e2 = (a_q + w2 * w2 * p_q - w3 * w3 * l3**2) / pxq
    e3 = (a_p + w2 * w2 * l2**2 - w3 * w3 * p_q) / pxq
    # J, J'/2 and V'; the bar of the coupler has m2 l2²/12 about its centre
    j1, j2, j3 = l1**3 / 3, l2**3 / 12, l3**3 / 3
    inertia = j1 + l2 * (l1**2 + w2 * a_p + w2 * w2 * (l2**2 / 4)) + j2 * w2 * w2 + j3 * w3 * w3
    half_slope = l2 * (e2 * a_p / 2 + w2 * (1 - w2) * axp / 2 + w2 * e2 * (l2**2 / 4)) + j2 * w2 * e2 + j3 * w3 * e3
    weight = GRAVITY * (l1 * ax / 2 + l2 * (ax + w2 * px / 2) + l3 * w3 * qx / 2)
    return -(half_slope * omega * omega + weight) / inertia


def start_angles() -> tuple[float, float, float]:
    """Angles of crank, coupler and rocker from the x axis at the start, rad."""
    a = CRANK * np.array([np.cos(START), np.sin(START)])
    d = np.array([GROUND, 0.0]) - a
    d2 = d @ d
    u = (COUPLER**2 - ROCKER**2 + d2) / (2 * d2)
    w = np.sqrt(COUPLER**2 / d2 - u**2)
    p = u * d + w * np.array([-d[1], d[0]])
    q = p - d
    return START, float(np.arctan2(p[1], p[0])), float(np.arctan2(q[1], q[0]))
