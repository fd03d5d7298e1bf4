"""Commands and options that there are not: the nearest ones, also for words of other tools."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

from linkwork.errors import did_you_mean


class AskingGroup(TyperGroup):
    """The program; a command that it does not have is answered by those that may be meant."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0][:1] != "-" and self.get_command(ctx, args[0]) is None:
            shown = [name for name in self.list_commands(ctx) if not self.commands[name].hidden]
            ctx.fail(f"No such command '{args[0]}'; {did_you_mean(args[0], shown, 'command')}")
        return super().resolve_command(ctx, args)


def check_options(command: TyperCommand, ctx: Any, args: list[str]) -> None:
    """Refuse a long option that a command does not have, with those that may be meant."""
    known = {name for item in command.get_params(ctx) for name in (*item.opts, *item.secondary_opts)}
    for word in args[: args.index("--")] if "--" in args else args:
        name = word.partition("=")[0]
        if name.startswith("--") and name not in known:
            long = sorted(item for item in known if item.startswith("--"))
            ctx.fail(f"No such option: {name}; {did_you_mean(name, long, 'option')}")
