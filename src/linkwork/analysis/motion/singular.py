"""Singular positions that a run has passed, and why a position is one: ``diagnose``.

A run gives states at its output times. Where a measure of the independence of its conditions (``independence.py``) falls to
nothing between two of them, a position is singular; the time is found on the Hermite interpolation of the
states, and the cause by ``topology.singularity``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.between import StatesBetween
from linkwork.analysis.motion.independence import Independence, SingularValues
from linkwork.analysis.motion.trajectory import Trajectory, run_of
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Mechanism, Start, analysed
from linkwork.arrays import Array
from linkwork.equations.formulations import ALL_FORMULATIONS
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.flows.pivots import Pivots
from linkwork.numerics.paths.many_newton import ManyDescent, ManySystems, descend_many, exact_steps
from linkwork.position.branching import Branch, Meeting
from linkwork.position.condition_rows import condition_rows
from linkwork.position.geometry import Pose, inside
from linkwork.position.rank import dependent_rows
from linkwork.results.result import Result
from linkwork.topology.mobility.singularity import Cause, Diagnosis, diagnose_position
from linkwork.topology.topology import Topology

DIP = 0.5  # of the usual value: less is looked at closely
VANISHED = 1e-4  # of the usual value
MOST = 4 * 10**6  # numbers in all rows of a run; where there are more, nothing is looked for, and a note says so
REFINED = 200  # dips that are looked at closely
ROUNDS = 8  # of the search for the time, each four times as fine
LISTED = 6  # times in a note
OPEN = 1e-3  # gap, over the size of the mechanism, of a state that is none
RESTING = 1e-2  # of what drivers push with where the rows have their usual rank: they stand still
FOUND = 0.1  # of the usual value: what is left of it where an interpolated state is brought back onto its conditions
BACK = ManyDescent(4, longest=np.inf, farthest=np.inf, steps=partial(exact_steps, faint=1e-3))  # a few corrections
UNSEARCHED = (
    "not looked for: singular positions on the way, for the number of conditions and samples; take fewer samples, or ask "
    "diagnose(result, time)"
)
NEAR = 1e-3  # singular value, over the largest, that counts as lost at an interpolated state


def diagnose(model: Model | Topology | Result, time: float | None = None, *, inputs: Sequence[str] = ()) -> Diagnosis:
    """Tell whether a position is singular, and why: of a model as it is assembled, or of a run at a time.

    inputs: joint coordinates such as ``"O.angle"`` that are meant to be independent.
    """
    keys = [(name.split(".")[0], name.split(".")[-1]) for name in inputs]
    if not isinstance(model, Result):
        topology = model if isinstance(model, Topology) else analysed(model)
        _check(keys, topology)
        return diagnose_position(
            topology.drives, topology.conditions, topology.assembly.poses, topology.geometry.defaults, inputs=keys
        )
    source = run_of(model.source, "diagnose the run itself, or its model")
    if time is None:
        raise RefusedError("at which time of the run? give time, in seconds")
    _check(keys, source.mechanism.topology)
    return _Run(source).diagnose(time, keys)


def _check(keys: Sequence[tuple[str, str]], topology: Topology) -> None:
    known = [f"{r.element}.{r.name}" for r in topology.conditions.readings if r.element in topology.model.joints]
    unknown = [".".join(key) for key in keys if ".".join(key) not in known]
    if unknown:
        raise RefusedError(f"'{unknown[0]}' is no coordinate of a joint; there are: {', '.join(known)}")


def check_position(mechanism: Mechanism, start: Start) -> None:
    """Refuse a start in a position where branches meet, unless speeds say which one, and the equations count no rank.

    Equations that count the rank would be those of another mechanism; speeds of no branch cannot go on, and what they would
    lose in the first moment no equation tells. A start that has passed is not looked at again.
    """
    if mechanism.topology.loops:
        of_noun(mechanism, "passable", (start.y.tobytes(), start.p.tobytes()), lambda: _look_at(mechanism, start))


def _look_at(mechanism: Mechanism, start: Start) -> None:
    topology, formulation = mechanism.topology, mechanism.equations.formulation
    values = start.p[: len(topology.geometry.defaults)]
    held = condition_rows(topology.drives, topology.conditions, start.assembly.poses, values).held
    if len(dependent_rows(held)) == 0:
        return
    found = diagnose_position(topology.drives, topology.conditions, start.assembly.poses, values)
    meeting = Meeting(topology.drives, topology.conditions, start.assembly.poses, values)
    if found.cause is not Cause.BRANCHING:
        locked = meeting.locked()
        if locked:
            raise RefusedError(
                f"the start position only seems to be movable: its conditions admit velocities of joints "
                f"{', '.join(locked)} that no motion follows. Their loop is a structure that is drawn where it is shaky: "
                "check which bodies its joints connect, the axes of slides, and lengths that only just fit"
            )
        return
    if formulation.able.singular_start:
        given = topology.conditions.velocities(start.assembly.twists)
        moving = bool(np.any(np.abs(given) > 0.0))
        if moving and meeting.belongs(given):
            return
        what = "the speeds of the start are those of no branch" if moving else "at rest, no branch is chosen"
    else:
        what = f"the equations of '{formulation.name}' would be those of {found.freedoms} degrees of freedom"
    raise RefusedError(f"the start position is singular, {found}; {what}. {_choices(meeting.branches())}")


def _choices(branches: Sequence[Branch]) -> str:
    """How to say which branch is meant."""
    able = [item for item in ALL_FORMULATIONS if item.abilities.singular_start]
    others = [f"'{item.name}'" for item in sorted(able, key=lambda item: not item.abilities.exact)]
    way = f"with formulation {' or '.join(others)}"
    elsewhere = "or start a little way off, where assembly_modes lists the branches to choose from"
    if not branches:
        return f"Start with the speeds of one of the branches {way}, {elsewhere}"
    listed = ", or ".join(f"{branch}" for branch in branches)
    return f"Branches leave it with speeds in these proportions: {listed}. Give those of one, {way}, {elsewhere}"


def passage_notes(trajectory: Trajectory) -> tuple[str, ...]:
    """What a user should know about the singular positions of a run: how many, when, why and where."""
    run = _Run(trajectory)
    if run.large:
        return (UNSEARCHED,)
    times = run.passes()
    if not times:
        return ()
    first = run.diagnose(times[0])
    if not first.singular:
        return ()
    listed = ", ".join(f"{time:.6g} s" for time in times[:LISTED]) + (", ..." if len(times) > LISTED else "")
    count = "1 singular position" if len(times) == 1 else f"{len(times)} singular positions"
    return (f"{count} ({listed}): {first}",)


def passages(trajectory: Trajectory) -> list[float]:
    """Times at which the conditions of a run lose rank, so that branches of its motion meet."""
    return _Run(trajectory).passes()


class _Run:
    """The states of a run, also between its output times."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.mechanism = trajectory.mechanism
        self.p = np.array(np.atleast_2d(trajectory.p)[-1], dtype=float)
        self.t, self.y, self.vdot = trajectory.t, trajectory.y, trajectory.vdot
        c = self.mechanism.coordinates
        self.p[c.limit_places] = 0.0  # rows that come and go are no loss of rank where they go
        self._rows = ca.Function("C", [c.t, c.y, c.p], [ca.densify(c.jacobian)])
        self.between = StatesBetween(self.mechanism, (self.t, self.y, self.vdot), self.p)
        self._gaps = ca.Function("gaps", [c.t, c.y, c.p], [ca.densify(c.phi)])

    @property
    def large(self) -> bool:
        """Whether there are more rows than are looked at."""
        c = self.mechanism.coordinates
        count = len(c.rows) * c.v.numel() * len(self.t)
        return bool(self.mechanism.topology.loops) and self._system.entries is None and count > MOST

    @cached_property
    def _system(self) -> ConstrainedSystem:
        return self.mechanism.conditions(self.p)

    def _independence(self) -> Independence:
        if self._system.entries is not None:
            return Pivots(self._system, self.t, self.y)
        return SingularValues(self._scaled, self.t, self.y)

    def passes(self) -> list[float]:
        """Times at which the rows lose rank, in the order of time."""
        m, count = len(self.mechanism.coordinates.rows), len(self.t)
        if not m or count < 3 or self.large or not np.all(np.isfinite(self.y)):
            return []
        measure = self._independence()
        if not measure.rank:
            return []
        smallest = measure.smallest
        usual = float(np.median(smallest))
        before, behind = np.append(np.inf, smallest[:-1]), np.append(smallest[1:], np.inf)
        # of two equal ones the first counts
        dips = np.flatnonzero((smallest <= behind) & (smallest < before) & (smallest < DIP * usual))[:REFINED]
        times, sizes = self._refine(self.t[dips], measure)
        times = times[sizes < VANISHED * usual]
        if not len(times):
            return []
        # between outputs that lie far apart, interpolated states are no states: what vanishes there may not do so at any
        states = self._closed(times)
        gaps = np.max(np.abs(self._at(self._gaps, times, states)), axis=0, initial=0.0)
        shut = gaps < OPEN * self.mechanism.topology.conditions.length
        passable = self._passable(times, states, measure)
        return [float(time) for time in times[(measure.at(times, states) < FOUND * usual) & shut & passable]]

    def _passable(self, times: Array, states: Array, measure: Independence) -> NDArray[np.bool_]:
        """Whether drivers leave finite velocities where the rows lose rank.

        With uᵀC = σ wᵀ and C v + a = 0, |uᵀa| is at most σ |v|: where σ vanishes, a motion goes through only where uᵀa does.
        A crank that its motor carries on is at no dead centre of this motor, whatever interpolated states say.
        """
        c = self.mechanism.coordinates
        drive = ca.Function("a", [c.t, c.y, c.p], [ca.densify(c.a)])
        driven = self._at(drive, times, self.states(times)).T
        if not np.any(driven):
            return np.ones(len(times), dtype=bool)
        lengths, last = measure.lengths, measure.rank - 1
        middle = np.argsort(measure.smallest)[len(self.t) // 2]
        rows = self._scaled(np.append(self.t[middle], times), np.vstack([self.y[middle], states])) / lengths[:, None]
        usual = np.linalg.svd(rows[0], compute_uv=False)[last]
        pushed = np.abs(np.sum(np.linalg.svd(rows[1:])[0][:, :, last] * (driven / lengths), axis=1))
        nq, nv = c.q.numel(), c.v.numel()
        fastest = float(np.max(np.linalg.norm(self.y[:, nq : nq + nv] / c.kinematics.scale, axis=1)))
        return np.asarray(pushed <= RESTING * usual * fastest)

    def _closed(self, times: Array) -> Array:
        """States between output times, brought back onto the conditions by steps of least length where q̇ = v."""
        c, found = self.mechanism.coordinates, self.states(times)
        nq = c.q.numel()
        if c.kinematics.retract is not None or nq != c.v.numel():
            return found

        def residual(q: Array, x: Array) -> tuple[Array, Array]:
            y = np.hstack([q, x[:, 1:]])
            gaps = self._at(self._gaps, x[:, 0], y).T
            return gaps, self._scaled(x[:, 0], y)[:, : gaps.shape[1]] / c.kinematics.scale

        systems = ManySystems(residual, np.add, c.kinematics.scale)
        found[:, :nq] = descend_many(systems, found[:, :nq], np.column_stack([times, found[:, nq:]]), BACK)[0]
        return found

    def _refine(self, times: Array, measure: Independence) -> tuple[Array, Array]:
        """Times near given output times at which a measure is smallest, and its sizes."""
        width = float(np.max(np.diff(self.t)))
        each, sizes = np.arange(len(times)), np.zeros(len(times))
        for _ in range(ROUNDS if len(times) else 0):
            tried = np.clip(times[:, None] + width * np.linspace(-1, 1, 9), self.t[0], self.t[-1])
            found = measure.at(tried.ravel(), self.states(tried.ravel())).reshape(tried.shape)
            best = np.argmin(found, axis=1)
            times, sizes, width = tried[each, best], found[each, best], width / 4
        return times, sizes

    def _scaled(self, t: Array, y: Array) -> Array:
        """C S (N, m, nv) at some states."""
        c = self.mechanism.coordinates
        found = self._at(self._rows, t, y).reshape(len(c.rows), len(t), c.v.numel())
        return np.asarray(found.transpose(1, 0, 2) * c.kinematics.scale)

    def _at(self, function: ca.Function, t: Array, y: Array) -> Array:
        """A function at N states, side by side."""
        p = np.tile(self.p[:, None], (1, len(t)))
        return np.array(function(t[None, :], y.T, p))

    def states(self, times: Array) -> Array:
        """y (N, n) at some times."""
        return self.between.states(times)

    def state(self, time: float) -> Array:
        """y at a time."""
        return self.states(np.array([time]))[0]

    def diagnose(self, time: float, inputs: Sequence[tuple[str, str]] = ()) -> Diagnosis:
        """The cause at a time of the run."""
        return diagnose_state(self.mechanism, time, self.state(time), self.p, near=NEAR, inputs=inputs)


def diagnose_state(
    mechanism: Mechanism, time: float, y: Array, p: Array, *, near: float, inputs: Sequence[tuple[str, str]] = ()
) -> Diagnosis:
    """The cause at a state of a mechanism; its motion shows where to look for other positions."""
    topology = mechanism.topology
    values = p[: len(topology.geometry.defaults)]
    poses = poses_of(mechanism, time, y, p)
    return diagnose_position(
        topology.drives,
        topology.conditions,
        poses,
        values,
        time=time,
        along=topology.conditions.velocities(twists_of(mechanism, time, y, p)),
        inputs=inputs,
        near=near,
    )


def state_values(mechanism: Mechanism, time: float, y: Array, p: Array, expressions: Sequence[ca.SX]) -> list[Array]:
    """Expressions of the state, at a state."""
    c = mechanism.coordinates
    f = ca.Function("values", [c.t, c.y, c.p], [ca.densify(ca.SX(item)) for item in expressions])
    return [np.array(item) for item in f.call([ca.DM(time), ca.DM(y), ca.DM(p)])]


def poses_of(mechanism: Mechanism, time: float, y: Array, p: Array) -> dict[str, Pose]:
    """The poses of all bodies at a state, with what is inside these, and the unknowns of the relations."""
    c = mechanism.coordinates
    frames = [c.kinematics.frames[name] for name in c.geometry.bodies]
    outputs = [ca.densify(item) for frame in frames for item in (frame.origin, frame.axes)]
    found = state_values(mechanism, time, y, p, outputs)
    poses = {}
    for i, name in enumerate(c.geometry.bodies):
        origin, axes = found[2 * i].ravel(), found[2 * i + 1]
        angle = float(np.arctan2(axes[1, 0], axes[0, 0])) if c.space.planar else None
        poses[name] = Pose(origin, axes, angle)
    own = {name: unknowns for name, unknowns in c.unknowns.items() if unknowns.numel()}
    for name, values in zip(own, state_values(mechanism, time, y, p, list(own.values())), strict=True):
        poses[name] = Pose(values.ravel(), np.zeros((0, 0)))
    for name, pair in c.kinematics.own.items():
        s, rates = (item.ravel() for item in state_values(mechanism, time, y, p, list(pair)))
        poses[inside(name)] = Pose(s, np.zeros((0, 0)), rates=rates)
    return poses


def twists_of(mechanism: Mechanism, time: float, y: Array, p: Array) -> dict[str, Array]:
    """Velocity and angular velocity of all bodies at a state, and the rates of the unknowns of relations."""
    c = mechanism.coordinates
    twists = [c.kinematics.twists[name] for name in c.geometry.bodies]
    parts = [item for twist in twists for item in (twist.velocity, twist.omega)]
    found = [item.ravel() for item in state_values(mechanism, time, y, p, parts)]
    pairs = zip(found[::2], found[1::2], strict=True)
    known = {name: np.concatenate(pair) for name, pair in zip(c.geometry.bodies, pairs, strict=True)}
    # the rates of unknowns are the last of v
    place = c.q.numel() + c.v.numel() - sum(unknowns.numel() for unknowns in c.unknowns.values())
    for name, unknowns in c.unknowns.items():
        known[name] = y[place : place + unknowns.numel()]
        place += unknowns.numel()
    return known
