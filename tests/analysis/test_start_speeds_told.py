"""Speeds at the start that do not agree: told with the digits that differ, and not where the digits given hide it."""

from __future__ import annotations

import re

import pytest

import linkwork as lw


def notes(*speeds: float) -> list[str]:
    """Of a slide and a crank of 1 m that turn as much: v = ω l at the drawn position."""
    text = """
space: planar
points: {O: [0, 0], A: [0, 0.3], B: [1, 0.3]}
bodies: {crank: {bar: [O, A], mass: 1}, rod: {bar: [A, B], mass: 1}, block: {points: [B], mass: 1}}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, block]}
  guide: {kind: prismatic, bodies: [ground, block], at: B, axis: [1, 0]}
"""
    # the rod is level and the crank upright: v_B = −0.3 ω
    initial = f"initial: {{O: {{speed: {speeds[0]!r}}}, guide: {{speed: {speeds[1]!r}}}}}"
    found = lw.simulate(lw.loads(text + initial), until=0.01).notes
    return [note for note in found if "does not agree" in note]


def test_values_that_agree_to_their_digits_are_not_told() -> None:
    assert notes(16.6667, -5.0) == []
    assert notes(10 / 3, -1.0) == []


@pytest.mark.parametrize(("speed", "given"), [(16.668, -5.0), (16.7, -5.0), (16.66666667, -5.001)])
def test_digits_go_as_far_as_the_values_differ(speed: float, given: float) -> None:
    told = notes(speed, given)
    assert told
    for note in told:
        asked, taken = re.findall(r"(-?[\d.]+) (?:rad|m)/s", note)
        assert asked != taken
