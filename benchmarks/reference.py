"""Make ``four_bar_reference.txt`` and ``references.csv``, against which errors are measured.

    python benchmarks/reference.py [--others]

``four_bar_reference.txt`` has the crank angles of the four-bar at 101 times, to more digits than a double has. Two routes
that share nothing but the equation of motion must agree to 1e-16 rad before the file is written: extrapolation of the
modified midpoint rule in arithmetic of 30 digits (needs mpmath), and Taylor series in extended precision (needs heyoka and
a processor with 80-bit numbers). Linkwork derives its equations itself and is the third route: its difference is printed.

``references.csv`` (``--others`` makes it alone) has what is observed of every problem of ``problems.py``, as changes from
the start: Taylor series of heyoka in extended precision on equations by hand. Linkwork's own equations and DOP853 must
agree. Andrews' squeezer has no equations by hand here: heyoka integrates those of Linkwork, and the end must be the
published one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.bench.peers.equation import GRID, START, acceleration

FILE = Path(__file__).parent / "four_bar_reference.txt"
REFERENCES = Path(__file__).parents[1] / "src" / "linkwork" / "bench" / "references.csv"
COLUMNS = 12  # of the extrapolation: order 24
STEPS = 4  # between two output times
HEAD = """\
Crank angle [rad] of the four-bar of benchmarks/peers/equation.py at t = 0, 0.1, ..., 10 s.
Made by benchmarks/reference.py: extrapolation of the modified midpoint rule, order {order}, step {step} s, 30 digits;
steps of half the size change no angle by more than {halved:.0e} rad;
Taylor series in extended precision (heyoka {version}, tolerance 1e-20) differ by {taylor:.0e} rad;
Linkwork (DOP853, multipliers, tolerance 1e-13, double precision) differs by {linkwork:.0e} rad."""


def load_reference() -> np.ndarray:
    """Crank angles (101), rad, at the times of GRID."""
    return np.loadtxt(FILE)


def extrapolate(steps: int) -> list[Any]:
    """Crank angles by Gragg's extrapolation (Hairer, Nørsett and Wanner, Solving ODEs I, section II.9), 30 digits."""
    import mpmath

    mpmath.mp.dps = 30
    state = [mpmath.mpf(START), mpmath.mpf(0)]
    size = mpmath.mpf(1) / (10 * steps)
    angles = [state[0]]
    for _ in range(len(GRID) - 1):
        for _ in range(steps):
            state = _extrapolated_step(state, size, mpmath)
        angles.append(state[0])
    return angles


def _extrapolated_step(state: list[Any], size: Any, arithmetic: Any) -> list[Any]:
    """One step; the k-th row has 2k midpoint steps, and errors in even powers of their size."""
    rows: list[list[list[Any]]] = []
    for k in range(1, COLUMNS + 1):
        row = [_midpoint(state, size, 2 * k, arithmetic)]
        for j in range(1, k):
            factor = arithmetic.mpf(k) ** 2 / (k - j) ** 2 - 1
            row.append([new + (new - old) / factor for new, old in zip(row[-1], rows[-1][j - 1], strict=True)])
        rows.append(row)
    return rows[-1][-1]


def _midpoint(state: list[Any], size: Any, count: int, arithmetic: Any) -> list[Any]:
    def rate(y: list[Any]) -> list[Any]:
        return [y[1], acceleration(y[0], y[1], arithmetic.sin, arithmetic.cos, arithmetic.sqrt)]

    h = size / count
    before, now = state, [a + h * b for a, b in zip(state, rate(state), strict=True)]
    for _ in range(count - 1):
        before, now = now, [a + 2 * h * b for a, b in zip(before, rate(now), strict=True)]
    return now


def taylor_series() -> np.ndarray:
    """Crank angles by heyoka's Taylor series in extended precision."""
    import heyoka as hy

    real = np.longdouble
    phi, omega = hy.make_vars("phi", "omega")
    system = [(phi, omega), (omega, acceleration(phi, omega, hy.sin, hy.cos, hy.sqrt))]
    integrator = hy.taylor_adaptive(system, [real(START), real(0)], tol=real(1e-20), fp_type=real)
    return integrator.propagate_grid(np.arange(101, dtype=real) / 10)[-1][:, 0]


def linkwork_run() -> np.ndarray:
    """Crank angles by Linkwork at its tightest."""
    from mechanisms import load_mechanism

    import linkwork as lw

    run = lw.simulate(
        load_mechanism("four_bar"), times=GRID.tolist(), formulation="multipliers", rtol=1e-13, atol=1e-15
    )
    return run["crank.angle"]


ANDREWS_START, ANDREWS_END = -0.0617138900142764, 15.81077119629904  # β; IVP Test Set, PSIDE at 1e-14
CLOSE = 5e-9  # largest difference of the routes


def make_others() -> None:
    """Write ``references.csv``."""
    from linkwork.bench.peers import heyoka_taylor, linkwork_flow
    from linkwork.bench.tasks import all_tasks
    from linkwork.numerics.integrators import method_named

    lines = []
    for problem in (task for task in all_tasks() if task.observe is not None):
        real, grid = np.longdouble, problem.grid
        if problem.name == "four_bar":
            values = np.loadtxt(FILE) - START
        elif problem.hand is not None:
            states = heyoka_taylor.by_hand(problem, real, tol=real(1e-20)).propagate_grid(grid.astype(real))[-1]
            values = problem.hand.observe(states)
        else:
            states = heyoka_taylor.compiled(problem, real, tol=real(1e-20)).propagate_grid(grid.astype(real))[-1]
            values = linkwork_flow.observed(problem, states.astype(float))
            print(f"{problem.name}: published end differs by {values[-1] - (ANDREWS_END - ANDREWS_START):.1e}")
        own = linkwork_flow.observed(problem, linkwork_flow.prepare_method(problem, method_named("dop853"), 1e-13)())
        difference = float(np.abs(own - own[0] - values).max())
        print(f"{problem.name}: Linkwork differs by {difference:.1e}")
        if not difference < CLOSE:
            raise SystemExit("the routes do not agree; the file is left as it is")
        lines += [f"{problem.name},{t:.6g},{float(value)!r}" for t, value in zip(grid, values, strict=True)]
    REFERENCES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written: {REFERENCES.name}")


def main() -> None:
    make_four_bar()
    make_others()


def make_four_bar() -> None:
    import heyoka

    angles = extrapolate(STEPS)
    halved = max(abs(a - b) for a, b in zip(angles, extrapolate(2 * STEPS), strict=True))
    numbers = np.array([np.longdouble(str(angle)) for angle in angles])
    taylor = np.abs(numbers - taylor_series()).max()
    own = np.abs(numbers - linkwork_run()).max()
    print(f"steps halved: {float(halved):.1e} rad; Taylor series: {taylor:.1e} rad; Linkwork: {own:.1e} rad")
    if max(float(halved), float(taylor)) > 1e-16:
        raise SystemExit("the routes do not agree; the file is left as it is")
    text = HEAD.format(
        order=2 * COLUMNS,
        step=1 / (10 * STEPS),
        halved=float(halved),
        version=heyoka.__version__,
        taylor=float(taylor),
        linkwork=float(own),
    )
    lines = [f"# {line}" for line in text.splitlines()] + [f"{float(angle)!r}" for angle in angles]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written: {FILE.name}")


if __name__ == "__main__":
    make_others() if "--others" in sys.argv else main()
