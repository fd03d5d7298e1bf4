"""Spanning trees and loops of random multigraphs."""

from __future__ import annotations

import numpy as np
from exploring import drawn
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from linkwork.topology.graph.graph import Link, SpanningTree, spanning_tree

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
