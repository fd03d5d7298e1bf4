"""Reactions by ten schemes, in other axes, on either body, and what redundant constraints leave open."""

from __future__ import annotations

from functools import cache
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.arrays import Array
from linkwork.equations.reactions.schemes import ALL_REACTION_SCHEMES
from linkwork.results import Result
from linkwork.results.reactions import Reactions

G = 9.81
OTHERS = [scheme.name for scheme in ALL_REACTION_SCHEMES[1:]]


def run(model: lw.Model, until: float = 0.3, **more: Any) -> Result:
    options = {"step": until / 6, "rtol": 1e-11, "atol": 1e-13, "backend": "reference", **more}
    result = lw.simulate(model, until, **options)
    assert result.outcome.completed
    return result


def matrix(reactions: Reactions) -> Array:
    """All components (N, nc)."""
    return np.column_stack([reactions[name][c] for name in reactions for c in reactions[name].info.components])


def flags(reactions: Reactions) -> list[bool]:
    """Which of the components are not unique."""
    return [c in reactions[name].not_unique for name in reactions for c in reactions[name].info.components]


def driven_slider_crank() -> lw.Model:
    data = linkages.slider_crank().to_dict() | {"initial": {}}
    data["bodies"]["slider"] |= {"inertia": 0.01}
    return lw.Model(**data | {"drivers": {"motor": {"joint": "O", "speed": "5 + 2*sin(9*t)"}}})


def geared_arms() -> lw.Model:
    """Two arms under gravity on parallel shafts with a gear between them."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, 0], "P": [0.5, 0.1], "B": [1, 0], "Q": [1.2, 0.4]},
        bodies={"one": {"bar": ["A", "P"], "mass": 2}, "two": {"bar": ["B", "Q"], "mass": 1}},
        joints={"A": linkages.revolute("ground", "one"), "B": linkages.revolute("ground", "two")},
        couplings={"gear": {"joints": ["A", "B"], "ratio": -2}},
    )


def door() -> lw.Model:
    """A door on two hinges, the centre of mass half way between them and 0.45 m beside their axis."""
    return lw.Model(
        name="door",
        space="spatial",
        gravity=[0, 0, -G],
        points={"lower": [0, 0, 0.2], "upper": [0, 0, 1.8], "P": [0.9, 0, 1.0]},
        bodies={"leaf": {"points": ["lower", "upper", "P"], "mass": 30, "com": [0.45, 0, 0.8], "inertia": [10, 12, 8]}},
        joints={name: linkages.revolute("ground", "leaf", axis=[0, 0, 1]) for name in ("lower", "upper")},
        initial={"lower": {"speed": 1.5}},
    )


DETERMINED = {
    "four-bar": mechanisms.four_bar,
    "slider-crank, driven": driven_slider_crank,
    "spatial slider-crank": linkages.spatial_slider_crank,
    "gear": geared_arms,
    "two windows": lambda: mechanisms.n_four_bar(2),
}
REDUNDANT = {
    "door": door,
    "spatial four-bar": mechanisms.spatial_four_bar,
    "bricard": mechanisms.bricard,
    "sarrus": linkages.sarrus,
}


@cache
def redundant(name: str) -> Result:
    return run(REDUNDANT[name]())


@pytest.mark.parametrize("name", list(DETERMINED))
def test_all_schemes_give_the_same(name: str) -> None:
    result = run(DETERMINED[name]())
    expected = matrix(result.reactions)
    assert not any(flags(result.reactions))
    for scheme in OTHERS:
        found = matrix(result.reactions(scheme=scheme))
        np.testing.assert_allclose(found, expected, atol=1e-9 * np.max(np.abs(expected)), err_msg=scheme)


@pytest.mark.parametrize("kind", ["reference_point", "natural", "mixed"])
def test_schemes_do_not_depend_on_the_coordinates(kind: str) -> None:
    expected = matrix(run(linkages.spatial_slider_crank()).reactions)
    result = run(linkages.spatial_slider_crank(), coordinates=kind)
    for scheme in ("projection", "inverse_inertia", "constraint_variation"):
        found = matrix(result.reactions(scheme=scheme))
        np.testing.assert_allclose(found, expected, atol=1e-8 * np.max(np.abs(expected)), err_msg=scheme)


def test_the_distribution_matrix_of_a_four_bar() -> None:
    # SOURCE: Blajer, Schiehlen, Schirm, eq. 44: Bᵀ of the force in the joint O4 = (l0, 0) of a chain with the relative
    # angles α, measured clockwise from the y axis; Bᵀ f = M q̈ − h of the open chain (eq. 38)
    result = run(mechanisms.four_bar())
    bodies, masses = ("crank", "coupler", "rocker"), (1.0, 2.0, 1.5)
    lengths = np.array([1.0, 2.5, 2.0])
    places = {p: np.column_stack([result[f"{p}.x"], result[f"{p}.y"]]) for p in "AB"} | {
        "O": np.zeros((len(result), 2))
    }
    effort = np.zeros((len(result), 3))
    for k, pivot in enumerate("OAB"):
        for body, mass, length in list(zip(bodies, masses, lengths, strict=True))[k:]:
            arm = np.column_stack([result[f"{body}.x"], result[f"{body}.y"]]) - places[pivot]
            push = mass * np.column_stack([result[f"{body}.ax"], result[f"{body}.ay"] + G])
            effort[:, k] -= arm[:, 0] * push[:, 1] - arm[:, 1] * push[:, 0]
            effort[:, k] -= mass * length**2 / 12 * result[f"{body}.acceleration"]
    first = np.arctan2(places["A"][:, 0], places["A"][:, 1])
    both = np.arctan2(*(places["B"] - places["A"]).T)
    zero, (l1, l2), l0 = np.zeros(len(result)), lengths[:2], 2.2
    b = np.stack(
        [
            np.stack([zero, zero - l0], axis=-1),
            np.stack([-l1 * np.cos(first), -l0 + l1 * np.sin(first)], axis=-1),
            np.stack([-l1 * np.cos(first) - l2 * np.cos(both), -l0 + l1 * np.sin(first) + l2 * np.sin(both)], axis=-1),
        ],
        axis=1,
    )
    np.testing.assert_allclose(np.einsum("nij,nj->ni", b, result.reactions["C"].force), effort, atol=1e-9)


def test_a_scheme_that_cannot_work_says_what_can() -> None:
    massless = run(linkages.slider_crank())
    with pytest.raises(lw.errors.RefusedError, match=r"body 'slider' has no inertia.*'projection' works"):
        massless.reactions(scheme="inverse_inertia")
    assert np.isfinite(matrix(massless.reactions(scheme="projection"))).all()
    for scheme in ("projection", "inverse_inertia", "constraint_variation"):
        with pytest.raises(lw.errors.RefusedError, match=r"redundant, and A.mz, B.mz.*'least_squares' works"):
            redundant("sarrus").reactions(scheme=scheme)
    with pytest.raises(lw.errors.RefusedError, match="did you mean 'projection'"):
        massless.reactions(scheme="projections")
    with pytest.raises(lw.errors.RefusedError, match=r"axes = 'Crank'.*did you mean 'crank'"):
        massless.reactions(axes="Crank")
    with pytest.raises(lw.errors.RefusedError, match="on = 'crank'"):
        massless.reactions(on="crank")


@pytest.mark.parametrize("name", list(REDUNDANT))
def test_unique_components_are_the_same_for_every_solution(name: str) -> None:
    result = redundant(name)
    source: Any = result.source
    rng = np.random.default_rng(1)
    balance = source._pushes._balance("world", slice(None))
    loose = np.zeros(balance.world.shape[:2], dtype=bool)
    for i, (g, w) in enumerate(zip(balance.matrix, balance.world, strict=True)):
        # another solution: the first plus anything that pushes no body
        shift = rng.normal(size=g.shape[1])
        shift -= np.linalg.lstsq(g, g @ shift, rcond=1e-9)[0]
        np.testing.assert_allclose(g @ (balance.least[i] + shift), balance.right[i], atol=1e-8)
        loose[i] = np.abs(w @ shift) > 1e-6
    np.testing.assert_array_equal(loose, balance.open)
    assert (loose.mean(axis=0) > 0.5).tolist() == flags(result.reactions)


@pytest.mark.parametrize("name", list(REDUNDANT))
def test_virtual_power_gives_what_is_unique_and_nothing_else(name: str) -> None:
    result = redundant(name)
    source: Any = result.source
    loose, expected = source._pushes._balance("world", slice(None)).open, matrix(result.reactions)
    for scheme in ("joint_elimination", "element_elimination"):
        found = matrix(result.reactions(scheme=scheme))
        np.testing.assert_array_equal(np.isnan(found), loose)
        np.testing.assert_allclose(found[~loose], expected[~loose], atol=1e-9 * np.max(np.abs(expected)))


def test_the_hinges_of_a_door_carry_its_weight_together() -> None:
    result = redundant("door")
    lower, upper = result.reactions["lower"], result.reactions["upper"]
    for hinge in (lower, upper):
        assert hinge.not_unique == ("fx", "fy", "fz", "mx", "my")
    angle, rate = result["lower.angle"], result["lower.speed"]
    np.testing.assert_allclose(rate, 1.5, rtol=1e-9)  # nothing turns it about its vertical axis
    total = lower.force + upper.force
    out = np.column_stack([np.cos(angle), np.sin(angle)])
    np.testing.assert_allclose(total[:, :2], -30 * 0.45 * 1.5**2 * out, atol=1e-9)
    np.testing.assert_allclose(total[:, 2], 30 * G, rtol=1e-12)
    # about the centre between the hinges: the weight at 0.45 m tilts the leaf outwards
    couple = (
        0.8 * (upper.force - lower.force)[:, :2] @ np.array([[0, 1], [-1, 0]]) + (lower.moment + upper.moment)[:, :2]
    )
    np.testing.assert_allclose(couple, 30 * G * 0.45 * np.column_stack([out[:, 1], -out[:, 0]]), atol=1e-9)
    # least norm: both hinges carry half of it
    np.testing.assert_allclose(lower["fz"], upper["fz"], rtol=1e-9)


def test_components_in_axes_of_bodies_and_joints() -> None:
    result = run(linkages.slider_crank())
    world = result.reactions["A"].force
    for axes, body in (("child", "rod"), ("parent", "crank"), ("slider", "slider"), ("joint", "crank")):
        turned = result.reactions(axes=axes)["A"].force
        c, s = np.cos(result[f"{body}.angle"]), np.sin(result[f"{body}.angle"])
        if axes != "joint":
            expected = np.column_stack([c * world[:, 0] + s * world[:, 1], -s * world[:, 0] + c * world[:, 1]])
            np.testing.assert_allclose(turned, expected, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(world, axis=1), rtol=1e-12)
    guide = result.reactions(axes="joint")["guide"]
    np.testing.assert_allclose(guide["fx"], 0.0, atol=1e-9)  # nothing along the slot
    np.testing.assert_allclose(np.abs(guide["fy"]), np.abs(result["guide.fy"]), rtol=1e-12)
    np.testing.assert_array_equal(result.reactions(on="parent")["A"].force, -world)
    np.testing.assert_array_equal(result.reactions(axes="child")(on="parent", axes="world")["A"].force, -world)


def test_a_hinge_in_space_carries_no_moment_about_its_own_axis() -> None:
    result = run(linkages.rscr())
    for scheme in ("least_squares", "projection"):
        joint = result.reactions(scheme=scheme, axes="joint")["O"]
        np.testing.assert_allclose(joint["mz"], 0.0, atol=1e-9)
        np.testing.assert_allclose(
            np.linalg.norm(joint.moment, axis=1), np.linalg.norm(result.reactions["O"].moment, axis=1), rtol=1e-9
        )


def test_what_is_open_depends_on_the_axes() -> None:
    # a bar along (1, 1, 0) held by two balls: the force along it is shared anyhow, and only in its own axes that shows
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"P": [0, 0, 0], "Q": [1, 1, 0]},
        bodies={"bar": {"bar": ["P", "Q"], "mass": 2, "radius": 0.1}},
        joints={name: {"kind": "spherical", "bodies": ["ground", "bar"]} for name in "PQ"},
    )
    result = run(model, 0.01)
    assert result.reactions["P"].not_unique == ("fx", "fy")
    assert result.reactions(axes="child")["P"].not_unique == ("fx",)
    np.testing.assert_allclose(result["P.fz"], G, rtol=1e-9)


def test_open_components_are_marked_where_they_are_shown(tmp_path: Any) -> None:
    result = redundant("door")
    assert "lower  revolute  leaf  ground" in str(result.reactions) and "fx fy fz mx my" in str(result.reactions)
    names = ["lower.fz", "lower.angle"]
    heading = result.save(tmp_path / "door.csv", names).read_text().splitlines()[0]
    assert heading == '"time [s]","lower.fz [N] (not unique)","lower.angle [rad]"'
    assert result.to_dataframe(names).attrs["remarks"] == {"lower.fz": "not unique"}
    data = result.to_xarray(names)
    assert "not unique" in data["lower.fz"].attrs["comment"] and "comment" not in data["lower.angle"].attrs
    labels = [text.get_text() for text in result.plot("lower.fz").axes[0].get_legend().get_texts()]
    assert labels == ["lower.fz (not unique)"]
    table = result.reactions(axes="child").to_xarray()
    assert not table["force_unique"].any() and table["moment_unique"].sel(turn="z").all()
    np.testing.assert_array_equal(table["force"].sel(joint="upper"), result.reactions(axes="child")["upper"].force)
    # all of it is in a file, but the mechanism is not
    loaded = lw.load_result(result.save(tmp_path / "door.nc"))
    assert str(loaded.reactions) == str(result.reactions)
    with pytest.raises(lw.errors.ResultError, match="simulate again"):
        loaded.reactions(axes="child")


def test_efforts_of_drivers_are_reactions_too() -> None:
    result = run(driven_slider_crank())
    motor = result.reactions["motor"]
    np.testing.assert_array_equal(motor.effort, result["motor.effort"])
    with pytest.raises(lw.errors.ResultError, match="an effort, no force"):
        _ = motor.force
    assert result.reactions.to_xarray()["effort"].sel(actuator="motor").shape == (len(result),)


@pytest.mark.parametrize(
    ("formulation", "kind", "accuracy"),
    [
        ("penalty", "reference_point", 1e-5),
        ("baumgarte", "natural", 1e-8),
        (lw.formulations.Multipliers(project=False), "mixed", 1e-8),
    ],
)
def test_formulations_that_drift_give_the_same_reactions(formulation: Any, kind: str, accuracy: float) -> None:
    # open loops make redundant constraints look independent: what is below their error must not count
    expected = redundant("bricard")
    result = run(mechanisms.bricard(), formulation=formulation, coordinates=kind, rtol=1e-9, atol=1e-11)
    assert flags(result.reactions) == flags(expected.reactions)
    found, wanted = matrix(result.reactions), matrix(expected.reactions)
    np.testing.assert_allclose(found, wanted, atol=accuracy * np.max(np.abs(wanted)))


def test_at_a_singular_position_forces_stay_finite_and_say_so() -> None:
    # SOURCE: IFToMM A02 with two windows: θ̈ = −3.5 g cos θ / 3 for all rods, through both aligned positions
    model = mechanisms.n_four_bar(2)
    options: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}
    aligned = lw.simulate(model, 1.0, step=0.1, events={"aligned": "sin(rod0.angle)"}, **options).events[0].time
    result = lw.simulate(model, times=[0.2, 0.4, aligned, 0.9], **options)
    np.testing.assert_allclose(result["rod0.acceleration"], -3.5 * G * np.cos(result["rod0.angle"]) / 3, atol=1e-7)
    assert np.isfinite(matrix(result.reactions)).all()
    for joint in ("A0", "A1", "A2", "left0", "right1"):
        # what holds the rods parallel pushes along them
        assert result.reactions[joint].unique and result.reactions[joint].passing == {"fx": pytest.approx(aligned)}
    assert f"at t = {aligned:.6g} s the position is singular: A0.fx" in str(result.reactions)
    with pytest.raises(lw.errors.RefusedError, match=r"t = 0.714356 s is singular, and A0.fx"):
        result.reactions(scheme="constraint_variation")
