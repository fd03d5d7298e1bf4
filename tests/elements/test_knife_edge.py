"""An edge that does not slip sideways: Chaplygin's sleigh, and a skate on an incline."""

from typing import ClassVar

import numpy as np
import pytest
from combinations import ROLLING
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.coordinates.numbering import number
from linkwork.equations import formulate
from linkwork.equations.formulations import Multipliers
from linkwork.equations.formulations.base import Abilities

TIGHT = {"until": 1.5, "step": 0.1, "rtol": 1e-11, "atol": 1e-13}
MASS, INERTIA, AHEAD = 2.0, 0.25, 0.3  # about the centre of mass, which is ahead of the edge
SPEED, TURN = 0.8, 1.2
FORMULATIONS = (
    *ROLLING,
    ("natural", "baumgarte"),
    ("relative", "augmented_lagrangian"),
    *((kind, name) for kind in ("relative", "natural") for name in ("r_method", "r_projection", "range_space")),
    ("natural", "stabilised_partitioning"),
    *((kind, name) for kind in ("relative", "natural") for name in ("canonical", "canonical_augmented")),
    *((kind, "canonical_independent") for kind in ("relative", "natural")),
)
BLADE = {"blade": {"kind": "knife_edge", "point": "sleigh.P", "along": [1, 0]}}


def sleigh(**changes: object) -> lw.Model:
    declared = {
        "space": "planar",
        "bodies": {"sleigh": {"points": {"P": [0, 0]}, "mass": MASS, "com": [AHEAD, 0], "inertia": INERTIA}},
        "relations": BLADE,
        "initial": {"sleigh": {"vx": SPEED, "speed": TURN}},
    }
    return lw.Model(**{**declared, **changes})


def sleigh_motion(t: np.ndarray) -> dict[str, np.ndarray]:
    """u̇ = a ω², J ω̇ = −m a u ω with J = I + m a²: u = U tanh τ, ω = W / cosh τ, τ = k t + τ₀, k = m a U / J.

    SOURCE: Chaplygin's sleigh; Neimark and Fufaev, Dynamics of Nonholonomic Systems; by hand from the balances.
    """
    j = INERTIA + MASS * AHEAD**2
    fastest, quickest = np.sqrt(SPEED**2 + j / MASS * TURN**2), np.sqrt(MASS / j * SPEED**2 + TURN**2)
    k, first = MASS * AHEAD * fastest / j, np.arctanh(SPEED / fastest)
    tau = k * t + first
    u, w = fastest * np.tanh(tau), quickest / np.cosh(tau)
    angle = quickest / k * 2 * (np.arctan(np.tanh(tau / 2)) - np.arctan(np.tanh(first / 2)))
    lateral = MASS * u * w * (1 - MASS * AHEAD**2 / j)
    return {"u": u, "w": w, "angle": angle, "lateral": lateral}


def sleigh_path(t: np.ndarray) -> np.ndarray:
    def rates(time: float, _: np.ndarray) -> list[float]:
        now = sleigh_motion(np.array(time))
        return [now["u"] * np.cos(now["angle"]), now["u"] * np.sin(now["angle"])]

    return solve_ivp(rates, (0, t[-1]), [0, 0], "DOP853", t, rtol=1e-12, atol=1e-14).y


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_the_sleigh_of_chaplygin(coordinates, formulation):
    result = lw.simulate(sleigh(), coordinates=coordinates, formulation=formulation, **TIGHT)
    exact = sleigh_motion(result.time)
    assert np.allclose(result["sleigh.angle"], exact["angle"], rtol=0, atol=1e-9)
    assert np.allclose(result["sleigh.speed"], exact["w"], rtol=0, atol=1e-9)
    assert np.allclose([result["P.x"], result["P.y"]], sleigh_path(result.time), rtol=0, atol=1e-9)
    assert np.allclose(result["blade.lateral"], exact["lateral"], rtol=0, atol=1e-7)
    # the force is across the edge and does no work
    angle = exact["angle"]
    assert np.allclose(result["blade.fx"], -exact["lateral"] * np.sin(angle), rtol=0, atol=1e-7)
    assert np.allclose(result["blade.fy"], exact["lateral"] * np.cos(angle), rtol=0, atol=1e-7)
    assert np.ptp(result["energy.total"]) < 1e-10


def test_the_sleigh_with_penalties_to_their_accuracy():
    result = lw.simulate(sleigh(), formulation="penalty", until=2.0, step=0.1, rtol=1e-9, atol=1e-11)
    assert np.allclose(result["sleigh.angle"], sleigh_motion(result.time)["angle"], rtol=0, atol=1e-5)


def test_freedoms_of_position_and_of_velocity():
    topology = lw.analyse(sleigh())
    mobility = topology.mobility
    assert (mobility.by_rank, mobility.nonholonomic, mobility.free, mobility.free_velocities) == (3, 1, 3, 2)
    assert "of velocity: 2 (1 nonholonomic constraint: on velocities alone)" in str(topology)
    coordinates = number(topology, "relative")
    assert (coordinates.holonomic, len(coordinates.rows)) == (0, 1)
    assert "relation blade: slip across the edge (velocity)" in str(coordinates)


def test_the_default_says_that_it_partitions():
    result = lw.simulate(sleigh(), until=0.1)
    assert "blade: nonholonomic constraints" in result.statistics["workings"]


@pytest.mark.parametrize("edge", [{"along": [1, 0, 0], "normal": [0, 0, 1]}, {"across": [0, 2, 0]}])
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_the_sleigh_on_a_plane_in_space(edge, formulation):
    model = lw.Model(
        space="spatial",
        points={"E": [0, 0, 0]},
        bodies={
            "sleigh": {
                "points": {"P": [0, 0, 0]},
                "mass": MASS,
                "com": [AHEAD, 0, 0],
                "inertia": [INERTIA, INERTIA, INERTIA],
            }
        },
        joints={"ice": {"kind": "planar", "bodies": ["ground", "sleigh"], "at": ["E", "P"], "axis": [0, 0, 1]}},
        relations={"blade": {"kind": "knife_edge", "point": "sleigh.P", **edge}},
        initial={"ice": {"position_x_rate": SPEED, "angle_rate": TURN}},
    )
    mobility = lw.analyse(model).mobility
    assert (mobility.by_rank, mobility.nonholonomic) == (3, 1)
    result = lw.simulate(model, formulation=formulation, **TIGHT)
    assert np.allclose([result["P.x"], result["P.y"]], sleigh_path(result.time), rtol=0, atol=1e-9)
    assert np.allclose(result["blade.lateral"], sleigh_motion(result.time)["lateral"], rtol=0, atol=1e-7)


@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_a_skate_on_an_incline_drifts_sideways(coordinates, formulation):
    """With its centre of mass at the edge it turns uniformly and does not go down for good:

    x = g/(2ω²) sin² ωt, y = g/(2ω²) (ωt − ½ sin 2ωt), g downhill along x. SOURCE: by hand from v̇ = g cos ωt.
    """
    g, w = 3.0, 1.5
    model = lw.Model(
        space="planar",
        gravity=[g, 0],
        bodies={"skate": {"points": {"P": [0, 0]}, "mass": 1.7, "inertia": 0.2}},
        relations={"blade": {"kind": "knife_edge", "point": "skate.P", "across": [0, 1]}},
        initial={"skate": {"speed": w}},
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    phase = w * result.time
    assert np.allclose(result["P.x"], g / (2 * w**2) * np.sin(phase) ** 2, rtol=0, atol=1e-9)
    assert np.allclose(result["P.y"], g / (2 * w**2) * (phase - np.sin(2 * phase) / 2), rtol=0, atol=1e-9)
    # m (v ω + g sin ωt) holds it
    assert np.allclose(result["blade.lateral"], 1.7 * 2 * g * np.sin(phase), rtol=0, atol=1e-7)


@pytest.mark.parametrize(("coordinates", "formulation"), ROLLING)
def test_a_skate_on_a_turntable_pushes_back(coordinates, formulation):
    """The angular momentum of table and skate about the axle is constant, and so is their energy."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={
            "table": {"points": {"O": [0, 0]}, "mass": 5, "inertia": 2.0},
            "skate": {"points": {"P": [0, 0]}, "origin": [0.6, 0.2], "mass": 1.0, "com": [0.05, 0], "inertia": 0.05},
        },
        joints={"O": {"kind": "revolute", "bodies": ["ground", "table"]}},
        relations={"blade": {"kind": "knife_edge", "point": "skate.P", "along": [1, 0], "on": "table"}},
        initial={"O": {"speed": 0.7}, "skate": {"vx": 0.4, "speed": 1.0}},
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    x, y, vx, vy = (result[f"skate.{name}"] for name in ("x", "y", "vx", "vy"))
    spin = 2.0 * result["table.speed"] + 0.05 * result["skate.speed"] + 1.0 * (x * vy - y * vx)
    assert np.ptp(spin) < 1e-9
    assert np.ptp(result["energy.total"]) < 1e-9
    assert np.ptp(result["table.speed"]) > 0.01
    # no slip at the edge
    angle, across = result["skate.angle"], result["P.vy"] - result["table.speed"] * result["P.x"]
    along = result["P.vx"] + result["table.speed"] * result["P.y"]
    assert np.max(np.abs(across * np.cos(angle) - along * np.sin(angle))) < 1e-9


@pytest.mark.parametrize("formulation", ["partitioning", "multipliers", "r_method", "r_projection", "range_space"])
def test_an_edge_along_its_own_rail_is_redundant(formulation):
    model = sleigh(
        gravity=[1.0, -1.0],
        points={"O": [0, 0]},
        joints={"rail": {"kind": "prismatic", "bodies": ["ground", "sleigh"], "at": ["O", "P"], "axis": [1, 0]}},
        initial={"rail": {"speed": SPEED}},
    )
    mobility = lw.analyse(model).mobility
    assert (mobility.by_rank, mobility.nonholonomic) == (1, 0)
    assert [str(label) for label in mobility.redundant] == ["relation blade: slip across the edge (velocity)"]
    for coordinates in ("relative", "natural", "reference_point"):
        result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
        assert np.allclose(result["P.x"], SPEED * result.time + result.time**2 / 2, rtol=0, atol=1e-9)
        assert np.max(np.abs(result["P.y"])) < 1e-13
        assert np.max(np.abs(result["closure"])) < 1e-12


def test_speeds_that_slip_are_projected_and_named():
    """Slip is vy - 0.3 m speed: both give way, by the same part of it."""
    result = lw.simulate(sleigh(initial={"sleigh": {"vx": 1, "vy": 1, "speed": 0}}), until=0.1)
    start = [result[f"sleigh.{name}"][0] for name in ("vx", "vy", "speed")]
    assert start == pytest.approx([1.0, 0.5, 0.5 / 0.3], abs=1e-12)
    for name in ("sleigh.vy", "sleigh.speed"):
        assert any(note.startswith(f"initial.{name} = ") for note in result.notes)


class Holonomic(Multipliers):
    name: ClassVar[str] = "holonomic"
    abilities: ClassVar[Abilities] = Abilities(rolling=False)


def test_a_formulation_that_cannot_hold_it_is_refused():
    coordinates = number(lw.analyse(sleigh()), "natural")
    with pytest.raises(
        lw.errors.RefusedError, match=r"'holonomic' cannot hold .*blade.*take 'partitioning' or 'multipliers'"
    ):
        formulate(coordinates, Holonomic())


@pytest.mark.parametrize(
    ("blade", "words"),
    [
        ({"along": None}, "along: is missing"),
        ({"across": [0, 1]}, "along: conflicts with across"),
        ({"along": [0, 0]}, "along: is zero"),
        ({"along": [1, 0, 0]}, "has 3 components"),
        ({"normal": [0, 1]}, "normal: belongs to space"),
        ({"on": "icee"}, "there is no body 'icee'"),
        ({"on": "sleigh"}, "on 'sleigh' too"),
        ({"point": "sleigh.Q"}, "Q"),
    ],
)
def test_faults_name_the_edge(blade, words):
    with pytest.raises(lw.errors.ModelError, match=r"relations\.blade") as error:
        sleigh(relations={"blade": {**BLADE["blade"], **blade}})
    assert words in str(error.value)
