"""The modes of a run: which conditions held from when to when, of those that come and go, and why that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from linkwork.answer import Answer, Column, Grid

SHOWN = (24, 6)  # rows of a long table in print, its first and its last


@dataclass(frozen=True)
class RunMode:
    """From when to when (s) the same conditions held, and the same branches of formulas; why: what changed before.

    freedoms: degrees of freedom with what holds, where joints close and open
    """

    start: float
    end: float
    holds: tuple[str, ...] = ()
    why: str = ""
    freedoms: int | None = None


@dataclass(frozen=True, repr=False)
class RunModes(Answer):
    """The modes of a run in the order of time, counted and walked through.

    loose: whether conditions come and go; words: by names of conditions, what they are while they hold: 'taut', 'sticks'
    """

    rows: tuple[RunMode, ...] = ()
    loose: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[RunMode]:
        return iter(self.rows)

    def __getitem__(self, number: int) -> RunMode:
        return self.rows[number]

    @cached_property
    def spans(self) -> dict[str, list[tuple[float, float]]]:
        """From when to when (s) every condition held, of those that ever did, in the order in which they began."""
        found: dict[str, list[tuple[float, float]]] = {}
        for row in self.rows:
            for name in row.holds:
                spans = found.setdefault(name, [])
                # it holds on where another one has changed
                begun = spans.pop()[0] if spans and spans[-1][1] == row.start else row.start
                spans.append((begun, row.end))
        return found

    def told(self, name: str) -> str:
        """A condition with what it is while it holds: ``line (taut)``."""
        return f"{name} ({self.words[name]})" if name in self.words else name

    @property
    def title(self) -> str:
        if not self.rows:
            return "no conditions come and go in this run"
        return f"{len(self)} mode{'' if len(self) == 1 else 's'} of a run"

    @property
    def lines(self) -> list[str]:
        """What held when, a line for each condition that ever did."""
        return [f"{self.told(name)} {self._times(spans)}" for name, spans in self.spans.items()] or ["nothing held"]

    def _times(self, spans: Sequence[tuple[float, float]]) -> str:
        (begun, end), last = spans[0], self.rows[-1].end
        if len(spans) > 1:
            whole = last - self.rows[0].start
            share = f"for {sum(b - a for a, b in spans):.4g} s of {whole:.4g} s"
            return f"{len(spans)} times, {share}, {'also at the end' if spans[-1][1] == last else 'not at the end'}"
        if begun == self.rows[0].start:
            return "all the time" if end == last else f"until {end:.6g} s"
        return f"from {begun:.6g} s {'on' if end == last else f'to {end:.6g} s'}"

    def report(self) -> Sequence[Grid]:
        """From when to when, what held, and why it changed; of many the first and the last."""
        counted = ("freedoms",) if self._counted else ()
        rows = [
            (
                f"{row.start:.9g} to {row.end:.9g} s",
                self._held(row.holds),
                *(str(row.freedoms) for _ in counted),
                row.why,
            )
            for row in self.rows
        ]
        if len(rows) > sum(SHOWN):
            left_out, blank = len(rows) - sum(SHOWN), tuple("" for _ in counted)
            rows[SHOWN[0] : -SHOWN[1]] = [(f"... {left_out} more", "all: result.modes.table()", *blank, "")]
        return [Grid(rows, ("when", "what holds", *counted, "why") if rows else ())]

    @property
    def _counted(self) -> bool:
        """Whether the freedoms of all modes are known."""
        return bool(self.rows) and all(row.freedoms is not None for row in self.rows)

    def _held(self, names: Sequence[str]) -> str:
        """One or two in a line, others below each other."""
        told = [self.told(name) for name in names]
        return _listed(told) if len(told) < 3 else "\n".join(told)

    def columns(self) -> list[Column]:
        """The same as columns."""
        return [
            Column("from", [row.start for row in self.rows], "s"),
            Column("to", [row.end for row in self.rows], "s"),
            Column("holds", [_listed(row.holds) for row in self.rows]),
            *([Column("freedoms", [row.freedoms or 0 for row in self.rows], "1")] if self._counted else []),
            Column("why", [row.why for row in self.rows]),
        ]

    def stored(self) -> dict[str, Any]:
        """As plain data."""
        rows = [asdict(row) | {"holds": list(row.holds)} for row in self.rows]
        return {"loose": self.loose, "rows": rows, "words": dict(self.words)}

    @classmethod
    def restored(cls, data: Mapping[str, Any]) -> RunModes:
        """From plain data."""
        rows = (RunMode(**row | {"holds": tuple(row["holds"])}) for row in data.get("rows", ()))
        return cls(tuple(rows), data.get("loose", False), data.get("words", {}))


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 2 else names) or "nothing"
