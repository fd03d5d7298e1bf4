"""Natural coordinates: every case of a body, what is shared, how much it weighs, and slender bars without a spin."""

from __future__ import annotations

from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_mechanisms import (
    Array,
    Numbers,
    examples,
    numbers,
    random_inertia,
    random_kinds,
    random_rotation,
    random_state,
    random_tree,
    seeds,
)

import linkwork as lw
from linkwork.coordinates.natural import Natural
from linkwork.equations.equations import place_state
from linkwork.position.geometry import Pose
from linkwork.topology.resolve import resolve

few = examples(4)
BALL = {"kind": "spherical"}
UP = [0.0, 0.0, 1.0]
SLANT = [0.0, 0.6, 0.8]


def hinge(axis: list[float]) -> dict[str, Any]:
    return {"kind": "revolute", "axis": axis}


def plate(space: str, places: list[list[float]], joints: list[dict[str, Any]], live: bool = False) -> lw.Model:
    """A body that floats, with satellites on joints at some places: these make points and axes of it natural."""
    d = 2 if space == "planar" else 3
    rng = np.random.default_rng(3)
    inertia = 0.4 if space == "planar" else random_inertia(rng).tolist()
    scale = "size*" if live else ""
    bodies: dict[str, Any] = {
        "plate": {"points": {"Q": [0.0] * d}, "origin": [0.0] * d, "mass": 2, "com": [0.1, -0.2, 0.15][:d]}
    }
    bodies["plate"]["inertia"] = inertia
    sketch, held = {}, {}
    for i, (place, joint) in enumerate(zip(places, joints, strict=True)):
        sketch[f"S{i}"] = [f"{scale}{x}" for x in place]
        satellite = {"points": {"Q": [0.0] * d}, "origin": place, "mass": 0.1, "com": [0.0] * d}
        bodies[f"s{i}"] = satellite | {"inertia": 0.01 if space == "planar" else [0.01, 0.02, 0.015]}
        held[f"j{i}"] = joint | {"bodies": ["plate", f"s{i}"], "at": f"S{i}"}
    parameters = {"parameters": {"size": {"value": 1.0, "live": True}}} if live else {}
    return lw.Model(space=space, bodies=bodies, points=sketch, joints=held, **parameters)


PIN = {"kind": "revolute"}
TRIANGLE = [[0.0, 0.0], [1.0, 0.0], [0.3, 0.7]]
LINE = [[0.0, 0.0], [0.4, 0.2], [1.2, 0.6]]
CORNERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.9, 0.0]]

# the book's cases: space, places, joints there, coordinates and conditions of the plate alone
CASES: dict[str, tuple[str, list[list[float]], list[dict[str, Any]], int, int]] = {
    "planar, two points": ("planar", TRIANGLE[:2], [PIN] * 2, 4, 1),
    "planar, three points": ("planar", TRIANGLE, [PIN] * 3, 6, 3),
    "planar, three points in a line": ("planar", LINE, [PIN] * 3, 6, 3),
    "planar, four points": ("planar", [*TRIANGLE, [0.9, 0.8]], [PIN] * 4, 8, 5),
    "three points": ("spatial", CORNERS, [BALL] * 3, 9, 3),
    "four points": ("spatial", [*CORNERS, [0.1, 0.2, 0.8]], [BALL] * 4, 12, 6),
    "four points in a plane": ("spatial", [*CORNERS, [0.9, 0.8, 0.0]], [BALL] * 4, 12, 6),
    # one unit vector of its own: 9 and 4 as in eqs. 2.22 and 2.23, 3 and 2 more
    "three points in a line": ("spatial", [[0, 0, 0], [0.4, 0.2, 0], [1.2, 0.6, 0]], [BALL] * 3, 12, 6),
    "two points, one vector": ("spatial", CORNERS[:2], [BALL, hinge(SLANT)], 9, 3),
    # a multiple of the segment; one unit vector of its own
    "two points, one vector along them": ("spatial", CORNERS[:2], [BALL, hinge([1, 0, 0])], 9, 3),
    "two points, two vectors": ("spatial", CORNERS[:2], [hinge(UP), hinge([0.3, 1, 0])], 12, 6),
    "two points, two vectors in a plane": ("spatial", CORNERS[:2], [hinge([1, 0, 1]), hinge([-1, 0, 2])], 12, 6),
    "two points, parallel vectors": ("spatial", CORNERS[:2], [hinge(SLANT), hinge([0, -3, -4])], 9, 3),
    "three points, one vector": ("spatial", CORNERS, [BALL, BALL, hinge(UP)], 12, 6),
    "many": ("spatial", [*CORNERS, [0.1, 0.2, 0.8]], [hinge(UP), hinge([1, 0, 0]), BALL, hinge(SLANT)], 18, 12),
    "one point": ("spatial", CORNERS[:1], [BALL], 9, 3),
    "nothing": ("spatial", [], [], 9, 3),
}
every_case = pytest.mark.parametrize("case", list(CASES))


def own_counts(n: Numbers) -> tuple[int, int]:
    """Coordinates and conditions without what the satellites add for themselves."""
    c = n.coordinates
    foreign = sum(name.startswith("s") for name in c.kinematics.q_names)
    return c.q.numel() - foreign, sum(label.element == "plate" for label in c.labels)


@every_case
def test_the_bodies_of_the_book(case: str) -> None:
    # SOURCE: García de Jalón and Bayo, examples 2.8 and section 2.2.3.1: equations = coordinates − rigid freedoms
    space, places, joints, coordinates, equations = CASES[case]
    n = numbers(plate(space, places, joints), "natural")
    assert own_counts(n) == (coordinates, equations)


def rigid_motion(rng: np.random.Generator, n: Numbers, p: Array) -> tuple[dict[str, Pose], dict[str, Array]]:
    """Random positions and velocities of a plate and its satellites that keep the joints together."""
    relative = numbers(n.coordinates.topology.model)
    y = random_state(rng, relative)
    p = np.concatenate([p, np.zeros(relative.coordinates.p.numel() - len(p))])
    return relative.poses(y, p), relative.twists(y, p)


def kinetic_energy(n: Numbers, poses: dict[str, Pose], twists: dict[str, Array], p: Array) -> float:
    """½ m v² + ½ ω·I ω of all bodies, from their definition."""
    geometry, total = n.coordinates.geometry, 0.0
    for name, body in geometry.bodies.items():
        axes, twist = poses[name].axes, twists[name]
        d = len(axes)
        arm, omega = axes @ np.array(geometry.number(body.centre, p)), twist[d:]
        speed = twist[:d] + (omega[0] * np.array([-arm[1], arm[0]]) if d == 2 else np.cross(omega, arm))
        inertia = np.atleast_2d(geometry.number(body.kind.matter.inertia, p))
        inertia = inertia if d == 2 else axes @ inertia @ axes.T
        total += float(geometry.number(body.kind.mass, p)) * speed @ speed / 2 + omega @ inertia @ omega / 2
    return float(total)


@pytest.mark.matrix("live")
@every_case
@pytest.mark.parametrize("live", [False, True])
def test_conditions_are_regular_and_energies_those_of_rigid_bodies(case: str, live: bool) -> None:
    space, places, joints, _, _ = CASES[case]
    n = numbers(plate(space, places, joints, live), "natural")
    c, rng = n.coordinates, np.random.default_rng(5)
    p = np.array([1.3]) if live else np.zeros(0)
    for _ in range(2):
        poses, twists = rigid_motion(rng, n, p)
        q, v = c.kind.place(c.geometry, c.topology.tree, poses, twists, p)
        y = np.concatenate([q, v, np.zeros(c.s.numel())])
        everything = np.concatenate([p, np.zeros(c.p.numel() - len(p))])
        np.testing.assert_allclose(n.value(c.phi, 0, y, everything), 0.0, atol=1e-12)
        np.testing.assert_allclose(n.value(c.jacobian @ c.v, 0, y, everything), 0.0, atol=1e-11)
        for name in c.geometry.bodies:
            np.testing.assert_allclose(n.poses(y, everything)[name].axes, poses[name].axes, atol=1e-11)
            np.testing.assert_allclose(n.twists(y, everything)[name], twists[name], atol=1e-10)
        sizes = np.linalg.svd(n.value(c.jacobian, 0, y, everything), compute_uv=False)
        # as many independent conditions as there are, but for hinges that a vector pair repeats
        assert len(c.rows) == 0 or sizes[len(c.rows) - 1] > 0.02 * sizes[0]
        assert c.v.numel() - len(c.rows) == c.topology.freedoms
        energy = n.value(ca.dot(c.v, c.mass @ c.v) / 2, 0, y, everything).item()
        assert energy == pytest.approx(kinetic_energy(n, poses, twists, p), rel=1e-11)


@few
@given(seed=seeds, kind=st.sampled_from(["natural", "natural:constant_mass"]))
def test_accelerations_on_the_conditions_are_those_of_relative_coordinates(seed: int, kind: str) -> None:
    """The quadratic velocity forces of vector products (eq. 4.78): dense saddle-point solutions of both kinds agree."""
    rng = np.random.default_rng(seed)
    data = random_tree(rng, "spatial", random_kinds(rng, "spatial", 3), floating=bool(rng.random() < 0.5))
    relative, natural = numbers(lw.Model(**data)), numbers(lw.Model(**data), kind)
    y = random_state(rng, relative)
    c = natural.coordinates
    assert str(c.kind) == kind
    assert kind == "natural" or (c.mass.is_constant() and c.kinematics.bias.is_constant())
    z = np.concatenate(c.kind.place(c.geometry, c.topology.tree, relative.poses(y), relative.twists(y), np.zeros(0)))
    found = []
    for n, state in ((relative, y), (natural, np.concatenate([z, np.zeros(c.s.numel())]))):
        c, nv, m = n.coordinates, n.coordinates.v.numel(), len(n.coordinates.rows)
        rows = n.value(c.jacobian, 0, state).reshape(m, nv)
        matrix = np.block([[n.value(c.mass, 0, state).reshape(nv, nv), rows.T], [rows, np.zeros((m, m))]])
        right = np.concatenate([n.value(c.forces, 0, state).ravel(), -n.value(c.b, 0, state).ravel()])
        vdot = ca.SX(ca.DM(np.linalg.lstsq(matrix, right, rcond=1e-13)[0][:nv]))
        speeds = [c.motion.centre(name).velocity for name in c.geometry.bodies]
        found.append(n.value(c.motion.acceleration(ca.vertcat(*speeds), vdot), 0, state))
    np.testing.assert_allclose(found[1], found[0], atol=1e-8 * max(1.0, float(np.max(np.abs(found[0])))))


# -- mass matrices of the book ------------------------------------------------------------------------------------------


def test_planar_mass_matrix() -> None:
    # SOURCE: García de Jalón and Bayo, eq. 4.48
    m, length, x, y, inertia = 3.0, 0.8, 0.3, 0.2, 0.5
    data = plate("planar", [[0, 0], [length, 0]], [PIN] * 2).to_dict()
    data["bodies"]["plate"] |= {"mass": m, "com": [x, y], "inertia": inertia}
    for name in ("s0", "s1"):
        data["bodies"][name] |= {"mass": 0, "inertia": 0}
    c = numbers(lw.Model(**data), "natural").coordinates
    about = inertia + m * (x * x + y * y)
    a, e = m - 2 * m * x / length + about / length**2, about / length**2
    b, d = m * x / length - about / length**2, m * y / length
    expected = [[a, 0, b, -d], [0, a, d, b], [b, d, e, 0], [-d, b, 0, e]]
    np.testing.assert_allclose(np.array(ca.DM(c.mass))[:4, :4], expected, atol=1e-14)


def rggr(**coupler: Any) -> lw.Model:
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.15, 0.2, 0.05], "B": [0.8, 0.25, 0.45], "C": [0.9, 0, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1, "radius": 0.02},
            "coupler": {"bar": ["A", "B"], "mass": 1.5, **coupler},
            "rocker": {"bar": ["C", "B"], "mass": 1.2, "radius": 0.02},
        },
        joints={
            "O": {**hinge([0.2, 0.1, 1]), "bodies": ["ground", "crank"]},
            "A": {**BALL, "bodies": ["crank", "coupler"]},
            "B": {**BALL, "bodies": ["coupler", "rocker"]},
            "C": {**hinge([0.1, 1, 0]), "bodies": ["ground", "rocker"]},
        },
        initial={"O": {"speed": 4.0}},
    )


def test_a_slender_bar_has_two_points_and_one_equation() -> None:
    # SOURCE: García de Jalón and Bayo, eqs. 2.17 and 4.86: m/3 and m/6
    data = rggr().to_dict()
    for name in ("crank", "rocker"):
        data["bodies"][name] |= {"mass": 0}
    n = numbers(lw.Model(**data), "natural")
    c = n.coordinates
    assert c.kinematics.q_names == ("A.x", "A.y", "A.z", "B.x", "B.y", "B.z")
    assert [label.element for label in c.labels].count("coupler") == 1
    assert c.kinematics.spinless == {"coupler"}
    one = np.eye(3) * 1.5 / 6
    np.testing.assert_allclose(np.array(ca.DM(c.mass)), np.block([[2 * one, one], [one, 2 * one]]), atol=1e-14)
    # its frame stays one through a whole turn, also where it points backwards
    y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
    rng = np.random.default_rng(0)
    length = float(np.linalg.norm([0.65, 0.05, 0.4]))
    for _ in range(20):
        direction = random_rotation(rng)[:, 0]
        y[3:6] = y[:3] + length * direction
        axes = n.poses(y, p)["coupler"].axes
        np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(axes[:, 0], direction, atol=1e-12)
        assert np.linalg.det(axes) > 0


@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_a_slender_bar_moves_like_a_round_one_that_does_not_spin(formulation: str) -> None:
    """The spin of a round bar acts on the rest by its moment of inertia about its line alone, which is small here."""
    across = 1.5 * (0.65**2 + 0.05**2 + 0.4**2) / 12
    options: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13, "formulation": formulation, "step": 0.1}
    thin = lw.simulate(rggr(), 1.0, coordinates="natural", **options)
    round_ = lw.simulate(rggr(inertia=[1e-7 * across, across, across]), 1.0, coordinates="relative", **options)
    assert thin.outcome.completed and round_.outcome.completed
    for name in ("O.angle", "C.speed", "B.x", "B.az", "coupler.vx", "A.fx", "A.fz", "B.fy", "C.mx"):
        np.testing.assert_allclose(thin[name], round_[name], atol=3e-6 * max(1.0, np.max(np.abs(round_[name]))))
    assert np.max(np.abs(thin.energy - thin.energy[0])) < 1e-9


def test_a_spin_that_somebody_asks_for_is_a_freedom() -> None:
    plain = rggr().to_dict()
    torque = {"kind": "torque", "body": "coupler", "value": [0.1, 0, 0]}
    leaning = {"kind": "force", "at": "coupler.A", "axes": "body", "value": [0, 1, 0]}
    for more in (
        {"forces": {"f": torque}},
        {"forces": {"f": leaning}},
        {"forces": {"f": {"kind": "friction", "joint": "A", "viscous": 0.1}}},
        {"outputs": {"lean": "coupler.q1"}},
        {"outputs": {"spin": "2*A.wx"}},
        {"initial": {"A": {"omega": [0, 0, 1]}}},
        {"bodies": plain["bodies"] | {"coupler": {"bar": ["A", "B"], "points": {"P": [0.1, 0.1, 0]}, "mass": 1.5}}},
        {"bodies": plain["bodies"] | {"coupler": {"bar": ["A", "B"], "mass": 1.5, "radius": 0.01}}},
    ):
        assert resolve(lw.Model(**(plain | more))).slender == frozenset()
    harmless = {
        "forces": {"f": {"kind": "force", "at": "coupler.A", "value": [0, 1, 0]}},
        "outputs": {"z": "coupler.z"},
    }
    assert resolve(lw.Model(**(plain | harmless))).slender == {"coupler"}


# -- what is shared -----------------------------------------------------------------------------------------------------


def robot() -> lw.Model:
    """Six revolutes; the second, third and fourth are parallel, the last two cross."""
    points = {"O": [0, 0, 0], "A": [0, 0, 0.6], "B": [0.5, 0, 0.9], "C": [0.9, 0, 0.7], "D": [1.0, 0, 0.6]}
    names = ("column", "upper", "lower", "pitch", "yaw", "hand")
    body = {"points": {"P": [1.1, 0.1, 0.5]}, "origin": [0, 0, 0], "mass": 1, "com": [0.5, 0, 0.5]}
    axes = ([0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0.6, 0, 0.8], [0.8, 0, -0.6])
    joints = {
        f"J{i + 1}": {**hinge(axis), "bodies": [("ground", *names)[i], names[i]], "at": place}
        for i, (place, axis) in enumerate(zip("OABCDD", axes, strict=True))
    }
    bodies = {name: body | {"inertia": [0.02, 0.03, 0.04]} for name in names}
    return lw.Model(space="spatial", gravity=[0, 0, -9.81], points=points, bodies=bodies, joints=joints)


def test_a_robot_with_three_parallel_axes() -> None:
    # SOURCE: García de Jalón and Bayo, figure 2.27 and example 3.7: 4 points and 3 unit vectors, 21 coordinates
    c = lw.number(lw.analyse(robot()), "natural:hand.P")
    assert c.kind == Natural(points=("hand.P",))
    moving = {name.rsplit(".", 1)[0] for name in c.kinematics.q_names}
    assert moving == {"J3", "J4", "J5", "hand.P", "J2.axis", "J5.axis", "J6.axis"}
    assert (c.counts().positions, c.counts().conditions) == (21, 15)
    with pytest.raises(lw.errors.RefusedError, match=r"no point 'hand\.Q'.*hand\.P"):
        lw.number(lw.analyse(robot()), Natural(points=("hand.Q",)))


def test_counts_of_the_rscr_mechanism() -> None:
    # SOURCE: García de Jalón and Bayo, example 2.10 and table 2.3: 12 coordinates, 11 independent equations
    topology = lw.analyse(linkages.rscr())
    book = lw.number(topology, Natural(points=("coupler.B", "rocker.B"))).counts()
    assert (book.positions, book.conditions) == (12, 11)
    # without the points on the axis of the cylindrical joint, which no other body needs
    least = lw.number(topology, "natural").counts()
    assert (least.positions, least.conditions) == (9, 8)
    assert least.nonzeros < book.nonzeros


def test_slides_share_one_orientation() -> None:
    # SOURCE: García de Jalón and Bayo, example 2.6: 6 coordinates and 5 equations with two points on the slide
    model = lw.Model(
        space="planar",
        points={"A": [0, 0], "P1": [0, 0.4], "P2": [1, 0.6], "P3": [0.6, 0.52], "B": [0.7, 0]},
        bodies={
            "two": {"bar": ["A", "P1"], "mass": 1},
            "three": {"bar": ["P1", "P2"], "mass": 1},
            "four": {"bar": ["B", "P3"], "mass": 1},
        },
        joints={
            "A": {**PIN, "bodies": ["ground", "two"]},
            "P1": {**PIN, "bodies": ["two", "three"]},
            "P3": {"kind": "prismatic", "bodies": ["three", "four"], "axis": [1, 0.2]},
            "B": {**PIN, "bodies": ["ground", "four"]},
        },
    )
    topology = lw.analyse(model)
    book = lw.number(topology, Natural(points=("three.P2", "four.P3"))).counts()
    assert (book.positions, book.conditions) == (6, 5)
    least = lw.number(topology, "natural").counts()
    assert (least.positions, least.conditions) == (4, 3)
    assert lw.number(lw.analyse(linkages.slider_crank()), "natural").counts().positions == 4


def test_counts_are_written_down() -> None:
    counts = lw.number(lw.analyse(mechanisms.four_bar()), "natural").counts()
    # three lengths; their gradients are the segments: two differences of coordinates for each, with their opposites
    assert (counts.positions, counts.velocities, counts.conditions, counts.nonzeros) == (4, 4, 3, 8)
    assert counts.operations <= 8
    assert str(counts).startswith("4 positions, 4 velocities, 3 conditions; Jacobian with 8 non-zero elements")


def test_rows_stay_regular_where_dot_products_end() -> None:
    """A crank that passes its own dead line, and a folded arm: the smallest singular value of C stays away from zero."""
    folded = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [0.4, 0]},
        bodies={"one": {"bar": ["O", "A"], "mass": 1}, "two": {"bar": ["A", "B"], "mass": 1}},
        joints={"O": {**PIN, "bodies": ["ground", "one"]}, "A": {**PIN, "bodies": ["one", "two"]}},
    )
    universal = mechanisms.modelica_fourbar()
    for model in (folded, universal, robot(), linkages.sarrus()):
        n = numbers(model, "natural")
        c = n.coordinates
        y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
        sizes = np.linalg.svd(n.value(c.jacobian, 0, y, p), compute_uv=False)
        rank = c.v.numel() - c.topology.freedoms
        assert sizes[rank - 1] > 0.05 * sizes[0]
