"""Ellipsoids of velocities, accelerations and forces: what a point can do when the inputs do what they can.

Admissible velocities are v = v₀ + N w, N spanning the null space of the conditions C without those of the inputs
themselves. The inputs have the rates ρ = R v, the point has the velocity S v. With limits W of the inputs, |W⁻¹ρ| ≤ 1,

    velocities    { S N w :  |W⁻¹ R N w| ≤ 1 }
    forces        { F :  |W⁻¹ τ| ≤ 1,  (R N)ᵀ τ = (S N)ᵀ F }
    accelerations { a₀ + S N (Nᵀ M N)⁻¹ (R N)ᵀ τ :  |W⁻¹ τ| ≤ 1 }

where a₀ is the acceleration without efforts τ of the inputs: weights, springs and all that is quadratic in velocities. The
first is the ellipsoid of manipulability, its measure √det J Jᵀ (Yoshikawa, Int. J. Robotics Research 4(2) (1985) 3-9), the
second its dual, the last that of dynamic manipulability (Yoshikawa, ICRA 1985). All matrices are exact derivatives, of open
chains and of closed loops alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.given import Parameters, Scalar
from linkwork.analysis.position.ellipsoid_subject import (
    ChosenInputs,
    inputs_of,
    led_by,
    motors_behind,
    samples_of,
    unpushed,
)
from linkwork.analysis.vibration.linearise import Derivatives
from linkwork.analysis.walk.subject import Noun
from linkwork.arrays import Array
from linkwork.coordinates.multipliers import require_unread
from linkwork.coordinates.naming import resolve_point_name
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.paths.many_newton import exact_steps
from linkwork.numerics.policy import POLICY
from linkwork.results.ellipsoids import Ellipsoid
from linkwork.results.inverse_dynamics import InverseDynamics
from linkwork.results.time_grid import moment

NONE = POLICY.rank  # of the largest singular value: nothing moves
IDLE = 1e-13  # of the largest: a motion without inertia
_SECOND = {"v": "a", "w": "alpha"}  # names of accelerations by those of velocities


def velocity_ellipsoid(
    model: Noun | InverseDynamics,
    of: str | Sequence[str],
    inputs: ChosenInputs | None = None,
    *,
    time: Scalar | None = None,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
) -> Ellipsoid:
    """How fast a point can move in which direction when the speeds of the inputs lie in a ball (manipulability).

    model: a model as it is assembled, a run or inverse dynamics (all samples, or that at a time), or an equilibrium
    of: a point ('gripper.P'), a body (its centre of mass), its angular velocity ('platform.w'), or names of speeds
    inputs: joints, coordinates ('A', 'A.angle') or rods of changing length, also with their largest speeds, as in
    {"A": "90 deg/s"}; by default those that drivers move, else all joints of an open chain
    coordinates, parameters: of a model; a run has its own
    """
    about = _Question(model, of, inputs, time, (coordinates, parameters))
    found = [_principal(a, q / about.limits[:, None]) for a, q in zip(about.tips, about.rates, strict=True)]
    return about.answer("velocity", about.drift, found)


def force_ellipsoid(
    model: Noun | InverseDynamics,
    of: str | Sequence[str],
    inputs: ChosenInputs | None = None,
    *,
    time: Scalar | None = None,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
) -> Ellipsoid:
    """Which force a point can hold in which direction when the efforts of the inputs lie in a ball, by their power alone.

    inputs: as of `velocity_ellipsoid`, with their largest forces and torques: {"A": "20 N*m"}
    """
    about = _Question(model, of, inputs, time, (coordinates, parameters))
    found = [_principal(a, about.limits[:, None] * q) for a, q in zip(about.tips, about.rates, strict=True)]
    with np.errstate(divide="ignore"):
        dual = [(axes[:, ::-1], 1.0 / sizes[::-1]) for axes, sizes in found]
    return about.answer("force", np.zeros_like(about.drift), dual)


def acceleration_ellipsoid(
    model: Noun | InverseDynamics,
    of: str | Sequence[str],
    inputs: ChosenInputs | None = None,
    *,
    time: Scalar | None = None,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
) -> Ellipsoid:
    """How a point can be accelerated when the efforts of the inputs lie in a ball (dynamic manipulability).

    Its centre is the acceleration without these efforts: by weights, springs and forces, and by the speeds of the state.
    inputs: as of `velocity_ellipsoid`, with their largest forces and torques: {"A": "20 N*m"}; where there are fewer of
    them than freedoms, the others move freely
    """
    about = _Question(model, of, inputs, time, (coordinates, parameters), dynamic=True)
    centres, pushed = about.dynamics()
    found = [_principal(matrix, np.eye(matrix.shape[1])) for matrix in pushed]
    return about.answer("acceleration", centres, found)


def _principal(tips: Array, rates: Array) -> tuple[Array, Array]:
    """Principal directions (r, r) and semi-axes (r), the largest first, of { tips w : |rates w| ≤ 1 }.

    Where w moves the point while the rates stand, a semi-axis is infinite.
    """
    r = len(tips)
    _, sizes, motions = np.linalg.svd(rates, full_matrices=True)
    full = np.zeros(len(motions))
    full[: len(sizes)] = sizes
    stand = full <= NONE * max(float(np.max(full, initial=0.0)), 1e-300)
    loose = tips @ motions[stand].T
    held = tips @ motions[~stand].T / full[~stand]
    scale = max(float(np.linalg.norm(tips)), 1e-300)
    basis, lengths, _ = np.linalg.svd(loose) if loose.size else (np.eye(r), np.zeros(0), None)
    count = int(np.sum(lengths > NONE * scale))
    endless, rest = basis[:, :count], basis[:, count:]
    axes, semi, _ = np.linalg.svd(rest.T @ held) if rest.size else (np.zeros((0, 0)), np.zeros(0), None)
    found = np.zeros(r - count)
    found[: len(semi)] = semi[: r - count]
    found[found <= NONE * max(float(np.max(found, initial=0.0)), 1e-300)] = 0.0
    directions = np.hstack([endless, rest @ axes])
    leading = directions[np.argmax(np.abs(directions) > 0.5 / np.sqrt(r), axis=0), np.arange(r)]
    return directions * np.sign(leading), np.concatenate([np.full(count, np.inf), found])


@dataclass(frozen=True, eq=False)
class _Values:
    """Matrices at all samples: C (N, m, nv), R (N, k, nv), S (N, r, nv), and rates of inputs and point, (N, k), (N, r)."""

    conditions: Array
    rates: Array
    tips: Array
    speeds: Array
    moving: Array


class _Question:
    """What all three ellipsoids need of a mechanism."""

    def __init__(
        self,
        subject: Noun | InverseDynamics,
        of: str | Sequence[str],
        inputs: ChosenInputs | None,
        time: Scalar | None,
        choice: tuple[KindChoice | None, Parameters | None],
        *,
        dynamic: bool = False,
    ) -> None:
        motors = motors_behind(subject)
        self.mechanism, self.t, self.y, self.p, self.result = samples_of(subject, moment(time), *choice)
        self.c, self.dynamic = self.mechanism.coordinates, dynamic
        self.c.geometry.all_rigid("ellipsoids", "make it a rigid body, or two with a joint and a spring")
        self.derivatives = Derivatives(self.mechanism, (), ())
        self.of = of if isinstance(of, str) else ", ".join(of)
        self.names, self.place = self._names(of)
        known = self.c.motion.coordinates
        own = motors.motors if motors and all(tuple(name.split(".", 1)) in known for name in motors.motors) else None
        self.inputs = inputs_of(self.mechanism, own if inputs is None else inputs)
        if motors:
            self.p = unpushed(self.p, (*motors.motors, *motors.missing), self.inputs)
        self.limits = np.array(list(self.inputs.values()))
        freed = self._freed()
        self.free = self.mechanism.topology.steered + len(freed)
        led = led_by(self.mechanism, freed)
        # motors that are named do what leads the mechanism along its path
        if len(self.inputs) >= self.free + sum(led.values()) and len(self.inputs) > self.free:
            freed |= {("driver", name) for name in led}
            self.free += sum(led.values())
        if not self.free:
            held = f"{', '.join(self.mechanism.topology.drives.names)} hold all degrees of freedom"
            raise RefusedError(f"nothing moves by {', '.join(self.inputs)}: {held}; name these, or as many inputs")
        self.kept = [i for i, row in enumerate(self.c.labels) if (row.kind, row.element) not in freed]
        if not dynamic and len(self.inputs) < self.free:
            given = f"{len(self.inputs)} input{'s' * (len(self.inputs) > 1)} ({', '.join(self.inputs)})"
            rest = "name all inputs, or drive the others (diagnose tells whether the position is singular)"
            raise RefusedError(
                f"{given} for {self.free} degree{'' if self.free == 1 else 's'} of freedom in this position: {rest}"
            )

    def _freed(self) -> set[tuple[str, str]]:
        """Conditions (kind, element) that are themselves inputs: their drivers, and rods whose lengths they are."""
        model = self.mechanism.model
        rods = {("relation", name) for name in model.relations if f"{name}.length" in self.inputs}
        drivers = self.mechanism.topology.drives.keys.items()
        return rods | {("driver", name) for name, key in drivers if ".".join(key) in self.inputs}

    def _names(self, of: str | Sequence[str]) -> tuple[list[str], list[str]]:
        """Names of the components, and of the place at which they are drawn."""
        catalogue = self.derivatives._source.catalogue
        if not isinstance(of, str):
            return list(of), []
        axes = "xy" if self.c.space.planar else "xyz"
        for name, place in ((f"{of}.v", of), (of, of.rpartition(".")[0])):
            kind = name.rpartition(".")[2]
            full = resolve_point_name(self.c.topology, f"{name}{axes[0]}").rpartition(".")[0]
            if f"{full}.{kind}{axes[0]}" in catalogue and kind in _SECOND:
                wanted = _SECOND[kind] if self.dynamic else kind
                where = full if kind == "v" else place
                return [f"{full}.{wanted}{axis}" for axis in axes], [f"{where}.{axis}" for axis in axes]
        points = sorted({name.rpartition(".")[0] for name in catalogue if name.endswith(".vx")})
        raise UnknownNameError(f"'{of}' is no point or body; {did_you_mean(of, points)}")

    def _evaluate(self, *expressions: ca.SX) -> list[Array]:
        """Matrices (N, rows, columns) of t, y and p at all samples."""
        c, count = self.c, len(self.t)
        function = ca.Function("matrices", [c.t, c.y, c.p], [ca.densify(item) for item in expressions])
        p = np.tile(self.p, (count, 1)) if self.p.ndim == 1 else self.p
        found = function.map(count).call([self.t[None, :], self.y.T, p.T])
        shapes = [function.size_out(i) for i in range(len(expressions))]
        return [
            np.array(x).reshape(rows, count, columns).swapaxes(0, 1)
            for x, (rows, columns) in zip(found, shapes, strict=True)
        ]

    def _rate(self, name: str) -> ca.SX:
        """The rate of an input as an expression."""
        element, _, freedom = name.partition(".")
        if (element, freedom) in self.c.motion.coordinates:
            return ca.SX(self.c.motion.coordinates[element, freedom].rate)
        # Φ = (L² − r·r) / 2L of a rod
        return -self.c.motion.drift(self.c.related[element].conditions[0].residual)

    @cached_property
    def values(self) -> _Values:
        c = self.c
        point = self.derivatives.expressions(self.names)
        by = self.derivatives.equations.vdot if self.dynamic else c.v
        inputs = ca.vertcat(*[self._rate(name) for name in self.inputs])
        still = ca.substitute(point, self.derivatives.equations.vdot, ca.SX.zeros(c.v.numel()))
        conditions = c.jacobian[self.kept, :] if self.kept else ca.SX(0, c.v.numel())
        parts = (conditions, ca.jacobian(inputs, c.v), ca.jacobian(point, by), inputs, still)
        found = self._evaluate(*parts)
        return _Values(found[0], found[1], found[2], found[3][:, :, 0], found[4][:, :, 0])

    @cached_property
    def basis(self) -> Array:
        """N (N, nv, f), as many columns as there are freedoms; not a number where motions branch."""
        scale, nv = self.c.kinematics.scale, self.c.v.numel()
        rows = POLICY.unit_rows(self.values.conditions * scale)[0]
        if not rows.shape[1]:
            return np.broadcast_to(np.diag(scale), (len(rows), nv, nv))
        _, sizes, motions = np.linalg.svd(rows)
        rank = nv - self.free - len(self.mechanism.topology.passive)
        branching = sizes[:, rank - 1] <= POLICY.rank if rank else np.zeros(len(rows), dtype=bool)
        if np.any(branching):
            first = float(self.t[int(np.argmax(branching))])
            raise RefusedError(
                f"the position at t = {first:g} s is singular: conditions depend on each other there, and motions branch; "
                "take positions beside it (diagnose tells more)"
            )
        return np.asarray(scale[:, None] * np.swapaxes(motions[:, rank:], 1, 2))

    @property
    def tips(self) -> Array:
        """S N (N, r, f)."""
        return self.values.tips @ self.basis

    @property
    def rates(self) -> Array:
        """R N (N, k, f)."""
        return self.values.rates @ self.basis

    @property
    def drift(self) -> Array:
        """Velocity of the point while the inputs stand (N, r)."""
        moved = np.linalg.pinv(self.rates, rcond=NONE) @ self.values.speeds[:, :, None]
        return np.asarray(self.values.moving - (self.tips @ moved)[:, :, 0])

    @property
    def jacobian(self) -> Array:
        """S N (R N)⁺ (N, r, k), not a number in components that move while all inputs stand; passive spins move none."""
        found = self.tips @ np.linalg.pinv(self.rates, rcond=NONE)
        alone, all_ = (np.linalg.norm(part, axis=2) for part in (self.tips - found @ self.rates, self.tips))
        return np.where((alone > NONE * all_)[:, :, None], np.nan, found)

    def dynamics(self) -> tuple[Array, Array]:
        """a₀ (N, r) and S N (Nᵀ M N)⁻¹ (R N)ᵀ W (N, r, k)."""
        c, n = self.c, self.basis
        require_unread(c, "an effort of an input")
        b = c.b[self.kept] if self.kept else ca.SX(0, 1)
        mass, forces, quadratic = self._evaluate(c.mass, c.forces, b)
        inertia = np.swapaxes(n, 1, 2) @ mass @ n
        moves = np.concatenate([self.tips, self.rates], axis=1)
        soft = np.array([_without_idle(m, rows) for m, rows in zip(inertia, moves, strict=True)])
        scale = c.kinematics.scale
        first = (scale * exact_steps(self.values.conditions * scale, quadratic[:, :, 0], POLICY.rank))[:, :, None]
        vdot = first + n @ soft @ np.swapaxes(n, 1, 2) @ (forces - mass @ first)
        centre = self.values.moving + (self.values.tips @ vdot)[:, :, 0]
        return centre, self.tips @ soft @ np.swapaxes(self.rates, 1, 2) * self.limits

    def answer(self, kind: str, centres: Array, found: Sequence[tuple[Array, Array]]) -> Ellipsoid:
        """The ellipsoids with their names, units and places."""
        source = self.derivatives._source.catalogue
        units = [source[resolve_point_name(self.c.topology, name)].unit for name in self.names]
        components = self.names
        if kind == "force":
            units = [{"m/s": "N", "rad/s": "N*m"}.get(unit, f"W/({unit})") for unit in units]
            components = [name.replace(".v", ".f").replace(".w", ".m") for name in components]
        places = (
            np.column_stack([self.result[name] for name in self.place]) if self.place else np.zeros((len(self.t), 0))
        )
        return Ellipsoid(
            name=self.mechanism.model.name or "mechanism",
            kind=kind,
            of=self.of,
            components=tuple(components),
            units=tuple(units),
            inputs=dict(self.inputs),
            time=self.t,
            centres=centres,
            directions=np.array([axes for axes, _ in found]),
            semi_axes=np.array([sizes for _, sizes in found]),
            places=places,
            jacobian=self.jacobian,
            result=self.result,
        )


def _without_idle(inertia: Array, moves: Array) -> Array:
    """The inverse of an inertia; motions without any are left out where they move neither point nor inputs."""
    found, shapes = np.linalg.eigh(inertia)
    idle = found <= IDLE * max(float(found[-1]), 1e-300) if found.size else np.zeros(0, dtype=bool)
    if np.any(np.abs(moves @ shapes[:, idle]) > NONE * max(float(np.max(np.abs(moves), initial=0.0)), 1e-300)):
        raise RefusedError(
            "some motion of the point or of an input meets no inertia: give the bodies there a mass or an inertia"
        )
    kept = shapes[:, ~idle]
    return np.asarray(kept / found[~idle] @ kept.T)
