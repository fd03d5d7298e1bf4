"""Rest by friction of contacts in the plane: blocks, ladders and journals by hand, alone and beside friction of joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")


def box(
    slope: float, *, mu: float = 0.5, size: tuple[float, float] = (0.4, 0.2), at: float = 0.0, **contact: Any
) -> lw.Model:
    """A box on a floor; gravity leans by arctan *slope*; a force F along the floor, *at* m above its middle."""
    a = np.arctan(slope)
    return lw.Model(
        space="planar",
        gravity=[G * np.sin(a), -G * np.cos(a)],
        parameters={"F": {"value": 0.0, "live": True}},
        bodies={
            "box": {
                "points": {"G": [0, 0], "P": [0, at]},
                "origin": [0, size[1] / 2],
                "shapes": {"hull": {"box": list(size), "mass": 2}},
            }
        },
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"landing": {"between": ["floor", "box"], "friction": mu, **contact}},
        forces={"pull": {"kind": "force", "at": "box.P", "value": ["F", 0]}},
    )


@pytest.mark.parametrize("coordinates", ALL_KINDS)
@pytest.mark.parametrize(("slope", "mu"), [(0.3, 0.5), (-0.2, 0.4), (0.0, 0.3), (0.49, 0.5)])
def test_a_box_on_a_slope(slope: float, mu: float, coordinates: str) -> None:
    """It needs the part |tan α|/μ of its friction, and stays for |F + W sin α| ≤ μ W cos α."""
    found = lw.measures.friction_at_rest(box(slope, mu=mu), coordinates=coordinates, along={"F": ("-40 N", "40 N")})
    assert found.usage == pytest.approx(abs(slope) / mu, abs=1e-12)
    across, down = 2 * G / np.hypot(1, slope), 2 * G * slope / np.hypot(1, slope)
    assert found.ranges == (pytest.approx((-down - mu * across, -down + mu * across), rel=1e-9),)
    pressed = sum(found[f"landing.corner_{i}.force"] for i in (1, 2))
    assert pressed == pytest.approx(across, rel=1e-12)
    rubbed = sum(found[f"landing.corner_{i}.friction.force"] for i in (1, 2))
    assert rubbed == pytest.approx(-down, abs=1e-12)
    assert not any("rubs" in note for note in found.notes)


def test_steeper_than_its_friction_it_slides() -> None:
    found = lw.measures.friction_at_rest(box(0.6, mu=0.5))
    assert found.usage == pytest.approx(1.2, rel=1e-12)
    assert not found.rests
    assert lw.measures.friction_at_rest(box(0.6, mu=0.5, static=0.7)).rests


def test_what_is_pulled_high_tips_before_it_slides() -> None:
    """A box of 0.2 m by 0.4 m, pulled at its top, tips at W b/2h = W/4, with friction left over."""
    found = lw.measures.friction_at_rest(box(0.0, mu=0.9, size=(0.2, 0.4), at=0.2), along={"F": ("-20 N", "20 N")})
    assert found.ranges == (pytest.approx((-2 * G / 4, 2 * G / 4), rel=1e-6),)
    assert found.usage == 0.0


def ladder(floor: float, wall: float, **more: Any) -> lw.Model:
    """A ladder of slope 2 between a floor and a wall."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [-1, 0], "B": [0, 2]},
        bodies={"ladder": {"bar": ["A", "B"], "mass": 20}},
        surfaces={
            "floor": {"plane": [0, 1]},
            "wall": {"plane": [-1, 0]},
            "foot": {"point": "A", "on": "ladder"},
            "head": {"point": "B", "on": "ladder"},
        },
        contacts={
            "below": {"between": ["floor", "foot"], **({"friction": floor} if floor else {})},
            "above": {"between": ["wall", "head"], **({"friction": wall} if wall else {})},
        },
        **more,
    )


@pytest.mark.parametrize("coordinates", ALL_KINDS)
def test_a_ladder_stands_as_one_of_joints(coordinates: str) -> None:
    """Both rub: μ s with tan α = 2 = (1 − μ²s²)/(2 μ s), √5 − 2. With a smooth wall: N tan α = W/2, 1/(2 tan α) = 1/4."""
    found = lw.measures.friction_at_rest(ladder(0.4, 0.4), coordinates=coordinates)
    assert found.usage * 0.4 == pytest.approx(np.sqrt(5) - 2, rel=1e-9)
    smooth = lw.measures.friction_at_rest(ladder(0.4, 0.0), coordinates=coordinates)
    assert smooth.usage * 0.4 == pytest.approx(0.25, rel=1e-12)
    assert [str(item.name) for item in smooth.holds] == ["below", "above"]


def test_without_friction_below_nothing_holds_it() -> None:
    found = lw.measures.friction_at_rest(ladder(0.0, 0.4))
    assert not found.rests


@pytest.mark.parametrize("turned", [0.0, np.pi / 4])
@pytest.mark.parametrize("angle", [0.0, 0.1, -0.25])
def test_a_shaft_that_does_not_turn_rests_beside_the_bottom_of_its_hole(angle: float, turned: float) -> None:
    """As far as the angle of friction: the part tan |ψ|/μ; what does not turn is held by the moment of a brake."""
    gap, hole, mu = 2e-3, 0.02, 0.3
    at = [gap * np.sin(angle + turned), -gap * np.cos(angle + turned)]
    brake = -1.5 * G * (hole - gap) * np.sin(angle)
    model = lw.Model(
        space="planar",
        gravity=[G * np.sin(turned), -G * np.cos(turned)],
        points={"O": [0, 0], "P": at},
        bodies={"pin": {"points": ["P"], "com": "P", "mass": 1.5, "inertia": 2e-4}},
        joints={
            "J": {
                "kind": "revolute",
                "bodies": ["ground", "pin"],
                "at": ["O", "P"],
                "clearance": {"gap": gap, "radius": hole, "friction": mu},
            }
        },
        forces={"brake": {"kind": "effort", "joint": "J", "freedom": "angle", "value": brake}},
    )
    found = lw.measures.friction_at_rest(model)
    assert found.usage == pytest.approx(abs(np.tan(angle)) / mu, abs=1e-9)


def test_beside_friction_of_joints() -> None:
    """The ladder whose foot is a joint on a line: the same, and so in all coordinates of it."""
    data = ladder(0.0, 0.4).to_dict()
    data["surfaces"] = {name: data["surfaces"][name] for name in ("wall", "head")}
    data["contacts"].pop("below")
    foot = {"kind": "point_on_line", "bodies": ["ground", "ladder"], "at": "A", "axis": [1, 0]}
    data["joints"] = {"below": {**foot, "friction": {"coefficient": 0.4}}}
    found = lw.measures.friction_at_rest(lw.Model(**data))
    assert found.usage * 0.4 == pytest.approx(np.sqrt(5) - 2, rel=1e-9)
    assert set(found.shares) == {"below", "above"}


def test_three_feet_on_a_line_are_refused() -> None:
    """What each of them carries is not unique, and so is what its friction may be."""
    model = lw.Model(
        space="planar",
        gravity=[1.0, -G],
        points={"A": [0, 0], "B": [1, 0], "C": [2, 0]},
        bodies={"table": {"points": ["A", "B", "C"], "com": "B", "mass": 2, "inertia": 1}},
        surfaces={
            "floor": {"plane": [0, 1]},
            **{name: {"point": p, "on": "table"} for name, p in zip(("a", "b", "c"), "ABC", strict=True)},
        },
        contacts={"legs": {"between": ["floor", "a", "b", "c"], "friction": 0.4, "ignore": [["a", "b", "c"]]}},
    )
    with pytest.raises(RefusedError, match=r"contact 'legs.*not unique"):
        lw.measures.friction_at_rest(model)
