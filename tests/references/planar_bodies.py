"""Rigid bodies of the plane with joints that come and go, in NumPy and SciPy alone: a reference for every phase of a run.

Every body is free, with its centre of mass (x, y) and its angle θ; a phase is a list of joints, with rows J:

    M v̇ = F + Jᵀ λ,   J v̇ = γ;       between phases   M (v⁺ − v⁻) = Jᵀ Λ,   J v⁺ = 0

Nothing is shared with the program but the dimensions of the parts. Joints that come to close where the bodies are take the
place of their first body there.
SOURCE: P. E. Nikravesh, Computer-Aided Analysis of Mechanical Systems, chapters 3, 4 and 8; the rows are derived here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
GROUND = -1


@dataclass(frozen=True)
class Part:
    """Mass, and moment of inertia about the centre of mass."""

    mass: float
    inertia: float


@dataclass(frozen=True)
class Pin:
    """Point *at* of one body (−1: the ground) is point *to* of another; local places are seen from the centres of mass."""

    one: int
    at: tuple[float, float]
    other: int
    to: tuple[float, float]

    def rows(self, q: Array, v: Array) -> tuple[Array, Array]:
        """J (2 × 3n) and γ (2)."""
        jacobian, gamma = np.zeros((2, len(q))), np.zeros(2)
        for body, local, sign in ((self.other, self.to, 1.0), (self.one, self.at, -1.0)):
            if body == GROUND:
                continue
            x, y = turned(q[3 * body + 2], local)
            jacobian[:, 3 * body : 3 * body + 3] = sign * np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])
            gamma += sign * v[3 * body + 2] ** 2 * np.array([x, y])
        return jacobian, gamma

    def here(self, q: Array) -> Pin:
        """The same pin, with its place on the first body where that of the other one is."""
        place = self.place(q, self.other, self.to)
        if self.one == GROUND:
            return replace(self, at=(float(place[0]), float(place[1])))
        local = turned(-q[3 * self.one + 2], tuple(place - q[3 * self.one : 3 * self.one + 2]))
        return replace(self, at=(float(local[0]), float(local[1])))

    @staticmethod
    def place(q: Array, body: int, local: tuple[float, float]) -> Array:
        """A place of a body in the world."""
        if body == GROUND:
            return np.array(local)
        return q[3 * body : 3 * body + 2] + turned(q[3 * body + 2], local)


@dataclass(frozen=True)
class Level:
    """A body does not turn on another one, or on the ground."""

    one: int
    other: int

    def rows(self, q: Array, v: Array) -> tuple[Array, Array]:
        jacobian = np.zeros((1, len(q)))
        jacobian[0, 3 * self.other + 2] = 1.0
        if self.one != GROUND:
            jacobian[0, 3 * self.one + 2] = -1.0
        return jacobian, np.zeros(1)


Bound = Pin | Level


@dataclass(frozen=True)
class PlanarBodies:
    """Some bodies under gravity."""

    parts: tuple[Part, ...]
    gravity: tuple[float, float] = (0.0, -9.81)
    further: Callable[[Array, Array], Array] | None = None  # other forces (3n), of q and v

    @property
    def mass(self) -> Array:
        """M (3n × 3n)."""
        return np.diag([entry for part in self.parts for entry in (part.mass, part.mass, part.inertia)])

    @property
    def weight(self) -> Array:
        """F (3n)."""
        return np.array([entry for part in self.parts for entry in (*(part.mass * g for g in self.gravity), 0.0)])

    def accelerations(self, joints: Sequence[Bound], q: Array, v: Array) -> tuple[Array, Array]:
        """v̇ (3n), and λ of all rows; of those that depend on each other the least."""
        rows = [joint.rows(q, v) for joint in joints]
        jacobian, gamma = np.vstack([row[0] for row in rows]), np.concatenate([row[1] for row in rows])
        flexible = jacobian @ np.linalg.solve(self.mass, jacobian.T)
        force = self.weight if self.further is None else self.weight + self.further(q, v)
        push = np.linalg.lstsq(flexible, gamma - jacobian @ np.linalg.solve(self.mass, force), rcond=1e-12)[0]
        return np.linalg.solve(self.mass, force + jacobian.T @ push), push

    def behind(self, joints: Sequence[Bound], q: Array, v: Array) -> tuple[Array, Array]:
        """v⁺, and Λ of all rows, where joints close."""
        jacobian = np.vstack([joint.rows(q, v)[0] for joint in joints])
        flexible = jacobian @ np.linalg.solve(self.mass, jacobian.T)
        impulse = -np.linalg.lstsq(flexible, jacobian @ v, rcond=1e-12)[0]
        return v + np.linalg.solve(self.mass, jacobian.T @ impulse), impulse

    def moved(self, joints: Sequence[Bound], q: Array, v: Array, duration: float) -> tuple[Array, Array]:
        """q and v after a time."""
        n = len(q)

        def rates(_: float, y: Array) -> Array:
            return np.concatenate([y[n:], self.accelerations(joints, y[:n], y[n:])[0]])

        found = solve_ivp(rates, (0.0, duration), np.concatenate([q, v]), method="DOP853", rtol=1e-12, atol=1e-13)
        return found.y[:n, -1], found.y[n:, -1]

    def kinetic(self, v: Array) -> float:
        """T."""
        return float(0.5 * v @ self.mass @ v)


def turned(angle: float, local: Sequence[float]) -> Array:
    """A place in a body that has turned."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * local[0] - s * local[1], s * local[0] + c * local[1]])
