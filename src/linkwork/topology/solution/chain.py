"""Spatial loops of the table of chains, and loops of slides: every joint as an element of a chain T₁ T₂ … Tₙ = D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.closed_form import recognise
from linkwork.closed_form.base import Branch, Element, Turn, determinant, solve_columns
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.passages import SLIDE, TURN, Passage, elementary_frame, elementary_motions


@dataclass(frozen=True, eq=False)
class Station:
    """An element of the chain with the joint and the places of the freedoms that it stands for."""

    element: Element
    joint: str
    places: tuple[int, ...]
    sense: int


@dataclass(frozen=True, eq=False)
class Reading:
    """A loop as a chain: its stations, the frames of the clusters when nothing has moved, and the closing displacement.

    ``after[i]`` is how many stations stand between the first cluster and cluster i + 1.
    """

    stations: tuple[Station, ...]
    zero: tuple[Frame, ...]
    after: tuple[int, ...]
    closing: Frame


def solve_chain(space: Space, passages: Sequence[Passage]) -> list[Assembled]:
    """All assemblies of a loop of the table."""
    reading = read_chain(space, passages)
    branches = recognise.solve([station.element for station in reading.stations], reading.closing)
    return [_assembled(reading, branch) for branch in branches]


def solve_translation(space: Space, passages: Sequence[Passage]) -> Assembled:
    """A loop of two or three slides: Σ sᵢ uᵢ = d is linear."""
    reading = read_chain(space, passages)
    axes = [station.element.axis for station in reading.stations]
    target = reading.closing.origin
    if len(axes) == 2:
        axes.append(ca.cross(axes[0], axes[1]))
    slides = solve_columns(axes, target)
    moved, total = [Frame.identity(3)], ca.SX(3, 1)
    for axis, slide in zip(axes, ca.vertsplit(slides), strict=True):
        total = total + slide * axis
        moved.append(Frame(total, ca.SX.eye(3)))
    frames = [moved[count] @ zero for count, zero in zip(reading.after, reading.zero, strict=True)]
    return Assembled(tuple(_in(space, frame) for frame in frames), determinant(axes) ** 2)


def read_chain(space: Space, passages: Sequence[Passage]) -> Reading:
    """Read a loop as a chain of elements, with everything that is known of its joints in the frames between them."""
    stations: list[Station] = []
    zero, after = [], []
    frame = Frame.identity(3)
    for passage in passages:
        frame = frame @ _spatial(space, passage.near)
        fresh, frame = _through(space, passage, frame)
        stations += fresh
        frame = frame @ _spatial(space, passage.far).inverse()
        zero.append(frame)
        after.append(len(stations))
    return Reading(tuple(stations), tuple(zero[:-1]), tuple(after[:-1]), frame.inverse())


def _through(space: Space, passage: Passage, frame: Frame) -> tuple[list[Station], Frame]:
    letter, sense = passage.kind.letter, -1 if passage.backwards else 1
    if letter in "GF" or (letter == "C" and len(passage.unknown) == 2) or letter == "S":
        places = tuple(range(len(passage.values)))
        return [Station(_element(passage, frame, sense), passage.joint, places, sense)], frame
    stations = []
    motions = list(enumerate(elementary_motions(passage.kind, space)))
    for place, (motion, axis) in motions[::sense]:
        value = passage.values[place]
        if value is not None:
            frame = frame @ _spatial(space, elementary_frame(space, motion, axis, sense * value))
            continue
        kind = {TURN: "R", SLIDE: "P"}[motion]
        element = Element(kind, sense * frame.axis(axis), frame.origin)
        stations.append(Station(element, passage.joint, (place,), sense))
    return stations, frame


def _element(passage: Passage, frame: Frame, sense: int) -> Element:
    letter = passage.kind.letter
    # a flat keeps its normal whichever way it is passed
    axis = frame.axis(2) if letter in "GF" else sense * frame.axis(2)
    if letter != "S":
        return Element(letter, axis, frame.origin)
    pitch = ca.SX(passage.kind.pitch)  # type: ignore[attr-defined]
    return Element("S", axis, frame.origin, pitch)


def _assembled(reading: Reading, branch: Branch) -> Assembled:
    moved = [Frame.identity(3)]
    for motion in branch.motions:
        moved.append(moved[-1] @ motion.frame)
    frames = tuple(moved[count] @ zero for count, zero in zip(reading.after, reading.zero, strict=True))
    turns: dict[tuple[str, int], Turn] = {}
    for station, motion in zip(reading.stations, branch.motions, strict=True):
        if motion.turn is not None and station.element.kind in "RC":
            turns[station.joint, station.places[0]] = motion.turn
    return Assembled(frames, branch.valid, turns)


def _spatial(space: Space, frame: Frame) -> Frame:
    if not space.planar:
        return frame
    axes = ca.SX.eye(3)
    axes[:2, :2] = frame.axes
    return Frame(ca.vertcat(frame.origin, 0), axes)


def _in(space: Space, frame: Frame) -> Frame:
    return Frame(frame.origin[:2], frame.axes[:2, :2]) if space.planar else frame
