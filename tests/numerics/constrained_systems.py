"""Small constrained systems with model functions in NumPy, for the tests of the constrained kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np

from linkwork.numerics.flows.context import ConstrainedSystem

MODEL = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)
GRAVITY = 9.81

Parts = Sequence[np.ndarray | Sequence[float] | float]


class Called:
    """A Python function behind an address."""

    def __init__(self, function: Callable[..., None]) -> None:
        self._callback = MODEL(function)
        self.address = int(ctypes.cast(self._callback, ctypes.c_void_p).value or 0)


def model_function(function: Callable[..., Parts], sizes: tuple[int, int, int], p: np.ndarray) -> Called:
    """Wrap ``function(t, q, v, s, p) -> parts``; the parts are laid out one after the other, column-major."""
    nq, nv, ns = sizes

    def call(t: float, y_address: int, p_address: int, out_address: int) -> None:
        y = np.array((ctypes.c_double * (nq + nv + ns)).from_address(y_address))
        parts = function(t, y[:nq], y[nq : nq + nv], y[nq + nv :], p)
        flat = np.concatenate([np.ravel(np.asarray(part, dtype=float), order="F") for part in parts])
        ctypes.memmove(out_address, flat.ctypes.data, flat.nbytes)

    return Called(call)


def make_system(
    sizes: tuple[int, int, int],
    m: int,
    closure: Callable[..., Parts],
    terms: Callable[..., Parts],
    *,
    retract: Callable[..., Parts] | None = None,
    accelerate: Callable[..., Parts] | None = None,
    p: Sequence[float] = (),
    scale: Sequence[float] | None = None,
) -> ConstrainedSystem:
    """Build a system from Python functions; sizes = (nq, nv, ns)."""
    live = np.array(p, dtype=float)
    given = {"closure": closure, "terms": terms, "retract": retract, "accelerate": accelerate}
    return ConstrainedSystem(
        nq=sizes[0],
        nv=sizes[1],
        ns=sizes[2],
        m=m,
        functions={name: model_function(f, sizes, live) for name, f in given.items() if f is not None},
        p=live,
        scale=np.ones(sizes[1]) if scale is None else np.array(scale, dtype=float),
    )


def pendulum(length: float = 1.3, mass: float = 0.7) -> ConstrainedSystem:
    """Mass point on a rod, q = [x, y], y upwards; Φ = (x² + y² - l²)/2."""

    def closure(t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        return [(q @ q - p[0] ** 2) / 2], q, [0.0]

    def terms(t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        return v, s, [0.0, -p[1] * GRAVITY], [v @ v], p[1] * np.eye(2), q

    return make_system((2, 2, 0), 1, closure, terms, p=[length, mass], scale=[length, length])


def constant(
    mass: np.ndarray, constraints: np.ndarray, h: np.ndarray, b: np.ndarray, scale: np.ndarray
) -> ConstrainedSystem:
    """Linear system with constant M (n, n), C (m, n), h (n), b (m)."""
    m, n = constraints.shape
    return make_system(
        (n, n, 0),
        m,
        lambda t, q, v, s, p: (constraints @ q, constraints, np.zeros(m)),
        lambda t, q, v, s, p: (v, s, h, b, mass, constraints),
        scale=list(scale),
    )


class FourBar:
    """Crank, coupler and rocker by their absolute angles q = [θ1, θ2, θ3]; the rocker is closed at its ground pivot.

    Rows: x and y of the closing pivot; with *speed* the crank is driven (θ1 = speed · t); with *redundant* a third row
    repeats a combination of the first two.
    """

    def __init__(self, *, speed: float | None = None, redundant: bool = False) -> None:
        self.length = np.array([0.3, 0.9, 0.7])
        self.ground = np.array([1.0, 0.0])
        self.mass, self.inertia = np.array([1.0, 2.0, 1.5]), np.array([0.01, 0.12, 0.06])
        # arms (body, angle): centre of mass of body k = Σ_i arms[k, i] u(θ_i)
        self.arms = np.tril(np.tile(self.length, (3, 1)), -1) + np.diag(self.length / 2)
        self.speed, self.redundant = speed, redundant
        self.m = 2 + (speed is not None) + redundant

    def system(self) -> ConstrainedSystem:
        return make_system((3, 3, 0), self.m, self.closure, self.terms)

    def rows(self, loop: np.ndarray, drive: np.ndarray) -> np.ndarray:
        """Stack the loop rows, their redundant combination and the drive."""
        extra = [1.5 * loop[0] - 0.5 * loop[1]] if self.redundant else []
        return np.array([*loop, *extra, *([drive] if self.speed is not None else [])])

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        loop = self.length * np.array([-np.sin(q), np.cos(q)])
        return self.rows(loop, np.array([1.0, 0.0, 0.0]))

    def closure(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        speed = self.speed or 0.0
        loop = np.array([np.cos(q), np.sin(q)]) @ self.length - self.ground
        return (
            self.rows(loop, q[0] - speed * t),
            self.jacobian(q),
            self.rows(np.zeros(2), np.array(-speed)),
        )

    def terms(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        loop = -np.array([np.cos(q), np.sin(q)]) @ (self.length * v**2)
        b = self.rows(loop, np.array(0.0))
        return v, s, self.force(q, v), b, self.mass_matrix(q), self.jacobian(q)

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        products = np.einsum("k,ki,kj->ij", self.mass, self.arms, self.arms)
        return products * np.cos(q[:, None] - q) + np.diag(self.inertia)

    def force(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        products = np.einsum("k,ki,kj->ij", self.mass, self.arms, self.arms)
        return (products * np.sin(q - q[:, None])) @ v**2 - GRAVITY * (self.mass @ self.arms) * np.cos(q)

    def position(self, crank: float) -> np.ndarray:
        """Angles for a crank angle by the law of cosines, coupler above."""
        tip = self.length[0] * np.array([np.cos(crank), np.sin(crank)])
        d = self.ground - tip
        size = np.hypot(*d)
        a, b = self.length[1:]
        inner = np.arccos((a**2 + size**2 - b**2) / (2 * a * size))
        coupler = np.arctan2(d[1], d[0]) + inner
        joint = tip + a * np.array([np.cos(coupler), np.sin(coupler)])
        rocker = np.arctan2(*(self.ground - joint)[::-1])
        return np.array([crank, coupler, rocker])

    def state(self, crank: float, speed: float) -> np.ndarray:
        """Consistent state y = [q, v]."""
        q = self.position(crank)
        c = FourBar().jacobian(q)
        v = np.array([speed, *np.linalg.solve(c[:, 1:], -c[:, 0] * speed)])
        return np.concatenate([q, v])

    def energy(self, y: np.ndarray) -> float:
        q, v = y[:3], y[3:]
        return float(v @ self.mass_matrix(q) @ v / 2 + GRAVITY * self.mass @ self.arms @ np.sin(q))

    def exact_rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """ẏ by NumPy from the full system with multipliers, undriven and without redundancy."""
        q, v = y[:3], y[3:]
        c = FourBar().jacobian(q)
        b = -np.array([np.cos(q), np.sin(q)]) @ (self.length * v**2)
        matrix = np.block([[self.mass_matrix(q), c.T], [c, np.zeros((2, 2))]])
        return np.concatenate([v, np.linalg.solve(matrix, np.concatenate([self.force(q, v), -b]))[:3]])


class ParallelCranks:
    """Bar on parallel cranks, q = [θ1, θ2, ..., φ]; each crank after the first adds two rows.

    Three cranks: four rows, of which three are independent where they hold; away from Φ = 0 all four are, so that
    counting would say that nothing moves. With φ = 0 the bar (mass m) swings like a pendulum: I θ̈ = -m g l cos θ
    (θ from the horizontal). At θ = 0 all bars align, and the branch φ = 0 meets the crossed one.
    """

    length, mass, crank_inertia = 0.4, 2.0, 0.003

    def __init__(self, *places: float) -> None:
        self.places = places
        self.cranks = len(places) + 1

    def system(self) -> ConstrainedSystem:
        nv = self.cranks + 1
        return make_system((nv, nv, 0), 2 * len(self.places), self.closure, self.terms)

    def state(self, theta: float, omega: float) -> np.ndarray:
        return np.array([theta] * self.cranks + [0.0] + [omega] * self.cranks + [0.0])

    def exact_rates(self, t: float, z: np.ndarray) -> list[float]:
        inertia = self.mass * self.length**2 + self.cranks * self.crank_inertia
        return [z[1], -self.mass * GRAVITY * self.length * np.cos(z[0]) / inertia]

    def gaps(self, ends: np.ndarray) -> np.ndarray:
        """Combine unit vectors (2, nv), or their derivatives, to the rows: first crank + bar - other crank."""
        return np.concatenate(
            [self.length * (ends[:, 0] - ends[:, i]) + d * ends[:, -1] for i, d in enumerate(self.places, 1)]
        )

    def closure(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        ground = np.concatenate([[d, 0.0] for d in self.places])
        return self.gaps(np.array([np.cos(q), np.sin(q)])) - ground, self.jacobian(q), np.zeros(len(ground))

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        turn = np.array([-np.sin(q), np.cos(q)])
        return np.column_stack([self.gaps(turn * unit) for unit in np.eye(len(q))])

    def terms(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        b = self.gaps(-np.array([np.cos(q), np.sin(q)]) * v**2)
        # the bar's centre of mass is at the first crank's tip, its moment of inertia is 1
        mass = np.diag([self.crank_inertia] * self.cranks + [1.0])
        mass[0, 0] += self.mass * self.length**2
        h = np.zeros(len(q))
        h[0] = -self.mass * GRAVITY * self.length * np.cos(q[0])
        return v, s, h, b, mass, self.jacobian(q)


class Scotch:
    """Crank with a slider, x = l cos θ; the crank turns on the unit circle: q = [cos θ, sin θ, x], v = [θ̇, ẋ].

    Positions are not integrals of velocities, so that corrections go through a retraction. A torque -k sin θ acts:
    (J + m l² sin² θ) θ̈ = -k sin θ - m l² sin θ cos θ θ̇².
    """

    length, mass, inertia, stiffness = 0.5, 3.0, 0.2, 4.0

    def system(self) -> ConstrainedSystem:
        return make_system((3, 2, 0), 1, self.closure, self.terms, retract=self.retract)

    def closure(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        return [q[2] - self.length * q[0]], [self.length * q[1], 1.0], [0.0]

    def terms(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        rates = [-q[1] * v[0], q[0] * v[0], v[1]]
        b = [self.length * q[0] * v[0] ** 2]
        return rates, s, [-self.stiffness * q[1], 0.0], b, np.diag([self.inertia, self.mass]), [self.length * q[1], 1.0]

    def retract(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        turned = (q[0] + 1j * q[1]) * np.exp(1j * v[0])
        turned /= abs(turned)
        return [turned.real, turned.imag], [q[2] + v[1]]

    def exact_rates(self, t: float, z: np.ndarray) -> list[float]:
        sine, cosine = np.sin(z[0]), np.cos(z[0])
        ml2 = self.mass * self.length**2
        torque = -self.stiffness * sine - ml2 * sine * cosine * z[1] ** 2
        return [z[1], torque / (self.inertia + ml2 * sine**2)]
