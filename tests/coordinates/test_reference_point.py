"""Reference-point coordinates: what they are, in every parametrisation of orientations, and how they are named."""

from __future__ import annotations

import linkages
import mechanisms
import numpy as np
import pytest
from random_mechanisms import numbers, random_rotation

import linkwork as lw
from linkwork.algebra.orientations import ALL_ORIENTATIONS, Orientation
from linkwork.analysis.prepared.prepare import prepare
from linkwork.coordinates.mixed import Mixed
from linkwork.coordinates.numbering import coordinate_kind
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.coordinates.relative import Relative
from linkwork.equations.equations import place_state
from linkwork.errors import RefusedError
from linkwork.position.geometry import Pose

every = pytest.mark.parametrize("orientation", ALL_ORIENTATIONS, ids=str)


def test_a_four_bar_has_three_places_and_two_conditions_for_each_pin() -> None:
    c = numbers(mechanisms.four_bar(), "reference_point").coordinates
    bodies = [f"{body}.{name}" for body in ("crank", "coupler", "rocker") for name in ("x", "y", "angle")]
    assert list(c.kinematics.q_names) == bodies
    assert [label.kind for label in c.labels] == ["joint"] * 8
    assert c.auxiliaries == () and c.kinematics.identities == () and c.kinematics.retract is None
    assert c.mass.is_constant()


@every
def test_counts_of_a_spatial_loop(orientation: Orientation) -> None:
    # SOURCE: García de Jalón and Bayo, section 2.2.2: nine terms with six conditions, or four with one, or three angles
    c = numbers(linkages.rscr(), f"reference_point:{orientation.name}").coordinates
    size, own = {"rotation_matrix": (9, 6), "euler_parameters": (4, 1), "axis_angle": (4, 1)}.get(
        orientation.name, (3, 0)
    )
    k = c.kinematics
    assert (c.q.numel() - k.charts, c.v.numel(), len(c.rows)) == (3 * (3 + size), 18, 5 + 3 + 4 + 5)
    assert len(k.identities) == 3 * own
    assert {row.label.kind for row in k.identities} <= {"normalisation"}
    assert k.q_names[: 3 + orientation.count] == tuple(f"crank.{name}" for name in ("x", "y", "z", *orientation.names))
    # velocities, masses and conditions do not know the parametrisation
    assert k.v_names[:6] == tuple(f"crank.{name}" for name in ("vx", "vy", "vz", "spinx", "spiny", "spinz"))
    assert c.mass.is_constant()
    assert f"{c.q.numel() - k.charts} positions" in str(c)


@every
def test_places_and_velocities_are_found_again(orientation: Orientation) -> None:
    rng = np.random.default_rng(1)
    n = numbers(linkages.floating_pair(), f"reference_point:{orientation.name}")
    c, geometry = n.coordinates, n.coordinates.geometry
    poses = {name: Pose(rng.normal(size=3), random_rotation(rng)) for name in geometry.bodies}
    twists = {name: rng.normal(size=6) for name in geometry.bodies}
    q, v = c.kind.place(geometry, c.topology.tree, poses, twists, geometry.defaults)
    y = np.concatenate([q, v, np.zeros(c.s.numel())])
    for name, pose in n.poses(y).items():
        np.testing.assert_allclose(pose.origin, poses[name].origin, atol=1e-14)
        np.testing.assert_allclose(pose.axes, poses[name].axes, atol=1e-14)
        np.testing.assert_allclose(n.twists(y)[name], twists[name], atol=1e-14)


@pytest.mark.matrix("kind", "orientation")
@every
@pytest.mark.parametrize("kind", ["relative", "reference_point", "mixed"])
def test_the_equations_do_not_depend_on_the_parametrisation(kind: str, orientation: Orientation) -> None:
    model = linkages.spherical_chain()
    found = []
    for name in (kind, f"{kind}:{orientation.name}"):
        n = numbers(model, name)
        c = n.coordinates
        y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
        found.append([n.value(item, 0.0, y, p) for item in (c.mass, c.forces, c.phi, c.jacobian, c.b)])
    for plain, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, plain, atol=1e-13)


def test_names_give_kinds_and_kinds_print_as_names() -> None:
    assert coordinate_kind("reference_point") == ReferencePoint()
    assert coordinate_kind("reference_point:tait_bryan") == ReferencePoint(orientation="tait_bryan")
    assert coordinate_kind("relative:euler_angles") == Relative("euler_angles")
    assert coordinate_kind("mixed:rotation_matrix") == Mixed("rotation_matrix")
    assert str(coordinate_kind("relative:axis_angle")) == "relative:axis_angle"
    assert str(coordinate_kind("relative:euler_parameters")) == "relative"


def test_wrong_names_say_what_exists() -> None:
    with pytest.raises(RefusedError, match=r"unknown orientation 'euler'.*euler_angles.*rotation_matrix"):
        coordinate_kind("reference_point:euler")
    with pytest.raises(RefusedError, match="unknown coordinates 'referencepoint'; did you mean 'reference_point'"):
        coordinate_kind("referencepoint:tait_bryan")
    with pytest.raises(
        RefusedError, match=r"natural coordinates have no orientations.*relative.*reference_point.*mixed"
    ):
        coordinate_kind("natural:tait_bryan")
    with pytest.raises(RefusedError, match="unknown orientation"):
        ReferencePoint(orientation="quaternion")


def test_variants_are_remembered_apart_and_reported() -> None:
    model = mechanisms.heavy_top()
    names = ["relative", "relative:tait_bryan", "reference_point:tait_bryan", Relative("tait_bryan")]
    prepared = [prepare(model, coordinates=name) for name in names]
    assert prepared[1] is prepared[3]
    assert len({id(mechanism) for mechanism in prepared}) == 3
    result = lw.simulate(model, 0.01, coordinates="relative:tait_bryan")
    assert result.settings["coordinates"] == "relative:tait_bryan"
    assert "reference_point:tait_bryan coordinates: 6 positions" in str(prepared[2].coordinates)
