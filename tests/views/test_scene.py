"""Scenes: poses, frames, tracks and quantities that reach the page."""

import base64
from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from exact_results import CONE, LENGTH, ROCKER, conical_pendulum_result, four_bar_result
from linkwork.errors import ResultError, UnknownNameError
from linkwork.results import ArraySource, EventRecord, Quantity, Result
from linkwork.results.run_modes import RunMode, RunModes
from linkwork.views.backdrop import body_poses, place
from linkwork.views.scene import EVENTS, build_scene, frame_indices


def unpack(text: str, kind: str = "<f4") -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype=kind)


def changed(result: Result, **arrays: np.ndarray) -> Result:
    held = result.source.evaluate(result.names())
    return replace(result, source=ArraySource(result.source.catalogue, held | arrays))


def test_planar_points_of_two_bodies_meet_at_their_joint() -> None:
    result = four_bar_result()
    on_coupler = place(body_poses(result, "coupler"), (2.5, 0.0))
    on_rocker = place(body_poses(result, "rocker"), (ROCKER, 0.0))
    np.testing.assert_allclose(on_coupler, on_rocker, atol=1e-14)
    np.testing.assert_allclose(on_rocker, np.column_stack([result["B.x"], result["B.y"]]), atol=1e-14)


def test_spatial_point_follows_the_quaternion() -> None:
    result = conical_pendulum_result()
    bob = place(body_poses(result, "rod"), (0.0, 0.0, -LENGTH))
    np.testing.assert_allclose(bob, np.column_stack([result[f"bob.{a}"] for a in "xyz"]), atol=1e-14)
    np.testing.assert_allclose(bob[:, 2], -LENGTH * np.cos(CONE), atol=1e-14)


def test_poses_have_no_jumps() -> None:
    result = four_bar_result()
    wrapped = changed(result, **{"crank.angle": np.angle(np.exp(1j * result["crank.angle"]))})
    np.testing.assert_allclose(body_poses(wrapped, "crank")[:, 2], result["crank.angle"], atol=1e-12)
    pendulum = conical_pendulum_result()
    signs = np.where(np.arange(len(pendulum)) % 3 == 1, -1.0, 1.0)
    flipped = changed(pendulum, **{f"rod.q{i}": signs * pendulum[f"rod.q{i}"] for i in range(4)})
    np.testing.assert_allclose(body_poses(flipped, "rod"), body_poses(pendulum, "rod"), atol=1e-15)


@pytest.mark.parametrize(("samples", "most", "count"), [(5, 10, 5), (5000, 1200, 1200), (7, 2, 2), (1, 1, 1)])
def test_frames_keep_both_ends(samples: int, most: int, count: int) -> None:
    kept = frame_indices(samples, most)
    assert len(np.unique(kept)) == count
    assert (kept[0], kept[-1]) == (0, samples - 1)


def test_long_run_is_thinned_and_says_so() -> None:
    scene = build_scene(four_bar_result(samples=3001), frames=301)
    np.testing.assert_allclose(unpack(scene["time"], "<f8"), np.linspace(0, 2, 301), atol=1e-15)
    assert scene["remarks"] == ["301 of 3001 samples are shown; the result file has all."]
    assert unpack(scene["bodies"][0]["poses"]).size == 3 * 301


def test_outputs_are_in_the_page_whatever_is_left_out() -> None:
    """Of a chain with more than 300 quantities, those that its author has written down come first."""
    count = 24
    model = lw.Model(
        space="planar",
        points={f"P{i}": [i, 0] for i in range(count + 1)},
        bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(count)},
        joints={
            f"P{i}": {"kind": "revolute", "bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"]}
            for i in range(count)
        },
        definitions={"way": "P1.x + 2"},
        outputs={"reach": f"P{count}.x - P0.x", "height": f"P{count}.y"},
    )
    scene = build_scene(lw.simulate(model, until=0.01, step=0.01))
    names = [entry["name"] for entry in scene["quantities"]]
    assert {"reach", "height", "way"} <= set(names)
    assert 300 < len(names) <= 303
    assert "choose with quantities=[...]" in scene["remarks"][0]


def test_small_changes_of_large_numbers_survive() -> None:
    result = four_bar_result()
    energy = next(q for q in build_scene(result)["quantities"] if q["name"] == "energy.total")
    np.testing.assert_allclose(
        energy["offset"] + unpack(energy["values"]).astype(float), result.energy, rtol=0, atol=1e-12
    )


def test_bounds_hold_every_point_of_every_frame() -> None:
    scene = build_scene(four_bar_result())
    np.testing.assert_allclose(scene["bounds"][1][0], 3.4)
    assert scene["bounds"][0][0] <= -1.0 and scene["bounds"][0][1] <= -1.0


def test_tracks_are_the_points_that_move() -> None:
    labels = [track["label"] for track in build_scene(four_bar_result())["tracks"]]
    assert labels == ["A", "B", "coupler.P", "crank.com", "coupler.com", "rocker.com"]


def test_traced_points_by_joint_body_or_point_name() -> None:
    result = four_bar_result()
    assert build_scene(result)["traced"] == [2]
    assert build_scene(result, trace=["B", "P", "rocker.com"])["traced"] == [1, 2, 5]
    with pytest.raises(UnknownNameError, match=r"'couplr\.P' to trace.*coupler\.P"):
        build_scene(result, trace="couplr.P")


def test_reactions_reach_the_joints() -> None:
    result = four_bar_result()
    scene = build_scene(result)
    loads = {load["name"]: load for load in scene["loads"] if load["kind"] == "reaction"}
    force = unpack(loads["B"]["force"]).reshape(-1, 2)
    np.testing.assert_allclose(force, result.reactions["B"].force, rtol=1e-6)
    assert scene["bodies"][loads["B"]["body"]]["name"] == "rocker" and loads["B"]["point"] == [ROCKER, 0.0]
    assert loads["B"]["moment"] is None and "O" not in loads
    assert loads["B"]["loose"] and not loads["A"]["loose"]


def test_chosen_quantities_only() -> None:
    scene = build_scene(four_bar_result(), quantities=["A.*"], plot="B.x")
    assert [q["name"] for q in scene["quantities"]] == ["B.x", "A.x", "A.y", "A.fx", "A.fy"]
    assert scene["plotted"] == [0]


def test_too_many_quantities_are_left_out_aloud() -> None:
    result = four_bar_result()
    extra = {f"x{i}": result.time for i in range(400)}
    catalogue = {**result.source.catalogue, **{name: Quantity(name, "m") for name in extra}}
    large = replace(result, source=ArraySource(catalogue, result.source.evaluate(result.names()) | extra))
    scene = build_scene(large, plot="x399")
    assert len(scene["quantities"]) == 301
    assert scene["quantities"][scene["plotted"][0]]["name"] == "x399"
    assert "120 quantities are left out" in scene["remarks"][0]


def test_nothing_to_draw_is_said() -> None:
    result = four_bar_result()
    with pytest.raises(ResultError, match="no samples"):
        build_scene(replace(result, time=np.empty(0)))
    lost = {
        name: np.full(len(result), np.nan) for body in result.drawing.bodies for name in result.drawing.pose_names(body)
    }
    bare = replace(changed(result, **lost), drawing=replace(result.drawing, ground={}, springs=()))
    with pytest.raises(ResultError, match="nothing to draw"):
        build_scene(bare)


def test_point_off_the_bar_is_tied_to_it() -> None:
    result = four_bar_result()
    coupler = result.drawing.bodies["coupler"]
    bar = replace(coupler, segments=(("A", "B"),))
    drawing = replace(result.drawing, bodies={**result.drawing.bodies, "coupler": bar})
    bodies = {body["name"]: body for body in build_scene(replace(result, drawing=drawing))["bodies"]}
    assert bodies["coupler"]["stays"] == [[2, 0], [2, 1]]
    assert bodies["crank"]["stays"] == []


def test_end_of_a_spring_is_not_traced_unasked() -> None:
    result = four_bar_result()
    rocker = replace(
        result.drawing.bodies["rocker"], points={**result.drawing.bodies["rocker"].points, "M": (1.0, 0.0)}
    )
    drawing = replace(result.drawing, bodies={**result.drawing.bodies, "rocker": rocker})
    scene = build_scene(replace(result, drawing=drawing))
    assert [scene["tracks"][i]["label"] for i in scene["traced"]] == ["coupler.P"]
    assert "rocker.M" in [track["label"] for track in scene["tracks"]]


def test_what_holds_when_and_what_events_tell_reach_the_page() -> None:
    rows = (RunMode(0.0, 0.5, ("rope",)), RunMode(0.5, 1.25, ("rope", "stop")), RunMode(1.25, 2.0, ("stop",)))
    events = (EventRecord("b", 1.25, {"impulse": 2.5}, units={"impulse": "N*s"}), EventRecord("a", 0.5))
    run = replace(four_bar_result(), modes=RunModes(rows, True, {"rope": "taut"}), events=events)
    scene = build_scene(run)
    assert [row["name"] for row in scene["holding"]] == ["rope (taut)", "stop"]
    assert [unpack(row["spans"], "<f8").tolist() for row in scene["holding"]] == [[0.0, 1.25], [0.5, 2.0]]
    assert [(e["name"], e["time"], e["text"]) for e in scene["events"]] == [
        ("a", 0.5, ""),
        ("b", 1.25, "impulse = 2.5 N*s"),
    ]
    assert scene["events_left_out"] == 0 and build_scene(four_bar_result())["holding"] == []


def test_of_thousands_of_events_a_page_says_how_many_it_leaves_out() -> None:
    events = tuple(EventRecord("hit", i / 5000) for i in range(5000))
    scene = build_scene(replace(four_bar_result(), events=events))
    assert len(scene["events"]) == EVENTS and scene["events_left_out"] == 5000 - EVENTS
    assert any(f"{5000 - EVENTS} more" in remark for remark in scene["remarks"])
