"""Arguments by names that a verb does not have: told with the one that is meant, in words of other tools too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

from linkwork.errors import ArgumentError, did_you_mean

F = TypeVar("F", bound=Callable[..., Any])
NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def verb(function: F) -> F:
    """What users call: it says in its own words that it has no argument of a name, and not in Python's."""
    own = signature(function)

    @wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        check_arguments(function.__name__, own, named)
        return function(*given, **named)

    return cast(F, called)


def check_arguments(name: str, of: Signature, given: Iterable[str]) -> None:
    """Refuse arguments that are not in a signature."""
    unknown = [argument for argument in given if argument not in of.parameters]
    if unknown and all(item.kind is not Parameter.VAR_KEYWORD for item in of.parameters.values()):
        known = [key for key, item in of.parameters.items() if item.kind in NAMED and key != "self"]
        raise ArgumentError(f"{name} has no argument '{unknown[0]}'; {did_you_mean(unknown[0], known, 'argument')}")
