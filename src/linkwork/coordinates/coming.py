"""Conditions that come and go, as coordinates have them: limits, grips, and connections that somebody closes and opens."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees

import casadi as ca

from linkwork.coordinates.base import RowLabel
from linkwork.elements.contribution import Load


@dataclass(frozen=True, eq=False)
class Coming:
    """A condition that comes and goes.

    name: of its element, with that of its group where the element has several
    selector: a parameter, 1 while it holds and 0 otherwise; all rows of its group are multiplied by it
    words: what it does where it begins to hold, where it ends, and where it is hit and sends back what hits it
    while_held: what it is while it holds, in a word or two
    unit: what λ = 1 does to bodies that touch; empty: it is found otherwise
    """

    name: str
    label: RowLabel
    selector: ca.SX
    words: tuple[str, ...]
    while_held: str
    unit: tuple[Load, ...]


@dataclass(frozen=True, eq=False)
class Grip(Coming):
    """One that holds a velocity, its slip, as long as |λ| ≤ bound; sliding: |λ| of what slips.

    direction: a parameter, into which it slips, 1 or −1, or the part of its friction that acts where others hold the slip
    on: the component of the limit of its element with which alone it holds; empty: it may always
    coefficient: with which impulses of that limit rub; None: impulses do not
    mate: of a slip with two components, the component of the first; |λ|, slip and direction are those of both together
    """

    slip: ca.SX
    bound: ca.SX
    sliding: ca.SX
    direction: ca.SX
    on: str
    coefficient: ca.SX | None
    mate: str


@dataclass(frozen=True, eq=False)
class OneSided(Coming):
    """One that holds, and pushes with λ ≥ 0, only where its room Φ ≥ 0 is used up.

    restitution: the part of the speed with which it is hit that comes back; lever: of rooms and pushes that are an angle's,
        None of others
    remedy: what to do where a mechanism begins beyond it
    """

    room: ca.SX
    restitution: ca.SX
    lever: float | None
    remedy: str

    @property
    def impulse_unit(self) -> str:
        """Of what it pushes with in no time."""
        return "N*s" if self.lever is None else "N*m*s"

    def measured(self, room: float) -> str:
        """A room (m) in words: an angle in degrees where it is one."""
        return f"{room:.6g} m" if self.lever is None else f"{degrees(room / self.lever):.6g} deg"


@dataclass(frozen=True, eq=False)
class Connected(Coming):
    """All conditions of an element, which hold while nobody releases it; start: whether at first."""

    start: bool
