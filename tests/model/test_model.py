"""Models from Python: objects and dictionaries, defaults, parameters, places, reports."""

import copy
import math
import pickle

import numpy as np
import pytest

from linkwork.algebra.expressions import Number, parse
from linkwork.errors import FrozenError, ModelError, UnknownNameError
from linkwork.model import Body, Driver, Joint, Model, Parameter
from linkwork.model.couplings import Belt, Gear, LinearCoupling, Planetary, Rack
from linkwork.model.forces import Effort, Force, Spring, Torque, TorsionSpring


def pendulum(**changes):
    data = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "A": [1, 0]},
        "bodies": {"rod": Body(bar=["O", "A"], mass="1 kg")},
        "joints": {"O": Joint(kind="revolute", bodies=["ground", "rod"])},
    }
    return Model(**(data | changes))


def test_objects_and_dictionaries_make_the_same_model():
    plain = pendulum(
        bodies={"rod": {"bar": ["O", "A"], "mass": "1 kg"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )
    assert plain == pendulum()
    assert Model(**plain.to_dict()) == plain
    assert Model.model_validate(plain.to_dict()) == plain


def test_all_element_classes_round_trip_through_plain_data():
    elements = [
        Body(points={"P": [0, 0], "Q": ["10 mm", "2*l"]}, mass=1, com="P", inertia={"box": [1, 2]}, rotation="30 deg"),
        Body(bar=("O", "A"), density="1 g/cm^3", radius="5 mm", points={"P": np.array([0.1, 0.2, 0.0])}),
        Body(points=["A"], mass=0),
        Body(points=["A"], mass=1, inertia=np.diag([1.0, 2.0, 2.5])),
        Body(points={"P": [0, 0, 0]}, mass=1, inertia="point", rotation={"axis": [0, 0, 1], "angle": "l"}),
        Joint(kind="universal", bodies=["a", "b"], at=["P", "Q"], axes=[[1, 0, 0], [0, 1, 0]]),
        Joint(kind="prismatic", bodies=["a", "b"], at="P", axis=[1, "sin(l)"], reference="3 mm"),
        Driver(joint="O", speed="2*t"),
        Gear(joints=["O", "A"], ratio="-1/3", freedoms=["angle", "angle"]),
        Gear(bodies=["sun", "planet"], teeth=[20, "2*z"], arm="arm"),
        Gear(bodies=["planet", "ring"], radii=["5 mm", "r"], internal=True),
        Gear(bodies=["worm", "wheel"], teeth=[1, 40], hand="left"),
        Rack(bodies=["pinion", "rack"], radius="20 mm", at="rack.P"),
        Belt(bodies=["a", "b"], radii=["10 mm", "r"], crossed=True),
        Planetary(sun="a", ring="b", carrier="c", teeth=[24, 72]),
        LinearCoupling(terms=[{"joint": "A", "factor": 1}, {"joint": "B", "freedom": "angle", "factor": "2*r"}]),
        Force(at="P", value=["sin(t)", 0], axes="body"),
        Torque(body="a", value="-3 N*m"),
        Torque(body="a", value=[0, 0, "O.angle"]),
        Effort(joint="O", value="-k*O.speed"),
        Spring(between=["A", "B"], stiffness="3 N/m", free_length="l"),
        TorsionSpring(joint="O", damping="1 N*m*s/rad", free_angle="5 deg"),
        Parameter(value="2*l", live=True, description="width"),
    ]
    for element in elements:
        assert type(element)(**element.to_dict()) == element


def test_numbers_are_si_and_quantities_remember_their_text():
    body = Body(bar=["O", "A"], mass="500 g", length=np.float32(2.0))
    assert body.mass == Number(0.5)
    assert str(body.mass) == "500 g"
    assert body.length == Number(2.0)


def test_gravity_defaults_to_zero_of_the_right_size():
    assert len(pendulum(gravity=None).gravity) == 2
    spatial = Model(space="spatial", bodies={"a": {"points": {"P": [0, 0, 0]}, "mass": 1}})
    assert [component.value for component in spatial.gravity] == [0.0, 0.0, 0.0]


def test_models_are_constant_and_can_be_copied():
    model = pendulum()
    with pytest.raises(FrozenError, match="with_"):
        model.space = "spatial"
    assert pickle.loads(pickle.dumps(model)) == model
    assert copy.deepcopy(model) == model


def test_element_errors_are_model_errors_with_all_faults():
    with pytest.raises(ModelError) as caught:
        Body(bar=["O"], mass="1 m", lenght=2)
    assert {fault.path for fault in caught.value.faults} == {"bar", "mass", "lenght"}
    with pytest.raises(ModelError, match="neither bar nor points"):
        Body(mass=1)


def test_any_key_is_a_fault_and_not_a_python_error():
    with pytest.raises(ModelError, match="unknown key 'self'"):
        Model(self=1, space="planar")


# -- parameters ------------------------------------------------------------------------------------------------------


def chain():
    parameters = {
        "width": "2*l + offset",
        "l": {"value": "3*r", "live": True},
        "r": {"value": "50 mm", "live": True},
        "offset": 0.01,
    }
    return pendulum(parameters=parameters)


def test_live_parameters_in_declaration_order():
    assert chain().live_parameters == ("l", "r")


def test_values_follow_the_chain_of_dependence():
    assert chain().parameter_values() == pytest.approx({"width": 0.31, "l": 0.15, "r": 0.05, "offset": 0.01})
    assert list(chain().parameter_values()) == ["width", "l", "r", "offset"]


def test_overrides_act_on_what_depends_on_them():
    assert chain().parameter_values({"r": 0.1}) == pytest.approx({"width": 0.61, "l": 0.3, "r": 0.1, "offset": 0.01})
    assert chain().parameter_values({"l": "1 m"})["width"] == pytest.approx(2.01)
    assert chain().number(parse("width/2"), {"l": 1}) == pytest.approx(1.005)


@pytest.mark.parametrize(
    ("name", "message"),
    [("R", "did you mean 'r'"), ("offset", "live: true"), ("width", "live: true"), ("xyz", "no param")],
)
def test_overrides_that_are_refused(name, message):
    with pytest.raises(UnknownNameError, match=message):
        chain().parameter_values({name: 1.0})


# -- places ----------------------------------------------------------------------------------------------------------


def test_points_are_located_on_the_body_that_has_them():
    bodies = {"rod": {"bar": ["O", "A"], "mass": 1, "points": {"P": [0.5, 0.1]}}, "ring": {"points": ["A"], "mass": 1}}
    model = pendulum(points={"O": [0, 0], "A": [1, 0], "W": [2, 0]}, bodies=bodies)
    assert model.locate("P") == ("rod", "P")
    assert model.locate("W") == ("ground", "W")
    assert model.locate("ring.A") == ("ring", "A")
    assert model.locate("A", "rod") == ("rod", "A")
    with pytest.raises(ModelError, match="body 'rod' has no point 'W'"):
        model.locate("rod.W")
    with pytest.raises(ModelError, match=r"rod\.A or ring\.A"):
        model.locate("A")
    with pytest.raises(ModelError, match=r"ground.O or rod.O"):
        model.locate("O")
    assert model.joint_points("O") == ("O", "O")


def test_freedoms_of_joints():
    joint = Joint(kind="cylindrical", bodies=["a", "b"], axis=[0, 0, 1])
    assert [freedom.name for freedom in joint.freedoms] == ["angle", "position"]
    assert joint.freedom() is None
    assert joint.freedom("position").rate == "position_rate"


def test_the_report_names_every_element():
    model = pendulum(
        name="swing",
        parameters={"k": {"value": "2 N*m/rad", "live": True}},
        forces={"coil": {"kind": "torsion_spring", "joint": "O", "stiffness": "k"}},
        initial={"O": {"angle": math.pi / 4}},
        branches={"O": "left"},
        outputs={"height": "rod.A.y"},
    )
    text = str(model)
    for word in (
        "branches",
        "left",
        "planar",
        "swing",
        "-9.81",
        "rod",
        "1 kg",
        "revolute",
        "coil",
        "k",
        "live",
        "height",
    ):
        assert word in text
    assert repr(model) == "<planar Model 'swing': 1 body, 1 joint>"


def test_elements_say_what_was_given() -> None:
    spring = Spring(between=("A", "B"), stiffness="2 N/mm")
    assert repr(spring) == str(spring) == "Spring(between=['A', 'B'], stiffness='2 N/mm')"
