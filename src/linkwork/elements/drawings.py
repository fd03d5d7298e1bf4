"""What is drawn of an element, whatever it is: lines that are fixed in bodies, and what hangs between places of bodies.

A drawing needs numbers of parameters and no state, and curves in it are tabulated: therefore it stands beside the record of
expressions that an element contributes, and views ask for it without coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Place


class Pen(Protocol):
    """What an element may ask when it is drawn."""

    @property
    def space(self) -> Space:
        """The plane or the space."""
        ...

    def number(self, expression: ca.SX) -> Array:
        """The value of an expression at the parameters of the drawing."""
        ...

    def place(self, reference: str) -> Place:
        """A point, in the axes of its body."""
        ...


@dataclass(frozen=True, eq=False)
class Drawings:
    """What is drawn of one element.

    outlines: polylines (n × d) in the axes of a body each; string: places that straight lines join, as a rod or a cable
    does; spring: places between which a spring is drawn
    """

    outlines: tuple[tuple[str, Array], ...] = ()
    string: tuple[Place, ...] = ()
    spring: tuple[Place, Place] | None = None
