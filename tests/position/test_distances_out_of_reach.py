"""Links of a distance that does not fit the sketch: what is open is told in metres, and what has no value is told so."""

from __future__ import annotations

import re

import numpy as np
import pytest

import linkwork as lw


def bars(length: object) -> lw.Model:
    """Two bars of half a metre, the end of the second one on a link to the ground that is drawn 0.7071 m long."""
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.5, 0], "B": [1.0, 0], "C": [0.5, -0.5]},
        bodies={"a": {"bar": ["O", "A"], "mass": 1}, "b": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
        },
        relations={"d": {"kind": "distance", "between": ["b.B", "ground.C"], "length": length}},
    )


@pytest.mark.parametrize("length", [5.0, 50.0, 500.0, 5e6])
def test_a_link_that_is_too_long_is_open_by_what_it_is_too_long(length: float) -> None:
    """B is at most √½ + 1 m from C with closed pins: all that is open together, pins by component, is at least the rest."""
    with pytest.raises(lw.errors.AssemblyError, match="still open: d by") as caught:
        lw.analyse(bars(length))
    gaps = {name: float(gap) for name, gap in re.findall(r"(\w+) by ([0-9.e+]+) m", str(caught.value))}
    together = gaps["d"] + np.sqrt(2) * sum(gap for name, gap in gaps.items() if name != "d")
    assert together > (length - np.sqrt(0.5) - 1) * (1 - 1e-3)
    assert gaps["d"] <= length
    assert length < 50 or gaps["d"] > 0.9 * length
    assert ("was a unit forgotten?" in str(caught.value)) == (length > 40)


@pytest.mark.parametrize("length", [1e-3, 1e-9])
def test_a_link_that_is_very_short_is_assembled(length: float) -> None:
    """B stands where C is, as it may: nothing is torn by 1e8 m."""
    found = lw.analyse(bars(length))
    gap = found.assembly.poses["b"].point(np.array([0.5, 0.0])) - [0.5, -0.5]
    assert np.hypot(*gap) == pytest.approx(length, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("length", ["0.5/t", "exp(1000*(1 + t))"])
def test_a_link_without_a_finite_length_is_told_so(length: str) -> None:
    with pytest.raises(lw.errors.AssemblyError, match="relation d has no finite value at t = 0 s") as caught:
        lw.analyse(bars(length))
    assert "308" not in str(caught.value)


def test_links_that_are_far_from_the_sketch_are_noted() -> None:
    told = "lengths that are far from the sketch, was a unit forgotten? d (500 m, drawn as about 0.707 m)"
    assert bars(500).remarks == (told,)
    assert not bars(0.9).remarks
    assert not bars("0.7 + 0.1*t").remarks
