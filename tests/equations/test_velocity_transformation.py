"""Velocity transformations: R as the geometry says it, the equations of an open chain by it, and loops closed on it."""

from itertools import product

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from hypothesis import example, given
from random_mechanisms import (
    Numbers,
    examples,
    numbers,
    random_body,
    random_joint,
    random_kinds,
    random_state,
    random_tree,
    seeds,
)

import linkwork as lw
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.numbering import number
from linkwork.equations.formulations.velocity_transformation import CLOSINGS, DEPENDENT, dependent_velocities

TIGHT = {"until": 0.3, "step": 0.1, "rtol": 1e-10, "atol": 1e-12}


def random_chain(seed):
    """A random tree, in the plane or in space, on the ground or floating, at a random state."""
    rng = np.random.default_rng(seed)
    space = str(rng.choice(["planar", "spatial"]))
    kinds = random_kinds(rng, space, 4)
    if space == "spatial":  # those of the source, among them
        kinds[:2] = [str(kind) for kind in rng.choice(["revolute", "prismatic", "cylindrical"], 2)]
        kinds[2] = str(rng.choice(["universal", "spherical"]))
    n = numbers(lw.Model(**random_tree(rng, space, kinds, floating=bool(rng.random() < 0.5))))
    return n, random_state(rng, n)


def by_numbers(n, dependent, y, points=()):
    """R, Sc, M and Q − C at a state."""
    found = dependent_velocities(n.coordinates, dependent, points)
    parts = (found.transfer, found.carried, found.mass, found.loads)
    return found, [n.value(part, 0.0, y) for part in parts]


def solve(n, mass, right, y):
    return np.linalg.solve(n.value(mass, 0.0, y), n.value(right, 0.0, y)).ravel()


# -- open chains -------------------------------------------------------------------------------------------------------


@given(seed=seeds)
@example(seed=43423900)  # welds and one freedom
@example(seed=210)  # welds alone
@examples(10)
def test_accelerations_are_those_of_composite_bodies(seed):
    n, y = random_chain(seed)
    c = n.coordinates
    wanted = solve(n, c.mass, c.forces, y)
    for dependent in DEPENDENT:
        found = dependent_velocities(c, dependent)
        assert dependent == "bodies" or (found.mass.is_constant() and found.loads.is_constant())
        accelerations = solve(n, *found.reduced, y)
        np.testing.assert_allclose(accelerations, wanted, atol=1e-11 * float(np.max(np.abs(wanted), initial=1.0)))


@given(seed=seeds)
@examples(4)
def test_velocities_of_bodies_are_r_times_those_of_the_joints(seed):
    n, y = random_chain(seed)
    c = n.coordinates
    _, (r, carried, _, _) = by_numbers(n, "bodies", y)
    parts = []
    for step in c.topology.tree.steps:
        body, frame, twist = (of[step.outboard] for of in (c.geometry.bodies, c.kinematics.frames, c.kinematics.twists))
        parts += [twist.velocity + c.space.turn(twist.omega, frame.axes @ body.centre), twist.omega]
    velocities = ca.vertcat(*parts)
    np.testing.assert_allclose(r @ n.split(y)[1], n.value(velocities, 0.0, y).ravel(), atol=1e-11)
    # accelerations with z̈ = 0
    drift = n.value(c.motion.drift(velocities), 0.0, y)
    np.testing.assert_allclose(carried, drift, atol=1e-10 * max(1.0, float(np.abs(drift).max())))


@given(seed=seeds)
@example(seed=210)  # welds alone
@examples(6)
def test_r_of_points_is_a_basis_of_what_natural_coordinates_admit(seed):
    """C R = 0 (eq. 8.37), v = R ż, and the accelerations of natural coordinates with multipliers are R z̈ + Sc."""
    n, y = random_chain(seed)
    natural = Numbers(number(n.coordinates.topology, Natural(constant_mass=True)))
    c = natural.coordinates
    placed = c.kind.place(c.geometry, c.topology.tree, n.poses(y), n.twists(y), np.zeros(0))
    state = np.concatenate([*placed, np.zeros(c.s.numel())])
    found, (r, carried, mass, _) = by_numbers(n, "points", y)
    assert found.names == c.kinematics.v_names
    jacobian, bias = (natural.value(part, 0.0, state) for part in (c.jacobian, c.b))
    nv = n.coordinates.v.numel()
    np.testing.assert_allclose(jacobian @ r, 0, atol=1e-12 * np.abs(jacobian).max(initial=1) * np.abs(r).max(initial=1))
    rank = np.linalg.matrix_rank(jacobian, tol=1e-9) if jacobian.size else 0
    assert np.linalg.matrix_rank(r, tol=1e-9) == nv == c.v.numel() - rank
    np.testing.assert_allclose(r @ n.split(y)[1], placed[1], atol=1e-11)
    np.testing.assert_allclose(mass, natural.value(c.mass, 0.0, state), atol=1e-13)
    accelerations = r @ solve(n, n.coordinates.mass, n.coordinates.forces, y) + carried.ravel()
    size = max(1.0, float(np.abs(accelerations).max()))
    np.testing.assert_allclose(
        jacobian @ accelerations, -bias.ravel(), atol=1e-10 * size * np.max(np.abs(r), initial=1.0)
    )
    forces = natural.value(c.forces, 0.0, state).ravel()
    np.testing.assert_allclose(
        r.T @ (mass @ accelerations - forces), 0, atol=1e-10 * size * np.max(np.abs(r), initial=1.0)
    )


AXIS, OTHER = [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "universal", "spherical", "free"])
def test_columns_of_the_joints(kind):
    """SOURCE: García de Jalón and Bayo, eqs. 8.100 to 8.105, for a body on the ground.

    A ball and a floating body turn about axes of their own, instead of inertial ones.
    """
    axes = {"universal": {"axes": [AXIS, OTHER]}, "spherical": {}}.get(kind, {"axis": AXIS})
    joints = {} if kind == "free" else {"J": {"kind": kind, "bodies": ["ground", "block"], "at": "J", **axes}}
    block = {
        "points": {"P": [0, 0, 0]},
        "origin": [1, 0, 2],
        "mass": 1,
        "com": [0.3, 0.1, -0.2],
        "inertia": [1, 2, 2.5],
    }
    n = numbers(lw.Model(space="spatial", points={"J": [1, 2, 3]}, bodies={"block": block}, joints=joints))
    y = random_state(np.random.default_rng(3), n)
    _, (r, *_) = by_numbers(n, "bodies", y)
    frame = n.coordinates.kinematics.frames["block"]
    arm = n.value(frame.point(ca.SX([0.3, 0.1, -0.2])), 0.0, y).ravel() - (y[:3] if kind == "free" else [1, 2, 3])
    first, second = np.array(AXIS), n.value(frame.axes @ ca.SX(OTHER), 0.0, y).ravel()
    own = n.value(frame.axes, 0.0, y).T
    turned = {"revolute": [first], "universal": [first, second], "spherical": own, "free": own}
    slid = {"prismatic": [first], "free": np.eye(3)}
    wanted = [[*u, 0, 0, 0] for u in slid.get(kind, [])]
    wanted += [[*np.cross(u, arm), *u] for u in turned.get(kind, [])]
    if kind == "cylindrical":
        wanted = [[*np.cross(first, arm), *first], [*first, 0, 0, 0]]
    np.testing.assert_allclose(r, np.transpose(wanted), atol=1e-13)


# -- the examples of the source ----------------------------------------------------------------------------------------


def two_arms():
    """SOURCE: García de Jalón and Bayo, figure 8.7: a floating body with two arms of three links; lengths are ours."""
    points = {"P1": [-1, 0], "P2": [1, 0], "P3": [-2, 0.5], "P4": [-2.5, 1.5], "P7": [2, 0.4], "P8": [2.6, 1.4]}
    links = {"base": ("P1", "P2"), "l1": ("P1", "P3"), "l2": ("P3", "P4"), "r1": ("P2", "P7"), "r2": ("P7", "P8")}
    bodies = {name: {"bar": list(ends), "mass": 1} for name, ends in links.items()}
    bodies["l3"] = {"bar": ["P4", "P5"], "mass": 1, "points": {"P6": [0.5, 0.4]}}
    bodies["r3"] = {"bar": ["P8", "P9"], "mass": 1}
    pairs = {"P1": ("base", "l1"), "P3": ("l1", "l2"), "P4": ("l2", "l3")}
    pairs |= {"P2": ("base", "r1"), "P7": ("r1", "r2"), "P8": ("r2", "r3")}
    return numbers(
        lw.Model(
            space="planar",
            points={**points, "P5": [-2.5, 2.5], "P9": [2.6, 2.4]},
            bodies=bodies,
            joints={name: {"kind": "revolute", "bodies": list(pair)} for name, pair in pairs.items()},
        )
    )


ENDS = ("l3.P5", "l3.P6", "r3.P9")


def test_sizes_of_two_arms():
    """Example 8.1: 18 natural coordinates, 21 of reference points, 9 freedoms."""
    n = two_arms()
    topology = n.coordinates.topology
    counts = {kind: number(topology, kind).counts() for kind in (Natural(points=ENDS), "reference_point")}
    assert [(one.positions, one.conditions) for one in counts.values()] == [(18, 9), (21, 12)]
    assert dependent_velocities(n.coordinates, "points", ENDS).transfer.shape == (18, 9)
    assert dependent_velocities(n.coordinates, "bodies").transfer.shape == (21, 9)


def test_columns_of_two_arms():
    """Example 8.2: base translated and turned, joint 7 turned, and the part of link 3-4."""
    n = two_arms()
    y = random_state(np.random.default_rng(1), n)
    found, (r, *_) = by_numbers(n, "points", y, ENDS)
    columns = {name: i for i, name in enumerate(n.coordinates.kinematics.v_names)}
    named = {name: r[[found.names.index(f"{name}.{axis}'") for axis in "xy"]] for name in ("P1", "P2", "P3", "P4")}
    named |= {name: r[[found.names.index(f"{name}.{axis}'") for axis in "xy"]] for name in ("P7", "P8", *ENDS)}
    body = {"P1": "base", "P2": "base", "P3": "l1", "P4": "l2", "P7": "r1", "P8": "r2"}
    place = {}
    for name in named:
        owner, point = name.split(".") if "." in name else (body[name], name)
        station = n.coordinates.motion.station(owner, n.coordinates.geometry.bodies[owner].points[point])
        place[name] = n.value(station.position, 0.0, y).ravel()

    def turned(name, about):
        dx, dy = place[name] - about
        return [-dy, dx]

    base = y[:2]
    for name, rows in named.items():
        np.testing.assert_allclose(rows[:, columns["base.vx"]], [1, 0], atol=1e-14)
        np.testing.assert_allclose(rows[:, columns["base.speed"]], turned(name, base), atol=1e-13)
        moved = turned(name, place["P2"]) if name in ("P7", "P8", "r3.P9") else [0, 0]
        np.testing.assert_allclose(rows[:, columns["P2.speed"]], moved, atol=1e-13)
    np.testing.assert_allclose(named["P3"][:, columns["P1.speed"]], turned("P3", place["P1"]), atol=1e-13)
    assert not named["P3"][:, columns["P3.speed"]].any()
    np.testing.assert_allclose(named["P4"][:, columns["P3.speed"]], turned("P4", place["P3"]), atol=1e-13)


def test_pattern_of_a_chain_with_two_branches():
    """Example 8.3: seven bodies, R is 42 × 7, and body 5 has 6 × 3 elements of joints 1, 2 and 5."""
    inner = {1: "ground", 2: "b1", 3: "b2", 4: "b3", 5: "b2", 6: "b5", 7: "b6"}
    rng = np.random.default_rng(0)
    points = {f"J{i}": rng.normal(size=3).tolist() for i in inner}
    bodies = {f"b{i}": random_body(rng, "spatial") for i in inner}
    joints = {f"j{i}": random_joint(rng, "spatial", "revolute", (b, f"b{i}"), f"J{i}") for i, b in inner.items()}
    n = numbers(lw.Model(space="spatial", points=points, bodies=bodies, joints=joints))
    order = [n.coordinates.kinematics.v_names.index(f"j{i}.speed") for i in inner]
    found = dependent_velocities(n.coordinates, "bodies")
    r = found.transfer[:, order]
    assert r.shape == (42, 7)
    rows = [i for i, name in enumerate(found.names) if name.startswith("b5.")]
    assert sorted({j + 1 for _, j in zip(*r[rows, :].sparsity().get_triplet(), strict=True)}) == [1, 2, 5]
    assert r[rows, :].nnz() == 6 * 3
    # joints of different branches have no common element
    mass = found.reduced[0][order, order]
    empty = {(i + 1, j + 1) for i in range(7) for j in range(7) if not mass.sparsity().has_nz(i, j)}
    branches = ((3, 4), (5, 6, 7))
    assert empty == {pair for one in branches for other in branches if one != other for pair in product(one, other)}


# -- closed chains -----------------------------------------------------------------------------------------------------

LOOPS = {
    "four_bar": mechanisms.four_bar,
    "slider_crank": linkages.spatial_slider_crank,
    "bricard": mechanisms.bricard,
}
# relative error of the reactions: a penalty of 1e7 leaves so much of the conditions open
ACCURACY = {"multipliers": 1e-8, "penalty": 1e-5, "transformation": 1e-8}


@pytest.mark.parametrize("name", LOOPS)
def test_closed_chains_move_like_hybrid(name):
    model = LOOPS[name]()
    bodies = [f"{body}.{part}" for body in model.bodies for part in ("vx", "ax", "vy", "ay")]
    reactions = [f"{joint}.f{axis}" for joint in model.joints for axis in "xyz"[: 2 if model.space == "planar" else 3]]
    wanted = lw.simulate(model, **TIGHT).values([*bodies, *reactions])
    for closed_by in CLOSINGS:
        for dependent in DEPENDENT if closed_by == "multipliers" else ("bodies",):
            result = lw.simulate(
                model, formulation=lw.formulations.VelocityTransformation(dependent, closed_by), **TIGHT
            )
            assert f"velocities of {dependent}" in result.statistics["workings"]
            for keys in (bodies, reactions):
                size = max(float(np.abs(wanted[key]).max()) for key in keys)
                for key, values in result.values(keys).items():
                    atol = ACCURACY[closed_by] * size
                    np.testing.assert_allclose(values, wanted[key], atol=atol, err_msg=f"{key} {dependent} {closed_by}")


MORE = {
    "parameters": {"length": {"value": 0.9, "live": True}, "mass": {"value": 2, "live": True}},
    "bodies": {
        "crank": {"bar": ["O", "A"], "length": 0.3, "mass": "mass"},
        "rod": {"bar": ["A", "B"], "length": "length", "mass": 1},
        "slider": {"points": ["B"], "mass": 0.5},
    },
    "forces": {"spring": {"kind": "spring", "between": ["ground.O", "slider.B"], "stiffness": 50, "free_length": 1}},
}
MOTOR = {"drivers": {"motor": {"joint": "O", "position": "1 + 7*t + 0.2*sin(5*t)"}}, "initial": {}}


@pytest.mark.parametrize(
    ("more", "keys"), [(MORE, ("O.angle", "B.ax", "A.fy")), (MORE | MOTOR, ("motor.effort", "A.fy"))]
)
def test_forces_drivers_and_live_parameters(more, keys):
    """Rows and forces are those of relative coordinates, and geometry and masses may change without compiling."""
    model, changed = linkages.slider_crank(**more), {"length": 0.8, "mass": 1.5}
    wanted = lw.simulate(model, parameters=changed, **TIGHT)
    for dependent in DEPENDENT:
        result = lw.simulate(
            model, parameters=changed, formulation=lw.formulations.VelocityTransformation(dependent), **TIGHT
        )
        for key in keys:
            np.testing.assert_allclose(result[key], wanted[key], atol=1e-9 * np.abs(wanted[key]).max())


def test_closing_with_parameters_of_its_own():
    model = mechanisms.four_bar()
    for closing in (
        lw.formulations.Baumgarte(alpha=5, beta=5),
        lw.formulations.Multipliers(project=False),
        lw.formulations.AugmentedLagrangian(),
    ):
        result = lw.simulate(model, formulation=lw.formulations.VelocityTransformation(closed_by=closing), **TIGHT)
        plain = lw.simulate(model, formulation=closing, **TIGHT)
        assert f"closed by {closing.name}" in result.statistics["workings"]
        # the same steps, with the same errors of the conditions
        np.testing.assert_allclose(result["crank.angle"], plain["crank.angle"], atol=1e-12)
        np.testing.assert_allclose(result["closure"], plain["closure"], atol=1e-13)
    around = lw.formulations.Baumgarte(alpha=5, beta=5, around=lw.formulations.VelocityTransformation("points"))
    inside = lw.formulations.VelocityTransformation("points", lw.formulations.Baumgarte(alpha=5, beta=5))
    one, other = (lw.simulate(model, formulation=formulation, **TIGHT) for formulation in (around, inside))
    np.testing.assert_array_equal(one["crank.angle"], other["crank.angle"])


def test_what_cannot_work_is_refused():
    with pytest.raises(lw.errors.RefusedError, match="dependent is one of 'bodies', 'points', not 'links'"):
        lw.formulations.VelocityTransformation(dependent="links")
    with pytest.raises(lw.errors.RefusedError, match="closed_by is one of 'multipliers', 'penalty', 'transformation'"):
        lw.formulations.VelocityTransformation(closed_by="gauss")
    with pytest.raises(lw.errors.RefusedError, match=r"Penalty, AugmentedLagrangian or RMethod, not by Hybrid"):
        lw.formulations.VelocityTransformation(closed_by=lw.formulations.Hybrid())
    with pytest.raises(lw.errors.RefusedError, match="works in relative coordinates, not in natural ones"):
        lw.prepare(mechanisms.four_bar(), coordinates="natural", formulation="velocity_transformation")
    with pytest.raises(lw.errors.RefusedError, match="work in relative coordinates, not in natural ones"):
        around = lw.formulations.Baumgarte(around=lw.formulations.VelocityTransformation())
        lw.prepare(mechanisms.four_bar(), coordinates="natural", formulation=around)
    with pytest.raises(lw.errors.RefusedError, match="has no drift to damp"):
        lw.formulations.Baumgarte(around=lw.formulations.VelocityTransformation(closed_by="penalty"))
