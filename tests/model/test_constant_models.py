"""Models cannot be changed; equal ones are equal, can be keys, and share what is compiled."""

import copy
import pickle
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.model.element import Element

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("src/linkwork/mechanisms/*.yaml"))


def four_bar():
    return lw.load(ROOT / "src/linkwork/mechanisms/four_bar.yaml")


def containers(value):
    """Everything inside a model that could hold something."""
    if isinstance(value, lw.Model | Element):
        for name in type(value).model_fields:
            yield from containers(getattr(value, name))
    elif isinstance(value, dict | list | set):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from containers(item)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_in_a_model_can_be_changed(path):
    model = lw.load(path)
    before = model.to_dict()
    found = list(containers(model))
    assert found and all(isinstance(item, dict) for item in found)
    for section in found:
        name = next(iter(section), "new")
        for change in (
            lambda s=section, n=name: s.__setitem__(n, None),
            lambda s=section: s.update(new=None),
            lambda s=section, n=name: s.pop(n, None),
            lambda s=section, n=name: s.setdefault("new", None),
            lambda s=section: s.clear(),
            lambda s=section, n=name: s.__delitem__(n),
            lambda s=section: s.popitem(),
            lambda s=section: s.__ior__({"new": None}),
        ):
            with pytest.raises(lw.errors.FrozenError, match="with_"):
                change()
    assert model.to_dict() == before


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_equal_models_are_equal_in_any_order_and_can_be_keys(path):
    model, again = lw.load(path), lw.load(path)
    data = model.to_dict()
    shuffled = {key: dict(reversed(item.items())) if isinstance(item, dict) else item for key, item in data.items()}
    turned = lw.Model(**shuffled)
    for other in (again, turned, copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other == model and hash(other) == hash(model)
        assert {model: 1}[other] == 1
    assert model.with_(description=model.description + "!") != model
    with pytest.raises(lw.errors.FrozenError):
        pickle.loads(pickle.dumps(model)).bodies["new"] = None


def test_elements_and_fields_cannot_be_changed_either():
    model = four_bar()
    for change in (
        lambda: setattr(model, "name", "x"),
        lambda: setattr(model.bodies["coupler"], "mass", 3),
        lambda: delattr(model, "name"),
        lambda: model.bodies.update(coupler=1),
    ):
        with pytest.raises(lw.errors.FrozenError, match="with_"):
            change()


def test_changed_models_are_checked_and_the_new_code_runs():
    """A coupler exchanged: the other one is in what runs, and faulty ones are refused."""
    model = four_bar()
    heavy = model.with_(bodies={"coupler": model.bodies["coupler"].with_(mass=40)})
    assert float(heavy.number(heavy.bodies["coupler"].mass)) == 40
    assert model == four_bar() and heavy != model
    assert heavy.bodies["crank"] == model.bodies["crank"]
    mine, theirs = (lw.simulate(item, times=[0.0]) for item in (model, heavy))
    rise = theirs["energy.kinetic"][0] + theirs["energy.potential"][0] - mine.energy[0]
    assert abs(rise) > 1.0
    assert model.model_copy(update={"name": "other"}).name == "other"
    for faulty in ({"bodies": {"coupler": {"mass": 1}}}, {"joints": {"A": None, "nowhere": {"kind": "revolute"}}}):
        with pytest.raises(lw.errors.ModelError):
            model.with_(**faulty)
        with pytest.raises(lw.errors.ModelError):
            model.model_copy(update={**faulty})
    with pytest.raises(lw.errors.ModelError, match="unknown key 'body'"):
        model.with_(body={})


def test_sections_are_changed_by_name():
    model = four_bar()
    pushed = model.with_(forces={"push": lw.elements.Effort(joint="O", value=1)}, initial={"O": {"speed": 2}})
    assert set(pushed.with_(initial={"O": {"angle": 1}}).initial["O"]) == {"speed", "angle"}
    assert list(pushed.forces) == [*model.forces, "push"]
    assert pushed.with_(forces={"push": None}, initial=None) == model.with_(initial=None)


def test_equal_models_share_their_compiled_code():
    assert lw.prepare(four_bar()) is lw.prepare(four_bar())
    assert lw.prepare(four_bar()) is not lw.prepare(four_bar().with_(gravity=(0, -1)))
    # a length is not the same text as a number: what is printed is what was written
    written = four_bar().with_(parameters={"extra": "25 mm"}), four_bar().with_(parameters={"extra": 0.025})
    assert written[0] == written[1]
    assert [str(lw.prepare(item).model.parameters["extra"].value) for item in written] == ["25 mm", "0.025"]


def test_models_in_another_order_keep_their_order():
    """Equal models may list their parts differently; what is printed of each follows its own order."""
    model = four_bar()
    data = model.to_dict()
    turned = lw.Model(**{**data, "bodies": dict(reversed(data["bodies"].items()))})
    assert turned == model
    assert list(lw.prepare(turned).model.bodies) == list(reversed(list(lw.prepare(model).model.bodies)))
