"""Descriptions of thousands of bodies that are nonsense: the first faults are told, and what is near is named."""

from __future__ import annotations

import pytest

import linkwork as lw
from linkwork.errors import MANY, TOLD, did_you_mean

COUNT = 1500


def chain(**changed: object) -> dict[str, object]:
    model: dict[str, object] = {
        "space": "planar",
        "points": {f"P{i}": [i, 0] for i in range(COUNT + 1)},
        "bodies": {f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(COUNT)},
        "joints": {
            f"P{i}": {"kind": "revolute", "bodies": [f"b{i - 1}" if i else "ground", f"b{i}"]} for i in range(COUNT)
        },
    }
    return {**model, **changed}


def faults_of(**changed: object) -> lw.errors.ModelError:
    with pytest.raises(lw.errors.ModelError) as caught:
        lw.Model(**chain(**changed))
    return caught.value


def test_of_very_many_faults_the_first_are_told() -> None:
    joints = {f"P{i}": {"kind": "revolute", "bodies": [f"c{i}", f"b{i}"]} for i in range(COUNT)}
    for error in (
        faults_of(points={}),
        faults_of(joints=joints),
        faults_of(bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mas": 1} for i in range(COUNT)}),
    ):
        assert len(error.faults) == TOLD
        assert str(error).startswith(f"model: {TOLD} faults; what is behind them is not told")
    assert "joints.P0.bodies: there is no body 'c0'" in str(faults_of(joints=joints))


def test_few_faults_among_many_bodies_are_all_told() -> None:
    bodies = {f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1 if i % 100 else -1} for i in range(COUNT)}
    error = faults_of(bodies=bodies)
    assert [fault.path for fault in error.faults] == [f"bodies.b{i}.mass" for i in range(0, COUNT, 100)]
    assert "not told" not in str(error)


def test_names_that_are_near_are_found_among_thousands() -> None:
    names = [f"link_{i}" for i in range(5 * MANY)] + ["slider"]
    assert "'slider'" in did_you_mean("slidr", names)
    assert "link_123" in did_you_mean("link_123x", names)
    assert did_you_mean("qqq", names).startswith("valid names: link_0, link_1, ")
