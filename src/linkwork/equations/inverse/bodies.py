"""Efforts of motors from the equations of all bodies, in which motors push like joints do.

    G f + R u = r,     r = [m a − F ; I α + ω × I ω − N]

newton                [K R; A 0] [x; u] = [r; 0] with all components x of every joint (``reaction_newton``)
joint_elimination     one motor is set free, all joints and other motors hold: u · 1 = w*ᵀ r
element_elimination   one body is taken out: its equilibrium, and the virtual power of what is left
constraint_variation  the coordinate of one motor has a unit rate, all conditions and the other motors none

(García de Jalón and Bayo, sections 6.2.1 and 6.2.5.) The reactions of joints are found in the same way.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from linkwork.coordinates.motors import motor_rates
from linkwork.equations.inverse.base import InverseMethod, Motorised, Samples, with_others
from linkwork.equations.reactions.balance import Array, Balance, BodyInertia, scaled_balance
from linkwork.equations.reactions.base import ReactionScheme
from linkwork.equations.reactions.newton import NewtonScheme, newton_system
from linkwork.equations.reactions.reactions import ReactionPlan, plan_reactions
from linkwork.equations.reactions.schemes import Completed
from linkwork.equations.reactions.virtual_power import ConstraintScheme, ElementScheme, JointScheme
from linkwork.equations.terms import make_function


class Newton(InverseMethod):
    """[K R; A 0] [x; u] = [r; 0]."""

    name = "newton"
    summary = "Newton's and Euler's equations of all bodies, with all components of every joint"

    @property
    def reactions(self) -> ReactionScheme:
        return NewtonScheme()

    def solve(self, motorised: Motorised, samples: Samples) -> Array:
        balance = _driven_balance(motorised, samples)
        system, k = newton_system(balance), motorised.u.numel()
        split = system.matrix.shape[-1] - k
        pushed = system.matrix[:, :, split:] / balance.plan.scale[balance.matrix.shape[-1] - k :]
        return with_others(pushed, system.matrix[:, :, :split], system.right, motorised.weights)


class _Variation(InverseMethod):
    """Efforts by a scheme of virtual power that treats motors as it does joints."""

    @abstractmethod
    def scheme(self, motors: frozenset[str]) -> ReactionScheme:
        """What solves for the motors."""

    def solve(self, motorised: Motorised, samples: Samples) -> Array:
        balance, k = _driven_balance(motorised, samples), motorised.u.numel()
        names = frozenset(motor.name for motor in motorised.motors)
        first, split = balance.world.shape[1] - k, balance.matrix.shape[-1] - k
        found, loose = self.scheme(names).solve(balance)[:, first:], balance.open[:, first:]
        if not loose.any():
            return found
        # no motion moves one of these alone
        pushed = balance.matrix[:, :, split:] / balance.plan.scale[split:]
        shared = with_others(pushed, balance.matrix[:, :, :split], balance.right, motorised.weights)
        return np.where(loose, shared, found)


class JointElimination(_Variation):
    """One motor after the other is set free."""

    name = "joint_elimination"
    summary = "virtual power of a motion that frees one motor, or opens one joint, after the other"

    @property
    def reactions(self) -> ReactionScheme:
        return Completed(JointScheme())

    def scheme(self, motors: frozenset[str]) -> ReactionScheme:
        return JointScheme(motors)


class ElementElimination(_Variation):
    """One body after the other is taken out."""

    name = "element_elimination"
    summary = "equilibrium of one body after the other, with the virtual power of all others"

    @property
    def reactions(self) -> ReactionScheme:
        return Completed(ElementScheme())

    def scheme(self, motors: frozenset[str]) -> ReactionScheme:
        return ElementScheme(motors)


class ConstraintVariation(_Variation):
    """The coordinate of one motor after the other has a unit rate."""

    name = "constraint_variation"
    summary = "virtual power with a unit rate of one motor, or of one condition, after the other"

    @property
    def reactions(self) -> ReactionScheme:
        return ConstraintScheme(nearest=True)

    def scheme(self, motors: frozenset[str]) -> ReactionScheme:
        return ConstraintScheme(nearest=True)


def _driven_balance(motorised: Motorised, samples: Samples) -> Balance:
    """G f = r with the efforts of motors as the last of f."""
    plan = plan_reactions(motorised.coordinates, motorised.motors)

    def inertia() -> BodyInertia:
        return _driven_inertia(motorised, plan, samples)

    return scaled_balance(plan, samples.time, samples.evaluate(plan.function), inertia, samples.evaluate)


def _driven_inertia(motorised: Motorised, plan: ReactionPlan, samples: Samples) -> BodyInertia:
    """What bodies and conditions are when the motors hold their coordinates."""
    c = motorised.coordinates
    rates = motor_rates(c, motorised.motors)
    held = samples.evaluate(make_function("held", c, {"B": rates}, plan.vdot))["B"]
    parts = samples.evaluate(plan.inertia)
    size = len(samples.time), held.shape[1]

    def right(vdot: Array) -> Array:
        raise NotImplementedError("the motion is known")

    return BodyInertia(
        mass=plan.sizes[:, None] * parts["M"] * plan.sizes,
        velocities=parts["J"] / plan.sizes[:, None],
        jacobian=np.concatenate([parts["C"], held], axis=1),
        bias=np.concatenate([parts["b"][..., 0], np.zeros(size)], axis=1),
        scale=c.kinematics.scale,
        right=right,
    )
