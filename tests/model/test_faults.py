"""Faulty descriptions: each row damages a sound model in one way; path and reason of the fault must come out."""

import copy

import pytest

from linkwork.errors import ModelError, did_you_mean
from linkwork.model import Model

PLANAR = {
    "space": "planar",
    "gravity": [0, -9.81],
    "parameters": {"l": 1.0, "k": {"value": "3 N/m", "live": True}},
    "points": {"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0], "W": [5, 5]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "length": "l", "mass": "1 kg", "points": {"P": [0.5, 0.1]}},
        "coupler": {"bar": ["A", "B"], "mass": 2},
        "rocker": {"bar": ["C", "B"], "mass": 1.5},
        "loose": {"points": {"X": [0, 0], "Y": [1, 0]}, "mass": 1, "com": "X", "inertia": 0.1},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
        "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
        "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
    },
    "drivers": {},
    "forces": {"s": {"kind": "spring", "between": ["P", "W"], "stiffness": "k"}},
    "initial": {"B": {"speed": "2 rad/s"}},
    "outputs": {},
}
SPATIAL = {
    "space": "spatial",
    "parameters": {"h": {"value": "10 mm", "live": True}},
    "points": {"O": [0, 0, 0], "A": [1, 0, 0]},
    "bodies": {
        "a": {"bar": ["O", "A"], "mass": 1},
        "b": {"points": {"P": [0, 0, 0], "Q": [1, 0, 0]}, "mass": 1, "com": "P", "inertia": [1, 1, 1]},
    },
    "joints": {
        "O": {"kind": "universal", "bodies": ["ground", "a"], "axes": [[1, 0, 0], [0, 1, 0]]},
        "A": {"kind": "cylindrical", "bodies": ["a", "b"], "at": ["A", "P"], "axis": [0, 0, 1]},
    },
    "drivers": {},
    "forces": {},
    "initial": {},
}
DELETE = object()


def damaged(model, path, value):
    """A copy of *model* with the value at a dotted path replaced."""
    result = copy.deepcopy(model)
    *parents, last = path.split(".")
    place = result
    for key in parents:
        place = place[key]
    if value is DELETE:
        del place[last]
    else:
        place[last] = value
    return result


def revolute(**changes):
    return {"kind": "revolute", "bodies": ["ground", "crank"], "at": "O"} | changes


def screw(**changes):
    return {"kind": "helical", "bodies": ["a", "b"], "at": ["A", "P"], "axis": [0, 0, 1]} | changes


def force(**changes):
    return {"kind": "force", "at": "P", "value": [1, 0]} | changes


PLANAR_FAULTS = [
    # the whole
    ("linkwork", 2, "linkwork", "not known"),
    ("space", DELETE, "space", "missing"),
    ("space", "planer", "space", "did you mean 'planar'"),
    ("gravity", [0, 0, -9.81], "gravity", "2 components are needed"),
    ("gravity", "down", "gravity", "not a list"),
    ("gravity", [0, "9.81 m/s"], "gravity[1]", "'9.81 m/s' is a speed"),
    ("joint", {}, "joint", "did you mean"),
    ("bodies", {}, "bodies", "none"),
    ("bodies", ["crank"], "bodies", "not a mapping"),
    ("name", ["x"], "name", "not a text"),
    # names
    ("bodies.ground", {"points": ["A"], "mass": 1}, "bodies.ground", "reserved"),
    ("bodies.W", {"points": ["A"], "mass": 1}, "bodies.W", "point of the same name"),
    ("bodies.t", {"points": ["A"], "mass": 1}, "bodies.t", "the time"),
    ("parameters.sin", 1, "parameters.sin", "reserved"),
    ("parameters.pi", 3, "parameters.pi", "reserved"),
    ("points.a-b", [0, 0], None, None),
    ("points.2nd", [0, 0], None, None),
    ("points.", [0, 0], "points.", "'' is not a valid name"),
    # parameters and formulas
    ("parameters.l", "2*l", "parameters.l", "circle: l -> l"),
    ("parameters.l", "2*x1", "parameters.l", "unknown name 'x1'"),
    ("parameters.l", "2*t", "parameters.l", "time"),
    ("parameters.l", "O.angle", "parameters.l", "state"),
    ("parameters.l", "1/0", "parameters.l", "has no value"),
    ("parameters.l", {"value": 1, "life": True}, "parameters.l.life", "did you mean 'live'"),
    ("parameters.l", {"live": True}, "parameters.l.value", "is missing"),
    ("parameters.l", {"value": 1, "live": "perhaps"}, "parameters.l.live", "bool"),
    ("parameters.l", True, "parameters.l", "not a number"),
    ("parameters.m", 2, "parameters.k", "'m' is a unit and a parameter"),
    ("parameters.mm", "2", None, None),
    ("bodies.crank.length", "2*ll", "bodies.crank.length", "did you mean 'l'"),
    ("bodies.crank.length", "2 l", "bodies.crank.length", "2*l"),
    ("bodies.crank.length", "2 cm*l", None, None),
    ("bodies.crank.length", "sqr(2)", "bodies.crank.length", "did you mean 'sqrt'"),
    ("bodies.crank.length", "2*(l", "bodies.crank.length", "expected ')'"),
    ("bodies.crank.length", "crank.angle", "bodies.crank.length", "state"),
    ("outputs.o", "crnk.A.x", "outputs.o", "did you mean 'crank'"),
    ("outputs.o", "2*enrgy.total", "outputs.o", "energy"),
    ("outputs.o", "2*energi", "outputs.o", "unknown name"),
    ("outputs.o", "energy.totl", "outputs.o", "did you mean 'total'"),
    ("outputs.o", "1*energy.total + 1*P.ax + O.acceleration + crank.acceleration", None, None),
    ("outputs.o", "O.accel", "outputs.o", "did you mean 'acceleration'"),
    ("forces.s.damping", "O.acceleration", "forces.s.damping", "state"),
    ("forces.f", force(value=["O.acceleration", 0]), "forces.f.value[0]", "has no 'acceleration'"),
    ("bodies.energy", {"points": ["A"], "mass": 1}, "bodies.energy", "reserved"),
    ("outputs.o", "2*3 N/m", None, None),
    ("outputs.o", "(2*3) N/m", "outputs.o", "an operator"),
    ("outputs.o", "l/m", "outputs.o", "a unit stands right behind a number: 2*3 N/m"),
    ("outputs.o", "crank", "outputs.o", "name a quantity"),
    # bodies
    ("bodies.crank", "heavy", "bodies.crank", "not a mapping"),
    ("bodies.crank.mass", DELETE, "bodies.crank.mass", "is missing"),
    ("bodies.crank.mass", "1 m", "bodies.crank.mass", "'1 m' is a length; a mass such as '1 kg' is needed"),
    ("bodies.crank.mass", -1, "bodies.crank.mass", "negative"),
    ("bodies.crank.mass", [1], "bodies.crank.mass", "not a number"),
    ("bodies.crank.mass", float("nan"), "bodies.crank.mass", "finite"),
    ("bodies.crank.density", 1, "bodies.crank.density", "conflicts with mass"),
    ("bodies.coupler", {"bar": ["A", "B"], "density": 1}, "bodies.coupler.density", "no volume"),
    ("bodies.crank.lenght", 1, "bodies.crank.lenght", "did you mean 'length'"),
    ("bodies.crank.length", 0, "bodies.crank.length", "positive"),
    ("bodies.crank.length", "l - 2", "bodies.crank.length", "positive"),
    ("bodies.crank.radius", -1, "bodies.crank.radius", "positive"),
    ("bodies.crank.section", [1, 2, 3], "bodies.crank.section", "2 numbers"),
    ("bodies.crank.bar", ["O"], "bodies.crank.bar", "two names"),
    ("bodies.crank.bar", ["O", "O"], "bodies.crank.bar", "itself"),
    ("bodies.crank.bar", ["O", "Q"], "bodies.crank.bar", "no sketch point 'Q'"),
    ("bodies.crank.bar", ["O", 3], "bodies.crank.bar", "not a name"),
    ("bodies.crank.points", ["B"], "bodies.crank.points", "local positions"),
    ("bodies.crank.points", {"P": [1]}, "bodies.crank.points.P", "2 or 3 numbers"),
    ("bodies.crank.points", {"P": [1, 2, 3]}, "bodies.crank.points.P", "3 components"),
    ("bodies.crank.points", {"O": [1, 2]}, "bodies.crank.points.O", "end of the bar"),
    ("bodies.crank.origin", "O", "bodies.crank.origin", "place this body already"),
    ("points.A", [0, 0], "bodies.crank.bar", "same place"),
    ("points.A", [0, 0, 1], "points.A", "2 components"),
    ("bodies.loose.length", 1, "bodies.loose.length", "belongs to a bar"),
    ("bodies.loose.com", DELETE, "bodies.loose.com", "missing"),
    ("bodies.loose.com", "Z", "bodies.loose.com", "not a point of this body"),
    ("bodies.loose.inertia", DELETE, "bodies.loose.inertia", "missing"),
    ("bodies.loose.inertia", -1, "bodies.loose.inertia", "negative"),
    ("bodies.loose.inertia", [1, 1, 1], "bodies.loose.inertia", "one number"),
    ("bodies.loose.inertia", [1, 1], "bodies.loose.inertia", "1, 3, 6"),
    ("bodies.loose.inertia", "1 kg", "bodies.loose.inertia", "is a mass; an inertia"),
    ("bodies.loose.inertia", {"sphere": 1}, "bodies.loose.inertia", "box, cylinder, rod"),
    ("bodies.loose.inertia", {"box": [1, 0]}, "bodies.loose.inertia", "positive"),
    ("bodies.loose.inertia", {"box": [1, 1, 1]}, "bodies.loose.inertia", "2 components"),
    ("bodies.loose.inertia", {"cylinder": {"radius": 1}}, "bodies.loose.inertia", "length of the cylinder"),
    ("bodies.loose.rotation", [1, 0, 0, 0], "bodies.loose.rotation", "bare list of 4"),
    ("bodies.loose.rotation", {"axis": [0, 0, 1], "angle": 1}, "bodies.loose.rotation", "not a planar rotation"),
    ("bodies.loose.origin", "Z", "bodies.loose.origin", "no sketch point"),
    # joints and couplings
    ("joints.O.kind", "revolut", "joints.O.kind", "did you mean 'revolute'"),
    ("joints.O.kind", DELETE, "joints.O.kind", "is missing"),
    ("joints.O.kind", "spherical", "joints.O.kind", "planar kinds: revolute, prismatic, fixed"),
    ("joints.O.kind", "planar", "joints.O.kind", "a planar joint needs a model in space"),
    ("joints.D", revolute(kind="helical", axis=[1, 0], pitch="1 mm"), "joints.D.kind", "needs a model in space"),
    ("joints.O.kind", "prismatic", "joints.O.axis", "missing"),
    ("joints.O.bodies", ["ground", "cranck"], "joints.O.bodies", "crank"),
    ("joints.O.bodies", ["crank", "crank"], "joints.O.bodies", "itself"),
    ("joints.O.bodies", "crank", "joints.O.bodies", "two names"),
    ("joints.O.axis", [1, 0], "joints.O.axis", "leave it out"),
    ("joints.O.at", "Z", "joints.O.at", "no point 'Z'"),
    ("joints.O.at", ["O", "Z"], "joints.O.at", "on 'crank'"),
    ("joints.D", {"kind": "revolute", "bodies": ["ground", "crank"]}, "joints.D.at", "is missing"),
    ("joints.D", revolute(kind="prismatic", axis=[0, 0]), "joints.D.axis", "zero"),
    ("joints.D", revolute(kind="prismatic", axis=[0, 0, 1]), "joints.D.axis", "2 components"),
    ("joints.O.reference", "1 m", "joints.O.reference", "an angle"),
    ("joints.crank", revolute(), "bodies.crank", "joint of the same name"),
    ("couplings", {"g": {"joints": ["O", "Z"], "ratio": 2}}, "couplings.g.joints", "no joint 'Z'"),
    ("couplings", {"g": {"joints": ["O", "O"], "ratio": 2}}, "couplings.g.joints", "itself"),
    ("couplings", {"g": {"joints": ["O", "C"], "ratio": 0}}, "couplings.g.ratio", "zero"),
    ("couplings", {"g": {"joints": ["O", "C"]}}, "couplings.g.ratio", "is missing"),
    # drivers
    ("drivers.d", {"joint": "Q", "speed": 1}, "drivers.d.joint", "no joint 'Q'"),
    ("drivers.d", {"joint": "O"}, "drivers.d", "no motion"),
    ("drivers.d", {"joint": "O", "speed": 1, "position": 1}, "drivers.d.speed", "conflicts with position"),
    ("drivers.d", {"joint": "O", "speed": "O.angle"}, "drivers.d.speed", "state"),
    ("drivers.d", {"joint": "O", "speed": "1 m/s"}, "drivers.d.speed", "an angular speed"),
    ("drivers.d", {"joint": "O", "speed": "5 t"}, "drivers.d.speed", "is a mass"),
    ("drivers.d", {"joint": "O", "speed": "5 Hz"}, "drivers.d.speed", "rev/s"),
    ("drivers.d", {"joint": "O", "position": 1, "initial": 1}, "drivers.d.initial", "leave it out"),
    ("drivers.d", {"joint": "O", "speed": 1, "initial": "t"}, "drivers.d.initial", "time"),
    ("drivers.d", {"joint": "O", "speed": 1, "freedom": "position"}, "drivers.d.freedom", "it has: angle"),
    ("drivers", {"d": {"joint": "O", "speed": 1}, "e": {"joint": "O", "speed": 1}}, "drivers.e", "already"),
    ("drivers.d", {"joint": "B", "speed": 1}, "initial.B.speed", "conflicts with drivers.d"),
    # forces
    ("forces.f", {"at": "P", "value": [1, 0]}, "forces.f.kind", "force, torque, effort"),
    ("forces.f", force(kind="sprnig"), "forces.f.kind", "did you mean"),
    ("forces.f", force(value=[1, 0, 0]), "forces.f.value", "2 components"),
    ("forces.f", force(value=["1 N*m", 0]), "forces.f.value[0]", "a force"),
    ("forces.f", force(value=["O.sped", 0]), "forces.f.value[0]", "did you mean 'speed'"),
    ("forces.f", force(value=["crank.Q.x", 0]), "forces.f.value[0]", "has no 'Q.x'"),
    ("forces.f", force(value=["crank.A.z", 0]), "forces.f.value[0]", "has no 'A.z'"),
    ("forces.f", force(value=["P.z", 0]), "forces.f.value[0]", "has no 'z'"),
    ("forces.f", force(value=["O.vx + P.x + crank.origin.y + crank.A.vy", 0]), None, None),
    ("forces.f", force(value=["crank.wx", 0]), "forces.f.value[0]", "has no 'wx'"),
    ("forces.f", force(value=["Zz.x", 0]), "forces.f.value[0]", "no body, joint or point 'Zz'"),
    ("forces.f", force(at="A"), "forces.f.at", "crank.A or coupler.A"),
    ("forces.f", force(at="W"), "forces.f.at", "ground"),
    ("forces.f", force(at="crank.Q"), "forces.f.at", "no point 'Q'"),
    ("forces.f", force(at="Q"), "forces.f.at", "no point 'Q'"),
    ("forces.f", force(body="crnk"), "forces.f.body", "did you mean 'crank'"),
    ("forces.f", force(at="crank.P", body="crank"), "forces.f.body", "already"),
    ("forces.f", force(axes="local"), "forces.f.axes", "world, body"),
    ("forces.f", {"kind": "torque", "body": "ground", "value": 1}, "forces.f.body", "does not move"),
    ("forces.f", {"kind": "torque", "body": "crank", "value": [0, 0, 1]}, "forces.f.value", "one number"),
    ("forces.f", {"kind": "effort", "joint": "O", "value": "3 N"}, "forces.f.value", "a torque"),
    ("forces.f", {"kind": "effort", "joint": "Z", "value": 3}, "forces.f.joint", "no joint 'Z'"),
    ("forces.s.stiffness", "3 N", "forces.s.stiffness", "a stiffness"),
    ("forces.s.stiffness", "O.angle", "forces.s.stiffness", "state"),
    ("forces.s.stiffness", DELETE, "forces.s.stiffness", "neither stiffness nor damping"),
    ("forces.s.free_length", -1, "forces.s.free_length", "negative"),
    ("forces.s.between", ["P", "crank.A"], "forces.s.between", "both points are on 'crank'"),
    ("forces.s.between", ["P", "P"], "forces.s.between", "itself"),
    # initial values
    ("initial.Z", {"angle": 1}, "initial.Z", "no joint or floating body 'Z'"),
    ("initial.B", {"sped": 1}, "initial.B.sped", "did you mean 'speed'"),
    ("initial.B", {"angle": "1 m"}, "initial.B.angle", "an angle"),
    ("initial.B", {"angle": [1, 2, 3]}, "initial.B.angle", "one number"),
    ("initial.B", {"angle": "t"}, "initial.B.angle", "time"),
    ("initial.B", 3, "initial.B", "not a mapping"),
    ("initial.crank", {"x": 1}, "initial.crank", "connected to the ground"),
    ("initial.loose", {"x": "1 m", "speed": "60 rpm"}, None, None),
    ("initial.loose", {"z": 1}, "initial.loose.z", "unknown initial value"),
    # branches
    ("start", {"crank": {"origin": [0, 0], "rotation": "30 deg"}}, None, None),
    ("start", {"cronk": {"origin": [0, 0]}}, "start.cronk", "no body 'cronk'"),
    ("start", {"crank": {"origin": [0, 0, 0]}}, "start.crank.origin", "2"),
    ("start", {"crank": {"origin": [0, 0], "rotation": {"wxyz": [1, 0, 0, 0]}}}, "start.crank.rotation", "planar"),
    ("start", {"crank": {"rotation": 1}}, "start.crank.origin", "missing"),
    ("branches", {"A-B-C": "right"}, None, None),
    ("branches", {"B": 2}, None, None),
    ("branches", {"A-B-Z": "right"}, "branches.A-B-Z", "no joint 'Z'"),
    ("branches", {"crank": "right"}, "branches.crank", "no joint 'crank'"),
    ("branches", {"B": True}, "branches.B", "not the name of a branch"),
    ("branches", {"B": ["left"]}, "branches.B", "not the name of a branch"),
    ("branches", {"A-B-C": "left", "B": "right"}, "branches.B", "chosen by 'A-B-C' already"),
    ("branches", "left", "branches", "not a mapping"),
]
SPATIAL_FAULTS = [
    ("bodies.b.inertia", [1, 1, 2.5], "bodies.b.inertia", "exceeds the sum"),
    ("bodies.b.inertia", [1, 1, -1], "bodies.b.inertia", "negative"),
    ("bodies.b.inertia", [1, 1, 1, 1.5, 0, 0], "bodies.b.inertia", "negative"),
    ("bodies.b.inertia", [1, 1, 1, 0.6, 0, 0], "bodies.b.inertia", "exceeds the sum"),
    ("bodies.b.inertia", [1, 1, 2], None, None),
    ("bodies.b.inertia", [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "bodies.b.inertia", "not symmetric"),
    ("bodies.b.inertia", 3, "bodies.b.inertia", "a spatial inertia"),
    ("bodies.b.inertia", {"box": [1, 2]}, "bodies.b.inertia", "3 components"),
    ("bodies.b.rotation", "30 deg", "bodies.b.rotation", "not a spatial rotation"),
    ("bodies.b.rotation", {"axis": [0, 0, 0], "angle": 1}, "bodies.b.rotation", "zero"),
    ("bodies.b.rotation", {"wxyz": [1, 1, 0, 0]}, "bodies.b.rotation", "length"),
    ("bodies.b.rotation", {"xyzw": [0, 0, 0, 1]}, "bodies.b.rotation", "wxyz"),
    ("bodies.b.rotation", {"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}, "bodies.b.rotation", "not a rotation"),
    ("joints.O.axes", DELETE, "joints.O.axes", "missing"),
    ("joints.O.axes", [[1, 0, 0]], "joints.O.axes", "two axes"),
    ("joints.O.axes", [[1, 0, 0], [-2, 0, 0]], "joints.O.axes", "parallel"),
    ("joints.O.axes", [[1, 0, 0], [0, 0, 0]], "joints.O.axes", "zero"),
    ("joints.O.axis", [1, 0, 0], "joints.O.axis", "a universal joint has no axis\n    -> did you mean 'axes'?"),
    ("joints.A.axis", DELETE, "joints.A.axis", "missing"),
    ("joints.A.axis", [1, 0], "joints.A.axis", "3 components"),
    ("joints.A.reference", 1, "joints.A.reference", "exactly one coordinate"),
    ("joints.A.kind", "helical", "joints.A.pitch", "is missing\n    -> write pitch: 2 mm, the advance per turn"),
    ("joints.A", screw(pitch="2 mm"), None, None),
    ("joints.A", screw(pitch="-h/2"), None, None),
    ("joints.A", screw(pitch=0), "joints.A.pitch", "the kind is revolute"),
    ("joints.A", screw(pitch="h - 0.01"), "joints.A.pitch", "is zero"),
    ("joints.A", screw(pitch="2 rad"), "joints.A.pitch", "a length such as"),
    ("joints.A", screw(pitch="2 mm/rev"), "joints.A.pitch", "the pitch is the advance per turn"),
    ("joints.A", screw(pitch="2*3 [mm/rad]"), "joints.A.pitch", "write pitch: 2 mm"),
    ("joints.A", screw(pitch="2 mm", reference="3 turn"), None, None),
    ("joints.A", screw(pitch="2 mm", reference="3 mm"), "joints.A.reference", "an angle"),
    ("joints.A.pitch", "2 mm", "joints.A.pitch", "a cylindrical joint has no pitch"),
    ("joints.A", screw(pitch="2 mm", kind="planar"), "joints.A.pitch", "leave it out, or write kind: helical"),
    ("joints.A.kind", "planar", None, None),
    ("joints.A", screw(kind="planar", axis=None), "joints.A.axis", "missing"),
    ("drivers.d", {"joint": "A", "freedom": "position_x", "speed": 1}, "drivers.d.freedom", "angle, position"),
    ("drivers.d", {"joint": "A", "speed": 1}, "drivers.d.freedom", "angle, position"),
    ("drivers.d", {"joint": "A", "freedom": "position", "speed": "1 rad/s"}, "drivers.d.speed", "1 m/s"),
    ("forces.f", {"kind": "torque", "body": "a", "value": 1}, "forces.f.value", "3 components"),
    (
        "forces.f",
        {"kind": "torsion_spring", "joint": "A", "freedom": "position", "stiffness": 1},
        "forces.f.joint",
        "angle",
    ),
    ("forces.f", {"kind": "effort", "joint": "O", "value": 1}, "forces.f.freedom", "angle1, angle2"),
    ("forces.f", {"kind": "torque", "body": "a", "value": ["a.q0", "a.omega", 0]}, "forces.f.value[1]", "'omega'"),
    ("forces.f", {"kind": "torque", "body": "a", "value": ["A.angle_rate", "A.z", "P.vz"]}, None, None),
    ("initial.O", {"angle": 1}, "initial.O.angle", "angle1"),
    ("initial.a", {"position": [0, 0, 1]}, "initial.a", "connected to the ground"),
]
ROWS = [(PLANAR, *row) for row in PLANAR_FAULTS] + [(SPATIAL, *row) for row in SPATIAL_FAULTS]


@pytest.mark.parametrize(("model", "where", "value", "path", "fragment"), ROWS)
def test_each_fault_is_found_at_its_path(model, where, value, path, fragment):
    changed = damaged(model, where, value)
    if path is None:  # a change that is allowed
        assert Model(**changed).space == changed["space"]
        return
    with pytest.raises(ModelError) as caught:
        Model(**changed)
    matching = [str(fault) for fault in caught.value.faults if fault.path == path]
    assert any(fragment in text for text in matching), str(caught.value)


@pytest.mark.parametrize("model", [PLANAR, SPATIAL])
def test_the_undamaged_models_are_sound(model):
    assert Model(**model).space == model["space"]


def test_all_faults_come_at_once():
    changed = PLANAR
    rows = [row for row in PLANAR_FAULTS if row[0] in ("gravity", "joint", "bodies.crank.lenght", "drivers.d")]
    one_each = {row[0]: row for row in rows}.values()
    for where, value, _, _ in one_each:
        changed = damaged(changed, where, value)
    changed["joints"]["O"]["bodies"] = ["ground", "cranck"]
    changed["forces"]["s"]["stiffness"] = "3 N"
    changed["initial"]["Z"] = {"angle": 1}
    with pytest.raises(ModelError) as caught:
        Model(**changed)
    paths = {fault.path for fault in caught.value.faults}
    expected = {
        "gravity[1]",
        "joint",
        "bodies.crank.lenght",
        "initial.B.speed",
        "joints.O.bodies",
        "forces.s.stiffness",
    }
    assert paths == expected | {"initial.Z"}


def test_all_faults_of_screws_come_at_once():
    changed = damaged(SPATIAL, "joints.A", screw(pitch=0, reference="1 m"))
    changed["joints"]["B"] = screw()
    changed["joints"]["C"] = {**screw(pitch="1 mm"), "axis": [0, 0, 0]}
    changed["joints"]["O"]["pitch"] = "1 mm"
    with pytest.raises(ModelError) as caught:
        Model(**changed)
    paths = {fault.path for fault in caught.value.faults}
    expected = {"joints.A.pitch", "joints.A.reference", "joints.B.pitch", "joints.C.axis", "joints.O.pitch"}
    assert paths == expected


def test_quantities_of_screws_and_planes():
    model = damaged(SPATIAL, "joints.A", screw(pitch="1 mm"))
    model["forces"]["f"] = {"kind": "effort", "joint": "A", "value": "-A.position_rate - A.position - A.angle"}
    model["outputs"] = {"o": "A.position_acceleration + A.acceleration"}
    assert "pitch 1 mm" in str(Model(**model))
    model["forces"]["f"]["value"] = "A.position_acceleration"
    with pytest.raises(ModelError, match="has no 'position_acceleration'"):
        Model(**model)


def test_a_faulty_element_does_not_make_others_faulty():
    """References to a body whose own declaration is bad are not reported as unknown."""
    changed = damaged(PLANAR, "bodies.crank.mass", "1 m")
    with pytest.raises(ModelError) as caught:
        Model(**changed)
    assert [fault.path for fault in caught.value.faults] == ["bodies.crank.mass"]


def test_circles_through_several_parameters_are_named():
    changed = damaged(PLANAR, "parameters", {"l": "a", "a": "b + 1", "b": "2*a", "k": 1})
    with pytest.raises(ModelError, match="a -> b -> a"):
        Model(**changed)


@pytest.mark.parametrize("written", ["left thigh", "left-thigh", "Left_Thigh", "leftThigh"])
def test_a_name_that_sounds_like_one_is_told_alone(written):
    assert did_you_mean(written, ["left_shin", "right_thigh", "left_thigh"]) == "did you mean 'left_thigh'?"


def test_a_parameter_that_is_called_as_a_constant_has_one_fault():
    """What its formulas would be with 2.718 in its place is not told."""
    with pytest.raises(ModelError) as told:
        Model(
            space="planar",
            parameters={"l": "200 mm", "e": "0 mm"},
            points={"O": [0, 0], "B": ["sqrt(l^2 - e^2)", "e"]},
            bodies={"rod": {"bar": ["O", "B"], "mass": 1}},
            joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        )
    assert [fault.path for fault in told.value.faults] == ["parameters.e"]
