"""Commands that give an answer: what is done with it is written once, and its options mean the same in every command."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from linkwork.cli import options as opt
from linkwork.cli.asking import check_options
from linkwork.cli.printing import exit_by, print_written
from linkwork.progress import working

if TYPE_CHECKING:
    from linkwork.answer import Answer

TABLES = (".csv", ".json")
RESULTS = (".nc", *TABLES)
PICTURES = (".png", ".svg", ".pdf")
FILMS = (".gif", ".mp4")

EVERY: dict[str, tuple[Any, Any]] = {
    "plot": (Annotated[Path | None, typer.Option(help="Draw the answer here (.png, .svg, .pdf).")], None),
    "out": (opt.OutOption, Path()),
    "force": (opt.ForceOption, None),
    "json_": (
        Annotated[bool, typer.Option("--json", help="Print the answer as JSON, and nothing else on standard output.")],
        False,
    ),
}
PAGE: dict[str, tuple[Any, Any]] = {
    "html": (Annotated[Path | None, typer.Option(help="Write the page here (.html).")], None),
    "open_": (opt.OpenOption, False),
}
FILM: dict[str, tuple[Any, Any]] = {
    "movie": (Annotated[Path | None, typer.Option(help="Write the motion as a film here (.gif, .mp4).")], None),
}
QUANTITIES: dict[str, tuple[Any, Any]] = {
    "quantity": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--quantity", "-q", help="Quantity or pattern that is drawn, tabulated and printed: C.angle, 'B.*'."
            ),
        ],
        None,
    ),
    "over": (
        Annotated[str | None, typer.Option(help="Quantity over which --plot draws: O.angle; by default time.")],
        None,
    ),
    "unit": (
        Annotated[
            list[str] | None,
            typer.Option(
                help="Unit of a quantity or pattern, in plots, tables and JSON: O.angle=deg; may be repeated."
            ),
        ],
        None,
    ),
    "trace": (Annotated[list[str] | None, typer.Option(help="Point or joint whose path is drawn: coupler.P.")], None),
    "paths": (Annotated[Path | None, typer.Option(help="Draw the paths of --trace here (.png, .svg, .pdf).")], None),
    "centrodes": (Annotated[str | None, typer.Option(help="Body whose centrodes are drawn with --paths.")], None),
}
AUDITED: dict[str, tuple[Any, Any]] = {"strict": (opt.StrictOption, False)}


@dataclass(frozen=True)
class Giving:
    """What the answer of a command is good for.

    endings: of files that it is saved as; shown: what is printed; numbers: what of it is tabulated and drawn
    moving: what of it is animated, from the answer and the options; film: whether it moves by itself, and is filmed
    page: what the page of --html is
    quantities: whether they are chosen by name
    run: the run that it is or has, whose outcome and audit are exit codes
    kept: what is added to the name of the model where a run is written that nobody has named
    """

    endings: tuple[str, ...] = TABLES
    shown: Callable[[Any], str] = str
    numbers: Callable[[Any], Answer] = lambda found: found
    moving: Callable[[Any, dict[str, Any]], Any] | None = None
    film: bool = True
    page: str = "animation"
    quantities: bool = False
    run: Callable[[Any], Any] | None = None
    kept: str | None = None

    @property
    def options(self) -> dict[str, tuple[Any, Any]]:
        """Options of the command beside its own, with their defaults."""
        film = self.moving and self.film
        parts = [(self.moving, PAGE), (film, FILM), (self.quantities, QUANTITIES), (self.run, AUDITED)]
        help_ = f"Write the answer here ({', '.join(self.endings)}); may be repeated."
        save = (Annotated[list[Path] | None, typer.Option("--save", help=help_)], None)
        return (
            {"save": save}
            | EVERY
            | {name: option for asked, options in parts if asked for name, option in options.items()}
        )


@dataclass
class Wishes:
    """What is asked for, in one command."""

    save: Sequence[Path]
    plot: Path | None
    out: Path
    force: bool | None
    json_: bool
    html: Path | None = None
    open_: bool = False
    movie: Path | None = None
    quantity: Sequence[str] | None = None
    over: str | None = None
    unit: Sequence[str] | None = None
    trace: Sequence[str] | None = None
    paths: Path | None = None
    centrodes: str | None = None
    strict: bool = False

    @property
    def moving(self) -> bool:
        """Whether the motion itself is asked for."""
        return bool(self.html or self.movie or self.paths)

    @property
    def units(self) -> dict[str, str]:
        """Units by quantities or patterns."""
        return opt.read_pairs(self.unit, "--unit", "O.angle=deg")

    @property
    def tables(self) -> list[Path]:
        """The files among those that are saved in which quantities are chosen."""
        return [file for file in self.save if file.suffix.lower() in TABLES]

    def check(self, giving: Giving) -> None:
        """Place the files in their folder; what could not be written is refused before any work is done."""
        opt.make_folder(self.out)
        self.save = [self._placed(file, giving.endings, "--save") for file in self.save]
        self.plot = self.plot and self._placed(self.plot, PICTURES, "--plot")
        self.html = self.html and self._placed(self.html, (".html",), "--html")
        self.movie = self.movie and self._placed(self.movie, FILMS, "--movie")
        self.paths = self.paths and self._placed(self.paths, PICTURES, "--paths")
        if self.paths and not (self.trace or self.centrodes):
            raise typer.BadParameter("of which points or body? give --trace or --centrodes", param_hint="--paths")
        if self.over and self.plot is None:
            raise typer.BadParameter("of which plot? give --plot FILE", param_hint="--over")
        if self.units and not (self.plot or self.json_ or self.tables):
            raise typer.BadParameter("of what? give --plot FILE, --save TABLE or --json", param_hint="--unit")
        if self.open_ and self.html is None:
            raise typer.BadParameter("which page? give --html FILE", param_hint="--open")

    def _placed(self, file: Path, endings: Sequence[str], option: str) -> Path:
        if file.suffix.lower() not in endings:
            raise typer.BadParameter(f"'{file}' has to end in {' or '.join(endings)}", param_hint=option)
        # the same model again is no obstacle: known when it is written
        same = self.force is None and file.suffix.lower() == ".yaml"
        target = opt.placed(file, self.out)
        opt.check_targets(True if same else self.force, target)
        return target

    def write(self, giving: Giving, found: Any, moving: Any) -> list[tuple[str, Path]]:
        """Write all files; with what they are."""
        numbers, names = giving.numbers(found), list(self.quantity or ())
        written: list[tuple[str, Path]] = []
        for file in self.save:
            some: dict[str, Any] = {"names": names or None, "units": self.units} if file in self.tables else {}
            numbers.save(file, **some, overwrite=self.force)
            written.append(({".nc": "result", ".yaml": "model"}.get(file.suffix.lower(), "table"), file))
        if self.plot:
            drawn: dict[str, Any] = {"over": self.over, "units": self.units} if giving.quantities else {}
            numbers.plot(*names, path=self.plot, overwrite=self.force, **drawn)
            written.append(("plot", self.plot))
        if self.html:
            first = {"trace": self.trace or None, "plot": names or None} if giving.quantities else {}
            written.append((giving.page, moving.animate(self.html, overwrite=self.force, **first)))
        if self.movie:
            traced = {"trace": self.trace or None} if giving.quantities else {}
            written.append(("film", moving.movie(self.movie, overwrite=self.force, **traced)))
        if self.paths:
            moving.plot_path(*(self.trace or ()), body=self.centrodes, path=self.paths, overwrite=self.force)
            written.append(("paths", self.paths))
        return written


VALUES = {
    "FILE": "save plot html movie paths file",
    "FOLDER": "out",
    "TIME": "until step fixed_step period",
    "LENGTH": "clearance",
    "NUMBER": "rtol atol accuracy tolerance",
    "COUNT": "max_steps steps tries max_iterations prediction mode",
    "NAME=VALUE": "parameter near weight priority start",
    "NAME=FORMULA": "motion",
    "NAME=UNIT": "unit",
    "NAME=FIRST:LAST:COUNT": "along",
}
"""What help calls the values of options; the others are names."""
_CALLED = {option: value for value, options in VALUES.items() for option in options.split()}


class OnceCommand(TyperCommand):
    """A command that refuses an option with one value that is given twice; its help names values, not their types."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        for param in self.params:
            if not getattr(param, "is_flag", False):
                param.metavar = _CALLED.get(str(param.name), "NAME")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        check_options(self, ctx, args)
        order: list[Any] = self.make_parser(ctx).parse_args(args=list(args))[2]
        for option in order:
            if option.param_type_name != "option" or option.multiple or order.count(option) == 1:
                continue
            if not option.is_flag or option.secondary_opts:
                ctx.fail(f"{' / '.join([*option.opts, *option.secondary_opts])} is given more than once: give it once.")
        return super().parse_args(ctx, args)


def as_command(giving: Giving, body: Callable[..., Any]) -> Callable[..., None]:
    """The command of a function that finds an answer: with options for printing, drawing and saving it."""
    own = inspect.signature(body).parameters
    hints = get_type_hints(body, localns={"Answer": Any}, include_extras=True)  # not imported for help

    def command(**given: Any) -> None:
        asked = {name: given.pop(name) for name in giving.options}
        save = asked.pop("save") or ([Path(f"{given['file'].stem}{giving.kept}.nc")] if giving.kept is not None else [])
        wishes = Wishes(save=save, **asked)
        wishes.check(giving)
        subject = f" {given['file'].name}" if "file" in given else ""
        with working(f"{body.__name__.replace('_', '-')}{subject}"):
            found = body(**given)
        moving = giving.moving(found, given) if giving.moving and wishes.moving else None
        if wishes.json_:
            table = giving.numbers(found).to_dict(wishes.quantity or None, units=wishes.units)
            typer.echo(json.dumps(table, ensure_ascii=False))
        else:
            typer.echo(giving.shown(found))
        print_written(wishes.write(giving, found, moving), err=wishes.json_)
        if wishes.open_ and wishes.html:
            typer.launch(wishes.html.resolve().as_uri())
        if giving.run:
            exit_by(giving.run(found), wishes.strict)

    added = {name: kind for name, (kind, _) in giving.options.items()}
    parameters = [own[name].replace(annotation=hints[name]) for name in own]
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters += [
        inspect.Parameter(name, keyword, annotation=kind, default=default)
        for name, (kind, default) in giving.options.items()
    ]
    command.__name__, command.__doc__ = body.__name__, body.__doc__
    command.__annotations__ = {**hints, **added, "return": None}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command
