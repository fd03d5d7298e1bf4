"""Films: as many frames as the run lasts, the mechanism where its poses put it, and files that are replaced if ours."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from PIL import Image

import linkwork as lw
from linkwork.answer.own_files import is_own
from linkwork.errors import RefusedError, ResultError, UnknownNameError
from linkwork.results import Outcome, Status
from linkwork.views.films import frame_times
from linkwork.views.screen import Screen, round_down
from linkwork.views.still import poses_along
from linkwork.views.symbols import hatched

SMALL = (160, 120)


@pytest.fixture(scope="module")
def turn() -> lw.Result:
    """A crank-rocker whose crank turns once in two seconds."""
    return lw.solve_kinematics(mechanisms.four_bar(), {"O": "pi*t"}, until=2.0)


@pytest.fixture(scope="module")
def swing() -> lw.Result:
    return lw.simulate(linkages.spherical_four_bar(), 0.4)


def frames(path: Path) -> Iterator[tuple[np.ndarray, int]]:
    """Pixels and duration (ms) of every frame."""
    with Image.open(path) as film:
        for i in range(film.n_frames):
            film.seek(i)
            yield np.asarray(film.convert("RGB")), film.info["duration"]


def pictures(path: Path) -> list[np.ndarray]:
    return [pixels for pixels, _ in frames(path)]


def spans(path: Path) -> list[int]:
    return [span for _, span in frames(path)]


def test_a_film_has_the_frames_size_and_length_that_were_asked_for(turn: lw.Result, tmp_path: Path) -> None:
    path = turn.movie(tmp_path / "turn.gif", fps=10, size=SMALL)
    found = pictures(path)
    assert len(found) == 21 and found[0].shape == (120, 160, 3)
    assert sum(spans(path)) == 2100
    assert all(np.mean(a != b) > 0.005 for a, b in pairwise(found))
    # after one turn everything is where it was, but for the clock
    assert np.mean(found[0][:90] != found[-1][:90]) < 0.002 < np.mean(found[0][:90] != found[10][:90])


def test_durations_add_up_where_hundredths_do_not_fit(turn: lw.Result, tmp_path: Path) -> None:
    path = turn.movie(tmp_path / "turn.gif", fps=30, size=SMALL, speed=2.0)
    assert len(pictures(path)) == 31 and set(spans(path)) == {30, 40}
    assert sum(spans(path)) == pytest.approx(1000 * 31 / 30, abs=10)


@pytest.mark.parametrize(
    ("until", "speed", "count"), [(2.0, 1.0, 51), (2.0, 0.1, 501), (0.02, 0.005, 101), (0.3, 0.05, 151)]
)
def test_slow_motion_has_more_frames(until: float, speed: float, count: int) -> None:
    result = lw.solve_kinematics(mechanisms.four_bar(), {"O": "t"}, until=until)
    times, rate = frame_times(result, 25.0, speed, 2000)
    assert len(times) == count and rate == speed
    np.testing.assert_allclose(np.diff(times), speed / 25.0)


def test_real_time_where_it_can_be_watched_else_about_six_seconds() -> None:
    for until, usual in ((2.0, 1.0), (15.0, 1.0), (0.012, 0.002), (16.0, 2.0), (60.0, 10.0), (600.0, 100.0)):
        result = lw.solve_kinematics(mechanisms.four_bar(), {"O": "t/100"}, until=until, step=until / 10)
        times, rate = frame_times(result, 25.0, None, 2000)
        assert rate == pytest.approx(usual) and (len(times) - 1) / 25.0 <= 15.0
        if until <= 60.0:
            assert len(frame_times(result, 25.0, 1.0, 2000)[0]) == int(until * 25) + 1


@pytest.mark.parametrize(
    ("speed", "text"),
    [(1.0, "drawing 501 frames of slow.gif (at speed 1; a larger speed "), (10.0, "drawing 51 frames of slow.gif")],
)
def test_how_many_frames_are_drawn_is_said_before_the_first(
    speed: float, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from linkwork import progress

    class Stopped(Exception):
        pass

    def screened(*_: object, **__: object) -> None:
        told.extend(work.text for work in progress._works)
        raise Stopped

    told: list[str] = []
    monkeypatch.setattr(progress, "_looked_at", lambda: progress.Terminal)
    monkeypatch.setattr(Screen, "frame", screened)
    result = lw.solve_kinematics(mechanisms.four_bar(), {"O": "t/100"}, until=20.0, step=2.0)
    with pytest.raises(Stopped):
        result.movie(tmp_path / "slow.gif", size=SMALL, speed=speed)
    assert told[-1].startswith(text) and ("speed" in told[-1]) == (speed == 1.0)


def test_a_link_is_where_its_pose_puts_it(turn: lw.Result) -> None:
    """In the middle of the crank stands its colour, wherever it has turned to."""
    screen = Screen(turn, np.array([0.0, 0.5, 1.7]), (400, 300))
    for i, t in enumerate(screen.times):
        pixels = screen.frame(i).astype(int)
        middle = 0.5 * np.array([np.cos(np.pi * t), np.sin(np.pi * t)])
        x, y = screen.axis.transData.transform(middle)
        red, _, blue = pixels[300 - 1 - round(y), round(x)]
        assert blue > red + 60, "the crank is blue"


def test_between_samples_joints_stay_closed() -> None:
    coarse = lw.solve_kinematics(mechanisms.four_bar(), {"O": np.linspace(0.0, 6.0, 25)})
    found = poses_along(coarse, np.linspace(0.0, 6.0, 201))
    for k in range(201):
        ends = [
            found[body][k].point(np.array(coarse.drawing.bodies[body].points["B"])) for body in ("coupler", "rocker")
        ]
        np.testing.assert_allclose(*ends, atol=2e-5)


def test_positions_without_rates_are_joined_by_straight_ways() -> None:
    drag = lw.drag_point(mechanisms.four_bar(), "B", [(2.4, 1.9), (2.1, 1.9), (1.9, 1.9)])
    result = drag.result
    found = poses_along(result, np.array([0.0, 0.5, 1.0]) * result.time[1])["rocker"]
    np.testing.assert_allclose([pose.angle for pose in found[::2]], result["rocker.angle"][:2], atol=1e-12)
    assert found[1].angle == pytest.approx(np.mean(result["rocker.angle"][:2]))


def test_a_followed_body_stays_in_the_middle(turn: lw.Result) -> None:
    screen = Screen(turn, np.array([0.0, 0.7]), SMALL, follow="coupler")
    middles = []
    for i in range(2):
        screen.frame(i)
        middles.append([np.mean(screen.axis.get_xlim()), np.mean(screen.axis.get_ylim())])
    moved = [np.interp(0.7, turn.time, turn[f"coupler.{a}"]) - turn[f"coupler.{a}"][0] for a in "xy"]
    np.testing.assert_allclose(np.subtract(middles[1], middles[0]), moved, atol=1e-9)


def test_a_film_in_space_shows_another_side_from_elsewhere(swing: lw.Result) -> None:
    usual, top = (Screen(swing, swing.time[:1], SMALL, view=view).frame(0) for view in (None, "top"))
    assert np.mean(usual != top) > 0.02
    with pytest.raises(RefusedError, match=r"front, side, top, or elevation and azimuth"):
        Screen(swing, swing.time[:1], SMALL, view="bottom")


def test_traces_are_drawn_and_unknown_ones_refused(turn: lw.Result) -> None:
    plain, traced = (Screen(turn, turn.time[:1], SMALL, trace=names).frame(0) for names in ((), ("B",)))
    assert np.any(plain != traced)
    with pytest.raises(UnknownNameError, match="no point, joint or body"):
        Screen(turn, turn.time[:1], SMALL, trace=("Q",))


def test_a_run_that_stopped_says_so(turn: lw.Result) -> None:
    stopped = replace(turn, outcome=Outcome(Status.STOPPED_EARLY, "dead centre", 1.5))
    told = [text.get_text() for text in Screen(stopped, turn.time[:1], SMALL).figure.texts]
    assert any("stopped at t = 1.5 s" in " ".join(text.split()) for text in told)
    assert not any("stopped" in text.get_text() for text in Screen(turn, turn.time[:1], SMALL).figure.texts)


def test_progress_is_told(turn: lw.Result, tmp_path: Path) -> None:
    told: list[float] = []
    turn.movie(tmp_path / "turn.gif", fps=2, size=SMALL, progress=told.append)
    np.testing.assert_allclose(told, [0.2, 0.4, 0.6, 0.8, 1.0])


def test_an_own_film_is_replaced_and_a_foreign_one_kept(turn: lw.Result, tmp_path: Path) -> None:
    path = tmp_path / "turn.gif"
    for fps in (1, 2):
        turn.movie(path, fps=fps, size=SMALL)
    assert is_own(path) and len(pictures(path)) == 5
    with pytest.raises(ResultError, match="exists already"):
        turn.movie(path, fps=1, size=SMALL, overwrite=False)
    Image.new("RGB", SMALL).save(path)
    with pytest.raises(ResultError, match="was not written by Linkwork"):
        turn.movie(path, fps=1, size=SMALL)
    assert [entry.name for entry in tmp_path.iterdir()] == ["turn.gif"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("turn.avi", {}, r"'turn.avi'; endings that work: .gif, .mp4"),
        ("turn.html", {}, r"animate\('turn.html'\) writes an animated page"),
        ("turn.gif", {"fps": 60}, "fps = 60.*at most 50"),
        ("turn.gif", {"fps": 0}, "more than 0"),
        ("turn.gif", {"speed": -1}, "speed = -1.*more than 0"),
        ("turn.gif", {"speed": 1e-4}, "500001 frames"),
        ("turn.gif", {"size": (160,)}, r"in pixels, such as \(720, 540\)"),
        ("turn.gif", {"view": "top"}, "in the plane"),
        ("turn.gif", {"follow": "crnk"}, "did you mean 'crank'"),
    ],
)
def test_what_cannot_be_filmed_is_refused(
    turn: lw.Result, tmp_path: Path, name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(lw.LinkworkError, match=message):
        turn.movie(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_a_result_that_stands_is_no_film(tmp_path: Path) -> None:
    rest = lw.find_equilibrium(mechanisms.simple_pendulum())
    with pytest.raises(ResultError, match=r"one sample: nothing moves; plot_path\(\) draws"):
        rest.movie(tmp_path / "rest.gif")


def test_without_ffmpeg_the_extra_is_named(turn: lw.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ResultError, match=r'pip install "linkwork\[movies\]"; .gif needs nothing more'):
        turn.movie(tmp_path / "turn.mp4")


def test_mp4_frames_go_to_ffmpeg_as_they_are(turn: lw.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package: what it would be given, frame by frame."""
    sent: list[np.ndarray] = []
    asked: dict[str, Any] = {}

    def write_frames(path: str, size: tuple[int, int], **options: Any) -> Any:
        asked.update(options, size=size)
        while True:
            frame = yield
            sent.append(frame)

    stand_in = ModuleType("imageio_ffmpeg")
    stand_in.write_frames = write_frames  # type: ignore[attr-defined]
    stand_in.get_ffmpeg_exe = lambda: "ffmpeg"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", stand_in)
    turn.movie(tmp_path / "turn.mp4", fps=4, size=(161, 119))
    assert len(sent) == 9 and {frame.shape for frame in sent} == {(120, 162, 3)} and asked["size"] == (162, 120)
    assert all(frame.flags.c_contiguous and frame.dtype == np.uint8 for frame in sent)


def test_an_mp4_is_a_film_of_ours(turn: lw.Result, tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="pip install linkwork[movies]")
    path = turn.movie(tmp_path / "turn.mp4", fps=10, size=SMALL)
    turn.movie(path, fps=8, size=SMALL)
    assert is_own(path)
    count, seconds = ffmpeg.count_frames_and_secs(str(path))
    assert count == 17 and seconds == pytest.approx(17 / 8, abs=0.02)


def test_steps_of_scales_are_round() -> None:
    assert [round_down(x) for x in (0.13, 0.2, 4.9, 5.0, 99.0)] == pytest.approx([0.1, 0.2, 2.0, 5.0, 50.0])


def test_hatching_lies_on_the_right_hand_side() -> None:
    found = hatched(np.array([[0.0, 0.0], [2.0, 0.0]]), 0.3)
    assert np.nanmax(found[:, 1]) == 0.0 and np.nanmin(found[:, 1]) == pytest.approx(-0.3)
