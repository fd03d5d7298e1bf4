"""Which branch of a block: by selectors that stay through a run, or by nearness to the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form.dyads import DyadSide
from linkwork.coordinates.coordinates import Coordinates
from linkwork.topology.plan.blocks import Key
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.solve import Build, SolvedBlock


@dataclass(frozen=True)
class CoordinatePlaces:
    """Where the coordinates of joints stand in q and v."""

    positions: Mapping[Key, int]  # scalar coordinates in q
    velocities: Mapping[Key, int]  # freedoms in v
    slices: Mapping[str, slice]  # of every joint and every relation in q

    def coordinates(self, c: Coordinates) -> dict[Key, ca.SX]:
        """The scalar coordinates as the state has them."""
        return {key: c.q[place] for key, place in self.positions.items()}


class Selectors:
    """Branches chosen by numbers that come with the parameters: +1 or −1.

    Of four branches the one nearest to the state is taken, because their order can change on the way.
    """

    def __init__(self, c: Coordinates, places: CoordinatePlaces) -> None:
        self._c, self._places = c, places
        self.symbols: dict[int, ca.SX] = {}

    def side(self, loop: SolvedBlock, build: Callable[[DyadSide], Assembled]) -> Assembled:
        return build(self._symbol(loop))

    def follow(self, loop: SolvedBlock, build: Build, solve: Callable[[], Sequence[Assembled]]) -> Assembled:
        return build(self._places.coordinates(self._c))

    def _symbol(self, loop: SolvedBlock) -> ca.SX:
        self.symbols[loop.place] = ca.SX.sym(f"branch of {loop.block.name}")
        return self.symbols[loop.place]


class NearestBranch:
    """Of two branches the one in which the bodies are nearer to where the state has them."""

    def __init__(self, c: Coordinates, places: CoordinatePlaces) -> None:
        self._c, self._places = c, places
        self.found: dict[int, ca.SX] = {}

    def side(self, loop: SolvedBlock, build: Callable[[DyadSide], Assembled]) -> Assembled:
        return self._nearer(loop, build(1), build(-1))

    def follow(self, loop: SolvedBlock, build: Build, solve: Callable[[], Sequence[Assembled]]) -> Assembled:
        return build(self._places.coordinates(self._c))

    def _nearer(self, loop: SolvedBlock, first: Assembled, second: Assembled) -> Assembled:
        is_first = self._distance(loop, first) <= self._distance(loop, second)
        self.found[loop.place] = ca.if_else(is_first, 1, -1)
        return blend(is_first, first, second)

    def _distance(self, loop: SolvedBlock, assembly: Assembled) -> ca.SX:
        """Σ |ΔR|² + |Δr|² / L² over the clusters, seen from the first."""
        bodies = self._c.kinematics.frames
        back = bodies[loop.roots[0]].inverse()
        total = ca.SX(0)
        for root, frame in zip(loop.roots[1:], assembly.frames, strict=True):
            state = back @ bodies[root]
            total += ca.sumsqr(state.axes - frame.axes)
            total += ca.sumsqr(state.origin - frame.origin) / self._c.kinematics.length**2
        return total


def blend(condition: ca.SX, first: Assembled, second: Assembled) -> Assembled:
    """The first assembly where the condition holds, the second elsewhere."""

    def choose(one: ca.SX, two: ca.SX) -> ca.SX:
        return ca.if_else(condition, ca.densify(one), ca.densify(two))

    frames = tuple(
        Frame(choose(one.origin, two.origin), choose(one.axes, two.axes))
        for one, two in zip(first.frames, second.frames, strict=True)
    )
    turns = {
        key: (choose(turn[0], second.turns[key][0]), choose(turn[1], second.turns[key][1]))
        for key, turn in first.turns.items()
    }
    slides = {key: choose(slide, second.slides[key]) for key, slide in first.slides.items()}
    return Assembled(frames, choose(first.valid, second.valid), turns, {}, slides)
