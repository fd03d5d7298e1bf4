"""SymPy: Kane's equations with the loop as a constraint, ``lambdify`` to NumPy, SciPy's DOP853.

One independent and two dependent coordinates; the loop is satisfied by its velocities, as in SymPy's own example of a
four-bar linkage, so that positions drift by the error of the integration.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.equation import COUPLER, CRANK, GRAVITY, GRID, GROUND, ROCKER, start_angles

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "sympy"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(task: Task) -> list[Contender]:
    import sympy  # noqa: F401

    if task.name != "four_bar":
        return []
    return [Contender("SymPy, Kane's equations and SciPy's DOP853", TOLERANCES, _prepare, lambda states: states[0])]


@cache
def _matrices() -> Any:
    """(mass matrix (6, 6), right-hand side (6, 1)) as a function of [φ1, φ2, φ3, u1, u2, u3]; absolute angles."""
    import sympy as sp
    from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    world, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(world, 0)
    kinematic = {angle.diff(): speed for angle, speed in zip(q, u, strict=True)}
    ends: list[Any] = []
    bodies: list[Any] = []
    loads: list[Any] = []
    pivots = [origin, None, origin.locatenew("C", GROUND * world.x)]
    pivots[2].set_vel(world, 0)
    for i, length in enumerate((CRANK, COUPLER, ROCKER)):
        frame = world.orientnew(f"F{i}", "Axis", [q[i], world.z])
        frame.set_ang_vel(world, u[i] * world.z)
        pivot = pivots[i] or ends[0]
        centre = pivot.locatenew(f"G{i}", length / 2 * frame.x)
        end = pivot.locatenew(f"E{i}", length * frame.x)
        centre.v2pt_theory(pivot, world, frame)
        end.v2pt_theory(pivot, world, frame)
        ends.append(end)
        about = inertia(frame, 0, 0, length**3 / 12)
        bodies.append(RigidBody(f"B{i}", centre, frame, length, (about, centre)))
        loads.append((centre, -length * GRAVITY * world.y))
    gap = ends[1].pos_from(origin) - ends[2].pos_from(origin)
    speed = ends[1].vel(world) - ends[2].vel(world)
    method = KanesMethod(
        world,
        q_ind=q[:1],
        u_ind=u[:1],
        q_dependent=q[1:],
        u_dependent=u[1:],
        kd_eqs=[rate - value for rate, value in kinematic.items()],
        configuration_constraints=[gap.dot(world.x), gap.dot(world.y)],
        velocity_constraints=[speed.dot(world.x), speed.dot(world.y)],
    )
    method.kanes_equations(bodies, loads)
    return sp.lambdify([[*q, *u]], (method.mass_matrix_full, method.forcing_full), cse=True)


def _prepare(tolerance: float) -> Timed:
    import numpy as np
    from scipy.integrate import solve_ivp

    matrices = _matrices()
    start = [*start_angles(), 0.0, 0.0, 0.0]

    def rates(t: float, y: Array) -> Array:
        mass, force = matrices(y)
        return np.linalg.solve(mass, force)[:, 0]

    def run() -> Array:
        return solve_ivp(rates, (0.0, GRID[-1]), start, "DOP853", GRID, rtol=tolerance, atol=tolerance / 100).y

    return run
