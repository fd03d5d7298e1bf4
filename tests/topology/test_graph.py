"""Spanning trees and loops of random multigraphs."""

from __future__ import annotations

import numpy as np
import pytest
from exploring import drawn
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix
from scipy.sparse.csgraph import connected_components, maximum_flow, minimum_spanning_tree

import linkwork as lw
from linkwork.topology.graph.blocks import blocks
from linkwork.topology.graph.graph import Link, SpanningTree, spanning_tree
from linkwork.topology.plan.blocks import Edge, Network, Tie
from linkwork.topology.plan.network import bridges

few = drawn(60)


@st.composite
def multigraphs(draw: st.DrawFn) -> tuple[list[str], list[Link]]:
    count = draw(st.integers(1, 8))
    nodes = [f"n{i}" for i in range(count)]
    pair = st.tuples(st.integers(0, count), st.integers(0, count), st.integers(0, 4)).filter(lambda e: e[0] != e[1])
    ends = ["root", *nodes]
    return nodes, [Link(f"l{k}", ends[i], ends[j], w) for k, (i, j, w) in enumerate(draw(st.lists(pair, max_size=14)))]


def grow(graph: tuple[list[str], list[Link]]) -> SpanningTree:
    return spanning_tree("root", *graph)


def components(nodes: list[str], links: list[Link]) -> int:
    place = {name: i for i, name in enumerate(["root", *nodes])}
    matrix = np.zeros((len(place), len(place)))
    for link in links:
        matrix[place[link.first], place[link.second]] = 1
    return int(connected_components(csr_matrix(matrix), directed=False)[0])


@few
@given(multigraphs())
def test_number_of_loops_is_edges_less_nodes_plus_components(graph: tuple[list[str], list[Link]]) -> None:
    nodes, links = graph
    tree = grow(graph)
    assert len(tree.loops) == len(tree.cuts) == len(links) - (len(nodes) + 1) + components(nodes, links)
    starts = [step for step in tree.steps if step.link is None]
    assert len(starts) == components(nodes, links) - 1


@few
@given(multigraphs())
def test_every_node_is_reached_once_and_after_its_inboard_node(graph: tuple[list[str], list[Link]]) -> None:
    nodes, _ = graph
    tree = grow(graph)
    assert sorted(step.outboard for step in tree.steps) == sorted(nodes)
    reached = {"root"}
    for step in tree.steps:
        assert step.inboard in reached
        reached.add(step.outboard)
        if step.link is not None:
            assert {step.link.first, step.link.second} == {step.inboard, step.outboard}
            assert step.reversed == (step.link.second == step.inboard)
        else:
            assert step.inboard == "root" and not step.reversed


@few
@given(multigraphs())
def test_every_loop_closes(graph: tuple[list[str], list[Link]]) -> None:
    tree = grow(graph)
    in_tree = {step.link.name for step in tree.steps if step.link is not None}
    for loop, cut in zip(tree.loops, tree.cuts, strict=True):
        assert loop.cut is cut and loop.links[0] is cut
        assert len({link.name for link in loop.links}) == len(loop.links) == len(loop.nodes)
        assert all(link.name in in_tree for link in loop.links[1:])
        # walk round: from the cut's first node along the tree to its second node
        node = cut.first
        for link in loop.links[1:]:
            assert node in (link.first, link.second)
            node = link.other(node)
            assert node in loop.nodes
        assert node == cut.second


@few
@given(multigraphs())
def test_light_links_go_into_the_tree(graph: tuple[list[str], list[Link]]) -> None:
    nodes, links = graph
    place = {name: i for i, name in enumerate(["root", *nodes])}
    lightest = np.full((len(place), len(place)), np.inf)
    for link in links:
        i, j = sorted((place[link.first], place[link.second]))
        lightest[i, j] = min(lightest[i, j], link.weight + 1)
    found = sum(step.link.weight + 1 for step in grow(graph).steps if step.link is not None)
    best = minimum_spanning_tree(csr_matrix(np.where(np.isinf(lightest), 0, lightest))).sum()
    assert found == best


def test_parallel_links_make_a_loop_of_two() -> None:
    tree = spanning_tree("root", ["a"], [Link("one", "root", "a"), Link("two", "a", "root")])
    assert [link.name for link in tree.loops[0].links] == ["two", "one"]


@pytest.mark.parametrize("seed", range(40))
def test_joints_in_no_loop_are_those_whose_removal_parts_the_bodies(seed: int) -> None:
    """Independent: connected components of SciPy, joint by joint; with several joints of a pair, and ties of three."""
    rng = np.random.default_rng(seed)
    count, none = int(rng.integers(2, 12)), np.zeros((0, 6))
    names = ["ground", *(f"b{i}" for i in range(1, count))]
    pairs = [(names[rng.integers(0, i)], names[i]) for i in range(1, count) if rng.random() < 0.9]
    pairs += [tuple(rng.choice(names, 2)) for _ in range(rng.integers(0, 5))]
    edges = {f"j{k}": Edge(f"j{k}", str(one), str(other), "R", none) for k, (one, other) in enumerate(pairs)}
    tied = [tuple(map(str, rng.choice(names, min(3, count), replace=False))) for _ in range(rng.integers(0, 3))]
    ties = tuple(Tie(f"t{k}", bodies, (), 1, {}) for k, bodies in enumerate(tied))
    network = Network("ground", tuple(names[1:]), edges, (), ties)

    def parts(without: str) -> int:
        links = np.zeros((count, count))
        for edge in edges.values():
            if edge.name != without:
                links[names.index(edge.first), names.index(edge.second)] = 1
        for bodies in tied:
            for body in bodies:
                links[names.index(bodies[0]), names.index(body)] = 1
        return int(connected_components(csr_array(links), directed=False)[0])

    assert bridges(network) == [name for name in edges if parts(name) > parts("")]


@few
@given(multigraphs())
def test_edges_are_of_one_block_where_a_circle_leads_through_both(graph: tuple[list[str], list[Link]]) -> None:
    _, links = graph
    found = blocks([(link.first, link.second) for link in links])
    for i, one in enumerate(links):
        for j, other in enumerate(links[:i]):
            assert (found[i] == found[j]) == _on_a_circle(links, one, other)


def _on_a_circle(links: list[Link], one: Link, other: Link) -> bool:
    """Whether two paths that share no node lead from the ends of one edge to those of the other: a flow of two, each node
    once (Menger)."""
    if {one.first, one.second} == {other.first, other.second}:
        return True
    rest = [link for link in links if link not in (one, other)]
    nodes = {node for link in links for node in (link.first, link.second)}
    arcs = {
        (f"{a} out", f"{b} in"): 1 for link in rest for a, b in ((link.first, link.second), (link.second, link.first))
    }
    arcs |= {(f"{node} in", f"{node} out"): 1 for node in nodes}
    arcs |= {("source", f"{node} in"): 1 for node in (one.first, one.second)}
    arcs |= {(f"{node} out", "sink"): 1 for node in (other.first, other.second)}
    names = sorted({name for arc in arcs for name in arc})
    table = np.zeros((len(names), len(names)), dtype=np.int32)
    for (first, second), size in arcs.items():
        table[names.index(first), names.index(second)] = size
    return bool(maximum_flow(csr_array(table), names.index("source"), names.index("sink")).flow_value == 2)


def test_blocks_of_a_long_chain_are_its_edges() -> None:
    count = 5000
    assert len(set(blocks([(i, i + 1) for i in range(count)]))) == count
    assert len(set(blocks([(i, (i + 1) % count) for i in range(count)]))) == 1
    assert blocks([("a", "a"), ("a", "b")])[0] != blocks([("a", "a"), ("a", "b")])[1]


def test_the_page_of_a_long_chain_is_as_long_as_the_chain() -> None:
    """Its tree has no wider margin, the deeper it goes."""

    def page(links: int) -> str:
        model = lw.Model(
            space="planar",
            points={f"P{i}": [i, 0] for i in range(links + 1)},
            bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(links)},
            joints={
                f"P{i}": {"kind": "revolute", "bodies": [f"b{i - 1}" if i else "ground", f"b{i}"]} for i in range(links)
            },
        )
        return str(lw.analyse(model))

    short, long = page(40), page(160)
    assert len(long) < 4.5 * len(short)
    assert "\n" + 42 * " " + "b38 - P39 (revolute) - b39" in short
