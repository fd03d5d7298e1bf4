"""The mechanisms that come with Linkwork: each closes as sketched, has its freedoms, and keeps its energy."""

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

ROOT = Path(__file__).parent.parent
LIBRARY = ROOT / "src" / "linkwork" / "mechanisms"
FILES = sorted(LIBRARY.glob("*.yaml"))
# freedoms by rank and by count, where they are not 1 and 1
FREEDOMS = {
    "bricard": (1, 0),
    "bicycle": (7, 7),
    "clam_shell": (0, 0),
    "door": (1, -4),
    "double_pendulum": (2, 2),
    "five_link_pendulum": (5, 5),
    "governor": (1, -5),
    "gyroscope": (3, 3),
    "planetary_gear": (2, 0),
    "puma_560": (6, 6),
    "rolling_disc": (5, 5),
    "rggr": (2, 2),
    "sarrus": (1, 0),
    "seven_axis_arm": (7, 7),
    "spherical_four_bar": (1, -2),
    "steam_engine": (2, -4),
    "stewart_platform": (0, 0),
}
# struts that push, motors, a winch, a road, a damper and a ground that turns do work
POWERED = {
    "cam_follower",
    "clam_shell",
    "door",
    "double_wishbone",
    "driven_four_bar",
    "geneva",
    "governor",
    "seven_axis_arm",
    "spatial_four_bar",
    "steam_engine",
    "stewart_platform",
}


def test_mechanisms_are_loaded_by_their_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    known = lw.example()
    assert len(known) > 40 and list(known) == [path.stem for path in FILES]
    assert lw.example("stewart_platform") == lw.load(LIBRARY / "stewart_platform.yaml")
    assert known["pendulum"] == "A pendulum: one bar on a pin, released from the horizontal"
    assert all(20 < len(text) < 250 for text in known.values())
    with pytest.raises(lw.errors.UnknownNameError, match="did you mean 'stewart_platform'"):
        lw.example("stewart_plattform")
    with pytest.raises(lw.errors.UnknownNameError):
        lw.example("../mechanisms/pendulum")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_mechanism_is_drawn_as_it_is_assembled(path):
    model = lw.load(path)
    assert model.name == path.stem
    topology = lw.analyse(model)
    assert (topology.freedoms, topology.mobility.by_count) == FREEDOMS.get(path.stem, (1, 1))
    assert topology.assembly.moved < 0.01, "the sketch shows another position"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_mechanism_stays_closed_and_keeps_its_energy(path):
    run = lw.simulate(lw.load(path), until=1.0, step=0.01, formulation="partitioning", rtol=1e-11, atol=1e-13)
    assert run.outcome.completed
    assert run.closure_error.max() < 1e-13
    most, change = run["energy.kinetic"].max(), np.ptp(run.energy)
    assert most > 0.5
    if path.stem in POWERED:
        assert change > 0.1
        assert np.abs(run["energy.balance"]).max() < 2e-9 * most
    else:
        assert change < 2e-9 * most


def test_the_falling_four_bar_follows_its_reference():
    """SOURCE: benchmarks/four_bar_reference.txt, the equation derived by hand, 30 digits."""
    reference = np.loadtxt(ROOT / "benchmarks" / "four_bar_reference.txt")
    run = lw.simulate(lw.load(LIBRARY / "four_bar.yaml"), times=np.arange(101) / 10, rtol=1e-12, atol=1e-14)
    assert np.abs(run["crank.angle"] - reference).max() < 2e-9


def test_peaucellier_draws_a_straight_line():
    run = lw.simulate(lw.load(LIBRARY / "peaucellier.yaml"), until=2.0)
    assert np.ptp(run["Q.x"]) > 0.6
    assert np.abs(run["Q.y"] + (1 - 0.4**2) / (2 * 0.4)).max() < 1e-12


def test_points_of_the_spherical_four_bar_keep_their_distance_from_the_centre():
    run = lw.simulate(lw.load(LIBRARY / "spherical_four_bar.yaml"), until=1.0)
    for name in "BC":
        distance = np.sqrt(sum(run[f"{name}.{axis}"] ** 2 for axis in "xyz"))
        assert np.ptp(distance) < 1e-12
