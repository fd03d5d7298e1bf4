"""Mass, centre of mass and inertia of a rigid body that is built from uniform solids.

A *solid* has a volume, a centre of mass and a gyration tensor G, its inertia about that centre per unit of mass. Placed
and given a mass it becomes a *distribution* of mass, and distributions add up by the theorem of parallel axes:

    m = Σ mᵢ,   c = Σ mᵢ cᵢ / m,   I = Σ Rᵢ mᵢ Gᵢ Rᵢᵀ + mᵢ (dᵢ·dᵢ 1 − dᵢ dᵢᵀ),   dᵢ = cᵢ − c.

A hole is a solid of negative mass. Solids are spatial; a planar body is seen from above, so that only the moment about z
counts. Standard formulas, SI; everything may depend on live parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.algebra.written import written
from linkwork.elements.outlines import Lines, ball_lines, box_lines, prism_lines, round_lines


@dataclass(frozen=True, eq=False)
class UniformSolid:
    """A uniform shape in its own axes: volume (m³; None of a line or a surface), centre (3, m), G (3 × 3, m²).

    outline: polylines (3 × n, m) that show it.
    """

    volume: ca.SX | None
    centre: ca.SX
    gyration: ca.SX
    outline: Lines = ()

    def inertia(self, space: Space, mass: ca.SX) -> ca.SX:
        """Inertia about its own centre, in its own axes; in the plane the moment about z."""
        return mass * (self.gyration[2, 2] if space.planar else self.gyration)


@dataclass(frozen=True, eq=False)
class Distribution:
    """Mass, centre of mass (d) and inertia about it (k × k), in the axes of a body."""

    mass: ca.SX
    centre: ca.SX
    inertia: ca.SX

    def seen(self, space: Space, axes: ca.SX, origin: ca.SX | float = 0.0) -> Distribution:
        """The same in the axes in which those of the body are the columns of *axes*, from a place of the body."""
        return Distribution(self.mass, axes @ (self.centre - origin), space.rotate_inertia(axes, self.inertia))

    def block(self, space: Space) -> ca.SX:
        """diag(m 1, I), for the velocity of the centre and the angular velocity."""
        return ca.diagcat(self.mass * ca.SX.eye(space.dimension), self.inertia)

    def load(self, space: Space, gravity: ca.SX, omega: ca.SX) -> ca.SX:
        """(m g, −ω × I ω)."""
        return ca.vertcat(self.mass * gravity, -space.gyroscopic(self.inertia, omega))

    def about(self, space: Space) -> tuple[ca.SX, ca.SX, ca.SX]:
        """m, m c, and the inertia about the origin."""
        return self.mass, self.mass * self.centre, self.inertia + space.steiner(self.mass, self.centre)

    def wrench(self, space: Space, acceleration: ca.SX, alpha: ca.SX, omega: ca.SX) -> tuple[ca.SX, ca.SX]:
        """m a_G, and its moment about the origin with that of the rotation; *acceleration*: of the origin."""
        r = self.centre
        f = self.mass * (acceleration + space.turn(alpha, r) + space.turn(omega, space.turn(omega, r)))
        return f, self.inertia @ alpha + space.gyroscopic(self.inertia, omega) + space.moment(r, f)


# -- solids ----------------------------------------------------------------------------------------------------------


def rod(length: ca.SX) -> UniformSolid:
    """Slender rod along x, about its middle: L²/12 across."""
    gyration, line = _rod(length)
    return UniformSolid(None, ca.SX(3, 1), gyration, (line,))


@written((1, 1))
def _rod(length: ca.SX) -> list[ca.SX]:
    across = length**2 / 12
    line = ca.vertcat(ca.horzcat(-length / 2, length / 2), ca.SX(2, 2))
    return [ca.diag(ca.vertcat(0, across, across)), line]


def box(edges: ca.SX) -> UniformSolid:
    """Solid box, about its middle: (b² + c²)/12 about x, and so on; with two edges a flat plate in x-y."""
    a, b, c = (edges[i] if i < edges.numel() else ca.SX(0) for i in range(3))
    volume = a * b * c if edges.numel() == 3 else None
    gyration = ca.diag(ca.vertcat(b**2 + c**2, a**2 + c**2, a**2 + b**2)) / 12
    return UniformSolid(volume, ca.SX(3, 1), gyration, box_lines(a, b, c))


def cylinder(radius: ca.SX, length: ca.SX, axis: str = "x", inner: ca.SX | float = 0.0) -> UniformSolid:
    """Cylinder, hollow inside the radius *inner*: (R² + r²)/2 about its axis, (3 (R² + r²) + L²)/12 across."""
    squares = radius**2 + inner**2
    gyration = _about(axis, squares / 2, (3 * squares + length**2) / 12)
    volume = ca.pi * (radius**2 - inner**2) * length
    walls = [radius] if isinstance(inner, float) else [radius, inner]
    lines = [line for wall in walls for line in round_lines(axis, [(-length / 2, wall), (length / 2, wall)])]
    return UniformSolid(volume, ca.SX(3, 1), gyration, tuple(lines))


def sphere(radius: ca.SX, inner: ca.SX | float = 0.0) -> UniformSolid:
    """Sphere, hollow inside the radius *inner*: 2/5 (R⁵ − r⁵)/(R³ − r³), divided by R − r; 2/3 R² of a thin shell."""
    gyration = 2 / 5 * _fifths(radius, inner) / _thirds(radius, inner) * ca.SX.eye(3)
    return UniformSolid(4 / 3 * ca.pi * (radius**3 - inner**3), ca.SX(3, 1), gyration, ball_lines(radius))


def cone(radius: ca.SX, length: ca.SX, axis: str = "x", top: ca.SX | float = 0.0) -> UniformSolid:
    """Cone or frustum: radius R at the origin, r = *top* at the distance L along the axis.

    With s = R² + R r + r²: volume π L s/3, centre at L (R² + 2 R r + 3 r²)/(4 s), moment 3/10 (R⁵ − r⁵)/(R³ − r³)
    about the axis; across, half of it more L² (R² + 3 R r + 6 r²)/(10 s) about the base.
    """
    s = _thirds(radius, top)
    height = length * (radius**2 + 2 * radius * top + 3 * top**2) / (4 * s)
    along = 3 / 10 * _fifths(radius, top) / s
    across = along / 2 + length**2 * (radius**2 + 3 * radius * top + 6 * top**2) / (10 * s) - height**2
    centre = ca.vertcat(*[height if name == axis else 0 for name in "xyz"])
    lines = round_lines(axis, [(0.0, radius), (length, top)])
    return UniformSolid(ca.pi * length * s / 3, ca.sparsify(centre), _about(axis, along, across), lines)


def plate(corners: ca.SX, thickness: ca.SX | None) -> UniformSolid:
    """Plate in x-y with the polygon *corners* (2 × n, either way round), as thick on both sides of z = 0.

    Area, centre and second moments as sums over the edges (Green's theorem), from the first corner.
    """
    start = corners[:, 0]
    area, first, second = ca.SX(1, 1), ca.SX(2, 1), ca.SX(2, 2)
    for i in range(1, corners.shape[1] - 1):
        # triangle of the first corner and an edge
        a, b = corners[:, i] - start, corners[:, i + 1] - start
        share = (a[0] * b[1] - a[1] * b[0]) / 2
        area += share
        first += share * (a + b) / 3
        second += share * (a @ a.T + b @ b.T + (a + b) @ (a + b).T) / 12
    middle = first / area
    spread = second / area - middle @ middle.T
    depth = ca.SX(0) if thickness is None else thickness**2 / 12
    spread = ca.diagcat(spread, depth)
    volume = None if thickness is None else ca.fabs(area) * thickness
    gyration = ca.trace(spread) * ca.SX.eye(3) - spread
    lines = prism_lines(corners, 0.0 if thickness is None else thickness)
    return UniformSolid(volume, ca.vertcat(start + middle, 0), gyration, lines)


def _about(axis: str, along: ca.SX, across: ca.SX) -> ca.SX:
    return ca.diag(ca.vertcat(*[along if name == axis else across for name in "xyz"]))


def _thirds(a: ca.SX, b: ca.SX | float) -> ca.SX:
    """(a³ − b³)/(a − b)."""
    return a**2 + a * b + b**2


def _fifths(a: ca.SX, b: ca.SX | float) -> ca.SX:
    """(a⁵ − b⁵)/(a − b)."""
    return a**4 + a**3 * b + a**2 * b**2 + a * b**3 + b**4


# -- distributions ---------------------------------------------------------------------------------------------------


def point_mass(space: Space, mass: ca.SX, place: ca.SX) -> Distribution:
    """A mass without extent."""
    return Distribution(mass, place, ca.SX(space.rotations, space.rotations))


def placed(space: Space, solid: UniformSolid, mass: ca.SX, frame: Frame) -> Distribution:
    """A solid of a given mass whose axes lie in a body as *frame* says."""
    centre = frame.point(solid.centre[: space.dimension])
    return Distribution(mass, centre, space.rotate_inertia(frame.axes, solid.inertia(space, mass)))


def placed_lines(space: Space, solid: UniformSolid, frame: Frame) -> Lines:
    """The outline of a solid (d × n) in the axes of a body; in the plane seen from above."""
    return tuple(
        frame.axes @ line[: space.dimension, :] + ca.repmat(frame.origin, 1, line.shape[1]) for line in solid.outline
    )


def combined(space: Space, parts: Sequence[Distribution]) -> Distribution:
    """All *parts* as one; masses may be negative as long as their sum is not zero.

    A part without mass may still have an inertia, such as that of a rotor whose mass counts elsewhere.
    """
    felt = [part for part in parts if not (part.mass.is_zero() and part.inertia.is_zero())] or list(parts[:1])
    if len(felt) == 1:
        return felt[0]
    mass = sum((part.mass for part in felt), ca.SX(0))
    centre = sum((part.mass * part.centre for part in felt), ca.SX(space.dimension, 1)) / mass
    inertia = ca.SX(space.rotations, space.rotations)
    for part in felt:
        inertia += part.inertia + space.steiner(part.mass, part.centre - centre)
    return Distribution(mass, ca.sparsify(centre), ca.sparsify(inertia))
