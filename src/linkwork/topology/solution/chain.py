"""Spatial loops of the table of chains, and loops of slides: every joint as an element of a chain T₁ T₂ … Tₙ = D.

The chain is read in the frame of its first joint, from behind the place where what is known moves: the elements are then
numbers, and all that moves is D, in every loop that one known motion drives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.algebra.turns import Turn
from linkwork.closed_form import recognise
from linkwork.closed_form.base import ChainBranch, ChainElement, ElementMotion, Guess, determinant, solve_columns
from linkwork.elements.joints.helical import Helical
from linkwork.topology.plan.blocks import Key
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.passages import TURN, Passage, elementary_frame, elementary_motions


@dataclass(frozen=True, eq=False)
class ChainStation:
    """An element of a chain: what is unknown of a joint, about or along one axis of its frame.

    turning, sliding: places in the joint of the coordinates that are a turn and a slide, if they are unknown
    axis: which axis of the frame; sense: −1 where the joint is passed backwards
    pitch, angle: of a screw, with the angle near which it is
    """

    kind: str
    joint: str
    axis: int
    sense: int
    turning: int | None = None
    sliding: int | None = None
    pitch: ca.SX | None = None
    angle: ca.SX | None = None

    def element(self, frame: Frame) -> ChainElement:
        # a flat keeps its normal whichever way it is passed
        sense = 1 if self.kind in "GF" else self.sense
        axis = sense * frame.axis(self.axis)
        if self.pitch is None:
            return ChainElement(self.kind, axis, frame.origin)
        return ChainElement(self.kind, axis, frame.origin, self.pitch, guess=self.angle)

    def guess(self, given: Mapping[Key, ca.SX]) -> Guess:
        """What the coordinates *given* say of this element."""
        angle = None if self.turning is None else given.get((self.joint, self.turning))
        slide = None if self.sliding is None else given.get((self.joint, self.sliding))
        return Guess(None if angle is None else (ca.cos(angle), ca.sin(angle)), slide)

    def frame(self, motion: ElementMotion) -> Frame:
        """The displacement of an R, P, S or C in the frame of the joint."""
        axes, origin = ca.SX.eye(3), ca.SX(3, 1)
        if motion.turn is not None:
            c, s = motion.turn[0], self.sense * motion.turn[1]
            one, two = (1, 2) if self.axis == 0 else (0, 1)
            axes[one, one], axes[one, two], axes[two, one], axes[two, two] = c, -s, s, c
        if motion.slide is not None:
            origin[self.axis] = self.sense * motion.slide
        return Frame(origin, axes)


@dataclass(frozen=True, eq=False)
class LoopChain:
    """A loop as a chain: its stations, their elements when nothing has moved, and the closing displacement.

    steps: of every passage, the known frames and the stations (by number) that lead from one cluster to the next
    """

    stations: tuple[ChainStation, ...]
    elements: tuple[ChainElement, ...]
    closing: Frame
    steps: tuple[tuple[Frame | int, ...], ...]


def solve_chain(space: Space, passages: Sequence[Passage]) -> list[Assembled]:
    """All assemblies of a loop of the table."""
    reading = read_chain(space, passages)
    return [_assembled(reading, branch) for branch in recognise.solve(reading.elements, reading.closing)]


def solve_chain_on(space: Space, passages: Sequence[Passage], side: ca.SX | int) -> Assembled:
    """One assembly of a loop of the table that has two: *side* +1 is the first, −1 the second."""
    reading = read_chain(space, passages)
    return _assembled(reading, recognise.solve_on(reading.elements, reading.closing, side))


def follow_chain(space: Space, passages: Sequence[Passage], given: Mapping[Key, ca.SX]) -> Assembled:
    """Of the assemblies of a loop of the table that has four, the one nearest to the coordinates *given*."""
    reading = read_chain(space, passages)
    guesses = [station.guess(given) for station in reading.stations]
    return _assembled(reading, recognise.follow(reading.elements, reading.closing, guesses))


def solve_translation(space: Space, passages: Sequence[Passage]) -> Assembled:
    """A loop of two or three slides: Σ sᵢ uᵢ = d is linear."""
    reading = read_chain(space, passages)
    axes = [element.axis for element in reading.elements]
    if len(axes) == 2:
        axes.append(ca.cross(axes[0], axes[1]))
    slides = ca.vertsplit(solve_columns(axes, reading.closing.origin))
    motions = [ElementMotion(Frame.identity(3), None, slide) for slide in slides[: len(reading.stations)]]
    frames = _cluster_frames(reading, motions)
    return Assembled(tuple(_in(space, frame) for frame in frames), determinant(axes) ** 2)


def read_chain(space: Space, passages: Sequence[Passage]) -> LoopChain:
    """Read a loop as a chain of elements, with everything that is known of its joints in the frames between them."""
    stations: list[ChainStation] = []
    steps = [_step(space, passage, stations) for passage in passages]
    around = [part for step in steps for part in step]
    links = _links(around, len(stations))
    first = _first_station(links, stations)
    order = [(first + i) % len(stations) for i in range(len(stations))]
    frame, elements = Frame.identity(3), list[ChainElement]()
    for number in order:
        elements.append(stations[number].element(frame))
        frame = frame @ links[number]
    renumbered = {number: place for place, number in enumerate(order)}
    return LoopChain(
        tuple(stations[number] for number in order),
        tuple(elements),
        frame.inverse(),
        tuple(tuple(renumbered[part] if isinstance(part, int) else part for part in step) for step in steps),
    )


def _step(space: Space, passage: Passage, stations: list[ChainStation]) -> tuple[Frame | int, ...]:
    """The way through a joint, from cluster to cluster; its stations are put on the list."""
    near, far = _spatial(space, passage.near), _spatial(space, passage.far).inverse()
    letter, sense = passage.kind.letter, -1 if passage.backwards else 1
    if letter in "GF" or (letter == "C" and len(passage.unknown) == 2):
        turning, sliding = (0, 1) if letter == "C" else (None, None)
        stations.append(ChainStation(letter, passage.joint, 2, sense, turning, sliding))
        return near, len(stations) - 1, far
    if isinstance(passage.kind, Helical):
        stations.append(
            ChainStation("S", passage.joint, 2, sense, turning=0, pitch=passage.kind.pitch, angle=passage.guess)
        )
        return near, len(stations) - 1, far
    parts: list[Frame | int] = [near]
    motions = list(enumerate(elementary_motions(passage.kind, space)))
    for place, (motion, axis) in motions[::sense]:
        value = passage.values[place]
        if value is not None:
            parts.append(_spatial(space, elementary_frame(space, motion, axis, sense * value)))
            continue
        if motion == TURN:
            stations.append(ChainStation("R", passage.joint, axis, sense, turning=place))
        else:
            stations.append(ChainStation("P", passage.joint, axis, sense, sliding=place))
        parts.append(len(stations) - 1)
    return *parts, far


def _links(around: Sequence[Frame | int], count: int) -> list[Frame]:
    """The frame from every station to the next, round the loop."""
    start = next(i for i, part in enumerate(around) if isinstance(part, int))
    links, last = [Frame.identity(3)] * count, 0
    for part in (*around[start:], *around[:start]):
        if isinstance(part, int):
            last = part
        else:
            links[last] = links[last] @ part
    return links


def _first_station(links: Sequence[Frame], stations: Sequence[ChainStation]) -> int:
    """The station to begin with: behind a link that moves, one at a ball or a flat before any other."""
    count = len(stations)
    moving = [i for i, link in enumerate(links) if not (link.origin.is_constant() and link.axes.is_constant())]
    beside = [i for i in moving if stations[i].kind in "GF" or stations[(i + 1) % count].kind in "GF"]
    return ((beside or moving or [count - 1])[0] + 1) % count


def _assembled(reading: LoopChain, branch: ChainBranch) -> Assembled:
    turns: dict[Key, Turn] = {}
    slides: dict[Key, ca.SX] = {}
    for station, motion in zip(reading.stations, branch.motions, strict=True):
        if motion.turn is not None and station.turning is not None:
            turns[station.joint, station.turning] = motion.turn
        if motion.slide is not None and station.sliding is not None:
            slides[station.joint, station.sliding] = motion.slide
    return Assembled(_cluster_frames(reading, branch.motions), branch.valid, turns, {}, slides)


def _cluster_frames(reading: LoopChain, motions: Sequence[ElementMotion]) -> tuple[Frame, ...]:
    """Frames of all clusters but the first, seen from the first: forwards to one joint of the loop, backwards to it."""

    def displacement(part: Frame | int) -> Frame:
        return reading.stations[part].frame(motions[part]) if isinstance(part, int) else part

    open_at = _farthest(reading)
    forwards, frame = list[Frame](), Frame.identity(3)
    for step in reading.steps[:open_at]:
        for part in step:
            frame = frame @ displacement(part)
        forwards.append(frame)
    backwards, frame = list[Frame](), Frame.identity(3)
    for step in reversed(reading.steps[open_at + 1 :]):
        for part in reversed(step):
            frame = frame @ displacement(part).inverse()
        backwards.append(frame)
    return (*forwards, *reversed(backwards))


def _farthest(reading: LoopChain) -> int:
    """The joint of the loop that no frame is carried across: a ball or a flat, or else one in the middle."""
    for place, step in enumerate(reading.steps):
        if any(isinstance(part, int) and reading.stations[part].kind in "GF" for part in step):
            return place
    return len(reading.steps) // 2


def _spatial(space: Space, frame: Frame) -> Frame:
    if not space.planar:
        return frame
    axes = ca.SX.eye(3)
    axes[:2, :2] = frame.axes
    return Frame(ca.vertcat(frame.origin, 0), axes)


def _in(space: Space, frame: Frame) -> Frame:
    return Frame(frame.origin[:2], frame.axes[:2, :2]) if space.planar else frame
