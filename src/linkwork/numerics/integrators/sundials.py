"""CVODE and IDA of SUNDIALS, through the package scikit-sundae, on the compiled equations.

An adapter, for comparison and as another opinion: equations and events are compiled, but Python is called for each
evaluation and each step. Output, events, jumps and outcomes are those of all integrators. What a refresh would correct after
a step is corrected at outputs only, because the solvers keep their own history; where the state means something else
afterwards they begin anew.

A. C. Hindmarsh et al., "SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers", ACM Transactions on
Mathematical Software 31 (2005), pp. 363-396.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import RefusedError
from linkwork.extras import bring
from linkwork.numerics.flows.flow import Events, Flow
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.looks import Looks
from linkwork.numerics.integrators.nodes import Gather, Kept, Nodes
from linkwork.numerics.integrators.solution import Leg, LocatedEvent, RunStatus, Solution, Statistics
from linkwork.numerics.kernels.stepping.status import ATTEND, HELD, RESTART
from linkwork.numerics.loader import compiled
from linkwork.numerics.policy import POLICY

EPSILON = float(np.finfo(np.float64).eps)
SINGULAR = POLICY.pivot  # least singular value of a matrix with columns of length 1
STUCK = 50  # steps without length, after which the solver gets nowhere


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Sundials(Method):
    """A solver of SUNDIALS; *formulas*: 'BDF' or 'Adams'."""

    family: ClassVar[str] = "sundials"
    remembers: ClassVar[bool] = True
    variable_order: ClassVar[bool] = True
    adaptive = True
    implicit = False
    evaluations = "some, by Python"
    estimate = "by the solver"
    formulas: str = "BDF"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SundialsDae(Sundials):
    """The one of F(t, y, ẏ) = 0."""

    coupled: ClassVar[bool] = True
    implicit = True


SOURCE = "Hindmarsh et al., ACM TOMS 31 (2005) 363, through scikit-sundae"
CVODE = Sundials(
    name="cvode", title="CVODE, backward differences", order=5, dense_order=5, stability="A(α)-stable", source=SOURCE
)
CVODE_ADAMS = Sundials(
    name="cvode_adams",
    title="CVODE, Adams-Moulton",
    order=12,
    dense_order=12,
    stability="conditionally stable",
    source=SOURCE,
    formulas="Adams",
)
IDA = SundialsDae(name="ida", title="IDA", order=5, dense_order=5, stability="A(α)-stable", source=SOURCE)
ALL_ADAPTERS: list[Method] = [CVODE, CVODE_ADAMS, IDA]


@dataclass(eq=False)
class SundialsRun:
    """One integration; options are those of `integrate`."""

    method: Sundials
    flow: Flow
    grid: Array
    rtol: float
    atol: Any
    max_step: float
    max_steps: int
    events: Events | None = None
    located: list[LocatedEvent] = field(default_factory=list)
    gather: Gather | None = None

    def __post_init__(self) -> None:
        self._p = np.array(self.events.p if self.events else (), dtype=np.float64).ravel()
        self._count = self.events.count if self.events else 0
        self._directions, self._terminal = (
            np.broadcast_to(np.asarray(given), self._count)
            for given in ((self.events.directions, self.events.terminal) if self.events else (0, 0))
        )
        rounding = np.broadcast_to(np.asarray(self.events.rounding if self.events else 0.0, float), self._count)
        self._looks = Looks(self._directions, rounding)
        self._sums = [0, 0]  # evaluations and Jacobians of solvers that were left

    def integrate(self, y0: Array, progress: Callable[[float], object] | None) -> Solution:
        """Steps of the solver one by one, with output between them."""
        began, shown = time.perf_counter(), y0.size
        t, state = float(self.grid[0]), self.flow.encode(float(self.grid[0]), y0)
        self.flow.correct(t, state)
        rows, times = [self.flow.decode(t, state, shown).copy()], [t]
        solver, status = self._begin(t, state), RunStatus.COMPLETED
        end, last = float(self.grid[-1]), state.copy()
        found: Any = None
        try:
            while t < end:
                if (status := self._ended(times)) is not RunStatus.COMPLETED:
                    break
                found = solver.step(end, method="onestep", tstop=end)
                if not found.success or not np.all(np.isfinite(found.y)):
                    status = RunStatus.STEP_TOO_SMALL
                    break
                if np.ravel(found.t)[-1] <= t:
                    # behind an output the solver first returns to the end of its last step
                    continue
                reached, state = float(np.ravel(found.t)[-1]), np.array(found.y, dtype=np.float64).ravel()
                if self._was_wrong(reached, state, t, last, shown):
                    status = RunStatus.EVENT
                    break
                t, state, stop = self._record(solver, t, (reached, state), shown)
                self._fill(rows, solver, t, state, shown)
                if self.gather is not None:
                    self._keep_nodes(solver, times[-1], t, shown)
                times.append(t)
                last = state.copy()
                if stop:
                    status = RunStatus.EVENT
                    break
                solver = self._looked_after(solver, found, t, state)
                if progress is not None:
                    progress((t - self.grid[0]) / (end - self.grid[0]))
        except KeyboardInterrupt:
            status = RunStatus.INTERRUPTED
        return self._solution(rows, times, last, status, found, (time.perf_counter() - began, shown))

    def _fill(self, rows: list[Array], solver: Any, t: float, state: Array, shown: int) -> None:
        """Add the samples of the grid up to t."""
        while len(rows) < self.grid.size and self.grid[len(rows)] <= t:
            at = float(self.grid[len(rows)])
            inner = state if at == t else np.array(solver.step(at).y, dtype=np.float64).ravel()
            rows.append(self._show(at, inner, shown))

    def _ended(self, times: list[float]) -> RunStatus:
        """Whether there are too many steps, or they lead nowhere."""
        first, end = float(self.grid[0]), float(self.grid[-1])
        shortest = 16.0 * EPSILON * max(abs(end), end - first)
        if len(times) > self.max_steps:
            return RunStatus.TOO_MANY_STEPS
        stuck = len(times) > STUCK and times[-1] - times[-STUCK] < STUCK * shortest
        return RunStatus.STEP_TOO_SMALL if stuck else RunStatus.COMPLETED

    def _keep_nodes(self, solver: Any, start: float, end: float, shown: int) -> None:
        """Hand on states inside a step."""
        rule = self.method.node_rule
        moments = start + (end - start) * rule.places
        found = [self.flow.decode(at, np.array(solver.step(at).y, dtype=np.float64).ravel(), shown) for at in moments]
        assert self.gather is not None
        one = np.array([end - start])
        nodes = Nodes(rule, np.array([start]), one, np.array([end]), np.array([found]))
        self.gather(Kept(nodes.kept.nbytes, lambda: nodes))

    def _begin(self, t: float, state: Array) -> Any:
        """A solver that starts at a state."""
        options: dict[str, Any] = {
            "rtol": self.rtol,
            "atol": self.atol,
            "max_num_steps": 500,
        }
        if math.isfinite(self.max_step):
            options["max_step"] = self.max_step
        if isinstance(self.method, SundialsDae):
            return self._begin_dae(t, state, options)
        solver = bring("sksundae.cvode").CVODE(self._rates, method=self.method.formulas, **options)
        solver.init_step(t, state)
        return solver

    def _begin_dae(self, t: float, state: Array, options: dict[str, Any]) -> Any:
        assert self.flow.solver is not None
        equations = self.flow.solver.equations
        assert equations is not None
        n, rates = state.size, np.zeros(state.size)
        self.flow.evaluate(t, state.copy(), rates)
        own, residual, tangent = equations.memory, compiled(equations.residual), compiled(equations.tangent)
        fy, fk = np.zeros((n, n), order="F"), np.zeros((n, n), order="F")
        out, y, k = np.zeros(n), np.zeros(n), np.zeros(n)

        def function(t: float, given: Array, speeds: Array, values: Array) -> None:
            y[:], k[:] = given, speeds
            failed = residual(t, y, k, out, own) < 0
            values[:] = np.nan if failed else out

        def matrix(t: float, given: Array, speeds: Array, values: Array, cj: float, found: Array) -> None:
            y[:], k[:] = given, speeds
            tangent(t, y, k, fy, fk, own)
            found[:, :] = fy + cj * fk

        tangent(t, state, rates, fy, fk, own)
        algebraic = np.flatnonzero(~np.any(fk != 0.0, axis=0))
        _check_index(fy, fk, algebraic)
        rates[algebraic] = 0.0
        extra = {"algebraic_idx": algebraic.tolist()} if algebraic.size else {}
        solver = bring("sksundae.ida").IDA(function, jacfn=matrix, **extra, **options)
        solver.init_step(t, state, rates)
        return solver

    def _rates(self, t: float, y: Array, rates: Array) -> None:
        found = np.zeros(y.size)
        if self.flow.evaluate(t, np.array(y), found) < 0:
            found[:] = np.nan
        rates[:] = found

    def _was_wrong(self, t: float, state: Array, start: float, last: Array, shown: int) -> bool:
        """Whether functions that must be positive are so at neither end of a step; they are noted at its start."""
        if not np.any(self._directions <= HELD):
            return False
        before, after = self._measure(start, last, shown), self._measure(t, state, shown)
        assert self.events is not None
        wrong = (before <= 0.0) & (after < -np.asarray(self.events.rounding))
        which = np.flatnonzero((self._directions <= HELD) & wrong)
        for index in which:
            self.located.append(LocatedEvent(int(index), start, self._show(start, last, shown)))
        return bool(which.size)

    def _record(self, solver: Any, start: float, end: tuple[float, Array], shown: int) -> tuple[float, Array, bool]:
        """Note the events of a step, to its end or to one that ends the run; time and state there, and whether it does."""
        if not self._count:
            return *end, False

        def inside(t: float) -> Array:
            return end[1] if t == end[0] else np.array(solver.step(t).y, dtype=np.float64).ravel()

        for moment, index in self._looks.zeros(lambda t: self._measure(t, inside(t), shown), start, end[0]):
            state = inside(moment)
            self.located.append(LocatedEvent(index, moment, self._show(moment, state, shown)))
            if self._terminal[index]:
                return moment, state, True
        return *end, False

    def _measure(self, t: float, state: Array, shown: int) -> Array:
        """The event functions (count) of a state as it is."""
        assert self.events is not None
        values = np.zeros(self._count)
        self.events.evaluate(t, np.array(self.flow.decode(t, np.array(state), shown)), self._p, values)
        return values

    def _show(self, t: float, state: Array, shown: int) -> Array:
        inner = state.copy()
        self.flow.correct(t, inner)
        return np.array(self.flow.decode(t, inner, shown))

    def _looked_after(self, solver: Any, found: Any, t: float, state: Array) -> Any:
        """The solver, or one that begins anew where the state means something else now."""
        corrected = state.copy()
        code = self.flow.correct(t, corrected)
        if code == ATTEND:
            self.flow.look_after()
        if code < RESTART or t >= self.grid[-1]:
            return solver
        self._sums = [self._sums[0] + int(found.nfev), self._sums[1] + int(found.njev)]
        return self._begin(t, corrected)

    def _solution(
        self,
        rows: list[Array],
        times: list[float],
        last: Array,
        status: RunStatus,
        found: Any,
        cost: tuple[float, int],
    ) -> Solution:
        reached, output = times[-1], self.grid[: len(rows)]
        state = self._show(reached, last, cost[1])
        beyond = status is RunStatus.EVENT and output[-1] < reached
        statistics = Statistics(
            steps=len(times) - 1,
            rejected=0,
            evaluations=self._sums[0] + (int(found.nfev) if found is not None else 0),
            wall_time=cost[0],
            jacobians=self._sums[1] + (int(found.njev) if found is not None else 0),
        )
        return Solution(
            t=np.append(output, reached) if beyond else output,
            y=np.vstack([*rows, state]) if beyond else np.vstack(rows),
            step_times=np.array(times),
            status=status,
            failure=0,
            t_reached=reached,
            y_reached=state,
            events=tuple(self.located),
            statistics=statistics,
            beyond=beyond,
            parts=(Leg(self.method.name, float(self.grid[0]), reached, statistics),),
            interrupted=status is RunStatus.INTERRUPTED,
        )


def _check_index(fy: Array, fk: Array, algebraic: NDArray[np.intp]) -> None:
    """Refuse equations that do not determine the rates and the algebraic unknowns, as those of index 1 do."""
    matrix = fk.copy()
    matrix[:, algebraic] = fy[:, algebraic]
    sizes = np.linalg.norm(matrix, axis=0)
    values = np.linalg.svd(matrix / np.where(sizes > 0.0, sizes, 1.0), compute_uv=False)
    if values.size and values[-1] < SINGULAR:
        raise RefusedError(
            "the integrator 'ida' integrates equations of index 1 with independent conditions, and these are others; take "
            "the formulation 'index1' or one of derivatives, or the integrator 'radau5' or 'bdf'"
        )
