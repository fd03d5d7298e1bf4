"""Problems of contacts with friction, from rigid bodies that lie on each other: A = J M⁻¹ Jᵀ, b = J (v + h M⁻¹ F).

u are relative velocities at the end of a step h in m/s, f impulses in N·s, the normal first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse

from linkwork.numerics.complementarity.contact_problem import ContactProblem

GRAVITY, STEP = 9.81, 1e-3
GROUND = -1


def frame_of(normal: np.ndarray) -> np.ndarray:
    """Rows n, t₁, t₂ (3 × 3), right-handed."""
    n = normal / np.linalg.norm(normal)
    other = np.eye(3)[int(np.argmin(np.abs(n)))]
    first = np.cross(n, other)
    first /= np.linalg.norm(first)
    return np.array([n, first, np.cross(n, first)])


@dataclass
class Bodies:
    """Rigid bodies, contacts between them, and joints that always hold; velocities (v, ω) of each, world axes."""

    masses: list[float] = field(default_factory=list)
    inertias: list[np.ndarray] = field(default_factory=list)
    centres: list[np.ndarray] = field(default_factory=list)
    contacts: list[tuple[int, int, np.ndarray, np.ndarray, float]] = field(default_factory=list)
    joints: list[tuple[int, int, np.ndarray, np.ndarray]] = field(default_factory=list)

    def box(self, mass: float, centre: Sequence[float], sides: Sequence[float]) -> int:
        a, b, c = np.square(sides)
        self.masses.append(mass)
        self.inertias.append(mass / 12.0 * np.diag([b + c, a + c, a + b]))
        self.centres.append(np.array(centre, dtype=float))
        return len(self.masses) - 1

    def ball(self, mass: float, centre: Sequence[float], radius: float) -> int:
        self.masses.append(mass)
        self.inertias.append(0.4 * mass * radius**2 * np.eye(3))
        self.centres.append(np.array(centre, dtype=float))
        return len(self.masses) - 1

    def touch(self, below: int, above: int, point: Sequence[float], normal: Sequence[float], mu: float) -> None:
        """A contact; the normal points from the lower to the upper body."""
        self.contacts.append((below, above, np.array(point, dtype=float), frame_of(np.array(normal, dtype=float)), mu))

    def hinge(self, a: int, b: int, point: Sequence[float], axis: Sequence[float]) -> None:
        """A joint that leaves one rotation free."""
        self.joints.append((a, b, np.array(point, dtype=float), frame_of(np.array(axis, dtype=float))))

    def _rows(self, body: int, point: np.ndarray, frame: np.ndarray) -> np.ndarray:
        """Velocity of a point of a body along a frame (3 × 6)."""
        r = point - self.centres[body]
        turn = -np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
        return frame @ np.hstack([np.eye(3), turn])

    def _jacobian(self, pairs: list[tuple[int, int, np.ndarray]]) -> scipy.sparse.csr_array:
        """Rows of (below, above, blocks (k × 12)): those of the lower body, then of the upper one."""
        count = sum(len(block) for *_, block in pairs)
        whole = scipy.sparse.lil_array((count, 6 * len(self.masses)))
        row = 0
        for below, above, block in pairs:
            for body, part in ((below, block[:, :6]), (above, block[:, 6:])):
                if body != GROUND:
                    whole[row : row + len(block), 6 * body : 6 * body + 6] = part
            row += len(block)
        return whole.tocsr()

    def _both(self, below: int, above: int, point: np.ndarray, frame: np.ndarray) -> np.ndarray:
        lower = np.zeros((3, 6)) if below == GROUND else -self._rows(below, point, frame)
        upper = np.zeros((3, 6)) if above == GROUND else self._rows(above, point, frame)
        return np.hstack([lower, upper])

    def problem(self, velocity: np.ndarray | None = None, force: np.ndarray | None = None) -> ContactProblem:
        """The step from a velocity (bodies × 6) with weight and further forces (bodies × 6)."""
        n = len(self.masses)
        speed = np.zeros((n, 6)) if velocity is None else velocity.copy()
        loads = np.zeros((n, 6)) if force is None else force
        inverse = scipy.sparse.block_diag(
            [
                block
                for mass, inertia in zip(self.masses, self.inertias, strict=True)
                for block in (np.eye(3) / mass, np.linalg.inv(inertia))
            ]
        ).tocsr()
        speed[:, 2] -= STEP * GRAVITY
        free = speed.reshape(-1) + STEP * (inverse @ loads.reshape(-1))
        jacobian = self._jacobian([(a, b, self._both(a, b, p, f)) for a, b, p, f, _ in self.contacts])
        flexible = inverse @ jacobian.T
        if self.joints:
            held = self._jacobian([(a, b, self._held(a, b, p, f)) for a, b, p, f in self.joints]).toarray()
            coupling = np.linalg.inv(held @ (inverse @ held.T))
            free = free - inverse @ (held.T @ (coupling @ (held @ free)))
            flexible = flexible.toarray() - inverse @ (held.T @ (coupling @ (held @ flexible.toarray())))
        matrix = jacobian @ flexible
        matrix = 0.5 * (matrix + matrix.T)
        return ContactProblem.of(matrix, jacobian @ free, [mu for *_, mu in self.contacts])

    def _held(self, a: int, b: int, point: np.ndarray, frame: np.ndarray) -> np.ndarray:
        """The five rows of a hinge about the first axis of its frame."""
        turns = np.hstack([np.zeros((2, 3)), -frame[1:], np.zeros((2, 3)), frame[1:]])
        return np.vstack([self._both(a, b, point, np.eye(3)), turns])


def corners(low: np.ndarray, high: np.ndarray, z: float) -> list[np.ndarray]:
    """Those of a rectangle."""
    return [np.array([x, y, z]) for x in (low[0], high[0]) for y in (low[1], high[1])]


def stack(count: int, mu: float = 0.5, mass: float = 1.0, growth: float = 1.0) -> Bodies:
    """Cubes of 1 m on each other, each *growth* times as heavy as the one below."""
    bodies = Bodies()
    for k in range(count):
        own = bodies.box(mass * growth**k, (0.0, 0.0, k + 0.5), (1.0, 1.0, 1.0))
        for point in corners(np.array([-0.5, -0.5]), np.array([0.5, 0.5]), float(k)):
            bodies.touch(own - 1, own, point, (0.0, 0.0, 1.0), mu)
    return bodies


def wall(rows: int, columns: int, mu: float = 0.6) -> Bodies:
    """Bricks of 0.4 × 0.2 × 0.2 m, each on two of the row below."""
    bodies, below = Bodies(), list[int]()
    for k in range(rows):
        own = []
        for c in range(columns - k % 2):
            x = 0.4 * c + 0.2 * (k % 2)
            brick = bodies.box(10.0, (x, 0.0, 0.2 * k + 0.1), (0.4, 0.2, 0.2))
            own.append(brick)
            if k == 0:
                for point in corners(np.array([x - 0.2, -0.1]), np.array([x + 0.2, 0.1]), 0.0):
                    bodies.touch(GROUND, brick, point, (0.0, 0.0, 1.0), mu)
                continue
            for other in below:
                left = max(x, bodies.centres[other][0]) - 0.2
                right = min(x, bodies.centres[other][0]) + 0.2
                if right - left > 1e-6:
                    for point in corners(np.array([left, -0.1]), np.array([right, 0.1]), 0.2 * k):
                        bodies.touch(other, brick, point, (0.0, 0.0, 1.0), mu)
        below = own
    return bodies


def pile(count: int, seed: int = 0, mu: float = 0.4) -> tuple[Bodies, np.ndarray]:
    """Balls of many sizes at random places in a pit, those that nearly touch in contact, and their velocities."""
    rng, bodies = np.random.default_rng(seed), Bodies()
    side = int(np.ceil((count / 2) ** (1 / 3)))
    places = [(i, j, k) for k in range(2 * side + 2) for i in range(side) for j in range(side)][:count]
    radii = rng.uniform(0.40, 0.55, count)
    for place, radius in zip(places, radii, strict=True):
        centre = np.array(place) * [0.95, 0.95, 0.9] + rng.uniform(-0.08, 0.08, 3) + [0.0, 0.0, 0.5]
        bodies.ball(2000.0 * radius**3, centre, radius)
    centres = np.array(bodies.centres)
    for i in range(count):
        if centres[i][2] < 0.62:
            bodies.touch(GROUND, i, centres[i] - [0.0, 0.0, radii[i]], (0.0, 0.0, 1.0), mu)
        for j in range(i + 1, count):
            way = centres[j] - centres[i]
            if np.linalg.norm(way) < 1.03 * (radii[i] + radii[j]):
                point = centres[i] + way * radii[i] / (radii[i] + radii[j])
                bodies.touch(i, j, point, way, rng.uniform(0.2, 2 * mu))
    return bodies, rng.normal(0.0, 0.02, (count, 6))


def feet(mu: float = 0.7) -> tuple[Bodies, np.ndarray]:
    """A torso on two legs of thigh, shank and foot, hinges at hips, knees and ankles, four points under each foot; falling
    forwards."""
    bodies = Bodies()
    torso = bodies.box(35.0, (0.0, 0.0, 1.15), (0.25, 0.35, 0.5))
    for y in (-0.12, 0.12):
        thigh = bodies.box(8.0, (0.0, y, 0.7), (0.12, 0.12, 0.4))
        shank = bodies.box(4.0, (0.0, y, 0.3), (0.1, 0.1, 0.4))
        foot = bodies.box(1.0, (0.04, y, 0.05), (0.24, 0.1, 0.08))
        for a, b, z in ((torso, thigh, 0.9), (thigh, shank, 0.5), (shank, foot, 0.1)):
            bodies.hinge(a, b, (0.0, y, z), (0.0, 1.0, 0.0))
        for point in corners(np.array([-0.08, y - 0.05]), np.array([0.16, y + 0.05]), 0.0):
            bodies.touch(GROUND, foot, point, (0.0, 0.0, 1.0), mu)
    velocity = np.zeros((len(bodies.masses), 6))
    velocity[:, :3] = [0.05, 0.02, -0.02]
    velocity[:, 4] = 0.1
    return bodies, velocity
