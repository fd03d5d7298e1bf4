"""The joints and relations of a mechanism as conditions between the poses of its bodies, with their rates.

The unknowns are the poses themselves: a small displacement δ of a body is the displacement of its origin, divided by the
size of the mechanism, and a rotation vector, both in world axes; behind all bodies come the unknowns of the relations
(lengths over the size of the mechanism). Coordinates of bodies' own are given, with their rates. No spanning tree and no
coordinates are chosen here, so assembly and mobility do not depend on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.rotations import exponential, straightened
from linkwork.algebra.space import Space
from linkwork.algebra.whole_turns import principal
from linkwork.elements.contribution import Contribution, Placement
from linkwork.errors import RefusedError
from linkwork.numerics.matrices.long_rows import AnyRows, LongRows
from linkwork.outline import outlined
from linkwork.position.evaluator import MANY, Evaluator, Poses
from linkwork.position.geometry import GROUND, Array, Geometry, Pose, inside, turn
from linkwork.position.insides import Insides, PoseReading, along, changed
from linkwork.position.labels import RowLabel, condition_label


@outlined
class PoseConditions:
    """Residuals of all joints and relations and all readings at given poses, with their derivatives with respect to δ.

    They hold at one ``time``; ``at`` gives those of another. ``timed`` are the relations that depend on it.
    """

    def __init__(self, geometry: Geometry, length: float) -> None:
        self.geometry = geometry
        self.space: Space = geometry.space
        self.length = length
        self.bodies = tuple(geometry.bodies)
        self.time = 0.0
        self.own = {name: relation.unknowns for name, relation in geometry.relations.items() if relation.unknowns}
        self.moving = len(self.bodies) * self.space.freedoms
        self.size = self.moving + sum(len(unknowns) for unknowns in self.own.values())
        pose, delta, frames, own, insides = self._symbols()
        t, rate = ca.SX.sym("t"), ca.SX.sym("rate", self.size)
        related = self._related(frames, own, rate, t)
        rows = self._rows(frames, related)
        self.labels = tuple(label for label, _, _ in rows)
        # of the rows; the others are angles
        self.lengths = np.array([is_length for _, _, is_length in rows], dtype=bool)
        values = self._readings(frames, delta, insides)
        self.readings = tuple(reading for reading, _ in values)
        # what counts as one: radians, and lengths of the size of the mechanism
        self.units = np.array([1.0 if reading.angular else length for reading in self.readings])
        at_rest, outputs, none = ca.SX.zeros(delta.shape), [], ca.SX(0, 1)
        stacked, shown = ca.vertcat(none, *[phi for _, phi, _ in rows]), ca.vertcat(none, *[x for _, x in values])
        for item in (stacked, shown):
            slope = ca.jacobian(item, delta)
            outputs += [ca.densify(ca.substitute(item, delta, at_rest)), ca.substitute(slope, delta, at_rest)]
        partial = ca.sparsify(ca.jacobian(stacked, t))
        self.timed = tuple(dict.fromkeys(self.labels[i].element for i in partial.sparsity().row()))
        moved = [changed(geometry, reading, item, frames, insides) for reading, item in values]
        drift = [partial + along(stacked, insides), ca.vertcat(none, *moved)]
        drift = [ca.densify(ca.substitute(item, delta, at_rest)) for item in drift]
        self.rate_labels, rolling = self._rate_rows(related, rate, delta)
        bounds = [(name, bound.end, bound.room) for name, item in related.items() for bound in item.bounds]
        bounds += [(name, f"its {c.component}", c.residual) for name, item in related.items() for c in item.of("limit")]
        rooms = ca.substitute(ca.vertcat(none, *[room for _, _, room in bounds]), delta, at_rest)
        # relations that come and go
        self.loose = tuple(name for name, item in related.items() if item.of("limit") or item.joined is not None)
        self.ends = tuple((name, end) for name, end, _ in bounds)  # where relations end
        self._rooms = ca.Function("rooms", [pose, geometry.parameters, t], [ca.densify(rooms)])
        self._rate_rows_at = ca.Function("rates", [pose, geometry.parameters, t], rolling)
        self._evaluate = ca.Function("poses", [pose, geometry.parameters, t], outputs)
        self._drift = ca.Function("drift", [pose, geometry.parameters, t], drift)

    def at(self, time: float) -> PoseConditions:
        """The same conditions at another time."""
        other = copy(self)
        other.time = time
        return other

    def beginning(self, defaults: Array, time: float) -> PoseConditions:
        """The same conditions at another time, with other values of live parameters where none are given."""
        other = self.at(time)
        other.geometry = replace(self.geometry, defaults=defaults)
        return other

    def _rows(
        self, frames: Mapping[str, Frame], related: Mapping[str, Contribution]
    ) -> list[tuple[RowLabel, ca.SX, bool]]:
        """All conditions with their labels, lengths over the size of the mechanism, and whether they are lengths."""
        rows = [
            (RowLabel(name, row.component, group=row.group), row.closing, row.is_length)
            for name, joint in self.geometry.joints.items()
            for row in joint.kind.rows(self.space, *joint.frames(frames))
        ]
        rows += [
            (condition_label(name, self.geometry.relations[name], row), row.closing, row.is_length)
            for name, item in related.items()
            for row in item.of("position")
        ]
        return [(label, phi / self.length if is_length else phi, is_length) for label, phi, is_length in rows]

    @cached_property
    def _bend(self) -> ca.Function:
        """∇² of the sum of weights times residuals and readings, with respect to δ, as a function of δ."""
        pose, delta, frames, own, insides = self._symbols(2)
        t, rate = ca.SX.sym("t"), ca.SX.sym("rate", self.size)
        rows = [phi for _, phi, _ in self._rows(frames, self._related(frames, own, rate, t))]
        stacked = ca.vertcat(ca.SX(0, 1), *rows, *[value for _, value in self._readings(frames, delta, insides)])
        weights = ca.SX.sym("weights", stacked.numel())
        second = ca.jacobian(ca.gradient(ca.dot(weights, stacked), delta), delta)
        return ca.Function("bend", [pose, self.geometry.parameters, t, weights, delta], [second])

    def bend(self, poses: Poses, p: Array, weights: Array, directions: Array) -> Array:
        """(Σ λᵢ ∇²φᵢ + Σ μᵢ ∇²rᵢ) Z for weights [λ, μ] (m + r) of residuals and readings and Z (size × f); δ as in move."""
        found = self._bend(self._pack(poses), p, self.time, weights, 0.0)
        return np.asarray((found.sparse() if self.size > MANY else found.full()) @ directions)

    def _related(
        self, frames: Mapping[str, Frame], own: Mapping[str, ca.SX], rate: ca.SX, t: ca.SX
    ) -> dict[str, Contribution]:
        """What the relations contribute at the symbols of poses and rates."""
        d, k = self.space.dimension, self.space.freedoms
        twists = {GROUND: Twist(ca.SX(d, 1), ca.SX(self.space.rotations, 1))}
        for i, name in enumerate(self.bodies):
            twists[name] = Twist(self.length * rate[i * k : i * k + d], rate[i * k + d : (i + 1) * k])
        return {
            name: at_start(relation.contribute(Placement(self.space, frames, t, own.get(name, ca.SX(0, 1)), twists)))
            for name, relation in self.geometry.relations.items()
        }

    def _rate_rows(
        self, related: Mapping[str, Contribution], rate: ca.SX, delta: ca.SX
    ) -> tuple[tuple[RowLabel, ...], list[ca.SX]]:
        """Labels of the conditions ψ = A δ̇ + a that restrict velocities only; A and a."""
        labels, rows = [], [ca.SX(0, 1)]
        for name, item in related.items():
            for row in item.of("velocity"):
                if ca.depends_on(ca.jacobian(row.residual, rate), rate):
                    reason = "its condition on velocities is not linear in them"
                    raise RefusedError(f"relation '{name}': {row.component}: {reason}; give it as A v + a = 0")
                labels.append(condition_label(name, self.geometry.relations[name], row))
                rows.append(row.residual / self.length if row.is_length else row.residual)
        psi = ca.substitute(ca.vertcat(*rows), delta, ca.SX.zeros(delta.shape))
        still = ca.substitute(psi, rate, ca.SX.zeros(self.size))
        return tuple(labels), [ca.densify(ca.jacobian(psi, rate)), ca.densify(still)]

    def _symbols(self, order: int = 1) -> tuple[ca.SX, ca.SX, dict[str, Frame], dict[str, ca.SX], Insides]:
        """Poses, δ, and what is where behind it: rotations exp(δ) up to an order, 1 or 2; s and ṡ of bodies."""
        d = self.space.dimension
        frames = {GROUND: self.geometry.ground_frame}
        poses, deltas = [], []
        for name in self.bodies:
            delta = ca.SX.sym(f"delta_{name}", self.space.freedoms)
            origin = ca.SX.sym(f"r_{name}", d)
            moved = origin + self.length * delta[:d]
            if self.space.planar:
                angle = ca.SX.sym(f"a_{name}")
                poses.append(ca.vertcat(origin, angle))
                frames[name] = Frame.planar(moved, angle + delta[d])
            else:
                axes = ca.SX.sym(f"R_{name}", d, d)
                poses.append(ca.vertcat(origin, ca.vec(axes)))
                turn = ca.skew(delta[d:])
                frames[name] = Frame(moved, axes + turn @ (axes if order == 1 else axes + turn @ axes / 2))
            deltas.append(delta)
        own = {}
        for name, unknowns in self.own.items():
            value, delta = (ca.SX.sym(f"{letter}_{name}", len(unknowns)) for letter in ("u", "delta"))
            own[name] = value + ca.DM(self._scales(name)) * delta
            poses.append(value)
            deltas.append(delta)
        insides = {}
        for name, kind in self.geometry.insides.items():
            s, rates = insides[name] = tuple(ca.SX.sym(f"{x}_{name}", len(kind.unknowns)) for x in ("s", "ds"))
            frames[name] = kind.carried(frames[name], s)
            poses += [s, rates]
        empty = ca.SX(0, 1)
        return ca.vertcat(empty, *poses), ca.vertcat(empty, *deltas), frames, own, insides

    def _scales(self, relation: str) -> Array:
        """Sizes of the unknowns of a relation that count as one."""
        return np.array([self.length if unknown.is_length else 1.0 for unknown in self.own[relation]])

    def _readings(self, frames: Mapping[str, Frame], delta: ca.SX, insides: Insides) -> list[tuple[PoseReading, ca.SX]]:
        found: list[tuple[PoseReading, ca.SX]] = []
        k = self.space.freedoms
        spins = {name: delta[i * k + self.space.dimension : (i + 1) * k] for i, name in enumerate(self.bodies)}
        spins[GROUND] = ca.SX(self.space.rotations, 1)
        for name, joint in self.geometry.joints.items():
            measures = joint.kind.measure(self.space, *joint.frames(frames))
            for f, measure in zip(joint.kind.scalars(self.space), measures, strict=True):
                found.append((PoseReading(name, f.name, f.kind == "angle", winds=f.winds), measure.principal))
            if joint.kind.spins(self.space):
                relative = spins[joint.child] - spins[joint.parent]
                found += [(PoseReading(name, f"omega{i}", True, True), relative[i]) for i in range(3)]
        for name, body in self.geometry.bodies.items():
            local = body.kind.centre(insides[name][0]) if name in insides else body.centre
            centre = replace(frames[name], seat=None).point(local)
            found += [(PoseReading(name, axis, False), centre[i]) for i, axis in enumerate(self.space.axis_names)]
            angle = frames[name].angle
            if angle is not None:
                found.append((PoseReading(name, "angle", True), angle))
            else:
                found += [(PoseReading(name, f"omega{i}", True, True), spins[name][i]) for i in range(3)]
        return found

    def evaluate(self, poses: Poses, p: Array) -> tuple[Array, Array, Array, Array]:
        """Residuals (m), their derivative (m × size), readings (r), their derivative (r × size)."""
        return self.evaluator(p)(poses)

    def rows(self, poses: Poses, p: Array) -> tuple[Array, AnyRows, Array, AnyRows]:
        """The same, where there are many unknowns with matrices that have their entries alone."""
        return self.evaluator(p).rows(poses)

    def residuals_at(self, poses: Poses, p: Array) -> Array:
        """Residuals (m) alone."""
        return self.evaluator(p).numbers(poses)[0]

    def readings_at(self, poses: Poses, p: Array) -> Array:
        """Readings (r) alone."""
        return self.evaluator(p).numbers(poses)[1]

    def drift(self, poses: Poses, p: Array) -> tuple[Array, Array]:
        """The part of the rates of the residuals (m) that comes from the time and from what moves in bodies, and that of the
        readings (r) which the latter have."""
        rows, readings = self._drift(self._pack(poses), p, self.time)
        return np.array(rows).ravel(), np.array(readings).ravel()

    def rate_rows(self, poses: Poses, p: Array) -> tuple[Array, Array]:
        """A (n × size) and a (n) of the conditions A δ̇ + a = 0 that restrict velocities only."""
        rows, still = self._rate_rows_at(self._pack(poses), p, self.time)
        return np.array(rows).reshape(-1, self.size), np.array(still).ravel()

    def rooms(self, poses: Poses, p: Array) -> Array:
        """What is left to relations until they end, one by one as in ``ends``."""
        return np.array(self._rooms(self._pack(poses), p, self.time)).ravel()

    def evaluator(self, p: Array) -> Evaluator:
        """``evaluate`` at fixed parameters, for thousands of poses."""
        return Evaluator(self._evaluate, self._patterns, self._pack, np.array(p, dtype=np.float64), self.time)

    @cached_property
    def _patterns(self) -> dict[int, LongRows]:
        """Of both derivatives where the outputs have entries: the number of each of them."""
        found = {}
        for i in (1, 3):
            rows, columns = (np.array(part, dtype=np.intp) for part in self._evaluate.sparsity_out(i).get_triplet())
            numbers = np.arange(len(rows), dtype=np.float64)
            found[i] = LongRows.of_entries(self._evaluate.size_out(i), rows, columns, numbers)
        return found

    def turned(self, poses: Poses, p: Array) -> dict[str, Pose]:
        """The poses, with those bodies turned about their guided points whose orientation is given as a function of time."""
        turned, geometry = dict(poses), self.geometry
        for relation in geometry.relations.values():
            wanted = relation.orientation(ca.SX(self.time))
            if wanted is not None:
                place, axes = wanted[0], geometry.number(wanted[1], p)
                local = np.atleast_1d(geometry.number(place.local, p))
                turned[place.body] = Pose(poses[place.body].point(local) - axes @ local, axes)
        return turned

    def told(self, reading: PoseReading, value: float, p: Array) -> float:
        """A value of a reading as it is told: angles in (−π, π], or near a reference of their joint that is beyond."""
        if not reading.wraps:
            return float(value)
        joint = self.geometry.joints.get(reading.element)
        return principal(float(value), 0.0 if joint is None else float(self.geometry.number(joint.near, p)))

    def index(self, element: str, name: str) -> int:
        """The place of a reading."""
        return self._places[element, name]

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        # of two of one name the first
        return {(item.element, item.name): i for i, item in reversed(list(enumerate(self.readings)))}

    def move(self, poses: Poses, delta: Array) -> dict[str, Pose]:
        """The poses displaced by δ."""
        d, k = self.space.dimension, self.space.freedoms
        moved = {}
        for i, name in enumerate(self.bodies):
            part, pose = delta[i * k : (i + 1) * k], poses[name]
            origin = pose.origin + self.length * part[:d]
            if pose.angle is not None:
                moved[name] = planar_pose(origin, pose.angle + part[d])
            else:
                moved[name] = Pose(origin, straightened(exponential(part[d:]) @ pose.axes))
        for name, part in self._own_parts(delta).items():
            moved[name] = Pose(poses[name].origin + part, poses[name].axes)
        return moved | {name: poses[name] for name in map(inside, self.geometry.insides)}

    def thrown(self, poses: Poses, random: np.random.Generator) -> dict[str, Pose]:
        """The poses with every body thrown about: as far as the size of the mechanism, and turned anyhow."""
        d, k = self.space.dimension, self.space.freedoms
        reach = np.ones(self.size)
        reach[: self.moving] = np.where(np.arange(self.moving) % k < d, 1.0, np.pi)
        return self.move(poses, random.uniform(-1.0, 1.0, self.size) * reach)

    def _own_parts(self, delta: Array) -> dict[str, Array]:
        """The changes of the unknowns of the relations, by relation."""
        parts, place = {}, self.moving
        for name, unknowns in self.own.items():
            parts[name] = self._scales(name) * delta[place : place + len(unknowns)]
            place += len(unknowns)
        return parts

    def twists(self, delta_rate: Array) -> dict[str, Array]:
        """Velocity of the origin and angular velocity of every body from δ̇ (world axes); rates of the unknowns."""
        d, k = self.space.dimension, self.space.freedoms
        parts = delta_rate[: self.moving].reshape(-1, k).copy()
        parts[:, :d] *= self.length
        return dict(zip(self.bodies, parts, strict=True)) | self._own_parts(delta_rate)

    def velocities(self, twists: Mapping[str, Array]) -> Array:
        """δ̇ (size) from velocities and angular velocities of all bodies and rates of unknowns: the inverse of ``twists``."""
        d = self.space.dimension
        parts = []
        for name in self.bodies:
            part = np.array(twists[name], dtype=np.float64)
            part[:d] /= self.length
            parts.append(part)
        parts += [np.asarray(twists[name]) / self._scales(name) for name in self.own]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _pack(self, poses: Poses) -> Array:
        parts: list[Array] = []
        for name in self.bodies:
            pose = poses[name]
            turn = np.array([pose.angle]) if pose.angle is not None else pose.axes.ravel(order="F")
            parts += [pose.origin, turn]
        parts += [poses[name].origin for name in self.own]
        for name in map(inside, self.geometry.insides):
            parts += [poses[name].origin, poses[name].rates]
        return np.concatenate(parts) if parts else np.zeros(0)


def planar_pose(origin: Array, angle: float) -> Pose:
    """A pose in the plane; its angle may be any, so that it moves without jumps."""
    return Pose(origin, turn(angle), float(angle))


def wrap(angle: Array | float) -> Array:
    """Angles brought into [−π, π)."""
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


def at_start(item: Contribution) -> Contribution:
    """What a relation contributes, with the first values of numbers that runs set."""
    if not item.constants:
        return item
    parts = [part for row in item.conditions for part in (row.residual, row.closing)]
    symbols, values = [own.symbol for own in item.constants], [own.start for own in item.constants]
    found = ca.substitute(parts, symbols, values)
    rows = zip(item.conditions, found[::2], found[1::2], strict=True)
    return replace(item, conditions=tuple(replace(row, residual=phi, guarded=closing) for row, phi, closing in rows))
