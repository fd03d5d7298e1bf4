"""A pin in a slot in closed form: a slide and a turn with a cluster without bodies between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, seeds

import linkwork as lw


def slotted(rng: np.random.Generator, swapped: bool, slot_on: str, **more: Any) -> lw.Model:
    """A crank and a lever, the slot on either of them and anywhere beside its pivot."""
    places = {"O": [0.0, 0.0], "C": [1.5, 0.3], "A": rng.uniform(-0.5, 0.5, size=2).tolist()}
    axis = rng.normal(size=2).tolist()
    bodies = {
        "crank": {"points": ["O", "A"], "mass": 1, "com": [0.1, 0.05], "inertia": 0.1},
        "lever": {"points": ["C"], "mass": 2, "com": [-0.2, 0.1], "inertia": 0.3},
    }
    parent, child = ("lever", "crank") if slot_on == "lever" else ("crank", "lever")
    pivot = ["lever", "ground"] if swapped else ["ground", "lever"]
    joints = {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "C": {"kind": "revolute", "bodies": pivot},
        "slot": {"kind": "point_on_line", "bodies": [parent, child], "at": "A", "axis": axis},
    }
    return lw.Model(space="planar", gravity=[0, -9.81], points=places, bodies=bodies, joints=joints, **more)


@pytest.mark.matrix("swapped")
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("slot_on", ["lever", "crank"])
@examples(4)
@given(seed=seeds)
def test_both_assemblies_are_found_by_formulas(slot_on: str, swapped: bool, seed: int) -> None:
    model = slotted(np.random.default_rng(seed), swapped, slot_on)
    topology = lw.analyse(model)
    (block,) = topology.plan.loops
    assert (block.family.name, set(block.joints)) in [("dyad RRP", {"C", "slot"}), ("dyad RRP", {"O", "slot"})]
    modes = lw.assembly_modes(topology)
    assert modes.complete and len(modes.modes) == 2
    assert all(mode.residual < 1e-10 for mode in modes.modes)
    assert sum(mode.in_use for mode in modes.modes) == 1
    # the branch that is not in use, by its name
    (other,) = [branch for branch in block.family.branches if branch != topology.branches[block.name]]
    assert lw.analyse(model.with_branches({block.name: other})).branches == {block.name: other}


@pytest.mark.parametrize("slot_on", ["lever", "crank"])
@examples(2)
@given(seed=seeds)
def test_formulas_and_iteration_move_it_alike(slot_on: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = slotted(rng, bool(rng.random() < 0.5), slot_on, initial={"O": {"speed": float(rng.uniform(0.5, 1))}})
    closed, iterated = (
        lw.simulate(model, 0.3, step=0.1, formulation=form, rtol=1e-11, atol=1e-13, backend="reference")
        for form in (lw.formulations.Hybrid(), lw.formulations.Hybrid(closed_form=False))
    )
    for name in ("O.angle", "C.angle", "slot.position", "slot.angle", "slot.angle_rate", "slot.fx", "slot.fy", "C.fy"):
        size = max(1.0, float(np.max(np.abs(closed[name]))))
        np.testing.assert_allclose(iterated[name], closed[name], atol=1e-8 * size, err_msg=name)
    np.testing.assert_allclose(closed.energy, closed.energy[0], atol=1e-8)


def test_a_driven_slide_in_one_slot_closes_the_other() -> None:
    """A plate on two pins whose slots cross at right angles, one slide driven: the other follows from Pythagoras."""
    model = lw.Model(
        space="planar",
        points={"X": [0.2, 0.4], "P": [-0.3, 0.4], "Q": [0.2, -0.1]},
        bodies={"plate": {"points": ["X", "P", "Q"], "mass": 2, "com": "X", "inertia": 0.05}},
        joints={
            "along": {"kind": "point_on_line", "bodies": ["plate", "ground"], "at": ["X", "P"], "axis": [1, 0]},
            "across": {"kind": "point_on_line", "bodies": ["plate", "ground"], "at": ["X", "Q"], "axis": [0, 1]},
        },
        drivers={"motor": {"joint": "along", "freedom": "position", "position": "-0.5 + 0.2*sin(t)"}},
    )
    topology = lw.analyse(model)
    assert topology.plan.closed
    result = lw.simulate(model, 6.0, step=0.25)
    s = -0.5 + 0.2 * np.sin(result.time)
    np.testing.assert_allclose(result["along.position"], s, atol=1e-12)
    np.testing.assert_allclose(result["across.position"], -np.sqrt(0.5 - s**2), atol=1e-12)
