"""The declared joint kinds are the kinds that exist: same names, coordinates, and keys for what they need."""

import pickle

import pytest

from linkwork.algebra.space import space_named
from linkwork.elements.joints import ALL_JOINTS
from linkwork.errors import ModelError
from linkwork.model import JOINT_KINDS, Joint, Model


def test_the_same_kinds_are_declared_and_built():
    assert list(JOINT_KINDS) == [kind.name for kind in ALL_JOINTS]
    with pytest.raises(ModelError) as caught:
        Joint(kind="none", bodies=["a", "b"])
    assert all(name in str(caught.value) for name in JOINT_KINDS)


@pytest.mark.parametrize("kind", ALL_JOINTS, ids=lambda kind: kind.name)
def test_axes_and_coordinates_agree(kind):
    declared = JOINT_KINDS[kind.name]
    keys = {"kind", "bodies", "at", "reference", "limits", "stops", "friction", "clearance", *kind.numbers}
    counts = {*kind.axes.values()}
    keys |= {"axis"} if 1 in counts else set()
    keys |= {"axes"} if 2 in counts or kind.bends else set()
    assert set(declared.model_fields) == keys
    for space in kind.spaces:
        axis = {"axis": [1, 0] if space == "planar" else [1, 0, 0]} if kind.axes[space] == 1 else {}
        joint = Joint(kind=kind.name, bodies=["a", "b"], **axis, **dict.fromkeys(kind.numbers, "1 mm"))
        assert type(joint) is declared
        assert joint.freedoms == kind.scalars(space_named(space))
        assert joint.spins == kind.spins(space_named(space))
        assert pickle.loads(pickle.dumps(joint)) == joint


@pytest.mark.parametrize(
    ("given", "path", "reason", "hint"),
    [
        ({"kind": "cylindrical", "pitch": "2 mm"}, "pitch", "a cylindrical joint has no pitch", "write kind: helical"),
        ({"kind": "helical", "axis": [0, 0, 1], "pich": 1, "pitch": 1}, "pich", "unknown key 'pich'", "'pitch'"),
        ({"kind": "universal", "axis": [1, 0, 0]}, "axis", "a universal joint has no axis", "did you mean 'axes'?"),
        (
            {"kind": "spherical", "torque": 1},
            "torque",
            "unknown key 'torque'",
            "valid names: at, bodies, clearance",
        ),
        ({"kind": "rvolute"}, "kind", "'rvolute' is not one of: revolute, prismatic", "did you mean 'revolute'?"),
        ({}, "kind", "is missing", "write one of: revolute, prismatic"),
    ],
)
def test_keys_are_those_of_the_kind(given, path, reason, hint):
    data = {"space": "spatial", "points": {"O": [0, 0, 0]}, "bodies": {"top": {"points": ["O"], "mass": 1}}}
    with pytest.raises(ModelError) as caught:
        Model(**data, joints={"O": {"bodies": ["ground", "top"], **given}})
    fault = next(fault for fault in caught.value.faults if fault.path == f"joints.O.{path}")
    assert reason in fault.reason
    assert hint in fault.suggestion


def test_a_spherical_joint_starts_with_a_vector():
    data = {
        "space": "spatial",
        "points": {"O": [0, 0, 0]},
        "bodies": {"top": {"points": {"P": [0, 0, 0]}, "mass": 1}},
        "joints": {"O": {"kind": "spherical", "bodies": ["ground", "top"], "at": ["O", "P"]}},
    }
    model = Model(**data, initial={"O": {"omega": [0, 0, "60 rpm"]}})
    assert len(model.initial["O"]["omega"]) == 3
    with pytest.raises(ModelError, match="three components are needed"):
        Model(**data, initial={"O": {"omega": 1}})
