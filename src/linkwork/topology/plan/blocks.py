"""What a solution plan is made of: the graph of rigid clusters, and the blocks that close it one after the other.

A *cluster* is a set of bodies whose positions against each other are known. At first every body is one. A joint whose
coordinates are all known joins two clusters; so does a loop of clusters that has no freedom left once the inputs are
given. The plan is complete when one cluster holds everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from linkwork.arrays import Array
from linkwork.outline import outlined

Key = tuple[str, int]
"""A joint and the place of one of its freedoms."""


@dataclass(frozen=True, eq=False)
class Edge:
    """A joint as the decomposition sees it: its two bodies, its letter, and the twists (f × 6) of its freedoms.

    ``pivots``: which of the bodies can turn anyhow about the point of the joint without moving the other: both of a ball,
    the one that has the point where the other has a line or a plane.
    """

    name: str
    first: str
    second: str
    letter: str
    twists: Array
    pivots: tuple[str, ...] = ()

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        return tuple((self.name, i) for i in range(len(self.twists)))


@dataclass(frozen=True)
class LinearRelation:
    """A linear relation: the sum of factor × coordinate over its terms is constant."""

    name: str
    terms: tuple[tuple[Key, float], ...]

    @property
    def keys(self) -> tuple[Key, ...]:
        return tuple(key for key, _ in self.terms)


@dataclass(frozen=True, eq=False)
class Tie:
    """A relation between bodies: its own unknowns, and what it takes from the bodies.

    rows: for every body that moves, rows (n × 3 or 6) for its twist; their sum over the bodies vanishes
    """

    name: str
    bodies: tuple[str, ...]
    unknowns: tuple[Key, ...]
    conditions: int
    rows: Mapping[str, Array]


@dataclass(frozen=True)
class Pin:
    """Turning joints that are one pin, and for every body on it a joint that says where the pin is in that body."""

    joints: tuple[str, ...]
    seats: Mapping[str, str]


@dataclass(frozen=True)
class Hung:
    """A joint of a pin as it closes a block: between two other bodies on the same pin.

    seats: each of the two bodies, with a joint that says where the pin is in it
    """

    joint: str
    seats: tuple[tuple[str, str], tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Network:
    """The bodies, joints and relations of a mechanism, with the twists of the joints at one position.

    pins: those on which three bodies or more turn
    """

    ground: str
    bodies: tuple[str, ...]
    edges: Mapping[str, Edge]
    relations: tuple[LinearRelation, ...] = ()
    ties: tuple[Tie, ...] = ()
    planar: bool = False
    pins: tuple[Pin, ...] = ()

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The number of every joint."""
        return {name: i for i, name in enumerate(self.edges)}


@dataclass(frozen=True)
class Family:
    """How a block is solved: a name, the names of its branches, and the solver; without branches by iteration."""

    name: str
    solver: str
    branches: tuple[str, ...] = ()

    @property
    def closed(self) -> bool:
        return bool(self.branches)


ITERATION = Family("iteration", "iteration")


@dataclass(frozen=True)
class Spin:
    """A link that hangs between two balls (or other pivots) and can spin about their line.

    ``held`` is one of them that is not cut.
    """

    body: str
    balls: tuple[str, str]
    held: str


@dataclass(frozen=True)
class Block:
    """One step of a plan.

    ``joints`` in order round the loop, from the hub and back to it; ``hubs`` are bodies of the clusters between them,
    that of the hub first. Of the joints, ``cuts`` close the loops and the others stand in the spanning tree.
    ``unknowns`` are the coordinates that the block determines, with the help of linear ``relations``, but for the
    ``spins`` of links between two balls. A block that relations between bodies close, its ``ties``, has no cuts.
    ``base`` is the joint of the crank of a parallelogram. ``hung`` is the cut where it closes the loop between other bodies
    of its pin than those that it joins.
    """

    family: Family
    joints: tuple[str, ...]
    unknowns: tuple[Key, ...]
    hubs: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    subgroup: str = ""
    spins: tuple[Spin, ...] = ()
    relations: tuple[str, ...] = ()
    base: str = ""
    ties: tuple[str, ...] = ()
    hung: Hung | None = None

    @property
    def name(self) -> str:
        return "-".join(self.joints)


@outlined
@dataclass(frozen=True)
class Plan:
    """Inputs, then blocks in the order in which they are solved."""

    inputs: tuple[Key, ...]
    driven: tuple[Key, ...]
    blocks: tuple[Block, ...]
    complete: bool = True  # whether all bodies are in one cluster at the end

    @property
    def loops(self) -> tuple[Block, ...]:
        """The blocks that close loops."""
        return tuple(block for block in self.blocks if block.cuts or block.ties)

    @property
    def ties(self) -> tuple[str, ...]:
        """The relations between bodies that the plan satisfies."""
        return tuple(name for block in self.blocks for name in block.ties)

    @cached_property
    def tree(self) -> frozenset[str]:
        """The joints that make up a spanning tree; all others close loops."""
        return frozenset(name for block in self.blocks for name in block.joints if name not in block.cuts)

    @property
    def closed(self) -> bool:
        """Whether every loop has a closed form."""
        return all(block.family.closed for block in self.loops)

    @property
    def iterated(self) -> tuple[Key, ...]:
        """Coordinates that Newton's method finds."""
        return tuple(key for block in self.loops if not block.family.closed for key in block.unknowns)

    @property
    def passive(self) -> tuple[str, ...]:
        """Bodies that spin freely between two balls."""
        return tuple(spin.body for block in self.blocks for spin in block.spins)


@dataclass
class Clusters:
    """Bodies in clusters while a plan is made, and which coordinates are known."""

    network: Network
    known: set[Key]
    home: dict[str, int] = field(init=False)
    members: dict[int, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        names = (self.network.ground, *self.network.bodies)
        self.home = {name: i for i, name in enumerate(names)}
        self.members = {i: [name] for i, name in enumerate(names)}
        self._open = dict(self.network.edges)
        self._touching: dict[int, set[str]] = {i: set() for i in self.members}
        for edge in self.network.edges.values():
            self._touching[self.home[edge.first]].add(edge.name)
            self._touching[self.home[edge.second]].add(edge.name)
        self._ready = deque(name for name, edge in self._open.items() if not self.unknown(edge))

    @property
    def open(self) -> Mapping[str, Edge]:
        """Joints between two clusters."""
        return self._open

    @property
    def count(self) -> int:
        return len(self.members)

    def ends(self, edge: Edge) -> tuple[int, int]:
        return self.home[edge.first], self.home[edge.second]

    def at(self, cluster: int) -> list[Edge]:
        """The open joints of a cluster, in the order of the model."""
        names = self._touching[cluster]
        return [self._open[name] for name in sorted(names, key=self.place)]

    def inside(self, group: Collection[int]) -> list[Edge]:
        """The open joints between clusters of a group, in the order of the model."""
        within = frozenset(group)
        found = {
            edge.name: edge for cluster in within for edge in self.at(cluster) if within.issuperset(self.ends(edge))
        }
        return [found[name] for name in sorted(found, key=self.place)]

    def place(self, name: str) -> int:
        """The number of a joint in the order of the model."""
        return self.network.order[name]

    def other(self, edge: Edge, cluster: int) -> int:
        one, two = self.ends(edge)
        return two if one == cluster else one

    def unknown(self, edge: Edge) -> tuple[Key, ...]:
        return tuple(key for key in edge.keys if key not in self.known)

    def known_joint(self) -> Edge | None:
        """The first joint between clusters without unknown coordinates; each comes once."""
        while self._ready:
            edge = self._open.get(self._ready.popleft())
            if edge is not None:
                return edge
        return None

    def learn(self, keys: Sequence[Key]) -> None:
        """These coordinates are known from now on."""
        self.known.update(keys)
        names = {name for name, _ in keys} & self._open.keys()
        self._ready.extend(sorted((name for name in names if not self.unknown(self._open[name])), key=self.place))

    def twists(self, edge: Edge) -> Array:
        """Twists (n × 6) of the unknown freedoms of a joint."""
        return edge.twists[[place for _, place in self.unknown(edge)]]

    def with_edge(self, edge: Edge) -> Clusters:
        """The same clusters, with the open joint of this name between other bodies."""
        twin = Clusters(self.network, set(self.known))
        twin.home, twin.members = dict(self.home), {i: list(bodies) for i, bodies in self.members.items()}
        twin._open = {**self._open, edge.name: edge}
        twin._touching = {cluster: names - {edge.name} for cluster, names in self._touching.items()}
        for cluster in twin.ends(edge):
            twin._touching[cluster].add(edge.name)
        return twin

    def spins(self, cluster: int) -> bool:
        """Whether a cluster hangs between two pivots only, so that it can spin about their line."""
        if len(self._touching[cluster]) != 2:
            return False
        edges = [self._open[name] for name in self._touching[cluster]]
        if not all(self._pivots(edge, cluster) for edge in edges):
            return False
        return not any(self.home[body] == cluster for tie in self.open_ties for body in tie.bodies)

    @property
    def open_ties(self) -> list[Tie]:
        """Relations between two clusters or more."""
        return [tie for tie in self.network.ties if len({self.home[body] for body in tie.bodies}) > 1]

    def _pivots(self, edge: Edge, cluster: int) -> bool:
        """Whether a cluster can turn anyhow about the point of a joint: its last three freedoms, the spins, are unknown."""
        inside = edge.first if self.home[edge.first] == cluster else edge.second
        return inside in edge.pivots and not self.known.intersection(edge.keys[-3:])

    def merge(self, clusters: Iterable[int]) -> int:
        """Make one cluster of several; joints inside it have known coordinates from now on."""
        group = list(dict.fromkeys(clusters))
        target = max(group, key=lambda c: (self.network.ground in self.members[c], len(self.members[c])))
        fresh = set[str]()
        for cluster in group:
            if cluster == target:
                continue
            for body in self.members.pop(cluster):
                self.home[body] = target
                self.members[target].append(body)
            fresh |= self._touching[cluster]
            self._touching[target] |= self._touching.pop(cluster)
        for name in fresh:
            edge = self._open[name]
            if self.home[edge.first] == self.home[edge.second]:
                self._touching[target].discard(name)
                del self._open[name]
                self.known.update(edge.keys)
        return target


def freedoms_of(clusters: Clusters, edges: Sequence[Edge], nodes: Sequence[int]) -> int:
    """Unknown freedoms of a cycle, without the spins of links between two balls."""
    return sum(len(clusters.unknown(edge)) for edge in edges) - len(spinning(clusters, nodes))


def spinning(clusters: Clusters, nodes: Sequence[int]) -> list[int]:
    """The clusters that can spin; of two on the same balls, one spins against the other, and the second is meant."""
    found = [node for node in nodes if clusters.spins(node)]
    return found[-1:] if len(nodes) == 2 else found
