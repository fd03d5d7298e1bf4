"""Pins on which three bodies or more turn, whichever of them a user has joined in pairs.

A pin with the bodies a, b and c is given by two joints, say (a, b) and (b, c). Its point is the same in all three, so that
the second joint closes a loop through a and c as well: with the first closed, the conditions of (b, c) and of (a, c) are
the same. Such a joint is *hung* between a and c. That holds for a joint that is cut, of which the conditions count; the
angle of one in the spanning tree is that of the bodies which it joins, and it stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import casadi as ca
import numpy as np

from linkwork.model.connected import groups
from linkwork.position.geometry import Geometry, JointGeometry
from linkwork.topology.plan.blocks import Array, Block, Clusters, Edge, Hung, Network, Pin

SAME = 1e-12  # distance (of the size of the mechanism, or of unit vectors) below which two places are one


def find_pins(geometry: Geometry, length: float) -> tuple[Pin, ...]:
    """The pins of three bodies or more, whatever the live parameters; *length* is the size of the mechanism.

    Joints belong to one pin where a body that they share has them at the same point, with the same axis.
    """
    seats = _seats(geometry, length)
    at: dict[str, list[str]] = {}
    for name, body in seats:
        at.setdefault(body, []).append(name)
    ties = [tie for body, names in at.items() for tie in _together({name: seats[name, body] for name in names})]
    bodies: dict[str, list[str]] = {}
    for name, body in seats:
        bodies.setdefault(name, []).append(body)
    pins = []
    for group in groups(bodies, ties):
        joints = sorted(group)
        held = {body: name for name in reversed(joints) for body in reversed(bodies[name])}
        # more joints than are needed to hold the bodies together are not for us to sort out
        if len(joints) > 1 and len(held) == len(joints) + 1:
            pins.append(Pin(tuple(joints), held))
    return tuple(pins)


def _together(places: Mapping[str, Array]) -> Iterator[tuple[str, str]]:
    """The pairs of which both are in one place; along a line in no special direction only neighbours can be."""
    names, stacked = list(places), np.array(list(places.values()))
    along = stacked @ np.random.default_rng(0).uniform(0.5, 1.0, stacked.shape[1])
    order, room = np.argsort(along, kind="stable"), SAME * stacked.shape[1]
    for i, one in enumerate(order):
        for other in order[i + 1 :]:
            if along[other] - along[one] > room:
                break
            if np.max(np.abs(stacked[one] - stacked[other])) <= SAME:
                yield names[one], names[other]


def _seats(geometry: Geometry, length: float) -> dict[tuple[str, str], Array]:
    """Point (over the size) and axis of every turning joint in each of its bodies, for a few values of the parameters."""
    joints = sorted((joint for joint in geometry.joints.values() if joint.kind.letter == "R"), key=lambda j: j.name)
    keys = [(joint.name, body) for joint in joints for body in (joint.parent, joint.child)]
    if not keys:
        return {}
    columns = []
    for joint in joints:
        for frame in (joint.a, joint.b):
            axis = ca.SX(0, 1) if geometry.space.planar else frame.axis(2)
            columns.append(ca.densify(ca.vertcat(frame.origin / length, axis)))
    stacked = ca.horzcat(*columns)
    found = np.vstack([geometry.number(stacked, p) for p in geometry.sample_parameters()])
    return {key: found[:, i] for i, key in enumerate(keys)}


def passed_joint(block: Block, name: str, find: Callable[[str], JointGeometry]) -> JointGeometry:
    """A joint as the loop of a block passes through it: one that is hung elsewhere, between the bodies there."""
    if block.hung is None or block.hung.joint != name:
        return find(name)
    (one, first), (two, second) = block.hung.seats
    a, b = find(first).frame_in(one), find(second).frame_in(two)
    return replace(find(name), parent=one, child=two, a=a, b=b)


def hangings(clusters: Clusters, movable: Sequence[str]) -> Iterator[tuple[Hung, Edge]]:
    """Open joints of pins, in the order of *movable*, between two other bodies on their pin that they hold together."""
    for name in movable:
        for pin in (pin for pin in clusters.network.pins if name in pin.joints):
            edge = clusters.open[name]
            if len(clusters.unknown(edge)) == len(edge.twists):
                yield from _elsewhere(clusters, pin, edge)


def _elsewhere(clusters: Clusters, pin: Pin, edge: Edge) -> Iterator[tuple[Hung, Edge]]:
    """A joint between all other pairs of clusters on its pin that nothing else on the pin holds together."""
    sides = _sides(clusters, pin, edge.name)
    own = {sides[end] for end in clusters.ends(edge)}
    tried = {frozenset(clusters.ends(edge))}
    for one, two in combinations(sorted(pin.seats), 2):
        ends = frozenset((clusters.home[one], clusters.home[two]))
        if ends in tried or len(own) < 2 or {sides[end] for end in ends} != own:
            continue
        tried.add(ends)
        yield Hung(edge.name, ((one, pin.seats[one]), (two, pin.seats[two]))), replace(edge, first=one, second=two)


def all_hold(network: Network, blocks: Sequence[Block]) -> bool:
    """Whether the joints that are hung elsewhere close their blocks where they are, too.

    The two bodies of such a joint must have the pin where those of its block have it, by joints of the tree or by those that
    blocks before it close.
    """
    cuts = [name for block in blocks for name in block.cuts]
    for block in blocks:
        if block.hung is not None:
            pin = next(pin for pin in network.pins if block.hung.joint in pin.joints)
            open_yet = cuts[cuts.index(block.hung.joint) :]
            side = {body: body for body in pin.seats}
            for edge in (network.edges[name] for name in pin.joints if name not in open_yet):
                one, two = side[edge.first], side[edge.second]
                side = {body: one if found == two else found for body, found in side.items()}
            own = network.edges[block.hung.joint]
            if {side[own.first], side[own.second]} != {side[body] for body, _ in block.hung.seats}:
                return False
    return True


def _sides(clusters: Clusters, pin: Pin, without: str) -> dict[int, int]:
    """The clusters on a pin, by what the other joints of the pin hold together."""
    side = {clusters.home[body]: clusters.home[body] for body in pin.seats}
    for name in pin.joints:
        if name != without and name in clusters.open:
            one, two = (side[end] for end in clusters.ends(clusters.open[name]))
            side = {cluster: one if found == two else found for cluster, found in side.items()}
    return side
