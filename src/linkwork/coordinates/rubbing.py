"""The friction of joints, as elements of a mechanism in motion: ``O.friction`` is that of joint O.

Friction T and what the joint presses with depend on each other: T is an unknown of the loads (``Implied``). Where nothing
slips, a condition on the velocity holds instead, with |λ| ≤ μ₀ N. With a smoothing speed ε there is no such condition, and
T goes with s/√(s² + ε²).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import (
    Condition,
    Contribution,
    Grasp,
    Implied,
    JointEffort,
    Reading,
)
from linkwork.elements.joints import Freedom, JointKind
from linkwork.elements.rubbing import (
    Coefficients,
    JointWrench,
    RubbingSizes,
    TouchedJoint,
    Touching,
    levers,
    touching,
    wrench_of,
)
from linkwork.model import Model
from linkwork.model.joint_limits import JointFriction

RUBBING = "friction"  # kind of the rows, and last part of the names
SLIP = "slip"  # the condition of what sticks
JAMMED = "a place where it has no value: what it presses with grows without end"


def joint_of(name: str) -> str:
    """The joint of a friction by its name."""
    return name.removesuffix(f".{RUBBING}")


def rubbings_of(model: Model, scene: MovingScene) -> Iterator[tuple[str, Contribution]]:
    """The friction of all joints by the names of its elements."""
    for name, joint in model.joints.items():
        if joint.friction is not None and joint.rubs:
            yield f"{name}.{RUBBING}", _Rubbing(scene, name, joint.friction).contribute()


@dataclass(frozen=True, eq=False)
class _Slip:
    """One of the coordinates along which a joint slips: its number, its rate, slip per rate, and dry friction along it."""

    number: int
    freedom: Freedom
    rate: ca.SX
    lever: ca.SX
    effort: ca.SX

    @property
    def speed(self) -> ca.SX:
        return self.lever * self.rate


@dataclass(frozen=True, eq=False)
class GivenFriction:
    """The dry friction of a joint in a motion that is given, where what it transmits and its directions are numbers.

    efforts: x (k); wrench: force and moment on the child, in world axes at the origin of frame b
    into: directions (k) into which it slips, 0 where it does not; still: 1 where it does not, else 0
    law: what x has to be (k); bound: the largest |x| of what sticks, where it can; slips: speeds (k)
    """

    efforts: ca.SX
    wrench: ca.SX
    into: ca.SX
    still: ca.SX
    law: ca.SX
    bound: ca.SX | None
    slips: ca.SX

    @property
    def numbers(self) -> ca.SX:
        """All that is given of it."""
        return ca.vertcat(self.efforts, self.wrench, self.into, self.still)


def given_rubbings(model: Model, scene: MovingScene) -> Iterator[tuple[str, Contribution, GivenFriction | None]]:
    """The friction of all joints in a motion that is given: by the names of its elements, with what is dry of it."""
    for name, joint in model.joints.items():
        if joint.friction is not None and joint.rubs:
            space = scene.space
            wrench = ca.SX.sym(f"{name} transmits", space.freedoms)
            rubbing = _Rubbing(scene, name, joint.friction, wrench)
            yield rubbing.name, *rubbing.given()


@dataclass(frozen=True, eq=False)
class _Rubbing:
    """The friction of one joint; *known*: what it transmits, where that is given."""

    scene: MovingScene
    joint: str
    friction: JointFriction
    known: ca.SX | None = None

    @property
    def name(self) -> str:
        return f"{self.joint}.{RUBBING}"

    @property
    def dry(self) -> bool:
        return self.friction.coefficient is not None

    @property
    def grips(self) -> bool:
        """Whether it sticks."""
        return self.dry and self.friction.smoothing is None

    def value(self, expression: Expression | None) -> ca.SX | None:
        return None if expression is None else self.scene.value(expression)

    @cached_property
    def kind(self) -> JointKind:
        return self.scene.joint_kind(self.joint)

    @cached_property
    def sizes(self) -> RubbingSizes:
        return RubbingSizes(self.value(self.friction.radius), self.value(self.friction.length))

    @cached_property
    def slips(self) -> tuple[_Slip, ...]:
        freedoms = self.kind.freedoms(self.scene.space)
        return tuple(
            _Slip(k, freedoms[k], self._rate(k, freedoms[k]), lever, ca.SX.sym(f"{self.name} {k}"))
            for k, lever in levers(self.kind, self.sizes).items()
        )

    def _rate(self, number: int, freedom: Freedom) -> ca.SX:
        if freedom.kind != "spin":
            return self.scene.coordinate(self.joint, freedom.name).rate
        a, b = self.scene.sides(self.joint)
        _, axis = self.kind.efforts(self.scene.space, a.frame, b.frame)[number]
        return ca.dot(axis, b.omega - a.omega)

    @cached_property
    def held(self) -> ca.SX:
        """λ of what sticks."""
        return self.scene.multiplier(self.name, SLIP) if self.grips and self.known is None else ca.SX(0)

    @cached_property
    def touching(self) -> Touching:
        space, kind = self.scene.space, self.kind
        a, b = (solid.frame for solid in self.scene.sides(self.joint))
        rubs = self.slips[0].effort + self.slips[0].lever * self.held
        if self.known is None:
            pushes = [self.scene.multiplier(self.joint, row.component) for row in kind.rows(space, a, b)]
            wrench = wrench_of(space, kind, (a, b), pushes, rubs)
        else:
            wrench = JointWrench(self.known[: space.dimension], self.known[space.dimension :], rubs)
        return touching(TouchedJoint(space, kind, a, wrench, self.sizes, tuple(slip.speed for slip in self.slips)))

    def contribute(self) -> Contribution:
        conditions, implied = self._laws() if self.dry else ((), ())
        return replace(self._acting(), conditions=conditions, implied=implied)

    def given(self) -> tuple[Contribution, GivenFriction | None]:
        """What it does where what it transmits is given, and what is dry of it."""
        if not self.dry:
            return self._acting(), None
        assert self.known is not None
        count, law = len(self.slips), self._law()
        into, still = ca.SX.sym(f"{self.name} into", count), ca.SX.sym(f"{self.name} still")
        bound = None
        if self.grips:
            (slip,) = self.slips
            mu = law.at(slip.speed**2)
            bound = slip.lever * law.sticking * self.touching.normal(law.sticking)
            pressed = ca.if_else(still > 0.5, bound, slip.lever * mu * self.touching.normal(mu))
            values = [-into * pressed]
        else:
            values = self._smooth(law)
        return self._acting(), GivenFriction(
            efforts=ca.vertcat(*[slip.effort for slip in self.slips]),
            wrench=self.known,
            into=into,
            still=still,
            law=ca.vertcat(*values),
            bound=bound,
            slips=ca.vertcat(*[slip.speed for slip in self.slips]),
        )

    def _acting(self) -> Contribution:
        """The efforts, what they destroy, and what is told of them."""
        damping = self.value(self.friction.viscous)
        efforts = [
            (slip.effort if self.dry else ca.SX(0)) - (ca.SX(0) if damping is None else damping * slip.rate)
            for slip in self.slips
        ]
        pairs = list(zip(self.slips, efforts, strict=True))
        readings = dict(self._reading(*pair) for pair in pairs)
        if self.dry:
            pressed = self.touching.normal(0.0)
            readings["contact"] = Reading("N", "force between what touches, all places together", pressed)
        return Contribution(
            efforts=tuple(JointEffort(self.joint, slip.number, effort) for slip, effort in pairs),
            dissipation=sum((-effort * slip.rate for slip, effort in pairs), ca.SX(0)),
            readings=readings,
        )

    def _reading(self, slip: _Slip, effort: ca.SX) -> tuple[str, Reading]:
        """What it does along a coordinate; several of one kind have the last letters of their coordinates."""
        word, unit = ("torque", "N*m") if slip.freedom.angular else ("force", "N")
        alike = sum(other.freedom.angular == slip.freedom.angular for other in self.slips) > 1
        key = f"{word}_{slip.freedom.name[-1]}" if alike else word
        return key, Reading(
            unit, f"friction {word} along {slip.freedom.name}, on the child", effort + slip.lever * self.held
        )

    def _law(self) -> Coefficients:
        """Its coefficients."""
        sliding, sticking = self.value(self.friction.coefficient), self.value(self.friction.static)
        assert sliding is not None
        return Coefficients(sliding, sliding if sticking is None else sticking, self.value(self.friction.stribeck))

    def _smooth(self, law: Coefficients) -> list[ca.SX]:
        """Efforts along all slips by the smooth law."""
        smoothing = self.value(self.friction.smoothing)
        assert smoothing is not None
        squared = sum((slip.speed**2 for slip in self.slips), ca.SX(0))
        mu = law.at(squared)
        size = mu * self.touching.normal(mu)
        return [-slip.speed / ca.sqrt(squared + smoothing**2) * slip.lever * size for slip in self.slips]

    def _laws(self) -> tuple[tuple[Condition, ...], tuple[Implied, ...]]:
        """What holds while it sticks, and what it is while it slips."""
        law = self._law()
        if self.grips:
            conditions, values = self._grip(law)
        else:
            conditions, values = (), self._smooth(law)
        implied = (Implied(slip.effort, value, JAMMED) for slip, value in zip(self.slips, values, strict=True))
        return conditions, tuple(implied)

    def _grip(self, law: Coefficients) -> tuple[tuple[Condition, ...], list[ca.SX]]:
        """What sticks, with the direction into which it lets go, and the effort of what slips."""
        (slip,) = self.slips
        into, mu = ca.SX.sym(f"{self.name} into"), law.at(slip.speed**2)
        grasp = Grasp(law.sticking * self.touching.normal(law.sticking), mu * self.touching.normal(mu), into)
        meaning = f"friction force where {self.joint} touches, on the child"
        words = ("sticks", "slips")
        grip = Condition(SLIP, slip.speed, level="grip", words=words, while_held=words[0], meaning=meaning, grasp=grasp)
        return (grip,), [-into * slip.lever * grasp.sliding]
