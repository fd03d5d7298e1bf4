"""Four ways to a position of rest, on any system that gives its forces, conditions and stiffness as functions of position.

Newton's method on the forces in admissible directions (virtual power), on forces and conditions together (multipliers), on
forces with the conditions as stiff springs whose pull is raised (penalties), and a motion with masses of its own whose speed
is taken away whenever the forces begin to brake it (dynamic relaxation; A. S. Day, The Engineer 219, 1965). García de Jalón
and Bayo, section 6.1.

Downhill, directions in which the stiffness is negative count with its size: steps go where the energy falls, to a stable
position. Otherwise they go to the nearest one, stable or not. Relaxation always goes downhill.

Redundant constraints agree with each other only where all are satisfied: there, all four close them after every step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.policy import POLICY

SHARE = 0.3  # of the typical size of a coordinate: the longest step
SOFT = 1e-12  # of the largest stiffness: softer directions are neutral
STIFF = 1e4  # of penalties, in units of the largest stiffness
REPEATED = 1e-10  # of singular values of forces and conditions: less belongs to conditions that repeat others
LIGHTEST = 1e-6  # mass of a relaxation, in units of the largest stiffness
HEAVIER = 4.0  # mass of a direction, in units of its stiffness
FLAT = 1e-8  # of the largest stiffness: directions that are softer are taken as if they had so much
EXACT = 1e-3  # of the largest stiffness: smaller forces are not known better than by rounding errors of springs
OPEN = 1e-12  # error of a condition, in units of its row, that is none
RELAXING = 50  # steps of a relaxation for one of Newton's method


class Resting(Protocol):
    """What is asked of a system; δ are displacements (nv), scale (nv) the typical size of each."""

    scale: Array

    def forces(self, x: Array) -> tuple[Array, Array, Array]: ...
    def size(self, x: Array) -> float: ...
    def stiffness(self, x: Array, push: Array) -> Array: ...
    def directions(self, jacobian: Array) -> Array: ...
    def push(self, h: Array, jacobian: Array) -> Array: ...
    def move(self, x: Array, delta: Array) -> Array: ...
    def close(self, x: Array) -> tuple[Array, bool]: ...


@dataclass(frozen=True)
class Search:
    """How to look: the largest force left, in units of the forces that act; steps; whether to go downhill."""

    tolerance: float = 1e-12
    limit: int = 200
    downhill: bool = True


@dataclass(frozen=True, eq=False)
class Rest:
    """Where a search has ended: x, the iterations it took, and whether forces are in balance there."""

    x: Array
    iterations: int
    found: bool


@dataclass(frozen=True, eq=False)
class RestForces:
    """Forces at a closed position: those in admissible directions N (nv, k), the stiffness (k, k) there, and sizes."""

    directions: Array
    force: Array
    stiffness: Array
    size: float  # of the forces that act, and of those that a small displacement brings
    stiffest: float  # the largest entry of the whole stiffness, in units of the coordinates

    @property
    def error(self) -> float:
        """The largest force in an admissible direction, in units of the forces that act."""
        return float(np.max(np.abs(self.force), initial=0.0)) / self.size

    @property
    def symmetric(self) -> bool:
        """Whether all forces have a potential, as far as this position tells."""
        return _is_even(self.stiffness, self.force, self.stiffest)


def balance(system: Resting, x: Array) -> RestForces:
    """Forces and stiffness of a position that satisfies its conditions."""
    h, _, jacobian = system.forces(x)
    directions, push = system.directions(jacobian), system.push(h, jacobian)
    whole = system.stiffness(x, push)
    scaled = whole * np.outer(system.scale, system.scale)
    reduced, stiffest = directions.T @ whole @ directions, _largest(scaled)
    size = max(system.size(x), EXACT * stiffest, 1e-300)
    return RestForces(directions, directions.T @ h, reduced, size, stiffest)


def by_virtual_power(system: Resting, x: Array, search: Search) -> Rest:
    """Newton's method in admissible directions; loops are closed after every step."""
    x, closed = system.close(x)
    for count in range(search.limit):
        now = balance(system, x)
        if not closed or now.error <= search.tolerance:
            return Rest(x, count, closed)
        x, closed = _advance(system, x, now, search.downhill)
    return Rest(x, search.limit, closed and balance(system, x).error <= search.tolerance)


def by_multipliers(system: Resting, x: Array, search: Search) -> Rest:
    """Newton's method on h + Cᵀλ = 0 and Φ = 0."""
    h, phi, jacobian = system.forces(x)
    push, scale, pace = system.push(h, jacobian), system.scale, _Pace(system, jacobian)
    for count in range(search.limit):
        rows, size = POLICY.unit_rows(jacobian * scale)
        left = (h + jacobian.T @ push) * scale
        if _balanced(system, x, left, phi / size, (push, search.tolerance)):
            return Rest(x, count, True)
        matrix = _curved(system, x, (h, jacobian, push), search.downhill)
        unit = max(_largest(matrix), 1e-300)
        whole = np.block([[matrix / unit, -rows.T], [rows, np.zeros((len(phi), len(phi)))]])
        found = _solved(whole, np.concatenate([left / unit, -phi / size]), REPEATED)
        step, part = found[: len(scale)], pace.part(found[: len(scale)])
        x, push = pace.move(x, part * step * scale), push + part * unit * found[len(scale) :] / size
        h, phi, jacobian = system.forces(x)
    return Rest(x, search.limit, False)


def by_penalties(system: Resting, x: Array, search: Search) -> Rest:
    """Newton's method on h − Cᵀ(α Φ + λ*) = 0, with every step λ* raised by the α Φ that it will leave."""
    h, phi, jacobian = system.forces(x)
    raised, scale, pace = -system.push(h, jacobian), system.scale, _Pace(system, jacobian)
    alpha = STIFF * max(_largest(system.stiffness(x, -raised) * np.outer(scale, scale)), system.size(x), 1e-300)
    for count in range(search.limit):
        rows, size = POLICY.unit_rows(jacobian * scale)
        left = (h - jacobian.T @ raised) * scale
        if _balanced(system, x, left, phi / size, (-raised, search.tolerance)):
            return Rest(x, count, True)
        matrix = _curved(system, x, (h, jacobian, -raised), search.downhill)
        step = _solved(matrix + alpha * rows.T @ rows, left - alpha * rows.T @ (phi / size))
        part = pace.part(step)
        x, raised = pace.move(x, part * step * scale), raised + part * alpha * (phi / size + rows @ step) / size
        h, phi, jacobian = system.forces(x)
    return Rest(x, search.limit, False)


def by_relaxation(system: Resting, x: Array, search: Search) -> Rest:
    """A motion in steps of unit time, stopped whenever forces brake it; by their masses all directions swing alike."""
    x, closed = system.close(x)
    now, velocity = balance(system, x), np.zeros(len(system.scale))
    for count in range(RELAXING * search.limit):
        if not closed or now.error <= search.tolerance:
            return Rest(x, count, closed)
        basis = now.directions / system.scale[:, None]
        speed = basis.T @ velocity
        if speed @ now.force < 0.0:
            speed = np.zeros_like(speed)
        values, vectors = np.linalg.eigh(_even(now.stiffness))
        least = LIGHTEST * max(float(np.max(np.abs(values))), SOFT * now.size)
        speed = speed + vectors @ ((vectors.T @ now.force) / np.maximum(HEAVIER * np.abs(values), least))
        velocity = min(1.0, SHARE / max(_largest(basis @ speed), 1e-300)) * basis @ speed
        x, closed = system.close(system.move(x, velocity * system.scale))
        now = balance(system, x)
    return Rest(x, RELAXING * search.limit, False)


WAYS: dict[str, Callable[[Resting, Array, Search], Rest]] = {
    "virtual_power": by_virtual_power,
    "multipliers": by_multipliers,
    "penalty": by_penalties,
    "relaxation": by_relaxation,
}


class _Pace:
    """How much of a step is taken: less after one that has turned back, so that no search swings for ever."""

    def __init__(self, system: Resting, jacobian: Array) -> None:
        self._share, self._last, self._system = SHARE, np.zeros(0), system
        rank = jacobian.shape[1] - system.directions(jacobian).shape[1]
        self._closes = rank < len(jacobian)

    def part(self, step: Array) -> float:
        if self._last.size and float(self._last @ step) < 0.0:
            self._share = max(0.5 * self._share, 1e-6)
        else:
            self._share = min(1.5 * self._share, SHARE)
        self._last = step
        return min(1.0, self._share / max(_largest(step), 1e-300))

    def move(self, x: Array, delta: Array) -> Array:
        moved = self._system.move(x, delta)
        return self._system.close(moved)[0] if self._closes else moved


def _balanced(system: Resting, x: Array, left: Array, gaps: Array, limits: tuple[Array, float]) -> bool:
    """Whether conditions are closed and forces in balance; limits: λ, and the tolerance of forces."""
    push, tolerance = limits
    if _largest(gaps) >= OPEN:
        return False
    size = max(system.size(x), 1e-300)
    if _largest(left) <= tolerance * size:
        return True
    stiffest = _largest(system.stiffness(x, push) * np.outer(system.scale, system.scale))
    return _largest(left) <= tolerance * EXACT * stiffest


def _largest(values: Array) -> float:
    return float(np.max(np.abs(values), initial=0.0))


def _is_even(matrix: Array, force: Array, size: float) -> bool:
    """Whether a stiffness is symmetric; velocities that are no rates of coordinates tell only up to the force left."""
    return _largest(matrix - matrix.T) <= 1e-9 * size + 4.0 * _largest(force)


def _even(matrix: Array) -> Array:
    return 0.5 * (matrix + matrix.T)


def _newton(now: RestForces, downhill: bool) -> Array:
    """The step (k) of Newton's method; downhill along the principal directions of a symmetric stiffness."""
    if not (downhill and now.symmetric):
        return _solved(now.stiffness, now.force)
    values, vectors = np.linalg.eigh(_even(now.stiffness))
    least = SOFT * max(float(np.max(np.abs(values), initial=0.0)), now.size)
    return np.asarray(vectors @ ((vectors.T @ now.force) / np.maximum(np.abs(values), least)))


def _curved(system: Resting, x: Array, acting: tuple[Array, Array, Array], downhill: bool) -> Array:
    """The stiffness (nv, nv) in units of the coordinates, turned upwards in admissible directions where it is negative.

    acting: h, C and λ
    """
    scale, (h, jacobian, push) = system.scale, acting
    matrix = system.stiffness(x, push) * np.outer(scale, scale)
    basis = system.directions(jacobian) / scale[:, None]
    reduced = basis.T @ matrix @ basis
    if not downhill or not reduced.size or not _is_even(reduced, basis.T @ (h * scale), _largest(matrix)):
        return matrix
    values, vectors = np.linalg.eigh(_even(reduced))
    turned, least = basis @ vectors, FLAT * max(_largest(matrix), system.size(x))
    return np.asarray(matrix + (turned * (np.maximum(np.abs(values), least) - values)) @ turned.T)


def _advance(system: Resting, x: Array, now: RestForces, downhill: bool) -> tuple[Array, bool]:
    """A step that is not too long, and shorter until the force along it has not grown; downhill only, until it goes on."""
    step = _newton(now, downhill)
    whole = now.directions @ step
    longest = _largest(whole / system.scale)
    part = min(1.0, SHARE / max(longest, 1e-300))
    before = max(abs(float(step @ now.force)), 1e-3 * now.size * longest)
    for _ in range(12):
        moved, closed = system.close(system.move(x, part * whole))
        if closed:
            h, _, jacobian = system.forces(moved)
            directions = system.directions(jacobian)
            along = float(directions @ (np.linalg.pinv(directions) @ whole) @ h)
            if abs(along) <= before or (downhill and along > 0.0):
                return moved, True
        part *= 0.5
    return moved, closed


def _solved(matrix: Array, right: Array, cut: float = 1e-13) -> Array:
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=cut)[0])
