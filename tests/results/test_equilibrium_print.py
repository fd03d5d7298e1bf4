"""What is printed of the stiffness at rest stays short, what the table holds stays whole."""

import numpy as np
import pytest

import linkwork as lw


def chain(links: int) -> lw.Model:
    """Equal bars that hang below each other."""
    points = {f"P{i}": [0.0, -0.1 * i] for i in range(links + 1)}
    bodies = {f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1.0} for i in range(links)}
    names = ["ground", *bodies]
    joints = {f"P{i}": {"kind": "revolute", "bodies": [names[i], names[i + 1]]} for i in range(links)}
    return lw.Model(name="chain", space="planar", gravity=[0, -9.81], points=points, bodies=bodies, joints=joints)


def test_a_chain_prints_its_softest_directions() -> None:
    rest = lw.find_equilibrium(chain(9))
    assert len(rest.directions) == 9 and len(dict(rest.facts())["stiffness"].splitlines()) == 9
    lines = str(rest).splitlines()
    assert sum(" along " in line for line in lines) == 7
    assert f"3 stiffer ones up to {rest.directions[-1]}" in " ".join(str(rest).split())
    assert list(rest.curvatures) == sorted(rest.curvatures)


def test_a_line_of_neutral_positions_is_printed_in_short() -> None:
    balanced = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"wheel": {"points": ["O", "A"], "mass": 1, "com": "O", "inertia": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "wheel"]}},
    )
    found = lw.find_equilibria(balanced, tries=10)
    lines = str(found).splitlines()
    assert len(found) > 3 and len(lines) == 6 and len(found.table()) == len(found) + 1
    assert lines[-1].strip().startswith(f"{len(found) - 3} more are neutral")


def scissors() -> lw.Model:
    """Two crossed bars, one pinned to the ground, the other on a slide: they fold until they hang one on the other."""
    c, s = float(np.cos(0.3)), float(np.sin(0.3))
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "R": [2 * c, 0], "M": [c, s], "E": [2 * c, 2 * s], "F": [0, 2 * s]},
        bodies={
            "a": {"points": ["O", "M", "E"], "mass": 1, "com": "M", "inertia": 0.3},
            "b": {"points": ["R", "M", "F"], "mass": 1, "com": "M", "inertia": 0.3},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "R": {"kind": "point_on_line", "bodies": ["ground", "b"], "axis": [1, 0]},
            "M": {"kind": "revolute", "bodies": ["a", "b"]},
        },
    )


def test_a_fold_into_a_singular_position_is_not_called_stable() -> None:
    """One freedom as drawn; where the bars lie on each other they also turn together about O."""
    model = scissors()
    assert lw.analyse(model).mobility.free == 1
    rest = lw.find_equilibrium(model)
    assert rest["M.y"] == pytest.approx(-1.0)
    assert rest.singular and rest.stability != "stable"
    text = " ".join(str(rest).split())
    assert "position is singular, branching of the motion: 2 degrees of freedom here, 1 elsewhere; joints O, R" in text
    # half the angle between bars is a right one: drawn it is π/2 - 0.3
    assert abs(rest.moved["M.angle"]) == pytest.approx(np.pi + 0.6, abs=1e-6)
    assert "by -1.91067 m" in text  # -2 cos 0.3
    (found,) = [item for item in lw.find_equilibria(model, tries=1) if item["M.y"] < 0]
    assert found not in lw.find_equilibria(model, tries=1).stable


def test_a_regular_rest_says_how_far_it_is_from_the_start() -> None:
    model = scissors().with_(
        forces={"hold": {"kind": "spring", "between": ["b.R", "a.E"], "stiffness": 1e4, "free_length": 1.0}},
    )
    rest = lw.find_equilibrium(model)
    assert not rest.singular and rest.stability == "stable"
