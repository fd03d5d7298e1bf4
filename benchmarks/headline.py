"""The published comparison: minimal coordinates against reference coordinates, run times at the same accuracy.

D. Lee, Y. Youm, W. Chung ("Dynamics of Multibody Systems with Analytical Kinematics", section 5) give 10.923 s with 1
coordinate against 43.791 s with 12 for a four-bar: a ratio of 4.0. Here the same four-bar turns for 10 s, output every
10 ms, once driven at 2π rad/s and once free, starting with that speed. For each way of writing its equations the
tolerance is sought whose largest error over the run is nearest to TARGET, and the run is timed with it; a driven
mechanism has no error of integration, so that the coarsest serves. Errors are measured against closed forms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from contenders import DEPENDENT_COORDINATES, FORMULATIONS
from published import SPEED, START, driven_model, effective_inertia, free_model, solve

import linkwork as lw
from linkwork.bench.timing import best_times
from linkwork.numerics.integrators.run import integrate

TARGET = 1e-6  # rad
GRID = np.arange(1001) / 100  # s
TOLERANCES = tuple(10.0 ** (-k / 6) for k in range(24, 72))
METHOD = "dop853"


@dataclass(frozen=True)
class Way:
    """One way to write the equations, with the tolerance that gives the accuracy: its error [rad] and what is timed."""

    coordinates: str
    formulation: str
    number: int
    rtol: float
    error: float
    run: Callable[[], object]


# -- errors against the closed form --------------------------------------------------------------------------------------


def driven_error(run: lw.Result) -> float:
    """Largest error of the follower's angle; whole turns left out."""
    difference = run["follower.angle"] - solve(START + SPEED * run.time)[0][2]
    return float(np.abs(np.angle(np.exp(1j * difference))).max())


def free_error(run: lw.Result) -> float:
    """Largest error of the crank's angle: J ψ̇1² is constant, so ψ1 is reached at t = ∫ sqrt(J/J0) dψ1/ψ̇1(0)."""
    psi1 = run["crank.angle"]
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = np.diff(psi1)[:, None] / 2
    inside = psi1[:-1, None] + half * (1 + nodes)
    first = effective_inertia(np.array([START]))
    pace = np.sqrt(effective_inertia(inside) / first) / SPEED
    reached = np.concatenate([[0.0], np.cumsum((half * pace) @ weights)])
    speed = SPEED * np.sqrt(first / effective_inertia(psi1))
    return float(np.abs(speed * (run.time - reached)).max())


# -- the runs ----------------------------------------------------------------------------------------------------------


def choose(model: lw.Model, coordinates: str, formulation: str, error: Callable[[lw.Result], float]) -> Way:
    """The tolerance whose largest error is nearest to TARGET, or the coarsest when all are better."""

    def run_error(rtol: float) -> float:
        return error(
            lw.simulate(
                model,
                times=GRID.tolist(),
                coordinates=coordinates,
                formulation=formulation,
                integrator=METHOD,
                rtol=rtol,
                atol=rtol / 100,
            )
        )

    errors = np.array([run_error(rtol) for rtol in TOLERANCES])
    near = 0 if np.all(errors < TARGET) else int(np.argmin(np.abs(np.log(errors / TARGET))))
    rtol = TOLERANCES[near]
    mechanism = lw.prepare(model, coordinates=coordinates, formulation=formulation)
    number = mechanism.coordinates.q.numel()
    return Way(coordinates, formulation, number, rtol, float(errors[near]), integration(mechanism, rtol))


def integration(mechanism: lw.answers.Mechanism, rtol: float) -> Callable[[], object]:
    """The integration alone, everything prepared."""
    start = mechanism.start()
    flow = mechanism.flow(start)
    memory = flow.memory.snapshot()

    def run() -> None:
        # a flow belongs to one run: put its memory back to the start
        flow.memory.restore(memory)
        integrate(METHOD, flow, start.y, GRID, rtol=rtol, atol=rtol / 100)

    return run


def main() -> None:
    print("The published four-bar, 10 s: run time at the same accuracy")
    head = f"{'rtol':>9}{'error, rad':>12}{'time, ms':>10}{'ratio':>7}"
    print(f"{'motion':<8}{'formulation':<14}{'coordinates':<17}{'number':>6}{head}")
    kinds = [("relative", formulation) for formulation in FORMULATIONS]
    kinds += [(coordinates, "multipliers") for coordinates in DEPENDENT_COORDINATES]
    for motion, model, error in (("driven", driven_model(), driven_error), ("free", free_model(), free_error)):
        ways = [choose(model, *kind, error) for kind in kinds]
        times = best_times([way.run for way in ways])
        for way, time in zip(ways, times, strict=True):
            print(
                f"{motion:<8}{way.formulation:<14}{way.coordinates:<17}{way.number:6d}{way.rtol:9.0e}{way.error:12.1e}"
                f"{time * 1e3:10.3f}{time / times[0]:7.2f}"
            )
    print("ratio: to the first row of its motion. Published: 10.923 s with 1 coordinate, 43.791 s with 12, ratio 4.0")


if __name__ == "__main__":
    main()
