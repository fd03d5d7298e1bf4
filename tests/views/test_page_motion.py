"""What moves on the page: rates of all bodies, smooth motion between samples, what the camera follows, sizes of symbols."""

import json
import shutil
import subprocess
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from test_scene import unpack

import linkwork as lw
from exact_results import four_bar_result
from linkwork.errors import UnknownNameError
from linkwork.results import ArraySource, Result
from linkwork.views.films import write_movie
from linkwork.views.sampled import sampled, slopes
from linkwork.views.scene import build_scene

NODE = shutil.which("node")


def travelling(distance: float) -> Result:
    """The four-bar on a cart that goes so far."""
    result = four_bar_result()
    way = distance * result.time / result.time[-1]
    held = result.source.evaluate(result.names())
    moved = {f"{body}.origin.x": held[f"{body}.origin.x"] + way for body in result.drawing.bodies}
    drawing = replace(result.drawing, ground={}, springs=())
    return replace(result, drawing=drawing, source=ArraySource(result.source.catalogue, held | moved))


def test_symbols_have_the_size_of_the_mechanism_not_of_its_way() -> None:
    near, far = (build_scene(travelling(way)) for way in (0.0, 500.0))
    assert far["size"] == pytest.approx(near["size"], rel=0.02)
    assert far["width"] == pytest.approx(near["width"], rel=0.02)
    assert far["bounds"][1][0] - far["bounds"][0][0] > 500


def test_a_long_way_is_followed_and_a_short_one_is_not() -> None:
    far = build_scene(travelling(500.0))
    assert far["targets"][far["followed"]]["label"] == "crank"
    assert build_scene(travelling(1.0))["followed"] is None


@pytest.mark.parametrize(
    ("name", "label"), [("rocker", "rocker"), ("coupler.P", "coupler.P"), ("P", "coupler.P"), ("B", "B")]
)
def test_bodies_joints_and_points_are_followed(name: str, label: str) -> None:
    scene = build_scene(four_bar_result(), follow=name)
    assert scene["targets"][scene["followed"]]["label"] == label


def test_what_is_not_there_is_not_followed(tmp_path) -> None:
    with pytest.raises(UnknownNameError, match=r"follow: there is no body, joint or point 'rockr'; .*rocker"):
        build_scene(four_bar_result(), follow="rockr")
    with pytest.raises(UnknownNameError, match="follow"):
        write_movie(four_bar_result(), tmp_path / "x.gif", follow="rockr")


def test_slopes_are_exact_for_parabolas_on_uneven_samples() -> None:
    t = np.array([0.0, 0.1, 0.4, 0.5, 1.1])
    np.testing.assert_allclose(slopes(t, (3 * t**2 - t)[:, None])[:, 0], 6 * t - 1, atol=1e-13)
    np.testing.assert_allclose(slopes(t[:2], t[:2, None]), [[1.0], [1.0]])
    assert slopes(t[:1], t[:1, None]).tolist() == [[0.0]]


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_rates_are_the_derivatives_of_what_places_bodies(space: str) -> None:
    """Differences of a finely sampled run, which the velocities of the result must meet."""
    model = lw.example("four_bar" if space == "planar" else "gyroscope")
    result = lw.simulate(model, until=0.1, step=2e-4)
    motion = sampled(result, np.arange(len(result)))
    for body in result.drawing.bodies:
        found = slopes(motion.time, motion.values[body])[1:-1]
        scale = np.max(np.abs(motion.rates[body])) or 1.0
        np.testing.assert_allclose(motion.rates[body][1:-1] / scale, found / scale, atol=2e-4)


def test_few_samples_of_a_page_have_the_rates_of_the_run() -> None:
    result = lw.simulate(lw.example("four_bar"), until=1.0, step=0.25)
    crank = next(body for body in build_scene(result)["bodies"] if body["name"] == "crank")
    rates = unpack(crank["rates"]).reshape(-1, 3)
    np.testing.assert_allclose(rates[:, 2], result["crank.speed"], rtol=1e-6)


def in_node(scene: dict, question: str, *others: str) -> list:
    """What the script of the motion answers, with *others* after it."""
    code = "\n".join((files("linkwork.views") / "assets" / name).read_text() for name in ("motion.js", *others))
    text = json.dumps({**scene, "palette": []})
    program = f"const document = {{getElementById: () => ({{textContent: {json.dumps(text)}}})}};\n{code}\n"
    program += f"console.log(JSON.stringify({question}))"
    done = subprocess.run([str(NODE), "-"], input=program, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def two_blocks(*speeds: str) -> lw.Model:
    """Two blocks of 1 kg on a rail with a spring between them, and their speeds at the start."""
    return lw.loads(f"""
linkwork: 1
name: two blocks
space: planar
points: {{A: [0, 0], B: [1, 0]}}
bodies:
  a: {{points: [A], mass: 1 kg}}
  b: {{points: [B], mass: 1 kg}}
joints:
  ra: {{kind: prismatic, bodies: [ground, a], at: A, axis: [1, 0]}}
  rb: {{kind: prismatic, bodies: [ground, b], at: B, axis: [1, 0]}}
forces:
  s: {{kind: spring, between: [a.A, b.B], stiffness: 100 N/m}}
initial: {{ra: {{speed: {speeds[0]}}}, rb: {{speed: {speeds[1]}}}}}
""")


def driven(step: float) -> Result:
    """A four-bar whose crank of 1 m turns once in a second from upright."""
    return lw.simulate(lw.example("driven_four_bar"), until=2.0, step=step)


@pytest.mark.skipif(NODE is None, reason="no node found")
def test_between_coarse_samples_bodies_move_smoothly() -> None:
    """Samples 0.63 rad apart: the pin of the crank is on its circle, where chords would leave it by 5 %."""
    times = np.linspace(0.03, 1.97, 41)
    question = f"{times.tolist()}.map((t) => pointAt({{body: 0, point: [1, 0]}}, locate(t)))"
    found = np.array(in_node(build_scene(driven(0.1)), question))
    np.testing.assert_allclose(found[:, 0], -np.sin(2 * np.pi * times), atol=4e-4)
    np.testing.assert_allclose(found[:, 1], np.cos(2 * np.pi * times), atol=4e-4)


@pytest.mark.skipif(NODE is None, reason="no node found")
def test_between_coarse_samples_in_space() -> None:
    """A disc that rolls, with few samples, and the same with many."""
    model, disc = lw.example("rolling_disc"), {"body": 0, "point": [0.1, 0.0, 0.0]}
    coarse, fine = (lw.simulate(model, until=1.0, step=step) for step in (0.05, 0.005))
    question = f"Array.from({{length: 201}}, (_, i) => pointAt({json.dumps(disc)}, locate(i * 0.005)))"
    few, many = (np.array(in_node(build_scene(result), question)) for result in (coarse, fine))
    assert np.max(np.abs(np.diff(few, axis=0))) > 1e-3
    np.testing.assert_allclose(few, many, atol=2e-3)


@pytest.mark.skipif(NODE is None, reason="no node found")
def test_traces_have_no_corners() -> None:
    """The path of a pin from 20 samples is a circle; a polygon would turn by 36 degrees at every corner."""
    scene = build_scene(driven(0.1), trace="A")
    path = np.array(in_node(scene, "pathOf(scene.tracks[scene.traced[0]]).map(({ p }) => p)"))
    np.testing.assert_allclose(np.hypot(*path[:, :2].T), 1.0, atol=6e-3)
    headings = np.unwrap(np.arctan2(*np.diff(path[:, :2], axis=0).T[::-1]))
    assert np.max(np.abs(np.diff(headings))) < np.radians(9)
    assert 60 < len(path) < 2000


@pytest.mark.skipif(NODE is None, reason="no node found")
@pytest.mark.parametrize("follow", [None, "frame", "rear_wheel"])
def test_what_is_followed_is_seen_whole_with_its_wheels(follow: str | None) -> None:
    """The rims of a bicycle stay on a stage of 996 by 676 pixels, below its buttons, from the start on."""
    result = lw.simulate(lw.example("bicycle"), until=3.0, step=0.05)
    scene = build_scene(result, follow=follow)
    places = """(() => {
      camera.resize(996, 676);
      if (scene.followed !== null) camera.follow(scene.targets[scene.followed]);
      return Array.from(time, (t) => {
        const at = locate(t);
        camera.aim(at);
        const seen = (body) => (point) => screen(pointAt({ body, point }, at)).slice(0, 2);
        return scene.wheels.map(({ body, rings }) => rings[0].map(seen(body)));
      });
    })()"""
    x, y = np.array(in_node(scene, places, "camera.js")).reshape(-1, 2).T
    assert scene["followed"] is not None
    assert np.min(x) > 0 and np.max(x) < 996 and np.min(y) > 50 and np.max(y) < 660
    assert np.ptp(x) > 300


@pytest.mark.skipif(NODE is None, reason="no node found")
def test_charts_show_rounding_as_a_level_line_and_small_changes_whole() -> None:
    """Values from low to high, and the smallest change that says anything."""
    cases = [(2.0, 2.0 + 4e-16, 2e-6), (-1e-17, 3e-17, 1e-9), (1e-7, 9e-7, 1e-12), (5e-8, 5.004e-8, 5e-14),
             (0.8691, 0.8691 + 2e-7, 8.7e-7), (3e7, 3e7 + 9, 1.0), (-40.0, 90.0, 1e-6)]  # fmt: skip
    question = f"""{[list(case) for case in cases]}.map((given) => {{
      const range = limits(...given), rows = ticks(...range, 6);
      return [range, rowTexts(rows, range)];
    }})"""
    found = in_node(build_scene(driven(0.1)), question, "chart.js")
    for (low, high, least), (shown, texts) in zip(cases, found, strict=True):
        height = (high - low) / (shown[1] - shown[0])
        assert shown[0] < low <= high < shown[1]
        assert height > 0.8 if high - low > least else height < 0.25
        assert len(set(texts)) == len(texts) >= 2
    assert "2" in found[0][1] and "0" in found[1][1]


def test_a_page_knows_what_changes_of_conserved_quantities_say() -> None:
    """A momentum that is zero is as accurate as those of the bodies; a joint without a load has errors of rounding."""
    result = lw.simulate(two_blocks("1 m/s", "-1 m/s"), until=1.0)
    entries = {entry["name"]: entry["least"] for entry in build_scene(result)["quantities"]}
    largest = np.max(np.abs(result["a.momentum.x"]))
    assert np.max(np.abs(result["momentum.x"])) < 1e-9
    np.testing.assert_allclose(entries["momentum.x"], 1e-6 * largest, rtol=1e-9)
    assert entries["a.momentum.x"] == entries["momentum.x"]
    assert 0 < entries["a.y"] <= 1e-9 * np.max(np.abs(result["b.x"])) * 1.001
