"""How near bodies come to each other, against formulas of simple motions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import linkwork as lw

GAP = 0.9  # of the two pivots


def two_arms(**bodies: dict) -> lw.Model:
    """An arm that turns about O, and a bar that stands at C."""
    arms = {"arm": {"bar": ["O", "A"], "mass": 1, "width": 0.1}, "post": {"bar": ["C", "D"], "mass": 1, "width": 0.06}}
    return lw.Model(
        name="arm and post",
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "C": [0, GAP], "D": [0.4, GAP]},
        bodies={name: {**arm, **bodies.get(name, {})} for name, arm in arms.items()},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "C": {"kind": "fixed", "bodies": ["ground", "post"]},
        },
    )


@cache
def turned(count: int = 25) -> lw.Result:
    return lw.solve_kinematics(two_arms(), {"O": np.linspace(0.0, np.pi, count)})


START = np.arctan2(GAP, 0.4) - np.arcsin(0.08 / np.hypot(0.4, GAP))  # the side of the arm reaches the end of the post
END = np.pi / 2 + np.arcsin(0.08 / GAP)  # and leaves it at its foot


def apart(angle: float) -> float:
    """Two segments that do not cross are nearest at one of their four ends."""
    arm, post = np.array([[0, 0], [np.cos(angle), np.sin(angle)]]), np.array([[0, GAP], [0.4, GAP]])
    distances = []
    for ends, (first, last) in ((arm, post), (post, arm)):
        way = last - first
        share = np.clip((ends - first) @ way / (way @ way), 0.0, 1.0)
        distances += list(np.linalg.norm(first + share[:, None] * way - ends, axis=1))
    return float(min(distances)) - 0.08


def test_contact_begins_and_ends_where_the_formula_says():
    found = lw.interference(turned())
    (pair,) = found.pairs
    assert pair.bodies == ("arm", "post")
    (contact,) = pair.contacts
    assert contact.start == pytest.approx(START, abs=1e-8)
    assert contact.end == pytest.approx(END, abs=1e-8)
    for t, distance in zip(turned().time, pair.distances, strict=True):
        if not START < t < END:
            assert distance == pytest.approx(apart(t), abs=1e-12)
    assert not found.clear and pair.least < -0.08 and contact.least == pair.least


def test_times_do_not_depend_on_the_samples():
    coarse, fine = (lw.interference(turned(count)).pairs[0] for count in (13, 49))
    for name in ("start", "end"):
        assert getattr(coarse.contacts[0], name) == pytest.approx(getattr(fine.contacts[0], name), abs=1e-6)
    assert coarse.least == pytest.approx(fine.least, abs=1e-7)


def test_a_minimum_between_samples_and_a_wanted_clearance():
    """Two samples far from it: a ball on an arm passes a fixed one."""
    model = lw.Model(
        name="passing",
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "P": [0, 1.5]},
        bodies={
            "arm": {
                "bar": ["O", "A"],
                "mass": 1,
                "shapes": {"ball": {"sphere": {"radius": 0.1}, "at": "A", "mass": 1}},
            },
            "stop": {"points": ["P"], "mass": 1, "width": 0.2},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "P": {"kind": "fixed", "bodies": ["ground", "stop"]},
        },
    )
    result = lw.solve_kinematics(model, {"O": np.linspace(0.2, 2.6, 16)})
    found = lw.interference(result, clearance="40 cm")
    pair = found["stop", "arm"]
    assert pair.least == pytest.approx(0.3, abs=1e-9)
    assert pair.at == pytest.approx(np.pi / 2, abs=1e-4)
    np.testing.assert_allclose(pair.places, [[0, 1.1], [0, 1.4]], atol=1e-4)
    # |A − P|² = 1 + 1.5² − 3 sin φ = 0.6²
    first = np.arcsin((1 + 1.5**2 - 0.36) / 3)
    (contact,) = pair.contacts
    assert contact.start == pytest.approx(first, abs=1e-8)
    assert contact.end == pytest.approx(np.pi - first, abs=1e-8)
    assert lw.interference(result).clear


def test_bodies_in_space():
    """A box swings past a ball; the distance is that of the ball from the turned box."""
    model = lw.Model(
        name="swing",
        space="spatial",
        points={"O": [0, 0, 0], "A": [1, 0, 0], "P": [0.2, 0.3, 0.8]},
        bodies={
            "arm": {"bar": ["O", "A"], "mass": 1, "section": [0.2, 0.1]},
            "ball": {"points": ["P"], "shapes": {"ball": {"sphere": {"radius": 0.05}, "at": "P", "mass": 1}}},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, -1, 0]},
            "P": {"kind": "fixed", "bodies": ["ground", "ball"]},
        },
    )
    result = lw.solve_kinematics(model, {"O": np.linspace(0.0, 2.0, 41)})
    pair = lw.interference(result, "arm").pairs[0]
    c, s = np.cos(result["O.angle"]), np.sin(result["O.angle"])
    local = np.column_stack([c * 0.2 + s * 0.8, np.full(41, 0.3), -s * 0.2 + c * 0.8])
    outside = local - np.clip(local, [0, -0.1, -0.05], [1, 0.1, 0.05])
    np.testing.assert_allclose(pair.distances, np.linalg.norm(outside, axis=1) - 0.05, atol=1e-12)


def test_between_samples_of_a_spatial_motion():
    model = lw.Model(
        name="top",
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.3, 0, 0.2]},
        bodies={"top": {"bar": ["O", "A"], "mass": 1, "radius": 0.05}},
        joints={"O": {"kind": "spherical", "bodies": ["ground", "top"]}},
    )
    from linkwork.results.courses import courses_of

    fine = lw.simulate(model, until=0.4, step=0.001, rtol=1e-11, atol=1e-13)
    coarse = lw.simulate(model, until=0.4, step=0.01, rtol=1e-11, atol=1e-13)
    found, wanted = courses_of(coarse, ["top"])["top"].at(fine.time), courses_of(fine, ["top"])["top"].samples()
    np.testing.assert_allclose(found.axes, wanted.axes, atol=1e-8)
    np.testing.assert_allclose(found.origin, wanted.origin, atol=1e-8)


def test_what_a_user_reads(tmp_path):
    found = lw.interference(turned())
    assert str(found).startswith("arm and post: 1 of 1 pairs of bodies do not stay apart\n")
    assert "at O.angle, rad" in str(found) and "1.07125 to 1.6598 rad" in str(found)
    assert "all pairs of bodies stay" not in str(found)
    near = replace(found, pairs=(replace(found.pairs[0], places=((3e-14, -2e-15), (0.6, 0.05))),))
    assert " (0, 0) and (0.6, 0.05)" in " ".join(str(near).split())
    lines = found.save(tmp_path / "gap.csv").read_text().splitlines()
    assert lines[0] == '"O.angle [rad]","arm - post [m]"' and len(lines) == 26
    with pytest.raises(lw.errors.ResultError, match="exists already"):
        found.save(tmp_path / "gap.csv", overwrite=False)
    found.plot(path=tmp_path / "gap.png")
    assert (tmp_path / "gap.png").stat().st_size > 1000


def test_a_stored_result_serves_as_well(tmp_path):
    stored = lw.load_result(turned().save(tmp_path / "run.nc"))
    assert lw.interference(stored).pairs[0].least == pytest.approx(lw.interference(turned()).pairs[0].least, abs=1e-12)


def test_pairs_that_are_asked_for():
    model = two_arms()
    tied = lw.Model(**{**{key: getattr(model, key) for key in type(model).model_fields}, "bodies": {
        **model.bodies, "cap": {"bar": ["A", "D"], "mass": 1}}, "joints": {
        **model.joints, "A": {"kind": "revolute", "bodies": ["arm", "cap"]}}})  # fmt: skip
    result = lw.solve_kinematics(tied, {"O": "0.1*t", "A": "t"}, until=0.1, times=[0.0, 0.05, 0.1])
    names = [pair.bodies for pair in lw.interference(result).pairs]
    assert sorted(names) == [("arm", "post"), ("post", "cap")]
    assert len(lw.interference(result, joined=True)) == 3
    assert [pair.bodies for pair in lw.interference(result, [("arm", "cap")]).pairs] == [("arm", "cap")]
    assert len(lw.interference(result, "cap")) == 1
    with pytest.raises(lw.errors.UnknownNameError, match="'arn' is no body"):
        lw.interference(result, ["arn"])
    with pytest.raises(lw.errors.RefusedError, match="without a joint"):
        lw.interference(result, ["arm", "cap"])
    with pytest.raises(lw.errors.RefusedError, match="two different bodies"):
        lw.interference(result, [("arm", "arm")])


def test_widths_that_cannot_be():
    with pytest.raises(lw.errors.ModelError, match="the width is -1; it must be positive"):
        two_arms(arm={"width": -1})
    with pytest.raises(lw.errors.ModelError, match="conflicts with radius"):
        two_arms(arm={"radius": 0.1})
    assert "width" in str(two_arms())


def test_a_result_of_an_older_file_does_not_know_its_room():
    drawing = replace(
        turned().drawing, bodies={name: replace(body, pieces=()) for name, body in turned().drawing.bodies.items()}
    )
    with pytest.raises(lw.errors.RefusedError, match="how much room 'arm' takes"):
        lw.interference(replace(turned(), drawing=drawing))
