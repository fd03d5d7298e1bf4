"""Links between two balls, with mass: their spin about their own line is an ordinary freedom that nothing drives.

References: the same mechanism with a universal joint at one end of each rod, which has no such freedom; a delta robot of
point masses in NumPy and SciPy, which has no rods at all.
"""

from __future__ import annotations

import numpy as np
import pytest
from drawn_delta import HOME, TURNS, arm_angles, delta
from exploring import EXPLORING
from point_mass_delta import fall, platform, torques
from scipy.spatial.transform import Rotation

import linkwork as lw

RODS = [f"rod{i}{half}" for i in range(3) for half in "lr"]
SPRINGS = {
    f"spring{i}": {"kind": "torsion_spring", "joint": f"O{i}", "stiffness": 4.0, "damping": 0.02 * i, "free_angle": 0.5}
    for i in range(3)
}


def robot(held: bool = False, forces: dict | None = None, **rod: object) -> lw.Model:
    """The drawn delta robot with weight; *held*: universal joints instead of balls at the arms; rod: keys of all rods."""
    data = delta(HOME, rods=True).to_dict() | {"gravity": [0, 0, -9.81], "forces": forces or {}}
    for name in RODS:
        data["bodies"][name] |= rod
    for i, turn in enumerate(TURNS) if held else ():
        side = np.array([-np.sin(turn), np.cos(turn), 0.0])
        for half in "lr":
            a, b = (np.array(data["points"][f"{end}{i}{half}"]) for end in "AB")
            second = np.cross(b - a, side)
            axes = [side.tolist(), (second / np.linalg.norm(second)).tolist()]
            data["joints"][f"A{i}{half}"] |= {"kind": "universal", "axes": axes}
    return lw.Model(**data)


def swing(slender: bool, **settings: object) -> lw.Result:
    """A crank about x, a rod on balls, and a rocker about z: the rod is thin, or its twin has a universal joint."""
    points = {"O": [0, 0, 0], "A": [0, 0.1, 0.05], "B": [0.4, 0.3, 0.1], "C": [0.4, 0, 0]}
    ball = {"kind": "spherical"} if slender else {"kind": "universal", "axes": [[0, 0, 1], [1, -2, 0]]}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points=points,
        bodies={
            "crank": {"points": ["O", "A"], "mass": 1.0, "com": "A", "inertia": [0.01, 0.01, 0.01]},
            "rod": {"bar": ["A", "B"], "mass": 2.0},
            "rocker": {"points": ["C", "B"], "mass": 1.0, "com": "B", "inertia": [0.01, 0.01, 0.01]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": [1, 0, 0]},
            "A": {"bodies": ["crank", "rod"], **ball},
            "B": {"kind": "spherical", "bodies": ["rod", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "axis": [0, 0, 1]},
        },
        initial={"O": {"speed": 3.0}},
    )
    return lw.simulate(model, until=1.0, **settings)


def test_spins_are_named_and_nothing_is_wrong_with_them():
    topology = lw.analyse(robot())
    assert (topology.mobility.by_rank, set(topology.passive)) == (9, set(RODS))
    text = " ".join(str(topology).split())
    assert "slender, their spin stays as it is: " + ", ".join(topology.mobility.unresisted) in text
    assert "no dynamics" not in text and "formulation only" not in text


@pytest.fixture(scope="module")
def held():
    return swing(False)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(
    ("coordinates", "formulation"),
    [
        ("relative", "hybrid"),
        ("relative", "partitioning"),
        ("relative", "multipliers"),
        ("relative", "velocity_transformation"),
        ("reference_point", "partitioning"),
        ("natural", "partitioning"),
    ],
)
def test_a_thin_rod_between_balls_moves_like_its_twin_that_cannot_spin(held, coordinates, formulation):
    result = swing(True, coordinates=coordinates, formulation=formulation)
    assert result.audit.passed
    for name in ("O.angle", "C.angle", "B.fx", "B.fz"):
        assert np.allclose(result[name], held[name], rtol=0.0, atol=1e-6 * np.max(np.abs(held[name]))), name
    line = np.column_stack([result[f"B.{axis}"] - result[f"A.{axis}"] for axis in "xyz"])
    omega = np.column_stack([result[f"rod.w{axis}"] for axis in "xyz"])
    assert np.max(np.abs(np.sum(line * omega, axis=1))) < 1e-8


def test_a_delta_robot_moves_as_if_its_rods_could_not_spin():
    runs = [lw.simulate(robot(held, SPRINGS), until=1.0, formulation="partitioning") for held in (False, True)]
    assert all(run.outcome.completed and run.audit.passed for run in runs)
    assert np.ptp(runs[0]["P.z"]) > 0.05
    for name in ("P.x", "P.y", "P.z", "O0.angle", "O1.angle", "O2.angle"):
        assert np.allclose(runs[0][name], runs[1][name], rtol=0.0, atol=1e-6), name


# -- motions that motors give ------------------------------------------------------------------------------------------

TIMES = np.linspace(0.0, 1.0, 21)
SWING = "0.7*sin(4*t)"
PUSH = {"push": {"kind": "force", "at": "rod.Q", "value": [1, 2, 5]}}


def crank_and_rocker(
    size: float = 1.0, turn: tuple[float, ...] = (0, 0, 0), rod: dict | None = None, **sections: object
) -> lw.Model:
    """A crank about x, a rod on balls, and a rocker about z; ten times as large, or turned."""
    axes = Rotation.from_euler("xyz", turn, degrees=True).as_matrix()
    places = {"O": [0, 0, 0], "A": [0, 0.1, 0.05], "B": [0.4, 0.3, 0.1], "C": [0.4, 0, 0]}
    solid = {"mass": 1.0, "inertia": [0.01, 0.01, 0.01]}
    return lw.Model(
        space="spatial",
        gravity=(axes @ [0, 0, -9.81]).tolist(),
        points={name: (size * axes @ place).tolist() for name, place in places.items()},
        bodies={
            "crank": {"points": ["O", "A"], "com": "A", **solid},
            "rod": {"bar": ["A", "B"], "mass": 2.0} | (rod or {}),
            "rocker": {"points": ["C", "B"], "com": "B", **solid},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": axes[:, 0].tolist()},
            "A": {"kind": "spherical", "bodies": ["crank", "rod"]},
            "B": {"kind": "spherical", "bodies": ["rod", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "axis": axes[:, 2].tolist()},
        },
        **sections,
    )


def spins_of(result: lw.Result, body: str, start: str, end: str) -> np.ndarray:
    """u·ω of a link, times the distance of its balls."""
    line = np.column_stack([result[f"{end}.{axis}"] - result[f"{start}.{axis}"] for axis in "xyz"])
    omega = np.column_stack([result[f"{body}.w{axis}"] for axis in "xyz"])
    return np.asarray(np.sum(line * omega, axis=1))


@pytest.mark.parametrize("driven", [False, True], ids=["formulas", "drivers"])
def test_torques_of_a_delta_robot_are_those_of_its_point_masses(driven):
    sizes, wave, slope = np.array([0.1, 0.2, 0.3]), np.sin(3 * TIMES)[:, None], np.cos(3 * TIMES)[:, None]
    expected = torques([sizes * wave, 3 * sizes * slope, -9 * sizes * wave])
    motion = {f"O{i}.angle": f"{size}*sin(3*t)" for i, size in enumerate(sizes)}
    data = robot().to_dict()
    if driven:
        drivers = {f"O{i}.angle": {"joint": f"O{i}", "position": motion[f"O{i}.angle"]} for i in range(3)}
        data["drivers"] = {f"motor{i}": driver for i, driver in enumerate(drivers.values())}
    found = lw.inverse_dynamics(lw.Model(**data), None if driven else motion, times=TIMES)
    names = [f"motor{i}" if driven else f"O{i}.angle" for i in range(3)]
    assert found.freedoms == 3 and not found.undriven and found.result.audit.passed
    assert [note for note in found.notes if "rod0l" in note and "passive" in note]
    assert not any("least squares" in note for note in found.notes)
    efforts = np.column_stack([found.result[f"{name}.effort"] for name in names])
    assert np.allclose(efforts, expected, rtol=0.0, atol=1e-9 * np.max(np.abs(expected)))
    assert np.max(np.abs(spins_of(found.result, "rod1r", "A1r", "B1r"))) < 1e-10


# "all" is round, large and turned at once
RODS_DRAWN = {
    "slender": {},
    "all": {"rod": {"radius": 0.1}, "turn": (0, 45, 0), "size": 10.0},
    "point aside": {"rod": {"points": {"Q": [0.1, 0.05, 0.08]}}},
    "pushed": {"rod": {"radius": 0.03, "points": {"Q": [0.1, 0, 0]}}, "forces": PUSH},
}
ONE_BY_ONE = {"round": {"rod": {"radius": 0.03}}, "large": {"size": 10.0}, "turned": {"turn": (45, 30, 10)}}
DRAWN = RODS_DRAWN | (ONE_BY_ONE if EXPLORING else {})


@pytest.mark.matrix
@pytest.mark.parametrize("drawn", DRAWN.values(), ids=DRAWN)
def test_a_round_rod_moves_as_its_own_dynamics_would_have_it(drawn):
    """The run has the spin among its freedoms: I₃ d(u·ω)/dt = 0; inverse dynamics and kinematics hold it."""
    motor = {"motor": {"joint": "O", "position": SWING}}
    run = lw.simulate(crank_and_rocker(**drawn, drivers=motor), times=list(TIMES))
    assert run.outcome.completed and run.audit.passed
    found = lw.inverse_dynamics(crank_and_rocker(**drawn), {"O.angle": SWING}, times=TIMES)
    moved = lw.solve_kinematics(crank_and_rocker(**drawn), {"O.angle": SWING}, times=list(TIMES))
    assert np.allclose(
        found.result["O.angle.effort"], run["motor.effort"], rtol=0, atol=1e-9 * np.ptp(run["motor.effort"])
    )
    for result in (found.result, moved):
        assert result.audit.passed
        assert np.max(np.abs(spins_of(result, "rod", "A", "B"))) < 1e-10
        for name in ("rod.q0", "rod.q1", "rod.q2", "rod.q3"):
            assert np.allclose(result[name], run[name], rtol=0.0, atol=1e-7), name
        for name in ("A.fx", "B.fz"):
            assert np.allclose(result[name], run[name], rtol=0.0, atol=1e-8 * np.max(np.abs(run[name]))), name


def test_samples_turn_a_round_rod_as_their_formula_does():
    """Positions of the rod follow u·ω = 0 along its way, not along chords between samples."""
    wave, slope = 0.7 * np.sin(4 * TIMES), 2.8 * np.cos(4 * TIMES)
    samples = {"O.angle": wave, "O.speed": slope, "O.acceleration": -16 * wave}
    by_samples = lw.solve_kinematics(crank_and_rocker(), samples, times=TIMES)
    run = lw.simulate(crank_and_rocker(drivers={"motor": {"joint": "O", "position": SWING}}), times=list(TIMES))
    for name in ("rod.q0", "rod.q1", "rod.q2", "rod.q3"):
        assert np.allclose(by_samples[name], run[name], rtol=0.0, atol=1e-7), name


@pytest.mark.parametrize(
    ("rod", "forces", "reason"),
    [
        ({"inertia": [0.01, 0.02, 0.025]}, {}, "the inertia of rod is not the same all round"),
        ({"com": [0.2, 0.02, 0], "inertia": [0.01, 0.02, 0.02]}, {}, "the centre of mass of rod is 0.02 m beside"),
        (
            {"points": {"Q": [0.1, 0.05, 0.08]}, "radius": 0.02},
            PUSH,
            "the force 'push' acts on it",
        ),
        ({"radius": 0.02}, {"twist": {"kind": "torque", "body": "rod", "value": [0, 0, 0.1]}}, "the force 'twist'"),
    ],
)
def test_a_spin_that_matters_is_told_with_its_reason(rod, forces, reason):
    model = crank_and_rocker(rod=rod, forces=forces)
    assert reason in " ".join(str(lw.analyse(model)).split())
    with pytest.raises(lw.errors.RefusedError, match="rod spins freely between two balls") as refused:
        lw.inverse_dynamics(model, {"O.angle": SWING}, times=TIMES)
    assert reason in str(refused.value)
    assert any(reason in note for note in lw.solve_kinematics(model, {"O.angle": SWING}, times=list(TIMES)).notes)
    # drivers leave the spin to a run
    driven = crank_and_rocker(rod=rod, forces=forces, drivers={"motor": {"joint": "O", "position": SWING}})
    run, found = lw.simulate(driven, times=list(TIMES)), lw.inverse_dynamics(driven, times=TIMES)
    assert np.allclose(
        found.result["motor.effort"], run["motor.effort"], rtol=0.0, atol=1e-9 * np.ptp(run["motor.effort"])
    )
    assert np.ptp(spins_of(run, "rod", "A", "B")) > 1e-4


def leg(foot: str, slide: str, **solid: object) -> lw.Model:
    """A flap on a hinge that a leg of two parts lifts."""
    places = {"O": [0, 0, 0], "F": [0.5, 0.1, -0.4], "M": [0.45, 0.15, -0.2], "T": [0.4, 0.2, 0.0]}
    line = np.array(places["T"]) - places["F"]
    side = np.cross(line, [0, 0, 1])
    axes = {"axes": [side.tolist(), np.cross(side, line).tolist()]} if foot == "universal" else {}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points=places,
        bodies={
            "flap": {"points": ["O", "T"], "com": "T", "mass": 2.0, "inertia": [0.05, 0.05, 0.05]},
            "tube": {"bar": ["F", "M"], "mass": 1.0, **solid},
            "ram": {"bar": ["M", "T"], "mass": 0.5, **solid},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "flap"], "axis": [0, 1, 0]},
            "F": {"kind": foot, "bodies": ["ground", "tube"], **axes},
            "M": {"kind": slide, "bodies": ["tube", "ram"], "axis": line.tolist()},
            "T": {"kind": "spherical", "bodies": ["ram", "flap"]},
        },
    )


@pytest.mark.parametrize(("slide", "spins"), [("prismatic", [("tube", "ram")]), ("cylindrical", [("tube",), ("ram",)])])
def test_a_leg_that_slides_between_balls_spins_with_all_its_parts(slide, spins):
    motion = {"M.position": "0.05*sin(5*t)"}
    model = leg("spherical", slide)
    topology = lw.analyse(model)
    assert [spin.bodies for spin in topology.spins] == spins and topology.mobility.by_rank == 1 + len(spins)
    found, held = (lw.inverse_dynamics(item, motion, times=TIMES) for item in (model, leg("universal", "prismatic")))
    assert found.freedoms == held.freedoms == 1
    expected = held.result["M.position.effort"]
    assert np.allclose(found.result["M.position.effort"], expected, rtol=0.0, atol=1e-9 * np.max(np.abs(expected)))
    # with inertia about the line: spins stay at rest in a run too
    thick = leg("spherical", slide, radius=0.05)
    driven = {"motor": {"joint": "M", "freedom": "position", "position": motion["M.position"]}}
    run = lw.simulate(lw.Model(**thick.to_dict() | {"drivers": driven}), times=list(TIMES))
    effort = lw.inverse_dynamics(thick, motion, times=TIMES).result["M.position.effort"]
    assert np.allclose(effort, run["motor.effort"], rtol=0.0, atol=1e-8 * np.max(np.abs(effort)))


def test_a_motor_about_the_line_turns_both_parts_of_a_leg():
    """Each is driven by the other alone: I₃ d(u·ω)/dt = ±τ, so that τ = φ'' I J / (I + J) with I, J = m r²/2."""
    motion = {"M.position": "0.05*sin(5*t)", "M.angle": "0.3*sin(2*t)"}
    thick = leg("spherical", "cylindrical", radius=0.05)
    with pytest.raises(lw.errors.RefusedError, match=r"tube spins freely .*: what drives M\.angle turns it"):
        lw.inverse_dynamics(thick, motion, times=TIMES)
    names = {key: key.partition(".")[2] for key in motion}
    drivers = {names[key]: {"joint": "M", "freedom": names[key], "position": text} for key, text in motion.items()}
    driven = lw.Model(**thick.to_dict() | {"drivers": drivers})
    effort = lw.inverse_dynamics(driven, times=TIMES).result["angle.effort"]
    tube, ram = 1.0 * 0.05**2 / 2, 0.5 * 0.05**2 / 2
    assert np.allclose(effort, -1.2 * np.sin(2 * TIMES) * tube * ram / (tube + ram), rtol=0.0, atol=1e-8)
    moved = lw.solve_kinematics(thick, motion, times=list(TIMES))
    assert np.allclose(moved["M.angle"], 0.3 * np.sin(2 * TIMES), rtol=0.0, atol=1e-10)
    assert any("what drives M.angle turns it" in note for note in moved.notes)
    with pytest.raises(lw.errors.RefusedError, match="1 input for 2 degrees of freedom; give 1 more"):
        lw.solve_kinematics(thick, {"M.angle": motion["M.angle"]}, times=list(TIMES))


def test_two_rods_on_one_ball_spin_each_on_its_own():
    data = crank_and_rocker().to_dict()
    data["points"] |= {"D": [0.1, 0.5, 0.2], "E": [0, 0.5, 0]}
    data["bodies"] |= {
        "second": {"bar": ["A", "D"], "mass": 1.0},
        "flap": {"points": ["E", "D"], "com": "D", "mass": 1.0, "inertia": [0.01, 0.01, 0.01]},
    }
    data["joints"]["A"]["bodies"] = ["crank", "rod", "second"]
    data["joints"] |= {
        "D": {"kind": "spherical", "bodies": ["second", "flap"]},
        "E": {"kind": "revolute", "bodies": ["ground", "flap"], "axis": [1, 0.2, 0]},
    }
    topology = lw.analyse(lw.Model(**data))
    assert {spin.name for spin in topology.spins} == {"rod", "second"} and topology.mobility.by_rank == 3
    found = lw.inverse_dynamics(lw.Model(**data), {"O.angle": "0.2*sin(4*t)"}, times=TIMES)
    motor = {"motor": {"joint": "O", "position": "0.2*sin(4*t)"}}
    run = lw.simulate(lw.Model(**data | {"drivers": motor}), times=list(TIMES), formulation="partitioning")
    expected = run["motor.effort"]
    assert np.allclose(found.result["O.angle.effort"], expected, rtol=0.0, atol=1e-8 * np.max(np.abs(expected)))


# -- rest, small motions, free fall ------------------------------------------------------------------------------------


def test_rest_and_vibrations_are_those_without_the_spin():
    models = [crank_and_rocker(rod=rod) for rod in ({}, {"radius": 0.03})]
    held = crank_and_rocker().to_dict()
    held["joints"]["A"] |= {"kind": "universal", "axes": [[0, 0, 1], [1, -2, 0]]}
    reference = lw.find_equilibrium(lw.Model(**held))
    frequency = lw.modes(reference)[0].frequency
    for model in models:
        rest = lw.find_equilibrium(model)
        assert rest.stability == reference.stability == "stable" and len(rest.directions) == 1
        assert any("passive spins" in note and "rod" in note for note in rest.notes)
        assert rest["O.angle"] == pytest.approx(reference["O.angle"], abs=1e-6)
        modes = lw.modes(rest)
        text = " ".join(str(modes).split())
        assert len(modes) == 1 and "passive spins, each with two eigenvalues that are zero: rod" in text
        assert modes[0].frequency == pytest.approx(
            frequency, rel=1e-3 if "radius" in str(model.bodies["rod"]) else 1e-7
        )


@pytest.mark.parametrize("rod", [{}, {"radius": 0.03}, {"points": {"Q": [0.1, 0.05, 0.08]}}])
def test_a_point_is_dragged_as_if_the_rod_could_not_spin(rod):
    """The place is out of reach: what is left free then is the spin alone, which no wish asks for."""
    held = crank_and_rocker(rod=rod).to_dict()
    held["joints"]["A"] |= {"kind": "universal", "axes": [[0, 0, 1], [1, -2, 0]]}
    path = [[0.4, 0.3, 0.1], [0.38, 0.31, 0.1]]
    free, other = (lw.drag_point(model, "B", path) for model in (crank_and_rocker(rod=rod), lw.Model(**held)))
    assert np.allclose(free.places, other.places, rtol=0.0, atol=1e-9)
    assert np.linalg.norm(free.places[1] - path[1]) > 0.005


def test_a_point_beside_the_line_may_ask_for_the_spin():
    """It is wanted elsewhere on its circle about the line: the rod alone turns."""
    model = crank_and_rocker(rod={"points": {"Q": [0.1, 0.05, 0.08]}})
    drawn = lw.assemble(model)
    a, b, q = (np.array([drawn[f"{name}.{axis}"] for axis in "xyz"]) for name in ("A", "B", "rod.Q"))
    u = (b - a) / np.linalg.norm(b - a)
    foot = a + u * np.dot(q - a, u)
    turned = lw.assemble(model, {"rod.Q": (foot + Rotation.from_rotvec(2.0 * u).apply(q - foot)).tolist()})
    assert all(wish.reached for wish in turned.wishes)


def test_three_motors_move_a_delta_robot_whatever_its_rods_do():
    """Without a word on inputs: as many joint coordinates as there are freedoms beside the spins."""
    found = lw.measures.velocity_ellipsoid(robot(), "P")
    slope = platform(HOME, arm_angles(HOME[None])[0], np.zeros(3), np.zeros(3))[1]
    assert np.allclose(np.ravel(found.semi_axes), np.linalg.svd(slope)[1], rtol=1e-9)
    with pytest.raises(lw.errors.RefusedError, match="which inputs move the 1 degree of freedom"):
        lw.measures.velocity_ellipsoid(crank_and_rocker(), "B")


def test_a_delta_robot_falls_like_its_point_masses_and_stops_where_its_branches_meet():
    """By the default formulation. All rods come down together: the platform could turn there as well."""
    run = lw.simulate(robot(), until=1.0)
    times = run.time[run.time <= 0.25][::25]
    expected = fall(times)
    for i in range(3):
        assert np.allclose(run[f"O{i}.angle"][run.time <= 0.25][::25], expected[:, i], rtol=0.0, atol=1e-7)
    assert run.audit.passed
    assert not run.outcome.completed and run.outcome.time == pytest.approx(0.5613, abs=2e-4)
    assert "singular position, branching of the motion: 10 degrees of freedom here, 9 elsewhere" in str(run.outcome)


# -- mechanisms that are led by a point ---------------------------------------------------------------------------

RGGR = """
linkwork: 1
name: crank, rod on two balls and rocker
space: spatial
gravity: [0, 0, -9.81]
points: {O: [0, 0, 0], A: [0, 0.1, 0.05], B: [0.4, 0.3, 0.1], C: [0.4, 0, 0], Q: [3, 0, 0], R: [4, 0, 0]}
bodies:
  crank: {points: [O, A], com: A, mass: 1, inertia: [0.01, 0.01, 0.01]}
  rod: {bar: [A, B], mass: 2}
  rocker: {points: [C, B], com: B, mass: 1, inertia: [0.01, 0.01, 0.01]}
joints:
  O: {kind: revolute, bodies: [ground, crank], axis: [1, 0, 0]}
  A: {kind: spherical, bodies: [crank, rod]}
  B: {kind: spherical, bodies: [rod, rocker]}
  C: {kind: revolute, bodies: [ground, rocker], axis: [0, 0, 1]}
"""
LED = {"tool": {"point": "rocker.B", "position": ["0.4 - 0.02*(1 - cos(3*t))", None, None]}}


def power_of_the_led_rod(run: lw.Result) -> np.ndarray:
    """d(T + V)/dt of crank, rocker and slender rod, from places, velocities and accelerations of its ends."""
    axes = "xyz"
    (va, vb), (aa, ab) = ([np.stack([run[f"{p}.{k}{i}"] for i in axes]) for p in ("crank.A", "rocker.B")] for k in "va")
    g = np.array([0, 0, 9.81])[:, None]
    work = np.sum(va * (aa + g) + vb * (ab + g), axis=0)  # 1 kg at each end
    work += 2.0 / 6 * np.sum(2 * va * aa + va * ab + vb * aa + 2 * vb * ab, axis=0) + np.sum((va + vb) * g, axis=0)
    turning = [run[f"{joint}.speed"] * run[f"{joint}.acceleration"] for joint in ("O", "C")]
    return np.asarray(work + 0.01 * np.sum(turning, axis=0))


@pytest.mark.parametrize("method", ["virtual_power", "multipliers", "newton"])
def test_named_motors_do_what_leads_a_point_beside_passive_spins(method: str) -> None:
    led, times = lw.loads(RGGR).with_(drivers=LED), np.linspace(0.05, 0.6, 12)
    found = lw.inverse_dynamics(led, times=times, motors=["O"], method=method)
    assert "tool" not in found.result.reactions
    power = found["O.angle.effort"] * found.result["O.speed"]
    np.testing.assert_allclose(power, power_of_the_led_rod(found.result), rtol=1e-9, atol=1e-9)


def test_motors_that_a_led_point_leaves_nothing_to_do_are_refused() -> None:
    arm = {"points": ["Q", "R"], "com": "R", "mass": 1, "inertia": [0.01, 0.01, 0.01]}
    pin = {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 1, 0]}
    model = lw.loads(RGGR).with_(drivers=LED, bodies={"arm": arm}, joints={"Q": pin})
    with pytest.raises(lw.errors.RefusedError, match="tool leads what could be driven by it"):
        lw.inverse_dynamics(model, times=[0.1, 0.2, 0.3], motors=["O"])


def test_ellipsoids_of_motors_leave_out_what_leads_a_point_beside_passive_spins() -> None:
    free = lw.loads(RGGR)
    led = free.with_(drivers=LED)
    for measure, inputs in ((lw.measures.velocity_ellipsoid, ["O"]), (lw.measures.force_ellipsoid, {"O": "1 N*m"})):
        ours, theirs = (measure(model, "rocker.B", inputs).semi_axes for model in (led, free))
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)
        assert np.max(theirs) > 0.01
