"""Which turn angles start in, so that they count from there.

Whole turns at the start are nobody's intention: every angle starts in (−π, π], near a reference of its joint that is beyond,
or at the value that was asked for. Where that is beyond half a turn, the bodies that the joint holds to the ground go with
it, and those that slide or are fixed on these: of a crank that starts at 200° both its joint and the body are there. With K
whole turns of the one body, n of the joint and the angle ψ = a + θ − b between the two, the other one starts near ψ₁ + ψ,
unless n and K are zero.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import casadi as ca

from linkwork.algebra.whole_turns import TURN, turns_beyond
from linkwork.elements.contribution import OwnState
from linkwork.position.geometry import GROUND, Geometry, JointGeometry

AngleName = tuple[str, str]  # joint or body, freedom
Between = Callable[[str], ca.SX]
"""Of a joint by its name the angle between its frames in parent and child, each in its body: a − b."""


class Turning(Protocol):
    """An angle of a joint: its value in any turn."""

    @property
    def value(self) -> ca.SX: ...


@dataclass(eq=False)
class Settled:
    """Angles that start in the right turn.

    constants: whole turns that were taken off; counting: by body, the body from which its turns are counted
    """

    angles: dict[AngleName, ca.SX] = field(default_factory=dict)
    constants: list[OwnState] = field(default_factory=list)
    counting: dict[str, str] = field(default_factory=lambda: {GROUND: GROUND})

    def settle(self, key: AngleName, angle: ca.SX, near: ca.SX) -> ca.SX:
        """Take whole turns off an angle; gives its value at the start, as an expression of the state there."""
        turns, symbol = TURN * turns_beyond(angle, near), ca.SX.sym(f"{'.'.join(key)}.offset")
        self.constants.append(OwnState(str(symbol), symbol, ca.SX(0), turns))
        self.angles[key] = angle - symbol
        return angle - turns


@dataclass(frozen=True, eq=False)
class _Tie:
    """A joint that carries the turns of one body to the other: its angle at the start, and the one that was asked for."""

    joint: JointGeometry
    start: ca.SX
    asked: ca.SX

    @property
    def pair(self) -> tuple[str, str]:
        return self.joint.parent, self.joint.child

    def walked(self, counting: Mapping[str, str]) -> tuple[str, str]:
        """The body whose turns are known, and the other one."""
        return self.pair if self.joint.parent in counting else self.pair[::-1]

    def carried(self, one: str, angle: ca.SX, near: ca.SX, between: Between) -> ca.SX:
        """Near which angle the other body starts; *near*: near which the one does, whose turns are known, with its angle."""
        turned = ca.logic_or(turns_beyond(self.asked) != 0, turns_beyond(near) != 0)
        if turned.is_zero():
            return ca.SX(0)
        way = between(self.joint.name) + self.start
        begins = angle - TURN * turns_beyond(angle, near)
        return ca.if_else(turned, begins + (way if one == self.joint.parent else -way), 0)


def settle_turns(
    geometry: Geometry,
    bodies: Mapping[str, ca.SX],
    joints: Mapping[AngleName, Turning],
    asked: Mapping[AngleName, ca.SX],
    between: Between,
) -> Settled:
    """Angles of joints and of the bodies of the plane, in the turns in which they start.

    asked: angles at the start, by (joint or body, freedom), where somebody gives them; between: of joints of the plane
    """
    found, starts = Settled(), {}
    for key, joint in joints.items():
        starts[key] = found.settle(key, joint.value, asked.get(key, geometry.joints[key[0]].near))
    given = {name: asked[name, "angle"] for name in bodies if (name, "angle") in asked}
    found.counting |= dict.fromkeys(given, GROUND)
    first = {key[0]: key for key in reversed(starts)}  # of two angles of a joint the first
    ties = [
        _Tie(joint, *known)
        for joint in geometry.joints.values()
        if (known := _angle(first.get(joint.name), starts, asked))
    ]
    near = _carried(ties if bodies else [], bodies, given, found.counting, between)
    for name, angle in bodies.items():
        found.settle((name, "angle"), angle, near.get(name, ca.SX(0)))
    return found


def _carried(
    ties: Sequence[_Tie],
    bodies: Mapping[str, ca.SX],
    given: Mapping[str, ca.SX],
    counting: dict[str, str],
    between: Between,
) -> dict[str, ca.SX]:
    """Near which angle bodies start that ties hold to those whose turns are known; 0 where they have none."""
    near, touching = dict(given), dict[str, list[int]]()
    for i, tie in enumerate(ties):
        for body in tie.pair:
            touching.setdefault(body, []).append(i)
    # ties with a body whose turns are known, in their order
    waiting = sorted(i for body in counting for i in touching.get(body, ()))

    def reach(body: str, whose: str) -> None:
        counting[body] = whose
        for i in touching.get(body, ()):
            heapq.heappush(waiting, i)

    def go_on() -> None:
        while waiting:
            tie = ties[heapq.heappop(waiting)]
            one, other = tie.walked(counting)
            if other not in counting:
                near[other] = tie.carried(one, bodies.get(one, ca.SX(0)), near.get(one, ca.SX(0)), between)
                reach(other, counting[one])

    go_on()
    for tie in ties:
        if not counting.keys() & set(tie.pair):
            reach(tie.joint.parent, tie.joint.parent)
            go_on()
    return near


def _angle(
    key: AngleName | None, starts: Mapping[AngleName, ca.SX], asked: Mapping[AngleName, ca.SX]
) -> tuple[ca.SX, ca.SX] | None:
    """The angle of a joint at the start and the one that was asked for; zeros where it does not turn, None if nobody did."""
    if key is None:
        return ca.SX(0), ca.SX(0)
    return (starts[key], asked[key]) if key in asked else None
