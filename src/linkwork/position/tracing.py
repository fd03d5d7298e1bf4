"""The motion of a mechanism followed from position to position, without coordinates: a curve in the space of all poses.

The positions are the solutions of φ(x) = 0, where φ holds the conditions of all joints, the couplings by their counted
angles, and the readings that are held. A step goes along the tangent, which is the null vector of the rows J = ∂φ/∂δ,
and returns to the curve by Gauss-Newton steps of least length (E. L. Allgower, K. Georg, *Introduction to Numerical
Continuation Methods*, SIAM 2003, chapters 2, 3 and 6):

    x ← x ⊕ h t,    x ← x ⊕ δ,  δ = −J⁺ φ,    J = U S Vᵀ,  J⁺ = V₁ S₁⁻¹ U₁ᵀ

J⁺ is taken at the rank ρ that J has on the curve (V₁: the first ρ columns), so that redundant rows do no harm.

Where one of the ρ singular values passes through zero, the curve meets another one: a branch point. Their rates
ṡᵢ = uᵢᵀ J̇ vᵢ foretell the distance sᵢ / |ṡᵢ| to it. The steps shrink with this distance, so that two curves which only
come close are told apart from two that meet, and the last step goes straight across.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.policy import POLICY
from linkwork.position.condition_rows import relations_of
from linkwork.position.geometry import Array, Pose
from linkwork.position.poses import PoseConditions, Poses, wrap

CONVERGED = 2e-14  # size of a correction (of the size of the mechanism, rad) after which none follows
NOISE = 1e-14  # error of the conditions; over the smallest singular value it is the size of the last corrections
TURN = 0.15  # rad, wanted angle between the tangents at the ends of a step; at most twice as much
SPIN = 1.0  # rad, largest change of an angle in a step
APPROACH = 0.7  # part of the foretold distance to a branch point that a step may take
ACROSS = 1e-6  # distance at which a step crosses the branch point; curves this near to each other count as meeting
OUT = 2.0  # sizes of the mechanism that a body must have travelled before steps may be long
SMALLEST = 1e-9  # step; far below what separates curves that count as apart


@dataclass(frozen=True, eq=False)
class Point:
    """A position on the curve.

    values (r): all readings, angles counted without jumps; rates (r): their derivatives along the curve
    tangent (size): unit vector; rows (m × size) = left · diag(sizes) · right on the curve, with rank ρ
    kernel (f × size): all admissible motions; reading_rows (r × size): derivatives of the readings
    """

    poses: Mapping[str, Pose]
    values: Array
    rates: Array
    tangent: Array
    rows: Array
    left: Array
    sizes: Array
    right: Array
    kernel: Array
    reading_rows: Array

    def backwards(self) -> Point:
        """The same position, left the other way."""
        return replace(self, tangent=-self.tangent, rates=-self.rates)


@dataclass(frozen=True, eq=False)
class TracedStep:
    """From one point to the next; ``branch``: how far from ``start`` a branch point lies in between, if one does."""

    start: Point
    end: Point
    length: float
    branch: float | None = None


@dataclass(frozen=True, eq=False)
class _Solved:
    """The linear system at some poses: J with its singular vectors, and the correction that it asks for."""

    poses: Poses
    values: Array
    rows: Array
    reading_rows: Array
    left: Array
    sizes: Array
    right: Array
    correction: Array
    residual: float


class PoseCurve:
    """The positions that a mechanism can reach from given ones, as points on a curve."""

    def __init__(
        self, conditions: PoseConditions, freedoms: int, poses: Poses, p: Array, held: Sequence[int] = ()
    ) -> None:
        self.conditions = conditions
        self.readings = self.conditions.readings
        self.freedoms = freedoms - len(held)
        self.rank = self.conditions.size - self.freedoms
        self.of_joints = np.array(
            [r.element in conditions.geometry.joints and not r.rate_only for r in self.readings], dtype=bool
        )
        self.scale = conditions.units
        self._wraps = np.array([reading.wraps and not reading.rate_only for reading in self.readings], dtype=bool)
        self._evaluate = self.conditions.evaluator(p)
        self._relations = relations_of(conditions, p)
        self._held = list(held)
        self._poses, self._reference = poses, self._evaluate(poses)[2]

    def start(self, toward: Array | None = None) -> Point | None:
        """The point at the given poses; *toward* (size) chooses the tangent where there are several motions."""
        solved = self._correct(self._poses, self._reference, np.inf)
        return None if solved is None else self._point(solved, toward)

    def advance(self, point: Point, length: float) -> Point | None:
        """The point at a distance along the tangent, back on the curve; None where the corrections do not converge."""
        ahead = self.conditions.move(point.poses, length * point.tangent)
        solved = self._correct(ahead, point.values + length * point.rates, abs(length))
        return None if solved is None else self._point(solved, point.tangent)

    def steps(self, point: Point, first: float = 0.02) -> Iterator[TracedStep]:
        """Walk along the curve in steps that follow its bends; ends where it cannot be followed."""
        length, last = first, None
        while True:
            distance = np.inf if last is None else _branch_distance(last)
            crossing = distance < ACROSS
            trial = distance + ACROSS if crossing else min(length, APPROACH * distance, self._spin_length(point))
            step = self._try(point, trial, crossing, distance)
            while step is None and trial > SMALLEST:
                trial /= 2
                step = self._try(point, trial, False, distance)
            if step is None:
                return
            yield step
            bend = float(np.arccos(min(1.0, float(step.start.tangent @ step.end.tangent))))
            length = step.length * (100.0 if crossing else min(2.0, max(0.5, TURN / max(bend, 1e-3))))
            point, last = step.end, step

    def _spin_length(self, point: Point) -> float:
        """The step in which no angle changes too much; far out, where nothing can come round again, half the way home."""
        fastest = float(np.max(np.abs(point.rates[self._wraps]), initial=0.0))
        longest = SPIN / fastest if fastest > 0 else np.inf
        travel = self.travel(point)
        if travel < OUT:
            return longest
        space = self.conditions.space
        shift = float(
            np.linalg.norm(point.tangent[: self.conditions.moving].reshape(-1, space.freedoms)[:, : space.dimension])
        )
        return max(longest, 0.5 * travel / max(shift, 1e-300))

    def _try(self, point: Point, length: float, crossing: bool, distance: float) -> TracedStep | None:
        end = self.advance(point, length)
        if end is None or not self._follows(point, end, length, crossing):
            return None
        return TracedStep(point, end, length, distance if crossing else None)

    def _follows(self, start: Point, end: Point, length: float, crossing: bool) -> bool:
        """Whether a step is short enough to be sure of what lies in between."""
        if start.tangent @ end.tangent < np.cos(2 * TURN):
            return False
        if np.any(np.abs(end.values - start.values - length * start.rates)[self._wraps] > SPIN):
            return False
        # det(U₁ᵀ J V₁) > 0 as long as no singular value has passed through zero: the end is not on another curve
        passed = np.linalg.slogdet(start.left.T @ end.rows @ start.right.T)[0] < 0
        return crossing or not (passed or self._turns_twice(start, end, length))

    def _turns_twice(self, start: Point, end: Point, length: float) -> bool:
        """Whether some reading seems to turn back and forth, by the cubic through its values and rates at the ends."""
        a, b = (x.rates[self.of_joints] / self.scale[self.of_joints] for x in (start, end))
        change = (end.values - start.values)[self.of_joints] / self.scale[self.of_joints]
        middle = 1.5 * change / length - 0.25 * (a + b)
        return bool(np.any((a * b > 0) & (middle * a < 0) & (np.abs(middle) > 1e-4)))

    def _correct(self, poses: Poses, known: Array, reach: float) -> _Solved | None:
        """The position on the curve near given poses, with readings near the *known* ones."""
        before = reach
        for _ in range(20):
            solved = self._solve(poses, known)
            if solved is None:
                return None
            size = float(np.linalg.norm(solved.correction))
            extent = (
                1.0
                + max(float(np.max(np.abs(poses[name].origin))) for name in self.conditions.bodies)
                / self.conditions.length
            )
            stagnates = size > 0.5 * before
            noise = NOISE * extent / max(float(np.min(solved.sizes, initial=1.0)), NOISE)
            if size < CONVERGED * extent or (stagnates and size < min(noise, 0.1 * reach)):
                return solved if solved.residual < POLICY.exact * extent else None
            if stagnates:
                return None
            poses, before = self.conditions.move(poses, solved.correction), size
        return None

    def travel(self, point: Point) -> float:
        """How far the bodies have come from where they were first, over the size of the mechanism."""
        gaps = [point.poses[name].origin - self._poses[name].origin for name in self.conditions.bodies]
        return float(np.max(np.abs(gaps))) / self.conditions.length

    def _solve(self, poses: Poses, known: Array) -> _Solved | None:
        """The linear system at given poses and the correction of least length."""
        phi, rows, values, reading_rows = self._system(poses, known)
        if not (np.all(np.isfinite(phi)) and np.all(np.isfinite(rows))):
            return None
        left, sizes, right = np.linalg.svd(rows)
        rank = self.rank
        # at a branch point itself the direction in which the rows say nothing is left alone
        weights = np.where(sizes[:rank] > 1e-12 * sizes[:1], 1 / np.maximum(sizes[:rank], 1e-300), 0.0)
        correction = -right[:rank].T @ (weights * (left[:, :rank].T @ phi))
        residual = float(np.linalg.norm(phi))
        return _Solved(poses, values, rows, reading_rows, left[:, :rank], sizes[:rank], right, correction, residual)

    def _system(self, poses: Poses, known: Array) -> tuple[Array, Array, Array, Array]:
        """φ, J, the readings counted from the *known* ones, and their derivatives."""
        phi, rows, raw, rates = self._evaluate(poses)
        # an angle between two bodies that may not turn against each other may still count another turn
        phi = np.where(np.abs(phi) > np.pi, wrap(phi), phi)
        values = known + np.where(self._wraps, wrap(raw - known), raw - known)
        moved = values - self._reference
        extra, more = [], []
        for relation in self._relations:
            scale = relation.size(self.scale)
            extra.append(relation.of(moved) / scale)
            more.append(relation.of(rates) / scale)
        for i in self._held:
            extra.append(moved[i] / self.scale[i])
            more.append(rates[i] / self.scale[i])
        return np.concatenate([phi, extra]), np.vstack([rows, *more]), values, rates

    def _point(self, solved: _Solved, toward: Array | None) -> Point:
        kernel = solved.right[self.rank :]
        tangent = self._tangent(kernel, solved.reading_rows, toward)
        return Point(
            solved.poses, solved.values, solved.reading_rows @ tangent, tangent, solved.rows, solved.left, solved.sizes,
            solved.right[: self.rank], kernel, solved.reading_rows,
        )  # fmt: skip

    def moving(self, kernel: Array, reading_rows: Array) -> Array:
        """The admissible motions (k × size) without those that move no joint coordinate, such as the spin of a rod."""
        visible = (reading_rows / self.scale[:, None])[self.of_joints] @ kernel.T
        _, sizes, mix = np.linalg.svd(visible)
        return np.asarray(mix[: POLICY.count(sizes)] @ kernel, dtype=np.float64)

    def _tangent(self, kernel: Array, reading_rows: Array, toward: Array | None) -> Array:
        motions = kernel if self.freedoms == 1 else self.moving(kernel, reading_rows)
        if toward is None or not len(motions):
            return np.asarray(motions[0] if len(motions) else kernel[0], dtype=np.float64)
        ahead = motions.T @ (motions @ toward)
        size = float(np.linalg.norm(ahead))
        return np.asarray(ahead / size if size > 0 else motions[0], dtype=np.float64)


def _branch_distance(step: TracedStep) -> float:
    """How far ahead of the end of a step the nearest singular value vanishes, if they all go on as they do."""
    end = step.end
    # ṡᵢ = uᵢᵀ J̇ vᵢ
    change = np.sum((end.left.T @ (end.rows - step.start.rows)) * end.right, axis=1) / step.length
    falling = change < -1e-12
    return float(np.min(end.sizes[falling] / -change[falling], initial=np.inf))
