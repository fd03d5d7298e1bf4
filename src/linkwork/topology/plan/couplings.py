"""Couplings as linear relations between joint coordinates: Σ cᵢ φᵢ = constant of the assembly.

The factors are expressions of the live parameters. A coupling pushes along each of its coordinates with cᵢ λ, so that its
power λ Σ cᵢ φ̇ᵢ vanishes.

How a wheel turns against its carrier is found by walking along joints whose axes are one and the same line: in every body
on the way both axes are fixed, so that they coincide in all positions. The walk is made at the default parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.arrays import Array
from linkwork.elements.couplings.backlash import Backlash
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import embed, world_line
from linkwork.elements.couplings.motion import ALIKE, CoupledMotion, Term, are_parallel, misfit
from linkwork.errors import Fault, ModelError
from linkwork.model.fields import as_faults
from linkwork.position.geometry import GROUND
from linkwork.topology.plan.backlash import backlash_of
from linkwork.topology.relations import DrawnMechanism

TURNING = {"revolute": "angle", "cylindrical": "angle", "helical": "angle"}
LOOSE = ("cylindrical", "helical")  # what turns in them may move along the axis
SLIDING = {"prismatic": "position"}
SLOT = "point_on_line"
FIXED = "fixed"


def resolve_couplings(sketch: DrawnMechanism) -> tuple[dict[str, Coupled], dict[str, tuple[Coupled, Backlash]]]:
    """All couplings of a model that hold, and those with backlash."""
    train = DrawnTrain(sketch)
    found: dict[str, Coupled] = {}
    meshes: dict[str, tuple[Coupled, Backlash]] = {}
    faults: list[Fault] = []
    for name, declared in sketch.model.couplings.items():
        try:
            coupled = declared.couple(train)
            if declared.play is None:
                found[name] = coupled
            else:
                meshes[name] = coupled, backlash_of(sketch, coupled, declared.play)
        except ModelError as error:
            faults += as_faults(f"couplings.{name}", error)
    if faults:
        raise ModelError(faults, sketch.model.name or "model")
    return found, meshes


@dataclass(frozen=True, eq=False)
class _Passage:
    """A joint on the way from one body to another: its kind, sign and frames (origin and axes, 3-D) in either body."""

    joint: str
    kind: str
    other: str
    sign: float  # of the coordinate, for the motion of this body against the other
    near: tuple[Array, Array]
    far: tuple[Array, Array]
    axis: Array  # of the joint, in the axes of this body
    frame: Frame  # ``near`` on expressions
    other_frame: Frame  # ``far`` on expressions

    def across(self, point: Array, vector: Array) -> tuple[Array, Array]:
        """A point and a vector of this body, in the axes of the other."""
        turn = self.far[1] @ self.near[1].T
        return self.far[0] + turn @ (point - self.near[0]), turn @ vector


class DrawnTrain:
    """What couplings ask about a mechanism: how its bodies turn and slide against each other."""

    def __init__(self, sketch: DrawnMechanism) -> None:
        self._sketch, self._planar = sketch, sketch.space.planar

    def value(self, expression: Expression) -> ca.SX:
        return self._sketch.value(expression)

    def number(self, expression: ca.SX) -> float:
        return float(self._sketch.number(expression)[0])

    def term(self, joint: str, freedom: str | None, factor: ca.SX) -> Term:
        return Term(joint, freedom or self._sketch.model.joints[joint].freedoms[0].name, factor)

    def carrier(self, turning: Sequence[str], sliding: Sequence[str] = ()) -> str:
        walks = [self._reached(body, TURNING) for body in turning] + [self._reached(body, SLIDING) for body in sliding]
        wheels = {*turning, *sliding}
        shared = [body for body in walks[0] if all(body in walk for walk in walks) and body not in wheels]
        if not shared:
            named = " and ".join(f"'{body}'" for body in (*turning, *sliding))
            what = (
                "turns on a fixed axis of it, and the other slides along it" if sliding else "turn on fixed axes of it"
            )
            raise misfit(
                "arm", f"no body carries {named}, so that {'one ' if sliding else 'both '}{what}",
                "connect them with one body by revolute joints" + (" and prismatic ones" if sliding else ""),
            )  # fmt: skip
        steps = {body: sum(len(walk[body].terms) for walk in walks) for body in shared}
        return min(shared, key=lambda body: (steps[body], body != GROUND))

    def turning(self, body: str, carrier: str) -> CoupledMotion:
        return self._motion(body, carrier, TURNING, "turn about a fixed axis of", "coaxial revolute joints")

    def sliding(self, body: str, carrier: str) -> CoupledMotion:
        return self._motion(body, carrier, SLIDING, "slide along a fixed line of", "parallel prismatic joints")

    def rolling(self, wheel: str, rail: str) -> tuple[CoupledMotion, CoupledMotion] | None:
        if not self._planar:
            return None
        for passage in self._passages(wheel):
            if passage.kind == SLOT and passage.other == rail and passage.sign > 0:
                along, normal = passage.far[1][:, 0], np.eye(3)[2]
                own = passage.near[0], normal
                turning = (Term(passage.joint, "angle", ca.SX(1)),)
                sliding = (Term(passage.joint, "position", ca.SX(-1)),)
                return (
                    CoupledMotion(wheel, turning, passage.far[0], normal, *own, passage.frame, joints=(passage.joint,)),
                    CoupledMotion(rail, sliding, passage.far[0], along, passage.far[0], along, passage.other_frame, 0),
                )
        return None

    def point(self, reference: str, carrier: str) -> Array:
        return self._embed(self._sketch.drawn(carrier).inverse().point(self._place(reference)))

    def level(self, reference: str, motion: CoupledMotion) -> ca.SX:
        centre, direction, place = self._drawn(reference, motion)
        return ca.dot(place - centre, direction)

    def share(self, reference: str, first: CoupledMotion, second: CoupledMotion) -> ca.SX:
        (one, e1, place), (two, e2, _) = (self._drawn(reference, motion) for motion in (first, second))
        normal = ca.cross(e1, e2)
        return ca.dot(place - one, normal) / ca.dot(two - one, normal)

    def _drawn(self, reference: str, motion: CoupledMotion) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Point and direction (3) of the line of a motion as it is drawn, and the place of a point."""
        frames = {motion.body: self._sketch.drawn(motion.body)}
        return *world_line(motion, frames), embed(self._place(reference))

    def _place(self, reference: str) -> ca.SX:
        """Where a point is drawn."""
        place = self._sketch.place(reference)
        return self._sketch.drawn(place.body).point(place.local)

    def _motion(self, body: str, carrier: str, kinds: Mapping[str, str], what: str, chain: str) -> CoupledMotion:
        reached = self._reached(body, kinds)
        if carrier not in reached:
            raise misfit(
                "arm", f"'{body}' does not {what} '{carrier}': no {chain} lead from one to the other",
                f"connect them, or name another body; it does so against: {', '.join(reached) or 'none'}",
            )  # fmt: skip
        return reached[carrier]

    def _reached(self, body: str, kinds: Mapping[str, str]) -> dict[str, CoupledMotion]:
        """The bodies against which *body* turns about (or slides along) a fixed line, with that motion; nearest first."""
        found: dict[str, CoupledMotion] = {}
        rim = list(self._first_steps(body, kinds))
        while rim:
            at, motion = rim.pop(0)
            if at in found or at == body:
                continue
            found[at] = motion
            rim += self._next_steps(at, motion, kinds)
        return found

    def _first_steps(self, body: str, kinds: Mapping[str, str]) -> Iterator[tuple[str, CoupledMotion]]:
        """Across every joint of the right kind at the body, or at one that is fixed to it."""
        fixed: dict[str, Frame] = {body: Frame.identity(self._sketch.space.dimension)}
        welds: dict[str, tuple[str, ...]] = {body: ()}
        rim = [body]
        column = 0 if self._planar and kinds is SLIDING else 2
        while rim:
            at = rim.pop(0)
            for passage in self._passages(at):
                if passage.kind == FIXED and passage.other not in fixed:
                    fixed[passage.other] = fixed[at] @ passage.frame @ passage.other_frame.inverse()
                    welds[passage.other] = (*welds[at], passage.joint)
                    rim.append(passage.other)
                elif passage.kind in kinds:
                    anchor = fixed[at] @ passage.frame
                    origin, axes = self._numbers(anchor)
                    own = origin, axes[:, column]
                    motion = CoupledMotion(body, (), passage.near[0], passage.axis, *own, anchor, column, welds[at])
                    yield passage.other, self._cross(motion, passage, kinds)

    def _next_steps(
        self, at: str, motion: CoupledMotion, kinds: Mapping[str, str]
    ) -> Iterator[tuple[str, CoupledMotion]]:
        """Across fixed joints, and joints of the right kind on the same line (a slide: parallel to it)."""
        for passage in self._passages(at):
            if passage.kind == FIXED or (passage.kind in kinds and _fits(motion, passage, kinds)):
                yield passage.other, self._cross(motion, passage, kinds)

    def _cross(self, motion: CoupledMotion, passage: _Passage, kinds: Mapping[str, str]) -> CoupledMotion:
        terms = motion.terms
        if passage.kind in kinds:
            along = float(np.sign(passage.axis @ motion.direction))
            terms = (*terms, Term(passage.joint, kinds[passage.kind], ca.SX(passage.sign * along)))
        point, direction = passage.across(motion.point, motion.direction)
        return replace(
            motion,
            terms=terms,
            point=point,
            direction=direction,
            joints=(*motion.joints, passage.joint),
            loose=motion.loose or passage.kind in LOOSE,
        )

    def _passages(self, body: str) -> Iterator[_Passage]:
        for name, joint in self._sketch.geometry.joints.items():
            if body in (joint.parent, joint.child):
                is_child = joint.child == body
                frames = (joint.b, joint.a) if is_child else (joint.a, joint.b)
                near, far = (self._numbers(frame) for frame in frames)
                slides = self._planar and joint.kind.name in SLIDING
                axis = near[1][:, 0 if slides else 2]
                other, sign = (joint.parent, 1.0) if is_child else (joint.child, -1.0)
                yield _Passage(name, joint.kind.name, other, sign, near, far, axis, *frames)

    def _numbers(self, frame: Frame) -> tuple[Array, Array]:
        d = self._sketch.space.dimension
        axes = np.eye(3)
        axes[:d, :d] = self._sketch.number(ca.densify(frame.axes)).reshape(d, d)
        return self._embed(frame.origin), axes

    def _embed(self, point: ca.SX) -> Array:
        found = np.zeros(3)
        found[: self._sketch.space.dimension] = self._sketch.number(ca.densify(point))
        return found


def _fits(motion: CoupledMotion, passage: _Passage, kinds: Mapping[str, str]) -> bool:
    if not are_parallel(motion.direction, passage.axis):
        return False
    gap = passage.near[0] - motion.point
    off = float(np.linalg.norm(np.cross(gap, motion.direction)))
    return kinds is SLIDING or off <= ALIKE * max(1.0, float(np.linalg.norm(gap)))
