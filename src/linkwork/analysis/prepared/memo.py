"""What has been made once is used again: of models by their content, of everything else with the noun that it is made of.

A model is constant, and two models of the same content are equal: the last few of what was made of models is found by
their content. What is made of an analysis, of coordinates, equations or a mechanism stays in that object, and goes with it;
so does machine code. ``forget`` lets go of all that nobody else holds.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from linkwork.model import Model
from linkwork.uncollected import uncollected

KEPT = 8  # of each kind that are remembered
Made = TypeVar("Made")
Memo = dict[str, dict[Hashable, Any]]

_models: Memo = {}


def of_model(model: Model, what: str, key: Hashable, make: Callable[[], Made]) -> Made:
    """What is made of models of this content, with a key of its own; the last ones that were used are remembered."""
    return _found(_models, what, (model.content, key), make, KEPT)


def of_noun(noun: object, what: str, key: Hashable, make: Callable[[], Made], most: int | None = KEPT) -> Made:
    """What is made of another noun of the walk and lives as long as it; most: how many are kept, None for all."""
    return _found(vars(noun).setdefault("_made", {}), what, key, make, most)


def forget_of(noun: object, what: str, key: Hashable) -> None:
    """Let go of what was made of a noun with a key."""
    vars(noun).get("_made", {}).get(what, {}).pop(key, None)


def make_anew() -> None:
    """What was made of models is made again when it is next asked for; the former goes when nobody holds it."""
    _models.clear()


def forget() -> None:
    """Let go of all that was made of models. Machine code is freed where no mechanism or result uses it any more."""
    make_anew()
    gc.collect()


def _found(memo: Memo, what: str, key: Hashable, make: Callable[[], Made], most: int | None) -> Made:
    kept = memo.setdefault(what, {})
    with uncollected():
        found: Made = kept[key] if key in kept else make()
    if most is None:
        return kept.setdefault(key, found)
    kept.pop(key, None)
    kept[key] = found  # the last one used at the end
    for old in list(kept)[:-most]:
        kept.pop(old, None)
    return found
