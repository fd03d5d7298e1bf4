"""Newton's and Euler's equations of all bodies as expressions: what pushes do to them, and what they are due.

Every push touches few bodies: matrices are put together from their entries alone, and all velocities are differentiated at
once, so that it costs as much as the mechanism is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.space import Space
from linkwork.algebra.written import written_by_pattern
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.gearing import gear_loads
from linkwork.equations.reactions.push import Push, Wrench, further_equations, own_equations
from linkwork.position.geometry import GROUND
from linkwork.topology.graph.blocks import blocks

Addend = tuple[int, int, ca.SX]
"""Row, column, value."""


def from_entries(entries: Iterable[Addend], shape: tuple[int, int]) -> ca.SX:
    """The sparse matrix in which these are added up."""
    known: dict[tuple[int, int], ca.SX] = {}
    for i, j, value in entries:
        if not value.is_zero():
            known[i, j] = known[i, j] + value if (i, j) in known else value
    rows, columns = ([place[i] for place in known] for i in (0, 1))
    return ca.SX.triplet(rows, columns, ca.vertcat(ca.SX(0, 1), *known.values()), *shape)


class BodyRows:
    """Where the equations of the bodies stand, and their centres of mass."""

    def __init__(self, c: Coordinates) -> None:
        self.space, k = c.space, c.space.freedoms
        self.start = {name: i * k for i, name in enumerate(c.geometry.bodies)}
        self.centre = {name: c.motion.centre(name).position for name in c.geometry.bodies}
        self.count = len(self.start) * k

    def entries(self, wrenches: Sequence[Wrench], column: int) -> Iterator[Addend]:
        """The forces, and the moments about the centres of mass."""
        for body, force, moment, at in wrenches:
            if body == GROUND:
                continue
            (whole,) = _about(force, moment, at, self.centre[body], space=self.space)
            first = self.start[body]
            yield from ((first + i, column, whole.nz[k]) for k, i in enumerate(whole.sparsity().row()))


@written_by_pattern
def _about(force: ca.SX, moment: ca.SX, at: ca.SX, centre: ca.SX, *, space: Space) -> list[ca.SX]:
    """A force and the moment about a centre of a wrench."""
    return [ca.vertcat(force, moment + space.moment(at - centre, force))]


def push_matrix(c: Coordinates, pushes: Sequence[Push]) -> ca.SX:
    """G: what every push does to the bodies, and to unknowns of relations."""
    bodies = BodyRows(c)
    entries = (entry for i, push in enumerate(pushes) for entry in bodies.entries(push.wrenches, i))
    own = ((bodies.count + i, j, value) for i, j, value in own_equations(c, pushes))
    return from_entries((*entries, *own), (bodies.count + further_equations(c), len(pushes)))


def apart_matrix(c: Coordinates, pushes: Sequence[Push]) -> ca.SX:
    """The columns of what grows with the size |f| of a push."""
    bodies = BodyRows(c)
    entries = (entry for i, push in enumerate(pushes) for entry in bodies.entries(push.apart, i))
    return from_entries(entries, (bodies.count + further_equations(c), len(pushes)))


def push_groups(c: Coordinates, pushes: Sequence[Push]) -> NDArray[np.int64]:
    """(nf) numbers of the parts of the mechanism between which nothing is strained, of every push.

    Where parts hang together at one body alone, or at the ground, what strains one of them is in balance within it.
    """
    touched: dict[str, set[str]] = {}
    for push in pushes:
        touched.setdefault(push.element, set()).update(body for body, *_ in push.wrenches)
    ties: list[tuple[str, str, str]] = []
    for element, found in touched.items():
        alone = element in c.geometry.relations or len(found) < 2  # whose push on the ground is not told
        ring = sorted(found | {GROUND} if alone else found)
        pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
        ties += [(element, *pair) for pair in ([(ring[0], ring[-1])] if len(ring) == 2 else pairs)]
    number = dict(zip((element for element, *_ in ties), blocks([pair for _, *pair in ties]), strict=True))
    return np.array([number[push.element] for push in pushes], dtype=np.int64)


def body_inertia(c: Coordinates) -> ca.SX:
    """Mass and inertia of every body, in world axes, and of unknowns of relations, on one diagonal."""
    c.geometry.all_rigid("shares of reactions by inertia", "take another scheme")
    parts = [ca.SX(0, 0), *[c.motion.inertia(name).block for name in c.geometry.bodies]]
    first, idle = _further(c)
    return ca.diagcat(*parts, c.mass[first:, first:], ca.SX(idle, idle))


def body_velocities(c: Coordinates) -> ca.SX:
    """∂/∂v of the velocities of the centres of mass, of the angular velocities, and of the rates of unknowns."""
    parts = [ca.SX(0, 1), *[c.motion.inertia(name).velocities for name in c.geometry.bodies]]
    first, idle = _further(c)
    return ca.vertcat(ca.jacobian(ca.vertcat(*parts, c.v[first:, :]), c.v), ca.SX(idle, c.v.numel()))


def right_side(c: Coordinates, vdot: ca.SX, pushes: Sequence[Push]) -> ca.SX:
    """Inertia forces less applied forces and the steady parts of pushes, body by body, and of unknowns of relations."""
    bodies, loads = BodyRows(c), [*c.loading.loads, *gear_loads(c.motion, c.loading.actions, vdot)]
    wrenches = [(load.body, load.force, load.moment, load.at) for load in loads]
    wrenches += [wrench for push in pushes for wrench in push.steady]
    first, idle = _further(c)
    own = (c.mass @ vdot - c.forces)[first:, :] if first < c.v.numel() else ca.SX(0, 1)
    due = ca.vertcat(ca.SX(0, 1), *c.motion.resistances(vdot).values())
    return ca.vertcat(due - from_entries(bodies.entries(wrenches, 0), (bodies.count, 1)), own, ca.SX(idle, 1))


def _further(c: Coordinates) -> tuple[int, int]:
    """Where unknowns of relations begin among the velocities, and how many equations belong to rows that come and go."""
    idle = sum(map(len, c.coming))
    return c.v.numel() - further_equations(c) + idle, idle
