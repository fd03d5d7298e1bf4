"""The result of a run: quantities by name, and what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.algebra.given import FilePath, Scalar
from linkwork.answer import Answer, Column, Grid, Units
from linkwork.answer.column import matching, select
from linkwork.arguments import verb
from linkwork.errors import AuditWarning, UnknownNameError, did_you_mean, warn_user
from linkwork.results.accuracy import Accuracy
from linkwork.results.audit import NOT_ASKED, Audit, KeptAudit
from linkwork.results.drawing import Drawing
from linkwork.results.loads import PeakLoads
from linkwork.results.multipliers import MultiplierTable
from linkwork.results.outcome import EventRecord, Outcome, Status, refuse_without_samples
from linkwork.results.quantities import (
    NOT_UNIQUE,
    TIME,
    Array,
    ArraySource,
    LiveValue,
    Quantity,
    QuantitySource,
    Variable,
    read_only,
)
from linkwork.results.reactions import Reactions
from linkwork.results.run_modes import RunModes
from linkwork.results.store import identical, save_result
from linkwork.results.summary import many, summarise
from linkwork.results.tables import to_xarray
from linkwork.shown import drawn, markup, page
from linkwork.uncollected import uncollected

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Result(Answer):
    """What a run gave: ``result["B.x"]`` is an array over ``result.time``.

    Quantities are evaluated when they are first asked for, and kept; the arrays are read-only.
    """

    view = "plots.plot"
    endings = (".nc", ".csv", ".json")

    name: str
    time: Array  # (N,), s
    source: QuantitySource
    drawing: Drawing
    outcome: Outcome = field(default_factory=Outcome)
    model_text: str = ""  # the model as YAML
    # times of the accepted steps, s; thinned out beyond a million
    steps: Array = field(default_factory=lambda: np.empty(0))
    events: tuple[EventRecord, ...] = ()
    modes: RunModes = field(default_factory=RunModes)  # which conditions held, of those that come and go
    freedoms: tuple[str, ...] = ()  # quantities that are its degrees of freedom, free or driven
    settings: Mapping[str, str] = field(default_factory=dict)
    statistics: Mapping[str, float | int | str] = field(default_factory=dict)
    noted: tuple[str, ...] | Callable[[], tuple[str, ...]] = field(
        default=(), repr=False
    )  # the notes, or what makes them
    accuracy: Accuracy | None = None  # what was reached, where an accuracy was asked for
    auditor: Callable[[], Audit] | None = field(default=None, repr=False)  # None: nobody asked for an audit
    variable: Variable = TIME  # what ``time`` is: of sweeps the coordinate that was moved, or the number of the sample
    _cache: dict[str, Array] = field(default_factory=dict, init=False, repr=False)
    _audits: list[Audit] = field(default_factory=list, init=False, repr=False)

    # -- quantities by name ------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Array:
        refuse_without_samples(self.name, len(self), self.outcome)
        return self.values([name])[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._entry(name) in self.source.catalogue

    def __len__(self) -> int:
        return len(self.time)

    def names(self, pattern: str = "*") -> list[str]:
        """Names of quantities that match a pattern such as ``B.*``."""
        return matching(self.drawing.named(pattern), self.source.catalogue)

    def select(self, names: Sequence[str]) -> list[str]:
        """Names from exact names and patterns; an unknown one is an error that names the nearest."""
        wanted = [self._entry(name) for name in ([names] if isinstance(names, str) else names)]
        pin = next((told for name in wanted if not self.names(name) and (told := self.drawing.told_of_pin(name))), "")
        if pin:
            raise UnknownNameError(pin)
        return select(wanted, list(self.source.catalogue), source=f"result '{self.name}'")

    def quantity(self, name: str) -> Quantity:
        """Unit and description of a quantity."""
        known = self._entry(name)
        if known not in self.source.catalogue:
            pin = self.drawing.told_of_pin(name)
            hint = pin or did_you_mean(name, list(self.source.catalogue), "quantity")
            raise UnknownNameError(f"result '{self.name}' has no quantity '{name}'; {hint}")
        return self.source.catalogue[known]

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """Those of the names that are components of reactions which redundant constraints leave open."""
        return self.source.undetermined(names)

    def _entry(self, name: str) -> str:
        """The name in the catalogue."""
        return self.drawing.called.known(name, self.source.catalogue)

    def values(self, names: Sequence[str]) -> dict[str, Array]:
        """Several quantities, each (N,), evaluated together."""
        known = {name: self.quantity(name).name for name in names}
        missing = [name for name in dict.fromkeys(known.values()) if name not in self._cache]
        self._look()
        if missing:
            for name, array in self.source.evaluate(missing).items():
                self._cache[name] = read_only(array)
        return {name: self._cache[known[name]] for name in names}

    @property
    def parameters(self) -> dict[str, LiveValue]:
        """Values of live parameters that the run was made with, in SI; (N,) of those that were changed on the way."""
        return dict(self.source.parameters)

    @property
    def energy(self) -> Array:
        """Total mechanical energy (N,), J."""
        return self["energy.total"]

    @property
    def closure_error(self) -> Array:
        """Largest opening of any loop (N,), m."""
        return self["closure"]

    @property
    def reactions(self) -> Reactions:
        """Reactions by element: on the child by the parent, at the joint, world axes.

        ``reactions(axes="child", on="parent", scheme="projection")`` gives them otherwise; printed, they are a table.
        """
        return Reactions(self)

    @verb
    def peak_loads(self, units: Units | None = None) -> PeakLoads:
        """The largest force and moment of every joint and relation, and when; *units*: ``{"force": "kN"}``."""
        return self.reactions.peaks(units)

    @property
    def multipliers(self) -> MultiplierTable:
        """Multipliers of all conditions between the coordinates, each with the force or couple that it stands for.

        ``multipliers(scheme="constraint_variation")`` gives them by virtual power; printed, they are a table.
        """
        refuse_without_samples(self.name, len(self), self.outcome)
        return MultiplierTable(self)

    # -- what happened -----------------------------------------------------------------------------------------

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What has to be known of the run, a line each; found at the first look at them."""
        return self.noted if isinstance(self.noted, tuple) else tuple(self.noted())

    @property
    def audit(self) -> Audit:
        """What the run says about itself: energy against works, closure, speeds, branches. Made at the first look at it.

        What fails is an `AuditWarning`, once, and stands in the printed result.
        """
        self._look()
        return self._audits[0]

    def _look(self) -> None:
        """Who looks at a result for the first time is told what is wrong with it."""
        if self._audits:
            return
        self._audits.append(self.auditor() if self.auditor is not None else NOT_ASKED)
        if self._audits[0].passed is False:
            told = "\n".join(["the result fails its audit:", *(f"  {text}" for text in self._audits[0].findings)])
            warn_user(f"{self.name}: {told}", AuditWarning)

    @property
    def status(self) -> Status:
        """How the run ended; `outcome` has the reason."""
        return self.outcome.status

    @property
    def title(self) -> str:
        return f"Result '{self.name}': {self.outcome.short}"

    @property
    def brief(self) -> str:
        return f"Result '{self.name}': {self.outcome}, {many(len(self), 'samples')}"

    @uncollected()
    def facts(self) -> list[tuple[str, str]]:
        """Outcome, span, quality, freedoms, peaks, events, settings, costs and quantities, as rows (label, text)."""
        return summarise(self)

    def report(self) -> list[Grid]:
        """The same, where the title does not say how it ended."""
        return [Grid([row for row in self.facts() if row != ("outcome", self.outcome.short)])]

    def columns(self) -> list[Column]:
        return self.pick(self.names())

    def pick(self, names: Sequence[str]) -> list[Column]:
        """What the result is over, and quantities by their names or patterns."""
        chosen = self.select(names)
        values, loose = self.values(chosen), self.undetermined(chosen)
        remarks = dict.fromkeys(loose, NOT_UNIQUE)
        # what it is over stands in front
        others = [name for name in chosen if name != self.variable.name]
        columns = (Column(name, values[name], self.quantity(name).unit, remarks.get(name, "")) for name in others)
        return [self.variable.column(self.time), *columns]

    def identical(self, other: Result) -> bool:
        """Whether both hold the same quantities, bit for bit, and the same record of the run."""
        return identical(self, other)

    # -- views -------------------------------------------------------------------------------------------------

    def plot(
        self,
        *names: str,
        over: str | None = None,
        units: Units | None = None,
        beside: Mapping[str, Answer] | None = None,
        label: str = "",
        band: bool = True,
        path: FilePath | None = None,
        show: bool = False,
        overwrite: bool | None = None,
        axes: Any = None,
        size: tuple[Scalar, Scalar] | None = None,
        **options: Any,
    ) -> Figure:
        """Plot quantities (names or patterns), one axis per unit; returns the matplotlib Figure.

        *over*: a quantity such as ``"O.angle"``, by default time, or what the result is over; *units*: by names or
        patterns, as in ``{"O.angle": "deg", "*.speed": "rpm"}``; *beside*: other results by what the legend calls them,
        ``{"stiff": other}``, and *label* what it calls this one; *band*: whether a band below the curves says what holds
        when, of stops, ropes and friction, and events have lines; *path*, *show*, *overwrite*, *axes*, *size* as of every
        answer.
        """
        frame = {"path": path, "show": show, "overwrite": overwrite, "axes": axes, "size": size}
        return super().plot(*names, over=over, units=units, beside=beside, label=label, band=band, **frame, **options)

    @verb
    def plot_path(
        self,
        *points: str,
        time: Scalar | None = None,
        body: str | None = None,
        circle: bool = False,
        dashes: int = 0,
        units: Units | None = None,
        path: FilePath | None = None,
        show: bool = False,
        overwrite: bool | None = None,
        axes: Any = None,
        size: tuple[Scalar, Scalar] | None = None,
    ) -> Figure:
        """Draw the paths of points ('coupler.P') with the mechanism at a time; returns the matplotlib Figure.

        *time*: by default the first; *body*: with its centrodes and its instant centre, in the plane; *circle*: with
        the circles of curvature; *dashes*: samples of one dash; *units*: ``{"coupler.P.x": "mm"}``, one
        for all axes; *path*, *show*, *overwrite*, *axes*, *size* as of every answer.
        """
        frame = {"path": path, "show": show, "overwrite": overwrite, "axes": axes, "size": size}
        drawing = {"time": time, "body": body, "circle": circle, "dashes": dashes, "units": units}
        return drawn("paths.plot_paths", self, *points, **drawing, **frame)

    @verb
    def animate(
        self,
        path: FilePath,
        *,
        trace: str | Sequence[str] | None = None,
        plot: str | Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        follow: str | None = None,
        frames: int = 1200,
        overwrite: bool | None = None,
    ) -> Path:
        """Write one self-contained HTML page with the moving mechanism, its traces and its plots.

        *trace*: points or joints whose paths are shown at first; *plot*: quantities plotted at first; *names*:
        names or patterns of all that the page can plot; *follow*: a body, joint or point that stays in the middle at first,
        by default the first body where the way is much longer than the mechanism; *frames*: the most frames kept.
        """
        return page(
            "page.write_page",
            self,
            path,
            trace=trace,
            plot=plot,
            quantities=names,
            follow=follow,
            frames=frames,
            overwrite=overwrite,
        )

    @verb
    def movie(
        self,
        path: FilePath,
        *,
        fps: float = 25.0,
        speed: float | None = None,
        size: tuple[float, float] | None = None,
        view: str | tuple[float, float] | None = None,
        follow: str | None = None,
        trace: str | Sequence[str] | None = None,
        progress: Callable[[float], object] | None = None,
        overwrite: bool | None = None,
    ) -> Path:
        """Write the moving mechanism as a film, .gif or .mp4, without a display; .mp4 needs ``linkwork[movies]``.

        *fps*: frames in a second; *speed*: how much of the run passes in a second, 0.1 is slow motion, by default real
        time of 1 to 15 s, else a film of about six; *size*: in pixels, (720, 540) by default; *view*: in space "front",
        "side", "top", or elevation and azimuth in degrees; *follow*: a body, joint or point that stays in the middle;
        *trace*: points or joints whose paths are drawn; *progress*: is called with the fraction done.
        """
        camera = {"fps": fps, "speed": speed, "size": size, "view": view, "follow": follow, "trace": trace}
        return page("films.write_movie", self, path, progress=progress, overwrite=overwrite, **camera)

    def _repr_html_(self) -> str:
        return markup("cells.result_markup", self)

    # -- files and tables --------------------------------------------------------------------------------------

    def detach(self) -> Result:
        """The same as data alone: all quantities and the audit are evaluated now, and no compiled code is behind them.

        It pickles, which detaches it, and holds on to no mechanism; as of a stored result, no run can go on from it.
        """
        kept = isinstance(self.noted, tuple) and (self.auditor is None or isinstance(self.auditor, KeptAudit))
        if kept and isinstance(self.source, ArraySource):
            return self
        auditor = None if self.auditor is None else KeptAudit(self.audit)
        source = ArraySource.of(self.source, self.values(self.names()))
        return replace(self, source=source, auditor=auditor, noted=self.notes)

    def __getstate__(self) -> dict[str, object]:
        return {**self.detach().__dict__, "_cache": {}, "_audits": [self.audit]}

    def write(self, path: Path, overwrite: bool | None) -> Path:
        """Write everything to a netCDF file (.nc); `load_result` reads it back."""
        return save_result(self, path, overwrite=overwrite)

    def to_xarray(self, names: Sequence[str] | None = None) -> xarray.Dataset:
        """Quantities (names or patterns, all by default) as an xarray Dataset over time, with units."""
        return to_xarray(self, names)
