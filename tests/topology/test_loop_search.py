"""Loops that are kept while others are closed: the same plan as with a new search for every loop."""

from __future__ import annotations

import linkages
import mechanisms
import pytest

import linkwork as lw
from linkwork.topology.plan import decomposition
from linkwork.topology.plan.blocks import Clusters
from linkwork.topology.plan.cycles import LoopSearch, cycles

MODELS = {
    "windows": lambda: mechanisms.n_four_bar(7),
    "six-bar": linkages.six_bar,
    "bricard": mechanisms.bricard,
    "peaucellier": lambda: lw.example("peaucellier"),
    "stewart": lambda: lw.example("stewart_platform"),
    "wishbone": lambda: lw.example("double_wishbone"),
    "eight-bar": lambda: lw.example("eight_bar"),
    "pins": lambda: lw.example("stephenson_3"),
}


@pytest.mark.parametrize("name", list(MODELS))
def test_plans_are_those_of_new_searches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = MODELS[name]()
    kept = lw.analyse(model).plan
    lw.forget()
    monkeypatch.setattr(
        decomposition._Planner, "_searched", lambda self: LoopSearch(self.clusters, self.latest, self.most)
    )
    assert lw.analyse(model).plan == kept


@pytest.mark.parametrize("name", list(MODELS))
def test_the_loops_of_a_search_are_all_cycles_shortest_first(name: str) -> None:
    planner = lw.analyse(MODELS[name]()).planner
    clusters = Clusters(planner.network, set())
    for start in clusters.members:
        wanted = sorted(cycles(clusters, start, 6), key=lambda cycle: len(cycle[0]))
        assert list(LoopSearch(clusters, start, 6)) == wanted
