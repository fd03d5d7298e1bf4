"""Arguments that a verb does not have, by names or by places: told with what is meant, in words of other tools too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

from linkwork.errors import ArgumentError, did_you_mean

F = TypeVar("F", bound=Callable[..., Any])
NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def verb(function: F) -> F:
    """What users call: it says in its own words that it has no argument of a name or in a place, and not in Python's."""
    return verb_with("")(function)


def verb_with(beyond: str) -> Callable[[F], F]:
    """The same of a verb that says what is meant by an argument *beyond* its places."""

    def made(function: F) -> F:
        own = signature(function)

        @wraps(function)
        def called(*given: Any, **named: Any) -> Any:
            check_arguments(function.__name__, own, named)
            check_places(function.__name__, own, len(given), beyond)
            return function(*given, **named)

        return cast(F, called)

    return made


def check_arguments(name: str, of: Signature, given: Iterable[str]) -> None:
    """Refuse arguments that are not in a signature."""
    unknown = [argument for argument in given if argument not in of.parameters]
    if unknown and all(item.kind is not Parameter.VAR_KEYWORD for item in of.parameters.values()):
        known = [key for key, item in of.parameters.items() if item.kind in NAMED and key != "self"]
        raise ArgumentError(f"{name} has no argument '{unknown[0]}'; {did_you_mean(unknown[0], known, 'argument')}")


def check_places(name: str, of: Signature, count: int, beyond: str = "") -> None:
    """Refuse more arguments without a name than a signature has places."""
    kinds = {key: item.kind for key, item in of.parameters.items()}
    places = [key for key, kind in kinds.items() if kind in BY_PLACE]
    if count <= len(places) or Parameter.VAR_POSITIONAL in kinds.values():
        return
    own, extra = int(places[:1] == ["self"]), count - len(places)
    taken = ", ".join(places[own:])
    known = ", ".join(f"{key}=" for key, kind in kinds.items() if kind is Parameter.KEYWORD_ONLY)
    text = f"{name} takes {len(places) - own or 'no'} argument{'' if len(places) - own == 1 else 's'} without a name"
    text += f" ({taken})" if taken else ""
    text += f", and {count - own} were given" if count - own > 1 else ", and one was given"
    hints = [beyond, f"name {'it' if extra == 1 else 'them'}: {known}" if known else ""]
    raise ArgumentError("; ".join([text, *filter(None, hints)]))
