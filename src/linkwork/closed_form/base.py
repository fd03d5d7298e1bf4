"""What every closed form shares: the elements of a chain, their motions, the branches of a solution, and the cut.

A chain of elements 1 … n round a loop closes when T₁ T₂ … Tₙ = D. Each Tᵢ moves everything behind it about an axis
whose direction and point are given at the zero position of the loop, all in one frame; D is the displacement that the
frozen inputs impose. A turn is a pair (cosine, sine); a slide is a length along the axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.turns import Turn, angle_near

TURNING = "RSC"
SLIDING = "PC"


@dataclass(frozen=True, eq=False)
class ChainElement:
    """A joint of a chain: R revolute, P prismatic, S screw, C cylindrical, G globe (ball), F flat (planar).

    ``axis`` (3, unit) is the direction of the joint, the normal of an F, and not used by a G; ``point`` (3, m) lies on
    the axis, is the centre of a G, or any point in the plane of an F. A screw advances by ``pitch`` (m/rad); its angle
    is the principal value plus ``turns`` whole turns or, where it is given, the one nearest to ``guess``.
    """

    kind: str
    axis: ca.SX
    point: ca.SX
    pitch: ca.SX = field(default_factory=lambda: ca.SX(0))
    turns: ca.SX = field(default_factory=lambda: ca.SX(0))
    guess: ca.SX | None = None

    def moved(self, frame: Frame) -> ChainElement:
        """The same joint carried along by *frame*."""
        return replace(self, axis=frame.vector(self.axis), point=frame.point(self.point))

    def advance(self, turn: Turn) -> ca.SX:
        """Slide (m) of a screw turned by *turn*: pitch × its angle."""
        if self.guess is not None:
            return self.pitch * angle_near(turn, self.guess)
        return self.pitch * (ca.atan2(turn[1], turn[0]) + 2 * ca.pi * self.turns)


@dataclass(frozen=True, eq=False)
class ElementMotion:
    """How far one element has moved: its displacement T (a frame) and its coordinates.

    ``turn`` is the (cosine, sine) of R, S, C and F. ``slide`` is the length (m) of P, S and C; for an F it is the
    displacement (3, m) of its point in its plane. A G has its rotation in ``frame.axes`` only.
    """

    frame: Frame
    turn: Turn | None = None
    slide: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class Guess:
    """Where an element is thought to be: the (cosine, sine) of its turn, its slide (m); None where nothing is known."""

    turn: Turn | None = None
    slide: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class ChainBranch:
    """One assembly of a chain: the motion of every element, in the order of the chain.

    ``valid`` is ≥ 0 where the branch is real; elsewhere the motions are finite numbers without meaning.
    """

    name: str
    motions: tuple[ElementMotion, ...]
    valid: ca.SX


def rotate(axis: ca.SX, turn: Turn, v: ca.SX) -> ca.SX:
    """Vector *v* (3) turned about the unit *axis*: c (v − (u·v) u) + s u×v + (u·v) u.

    The parts stand apart from the turn: those of numbers fold, those of symbols are shared by all turns of *v*.
    """
    c, s = turn
    along = ca.dot(axis, v) * axis
    return c * (v - along) + s * ca.cross(axis, v) + along


def rotation(axis: ca.SX, turn: Turn) -> ca.SX:
    """Rotation matrix (3 × 3) of *turn* about the unit *axis*."""
    return ca.horzcat(*[rotate(axis, turn, ca.SX.eye(3)[:, i]) for i in range(3)])


def across(axis: ca.SX) -> ca.SX:
    """Two unit directions (rows of a 2 × 3) normal to the unit *axis* and to each other."""
    beside = ca.if_else(ca.fabs(axis[0]) < 0.6, ca.SX([1, 0, 0]), ca.SX([0, 1, 0]))
    e = ca.cross(axis, beside)
    e = e / ca.sqrt(ca.dot(e, e))
    return ca.horzcat(e, ca.cross(axis, e)).T


def turn_between(axis: ca.SX, start: ca.SX, end: ca.SX) -> Turn:
    """The turn about *axis* that carries the vector *start* onto *end* (seen along the axis)."""
    side = ca.cross(axis, start)
    return unit_turn(ca.dot(start, end) - ca.dot(axis, start) * ca.dot(axis, end), ca.dot(side, end))


def unit_turn(c: ca.SX, s: ca.SX) -> Turn:
    """(c, s) scaled to unit length."""
    length = ca.sqrt(ca.fmax(c * c + s * s, 1e-280))
    return c / length, s / length


def reversed_turn(turn: Turn) -> Turn:
    """The opposite turn."""
    return turn[0], -turn[1]


def motion(element: ChainElement, turn: Turn | None = None, slide: ca.SX | None = None) -> ElementMotion:
    """Motion of an R, P, S or C; the slide of an S follows from its turn."""
    if element.kind == "S" and turn is not None:
        slide = element.advance(turn)
    axes = ca.SX.eye(3) if turn is None else rotation(element.axis, turn)
    origin = ca.SX(3, 1) if turn is None else element.point - axes @ element.point
    if slide is not None:
        origin = origin + slide * element.axis
    return ElementMotion(Frame(origin, axes), turn, slide)


@dataclass(frozen=True, eq=False)
class Opened:
    """A chain without one element X: the others E₁ E₂ …, read from behind it, carry ``start`` onto ``end``.

    ``around`` holds (place in the chain, element) pairs; ``start`` and ``end`` are X before and behind the others.
    """

    around: list[tuple[int, ChainElement]]
    start: ChainElement
    end: ChainElement


def cut(chain: Sequence[ChainElement], displacement: Frame, index: int) -> Opened:
    """The chain without element *index* X: E₁ E₂ … = X⁻¹ D = Tₖ₊₁ … Tₙ (D⁻¹ T₁ D) … (D⁻¹ Tₖ₋₁ D).

    Either the elements before the cut are carried along by D⁻¹, or all is seen from the other side and those behind it
    are carried along by D: whichever leaves more freedoms in peace, since D moves and the chain mostly does not.
    """
    before, behind, cut_out = range(index), range(index + 1, len(chain)), chain[index]
    if sum(_freedoms(chain[i]) for i in before) <= sum(_freedoms(chain[i]) for i in behind):
        back = displacement.inverse()
        around = [(i, chain[i]) for i in behind] + [(i, chain[i].moved(back)) for i in before]
        return Opened(around, cut_out.moved(back), cut_out)
    around = [(i, chain[i].moved(displacement)) for i in behind] + [(i, chain[i]) for i in before]
    return Opened(around, cut_out, cut_out.moved(displacement))


def _freedoms(element: ChainElement) -> int:
    return (element.kind in TURNING) + (element.kind in SLIDING)


def closing_frame(frames: Sequence[Frame], displacement: Frame, index: int) -> Frame:
    """Displacement of element *index* that the *frames* of all others, in the order of the chain, leave to it.

    X = (T₁ … Tₖ₋₁)⁻¹ D (Tₖ₊₁ … Tₙ)⁻¹, with *frames* holding n − 1 displacements.
    """
    return compose(frames[:index]).inverse() @ displacement @ compose(frames[index:]).inverse()


def compose(frames: Sequence[Frame]) -> Frame:
    """Product of displacements, left to right."""
    total = Frame.identity(3)
    for frame in frames:
        total = total @ frame
    return total


def place_of(chain: Sequence[ChainElement], kind: str) -> int:
    """Place of the one element of *kind*."""
    return [element.kind for element in chain].index(kind)


def determinant(columns: Sequence[ca.SX]) -> ca.SX:
    """Determinant of three columns (3)."""
    return ca.dot(columns[0], ca.cross(columns[1], columns[2]))


def solve_columns(columns: Sequence[ca.SX], right: ca.SX) -> ca.SX:
    """x (3) with Σ xᵢ columnᵢ = *right*: Cramer's rule and one step of refinement."""
    a, b, c = columns
    inverse = ca.horzcat(ca.cross(b, c), ca.cross(c, a), ca.cross(a, b)).T / determinant(columns)
    x = inverse @ right
    return x + inverse @ (right - ca.horzcat(*columns) @ x)
