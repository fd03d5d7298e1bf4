"""The friction of joints, as elements of a mechanism in motion: ``O.friction`` is that of joint O.

Friction T and what the joint presses with depend on each other: T is an unknown of the loads (``Implied``). Where nothing
slips, a condition on the velocity holds instead, with |λ| ≤ μ₀ N. With a smoothing speed ε there is no such condition, and
T goes with s/√(s² + ε²).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import (
    Condition,
    Contribution,
    Grasp,
    Implied,
    JointCoordinate,
    JointEffort,
    Reading,
)
from linkwork.elements.rubbing import Coefficients, RubbingSizes, TouchedJoint, Touching, lever, touching, wrench_of
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
            coordinate = scene.coordinate(name, joint.freedoms[0].name)
            yield f"{name}.{RUBBING}", _Rubbing(scene, name, coordinate, joint.friction).contribute()


@dataclass(frozen=True, eq=False)
class _Rubbing:
    """The friction of one joint along one of its coordinates."""

    scene: MovingScene
    joint: str
    coordinate: JointCoordinate
    friction: JointFriction

    @property
    def name(self) -> str:
        return f"{self.joint}.{RUBBING}"

    def value(self, expression: Expression | None) -> ca.SX | None:
        return None if expression is None else self.scene.value(expression)

    @cached_property
    def effort(self) -> ca.SX:
        """Of what slips, along the coordinate, on the child."""
        return ca.SX.sym(self.name)

    @cached_property
    def held(self) -> ca.SX:
        """λ of what sticks."""
        return ca.SX(0) if self.friction.smoothing is not None else self.scene.multiplier(self.name, SLIP)

    @cached_property
    def sizes(self) -> RubbingSizes:
        return RubbingSizes(self.value(self.friction.radius), self.value(self.friction.length))

    @cached_property
    def lever(self) -> ca.SX:
        return lever(self.scene.joint_kind(self.joint), self.sizes)

    @property
    def slip(self) -> ca.SX:
        return self.lever * self.coordinate.rate

    @cached_property
    def touching(self) -> Touching:
        space, kind = self.scene.space, self.scene.joint_kind(self.joint)
        a, b = (solid.frame for solid in self.scene.sides(self.joint))
        pushes = [self.scene.multiplier(self.joint, row.component) for row in kind.rows(space, a, b)]
        wrench = wrench_of(space, kind, (a, b), pushes, self.effort + self.lever * self.held)
        return touching(TouchedJoint(space, kind, a, wrench, self.sizes))

    def contribute(self) -> Contribution:
        damping = self.value(self.friction.viscous)
        viscous = ca.SX(0) if damping is None else damping * self.coordinate.rate
        dry = self.friction.coefficient is not None
        effort = (self.effort if dry else ca.SX(0)) - viscous
        word, whole = ("force" if self.coordinate.unit == "m" else "torque"), effort
        readings, conditions, implied = dict[str, Reading](), tuple[Condition, ...](), tuple[Implied, ...]()
        if dry:
            whole = effort + self.lever * self.held
            conditions, implied = self._laws()
            pressed = self.touching.normal(0.0)
            readings["contact"] = Reading("N", "force between what touches, all places together", pressed)
        text = f"friction {word} along the coordinate, on the child"
        return Contribution(
            conditions=conditions,
            efforts=(JointEffort(self.coordinate.joint, self.coordinate.freedom, effort),),
            dissipation=-effort * self.coordinate.rate,
            implied=implied,
            readings={word: Reading(self.coordinate.effort_unit, text, whole), **readings},
        )

    def _laws(self) -> tuple[tuple[Condition, ...], tuple[Implied, ...]]:
        """What holds while it sticks, and what it is while it slips."""
        sliding, sticking = self.value(self.friction.coefficient), self.value(self.friction.static)
        assert sliding is not None
        law = Coefficients(sliding, sliding if sticking is None else sticking, self.value(self.friction.stribeck))
        smoothing, conditions = self.value(self.friction.smoothing), tuple[Condition, ...]()
        if smoothing is None:
            into = ca.SX.sym(f"{self.name} into")
            bound = law.sticking * self.touching.normal(law.sticking)
            sliding = law.at(self.slip) * self.touching.normal(law.at(self.slip))
            conditions = (
                Condition(
                    SLIP,
                    self.slip,
                    level="grip",
                    words=("sticks", "slips"),
                    meaning=f"friction force where {self.joint} touches, on the child",
                    grasp=Grasp(bound, sliding, into),
                ),
            )
        else:
            into = self.slip / ca.sqrt(self.slip**2 + smoothing**2)
        mu = law.at(self.slip)
        value = -into * self.lever * mu * self.touching.normal(mu)
        return conditions, (Implied(self.effort, value, JAMMED),)
