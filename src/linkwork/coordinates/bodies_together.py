"""Bodies that are looked at together, the whole mechanism or a group: mass, centre of mass, inertia and momenta.

With the masses m, the centres of mass r, the inertias I about them (world axes) and the momenta p and H of the bodies, those
of parts that turn inside them among the last,

    M = Σ m,   c = Σ m r / M,   p = Σ p,   H_P = Σ ((r − r_P) × p + H),   I_c = Σ (I + m (d·d 1 − d dᵀ)),   d = r − c.

All of it is seen from the ground, as all velocities are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from linkwork.coordinates.motion import Motion
from linkwork.elements.contribution import CarriedSpin, Contribution, Station
from linkwork.elements.inertia import Distribution, combined
from linkwork.position.geometry import Geometry


@dataclass(frozen=True, eq=False)
class BodyMomenta:
    """Of one body, in world axes: its mass at its centre with the inertia about that; p (d), and H (k) about the centre.

    inside: of H, what parts have that turn inside the body
    """

    distribution: Distribution
    linear: ca.SX
    angular: ca.SX
    inside: ca.SX


@dataclass(frozen=True, eq=False)
class BodiesTogether:
    """Some bodies of a mechanism in motion; *spins*: parts that turn inside them."""

    motion: Motion
    names: tuple[str, ...]
    spins: tuple[CarriedSpin, ...] = ()

    @cached_property
    def bodies(self) -> tuple[BodyMomenta, ...]:
        return tuple(self._body(name) for name in self.names)

    def _body(self, name: str) -> BodyMomenta:
        space, motion, own = self.motion.geometry.space, self.motion, self.motion.inertia(name)
        d, spins = space.dimension, [spin for spin in self.spins if spin.body == name]
        omega = own.velocities[d : space.freedoms]
        inertia = sum((spin.left_out for spin in spins), own.block[d : space.freedoms, d : space.freedoms])
        inside = sum((spin.momentum(omega) for spin in spins), ca.SX(space.rotations, 1))
        distribution = Distribution(motion.geometry.bodies[name].kind.mass, motion.centre(name).position, inertia)
        return BodyMomenta(distribution, own.momenta[:d], own.momenta[d : space.freedoms] + inside, inside)

    @cached_property
    def distribution(self) -> Distribution:
        """M, c and I_c as of one rigid body that is welded together of them now."""
        return combined(self.motion.geometry.space, [body.distribution for body in self.bodies])

    @cached_property
    def mass(self) -> ca.SX:
        return sum((body.distribution.mass for body in self.bodies), ca.SX(0))

    @cached_property
    def linear(self) -> ca.SX:
        """p (d)."""
        return sum((body.linear for body in self.bodies), ca.SX(self.motion.geometry.space.dimension, 1))

    @cached_property
    def centre(self) -> Station:
        """The centre of mass, with its velocity."""
        return Station("", self.distribution.centre, self.linear / self.mass)

    def angular(self, about: ca.SX) -> ca.SX:
        """H (k) about a place (d)."""
        space = self.motion.geometry.space
        parts = (space.moment(body.distribution.centre - about, body.linear) + body.angular for body in self.bodies)
        return sum(parts, ca.SX(space.rotations, 1))

    @cached_property
    def parts(self) -> list[ca.SX]:
        """What bodies and parts inside them give to H about the centre of mass, by velocities beside that."""
        space, c = self.motion.geometry.space, self.centre
        outer = [
            space.moment(body.distribution.centre - c.position, body.linear - body.distribution.mass * c.velocity)
            + (body.angular - body.inside)
            for body in self.bodies
        ]
        return [*outer, *(body.inside for body in self.bodies)]

    @cached_property
    def about_centre(self) -> ca.SX:
        """H (k) about the centre of mass."""
        return sum(self.parts, ca.SX(self.motion.geometry.space.rotations, 1))


def weightless(geometry: Geometry, names: Iterable[str]) -> bool:
    """Whether bodies have no mass, whatever the parameters are, and no centre of it."""
    return all(geometry.bodies[name].kind.mass.is_zero() for name in names)


def all_spins(actions: Mapping[str, Contribution]) -> tuple[CarriedSpin, ...]:
    """Parts that turn inside bodies, of all elements."""
    return tuple(spin for action in actions.values() for spin in action.spins)


def untold(geometry: Geometry, actions: Mapping[str, Contribution]) -> list[str]:
    """Elements with parts of their own that move, of which they do not say the momentum."""
    massive = [
        name
        for name, relation in geometry.relations.items()
        if any(unknown.mass is not None for unknown in relation.unknowns)
    ]
    moving = [name for name, action in actions.items() if not action.kinetic.is_zero() and not action.spins]
    return [*massive, *moving]
