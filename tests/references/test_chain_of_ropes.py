"""Loads in a chain of ropes against SciPy: point masses in Cartesian coordinates, legs by DOP853 with events at 1e-12.

SOURCE: scipy.integrate.solve_ivp; which ropes are taut by trying all sets, written here once more for points alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

G = 9.81
Array = np.ndarray


class Chain:
    """n loads of masses m; rope i joins load i − 1, or the ground in the origin, with load i."""

    def __init__(self, masses: Array, length: float) -> None:
        self.masses, self.length, self.n = masses, length, len(masses)
        self.inverse = np.repeat(1 / masses, 2)

    def rows(self, x: Array) -> Array:
        """∂(½ |gap|²)/∂x of all ropes."""
        found, places = np.zeros((self.n, 2 * self.n)), x.reshape(-1, 2)
        for i in range(self.n):
            gap = places[i] - (places[i - 1] if i else 0.0)
            found[i, 2 * i : 2 * i + 2] = gap
            if i:
                found[i, 2 * i - 2 : 2 * i] = -gap
        return found

    def pushes(self, x: Array, v: Array, held: list[int]) -> Array:
        """Multipliers of the ropes that hold: J ẍ + J̇ v = 0."""
        j, rate = self.rows(x)[held], self.rows(v)[held]
        weight = np.tile([0.0, -G], self.n)
        return np.linalg.solve((j * self.inverse) @ j.T, j @ weight + rate @ v)

    def accelerations(self, x: Array, v: Array, held: list[int]) -> Array:
        free = np.tile([0.0, -G], self.n)
        return free - self.inverse * (self.rows(x)[held].T @ self.pushes(x, v, held)) if held else free

    def decide(self, x: Array, v: Array, near: list[int]) -> tuple[Array, list[int]]:
        """Velocities behind impulses, and the ropes that hold."""
        sets = [list(s) for s in chain.from_iterable(combinations(near, k) for k in range(len(near) + 1))]
        j = self.rows(x)
        for held in sets:
            part = np.linalg.solve((j[held] * self.inverse) @ j[held].T, j[held] @ v) if held else np.zeros(0)
            after = v - self.inverse * (j[held].T @ part)
            if np.all(part >= -1e-12) and np.all((j @ after)[near] <= 1e-10):
                break
        staying = [i for i in near if (j @ after)[i] > -1e-9]
        for held in (s for s in sets if set(s) <= set(staying)):
            part = self.pushes(x, after, held) if held else np.zeros(0)
            rise = j @ self.accelerations(x, after, held) + self.rows(after) @ after
            if np.all(part > 0.0) and np.all(rise[staying] <= 1e-8):
                return after, held
        raise AssertionError("no ropes can hold")

    def run(self, x: Array, v: Array, until: float) -> tuple[Array, list[float]]:
        """Places at the end, and the times at which something has changed."""
        t, now, times, n = 0.0, list[int](), list[float](), 2 * self.n
        while True:
            rates, events = self._leg(now)
            leg = solve_ivp(rates, (t, until), np.concatenate([x, v]), "DOP853", rtol=1e-12, atol=1e-13, events=events)
            t, x, v = float(leg.t[-1]), leg.y[:n, -1], leg.y[n:, -1]
            if leg.status == 0:
                return x, times
            times.append(t)
            passed = [i for i, found in enumerate(leg.t_events) if found.size]
            v, now = self.decide(x, v, sorted({*now, *passed}))

    def _leg(self, held: list[int]) -> tuple[Callable[..., Array], list[Callable[..., float]]]:
        """What is integrated while the same ropes hold, and what ends it: a pull that ends, or a rope that is used up."""
        n = 2 * self.n

        def guard(i: int) -> Callable[..., float]:
            def left(_: float, y: Array) -> float:
                if i in held:
                    return float(self.pushes(y[:n], y[n:], held)[held.index(i)])
                return self.length**2 - self.gap(y[:n], i)

            left.terminal, left.direction = True, -1  # type: ignore[attr-defined]
            return left

        def rates(_: float, y: Array) -> Array:
            return np.concatenate([y[n:], self.accelerations(y[:n], y[n:], held)])

        return rates, [guard(i) for i in range(self.n)]

    def gap(self, x: Array, i: int) -> float:
        places = x.reshape(-1, 2)
        gap = places[i] - (places[i - 1] if i else 0.0)
        return float(gap @ gap)


def model(masses: Array, length: float, x: Array, v: Array) -> lw.Model:
    places, speeds, count = x.reshape(-1, 2), v.reshape(-1, 2), range(1, len(masses) + 1)
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P0": [0, 0]} | {f"P{i}": places[i - 1].tolist() for i in count},
        bodies={
            f"b{i}": {"points": [f"P{i}"], "com": f"P{i}", "mass": float(masses[i - 1]), "inertia": 0.01} for i in count
        },
        relations={
            f"r{i}": {
                "kind": "rope",
                "between": [f"{f'b{i - 1}' if i > 1 else 'ground'}.P{i - 1}", f"b{i}.P{i}"],
                "length": length,
            }
            for i in count
        },
        initial={f"b{i}": {"vx": float(speeds[i - 1][0]), "vy": float(speeds[i - 1][1])} for i in count},
    )


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize("formulation", ["multipliers", "partitioning", "r_method"])
@pytest.mark.parametrize("seed", range(4))
def test_loads_in_a_chain_of_ropes(seed: int, formulation: str) -> None:
    rng = np.random.default_rng(seed)
    masses, length, n = rng.uniform(0.5, 3.0, 3), 0.4, 3
    steps = rng.uniform(-0.25, 0.25, (n, 2))
    x, v = np.cumsum(steps, axis=0).ravel(), rng.uniform(-1.0, 1.0, 2 * n)
    expected, times = Chain(masses, length).run(x, v, 0.6)
    result = lw.simulate(model(masses, length, x, v), until=0.6, rtol=1e-11, atol=1e-13, formulation=formulation)
    assert result.outcome.completed and result.audit.passed, str(result)
    found = sorted({round(event.time, 9) for event in result.events})
    assert times, "nothing has come or gone"
    assert found == pytest.approx(sorted({round(time, 9) for time in times}), abs=1e-8)
    end = [result[f"P{i}.{axis}"][-1] for i in range(1, n + 1) for axis in "xy"]
    assert end == pytest.approx(expected, abs=1e-7)
