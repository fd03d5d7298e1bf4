"""What is drawn of an element, whatever it is: lines that are fixed in bodies, and what hangs between places of bodies.

A drawing needs numbers of parameters and no state, and curves in it are tabulated: therefore it stands beside the record of
expressions that an element contributes, and views ask for it without coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import casadi as ca
import numpy as np

from linkwork.algebra.rotations import frame_about
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Place

CORNERS = 60  # of the circle of a wheel


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

    def centre(self, body: str) -> Place:
        """The centre of mass of a body."""
        ...


@dataclass(frozen=True, eq=False)
class Wheel:
    """How a wheel is drawn: a circle about an axis, in the axes of its body (3-D; in the plane z = 0)."""

    body: str
    centre: Array
    axis: Array
    radius: float

    def outline(self, dimension: int) -> Array:
        """The pitch circle with one spoke, which shows how it turns: a polyline (n × d)."""
        x, y = frame_about(self.axis)[:, :2].T
        turns = np.linspace(0.0, 2 * np.pi, CORNERS + 1)
        circle = self.centre + self.radius * (np.outer(np.cos(turns), x) + np.outer(np.sin(turns), y))
        return np.asarray(np.vstack([self.centre, circle])[:, :dimension])


@dataclass(frozen=True, eq=False)
class DrawnLoad:
    """An arrow: which readings of the element are the components of a force, or of a moment, at a place; world axes."""

    at: Place
    force: tuple[str, ...] = ()
    moment: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Drawings:
    """What is drawn of one element.

    outlines: polylines (n × d) in the axes of a body each; string: places that straight lines join, as a rod or a cable
    does; radii: of pulleys at these, positive on the left of the string, 0 without one; spring: places between which a
    spring is drawn; wheels: those that it couples, or that roll; loads: what it pushes with
    look: of a string 'rod' or 'rope'; of a spring 'spring' or 'strut'; of wheels 'outside' or 'inside' where they mesh,
    'belt' or 'crossed' where a belt runs round them, 'rack', or 'wheel' where they roll
    play, ahead: between teeth along the pitch circle, and how far the first wheel is beyond its middle when assembled (m)
    """

    outlines: tuple[tuple[str, Array], ...] = ()
    string: tuple[Place, ...] = ()
    spring: tuple[Place, Place] | None = None
    radii: tuple[float, ...] = ()
    wheels: tuple[Wheel, ...] = ()
    loads: tuple[DrawnLoad, ...] = ()
    look: str = ""
    play: float = 0.0
    ahead: float = 0.0
