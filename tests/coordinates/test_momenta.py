"""Momentum, centre of mass and inertia of a mechanism, its groups and bodies, as quantities of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import linkages
import numpy as np
import pytest
from combinations import every_kind

import linkwork as lw
from linkwork.errors import ModelError

TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-13}
HALF = np.sqrt(0.5)
TURN = np.array([[HALF, -HALF, 0], [HALF, HALF, 0], [0, 0, 1]])  # by 45 degrees about z


def vector(result: lw.Result, name: str, axes: Sequence[str] = "xyz") -> np.ndarray:
    return np.column_stack([result[f"{name}.{axis}"] for axis in axes if f"{name}.{axis}" in result])


def rotation(result: lw.Result, body: str) -> np.ndarray:
    """(N, 3, 3) from the quaternion, scalar first."""
    w, x, y, z = (result[f"{body}.q{i}"] for i in range(4))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


# -- free systems ------------------------------------------------------------------------------------------------------

BODIES = {
    "a": {
        "points": {"P": [0, 0, 0], "Q": [0.5, 0.1, 0.2]},
        "mass": 2,
        "com": [0.2, 0, 0.1],
        "inertia": [0.2, 0.3, 0.4],
    },
    "b": {"points": {"Q": [0, 0, 0], "R": [0.3, 0, 0]}, "mass": 1, "com": [0.3, 0.2, 0], "inertia": [0.1, 0.05, 0.12]},
}


def free_pair(**more: Any) -> lw.Model:
    """Two bodies on a hinge with a spring, far from the ground, with a rotor in each."""
    b = {**BODIES["b"], "origin": [0.5, 0.1, 0.2]}
    return lw.Model(
        space="spatial",
        points={"F": [1, 2, 3]},
        bodies={"a": BODIES["a"], "b": b},
        joints={"Q": {"kind": "revolute", "bodies": ["a", "b"], "at": ["Q", "Q"], "axis": [1, 1, 0]}},
        forces={
            "coil": {"kind": "torsion_spring", "joint": "Q", "stiffness": 0.5, "damping": 0.02},
            "wheel": {"kind": "rotor", "body": "a", "axis": [1, 2, 2], "inertia": 0.05, "torque": "0.1*cos(t)"},
            "fan": {"kind": "rotor", "body": "b", "axis": [0, 1, 0], "inertia": 0.01, "spin": "30*t"},
            "motor": {"kind": "rotor", "body": "a", "axis": [1, 1, 0], "inertia": 0.002, "joint": "Q", "ratio": 10},
        },
        initial={"a": {"velocity": [0.3, -0.2, 0.1], "omega": [0.4, 0.3, -0.5]}, "Q": {"speed": 1.5}},
        **more,
    )


@every_kind
def test_the_momenta_of_what_nothing_acts_on_are_constant(kind: str) -> None:
    result = lw.simulate(free_pair(), 1.0, step=0.1, coordinates=kind, **TIGHT)
    assert result.audit.passed and any(check.name == "momentum" for check in result.audit.checks)
    about = ["angular_momentum", "angular_momentum.centre_of_mass", "angular_momentum.F"]
    for name in ("momentum", *about):
        found = vector(result, name)
        assert found.shape == (11, 3) and np.linalg.norm(found[0]) > 0.1
        np.testing.assert_allclose(found, np.broadcast_to(found[0], found.shape), atol=2e-12, err_msg=name)
    # the parts change, and are those of the whole
    assert np.ptp(result["a.angular_momentum.x"]) > 1e-2
    for name in ("momentum", "angular_momentum"):
        parts = vector(result, f"a.{name}") + vector(result, f"b.{name}")
        np.testing.assert_allclose(parts, vector(result, name), atol=1e-13)
    np.testing.assert_allclose(
        vector(result, "centre_of_mass", ("vx", "vy", "vz")) * 3, vector(result, "momentum"), atol=1e-13
    )
    assert np.abs(vector(result, "centre_of_mass", ("ax", "ay", "az"))).max() < 1e-11


@every_kind
def test_what_falls_freely_gains_its_weight(kind: str) -> None:
    model = linkages.floating_pair("planar", gravity=[0, -9.81])
    result = lw.simulate(model, 1.0, step=0.1, coordinates=kind, **TIGHT)
    gained = result["momentum.y"] - result["momentum.y"][0]
    np.testing.assert_allclose(gained, -9.81 * result["mass.total"] * result.time, atol=1e-11)
    np.testing.assert_allclose(result["momentum.x"], result["momentum.x"][0], atol=1e-12)
    spin = result["angular_momentum.centre_of_mass.z"]
    np.testing.assert_allclose(spin, spin[0], atol=1e-12)
    np.testing.assert_allclose(result["centre_of_mass.ay"], -9.81, atol=1e-11)


# -- against numpy -----------------------------------------------------------------------------------------------------


def by_hand(result: lw.Result, model: lw.Model, names: list[str], about: np.ndarray) -> dict[str, np.ndarray]:
    """Sums over bodies from their own quantities, (N, ...), by the theorem of parallel axes."""
    masses = [model.number(model.bodies[name].mass) for name in names]
    places = [vector(result, name) for name in names]
    velocities = [vector(result, name, ("vx", "vy", "vz")) for name in names]
    inertias = []
    for name in names:
        turn, local = rotation(result, name), np.diag(model.to_dict()["bodies"][name]["inertia"])
        inertias.append(turn @ local @ turn.swapaxes(1, 2))
    omegas = [vector(result, name, ("wx", "wy", "wz")) for name in names]
    mass = sum(masses)
    centre = sum(m * r for m, r in zip(masses, places, strict=True)) / mass
    inertia, spin = 0.0, 0.0
    for m, r, v, own, w in zip(masses, places, velocities, inertias, omegas, strict=True):
        d = r - centre
        inertia += own + m * (np.sum(d * d, axis=1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :])
        spin += np.cross(r - about, m * v) + np.einsum("nij,nj->ni", own, w)
    momentum = sum(m * v for m, v in zip(masses, velocities, strict=True))
    return {
        "centre": centre,
        "inertia": inertia,
        "momentum": momentum,
        "spin": spin,
        "mass": np.full(len(result), mass),
    }


def chain(**more: Any) -> lw.Model:
    """Three bodies on a ball and two hinges, turned anyhow."""
    body = {"mass": 1.5, "com": [0.1, 0.2, 0.05], "inertia": [0.3, 0.2, 0.4]}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.6, 0.1, 0.2], "B": [0.9, 0.6, -0.2], "C": [1.0, 1.0, 0.5]},
        bodies={
            "arm": {**body, "points": ["O", "A"]},
            "wrist": {**body, "points": ["A", "B"], "mass": 0.8},
            "hand": {**body, "points": ["B", "C"], "mass": 0.3},
        },
        joints={
            "O": {"kind": "spherical", "bodies": ["ground", "arm"]},
            "A": {"kind": "revolute", "bodies": ["arm", "wrist"], "axis": [1, 0, 1]},
            "B": {"kind": "revolute", "bodies": ["wrist", "hand"], "axis": [0, 1, 2]},
        },
        groups={"tool": ["hand", "wrist"], "outer": ["hand"]},
        initial={"O": {"omega": [1, -2, 0.5]}, "A": {"speed": 2}, "B": {"speed": -3}},
        **more,
    )


@every_kind
def test_groups_are_sums_of_their_bodies(kind: str) -> None:
    model = chain()
    result = lw.simulate(model, 0.5, step=0.1, coordinates=kind, rtol=1e-9)
    pairs = ("xx", "yy", "zz", "xy", "yz", "zx")
    for prefix, names in (("", ["arm", "wrist", "hand"]), ("tool.", ["wrist", "hand"]), ("outer.", ["hand"])):
        found = by_hand(result, model, names, vector(result, "A"))
        np.testing.assert_allclose(vector(result, f"{prefix}centre_of_mass"), found["centre"], atol=1e-13)
        np.testing.assert_allclose(vector(result, f"{prefix}momentum"), found["momentum"], atol=1e-12)
        np.testing.assert_allclose(vector(result, f"{prefix}angular_momentum.A"), found["spin"], atol=1e-12)
        np.testing.assert_allclose(result[f"{prefix}mass" if prefix else "mass.total"], found["mass"], rtol=1e-15)
        for pair in pairs:
            i, j = ("xyz".index(axis) for axis in pair)
            np.testing.assert_allclose(result[f"{prefix}inertia.{pair}"], found["inertia"][:, i, j], atol=1e-13)
        moved = by_hand(result, model, names, found["centre"])
        about = vector(result, f"{prefix}angular_momentum.centre_of_mass")
        np.testing.assert_allclose(about, moved["spin"], atol=1e-12)
    same = vector(result, "outer.angular_momentum") - vector(result, "hand.angular_momentum")
    assert np.abs(same).max() < 1e-14


# -- what changes them -------------------------------------------------------------------------------------------------


def turned(model: lw.Model) -> lw.Model:
    """The mechanism and its gravity turned by 45 degrees in the plane."""

    def turn(vector: Any) -> Any:
        return (TURN[:2, :2] @ [model.number(x) for x in vector]).tolist()

    points = {name: turn(point) for name, point in model.points.items()}
    return model.with_(points=points, gravity=turn(model.gravity), initial={"O": {"speed": 2}})


def rates(result: lw.Result, name: str, axes: str = "xyz") -> np.ndarray:
    """d/dt by a spline of high order through many samples, away from the ends."""
    from scipy.interpolate import make_interp_spline

    values = vector(result, name, axes)
    return make_interp_spline(result.time, values, k=7)(result.time, nu=1)[20:-20]


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("diagonal", [False, True], ids=["flat", "45 degrees"])
@every_kind
def test_momenta_of_a_four_bar_change_by_weights_and_bearings(kind: str, diagonal: bool) -> None:
    model = lw.example("four_bar")
    result = lw.simulate(turned(model) if diagonal else model, 1.0, step=0.002, coordinates=kind, **TIGHT)
    g = np.array([HALF * 9.81, -HALF * 9.81]) if diagonal else np.array([0, -9.81])
    m = result["mass.total"][:, None]
    bearings = {name: result.reactions[name].force for name in ("O", "C")}
    force = m * g + sum(bearings.values())
    np.testing.assert_allclose(rates(result, "momentum"), force[20:-20], atol=1e-8 * np.abs(force).max())
    for point in ("", ".C"):
        at = vector(result, "C") if point else 0.0
        arms = [
            (vector(result, "centre_of_mass") - at, m * g),
            *((vector(result, n) - at, f) for n, f in bearings.items()),
        ]
        moment = sum(r[:, 0] * f[:, 1] - r[:, 1] * f[:, 0] for r, f in arms)
        found = rates(result, f"angular_momentum{point}", "z")[:, 0]
        np.testing.assert_allclose(found, moment[20:-20], atol=1e-8 * np.abs(moment).max())


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("gravity", [[0, 0, -9.81], [9.81 * HALF, 0, -9.81 * HALF]], ids=["upright", "45 degrees"])
@every_kind
def test_momenta_of_a_robot_change_by_weight_and_base(kind: str, gravity: list[float]) -> None:
    """All that acts on a PUMA from outside is its weight, what its first joint transmits, and the motor in that."""
    motor = {"kind": "effort", "joint": "j1", "value": "20*cos(9*t)"}
    model = lw.example("puma_560").with_(gravity=gravity, forces={"motor": motor})
    result = lw.simulate(model, 0.4, step=0.001, coordinates=kind, **TIGHT)
    weight, base = result["mass.total"][:, None] * gravity, result.reactions["j1"]
    force = weight + base.force
    np.testing.assert_allclose(rates(result, "momentum"), force[20:-20], atol=1e-8 * np.abs(force).max())
    for point in ("base", "elbow"):
        at = vector(result, point)
        moment = np.cross(vector(result, "centre_of_mass") - at, weight) + np.cross(-at, base.force) + base.moment
        moment[:, 2] += result["motor.torque"]
        # about a point that moves: dH/dt = N − v × p
        moved = np.cross(vector(result, point, ("vx", "vy", "vz")), vector(result, "momentum"))
        found = rates(result, f"angular_momentum.{point}")
        np.testing.assert_allclose(found, (moment - moved)[20:-20], atol=1e-8 * np.abs(moment).max())


# -- formulas and faults -----------------------------------------------------------------------------------------------


def test_groups_are_used_in_outputs_forces_and_events() -> None:
    model = chain(
        outputs={
            "arm_of_weight": "tool.centre_of_mass.x*tool.mass",
            "spin": "angular_momentum.C.z",
            "size": "inertia.xy",
        },
        forces={"balance": {"kind": "force", "at": "hand.C", "value": ["-2*tool.centre_of_mass.vx", 0, 0]}},
    )
    middle = float(lw.simulate(model, 0.2, step=0.1)["centre_of_mass.x"][1])
    events = {"passed": lw.Event(f"centre_of_mass.x - {middle!r}")}
    result = lw.simulate(model, 0.2, step=0.05, events=events)
    assert result.events[0].time == pytest.approx(0.1, abs=1e-6)
    np.testing.assert_allclose(result["arm_of_weight"], result["tool.centre_of_mass.x"] * 1.1, atol=1e-14)
    units = {"arm_of_weight": "kg*m", "spin": "N*m*s", "size": "kg*m^2", "momentum.x": "N*s", "tool.mass": "kg"}
    assert {name: result.quantity(name).unit for name in units} == units
    np.testing.assert_allclose(result["balance.fx"], -2 * result["tool.centre_of_mass.vx"], atol=1e-13)
    again = lw.Model(**model.to_dict())
    assert again == model and again.groups["tool"] == ("hand", "wrist")


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        ({"g": []}, r"groups\.g: has no bodies"),
        ({"g": ["arm", "arm"]}, r"groups\.g\[1\]: names 'arm' twice"),
        ({"g": ["ground", "arm"]}, r"groups\.g\[0\]: the ground does not move"),
        ({"g": ["arn"]}, r"there is no body 'arn'.*did you mean one of: arm"),
        ({"arm": ["hand"]}, r"groups\.arm: there is a body of the same name"),
        ({"momentum": ["hand"]}, r"'momentum' is reserved: it is the momentum of the mechanism"),
        ({"g": "hand"}, r"a list of names is needed"),
    ],
)
def test_groups_that_cannot_be_are_refused_by_name(groups: dict[str, Any], told: str) -> None:
    data = chain().to_dict() | {"groups": groups}
    with pytest.raises(ModelError, match=rf"(?s){told}"):
        lw.Model(**data)


def test_points_may_not_be_called_as_quantities_are() -> None:
    body = {"points": {"centre_of_mass": [0, 0]}, "mass": 1, "inertia": 1}
    with pytest.raises(ModelError, match="'centre_of_mass' is reserved"):
        lw.Model(space="planar", bodies={"b": body})
    with pytest.raises(ModelError, match=r"'momentum\.z'.*has no 'z'"):
        lw.Model(space="planar", bodies={"b": {"points": {"P": [0, 0]}, "mass": 1}}, outputs={"wrong": "momentum.z"})


def test_what_has_no_mass_has_no_centre_of_it() -> None:
    bar = {"bar": ["O", "A"], "mass": 0}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 1], "B": [2, 0]},
        bodies={"left": bar, "right": {**bar, "bar": ["B", "A"]}},
        joints={
            "O": linkages.revolute("ground", "left"),
            "A": linkages.revolute("left", "right"),
            "B": linkages.revolute("ground", "right"),
        },
    )
    result = lw.simulate(model, 0.1, step=0.1)
    assert "centre_of_mass.x" not in result and "left.momentum.x" in result
    assert all(np.isfinite(values).all() for values in result.values(result.names()).values())
