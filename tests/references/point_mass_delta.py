"""Torques of a delta robot whose rods have mass, without rigid bodies: masses at points, by virtual work in NumPy.

A uniform slender rod moves like m/6 at each end and 4m/6 in its middle (its mass, centre and moments of inertia agree). With
the platform at P and its corners at B = P + r, which only shifts, and the tips A(θ) of the arms,

    |B − A|² = l²,   Σ m x''·∂x/∂θ − Σ m g·∂x/∂θ + I θ'' = τ,

where x are the places of all masses, functions of θ alone: P(θ) by Newton's method, derivatives along the motion by those of
the conditions. Nothing here knows what a spin is.

SOURCE: equimomental points of a rod: E. J. Routh, Elementary Rigid Dynamics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from drawn_delta import ARM, BASE, HOME, PLATFORM, ROD, TURNS, Array, arm_angles
from scipy.integrate import solve_ivp

GRAVITY = np.array([0.0, 0.0, -9.81])
BOX = 0.1 * 2 * 0.05**2 / 12  # moment of inertia of arm and platform in the drawn robot, kg m²


def torques(course: Sequence[Array], rod: float = 0.05, body: float = 0.1) -> Array:
    """Torques (N × 3) of the motors for angles from the drawn position, with their rates and accelerations (N × 3 each)."""
    place, found, first = HOME.copy(), [], arm_angles(HOME[None])[0]
    for angle, rate, acceleration in zip(*course, strict=True):
        theta = first + angle
        place, slope, bend = platform(place, theta, rate, acceleration)
        torque = BOX * acceleration + slope.T @ (body * (bend - GRAVITY))
        for i in range(3):
            out, down = _axes(i)
            tip = ARM * (-np.sin(theta[i]) * out + np.cos(theta[i]) * down)
            curve = ARM * (-np.cos(theta[i]) * out - np.sin(theta[i]) * down)
            tips, ends = np.zeros((3, 3)), slope
            tips[:, i] = tip
            ahead = tip * acceleration[i] + curve * rate[i] ** 2
            # two rods on each arm: ends and middle of each
            for share, columns, push in (
                (1 / 6, tips, ahead),
                (1 / 6, ends, bend),
                (4 / 6, (tips + ends) / 2, (ahead + bend) / 2),
            ):
                torque = torque + columns.T @ (2 * rod * share * (push - GRAVITY))
        found.append(torque)
    return np.array(found)


def fall(times: Array) -> Array:
    """Angles (N × 3) from the drawn position of a robot that falls from rest without motors, by SciPy."""
    zero = np.zeros(3)

    def rates(_: float, state: Array) -> Array:
        angle, rate = state[:3], state[3:]
        at_rest = torques([item[None] for item in (angle, rate, zero)])[0]
        columns = [torques([item[None] for item in (angle, rate, unit)])[0] - at_rest for unit in np.eye(3)]
        return np.concatenate([rate, np.linalg.solve(np.column_stack(columns), -at_rest)])

    run = solve_ivp(rates, (0.0, times[-1]), np.zeros(6), method="DOP853", t_eval=times, rtol=1e-10, atol=1e-12)
    return np.asarray(run.y[:3].T)


def _axes(i: int) -> tuple[Array, Array]:
    return np.array([np.cos(TURNS[i]), np.sin(TURNS[i]), 0.0]), np.array([0.0, 0.0, -1.0])


def platform(guess: Array, theta: Array, rate: Array, acceleration: Array) -> tuple[Array, Array, Array]:
    """P, ∂P/∂θ (3 × 3) and P'' from |P + r − A(θ)|² = l² of the three arms."""
    place, axes = guess.copy(), [_axes(i) for i in range(3)]
    tips = np.array([BASE * o + ARM * (np.cos(x) * o + np.sin(x) * d) for x, (o, d) in zip(theta, axes, strict=True)])
    slopes = np.array([ARM * (-np.sin(x) * o + np.cos(x) * d) for x, (o, d) in zip(theta, axes, strict=True)])
    curves = np.array([ARM * (-np.cos(x) * o - np.sin(x) * d) for x, (o, d) in zip(theta, axes, strict=True)])
    corners = np.array([PLATFORM * o for o, _ in axes])
    for _ in range(20):
        rods = place + corners - tips
        place = place - np.linalg.solve(2 * rods, np.sum(rods**2, axis=1) - ROD**2)
    rods = place + corners - tips
    # s·(P' − A') = 0 and s·(P'' − A'') + |P' − A'|² = 0 for each rod s
    slope = np.linalg.solve(rods, np.diag(np.sum(rods * slopes, axis=1)))
    apart = slope @ rate - slopes * rate[:, None]
    ahead = slopes * acceleration[:, None] + curves * rate[:, None] ** 2
    return place, slope, np.linalg.solve(rods, np.sum(rods * ahead, axis=1) - np.sum(apart**2, axis=1))
