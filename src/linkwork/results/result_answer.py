"""Answers that have a result, such as inverse dynamics and equilibria, and the motion of what is a result or has one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.algebra.given import FilePath
from linkwork.answer import Answer, Column
from linkwork.errors import RefusedError
from linkwork.results.result import Result

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure


class ResultAnswer(Answer):
    """An answer whose numbers are those of a result: its table, its files, its plots and its animation."""

    view = "plots.plot_quantities"
    endings = Result.endings
    result: Result

    def columns(self) -> Sequence[Column]:
        return self.result.columns()

    def pick(self, names: Sequence[str]) -> Sequence[Column]:
        return self.result.pick(self.select(names))

    def select(self, names: Sequence[str]) -> list[str]:
        return self.result.select(names)

    def write(self, path: Path, overwrite: bool | None) -> Path:
        return self.result.write(path, overwrite)

    def to_xarray(self, names: Sequence[str] | None = None) -> xarray.Dataset:
        """Quantities (names or patterns, all by default) as an xarray Dataset over time, with units."""
        return self.result.to_xarray(names)

    def animate(self, path: FilePath, **options: Any) -> Path:
        """Write the mechanism as one self-contained HTML page; options as for `Result.animate`."""
        return self.result.animate(path, **options)

    def movie(self, path: FilePath, **options: Any) -> Path:
        """Write the moving mechanism as a film, .gif or .mp4; options as for `Result.movie`."""
        return self.result.movie(path, **options)

    def plot_path(self, *points: str, **options: Any) -> Figure:
        """Draw the paths of points with the mechanism at a time; options as for `Result.plot_path`."""
        return self.result.plot_path(*points, **options)


def motion_of(given: object) -> Result:
    """The motion that is asked about: a result, or that of an answer such as inverse dynamics."""
    if isinstance(given, ResultAnswer):
        return given.result
    if not isinstance(given, Result):
        raise RefusedError(
            f"a {type(given).__name__} is no motion: give a result, of simulate or solve_kinematics, or an answer with one, "
            "such as that of inverse_dynamics"
        )
    return given
