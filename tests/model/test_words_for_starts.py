"""What messages say of numbers that are missing, of starts, and of places: what would be right stands in them."""

from __future__ import annotations

import re

import pytest

import linkwork as lw

WHEEL = """
space: spatial
gravity: [0, 0, -9.81]
points: {E: [0, 0, 0], R: [0, 0, 0.3]}
bodies: {w: {points: [R], mass: 2, inertia: [0.1, 0.2, 0.1]}}
relations: {floor: {kind: rolling, centre: w.R, axis: [0, 1, 0], plane: ground.E, radius: 0.3 m}}
initial: {w: {velocity: [3, 0, 0]}}
"""
ROD = """
space: planar
points: {O: [0, 0], P: [0, 1]}
bodies: {rod: {bar: [O, P], mass: 1}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
"""


@pytest.mark.parametrize(
    ("text", "old", "new", "told"),
    [
        (WHEEL, ", radius: 0.3 m", "", r"floor\.radius: .*is missing\n    -> write radius: 25 mm"),
        (WHEEL, "velocity: [3, 0, 0]", "angle: 5 deg", r"initial\.w\.angle: .*\n    -> .*start: \{w: \{origin: "),
        (WHEEL, "velocity: [3, 0, 0]", "roll: 5 deg", r"initial\.w\.roll: .*\n    -> .*start: \{w: \{origin: "),
        (WHEEL, "[3, 0, 0]", "{x: 3}", r"initial\.w\.velocity: .*a mapping is not an initial value\n.*start: "),
        (ROD, "revolute", "planar", r"needs a model in space\n.*floats with its three freedoms"),
        (
            ROD,
            "[ground, rod]",
            "[ground, rod], at: [ground.O, rod.O]",
            r"no point 'ground\.O'.*\n.*write O, or \[O, O\]",
        ),
        (ROD, "[ground, rod]", "[ground, rod], at: rod.O", r"no point 'rod\.O'.*\n.*write O, or \[O, O\]"),
    ],
)
def test_a_fault_says_what_would_be_right(text: str, old: str, new: str, told: str) -> None:
    assert old in text
    with pytest.raises(lw.errors.ModelError) as caught:
        lw.loads(text.replace(old, new))
    assert re.search(told, str(caught.value)), caught.value


def test_what_is_proposed_for_the_start_of_a_body_works() -> None:
    turned = "start: {w: {origin: [0, 0, 0.3], rotation: {axis: [1, 0, 0], angle: 5 deg}}}"
    run = lw.simulate(lw.loads(WHEEL + turned), until=0.1)
    # a disc that leans by 5 degrees has its centre at r cos 5 deg, or its start is moved until it rests on the plane
    lean = run["w.R.z"][0] / 0.3
    assert 0.98 < lean <= 1.0


def test_a_particle_needs_any_inertia() -> None:
    """A bob on a string swings as a pendulum of its length, whatever inertia it has about its own point."""
    text = """
space: spatial
gravity: [0, 0, -9.81]
points: {O: [0, 0, 0], P: [0.6, 0, -0.8]}
bodies: {bob: {points: [P], mass: 1INERTIA}}
relations: {string: {kind: distance, between: [ground.O, bob.P]}}
"""
    with pytest.raises(lw.errors.ModelError, match=r"any inertia does: \[0\.001, 0\.001, 0\.001\]"):
        lw.simulate(lw.loads(text.replace("INERTIA", "")), until=1.0)
    runs = [
        lw.simulate(lw.loads(text.replace("INERTIA", f", inertia: [{i}, {i}, {i}]")), until=1.0, rtol=1e-10)
        for i in (0.001, 5.0)
    ]
    for name in ("bob.P.x", "bob.P.z"):
        assert runs[0][name] == pytest.approx(runs[1][name], abs=1e-8)
    speed = runs[0]["bob.P.vx"] ** 2 + runs[0]["bob.P.vz"] ** 2
    assert speed / 2 == pytest.approx(-9.81 * (runs[0]["bob.P.z"] + 0.8), abs=1e-7)


def test_times_that_fall_are_told_in_words() -> None:
    with pytest.raises(lw.errors.RefusedError, match="times must grow, but 2 s is followed by 1 s"):
        lw.simulate(lw.loads(ROD), times=[0, 2, 1])


def test_the_remedy_of_a_bob_in_the_plane_is_one_that_is_taken() -> None:
    text = """
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], P: [0.6, -0.8]}
bodies: {bob: {points: [P], mass: 1INERTIA}}
relations: {string: {kind: distance, between: [ground.O, bob.P]}}
"""
    with pytest.raises(lw.errors.ModelError, match=r"any inertia does: 0\.001$"):
        lw.simulate(lw.loads(text.replace("INERTIA", "")), until=1.0)
    assert lw.simulate(lw.loads(text.replace("INERTIA", ", inertia: 0.001")), until=0.1).outcome.completed
