"""``integrate(equations, until)``: the motion that equations say which somebody has written down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import Scalar
from linkwork.algebra.units import si
from linkwork.answer import Answer, Column
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.compiler.program import Program, build
from linkwork.equations.differential_algebraic import FORMS, ImplicitForm, implicit_form
from linkwork.equations.equations import find_formulation
from linkwork.equations.formulations import Formulation
from linkwork.equations.own import ConstrainedEquations
from linkwork.equations.terms import closure_function, terms_function
from linkwork.errors import AssemblyError, RefusedError
from linkwork.numerics.flows.closure import solve_positions, solve_velocities
from linkwork.numerics.flows.constrained import by_multipliers
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.flows.dae import DaePlaces, by_residual, find_multipliers
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import ALL_METHODS, method_named, run
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.solution import RunStatus, Statistics
from linkwork.results.time_grid import as_times

EXPLICIT = "multipliers"
IMPLICIT_DEFAULT, EXPLICIT_DEFAULT = "radau5", "dop853"
SAMPLES = 200  # output intervals when no times are given


@dataclass(frozen=True, eq=False, repr=False)
class EquationRun(Answer):
    """A motion by equations that somebody has written down.

    time (N); q, v (N, n), s (N, ns) and the multipliers λ (N, m) that belong to them
    status: how the run ended; statistics: what it cost
    """

    view = "plots.plot_columns"

    time: Array
    q: Array
    v: Array
    s: Array
    multipliers: Array
    status: RunStatus
    statistics: Statistics
    formulation: str
    integrator: str

    @property
    def title(self) -> str:
        cost = self.statistics
        return (
            f"{self.formulation} by {self.integrator}, {len(self.time)} points to t = {self.time[-1]:g} s: "
            f"{cost.steps} steps, {cost.rejected} rejected"
        )

    def report(self) -> list[str]:
        """How it ended."""
        return [self.status.value]

    def columns(self) -> list[Column]:
        """Positions, velocities, further states and multipliers over time, numbered as in the equations."""
        parts = (("q", self.q), ("v", self.v), ("s", self.s), ("λ", self.multipliers))
        numbers = (Column(f"{name}{i + 1}", part[:, i]) for name, part in parts for i in range(part.shape[1]))
        return [Column("time", self.time, "s"), *numbers]


@verb
def integrate(
    equations: ConstrainedEquations,
    until: Scalar | None = None,
    *,
    q: ArrayLike,
    v: ArrayLike,
    s: ArrayLike = (),
    p: ArrayLike = (),
    times: ArrayLike | None = None,
    formulation: str | Formulation = "ggl",
    integrator: str | Method | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    fixed_step: Scalar | None = None,
    max_steps: int = 10**7,
    backend: str | Backend = "cpu",
) -> EquationRun:
    """Integrate constrained equations of motion from t = 0, or from the first of the *times*.

    q, v, s: the state at the start, which is brought onto the conditions with the smallest change; p: values of parameters
    formulation: 'ggl', 'index3', 'index2' or 'index1' with an implicit integrator ('radau5' by default), 'multipliers'
    also with an explicit one ('dop853' by default)
    times: output times, instead of *until*
    """
    if not isinstance(equations, ConstrainedEquations):
        raise RefusedError(
            f"integrate takes equations that somebody has written down, ConstrainedEquations; this is of type "
            f"{type(equations).__name__}. simulate takes a model, and what is made of it"
        )
    grid, chosen = _grid(until, times), find_formulation(formulation)
    method = _method(chosen, integrator)
    given = equations.statement
    written = implicit_form(given, chosen.name) if chosen.implicit else None
    functions = {"closure": closure_function(given), "terms": terms_function(given, given.b)}
    program = build(functions | dict(written.functions if written else {}), backend)
    system = _system(equations, program, p)
    y = _start(equations, system, float(grid[0]), (q, v, s))
    flow = _flow(system, program, written, chosen)
    step = None if fixed_step is None else si(fixed_step, "time")
    solution = run.integrate(method, flow, y, grid, rtol=rtol, atol=atol, step=step, max_steps=max_steps)
    n, shown = equations.q.numel(), solution.y
    return EquationRun(
        time=solution.t,
        q=shown[:, :n],
        v=shown[:, n : 2 * n],
        s=shown[:, 2 * n :],
        multipliers=find_multipliers(system, solution.t, shown),
        status=solution.status,
        statistics=solution.statistics,
        formulation=chosen.name,
        integrator=method.name,
    )


def _grid(until: Scalar | None, times: ArrayLike | None) -> Array:
    if times is not None:
        return as_times(times)
    if until is None:
        raise RefusedError("when does the run end? give until, such as '10 s', or the output times")
    end = si(until, "time")
    if not 0.0 < end < np.inf:
        raise RefusedError(f"until = {until}: the end of a run must be a positive time such as '10 s'")
    return np.linspace(0.0, end, SAMPLES + 1)


def _method(formulation: Formulation, chosen: str | Method | None) -> Method:
    """The integrator, or the one that fits the formulation best."""
    if formulation.name not in (*FORMS, EXPLICIT):
        names = ", ".join(f"'{name}'" for name in (*FORMS, EXPLICIT))
        raise RefusedError(f"equations of one's own are integrated by {names}, not by '{formulation.name}'")
    method = chosen
    if chosen is None:
        method = method_named(IMPLICIT_DEFAULT if formulation.implicit else EXPLICIT_DEFAULT)
    if isinstance(chosen, str):
        method = method_named(chosen)
    assert isinstance(method, Method)
    if formulation.implicit and not method.implicit:
        names = " or ".join(f"'{known.name}'" for known in ALL_METHODS if known.implicit)
        raise RefusedError(
            f"the formulation '{formulation.name}' needs an implicit integrator, not '{method.name}': {names}"
        )
    return method


def _system(equations: ConstrainedEquations, program: Program, p: ArrayLike) -> ConstrainedSystem:
    given = equations.statement
    values = np.array(p, dtype=float).ravel()
    if values.size != given.p.numel():
        raise RefusedError(f"p: {values.size} values for {given.p.numel()} parameters; give as many")
    return ConstrainedSystem(
        nq=given.q.numel(),
        nv=given.v.numel(),
        ns=given.s.numel(),
        m=given.m,
        holonomic=given.holonomic,
        functions={name: program[name] for name in program},
        p=values,
        scale=given.scale,
    )


def _start(
    equations: ConstrainedEquations, system: ConstrainedSystem, t: float, parts: tuple[ArrayLike, ArrayLike, ArrayLike]
) -> Array:
    """The state at the start, on its conditions."""
    found = [np.array(part, dtype=float).ravel() for part in parts]
    for name, part, size in zip("qvs", found, (system.nq, system.nv, system.ns), strict=True):
        if part.size != size:
            raise RefusedError(f"{name}: {part.size} values at the start for {size} unknowns; give as many")
    y = np.concatenate(found)
    for solve, what in ((solve_positions, "conditions"), (solve_velocities, "conditions of the velocities")):
        report = solve(system, t, y)
        if not report.converged:
            reason = report.failure.message if report.failure else "it did not converge"
            raise AssemblyError(f"the {what} cannot be met near the given start: {reason}")
    return y


def _flow(system: ConstrainedSystem, program: Program, written: ImplicitForm | None, chosen: Formulation) -> Flow:
    project = bool(getattr(chosen, "project", True))
    if written is None:
        return by_multipliers(project).begin(system)
    returned = "output" if chosen.name in ("index3", "ggl") else "steps" if project else "nothing"
    places = DaePlaces(written.rows, written.columns, written.levels, written.grades, written.stabilised)
    return by_residual(places, system.nq, system.size, returned).begin(system)
