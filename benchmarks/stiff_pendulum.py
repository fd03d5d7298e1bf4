"""Stiff springs: a double pendulum with rotational springs of 1e8 N·m/rad, implicit against explicit methods.

García de Jalón and Bayo (example 7.2, table 7.4) give 9.2 s for the trapezoidal rule with steps of 1 ms against 342.6 s for
an Adams code of variable order: a ratio of 37, with an energy that is wrong by 7.7e-5 and by 4.9e-3. Here every solver takes
the coarsest of its settings with which the energy stays as near to its initial value as with the trapezoidal rule at 1 ms,
and is timed with it. Peers have the same compiled right-hand side, through its address; they run for a tenth of the time
with a tenth of the error, and count ten times, since errors of the energy grow with the time. The fast vibrations, some 4000
periods a second, are nothing that implicit methods with such steps follow; their energy is right because they are stable.
Methods that damp high frequencies are left out: they would take this energy away on purpose.

    python benchmarks/stiff_pendulum.py [--stiffness 1e8] [--until 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.bench.timing import best_time
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.run import integrate

STEP = 1e-3  # s, of the published run
PUBLISHED = 342.6 / 9.2
ADAPTIVE = ("dop853", "dopri5", "adams", "taylor")
FIXED = ("newmark", "implicit_midpoint", "rk4")
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(4, 21))
PEERS, TENTH = ("LSODA", "DOP853", "Radau"), 10


@dataclass(frozen=True)
class Setting:
    """A solver with one of its settings: a run gives states (N × 4) at the output times."""

    solver: str
    text: str
    run: Callable[[], np.ndarray]


class Pendulum:
    """The flow of the model, for every solver the same."""

    def __init__(self, stiffness: float, until: float) -> None:
        self.mechanism = lw.prepare(model())
        self.start = self.mechanism.start({"k": stiffness})
        # at ends of steps: between them no method knows where vibrations are that it steps over
        self.stiffness, self.grid = stiffness, STEP * (5 * np.arange(round(until / STEP) // 5 + 1))

    def linkwork(self, method: str, **options: float) -> np.ndarray:
        """States of a run of Linkwork; a failed one has fewer."""
        return integrate(method, self.mechanism.flow(self.start), self.start.y, self.grid, **options).y  # type: ignore[arg-type]

    def scipy(self, method: str, tolerance: float) -> np.ndarray:
        """The same by SciPy."""
        flow, rates = self.mechanism.flow(self.start), np.zeros(4)

        def right_hand_side(t: float, y: np.ndarray) -> np.ndarray:
            flow.evaluate(t, np.array(y), rates)
            return rates.copy()

        grid = self.grid[: len(self.grid) // TENTH + 1]
        span = (0.0, float(grid[-1]))
        found = solve_ivp(right_hand_side, span, self.start.y, method, grid, rtol=tolerance, atol=1e-2 * tolerance)
        return np.asarray(found.y.T)

    def error(self, states: np.ndarray) -> float:
        """Largest relative error of the energy, infinite for a run that did not arrive."""
        if len(states) < len(self.grid) // TENTH + 1:
            return float("inf")
        first, second, u, v = states.T
        c = np.cos(second)
        kinetic = ((3 + 2 * c) * u**2 + v**2) / 2 + (1 + c) * u * v
        energy = kinetic + self.stiffness * (first**2 + second**2) / 2
        return float(np.max(np.abs(energy / energy[0] - 1)))


def model() -> lw.Model:
    """Example 7.2: bars of 1 m without mass, 1 kg at their ends, 100 rad/s in both joints; no weight."""
    pairs = {"O": ["ground", "upper"], "A": ["upper", "lower"]}
    return lw.Model(
        name="double pendulum with rotational springs",
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        parameters={"k": {"value": 1e8, "live": True}},
        bodies={
            "upper": {"points": ["O", "A"], "mass": 1, "com": "A", "inertia": 0},
            "lower": {"points": ["A", "B"], "mass": 1, "com": "B", "inertia": 0},
        },
        joints={name: {"kind": "revolute", "bodies": pair} for name, pair in pairs.items()},
        forces={
            f"spring_{name}": {"kind": "torsion_spring", "joint": name, "free_angle": 0, "stiffness": "k"}
            for name in pairs
        },
        initial={name: {"speed": 100} for name in pairs},
    )


def settings(pendulum: Pendulum, solver: str) -> Iterator[Setting]:
    """From coarse to fine."""
    if solver in PEERS:
        for tolerance in TOLERANCES[2::2]:
            yield Setting(f"SciPy {solver}", f"rtol {tolerance:.0e}", lambda tol=tolerance: pendulum.scipy(solver, tol))  # type: ignore[misc]
    elif solver in FIXED:
        for halvings in range(12):
            h = STEP / 2**halvings
            yield Setting(f"Linkwork {solver}", f"step {h:.1e}", lambda h=h: pendulum.linkwork(solver, step=h))  # type: ignore[misc]
    else:
        for tolerance in TOLERANCES:
            options = {"rtol": tolerance, "atol": 1e-2 * tolerance}
            yield Setting(
                f"Linkwork {solver}", f"rtol {tolerance:.0e}", lambda o=options: pendulum.linkwork(solver, **o)
            )  # type: ignore[misc]


def compare(stiffness: float, until: float) -> None:
    """Print times and ratios, the implicit run of the book first."""
    pendulum = Pendulum(stiffness, until)
    target = 1.01 * pendulum.error(pendulum.linkwork("newmark", step=STEP))
    print(f"Double pendulum with springs of {stiffness:.0e} N·m/rad, {until:g} s; energy right to {target:.1e}")
    print(f"{'solver':<30}{'setting':>14}{'energy error':>14}{'time':>12}{'ratio':>8}")
    reference, known = 0.0, {method.name for method in ALL_METHODS}
    for solver in (*(name for name in (*FIXED, *ADAPTIVE) if name in known), *PEERS):
        part = TENTH if solver in PEERS else 1
        right = target / part
        chosen = next((item for item in settings(pendulum, solver) if pendulum.error(item.run()) <= right), None)
        if chosen is None:
            print(f"{solver:<30}{'not reached':>14}", flush=True)
            continue
        time = part * best_time(chosen.run, limit=1.0)
        reference = reference or time
        error = pendulum.error(chosen.run())
        print(
            f"{chosen.solver:<30}{chosen.text:>14}{error:>14.1e}{time * 1e3:>9.1f} ms{time / reference:>8.1f}",
            flush=True,
        )
    print(f"published: a ratio of {PUBLISHED:.0f} between an Adams code and the trapezoidal rule")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stiffness", type=float, default=1e8)
    parser.add_argument("--until", type=float, default=2.0)
    chosen = parser.parse_args(arguments)
    compare(chosen.stiffness, chosen.until)


if __name__ == "__main__":
    main()
