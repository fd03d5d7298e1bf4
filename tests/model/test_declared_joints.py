"""The declared joint kinds are the kinds that exist: same names, spaces, axes and coordinates."""

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
    assert declared.axes == dict(kind.axes)
    for space in kind.spaces:
        built = kind.scalars(space_named(space))
        assert [(f.coordinate, f.rate, f.dimension) for f in declared.freedoms[space]] == [
            (f.name, f.rate, f.kind) for f in built
        ]


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
