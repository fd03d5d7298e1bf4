"""Mappings that cannot be changed: what is in a model stays as it was checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, Self, TypeVar

import numpy as np
from pydantic import BaseModel

from linkwork.errors import FrozenError

K = TypeVar("K")
V = TypeVar("V")


class Frozen(dict[K, V]):
    """A dictionary that stays as it is; equal whatever its order, hashable where its values are.

    ``dict(frozen)`` and ``frozen | {...}`` are ordinary dictionaries.
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        names = ", ".join(map(str, self)) if len(self) <= 6 else f"{len(self)} names"
        raise FrozenError(
            f"a model is not changed in place, so that what was checked and compiled holds (here: {names or 'no names'}); "
            "make a changed one, such as model.with_(bodies={'coupler': Body(...)}) or model.with_(forces={'spring': None})"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def copy(self) -> dict[K, V]:
        """An ordinary dictionary with the same entries."""
        return dict(self)

    def __copy__(self) -> Frozen[K, V]:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Frozen[K, V]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


def frozen(value: Any) -> Any:
    """A value of a field with all mappings, lists and arrays inside made constant."""
    if isinstance(value, Mapping):
        return Frozen({key: frozen(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return tuple(frozen(item) for item in value)
    if isinstance(value, np.ndarray):
        constant = value.copy()
        constant.flags.writeable = False
        return constant
    return value


class Constant(BaseModel):
    """Base of all declarations: no field can be set, and no mapping in a field can be changed."""

    def _freeze(self) -> None:
        """Make the fields constant; the last act of a constructor."""
        for name in type(self).model_fields:
            self.__dict__[name] = frozen(self.__dict__[name])

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self).model_fields:
            raise self._constant(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise self._constant(name)

    def _constant(self, name: str) -> FrozenError:
        kind = type(self).__name__
        return FrozenError(f"'{name}' of a {kind} is not changed in place; make a changed one: .with_({name}=...)")

    def with_(self, **changes: Any) -> Self:
        """The same with some fields changed, checked anew."""
        given = {name: getattr(self, name) for name, field in type(self).model_fields.items()
                 if getattr(self, name) != field.default}  # fmt: skip
        return type(self)(**given | changes)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Pydantic's way to say ``with_``; what is updated is checked."""
        return self.with_(**update) if update else self

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or all(getattr(self, name) == getattr(other, name) for name in type(self).model_fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in type(self).model_fields)))
