"""The order of a file decides nothing: every mechanism with its parts shuffled starts and moves the same.

Independent references beside that: the start of least kinetic energy by Lagrange's multipliers, written out here.
"""

import random
from pathlib import Path

import numpy as np
import pytest
import yaml
from exploring import some

import linkwork as lw
from linkwork.position.inertia import body_inertia

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "src" / "linkwork" / "mechanisms").glob("*.yaml"))
SECTIONS = ("points", "bodies", "joints", "couplings", "relations", "drivers", "forces", "initial", "outputs")
# large, and those whose motion is sensitive enough that steps of another order of sums show: compared after a shorter time
SHORT = {"bicycle", "peaucellier", "eight_bar", "stewart_platform", "rolling_disc"}
ids = [path.stem for path in FILES]


def read(path: Path) -> dict:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    data.pop("linkwork")
    return data


def shuffled(data: dict, seed: int) -> dict:
    """The same parts in another order; seed 0 is the order backwards."""
    found = dict(data)
    for section in SECTIONS:
        if isinstance(data.get(section), dict):
            items = list(data[section].items())
            items.reverse() if seed == 0 else random.Random(seed).shuffle(items)
            found[section] = dict(items)
    return found


def differences(one, other) -> tuple[float, float]:
    """The largest differences of places and axes, and of velocities, of all bodies."""
    places = [
        np.abs(getattr(one.poses[name], part) - getattr(other.poses[name], part)).max(initial=0.0)
        for name in one.poses
        for part in ("origin", "axes")
    ]
    return max(places), max(np.abs(one.twists[name] - other.twists[name]).max(initial=0.0) for name in one.twists)


# test by test of one file, since what is made of its models is remembered
every_file = pytest.mark.parametrize("path", FILES, ids=ids, scope="module")
some_files = pytest.mark.parametrize("path", some(FILES, 14, "moves"), ids=lambda path: path.stem, scope="module")


@every_file
def test_a_shuffled_file_starts_the_same_with_the_same_plan(path):
    data = read(path)
    first = lw.analyse(lw.Model(**data))
    for seed in (0, 1, 2):
        other = lw.analyse(lw.Model(**shuffled(data, seed)))
        places, speeds = differences(first.assembly, other.assembly)
        assert places < 1e-12
        assert speeds < 1e-11
        assert first.assembly.kept == other.assembly.kept
        assert first.assembly.notes == other.assembly.notes
        assert (first.plan.inputs, first.plan.driven) == (other.plan.inputs, other.plan.driven)
        assert set(first.cut_joints) == set(other.cut_joints)
        assert [block.name for block in first.plan.blocks] == [block.name for block in other.plan.blocks]


@pytest.mark.matrix
@some_files
def test_a_shuffled_file_moves_the_same(path):
    data = read(path)
    seed = FILES.index(path) % 3
    until = 0.1 if path.stem in SHORT else 0.5
    runs = [lw.simulate(lw.Model(**item), until=until, step=until / 10) for item in (data, shuffled(data, seed))]
    assert all(run.outcome.completed for run in runs)
    names = [f"{body}.{axis}" for body in data["bodies"] for axis in ("xy" if data["space"] == "planar" else "xyz")]
    one, other = (run.values(names) for run in runs)
    for name in names:
        np.testing.assert_allclose(one[name], other[name], atol=1e-8 * max(1.0, np.abs(one[name]).max()))


def least_energy(model, given: dict[str, float]) -> dict[str, np.ndarray]:
    """min ½ẋᵀMẋ with Aẋ = b by Lagrange's multipliers: [M Aᵀ; A 0] [ẋ; λ] = [0; b], in the least-squares sense."""
    topology = lw.analyse(model)
    conditions, p, poses = topology.conditions, topology.geometry.defaults, topology.assembly.poses
    _, jacobian, _, rates = conditions.evaluate(poses, p)
    names = [f"{item.element}.{item.name}" for item in conditions.readings]
    gears = []
    for coupled in topology.geometry.couplings.values():
        terms = [
            (names.index(f"{t.joint}.{t.freedom}"), float(topology.geometry.number(t.factor))) for t in coupled.terms
        ]
        gears.append(sum(factor * rates[i] for i, factor in terms))
    rows = np.vstack([jacobian, *gears, *[rates[names.index(name)] for name in given]])
    right = np.concatenate([np.zeros(len(rows) - len(given)), list(given.values())])
    inertia = body_inertia(conditions, poses, p)
    n, m = len(inertia), len(rows)
    system = np.block([[inertia, rows.T], [rows, np.zeros((m, m))]])
    found = np.linalg.lstsq(system, np.concatenate([np.zeros(n), right]), rcond=1e-12)[0][:n]
    return conditions.twists(found)


def test_the_planetary_gear_starts_with_the_least_kinetic_energy():
    model = lw.load(ROOT / "src" / "linkwork" / "mechanisms" / "planetary_gear.yaml")
    topology = lw.analyse(model)
    wanted = least_energy(model, {"S.angle": 20 * np.pi})
    for name, twist in topology.assembly.twists.items():
        np.testing.assert_allclose(twist, wanted[name], atol=1e-9)
    told = lw.simulate(model, until=0.01).notes
    ring = topology.assembly.twists["ring"][2]
    assert any("least kinetic energy" in note and f"R.speed = {ring:.6g} rad/s" in note for note in told)


def test_a_struck_double_pendulum_kicks_back():
    """Of two equal rods in line, the first set in motion at ω: the free one turns with −3ω/2 + ... of Kelvin's theorem.

    T = ½ (4/3 m l² ω₁² + 1/3 m l² ω₂² + m l² ω₁ ω₂): ∂T/∂ω₂ = 0 gives ω₂ = −3/2 ω₁.
    """
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
        initial={"O": {"speed": 2.0}},
    )
    twists = lw.analyse(model).assembly.twists
    assert twists["upper"][2] == pytest.approx(2.0, abs=1e-13)
    assert twists["lower"][2] == pytest.approx(-3.0, abs=1e-12)


def test_bodies_without_mass_start_as_slowly_as_can_be():
    """A chain without mass behind a driven crank: no kinetic energy decides; the velocities are least in any order."""
    data = {
        "space": "planar",
        "points": {"O": [0, 0], "A": [1, 0], "B": [1, 1], "C": [2, 1]},
        "bodies": {"a": {"bar": ["O", "A"], "mass": 1}, "b": {"bar": ["A", "B"]}, "c": {"bar": ["B", "C"]}},
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
            "B": {"kind": "revolute", "bodies": ["b", "c"]},
        },
        "initial": {"O": {"speed": 1.0}},
    }
    data["bodies"]["b"]["mass"] = data["bodies"]["c"]["mass"] = 0
    found = [lw.analyse(lw.Model(**item)).assembly for item in (data, shuffled(data, 0), shuffled(data, 3))]
    for other in found[1:]:
        assert differences(found[0], other) == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_sketch_that_is_open_says_what_was_kept_and_what_moved(scale):
    data = {
        "space": "planar",
        "points": {
            "O": [0, 0],
            "A": [0.6 * scale, 0.8 * scale],
            "B": [2.9 * scale, 1.9 * scale],
            "C": [2.2 * scale, 0],
        },
        "bodies": {
            "crank": {"bar": ["O", "A"], "length": scale, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5 * scale, "mass": 2},
            "rocker": {"bar": ["C", "B"], "length": 2 * scale, "mass": 1.5},
        },
        "joints": {
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        },
    }
    topology = lw.analyse(lw.Model(**data))
    # of crank and rocker, both on the ground, the crank turns faster
    assert topology.assembly.kept == ("O.angle",)
    (note,) = topology.assembly.redrawn
    values = topology.conditions.evaluate(topology.assembly.poses, topology.geometry.defaults)[2]
    drawn = topology.conditions.evaluate(topology.geometry.sketch(), topology.geometry.defaults)[2]
    place = topology.conditions.index("C", "angle")
    assert f"C.angle by {np.degrees(values[place] - drawn[place]):.3g} deg" in note
    assert "kept as drawn: O.angle" in note
    assert note in " ".join(str(topology).split())
    # who asks for a value decides
    data["initial"] = {"C": {"speed": 1.0}}
    assert lw.analyse(lw.Model(**data)).assembly.kept == ("C.angle",)


def test_a_sketch_that_closes_has_nothing_to_say():
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        initial={"O": {"angle": 0.5, "speed": 1.0}},
    )
    assert lw.analyse(model).assembly.notes == ()
