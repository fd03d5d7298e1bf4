"""What a model says that touches: shapes, who ignores whom, the pairs that are meant, and the law of each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca

from linkwork.elements.shapes.forms import ContactShape
from linkwork.elements.shapes.kinship import kinship_of
from linkwork.numerics.collision.broad_phase import Kinship

LINEAR, HUNT_CROSSLEY, HERTZ = "linear", "hunt_crossley", "hertz"
LAWS = (LINEAR, HUNT_CROSSLEY, HERTZ)
"""How what gives way pushes: k δ + d δ̇, k δ^p (1 + d δ̇), and the same with the k of Hertz's theory."""


def _zero() -> ca.SX:
    return ca.SX(0)


@dataclass(frozen=True, eq=False)
class ContactCompliance:
    """A contact that gives way. stiffness: N/m, N/m^1.5, or Pa of 'hertz'; damping: N s/m, or s/m of the last two."""

    law: str
    stiffness: ca.SX
    damping: ca.SX = field(default_factory=_zero)


@dataclass(frozen=True, eq=False)
class ContactLaw:
    """What happens where a pair touches: expressions of the live parameters.

    friction: of what slides; static: of what sticks; stribeck: speed (m/s) over which the one becomes the other, None: at
        once; smoothing: speed (m/s) below which friction is a smooth function and does not hold, None: it holds
    rolling, spinning: radii (m) by which the force across the surfaces resists turning along and about the normal
    restitution: the part of the speed that comes back; compliance: None of what is rigid
    """

    friction: ca.SX = field(default_factory=_zero)
    static: ca.SX = field(default_factory=_zero)
    stribeck: ca.SX | None = None
    smoothing: ca.SX | None = None
    rolling: ca.SX = field(default_factory=_zero)
    spinning: ca.SX = field(default_factory=_zero)
    restitution: ca.SX = field(default_factory=_zero)
    compliance: ContactCompliance | None = None

    @property
    def rubs(self) -> bool:
        """Whether there is friction, or may be with other values of live parameters."""
        return not (self.friction.is_zero() and self.static.is_zero())

    @property
    def smooth(self) -> ContactLaw:
        """The same without friction."""
        return replace(self, friction=_zero(), static=_zero(), rolling=_zero(), spinning=_zero())

    @property
    def grips(self) -> bool:
        """Whether it sticks."""
        return self.rubs and self.smoothing is None

    @property
    def resists_turning(self) -> bool:
        return not (self.rolling.is_zero() and self.spinning.is_zero())


@dataclass(frozen=True, eq=False)
class ContactPair:
    """Two shapes that may touch, by their numbers, with their law.

    name: that of the contact, with those of its shapes where it has several pairs; contact: the name in the model
    """

    name: str
    contact: str
    shapes: tuple[int, int]
    law: ContactLaw


@dataclass(frozen=True, eq=False)
class Touchables:
    """All that a model says that touches.

    joined: pairs of bodies that a joint connects, unless a contact names the two alone; ignore: of bodies and of shapes
    """

    shapes: tuple[ContactShape, ...] = ()
    pairs: tuple[ContactPair, ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    ignore: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pairs)

    @cached_property
    def law_of(self) -> dict[tuple[int, int], ContactPair]:
        """The pairs by the numbers of their shapes, the lower first."""
        return {(min(pair.shapes), max(pair.shapes)): pair for pair in self.pairs}

    def ends(self, pair: ContactPair) -> tuple[ContactShape, ContactShape]:
        """Both shapes of a pair."""
        one, other = pair.shapes
        return self.shapes[one], self.shapes[other]

    @cached_property
    def kinship(self) -> Kinship:
        """Who ignores whom, for a broad phase: all that are no pair are left out by `law_of` besides."""
        return kinship_of(self.shapes, self.joined, self.ignore)


def named_pairs(contact: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Names of the pairs of a contact: its own, or with both shapes where it has several."""
    if len(pairs) == 1:
        return [contact]
    return [f"{contact}.{'_'.join(name.replace('.', '_') for name in pair)}" for pair in pairs]
