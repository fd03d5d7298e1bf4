"""Relations between bodies in the plan: solved by Newton's method as soon as they determine the joints between them."""

import numpy as np

import linkwork as lw

BASE, TOP = 1.0, 0.5
TIGHT = {"until": 0.5, "step": 0.05, "rtol": 1e-10, "atol": 1e-12}


def hexapod(length: str = "") -> lw.Model:
    """A platform on six struts; the sketch has it 1 m above the base."""
    feet = np.deg2rad([-10, 10, 110, 130, 230, 250])
    tops = np.deg2rad([-50, 50, 70, 170, 190, 290])
    points = {f"B{i}": [BASE * np.cos(a), BASE * np.sin(a), 0] for i, a in enumerate(feet)}
    local = {f"P{i}": [TOP * np.cos(a), TOP * np.sin(a), 0] for i, a in enumerate(tops)}
    struts = {
        f"leg{i}": {"kind": "distance", "between": [f"ground.B{i}", f"platform.P{i}"]}
        | ({"length": f"{length} + {0.02 * i}*sin(3*t)"} if length else {})
        for i in range(6)
    }
    drawn = np.linalg.norm(np.array([*local["P0"][:2], 1.0]) - points["B0"])
    for strut in struts.values():
        strut.update({"length": strut["length"].replace("L", repr(float(drawn)))} if length else {})
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points=points,
        bodies={"platform": {"points": local, "origin": [0, 0, 1], "com": [0, 0, 0], "mass": 20, "inertia": [1, 1, 2]}},
        relations=struts,
    )


def test_six_struts_carry_a_platform():
    model = hexapod()
    topology = lw.analyse(model)
    assert topology.freedoms == 0
    (block,) = topology.plan.loops
    assert block.ties == tuple(f"leg{i}" for i in range(6))
    assert len(block.unknowns) == 6
    assert "Newton's method on 6 unknowns (relation leg0, leg1" in str(topology)


def test_struts_that_change_their_length_move_it():
    model = hexapod("L")
    result = lw.simulate(model, **TIGHT)
    assert "partitioning" not in str(result)
    other = lw.simulate(model, formulation="partitioning", coordinates="mixed", **TIGHT)
    for name in ("platform.x", "platform.z", "platform.wx", "platform.az", "leg3.tension"):
        assert np.allclose(result[name], other[name], atol=1e-7 * max(1, np.max(np.abs(other[name])))), name
    # the struts carry the weight and the inertia of the platform
    lift = sum(result[f"leg{i}.fz"] for i in range(6))
    assert np.allclose(lift, 20 * (9.81 + result["platform.az"]), rtol=1e-9)
    assert np.max(result.closure_error) < 1e-12


def test_a_rod_beside_a_closed_form_loop():
    """A four-bar drives a rocker by a rod: the loop is a dyad, the rod one unknown."""
    points = {"O": [0, 0], "A": [0, 0.3], "B": [1, 0.8], "C": [1.2, 0], "D": [2, 0], "E": [2, 0.7]}
    bars = {"crank": ["O", "A"], "coupler": ["A", "B"], "rocker": ["C", "B"], "follower": ["D", "E"]}
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points=points,
        bodies={name: {"bar": bar, "mass": 1, "radius": 0.01} for name, bar in bars.items()},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
            "D": {"kind": "revolute", "bodies": ["ground", "follower"]},
        },
        relations={"rod": {"kind": "distance", "between": ["rocker.B", "E"]}},
    )
    plan = lw.analyse(model).plan
    assert [block.family.name for block in plan.loops] == ["dyad RRR", "iteration"]
    results = [lw.simulate(model, formulation=name, **TIGHT) for name in ("hybrid", "partitioning")]
    for name in ("follower.angle", "O.fx", "rod.tension"):
        assert np.allclose(results[0][name], results[1][name], atol=1e-6), name


def test_modes_of_tied_mechanisms_are_searched_for():
    modes = lw.assembly_modes(hexapod(), max_modes=2)
    assert len(modes) == 2 and modes.in_use is modes[0] and not modes.complete
    assert max(mode.residual for mode in modes) < 1e-10
    assert np.abs(modes[1].poses["platform"].axes - modes[0].poses["platform"].axes).max() > 1e-3 or not np.allclose(
        modes[1].poses["platform"].origin, modes[0].poses["platform"].origin
    )
