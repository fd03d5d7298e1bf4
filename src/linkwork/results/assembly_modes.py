"""All assembly modes of a mechanism, as a user reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

from linkwork.results.drawing import Drawing
from linkwork.results.files import write_rows
from linkwork.results.writing import aligned
from linkwork.shown import drawn
from linkwork.topology.modes.modes import AssemblyMode

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class AssemblyModes(Sequence[AssemblyMode]):
    """The positions in which a mechanism can be assembled with its inputs held; prints as a table.

    name: of the mechanism; inputs: what is held, by name, as text with its unit
    blocks: the names of the blocks in the order of the plan
    complete: whether no mode can be missing (every loop has a closed form, and all were counted)
    drawing: what the bodies look like; notes: what has to be known of the model
    """

    name: str
    inputs: Mapping[str, str]
    blocks: tuple[str, ...]
    modes: tuple[AssemblyMode, ...]
    complete: bool
    drawing: Drawing
    notes: tuple[str, ...] = ()

    @overload
    def __getitem__(self, index: int) -> AssemblyMode: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[AssemblyMode]: ...
    def __getitem__(self, index: int | slice) -> AssemblyMode | Sequence[AssemblyMode]:
        return self.modes[index]

    def __len__(self) -> int:
        return len(self.modes)

    @property
    def in_use(self) -> AssemblyMode | None:
        """The mode in which the mechanism is assembled."""
        return next((mode for mode in self.modes if mode.in_use), None)

    @property
    def title(self) -> str:
        """How many there are, of what, and with which inputs."""
        count = f"{len(self)} assembly mode{'' if len(self) == 1 else 's'} of {self.name}"
        held = ", ".join(f"{name} = {value}" for name, value in self.inputs.items())
        return f"{count} with {held}" if held else count

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def table(self) -> list[tuple[str, ...]]:
        """Rows of texts below a row of heads: the modes, the branch of each block, and what has to be known of them."""
        rows = [(str(i), *self.cells(mode), _remark(mode)) for i, mode in enumerate(self.modes, start=1)]
        return [("", *self.blocks, ""), *rows]

    def to_dataframe(self) -> pandas.DataFrame:
        """The same as a pandas DataFrame, with a row for every mode."""
        import pandas

        (_, *blocks, _), *rows = self.table()
        return pandas.DataFrame(rows, columns=["mode", *blocks, "remark"]).set_index("mode")

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write the table as comma-separated values."""
        (_, *blocks, _), *rows = self.table()
        return write_rows(path, [["mode", *blocks, "remark"], *rows], overwrite=overwrite)

    def __str__(self) -> str:
        lines = aligned(self.table() if self.blocks else self.table()[1:]) if self.modes else []
        end = [] if self.complete else ["Found by a search or cut off: there may be more."]
        if self.odd:
            end.append(
                "An odd number: solutions of such equations come in pairs, so that one is likely to be missing; look "
                "further with tries=5000."
            )
        return "\n".join([self.title, *lines, *end, *(f"  note: {note}" for note in self.notes)])

    @property
    def odd(self) -> bool:
        """Whether a search has found an odd number of modes, more than one, none in a dead centre: one may be missing."""
        regular = not any(mode.dead_centres for mode in self.modes)
        return not self.complete and regular and len(self) > 1 and len(self) % 2 == 1

    def cells(self, mode: AssemblyMode) -> list[str]:
        """The names of the branches of a mode in the order of the blocks."""
        names = {**mode.branches, **mode.found}
        return [names[block] for block in self.blocks]

    def plot(self, path: str | Path | None = None, *, show: bool = False, overwrite: bool | None = None) -> Figure:
        """Draw every mode in a panel of its own, the one in use highlighted; returns the matplotlib Figure."""
        return drawn("modes.plot_modes", self, path=path, show=show, overwrite=overwrite)


def _remark(mode: AssemblyMode) -> str:
    used = ["in use"] if mode.in_use else []
    dead = [f"dead centre of {', '.join(mode.dead_centres)}"] if mode.dead_centres else []
    return "; ".join([*used, *dead])
