"""Plans of geared mechanisms: several relations at once, idlers beside a loop, redundant meshes."""

from __future__ import annotations

from typing import Any

import gear_trains
import numpy as np
import pytest
from gear_trains import PLANET, RING, SUN, wheel
from linkages import revolute

import linkwork as lw
from linkwork.topology.plan.blocks import LinearRelation
from linkwork.topology.plan.coupled import dependent_keys, find_solvable

A, B, C, D = (("A", 0), ("B", 0), ("C", 0), ("D", 0))


def test_relations_that_have_to_be_solved_together_are_found() -> None:
    relations = [
        LinearRelation("long", ((A, 1.0), (B, 1.0), (C, 1.0))),
        LinearRelation("first", ((A, 1.0), (B, 2.0), (D, 1.0))),
        LinearRelation("second", ((A, 1.0), (B, -3.0), (D, 1.0))),
    ]
    found = find_solvable(relations, {D})
    assert found is not None and [r.name for r in found.relations] == ["first", "second"]
    assert set(found.keys) == {A, B}
    # two that say the same determine nothing
    same = [relations[1], LinearRelation("again", ((A, 2.0), (B, 4.0), (D, 5.0)))]
    assert find_solvable(same, {D}) is None
    assert find_solvable(relations, set()) is None


def test_wheels_on_one_pinion_depend_on_it() -> None:
    relations = [LinearRelation("one", ((A, 1.0), (B, -2.0))), LinearRelation("two", ((C, 1.0), (B, -3.0)))]
    assert len(dependent_keys(relations, {A, B, C}, ())) == 2
    assert dependent_keys(relations, {A, B, C}, ("B",)) == {A, C}
    assert dependent_keys(relations, {A, C}, ()) == {A, C}


def test_a_second_planet_is_redundant() -> None:
    """Each planet couples sun and ring; the second repeats what the first does, and the motion is the same."""
    one = gear_trains.planetary(forces={"motor": {"kind": "effort", "joint": "S", "value": 1}})
    data = one.to_dict()
    data["points"]["Q"] = [-SUN - PLANET, 0]
    data["bodies"]["arm"]["points"] = ["O", "P", "Q"]
    data["bodies"] |= {"planet": wheel("P", 0.5, 0.005), "second": wheel("Q", 0.5, 0.005)}
    data["joints"]["Q"] = revolute("arm", "second")
    data["couplings"] |= {
        "inner2": {"bodies": ["sun", "second"], "radii": [SUN, PLANET]},
        "outer2": {"bodies": ["second", "ring"], "radii": [PLANET, RING], "internal": True},
    }
    two = lw.Model(**data)
    mobility = lw.analyse(two).mobility
    assert mobility.by_rank == 2
    assert [(label.kind, label.element) for label in mobility.redundant] == [("coupling", "outer2")]
    results = [lw.simulate(model, 1.0, rtol=1e-10, atol=1e-12) for model in (one, two)]
    np.testing.assert_allclose(results[0]["A.angle"], results[1]["A.angle"], atol=1e-9)
    # the meshes of the two planets share the load; how, nothing but least effort decides
    shared = results[1]["inner.effort"] + results[1]["inner2.effort"]
    np.testing.assert_allclose(shared, results[0]["inner.effort"], rtol=1e-8)


def idler_five_bar(**more: Any) -> lw.Model:
    """A five-bar whose cranks are geared by two idlers that stand beside the loop."""
    bars = {"a": "OA", "b": "AB", "c": "CB", "d": "DC"}
    points = {"O": [0, 0], "A": [0.3, 0.8], "B": [1.2, 1.5], "C": [2.0, 0.9], "D": [2.2, 0], "I": [1, 0], "J": [1, -1]}
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points=points,
        bodies={
            **{name: {"bar": list(ends), "mass": 1} for name, ends in bars.items()},
            "idler": wheel("I", 1, 0.1),
            "second": wheel("J", 1, 0.1),
        },
        joints={
            "O": revolute("ground", "a"),
            "A": revolute("a", "b"),
            "B": revolute("b", "c"),
            "C": revolute("d", "c"),
            "D": revolute("ground", "d"),
            "I": revolute("ground", "idler"),
            "J": revolute("ground", "second"),
        },
        couplings={
            "in": {"joints": ["A", "I"], "ratio": -1},
            "through": {"joints": ["I", "J"], "ratio": -0.5},
            "out": {"joints": ["J", "C"], "ratio": -2},
        },
        **more,
    )


@pytest.mark.parametrize("driver", [None, "O"])
def test_idlers_beside_a_loop(driver: str | None) -> None:
    """Free, the loop is a dyad once an idler has turned; with a crank driven, the idlers are found with the loop."""
    drivers = {} if driver is None else {"motor": {"joint": driver, "speed": 0.4}}
    model = idler_five_bar(drivers=drivers)
    topology = lw.analyse(model)
    assert topology.mobility.by_rank == 1
    assert topology.plan.complete and topology.plan.closed == (driver is None)
    results = [lw.simulate(model, 0.5, formulation=f, rtol=1e-10, atol=1e-12) for f in ("hybrid", "partitioning")]
    assert all(result.outcome.completed for result in results)
    for name in ("b.x", "I.angle", "C.angle"):
        np.testing.assert_allclose(results[0][name], results[1][name], atol=1e-8, err_msg=name)
    turned = {name: results[0][f"{name}.angle"] - results[0][f"{name}.angle"][0] for name in "ACIJ"}
    np.testing.assert_allclose(turned["A"], -turned["C"], atol=1e-9)
    np.testing.assert_allclose(turned["J"], -2 * turned["I"], atol=1e-9)
    assert np.ptp(turned["I"]) > 0.1


def test_assemblies_with_idlers_are_found() -> None:
    """With the crank held there are two: in both the gears have turned as they must."""
    model = idler_five_bar(drivers={"motor": {"joint": "O", "speed": 0.4}})
    modes = lw.assembly_modes(model)
    assert len(modes) >= 2
