"""Friction of joints in a known motion: what it takes of the efforts, and what these may be where joints stand still.

With friction x along coordinates, efforts u that give the motion and what joints transmit, w, are affine in x,

    u = u₀ + U x,   w = w₀ + L x,   x = R(w, x),

as the motion is known. What slips rubs against its velocity. The last equation is solved by Newton's method at every sample,
from x = 0 as in a run; where the determinant of 1 − R' comes to zero on the way, the motion jams there, and no effort gives
it. What stands still takes any |x| ≤ μ₀ N. There x = 0 is taken, and the bounds of each effort are found:

    max u_i,  |x_j| ≤ μ₀ N_j(w, x)

At an end of it all that stands is at one of its two bounds, x = R(w, x) with directions σ. With d = (1 − R')⁻ᵀ U_iᵀ a larger
bound of j brings d_j σ_j: directions are turned until σ = sgn d.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.inverse.hold import Problem, with_efforts
from linkwork.analysis.motion.transmitted import transmitted
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.given_friction import GivenFrictions
from linkwork.coordinates.implied import SINGULAR
from linkwork.coordinates.rubbing import GivenFriction
from linkwork.equations.reactions.schemes import ReactionScheme
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.progress import told
from linkwork.results.quantities import Variable

STANDS = 1e-9  # speed of slip, of the largest of all along a motion, that is none
STEPS, TURNED, AGAIN = 40, 12, 4
EXACT = 1e-13  # of the largest effort: change of a step that ends them
FOUND = 1e-10  # of the largest effort: what may be left of x − R(w, x) when the reactions are found once more
IDLE = 1e-12  # of the forces in a motion, what a joint presses with that carries no load

Efforts = Callable[[States, Array], Array]
"""From states and parameters, with friction among them, to efforts of motors (N, k)."""


@dataclass(frozen=True, eq=False)
class RubbedMotion:
    """Samples (N), parameters (N, np) with their friction, and the efforts (N, k) with their bounds where joints stand.

    standing (N,): where a joint with dry friction stands still; jammed (N,): where friction has no value
    """

    time: Array
    p: Array
    efforts: Array
    lower: Array
    upper: Array
    standing: NDArray[np.bool_]
    jammed: NDArray[np.bool_]
    idle: tuple[str, ...] = ()

    def notes(self, over: Variable, motors: Sequence[str]) -> tuple[str, ...]:
        """What to know of it, with the places of the samples (N)."""
        found = []
        for name in self.idle:
            found.append(f"joint {name} carries no load in this motion: its friction does nothing")
        if self.jammed.any():
            found.append(
                f"friction jams the motion {self._first(self.jammed, over)}: what slips there presses the harder the more "
                "it rubs, and no effort gives this motion"
            )
        if self.standing.any() and motors:
            found.append(
                f"joints with dry friction stand still {self._first(self.standing, over)}: what stands may rub with any "
                f"part of its friction, and efforts are anything between '{motors[0]}.effort.lower' and "
                f"'{motors[0]}.effort.upper'; they are told without the friction of what stands"
            )
        return tuple(found)

    def _first(self, there: NDArray[np.bool_], over: Variable) -> str:
        if there.all():
            return "throughout"
        count = int(np.count_nonzero(there))
        first = float(self.time[np.argmax(there)])
        place = f"at t = {first:.6g} s" if over.is_time else over.place(first)
        return place if count == 1 else f"{place} and at {count - 1} more sample{'s' if count > 2 else ''}"


@dataclass(frozen=True, eq=False)
class _Affine:
    """u₀ (N, k) and U (N, k, n), w₀ (N, m) and L (N, m, n)."""

    efforts: Array
    by: Array
    wrenches: Array
    slopes: Array


@dataclass(frozen=True, eq=False)
class Rubbing:
    """A mechanism with the friction of its joints; p: with the numbers of this, which begin at *first* and are zero."""

    mechanism: Mechanism
    joints: Mapping[str, GivenFriction]
    first: int
    p: Array

    @property
    def any(self) -> bool:
        """Whether some of it is dry; what is viscous alone is a force as any other."""
        return bool(self.joints)


def rubbing_of(mechanism: Mechanism, count: int, p: Array, *, friction: bool) -> Rubbing:
    """Of a motion with so many samples; p: (np), or (N, np). friction: whether joints rub."""
    acting, given = mechanism.with_given_friction() if friction else (mechanism, GivenFrictions({}))
    p = p if p.ndim == 1 else p[:count]
    none = np.zeros((*p.shape[:-1], given.count))
    return Rubbing(acting, given.joints, p.shape[-1], with_efforts(p, none) if given.count else p)


@dataclass(frozen=True, eq=False)
class RubbingEfforts:
    """The friction of a mechanism whose motors give a motion; scheme: how reactions are found."""

    problem: Problem
    rubbing: Rubbing
    efforts: Efforts
    scheme: ReactionScheme

    @cached_property
    def places(self) -> dict[str, NDArray[np.intp]]:
        """Of efforts, of what joints transmit, of directions and of what stands still, among the parameters."""
        found: dict[str, list[int]] = {"efforts": [], "wrench": [], "into": [], "still": []}
        at = self.rubbing.first
        for item in self.rubbing.joints.values():
            for name, own in found.items():
                count = getattr(item, name).numel()
                own += range(at, at + count)
                at += count
        return {name: np.array(own, dtype=np.intp) for name, own in found.items()}

    @cached_property
    def _law(self) -> ca.Function:
        """R (n), ∂R/∂x and ∂R/∂w, and speeds of slip."""
        items = self.rubbing.joints.values()
        x, w, r, s = (
            ca.vertcat(*[getattr(item, name) for item in items]) for name in ("efforts", "wrench", "law", "slips")
        )
        outputs = {"R": r, "by_x": ca.jacobian(r, x), "by_w": ca.jacobian(r, w), "slips": s}
        return make_function("friction_law", self.problem.mechanism.coordinates, outputs)

    @cached_property
    def _joint_of(self) -> list[str]:
        """Whose x is whose."""
        return [name for name, item in self.rubbing.joints.items() for _ in range(item.efforts.numel())]

    @told("finding friction")
    def along(self, time: Array, states: States, efforts: Array) -> RubbedMotion:
        """The friction along a motion, with the efforts (N, k) that it takes and their bounds; *efforts*: without it."""
        if not self.rubbing.any:
            nowhere, unknown = np.zeros(len(time), dtype=bool), np.full(efforts.shape, np.nan)
            return RubbedMotion(time, self.rubbing.p, efforts, unknown, unknown, nowhere, nowhere)
        p = self.rubbing.p if self.rubbing.p.ndim == 1 else self.rubbing.p[: len(time)]
        p = np.array(np.broadcast_to(p, (len(time), p.shape[-1])))
        affine = self._affine(states, p)
        stands = self._directed(states, p)
        x, jammed = self._settled(states, p, affine)
        x = np.where(jammed[:, None], 0.0, x)
        p = self._with(p, x, affine)
        lower, upper = self._bounds(states, p, affine, stands)
        efforts = np.where(jammed[:, None], np.nan, affine.efforts + np.einsum("nij,nj->ni", affine.by, x))
        standing = np.asarray(stands.any(axis=1))
        lower, upper = (np.where(standing[:, None], end, efforts) for end in (lower, upper))
        return RubbedMotion(time, p, efforts, lower, upper, standing, jammed, self._idle(p))

    def at(self, states: States, p: Array) -> Array:
        """The same parameters with the friction of other states."""
        affine, p = self._affine(states, p), p.copy()
        self._directed(states, p)
        x, jammed = self._settled(states, p, affine)
        return self._with(p, np.where(jammed[:, None], 0.0, x), affine)

    def _with(self, p: Array, x: Array, affine: _Affine) -> Array:
        found = p.copy()
        found[:, self.places["efforts"]] = x
        found[:, self.places["wrench"]] = affine.wrenches + np.einsum("nij,nj->ni", affine.slopes, x)
        return found

    # -- what is affine in friction -------------------------------------------------------------------------------------

    def _affine(self, states: States, p: Array) -> _Affine:
        """By friction of one unit at each place."""
        begun = self._at(states, p, np.zeros((len(p), len(self.places["efforts"]))))
        columns, unit = [], self._unit(begun[1], p)
        for j in range(len(self.places["efforts"])):
            x = np.zeros((len(p), len(self.places["efforts"])))
            x[:, j] = unit
            columns.append([(one - other) / unit for one, other in zip(self._at(states, p, x), begun, strict=True)])
        by, slopes = (np.stack([column[i] for column in columns], axis=-1) for i in (0, 1))
        return _Affine(begun[0], by, begun[1], slopes)

    def _unit(self, wrenches: Array, p: Array) -> float:
        """Friction that is neither lost beside what joints transmit nor beside weights, and hides neither."""
        c = self.problem.mechanism.coordinates
        weights = [body.kind.mass * ca.norm_2(c.geometry.gravity) for body in c.geometry.bodies.values()]
        weight = ca.Function("weight", [c.geometry.parameters], [ca.fabs(sum(weights, ca.SX(0)))])
        given = float(weight(p[0, : c.geometry.parameters.numel()]))
        return max(given, float(np.max(np.abs(wrenches), initial=0.0))) or 1.0

    def _at(self, states: States, p: Array, x: Array) -> tuple[Array, Array]:
        """Efforts (N, k) and what joints transmit (N, m) with friction x (N, n)."""
        with_x = p.copy()
        with_x[:, self.places["efforts"]] = x
        u = self.efforts(states, with_x)
        return u, transmitted(self.problem.mechanism, self.rubbing.joints, states, with_efforts(with_x, u), self.scheme)

    # -- the law ---------------------------------------------------------------------------------------------------------

    def _evaluate(self, states: States, p: Array) -> dict[str, Array]:
        mechanism = self.problem.mechanism
        compiled = mechanism.compiled(self._law)
        full = with_efforts(p, np.zeros(self.problem.motorised.u.numel()))
        return dict(compiled.unpack(compiled.sample(states[0], states[1], full)))

    def _directed(self, states: States, p: Array) -> NDArray[np.bool_]:
        """Set the directions of all that slips; returns what stands still, (N, n)."""
        slips = self._evaluate(states, p)["slips"][..., 0]
        still = np.abs(slips) <= STANDS * float(np.max(np.abs(slips), initial=0.0))
        dry = np.array([self.rubbing.joints[name].bound is not None for name in self._joint_of])
        p[:, self.places["into"]] = np.where(still, 0.0, np.sign(slips))
        whose = list(self.rubbing.joints)
        for k, name in enumerate(whose):
            own = [j for j, other in enumerate(self._joint_of) if other == name]
            p[:, self.places["still"][k]] = still[:, own].all(axis=1)
        return np.asarray(still & dry)

    def _settled(self, states: States, p: Array, affine: _Affine) -> tuple[Array, NDArray[np.bool_]]:
        """x (N, n) with x = R(w, x), and where there is none (N,)."""
        x, jammed = self._newton(states, p, affine)
        if not self.problem.mechanism.equations.reactions.leaning:
            return x, jammed
        for _ in range(AGAIN):
            # reactions that are not quite affine, as those of teeth, are found once more
            known = np.where(jammed[:, None], 0.0, x)
            wrenches = self._at(states, p, known)[1]
            expected = affine.wrenches + np.einsum("nij,nj->ni", affine.slopes, known)
            size = float(np.max(np.abs(wrenches), initial=0.0))
            if np.max(np.abs(wrenches - expected), initial=0.0) <= FOUND * size:
                return x, jammed
            affine.wrenches[:] += wrenches - expected
            x, jammed = self._newton(states, p, affine)
        raise RefusedError(
            "friction of joints beside wheels that touch was not found: what they press with depends on the way in which "
            "the teeth push; leave friction out, friction=False, or couple joints instead of bodies"
        )

    def _newton(self, states: States, p: Array, affine: _Affine) -> tuple[Array, NDArray[np.bool_]]:
        """The same where reactions are affine."""
        x = np.zeros((len(p), len(self.places["efforts"])))
        unit, ended = np.eye(x.shape[1]), np.zeros(len(x), dtype=bool)
        matrix = np.broadcast_to(unit, (len(x), *unit.shape))
        for _ in range(STEPS):
            found = self._evaluate(states, self._with(p, x, affine))
            matrix = unit - found["by_x"] - found["by_w"] @ affine.slopes
            wrong = x - found["R"][..., 0]
            step = np.einsum("nij,nj->ni", np.linalg.pinv(matrix), wrong)
            x = x - step
            size = np.maximum(
                np.max(np.abs(x), axis=1, initial=0.0), np.max(np.abs(found["R"][..., 0]), axis=1, initial=0.0)
            )
            ended = np.max(np.abs(step), axis=1, initial=0.0) <= EXACT * size + 1e-300
            if ended.all():
                break
        jammed = ~ended | ~(np.linalg.det(matrix) > SINGULAR)
        return x, np.asarray(jammed)

    def _idle(self, p: Array) -> tuple[str, ...]:
        """Joints with dry friction that transmit nothing along the whole motion."""
        w, m = np.abs(p[:, self.places["wrench"]]), self.problem.mechanism.coordinates.space.freedoms
        largest = w.reshape(len(p), -1, m).max(axis=(0, 2), initial=0.0)
        most = float(largest.max(initial=0.0))
        return tuple(name for name, size in zip(self.rubbing.joints, largest, strict=True) if size <= IDLE * most)

    # -- bounds ----------------------------------------------------------------------------------------------------------

    def _bounds(self, states: States, p: Array, affine: _Affine, stands: NDArray[np.bool_]) -> tuple[Array, Array]:
        """The least and the largest efforts (N, k) where something stands still."""
        lower, upper = np.full(affine.efforts.shape, np.nan), np.full(affine.efforts.shape, np.nan)
        there = np.flatnonzero(stands.any(axis=1))
        if not there.size:
            return lower, upper
        part: States = (states[0][there], states[1][there], states[2][there])
        own = _Affine(affine.efforts[there], affine.by[there], affine.wrenches[there], affine.slopes[there])
        for i in range(affine.efforts.shape[1]):
            for sense, ends in ((-1.0, lower), (1.0, upper)):
                ends[there, i] = self._end(part, p[there], own, stands[there], (i, sense))
        return lower, upper

    def _end(
        self, states: States, p: Array, affine: _Affine, stands: NDArray[np.bool_], asked: tuple[int, float]
    ) -> Array:
        """The largest or the least (N,) of one effort."""
        (i, sense), p, into = asked, p.copy(), self.places["into"]
        gain = sense * affine.by[:, i]
        x, jammed = np.zeros_like(gain), np.zeros(len(p), dtype=bool)
        for _ in range(TURNED):
            # friction x = −into μ₀ N
            wanted = np.where(stands, -np.sign(gain), p[:, into])
            if np.array_equal(wanted, p[:, into]) and np.any(x):
                break
            p[:, into] = wanted
            x, jammed = self._newton(states, p, affine)
            found = self._evaluate(states, self._with(p, x, affine))
            matrix = np.eye(x.shape[1]) - found["by_x"] - found["by_w"] @ affine.slopes
            gain = sense * np.einsum("nji,nj->ni", np.linalg.pinv(matrix), affine.by[:, i])
        # friction that presses the harder the more it is pressed holds against any effort
        far = np.where(jammed, sense * np.inf, 0.0)
        return np.asarray(affine.efforts[:, i] + np.einsum("nj,nj->n", affine.by[:, i], x) + far)
