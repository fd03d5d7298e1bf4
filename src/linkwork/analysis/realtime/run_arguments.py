"""Arguments of what a run in real time is asked to do: a live parameter among them is told where it belongs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, Protocol, TypeVar, cast

from linkwork.arguments import check_arguments
from linkwork.errors import ArgumentError

F = TypeVar("F", bound=Callable[..., Any])


class WithParameters(Protocol):
    """A run with live parameters."""

    @property
    def parameters(self) -> Mapping[str, float]: ...


def of_run(method: F) -> F:
    """A method that says in its own words that it has no argument of a name."""
    own = signature(method)

    @wraps(method)
    def called(run: WithParameters, *given: Any, **named: Any) -> Any:
        if named:
            live = next((name for name in named if name in run.parameters and name not in own.parameters), None)
            if live is not None:
                raise ArgumentError(
                    f"{method.__name__} sets no parameter: write rt.set({live}={named[live]!r}) before it"
                )
            check_arguments(method.__name__, own, named)
        return method(run, *given, **named)

    return cast(F, called)
