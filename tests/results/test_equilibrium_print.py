"""What is printed of the stiffness at rest stays short, what the table holds stays whole."""

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
