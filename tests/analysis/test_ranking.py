"""Coordinates and cuts ranked by the projective criterion: a pendulum, a crank-rocker, random mechanisms.

SOURCE: W. Blajer, W. Schiehlen, W. Schirm, "A projective criterion to the coordinate partitioning method for multibody
dynamics", Arch. Appl. Mech. 64 (1994): eq. (23), (26), section 6 with figure 3.
"""

import numpy as np
import pytest
from hypothesis import example, given
from random_mechanisms import examples, numbers, random_kinds, random_tree, seeds

import linkwork as lw
from linkwork.equations.equations import place_state

BASE, CRANK, COUPLER, ROCKER = 1.0, 0.4, 1.1, 0.8


def four_bar(masses: tuple = (1.0, 1.0, 1.0), **more: object) -> lw.Model:
    """A crank-rocker of uniform bars; its crank stands at the angle a from the base."""
    reach = f"({BASE}^2 + {CRANK}^2 - 2*{BASE}*{CRANK}*cos(a))"
    across = f"atan2(-{CRANK}*sin(a), {BASE} - {CRANK}*cos(a))"
    bent = f"{across} + acos(({COUPLER}^2 + {reach} - {ROCKER}^2)/(2*{COUPLER}*sqrt({reach})))"
    return lw.Model(
        space="planar",
        parameters={"a": {"value": 1.0, "live": True}},
        points={
            "O": [0, 0],
            "A": [f"{CRANK}*cos(a)", f"{CRANK}*sin(a)"],
            "B": [f"{CRANK}*cos(a) + {COUPLER}*cos({bent})", f"{CRANK}*sin(a) + {COUPLER}*sin({bent})"],
            "C": [BASE, 0],
        },
        bodies={
            "crank": {"bar": ["O", "A"], "length": CRANK, "mass": masses[0]},
            "coupler": {"bar": ["A", "B"], "length": COUPLER, "mass": masses[1]},
            "rocker": {"bar": ["B", "C"], "length": ROCKER, "mass": masses[2]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["rocker", "ground"]},
        },
        **more,
    )


def by_hand(a: float, masses: tuple) -> np.ndarray:
    """cos²α of the three angles of the open chain O-A-B: D from the angular velocities of the loop, M from the bars."""
    crank = CRANK * np.array([np.cos(a), np.sin(a)])
    gap = np.array([BASE, 0]) - crank
    reach = np.linalg.norm(gap)
    angle = np.arctan2(gap[1], gap[0]) + np.arccos((COUPLER**2 + reach**2 - ROCKER**2) / (2 * COUPLER * reach))
    coupler = COUPLER * np.array([np.cos(angle), np.sin(angle)])
    rocker = np.array([BASE, 0]) - crank - coupler
    # ω₁ × crank + ω₂ × coupler + ω₃ × rocker = 0
    turning = np.linalg.solve(np.column_stack([coupler, rocker]), -crank)
    d = np.array([1, turning[0] - 1, turning[1] - turning[0]])
    mass = np.zeros((3, 3))
    bars = (crank, coupler, rocker)
    for i, (bar, m) in enumerate(zip(bars, masses, strict=True)):
        arms = [sum(bars[j:i], np.zeros(2)) + bar / 2 if j <= i else np.zeros(2) for j in range(3)]
        rates = np.array([[-arm[1] for arm in arms], [arm[0] for arm in arms]])
        spins = np.array([float(j <= i) for j in range(3)])
        mass += m * rates.T @ rates + m * bar @ bar / 12 * np.outer(spins, spins)
    return d**2 / (d @ mass @ d) / np.diag(np.linalg.inv(mass))


@pytest.mark.parametrize("masses", [(1.0, 1.0, 1.0), (20.0, 1.0, 1.0)])
def test_a_crank_rocker_cut_at_its_last_joint(masses):
    """The angles at the ends of the crank serve everywhere; that between coupler and rocker is singular twice a turn."""
    free = lw.analyse(four_bar(masses))
    driven = four_bar(masses, drivers={"motor": {"joint": "O", "speed": 2 * np.pi}})
    turn = lw.simulate(driven, until=1.0, step=1 / 48, parameters={"a": 0.0})
    found = lw.measures.rank_along(free, turn, cut=["C"])
    values = np.array([found[f"{joint}.speed"] for joint in "OAB"])
    assert np.allclose(values.T, [by_hand(a, masses) for a in 2 * np.pi * turn.time], rtol=0, atol=1e-8)
    # the crank in line with the base: α₁ = π/2 and 3π/2 where angles count from the normal of the base
    assert np.flatnonzero(values[2] < 1e-9).tolist() == [0, 24, 48]
    assert np.min(values[:2]) > 0.1
    best = np.argmax(values, axis=0)
    # a heavy crank is the best coordinate all the time
    assert set(best) == ({0, 1} if masses[0] == masses[1] else {0})
    plain = lw.measures.rank_along(free, turn, cut=["C"], masses=False)
    assert np.flatnonzero(plain["B.speed"] < 1e-9).tolist() == [0, 24, 48]


def test_a_position_and_a_motion_agree():
    topology = lw.analyse(four_bar())
    turn = lw.simulate(topology.model, until=0.1, step=0.1, parameters={"a": 0.8})
    for kind, cut in (("relative", ["O"]), ("natural", None), ("reference_point", None)):
        there = lw.measures.rank_coordinates(topology, coordinates=kind, cut=cut, parameters={"a": 0.8})
        along = lw.measures.rank_along(topology, turn, coordinates=kind, cut=cut)
        plain = lw.measures.rank_along(topology, turn, coordinates=kind, cut=cut, masses=False)
        for name, value in there.values.items():
            assert along[name][0] == pytest.approx(value, abs=1e-9)
            assert plain[name][0] == pytest.approx(there.geometric[name], abs=1e-9)
            assert there.quality == pytest.approx(max(there.values.values()), rel=1e-12)


def test_geometry_alone_does_not_see_masses():
    light, heavy = (
        lw.measures.rank_coordinates(four_bar(masses), cut=["C"], parameters={"a": 0.0})
        for masses in ((1, 1, 1), (20, 1, 1))
    )
    assert light.geometric == pytest.approx(heavy.geometric)
    # where the crank is heavy, its own angle is the better choice
    assert list(light.chosen) == ["A.speed"]
    assert list(heavy.chosen) == ["O.speed"]


@pytest.mark.parametrize("gamma", [0.0, 0.6, 2.0])
def test_the_physical_pendulum(gamma):
    """q = [x, y, γ]: (m ρ² sin²γ, m ρ² cos²γ, J) / (m ρ² + J)."""
    mass, inertia, rho = 2.0, 0.3, 0.45
    model = lw.Model(
        space="planar",
        bodies={"body": {"points": {"O": [-rho, 0]}, "com": [0, 0], "mass": mass, "inertia": inertia,
                         "origin": [rho * np.cos(gamma), rho * np.sin(gamma)], "rotation": gamma}},
        points={"O": [0, 0]},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "body"]}},
    )  # fmt: skip
    found = lw.measures.rank_coordinates(model, coordinates="reference_point")
    s, c = np.sin(gamma), np.cos(gamma)
    wanted = np.array([mass * rho**2 * s**2, mass * rho**2 * c**2, inertia]) / (mass * rho**2 + inertia)
    assert np.allclose(list(found.values.values()), wanted, rtol=0, atol=1e-11)
    assert found.cut == ()


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", ["relative", "reference_point"])
@pytest.mark.parametrize("space", ["planar", "spatial"])
@given(seed=seeds)
@example(seed=84158420)  # no freedom at all
@example(seed=27256663)  # conditions that nearly depend on each other
@examples(3)
def test_free_and_held_parts_make_one_and_sets_are_independent(space, kind, seed):
    """cos²α + cos²β = 1 with cos²β from C M⁻¹; the velocities outside the set are functions of those in it."""
    rng = np.random.default_rng(seed)
    data = random_tree(rng, space, random_kinds(rng, space, 4), closing=["revolute"])
    n = numbers(lw.Model(**data), kind)
    c = n.coordinates
    found = lw.measures.rank_coordinates(c.topology, coordinates=kind)
    y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
    mass, rows = n.value(c.mass, 0.0, y, p), n.value(c.jacobian, 0.0, y, p)
    # with M = L Lᵀ: what the rows of C L⁻ᵀ span, by singular values that are not squared
    back = np.linalg.inv(np.linalg.cholesky(mass)) if mass.size else mass
    spanned, rank = np.linalg.svd(rows @ back.T)[2], np.linalg.matrix_rank(rows, tol=1e-9)
    held = np.sum((spanned[:rank] @ back) ** 2, axis=0)
    assert np.allclose(np.array(list(found.values.values())) + held / np.sum(back**2, axis=0), 1, rtol=0, atol=1e-6)
    assert len(found.chosen) == c.v.numel() - rank
    others = [i for i, name in enumerate(c.kinematics.v_names) if name not in found.chosen]
    assert np.linalg.matrix_rank(rows[:, others], tol=1e-9) == rank
    assert np.all(np.diff(list(found.chosen.values())) < 1e-9)


def test_cuts_of_a_loop():
    topology = lw.analyse(four_bar())
    ranking = lw.measures.rank_cuts(topology)
    (loop,) = ranking.loops
    assert sorted(loop) == ["A", "B", "C", "O"]
    for joint, found in loop.items():
        assert found.cut == (joint,)
        assert f"{joint}.speed" not in found.values
        assert found.quality == pytest.approx(lw.measures.rank_coordinates(topology, cut=[joint]).quality)
    # a rocker without mass at the end of the chain has no inertia about its joint
    light = lw.measures.rank_cuts(four_bar((1, 1, 0))).loops[0]
    assert light["C"].values["B.speed"] < 1e-9 < light["O"].values["B.speed"]
    assert "the plan" in str(ranking)


def test_what_cannot_be_ranked():
    model = four_bar()
    with pytest.raises(lw.errors.UnknownNameError, match="there is no joint 'Z'"):
        lw.measures.rank_coordinates(model, cut=["Z"])
    with pytest.raises(lw.errors.RefusedError, match="cut at O, A, the loops are not open in a tree"):
        lw.measures.rank_coordinates(model, cut=["O", "A"])
    pendulum = {"O": {"kind": "revolute", "bodies": ["ground", "crank"]}}
    alone = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"crank": {"bar": ["O", "A"], "mass": 1}},
        joints=pendulum,
    )
    assert str(lw.measures.rank_cuts(alone)) == "no loops"
    with pytest.raises(lw.errors.RefusedError, match="have no name in a result"):
        lw.measures.rank_along(model, lw.simulate(alone, until=0.1))


def test_a_result_of_another_mechanism():
    data = four_bar().to_dict()
    data["bodies"]["crank"]["length"] = CRANK / 2
    with pytest.raises(lw.errors.RefusedError, match="the loops are not closed"):
        lw.measures.rank_along(four_bar(), lw.simulate(lw.Model(**data), until=0.1), coordinates="natural")
