"""The modes of a run: which conditions held from when to when, of those that come and go, and why that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from linkwork.answer import Answer, Column, Grid


@dataclass(frozen=True)
class RunMode:
    """From when to when (s) the same conditions held, and the same branches of formulas; why: what changed before."""

    start: float
    end: float
    holds: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, repr=False)
class RunModes(Answer):
    """The modes of a run in the order of time, counted and walked through; loose: whether conditions come and go."""

    rows: tuple[RunMode, ...] = ()
    loose: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[RunMode]:
        return iter(self.rows)

    def __getitem__(self, number: int) -> RunMode:
        return self.rows[number]

    @property
    def title(self) -> str:
        if not self.rows:
            return "no conditions come and go in this run"
        return f"{len(self)} mode{'' if len(self) == 1 else 's'} of a run"

    @property
    def line(self) -> str:
        """All of them in a line."""
        shown = [f"{_listed(row.holds)} from {row.start:.6g} s" for row in self.rows[:6]]
        more = [] if len(self) <= len(shown) else [f"... {len(self)} in all"]
        return "holding " + ", ".join([*shown, *more])

    def report(self) -> Sequence[Grid]:
        """From when to when, what held, and why it changed."""
        return [Grid([(f"{row.start:.9g} to {row.end:.9g} s", _listed(row.holds), row.why) for row in self.rows])]

    def columns(self) -> list[Column]:
        """The same as columns."""
        return [
            Column("from", [row.start for row in self.rows], "s"),
            Column("to", [row.end for row in self.rows], "s"),
            Column("holds", [_listed(row.holds) for row in self.rows]),
            Column("why", [row.why for row in self.rows]),
        ]

    def stored(self) -> dict[str, Any]:
        """As plain data."""
        return {"loose": self.loose, "rows": [asdict(row) | {"holds": list(row.holds)} for row in self.rows]}

    @classmethod
    def restored(cls, data: Mapping[str, Any]) -> RunModes:
        """From plain data."""
        rows = (RunMode(**row | {"holds": tuple(row["holds"])}) for row in data.get("rows", ()))
        return cls(tuple(rows), data.get("loose", False))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names) or "none"
