"""Forces at rest, as functions of the position: what equilibrium asks for, in dependent and in independent coordinates.

A mechanism rests where the applied forces do no work in any admissible displacement,

    h + Cᵀλ = 0,   Φ = 0      or      Nᵀ h = 0,   C N = 0,

with the forces h of the position at v = 0 (García de Jalón and Bayo, section 6.1). With λ held, the second variation

    K = −Nᵀ ∂(h + Cᵀλ)/∂q T N

is the stiffness of the mechanism, λ carrying the geometric stiffness of the conditions. Where all forces have a potential it
is symmetric, the Hessian of the energy on the admissible displacements, and positive where the equilibrium is stable. N is
orthonormal in units of the coordinates. Conditions on velocities alone (rolling) bind displacements, not positions.

A position is x = [q, s]: counters of turns follow q, states of forces (an actuator with a lag) take the values at which they
rest, ṡ(q, s) = 0, and K holds their ∂s/∂q.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.spinning import SpinRates, spin_rates
from linkwork.coordinates.undefined import undefined_at, undefined_slope
from linkwork.equations.statics.rest_energy import rest_energy
from linkwork.errors import EquilibriumError, RefusedError
from linkwork.numerics.matrices.many_matrices import multipliers
from linkwork.numerics.policy import POLICY

LONGEST = 0.5  # of the size of a coordinate that one correction may be
CLOSINGS = 30
MOVES = 1e-12  # 1/s or m/s: conditions that change faster are driven


class Statics:
    """The forces of a mechanism at rest, for one set of parameters and one time."""

    def __init__(self, coordinates: Coordinates, t: float, p: Array) -> None:
        self.c, self.t, self.p = coordinates, t, p
        _require_still(coordinates)
        self.nq, self.nv = coordinates.q.numel(), coordinates.v.numel()
        self.scale = coordinates.kinematics.scale
        self._lagging = [i for i, state in enumerate(coordinates.auxiliaries) if state.role == "force"]
        self._turning = [i for i, state in enumerate(coordinates.auxiliaries) if state.role == "turns"]
        self._forces, self._stiffness = self._force_function(), self._stiffness_function()
        self._moved, self._counted, self._lag = self._moved_function(), self._counted_function(), self._lag_function()
        self._seen, self._shared = self._seen_function(), dict[str, ca.Function]()
        self._always = int(np.count_nonzero(coordinates.selectors < 0))
        self._rank = self._always  # independent conditions of those that always hold
        self.kept = self._holding(p)

    def _holding(self, p: Array) -> NDArray[np.intp]:
        """The rows of conditions that hold: all but those that come and go and do not, by their selectors in p."""
        selectors = self.c.selectors
        return np.flatnonzero((selectors < 0) | (p[selectors] > 0.5))

    def with_parameters(self, p: Array) -> Statics:
        """The same mechanism with other live parameters, or other conditions that hold."""
        other = copy.copy(self)
        other.p, other.kept = p, other._holding(p)
        return other

    def holding(self, limits: Collection[int]) -> Statics:
        """The same where these of the limits hold, by their numbers, and no others; connections stay as they are."""
        p = self.p.copy()
        p[self.c.limit_places][list(self.c.one_sided)] = 0.0
        p[self.c.limit_places][list(limits)] = 1.0
        return self.with_parameters(p)

    @property
    def held(self) -> tuple[int, ...]:
        """The limits that hold, by their numbers."""
        return tuple(i for i in self.c.one_sided if self.p[self.c.limit_places][i] > 0.5)

    def rooms(self, x: Array) -> Array:
        """Φ of all conditions that come and go, and as lengths: what is left of their rooms (m)."""
        rooms = self._made(
            "rooms", lambda: self._function("rooms", [_stacked([i.room for i in self.c.one_sided.values()])])
        )
        return np.array(rooms.call([self.t, self.state(x), self.p])[0]).ravel()

    # -- positions ---------------------------------------------------------------------------------------------------

    def position(self, y: Array) -> Array:
        """x of an assembled state, its forces at rest."""
        x = self._settle(np.concatenate([y[: self.nq], y[self.nq + self.nv :]]))
        rows = self.forces(x)[2][self.c.selectors[self.kept] < 0]
        self._rank = self.nv - self.directions(rows).shape[1]
        return x

    def state(self, x: Array) -> Array:
        """y at rest."""
        return np.concatenate([x[: self.nq], np.zeros(self.nv), x[self.nq :]])

    def move(self, x: Array, delta: Array) -> Array:
        """x ⊕ δ."""
        q = np.array(self._moved.call([x[: self.nq], delta])[0]).ravel()
        moved = np.concatenate([q, x[self.nq :]])
        if self._turning:
            principal = np.array(self._counted.call([self.t, self.state(moved), self.p])[0]).ravel()
            places = self.nq + np.array(self._turning)
            gap = principal - moved[places]
            moved[places] += gap - 2 * np.pi * np.round(gap / (2 * np.pi))
        return self._settle(moved)

    def close(self, x: Array) -> tuple[Array, bool]:
        """The position nearby that satisfies its conditions, and whether there is one.

        Away from it redundant constraints contradict each other, and would hold what is free: as many are kept as have been
        independent where the search began, or all where these do not suffice.
        """
        if not len(self.kept):
            return x, True
        rank = self._rank + len(self.kept) - self._always
        closed, success = self._closed(x, rank)
        return (closed, True) if success or rank == len(self.kept) else self._closed(x, len(self.kept))

    def _closed(self, x: Array, rank: int) -> tuple[Array, bool]:
        before = np.inf
        for _ in range(CLOSINGS):
            _, phi, jacobian = self.forces(x)
            rows, size = POLICY.unit_rows(jacobian * self.scale)
            error = float(np.max(np.abs(phi / size)))
            # where it falls no further, rounding errors are left, or conditions that contradict each other
            if error < POLICY.exact or (error < POLICY.closed and error > 0.5 * before):
                return x, True
            left, values, right = np.linalg.svd(rows, full_matrices=False)
            kept = min(rank, POLICY.count(values))
            step = right[:kept].T @ ((left[:, :kept].T @ (-phi / size)) / values[:kept])
            length, before = float(np.max(np.abs(step), initial=0.0)), error
            x = self.move(x, self.scale * step * min(1.0, LONGEST / max(length, 1e-300)))
        return x, before < POLICY.closed

    def _settle(self, x: Array) -> Array:
        """States of forces where they rest."""
        if not self._lagging:
            return x
        places = self.nq + np.array(self._lagging)
        for _ in range(CLOSINGS):
            rate, slope = (np.array(item) for item in self._lag.call([self.t, self.state(x), self.p]))
            if not np.all(POLICY.beside(np.linalg.svd(slope, compute_uv=False))):
                names = ", ".join(self.c.auxiliaries[i].name for i in self._lagging)
                raise RefusedError(f"{names}: a state of a force that integrates has no value at which it rests")
            step = np.linalg.solve(slope, -rate.ravel())
            x = x.copy()
            x[places] += step
            if np.max(np.abs(step)) <= 1e-14 * max(1.0, float(np.max(np.abs(x[places])))):
                break
        return x

    # -- forces ------------------------------------------------------------------------------------------------------

    def forces(self, x: Array) -> tuple[Array, Array, Array]:
        """h (nv), Φ (m) and C (m, nv) of the conditions that hold."""
        found = self._forces.call([self.t, self.state(x), self.p])
        h, phi, jacobian = (np.array(item) for item in found)
        if not np.all(np.isfinite(h)):
            raise EquilibriumError(self.undefined(x))
        return h.ravel(), phi.ravel()[self.kept], jacobian.reshape(phi.size, self.nv)[self.kept]

    def size(self, x: Array) -> float:
        """The largest of all forces that act, each on its own, times the size of the mechanism, J."""
        return float(self._seen.call([self.t, self.state(x), self.p])[5])

    def stiffness(self, x: Array, push: Array) -> Array:
        """−∂(h + Cᵀλ)/∂q T (nv, nv)."""
        whole = self.every_push(push)
        found = np.array(self._stiffness.call([self.t, self.state(x), self.p, whole])[0]).reshape(self.nv, self.nv)
        if not np.all(np.isfinite(found)):
            raise EquilibriumError(self.undefined(x))
        return found

    def load_slope(self, x: Array, push: Array, change: Array) -> tuple[Array, Array]:
        """∂(h + Cᵀλ)/∂p Δp (nv) and ∂Φ/∂p Δp (m), for a change of the parameters."""
        forces, conditions = self._made("loads", self._load_function).call(
            [self.t, self.state(x), self.p, self.every_push(push), change]
        )
        return np.array(forces).ravel(), np.array(conditions).ravel()[self.kept]

    def every_push(self, push: Array) -> Array:
        """λ of all rows, of those that hold."""
        whole = np.zeros(len(self.c.rows))
        whole[self.kept] = push
        return whole

    def directions(self, jacobian: Array) -> Array:
        """N (nv, k): admissible displacements, orthonormal in units of the coordinates."""
        rows = jacobian * self.scale
        if not rows.size:
            return np.diag(self.scale)
        _, values, right = np.linalg.svd(POLICY.unit_rows(rows)[0])
        return self.scale[:, None] * right[POLICY.count(values) :].T

    def push(self, h: Array, jacobian: Array) -> Array:
        """λ (m) with which h + Cᵀλ is as small as it can be; the least one where conditions repeat each other."""
        return multipliers(jacobian * self.scale, -h * self.scale)

    def undefined(self, x: Array) -> str:
        """Why nothing can be said about rest in a position: which force has no value there."""
        moment = self.t, self.state(x), self.p
        found = undefined_at(self.c, moment) or undefined_slope(self.c, moment)
        return (
            f"{found.told() if found else 'a force has no value'}. Search for rest from elsewhere, with start={{...}}"
        )

    # -- what is seen of a position ----------------------------------------------------------------------------------

    def energy(self, x: Array) -> float:
        """Of all forces that have a potential at rest, J."""
        return float(self._seen.call([self.t, self.state(x), self.p])[0])

    def places(self, x: Array) -> Array:
        """Centres of mass, in units of the size of the mechanism, and axes of all bodies, one after the other."""
        return np.array(self._seen.call([self.t, self.state(x), self.p])[1]).ravel()

    def rates(self, x: Array) -> tuple[Array, Array]:
        """By displacements δ: those of all joint coordinates (·, nv), and twists of all bodies, lengths by their size."""
        found = self._seen.call([self.t, self.state(x), self.p])
        return np.array(found[2]).reshape(-1, self.nv), np.array(found[3]).reshape(-1, self.nv)

    def inertia(self, x: Array) -> Array:
        """M (nv, nv)."""
        masses = self._made("inertia", lambda: self._function("inertia", [self.c.mass]))
        return np.array(masses.call([self.t, self.state(x), self.p])[0]).reshape(self.nv, self.nv)

    def spins(self, x: Array) -> Array:
        """By displacements δ: passive spins that nothing holds and nothing feels (·, nv)."""
        c = self.c
        rates = self._made("spins", lambda: self._function("spins", [ca.jacobian(self._spins.rates, c.v)]))
        return np.array(rates.call([self.t, self.state(x), self.p])[0]).reshape(-1, self.nv)

    def variations(self, x: Array, displacements: Array) -> Array:
        """Displacements δ (nv, k) as variations of y (n, k)."""
        lift = self._made("lift", lambda: self._function("lift", [ca.jacobian(self.c.rates, self.c.v)]))
        moved = np.array(lift.call([self.t, self.state(x), self.p])[0]).reshape(self.nq, self.nv) @ displacements
        return np.vstack([moved, np.zeros((self.c.y.numel() - self.nq, displacements.shape[1]))])

    @property
    def spin_names(self) -> tuple[str, ...]:
        """Bodies whose passive spins the coordinates know."""
        return self._spins.names

    @property
    def _spins(self) -> SpinRates:
        return spin_rates(self.c.geometry, self.c.topology.idle_spins, self.c.kinematics)

    def driven(self, x: Array) -> Sequence[str]:
        """Conditions that move by themselves: their labels."""
        rates = np.array(self._seen.call([self.t, self.state(x), self.p])[4]).ravel()
        return [str(label) for label, rate in zip(self.c.labels, rates, strict=True) if abs(rate) > MOVES]

    @property
    def joint_names(self) -> list[str]:
        """Names of the joint coordinates, in the order of their rates."""
        return [f"{joint}.{freedom}" for joint, freedom in self.c.motion.coordinates]

    @property
    def body_names(self) -> list[str]:
        """Names of the components of the twists of all bodies."""
        space = self.c.space
        turns = ["angle"] if space.planar else [f"w{name}" for name in space.turn_names]
        return [f"{body}.{name}" for body in self.c.geometry.bodies for name in (*space.axis_names, *turns)]

    # -- functions ---------------------------------------------------------------------------------------------------

    def _function(self, name: str, outputs: list[ca.SX], *more: ca.SX) -> ca.Function:
        c = self.c
        return ca.Function(name, [c.t, c.y, c.p, *more], [ca.densify(item) for item in outputs])

    def _force_function(self) -> ca.Function:
        return self._function("forces", [self.c.forces, self.c.phi, self.c.jacobian])

    def _stiffness_function(self) -> ca.Function:
        c = self.c
        push = ca.SX.sym("push", len(c.rows))
        left = c.forces + c.jacobian.T @ push
        return self._function("stiffness", [-self._slope(left, c.q) @ ca.jacobian(c.rates, c.v)], push)

    def _made(self, name: str, make: Callable[[], ca.Function]) -> ca.Function:
        """A function that not every question needs; other parameters share it."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    def _load_function(self) -> ca.Function:
        c = self.c
        push, change = ca.SX.sym("push", len(c.rows)), ca.SX.sym("change", c.p.numel())
        left = c.forces + c.jacobian.T @ push
        slopes = [self._slope(left, c.p) @ change, ca.jtimes(c.phi, c.p, change)]
        return self._function("loads", slopes, push, change)

    def _slope(self, left: ca.SX, by: ca.SX) -> ca.SX:
        """∂left/∂by, states of forces following."""
        slope = ca.jacobian(left, by)
        if self._lagging:
            rates, symbols = self._lag_parts()
            follow = -ca.solve(ca.jacobian(rates, symbols), ca.densify(ca.jacobian(rates, by)))
            slope += ca.jacobian(left, symbols) @ follow
        return slope

    def _moved_function(self) -> ca.Function:
        k = self.c.kinematics
        moved = ca.densify(k.q + k.v if k.retract is None else k.retract)
        if k.reframe is not None:
            moved = ca.substitute(k.reframe[:-1], k.q, moved)
        return ca.Function("moved", [k.q, k.v], [ca.densify(moved)])

    def _counted_function(self) -> ca.Function:
        return self._function("counted", [_stacked([self.c.auxiliaries[i].start for i in self._turning])])

    def _lag_parts(self) -> tuple[ca.SX, ca.SX]:
        lagging = [self.c.auxiliaries[i] for i in self._lagging]
        return _stacked([state.rate for state in lagging]), _stacked([state.symbol for state in lagging])

    def _lag_function(self) -> ca.Function:
        rates, symbols = self._lag_parts()
        return self._function("lag", [rates, ca.jacobian(rates, symbols)])

    def _seen_function(self) -> ca.Function:
        c, k = self.c, self.c.kinematics
        stations = [c.motion.centre(name) for name in c.geometry.bodies]
        places = [ca.vertcat(station.position / k.length, ca.vec(k.frames[station.body].axes)) for station in stations]
        twists = [ca.vertcat(station.velocity / k.length, k.twists[station.body].omega) for station in stations]
        joints = _stacked([item.rate for item in c.motion.coordinates.values()])
        slopes = [ca.jacobian(joints, c.v), ca.jacobian(_stacked(twists), c.v)]
        return self._function("seen", [rest_energy(c), _stacked(places), *slopes, c.a, self._acting()])

    def _acting(self) -> ca.SX:
        c, length = self.c, self.c.kinematics.length
        weights = [body.kind.mass * ca.norm_2(c.geometry.gravity) * length for body in c.geometry.bodies.values()]
        loads = [ca.vertcat(load.force * length, load.moment) for load in c.loading.loads]
        return ca.norm_inf(_stacked([ca.SX(1, 1), *weights, *loads]))


def _require_still(c: Coordinates) -> None:
    """Refuse drivers beside forces that read multipliers: these are those of a motion, with its accelerations."""
    moving = any(state.role == "driver" for state in c.auxiliaries) or ca.depends_on(c.phi, c.t)
    if c.multipliers and moving:
        label = next(iter(c.multipliers))
        raise RefusedError(
            f"a force reads what {label} pushes with, which at rest is not what it is while drivers move; replace drivers "
            "by joints that are locked, or by forces"
        )


def _stacked(parts: Sequence[ca.SX]) -> ca.SX:
    return ca.vertcat(ca.SX(0, 1), *parts)
