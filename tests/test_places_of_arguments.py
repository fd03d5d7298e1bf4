"""Arguments without names beyond those that a verb takes by their places: an error in words, of every verb."""

from __future__ import annotations

from inspect import Parameter, signature

import pytest

import linkwork as lw

PENDULUM = {
    "space": "planar",
    "points": {"O": [0, 0], "A": [1, 0]},
    "bodies": {"arm": {"bar": ["O", "A"], "mass": 1}},
    "joints": {"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
}
VERBS = [name for name in lw.__all__ if getattr(getattr(lw, name), "__wrapped__", None) is not None]


def test_there_are_verbs():
    assert {"simulate", "analyse", "assemble", "assembly_modes", "find_limits", "inverse_dynamics"} <= set(VERBS)


@pytest.mark.parametrize("name", VERBS)
def test_too_many_arguments_are_told_in_words(name):
    own = signature(getattr(lw, name)).parameters.values()
    if any(item.kind is Parameter.VAR_POSITIONAL for item in own):
        return
    places = [item.name for item in own if item.kind is not Parameter.KEYWORD_ONLY]
    with pytest.raises(lw.errors.ArgumentError, match=f"^{name} takes {len(places) or 'no'} argument") as told:
        getattr(lw, name)(*[PENDULUM] * (len(places) + 1))
    assert isinstance(told.value, TypeError)
    assert all(place in str(told.value) for place in places)


def test_inputs_of_assembly_modes_are_those_of_a_pose():
    model = lw.Model(**PENDULUM)
    with pytest.raises(TypeError, match=r"assembly_modes\(assemble\(model, \{\.\.\.\}\)\); name it: parameters="):
        lw.assembly_modes(model, {"O": "30 deg"})  # type: ignore[misc]
    held = lw.assembly_modes(lw.assemble(model, {"O": "30 deg"}))
    assert held[0]["O.angle"] == pytest.approx(0.5235987755982988, abs=1e-12)


def test_methods_of_answers_do_not_count_what_they_belong_to():
    result = lw.simulate(PENDULUM, until=0.01)
    with pytest.raises(TypeError, match=r"^animate takes 1 argument without a name \(path\), and 2 were given"):
        result.animate("x.html", "y.html")  # type: ignore[misc]
