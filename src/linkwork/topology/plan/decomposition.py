"""From inputs to a plan: joints that are known, relations, loops in closed form, and iteration on what is left.

Loops are looked for with as few joints as possible, and closed forms come before iteration. Where neither a joint, nor a
relation, nor a single loop can be solved alone, the smallest group of clusters that is rigid once the inputs are given
is solved as one block (a group of Assur, in the plane) by Newton's method.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from linkwork.topology.graph.subgroups import classify, generate, row_basis
from linkwork.topology.plan.blocks import (
    ITERATION,
    Array,
    Block,
    Clusters,
    Edge,
    Family,
    Hung,
    Key,
    LinearRelation,
    Network,
    Plan,
    Spin,
    Tie,
    freedoms_of,
    spinning,
)
from linkwork.topology.plan.coupled import Determined, find_binding, find_solvable
from linkwork.topology.plan.cycles import Cycle, LoopSearch
from linkwork.topology.plan.families import recognise
from linkwork.topology.plan.pins import all_hold, hangings
from linkwork.topology.plan.short_tree import short_tree
from linkwork.topology.plan.ties import find_tied

KNOWN = Family("known joint", "known", ("only",))
COUPLED = Family("linear relation", "relation", ("only",))
LARGEST_GROUP = 9  # clusters in a block by iteration that are tried before all of the rest is taken
MOST_GROUPS = 4000


def decompose(
    network: Network,
    inputs: Sequence[Key],
    driven: Sequence[Key],
    reserved: Iterable[str] = (),
    tree: frozenset[str] | None = None,
) -> Plan:
    """The plan for given inputs. Joints that are *reserved* are not cut where that can be avoided.

    With a *tree* the joints outside it are the ones that are cut.
    """
    planner = _Planner(network, {*inputs, *driven}, frozenset(reserved), tree)
    blocks = tuple(planner.run())
    if not all_hold(network, blocks):
        return decompose(replace(network, pins=()), inputs, driven, reserved, tree)
    return Plan(tuple(inputs), tuple(driven), blocks, planner.clusters.count == 1)


class _Planner:
    def __init__(
        self, network: Network, known: set[Key], reserved: frozenset[str], tree: frozenset[str] | None
    ) -> None:
        self.network = network
        self.tree = tree
        self.clusters = Clusters(network, known)
        self.reserved = reserved
        self.latest = self.clusters.home[network.ground]
        self.waiting = list(network.relations)
        self.ties = list(network.ties)
        self.search: LoopSearch | None = None
        self.grown: int | None = None  # the cluster that was searched last, where a loop through it was closed since
        self.leaned = set[str]()  # joints of pins on which one is hung elsewhere: in the tree they say where the pin is
        self.most = 3 if network.planar else 6  # unknown freedoms of a loop without freedom

    def run(self) -> Iterator[Block]:
        while True:
            block = self._known_joint() or self._relation() or self._loop() or self._tied() or self._group()
            if block is None:
                return
            yield block

    def _known_joint(self) -> Block | None:
        edge = self.clusters.known_joint()
        if edge is None:
            return None
        self.latest = self.clusters.merge(self.clusters.ends(edge))
        return Block(KNOWN, (edge.name,), ())

    def _relation(self) -> Block | None:
        found = find_solvable(self.waiting, self.clusters.known)
        if found is None:
            return None
        self._use(found)
        joints = tuple(dict.fromkeys(name for name, _ in found.keys))
        return Block(COUPLED, joints, found.keys, relations=tuple(relation.name for relation in found.relations))

    def _use(self, bound: Determined) -> None:
        """From now on the coordinates that relations give are known."""
        self.clusters.learn(bound.keys)
        self.waiting = [relation for relation in self.waiting if relation not in bound.relations]

    def _loop(self) -> Block | None:
        """The single loop without freedom that is solved best: in closed form if there is one, with few joints."""
        spare: Cycle | None = None
        others = [cluster for cluster in self.clusters.members if cluster != self.latest]
        for search in chain([self._searched()], (LoopSearch(self.clusters, start, self.most) for start in others)):
            for edges, nodes in search:
                if not self._is_closed(edges, freedoms_of(self.clusters, edges, nodes)):
                    continue
                family = recognise(self.clusters, edges, nodes)
                if family is not None:
                    return self._close(family, edges, nodes)
                search.spare.append((edges, nodes))
            spare = spare or next(filter(search.holds, search.spare), None)
        return self._on_pins() or (self._close(ITERATION, *spare) if spare else None)

    def _searched(self) -> LoopSearch:
        """The loops through the latest cluster; where it has only grown by the last loop, only its new joints are new."""
        if self.search is None or self.grown != self.latest:
            self.search = LoopSearch(self.clusters, self.latest, self.most)
        else:
            self.search.look_further()
        self.grown = None
        return self.search

    def _on_pins(self) -> Block | None:
        """A loop in closed form by a joint that is hung elsewhere on its pin: it closes the loop, and is cut."""
        bound = {name for relation in self.network.relations for name, _ in relation.keys} | (self.tree or set())
        kept = {name: name in self.reserved for name in self.clusters.open if name not in bound}
        for hung, edge in hangings(self.clusters, sorted(kept, key=lambda name: (kept[name], name))):
            trial = self.clusters.with_edge(edge)
            for edges, nodes in LoopSearch(trial, trial.ends(edge)[0], self.most):
                outside = {
                    e.name for e in edges if e.name == edge.name or e.name not in (self.tree or self.clusters.open)
                }
                if edge not in edges or outside != {edge.name}:
                    continue
                if not self._is_closed(edges, freedoms_of(trial, edges, nodes)):
                    continue
                family = recognise(trial, edges, nodes)
                if family is not None:
                    self.clusters = trial
                    self.leaned |= {name for pin in self.network.pins if edge.name in pin.joints for name in pin.joints}
                    return self._close(family, edges, nodes, hung)
        return None

    def _tied(self) -> Block | None:
        """Joints that relations between bodies determine."""
        found = find_tied(self.clusters, self.ties)
        if found is None:
            return None
        clusters = self.clusters
        keys = [key for edge in found.edges for key in clusters.unknown(edge)]
        block = Block(
            ITERATION,
            tuple(edge.name for edge in found.edges),
            (*keys, *(key for tie in found.ties for key in tie.unknowns)),
            tuple(clusters.members[node][0] for node in found.clusters),
            ties=tuple(tie.name for tie in found.ties),
        )
        self.ties = [tie for tie in self.ties if tie not in found.ties]
        self.latest = clusters.merge(found.clusters)
        return block

    def _is_closed(self, edges: Sequence[Edge], freedoms: int) -> bool:
        """Whether a loop has no freedom left: its twists are independent, or as many as close its subgroup.

        The second is for positions in which a loop is singular: they say nothing about the loop elsewhere.
        """
        twists = np.vstack([self.clusters.twists(edge) for edge in edges])
        if self.network.planar:
            return freedoms == (3 if np.any(twists[:, 2]) else len(row_basis(twists)))
        if len(row_basis(twists)) == freedoms:
            return True
        return freedoms <= 3 and len(generate(twists)) == freedoms

    def _close(self, family: Family, edges: list[Edge], nodes: list[int], hung: Hung | None = None) -> Block:
        clusters = self.clusters
        edges, nodes = self._from_hub(edges, nodes)
        cuts = self._choose_cuts(edges) if hung is None else (hung.joint,)
        block = Block(
            family,
            tuple(edge.name for edge in edges),
            tuple(key for edge in edges if edge.name not in cuts for key in clusters.unknown(edge)),
            tuple(clusters.members[node][0] for node in nodes),
            cuts,
            self._subgroup(edges),
            self._spins(spinning(clusters, nodes), cuts),
            hung=hung,
        )
        before, self.latest = self.latest, clusters.merge(nodes)
        self.grown = self.latest if before == self.latest and hung is None and not self.ties else None
        return block

    def _spins(self, links: Sequence[int], cuts: Sequence[str]) -> tuple[Spin, ...]:
        """The links among the clusters of a block that spin between two balls, of which one stands in the tree."""
        found = []
        for link in links:
            first, second = (edge.name for edge in self.clusters.at(link))
            held = second if first in cuts else first
            found.append(Spin(self.clusters.members[link][0], (first, second), held))
        return tuple(found)

    def _subgroup(self, edges: Sequence[Edge]) -> str:
        twists = np.vstack([self.clusters.twists(edge) for edge in edges])
        return "planar" if self.network.planar and np.any(twists[:, 2]) else classify(twists).name

    def _from_hub(self, edges: list[Edge], nodes: list[int]) -> tuple[list[Edge], list[int]]:
        """Read the loop from the cluster that holds the ground, or else from the largest."""
        sizes = [
            (self.network.ground in self.clusters.members[node], len(self.clusters.members[node])) for node in nodes
        ]
        first = sizes.index(max(sizes))
        return edges[first:] + edges[:first], nodes[first:] + nodes[:first]

    def _choose_cuts(self, edges: Sequence[Edge]) -> tuple[str, ...]:
        """A joint with many freedoms far from the hub, all of them unknown, that nobody refers to."""
        if self.tree is not None:
            return tuple(edge.name for edge in edges if edge.name not in self.tree)
        middle = (len(edges) - 1) / 2
        ranks = [
            (
                len(self.clusters.unknown(edge)) == len(edge.twists),
                edge.name not in self.reserved,
                edge.name not in self.leaned,
                edge.letter != "S",  # on which turn a screw is, only the state knows
                len(edge.twists),
                -abs(i - middle),
            )
            for i, edge in enumerate(edges)
        ]
        return (edges[ranks.index(max(ranks))].name,)

    def _group(self) -> Block | None:
        """The smallest group of clusters that cannot move once the inputs are given."""
        if not self.clusters.open:
            return None
        looped = _without_ends(self.clusters)
        if not looped:
            return None
        planar = self.network.planar
        across = {name: _complement(self.clusters.twists(edge), planar) for name, edge in self.clusters.open.items()}
        group = next((g for g in _connected(self.clusters, looped) if self._is_rigid(g, across)), looped)
        return self._iterate(sorted(group))

    def _is_rigid(self, group: frozenset[int], across: Mapping[str, Array]) -> bool:
        """Whether clusters cannot move against each other; *across*: what each open joint does not let pass."""
        edges = self.clusters.inside(group)
        ties = self._ties_inside(group)
        if len(edges) + len(ties) < len(group):
            return False
        size = 3 if self.network.planar else 6
        place = {cluster: i for i, cluster in enumerate(sorted(group))}
        bound = self._binding(edges)
        width = size * len(group) + len(bound.keys)
        passive = len(spinning(self.clusters, sorted(group)))
        count = sum(len(across[edge.name]) for edge in edges) + len(bound.relations) + sum(t.conditions for t in ties)
        if count < width - size - passive:  # the rank of too few rows need not be found
            return False
        rows = []
        for edge in edges:
            held = across[edge.name]
            block = np.zeros((len(held), width))
            one, two = (place[cluster] for cluster in self.clusters.ends(edge))
            block[:, size * one : size * (one + 1)] = -held
            block[:, size * two : size * (two + 1)] = held
            rows.append(block)
        rows += [self._relation_row(relation, place, bound.keys) for relation in bound.relations]
        rows += [self._tie_rows(tie, place, width) for tie in ties]
        return bool(width - size - passive == len(row_basis(np.vstack(rows))))

    def _ties_inside(self, group: Iterable[int]) -> list[Tie]:
        """Relations between the clusters of a group, and no others."""
        inside = set(group)
        open_ties = self.clusters.open_ties
        return [
            tie for tie in self.ties if tie in open_ties and {self.clusters.home[body] for body in tie.bodies} <= inside
        ]

    def _tie_rows(self, tie: Tie, place: Mapping[int, int], width: int) -> Array:
        """Its rows for the twists of the clusters."""
        block = np.zeros((tie.conditions, width))
        for body, rows in tie.rows.items():
            first = rows.shape[1] * place[self.clusters.home[body]]
            block[:, first : first + rows.shape[1]] += rows
        return block

    def _binding(self, edges: Sequence[Edge]) -> Determined:
        """The relations that bind unknown coordinates of a group of joints."""
        inside = {key for edge in edges for key in self.clusters.unknown(edge)}
        return find_binding(self.waiting, self.clusters.known, inside)

    def _relation_row(self, relation: LinearRelation, place: Mapping[int, int], outer: Sequence[Key]) -> Array:
        """Its rate as a row for the twists of the clusters, of which that of a joint is part, and for outer coordinates."""
        size = 3 if self.network.planar else 6
        row = np.zeros((1, size * len(place) + len(outer)))
        for (name, freedom), factor in relation.terms:
            if (name, freedom) in self.clusters.known:
                continue
            if (name, freedom) in outer:
                row[0, size * len(place) + outer.index((name, freedom))] = factor
                continue
            edge = self.network.edges[name]
            columns = edge.twists[:, [2, 3, 4]] if self.network.planar else edge.twists
            rate = factor * np.linalg.pinv(columns)[:, freedom]
            one, two = (place[cluster] for cluster in self.clusters.ends(edge))
            row[0, size * one : size * (one + 1)] -= rate
            row[0, size * two : size * (two + 1)] += rate
        return row

    def _iterate(self, group: Sequence[int]) -> Block:
        clusters = self.clusters
        inside = clusters.inside(group)
        hub = max(group, key=lambda c: (self.network.ground in clusters.members[c], len(clusters.members[c])))
        tree = short_tree(clusters, inside, hub, self.reserved) if self.tree is None else self.tree
        names = [edge.name for edge in inside]
        nodes = (hub, *(cluster for cluster in group if cluster != hub))
        cuts = tuple(name for name in names if name not in tree)
        bound, ties = self._binding(inside), self._ties_inside(group)
        unknowns = [key for edge in inside if edge.name in tree for key in clusters.unknown(edge)]
        unknowns += [*bound.keys, *(key for tie in ties for key in tie.unknowns)]
        block = Block(
            ITERATION,
            tuple(names),
            tuple(unknowns),
            tuple(clusters.members[node][0] for node in nodes),
            cuts,
            self._subgroup(inside),
            self._spins(spinning(clusters, nodes), cuts),
            relations=tuple(relation.name for relation in bound.relations),
            ties=tuple(tie.name for tie in ties),
        )
        self.latest = clusters.merge(group)
        self._use(bound)
        self.ties = [tie for tie in self.ties if tie not in ties]
        return block


def _complement(twists: Array, planar: bool) -> Array:
    """Rows (r × 3 or 6) that vanish on the twists of a joint: what it does not let pass."""
    kept = twists[:, [2, 3, 4]] if planar else twists
    size = 3 if planar else 6
    basis = row_basis(kept)
    return np.linalg.svd(basis, full_matrices=True)[2][len(basis) :] if len(basis) else np.eye(size)


def _without_ends(clusters: Clusters) -> frozenset[int]:
    """The clusters that are left when those that one joint or relation holds are taken away, again and again."""
    left = set(clusters.members)
    tied = [{clusters.home[body] for body in tie.bodies} for tie in clusters.open_ties]
    while True:
        holds = {c: sum(1 for e in clusters.at(c) if clusters.other(e, c) in left) for c in left}
        ends = {c for c, count in holds.items() if count + sum(c in ends and ends <= left for ends in tied) < 2}
        if not ends:
            return frozenset(left)
        left -= ends


def _connected(clusters: Clusters, among: frozenset[int]) -> Iterator[frozenset[int]]:
    """Connected groups of clusters, the small ones first."""
    groups = {frozenset([cluster]) for cluster in among}
    tied = [{clusters.home[body] for body in tie.bodies} for tie in clusters.open_ties]
    tried = 0
    for _ in range(2, min(LARGEST_GROUP, len(among)) + 1):
        larger = set()
        for group in groups:
            near = {clusters.other(edge, c) for c in group for edge in clusters.at(c)}
            near = (near | {c for ends in tied if ends & group for c in ends}) & among - group
            larger |= {group | {cluster} for cluster in near}
        for group in sorted(larger, key=sorted):
            yield group
            tried += 1
            if tried > MOST_GROUPS:
                return
        groups = larger
