"""The command line: commands are named as functions are, with hyphens.

Exit codes: 0 fine; 1 the model, or what is asked of it, is wrong; 2 wrong usage; 3 a run that stopped early (what was
reached is kept); 4 with --strict a result that fails its audit; 5 a file that cannot be read or written; 130 interrupted
(what was reached is kept).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli import bench, motions, positions, rest, start, vibrations
from linkwork.cli import options as opt
from linkwork.cli.answering import OnceCommand, as_command
from linkwork.cli.asking import AskingGroup
from linkwork.cli.doctor import doctor
from linkwork.cli.printing import FILES, INTERRUPTED, WRONG, complain
from linkwork.errors import LinkworkError, ResultError

app = typer.Typer(
    name="linkwork",
    cls=AskingGroup,
    help="A mechanism compiler: check, simulate and view multibody systems with closed loops.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # words of help and of users are no markup
)
ALIASES = {"simulate": "run", "analyse": "check"}
"""Short words for what is typed most."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: run a command; errors of Linkwork become readable text, not tracebacks."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    opt.ALLOW_OUTSIDE.set("--allow-outside" in given)
    try:
        app(args=[word for word in given if word not in ("--debug", "--allow-outside")], prog_name="linkwork")
    except (LinkworkError, OSError) as error:
        if debug:
            raise
        complain(str(error))
        sys.exit(FILES if isinstance(error, ResultError | OSError) else WRONG)
    except KeyboardInterrupt:
        complain("interrupted")
        sys.exit(INTERRUPTED)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    allow_outside: Annotated[
        bool, typer.Option("--allow-outside", help="Models may name tables and meshes outside their folder.")
    ] = False,
) -> None:
    # commands say themselves what an audit has found
    warnings.filterwarnings("ignore", ".*fails its audit.*")
    # --debug and --allow-outside are taken out by main, wherever they stand; they are declared here for the help
    if version:
        typer.echo(f"linkwork {lw.__version__}")
        raise typer.Exit


def _add(command: Callable[..., None], **more: Any) -> None:
    app.command(cls=OnceCommand, short_help=command.__doc__, **more)(command)


for command in (*start.COMMANDS, doctor):
    _add(command)
for room in (positions, motions, rest, vibrations, bench):
    for body, giving in room.COMMANDS.items():
        command = as_command(giving, body)
        _add(command)
        if body.__name__ in ALIASES:
            _add(command, name=ALIASES[body.__name__], hidden=True)
