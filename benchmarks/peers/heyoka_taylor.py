"""heyoka: the equation derived by hand, integrated by Taylor series of adaptive order and step in compiled code."""

from __future__ import annotations

from peers.base import Contender, Run
from peers.equation import GRID, START, Array, acceleration

PACKAGE = "heyoka"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-15)


def contenders() -> list[Contender]:
    import heyoka  # noqa: F401

    return [Contender("heyoka, equation by hand", TOLERANCES, _prepare)]


def _prepare(tolerance: float) -> Run:
    import heyoka as hy

    phi, omega = hy.make_vars("phi", "omega")
    system = [(phi, omega), (omega, acceleration(phi, omega, hy.sin, hy.cos, hy.sqrt))]
    integrator = hy.taylor_adaptive(system, [START, 0.0], tol=tolerance)

    def run() -> Array:
        integrator.time = 0.0
        integrator.state[:] = START, 0.0
        return integrator.propagate_grid(GRID)[-1][:, 0]

    return run
