"""What has been made of a model is used again, and goes when nobody holds it."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.prepared.memo import KEPT
from linkwork.machine import compilation_count, engine

ARM = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [1, 0]},
    "bodies": {"arm": {"bar": ["O", "A"], "mass": 2}},
    "joints": {"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
}


def arm(length: float = 1.0) -> lw.Model:
    return lw.Model(**ARM).with_(points={"A": [length, 0]})


def test_each_stage_is_used_as_it_is() -> None:
    topology = lw.analyse(arm(1.1))
    coordinates = lw.number(topology, "natural")
    equations = lw.formulate(coordinates, "multipliers")
    program = lw.build(equations)
    assert coordinates.topology is topology
    assert lw.analyse(equations) is topology
    assert lw.number(program, "natural") is coordinates
    assert lw.prepare(coordinates).coordinates is coordinates
    assert lw.prepare(equations).equations is equations
    mechanism = lw.prepare(program)
    assert mechanism.program is program
    # another choice changes what follows it and nothing before it
    other = lw.prepare(program, formulation="partitioning")
    assert other.coordinates is coordinates
    assert other.equations is not equations


@pytest.mark.parametrize("noun", ["topology", "coordinates", "equations", "program", "mechanism"])
def test_every_stage_is_a_noun_of_verbs(noun: str) -> None:
    model = arm(1.2)
    mechanism = lw.prepare(model, coordinates="natural", formulation="multipliers")
    given = mechanism if noun == "mechanism" else getattr(mechanism, noun)
    result = lw.simulate(given, until=0.5, rtol=1e-10)
    expected = lw.simulate(model, until=0.5, rtol=1e-10)
    assert result["A.y"][-1] == pytest.approx(expected["A.y"][-1], abs=1e-8)
    if noun != "topology":
        assert result.source.mechanism.coordinates is mechanism.coordinates


def test_a_program_of_functions_alone_is_no_mechanism() -> None:
    functions = dict(lw.formulate(arm()).functions)
    with pytest.raises(lw.errors.RefusedError, match="build\\(equations\\)"):
        lw.simulate(lw.build(functions), until=1)


def test_a_stage_in_a_pose_keeps_it() -> None:
    pose = lw.assemble(arm(), {"O.angle": 0.7})
    topology = lw.analyse(pose)
    assert lw.prepare(topology).topology is topology
    assert lw.simulate(topology, until=0.1)["O.angle"][0] == pytest.approx(0.7, abs=1e-12)


def test_equal_models_share_what_was_made_of_them() -> None:
    mechanism = lw.prepare(arm(1.3))
    assert lw.prepare(arm(1.3)) is mechanism
    assert lw.prepare(arm(1.4)) is not mechanism
    assert lw.analyse(arm(1.3)) is mechanism.topology


def test_the_last_ones_are_remembered() -> None:
    first = lw.analyse(arm(2.0))
    for k in range(KEPT - 1):
        lw.analyse(arm(2.1 + k))
        assert lw.analyse(arm(2.0)) is first
    for k in range(KEPT):
        lw.analyse(arm(3.1 + k))
    assert lw.analyse(arm(2.0)) is not first


def test_machine_code_goes_with_the_mechanism() -> None:
    mechanism = lw.prepare(arm(0.77))
    result = lw.simulate(mechanism, until=0.2)
    name = next(iter(mechanism.equations.scheme.functions))
    key = mechanism.program[name].codes["scalar"].owner.key
    gone = weakref.ref(mechanism)
    assert key in engine._LOADED
    del mechanism
    lw.forget()
    assert key in engine._LOADED  # the result may still need it
    angle = result["O.angle"][-1]
    detached = result.detach()
    del result
    lw.forget()
    assert key not in engine._LOADED
    assert gone() is None
    assert detached["O.angle"][-1] == angle


def test_what_was_freed_is_loaded_again_and_not_compiled() -> None:
    first = lw.simulate(arm(0.78), until=0.2)["O.angle"]
    lw.forget()
    before = compilation_count()
    assert np.array_equal(lw.simulate(arm(0.78), until=0.2)["O.angle"], first)
    assert compilation_count() == before


def test_many_models_do_not_fill_the_memory() -> None:
    lw.forget()
    before = len(engine._LOADED)
    for k in range(3 * KEPT):
        lw.simulate(arm(4.0 + 0.01 * k), until=0.01)
    gc.collect()
    one = len(lw.prepare(arm(4.0)).program)
    assert len(engine._LOADED) - before <= (KEPT + 1) * (one + 3)
