"""Modes of runs: what holds of what comes and goes, as part of the state; impulses, contradictions, redundancy, groups."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.motion.holding import Holding
from linkwork.elements.contribution import Condition, Contribution, Place, Placement
from linkwork.elements.relations.base import Relation
from linkwork.formulations import VelocityTransformation
from linkwork.model.relations.base import RelationElement, Sketch

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")

pytestmark = pytest.mark.usefixtures("kinds_as_before")


def hung(at: tuple[float, float] = (0.6, 0.0), **further: object) -> lw.Model:
    """A load on a rope of 1 m."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": list(at), "O": [0, 0]},
        bodies={"load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        relations={"rope": {"kind": "rope", "between": ["ground.O", "load.A"], "length": 1}},
        **further,
    )


def below_a_cart(speed: str, **load: float) -> lw.Model:
    """A load that hangs on a rope of 1 m below a cart of 1 kg, which is driven up and down."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={
            "cart": {"points": ["O"], "com": "O", "mass": 1, "inertia": 0.1},
            "load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1},
        },
        joints={"rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [0, 1]}},
        drivers={"motor": {"joint": "rail", "speed": speed}},
        relations={"rope": {"kind": "rope", "between": ["cart.O", "load.A"], "length": 1}},
        initial={"load": load} if load else {},
    )


def names(result: lw.Result) -> list[str]:
    return [event.name for event in result.events]


# -- speeds that jump ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_rope_does_not_push_where_a_speed_jumps(kind: str) -> None:
    """The cart jumps to 2 m/s downwards: the load falls freely behind it."""
    result = lw.simulate(below_a_cart("-2*step(t - 0.1)"), times=[0, 0.1, 0.15, 0.2], coordinates=kind)
    assert names(result) == ["rope goes slack"]
    assert result["A.vy"] == pytest.approx([0, 0, -0.05 * G, -0.1 * G], abs=1e-9)
    assert result["rope.tension"] == pytest.approx([2 * G, 2 * G, 0, 0], abs=1e-9)
    assert result["O.vy"][-2:] == pytest.approx(-2.0, abs=1e-12)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_rope_pulls_where_a_speed_jumps_the_other_way(kind: str) -> None:
    """Upwards it takes the load with it at once, by an impulse m v."""
    result = lw.simulate(below_a_cart("2*step(t - 0.1)"), until=0.2, coordinates=kind)
    (taut,) = result.events
    assert (taut.name, taut.time) == ("rope goes taut", pytest.approx(0.1, abs=1e-12))
    assert taut.values["impulse"] == pytest.approx(4.0, rel=1e-12)
    late = result.time > 0.1
    assert result["A.vy"][late] == pytest.approx(2.0, abs=1e-9)
    assert result["rope.tension"] == pytest.approx(2 * G, rel=1e-9)
    assert [mode.holds for mode in result.modes] == [("rope",), ("rope",)]
    assert result.audit.passed, str(result.audit)


def test_a_load_that_flies_up_meets_the_cart_that_stops() -> None:
    """Both go up with 2 m/s, the cart stops, the load flies on and falls back into its rope: Λ = m √(v²) behind 2 v / g."""
    result = lw.simulate(below_a_cart("2 - 2*step(t - 0.1)", vy=2.0), until=0.6)
    assert names(result) == ["rope goes slack", "rope goes taut"]
    assert result.events[1].time == pytest.approx(0.1 + 4.0 / G, rel=1e-10)
    assert result.events[1].values["impulse"] == pytest.approx(4.0, rel=1e-9)
    assert result["A.y"][-1] == pytest.approx(-0.8, abs=1e-9)
    assert result.audit.passed, str(result.audit)


# -- contradictions ------------------------------------------------------------------------------------------------------


def pulled_away(speed: str = "1", at: float = 0.5) -> lw.Model:
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [at, 0]},
        bodies={"cart": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        joints={"rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "A", "axis": [1, 0]}},
        drivers={"motor": {"joint": "rail", "speed": speed}},
        relations={"rope": {"kind": "rope", "between": ["ground.O", "cart.A"], "length": 1}},
    )


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_driven_cart_that_meets_its_rope_ends_the_run(kind: str) -> None:
    result = lw.simulate(pulled_away(), until=1.0, coordinates=kind)
    assert not result.outcome.completed
    assert result.outcome.time == pytest.approx(0.5, abs=1e-9)
    assert "driver 'motor' and relation 'rope' contradict each other" in str(result.outcome)
    assert names(result) == []
    assert np.max(result["rope.distance"]) <= 1.0


def test_one_that_cannot_begin_is_refused() -> None:
    with pytest.raises(lw.errors.RefusedError, match="driver 'motor' and relation 'rope' contradict each other"):
        lw.simulate(pulled_away(at=1.0), until=1.0)


def test_one_that_stops_in_time_goes_on() -> None:
    """It comes to rest where the rope is just taut, and is driven back."""
    result = lw.simulate(pulled_away("pi/2*cos(pi*t)"), until=2.0)
    assert result.outcome.completed, str(result.outcome)
    assert np.max(result["rope.distance"]) <= 1.0 + 1e-9


# -- more than are needed ------------------------------------------------------------------------------------------------

CORNERS = ((0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5))


def plate(above: float = 0.0, velocity: tuple[float, float, float] = (0, 0, 0), kind: str = "rope") -> lw.Model:
    """A plate of 4 kg on four ropes of 1 m."""
    tops = {f"T{i}": [x, y, 1.0] for i, (x, y) in enumerate(CORNERS)}
    below = {f"B{i}": [x, y, above] for i, (x, y) in enumerate(CORNERS)}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points=tops | below | {"C": [0, 0, above]},
        bodies={"plate": {"points": [*below, "C"], "com": "C", "mass": 4, "inertia": [0.3, 0.3, 0.6]}},
        relations={f"r{i}": {"kind": kind, "between": [f"ground.T{i}", f"plate.B{i}"], "length": 1} for i in range(4)},
        initial={"plate": {"velocity": list(velocity)}},
    )


@pytest.mark.parametrize("kind", ["relative", "natural", "reference_point"])
def test_a_plate_on_four_ropes_is_as_open_as_on_four_rods(kind: str) -> None:
    result = lw.simulate(plate(), until=0.2, coordinates=kind)
    rods = lw.simulate(plate(kind="distance"), until=0.2, coordinates=kind)
    tensions = [f"r{i}.tension" for i in range(4)]
    assert names(result) == []
    assert result.modes[0].holds == ("r0", "r1", "r2", "r3")
    for name in tensions:
        assert result[name] == pytest.approx(G, rel=1e-9)
    assert result.undetermined(tensions) == frozenset(tensions)
    assert rods.undetermined(tensions) == frozenset(tensions)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_it_falls_into_them_and_swings_on_all(kind: str) -> None:
    """The impulse m v is shared, and what swings is a pendulum of 1 m whose tensions have a known sum."""
    fallen = lw.simulate(plate(0.1), until=0.4, coordinates=kind)
    assert [event.values["impulse"] for event in fallen.events] == pytest.approx([np.sqrt(0.2 * G)] * 4, rel=1e-9)
    swings = lw.simulate(plate(0.0, (1.0, 0.2, 0.0)), until=1.0, coordinates=kind)
    assert names(swings) == []
    assert swings.audit.passed, str(swings.audit)
    total = sum(swings[f"r{i}.tension"] for i in range(4))
    speed = sum(swings[f"C.v{axis}"] ** 2 for axis in "xyz")
    assert total == pytest.approx(4 * (speed + G * (1.0 - swings["C.z"])), rel=1e-7)


def test_equal_ropes_beside_each_other_share_the_load() -> None:
    model = hung().with_(relations={"other": {"kind": "rope", "between": ["ground.O", "load.A"], "length": 1}})
    result, single = lw.simulate(model, until=0.8), lw.simulate(hung(), until=0.8)
    assert names(result) == ["rope goes taut", "other goes taut"]
    assert result["rope.tension"] == pytest.approx(0.5 * single["rope.tension"], abs=1e-8)
    assert result["A.x"] == pytest.approx(single["A.x"], abs=1e-9)


# -- the mode as part of the state ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_run_that_goes_on_tells_only_what_changes(kind: str) -> None:
    whole, half = lw.simulate(hung(), until=1.0), lw.simulate(hung(), until=0.6)
    rest = lw.simulate(half, until=1.0, coordinates=kind)
    assert names(half) == ["rope goes taut"] and names(rest) == []
    assert [mode.holds for mode in rest.modes] == [("rope",)]
    assert rest["A.x"][-1] == pytest.approx(whole["A.x"][-1], abs=1e-8)


def test_modes_say_from_when_to_when_and_why(tmp_path: Path) -> None:
    result = lw.simulate(below_a_cart("2 - 2*step(t - 0.1)", vy=2.0), until=0.6)
    first, second, third = result.modes
    fall = 0.1 + 4.0 / G
    assert (first.start, first.end, first.holds, first.why) == (0.0, pytest.approx(0.1, abs=1e-12), ("rope",), "")
    assert (second.holds, second.why) == ((), "2 - 2*step(t - 0.1) jumps; rope goes slack")
    assert (third.start, third.end) == (pytest.approx(fall, rel=1e-9), pytest.approx(0.6, abs=1e-12))
    assert (third.holds, third.why) == (("rope",), "rope goes taut")
    assert "rope (taut) 2 times, for 0.1923 s of 0.6 s, also at the end" in str(result)
    assert result.modes.table()[0] == ("from [s]", "to [s]", "holds", "why")
    again = lw.load_result(result.save(tmp_path / "run.nc"))
    copied = pickle.loads(pickle.dumps(result))
    assert again.modes == result.modes and copied.modes == result.modes and result.detach().modes == result.modes
    assert result.identical(again)


def test_formulas_that_jump_are_modes_too() -> None:
    model = lw.Model(
        space="planar",
        points={"A": [0, 0]},
        bodies={"load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        forces={"push": {"kind": "force", "at": "load.A", "value": ["step(t - 0.5)", 0]}},
    )
    result = lw.simulate(model, until=1.0)
    assert [(mode.holds, mode.why) for mode in result.modes] == [((), ""), ((), "step(t - 0.5) jumps")]
    assert "modes" not in str(result)
    assert len(lw.simulate(model.with_(forces={"push": None}), until=1.0).modes) == 0


def test_events_are_in_the_order_of_time() -> None:
    result = lw.simulate(hung(), until=0.8, events={"low": "A.y + 0.9", "early": "A.y + 0.2"})
    assert [event.time for event in result.events] == sorted(event.time for event in result.events)
    assert names(result)[:2] == ["early", "rope goes taut"]


@pytest.mark.parametrize(("held", "told"), [(True, "rope acts the wrong way with"), (False, "rope is exceeded by")])
def test_the_audit_finds_what_a_wrong_decision_leaves(monkeypatch: pytest.MonkeyPatch, held: bool, told: str) -> None:
    """A rope that is never let go pushes, one that is never noticed is exceeded."""
    monkeypatch.setattr(Holding, "guards", property(lambda self: ca.SX(1.0)))
    model = hung((0.0, -1.0), initial={"load": {"vx": np.sqrt(3.5 * G)}}) if held else hung()
    result = lw.simulate(model, until=0.8)
    with pytest.warns(lw.errors.AuditWarning, match=told):
        assert result.audit.passed is False


# -- limits from outside -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BoxRelation(Relation):
    """A point between a floor and a roof; grip: on the floor it does not slide."""

    place: Place
    grip: bool
    kind = "box"

    @property
    def bodies(self) -> tuple[str, ...]:
        return "ground", self.place.body

    def contribute(self, at: Placement) -> Contribution:
        world = self.place.world(at.frames)
        floor = Condition("floor", world[1] + 1.0, "up", level="limit", group="below")
        roof = Condition("roof", 1.0 - world[1], "down", level="limit", words=("bumps", "drops"))
        slip = Condition("slip", at.velocity(self.place.body, world)[0], "along", level="velocity", group="below")
        return Contribution((floor, roof, slip) if self.grip else (floor, roof))


class Box(RelationElement):
    kind: Literal["box"] = "box"
    at: str
    grip: bool = False

    def relate(self, sketch: Sketch) -> BoxRelation:
        return BoxRelation(sketch.place(self.at), self.grip)


def boxed(*, grip: bool = False, **force: object) -> lw.Model:
    """A load that flies up with 6 m/s and sideways with 1 m/s."""
    lw.register(Box)
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, 0]},
        bodies={"load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        relations={"box": {"kind": "box", "at": "load.A", "grip": grip}},
        initial={"load": {"vx": 1, "vy": 6}},
        **force,
    )


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_two_limits_of_one_element_push_for_themselves(kind: str) -> None:
    result = lw.simulate(boxed(), until=2.0, coordinates=kind)
    up = (6.0 - np.sqrt(36.0 - 2 * G)) / G  # when it meets the roof
    down = up + np.sqrt(4.0 / G)
    assert names(result) == ["box.roof bumps", "box.roof drops", "box.below holds"]
    assert [event.time for event in result.events] == pytest.approx([up, up, down], rel=1e-9)
    assert result.events[0].values["impulse"] == pytest.approx(2.0 * (6.0 - G * up), rel=1e-9)
    assert result.events[2].values["impulse"] == pytest.approx(2.0 * np.sqrt(4.0 * G), rel=1e-9)
    assert (result["A.y"][-1], result["A.vx"][-1]) == pytest.approx((-1.0, 1.0), abs=1e-9)
    assert result["box.fy"][-1] == pytest.approx(2.0 * G, rel=1e-9)
    assert (result["box.up"][-1], result["box.down"][-1]) == pytest.approx((2.0 * G, 0.0), abs=1e-9)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_rows_of_one_group_hold_together(kind: str) -> None:
    """Where it grips it stops, and a force of 3 N along the floor is held; lifted by 40 N at 2 s it is free in both ways."""
    pull = {"pull": {"kind": "force", "at": "load.A", "value": [3, "40*step(t - 2)"]}}
    result = lw.simulate(boxed(grip=True, forces=pull), until=2.2, coordinates=kind)
    up = (6.0 - np.sqrt(36.0 - 2 * G)) / G
    down = up + np.sqrt(4.0 / G)
    assert names(result) == ["box.roof bumps", "box.roof drops", "box.below holds", "box.below lets go"]
    rests = (result.time > down) & (result.time <= 2.0)
    assert result["A.vx"][rests] == pytest.approx(0.0, abs=1e-12)
    assert result["A.x"][rests] == pytest.approx(down + 0.75 * down**2, rel=1e-9)
    assert result["box.along"][rests] == pytest.approx(-3.0, rel=1e-9)
    assert result["box.along"][~rests] == pytest.approx(0.0, abs=1e-12)
    assert result["A.vx"][-1] == pytest.approx(1.5 * 0.2, rel=1e-9)
    assert result["A.vy"][-1] == pytest.approx((20.0 - G) * 0.2, rel=1e-9)
    # the floor takes all of the motion: m (v² + w²) / 2
    speeds = 2.0 * ((6.0 - G * up) ** 2 + 4.0 * G + (1.0 + 1.5 * down) ** 2) / 2
    assert result["work.dissipated"][-1] == pytest.approx(speeds, rel=1e-8)
    assert result.audit.passed, str(result.audit)


def test_verbs_that_do_not_take_limits_say_so_of_any() -> None:
    """A load at rest stands on the floor of its box, and no other verb moves it through."""
    (held,) = lw.find_equilibrium(boxed()).holds
    assert (held.name, held.push) == ("box.below", pytest.approx(2.0 * G, rel=1e-9))
    for ask in (
        lambda: lw.find_limits(boxed()),
        lambda: lw.solve_kinematics(boxed(), {"load.x": "0.1*t", "load.y": "0"}, until=1),
        lambda: lw.inverse_dynamics(boxed(), {"load.x": "0.1*t", "load.y": "0.5"}, until=1),
    ):
        with pytest.raises(lw.errors.RefusedError, match="does not take relations that come and go yet: 'box'"):
            ask()


def test_two_limits_in_one_group_are_refused() -> None:
    class Both(BoxRelation):
        def contribute(self, at: Placement) -> Contribution:
            world = self.place.world(at.frames)
            return Contribution(
                tuple(
                    Condition(name, ca.SX(1 + sign * world[1]), level="limit", group="both")
                    for name, sign in (("floor", 1), ("roof", -1))
                )
            )

    class BothElement(Box):
        kind: Literal["both"] = "both"  # type: ignore[assignment]

        def relate(self, sketch: Sketch) -> Both:
            return Both(sketch.place(self.at), False)

    lw.register(BothElement)
    model = hung().with_(relations={"rope": None, "box": {"kind": "both", "at": "load.A"}})
    with pytest.raises(lw.errors.RefusedError, match="relation 'box': 'floor' and 'roof' are in one group, 'both'"):
        lw.simulate(model, until=1.0)


# -- formulations --------------------------------------------------------------------------------------------------------


def test_a_velocity_transformation_can_do_what_closes_it_can() -> None:
    assert VelocityTransformation(closed_by="penalty").able.rolling == lw.formulations.Penalty().able.rolling
    assert VelocityTransformation().able.limits
