"""A result as a film: the mechanism drawn frame by frame, without a display, and written as GIF or MP4.

GIF is written by Pillow, which comes with matplotlib; MP4 by ffmpeg, which the extra ``movies`` brings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.answer.files import refuse_existing, written_whole
from linkwork.answer.own_files import SOFTWARE
from linkwork.arrays import Array
from linkwork.errors import RefusedError, ResultError
from linkwork.extras import EXTRAS, bring
from linkwork.progress import working
from linkwork.results.result import Result
from linkwork.results.rising import rising
from linkwork.views.screen import LineOfSight, Screen

Progress = Callable[[float], object]
RATES = tuple(digit * 10.0**power for power in range(-3, 4) for digit in (1, 2, 5))
WATCHED, LENGTH = (1.0, 15.0), 6.0  # s: what is shown in real time, and how long other films are about
MOST = {".gif": 2_000, ".mp4": 20_000}  # frames; those of a GIF are in memory together
MANY = 400  # frames: more take a while
USUAL = (720, 540)  # pixels
COLOURS = 255  # of a GIF
QUICKEST = 50.0  # frames of a GIF in a second: players slow down what is quicker


def write_movie(
    result: Result,
    path: FilePath,
    *,
    fps: float = 25.0,
    speed: float | None = None,
    size: tuple[float, float] | None = None,
    view: LineOfSight | None = None,
    follow: str | None = None,
    trace: str | Sequence[str] | None = None,
    progress: Progress | None = None,
    overwrite: bool | None = None,
) -> Path:
    """Write the film of *result* to *path* (.gif, .mp4)."""
    target, result = Path(path), rising(result)
    write = _writer(target)
    refuse_existing(target, overwrite=overwrite)
    width, height = _size(size or USUAL)
    times, rate = frame_times(result, _rate(target, fps), speed, MOST[target.suffix.lower()])
    remark = f"{rate:g} × real time" if result.variable.is_time and rate != 1.0 else ""
    traced = [trace] if isinstance(trace, str) else trace or ()
    screen = Screen(result, times, (width, height), view=view, follow=follow, trace=traced, remark=remark)
    text = _announced(target, len(times), rate, real=result.variable.is_time)
    with written_whole(target, overwrite=overwrite) as part, working(text, progress) as done:
        write(part, screen, float(fps), done or (lambda fraction: None))
    return target


def frame_times(result: Result, fps: float, speed: float | None, most: int) -> tuple[Array, float]:
    """The times of the frames, and how much of the run passes in a second of film."""
    if len(result) < 2:
        found = "one sample" if len(result) else "no samples"
        raise ResultError(f"result '{result.name}' has {found}: nothing moves; plot_path() draws one position")
    first, last = float(result.time[0]), float(result.time[-1])
    rate = _usual_speed(last - first, real=result.variable.is_time) if speed is None else float(speed)
    if not (np.isfinite(rate) and rate > 0.0):
        raise RefusedError(
            f"speed = {speed}: how much of the run passes in a second of film, more than 0 (1: real time)"
        )
    count = int(np.floor((last - first) / rate * fps + 1e-9)) + 1
    if count > most:
        raise RefusedError(
            f"the film would have {count} frames, more than {most}: ask for a larger speed than {rate:g}, or fewer fps"
        )
    return np.minimum(first + np.arange(count) * rate / fps, last), rate


def _announced(target: Path, count: int, rate: float, *, real: bool) -> str:
    """What is said while a film is drawn: how many frames, and of many of them how there would be fewer."""
    shorter = f" (at speed {rate:g}; a larger speed makes it shorter)" if count > MANY and real else ""
    return f"drawing {count} frames of {target.name}{shorter}"


def _usual_speed(span: float, *, real: bool) -> float:
    """Real time where that can be watched, else a round speed with which the film takes about six seconds."""
    if not span > 0.0 or (real and WATCHED[0] <= span <= WATCHED[1]):
        return 1.0
    return min(RATES, key=lambda rate: abs(np.log(rate * LENGTH / span)))


def _rate(target: Path, fps: float) -> float:
    """Frames in a second, checked."""
    most = QUICKEST if target.suffix.lower() == ".gif" else 240.0
    if not 0.0 < fps <= most:
        raise RefusedError(f"fps = {fps}: frames in a second of '{target.name}', more than 0 and at most {most:g}")
    return float(fps)


def _size(size: Sequence[float]) -> tuple[int, int]:
    """Width and height in pixels, made even, as films have it."""
    sides = not isinstance(size, str | Real) and all(isinstance(side, Real) for side in size)
    if not sides or len(size) != 2 or not all(16 <= side <= 8192 for side in size):
        raise RefusedError(f"size = {size}: width and height of the film in pixels, such as (720, 540)")
    width, height = (2 * int(np.ceil(side / 2)) for side in size)
    return width, height


# -- files -----------------------------------------------------------------------------------------------------


def _writer(target: Path) -> Callable[[Path, Screen, float, Progress], None]:
    """Who writes files with this ending; what it needs is there."""
    match target.suffix.lower():
        case ".gif":
            return _write_gif
        case ".mp4":
            _ffmpeg()
            return _write_mp4
        case ".html" | ".htm":
            raise ResultError(f"a film is written as .gif or .mp4; animate('{target.name}') writes an animated page")
        case _:
            raise ResultError(f"cannot write a film as '{target.name}'; endings that work: .gif, .mp4")


def _ffmpeg() -> Any:
    try:
        found = bring("imageio_ffmpeg")
        found.get_ffmpeg_exe()
    except (RefusedError, RuntimeError):
        raise ResultError(f"{EXTRAS['imageio_ffmpeg'].missed}; .gif needs nothing more") from None
    return found


def _write_gif(part: Path, screen: Screen, fps: float, progress: Progress) -> None:
    """One palette for all frames; durations are hundredths of a second, which add up to the right time."""
    from PIL import Image

    count = len(screen)
    shown = np.hstack([screen.frame(i) for i in sorted({0, count // 2, count - 1})])
    palette = Image.fromarray(shown).quantize(COLOURS, kmeans=1)
    frames = []
    for i in range(count):
        frames.append(Image.fromarray(screen.frame(i)).quantize(palette=palette, dither=Image.Dither.NONE))
        progress((i + 1) / count)
    spans = [10 * int(span) for span in np.diff(np.round(np.arange(count + 1) * 100.0 / fps))]
    film = {"save_all": True, "append_images": frames[1:], "duration": spans, "loop": 0, "comment": SOFTWARE.encode()}
    frames[0].save(part, "GIF", **film)


def _write_mp4(part: Path, screen: Screen, fps: float, progress: Progress) -> None:
    mark = ["-metadata", f"comment={SOFTWARE}", "-movflags", "+faststart"]
    file = _ffmpeg().write_frames(str(part), screen.size, fps=fps, quality=7, macro_block_size=2, output_params=mark)
    file.send(None)
    try:
        for i in range(len(screen)):
            file.send(np.ascontiguousarray(screen.frame(i)))
            progress((i + 1) / len(screen))
    finally:
        file.close()
