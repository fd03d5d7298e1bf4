"""The protocol of answers: each says what it is, and how it is printed, tabulated, drawn and saved is written here.

An answer has a ``title``, and of these what there is to say:

    facts()    rows (label, text) that are printed below the title
    report()   what is printed instead, lines and grids of texts, where facts alone do not tell it
    notes      what has to be known, a line each
    columns()  the table, in numbers with units; the first column says which row it is
    view       who draws it, as 'rest.plot_rest' among the views; by default the numbers of the table are drawn,
               or of the columns that are ``plotted``

``docs/theory/results.md`` has an example.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from linkwork.algebra.given import FilePath, Scalar
from linkwork.answer.column import Column, Units, distinct, in_units, select
from linkwork.answer.files import write_bytes, write_rows
from linkwork.answer.grid import Grid, Text, brief, escaped, wrapped
from linkwork.answer.own_files import JSON_HEAD
from linkwork.errors import RefusedError, ResultError
from linkwork.extras import bring
from linkwork.shown import drawn, markup

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

T = TypeVar("T")
PICTURES = (".png", ".svg", ".pdf", ".eps", ".ps", ".jpg")


class Answer:
    """What a verb gives back."""

    view: ClassVar[str] = "plots.plot_columns"
    pictured: ClassVar[bool] = False  # whether notebooks show what it draws, below what it says
    endings: ClassVar[tuple[str, ...]] = (".csv", ".json")  # of files that it can be saved as

    # -- what it is: to be said by every answer ----------------------------------------------------------------

    @property
    def title(self) -> str:
        """What it is, in a line."""
        raise NotImplementedError(f"{type(self).__name__} has no title")

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be known, a line each."""
        return ()

    @property
    def plotted(self) -> tuple[str, ...]:
        """Columns that are drawn unless others are asked for; none: all."""
        return ()

    def facts(self) -> list[tuple[str, str]]:
        """What is to be told, as rows (label, text)."""
        return []

    def report(self) -> Sequence[str | Grid]:
        """What is printed below the title."""
        return [Grid(self.facts())]

    def columns(self) -> Sequence[Column]:
        """The table by its columns; the first says which row it is."""
        labels, texts = zip(*self.facts(), strict=True) if self.facts() else ((), ())
        return [Column("fact", labels), Column("value", texts)]

    def pick(self, names: Sequence[str]) -> Sequence[Column]:
        """The first column, and others by their names or patterns."""
        first, *others = distinct(self.columns())
        known = {column.name: column for column in others}
        return [first, *(known[name] for name in self.select(names))]

    def select(self, names: Sequence[str]) -> list[str]:
        """Names of columns from exact names and patterns; an unknown one is an error that names the nearest."""
        return select(names, [column.name for column in distinct(self.columns())[1:]], source=self.title)

    # -- in print ----------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return "\n".join([self.title, *self._lines()])

    def _lines(self) -> Iterator[str]:
        for part in self.report():
            yield from part.lines() if isinstance(part, Grid | Text) else wrapped(f"  {part}")
        for note in self.notes:
            yield from wrapped(f"  note: {note}", hang=" " * len("note: "))

    @property
    def brief(self) -> str:
        """What its representation says."""
        return self.title

    def __repr__(self) -> str:
        return f"<{brief(self.brief)}>"

    def _repr_html_(self) -> str:
        parts = [part.html() if isinstance(part, Grid | Text) else _paragraph(part) for part in self.report()]
        notes = [_paragraph(f"note: {note}") for note in self.notes]
        picture = [markup("cells.picture_markup", self.plot(), self.title)] if self.pictured else []
        return "".join([f"<div><b>{escaped(self.title)}</b>", *parts, *notes, *picture, "</div>"])

    # -- as a table --------------------------------------------------------------------------------------------

    def shown(self, names: Sequence[str] | None = None, units: Units | None = None) -> list[Column]:
        """The columns of the table, or some of them, in units that are asked for."""
        asked = [names] if isinstance(names, str) else names
        columns = distinct(self.columns() if asked is None else self.pick(asked))
        counts = {column.name: len(column.values) for column in columns}
        if len({*counts.values()}) > 1:
            told = ", ".join(f"{name} {count}" for name, count in counts.items())
            raise RefusedError(f"{type(self).__name__}: its columns are not of one length: {told}")
        return in_units(columns, units, self.select) if units else columns

    def table(self, names: Sequence[str] | None = None, *, units: Units | None = None) -> list[tuple[Any, ...]]:
        """Rows below a row of headings ``name [unit]``.

        *names*: of columns, or patterns, all by default; *units*: by names or patterns, as in ``{"O.angle": "deg"}``.
        """
        columns = self.shown(names, units)
        return [
            tuple(column.label for column in columns),
            *zip(*(column.cells() for column in columns), strict=True),
        ]

    def to_dataframe(self, names: Sequence[str] | None = None, *, units: Units | None = None) -> pandas.DataFrame:
        """The table in pandas, indexed by its first column; ``frame.attrs`` has "units" and "remarks" of the others."""
        pandas = bring("pandas")
        first, *others = self.shown(names, units)
        index = pandas.Index(first.values, name=first.name)
        frame = pandas.DataFrame({column.name: column.values for column in others}, index=index)
        frame.attrs["units"] = {column.name: column.unit for column in others}
        frame.attrs["remarks"] = {column.name: column.remark for column in others if column.remark}
        return frame

    def to_dict(self, names: Sequence[str] | None = None, *, units: Units | None = None) -> dict[str, Any]:
        """All that is told as plain data: title, facts and notes, and the table by its columns."""
        columns = self.shown(names, units)
        return {
            "answer": type(self).__name__,
            "title": self.title,
            "facts": dict(self.facts()),
            "notes": list(self.notes),
            "units": {column.name: column.unit for column in columns},
            "columns": {column.name: column.storable() for column in columns},
        }

    # -- in files ----------------------------------------------------------------------------------------------

    def save(
        self,
        path: FilePath,
        names: Sequence[str] | None = None,
        *,
        units: Units | None = None,
        overwrite: bool | None = None,
    ) -> Path:
        """Write the table, or some of its columns; the ending of *path* tells how.

        .csv: comma-separated values below headings ``name [unit]``, whose digits give every number back; .json: with title
        and notes. Some answers know other endings, in which they keep all of themselves. *overwrite*: None replaces what
        Linkwork wrote, True any file, False none.
        """
        file = Path(path)
        match file.suffix.lower():
            case ending if ending not in self.endings:
                known = ", ".join(self.endings)
                raise ResultError(f"cannot save '{file.name}': endings that work for {self.title} are {known}")
            case ".csv":
                return write_rows(file, self.table(names, units=units), overwrite=overwrite)
            case ".json":
                content = JSON_HEAD + json.dumps(self.to_dict(names, units=units), ensure_ascii=False)[1:]
                return write_bytes(file, content.encode(), overwrite=overwrite)
            case ending:
                if names is not None or units:
                    raise RefusedError(
                        f"a file {ending} keeps all of {self.title}: names and units are for .csv and .json"
                    )
                return self.write(file, overwrite)

    def write(self, path: Path, overwrite: bool | None) -> Path:
        """Write a file with an ending of its own."""
        raise NotImplementedError(f"{type(self).__name__} does not write {path.suffix}")

    # -- as a picture ------------------------------------------------------------------------------------------

    def plot(
        self,
        *names: Any,
        path: FilePath | None = None,
        show: bool = False,
        overwrite: bool | None = None,
        axes: Any = None,
        size: tuple[Scalar, Scalar] | None = None,
        **options: Any,
    ) -> Figure:
        """Draw it; returns the matplotlib Figure.

        *names*: what to draw, where there is a choice; *path*: also writes it (png, svg, pdf); *show*: opens a window;
        *axes*: where to draw, for pictures with one axis, by default on a new figure; *size*: its width and height as
        it is printed, in millimetres or with units.
        """
        for name in names:
            if isinstance(name, Path) or (isinstance(name, str) and name.lower().endswith(PICTURES)):
                raise RefusedError(f"plot({str(name)!r}): a file is given as plot(path={str(name)!r})")
        frame = {"path": path, "show": show, "overwrite": overwrite, "axes": axes}
        frame |= {} if size is None else {"size": size}
        return drawn(self.view, self, *names, **frame, **options)


class AnswerList(Answer, Sequence[T]):
    """An answer of several alike: counted, indexed and walked through."""

    @property
    def items(self) -> Sequence[T]:
        """All of them."""
        raise NotImplementedError(f"{type(self).__name__} has no items")

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)


def _paragraph(text: str) -> str:
    return f"<p>{escaped(text)}</p>"
