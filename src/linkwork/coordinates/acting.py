"""What a force says that it does, looked at before it is computed with: errors name the element, not an expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import casadi as ca

from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Contribution, Load
from linkwork.errors import RefusedError, did_you_mean

TAKEN = ("power", "work")  # that results know of every element


def acted(lookup: Lookup, known: frozenset[int], name: str, action: object) -> Contribution:
    """What a force does, if it says so in the way that is read here; *known*: the ``known_symbols``."""
    if not isinstance(action, Contribution):
        raise _refused(name, f"its method contribute gives {_brief_type(action)}; it has to give a Contribution")
    loads = action.loads if isinstance(action.loads, tuple) else (action.loads,)
    wrong = [load for load in loads if not isinstance(load, Load)]
    if wrong or not isinstance(action.loads, tuple):
        given = _brief_type(wrong[0] if wrong else action.loads)
        raise _refused(name, f"the loads of its Contribution are a tuple of Load, not {given}")
    if action.conditions:
        raise _refused(name, "its Contribution has conditions; declare it as a relation")
    action = replace(action, loads=tuple(_sized(lookup, name, load) for load in loads)).plain
    _check_symbols(lookup, known, name, action)
    return action


def inside_bodies(lookup: Lookup) -> dict[str, Contribution]:
    """What acts inside bodies that have coordinates of their own."""
    found = lookup.motion.insides()
    for name in (name for name, item in found.items() if item.conditions):
        raise RefusedError(
            f"body '{name}': its Contribution has conditions, which nobody would hold; declare a relation"
        )
    return found


def check_readings(items: Mapping[str, Contribution], taken: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse readings with names that results have for something else; *taken*: by element, beside power and work."""
    for name, item in items.items():
        for key in item.readings:
            if key in (*TAKEN, *taken.get(name, ())):
                raise RefusedError(
                    f"'{name}': results have a '{name}.{key}' already; call this reading of it otherwise"
                )


def _sized(lookup: Lookup, name: str, load: Load) -> Load:
    """A load on a body that there is, with vectors of the space."""
    space, frames = lookup.motion.geometry.space, lookup.motion.kinematics.frames
    if load.body not in frames:
        raise _refused(
            name, f"its load is on '{load.body}', which is no body; {did_you_mean(str(load.body), list(frames))}"
        )
    sizes = {"at": space.dimension, "force": space.dimension, "moment": space.rotations}
    moving = {"velocity": space.dimension, "omega": space.rotations}
    sizes |= {key: size for key, size in moving.items() if getattr(load, key) is not None}
    columns: dict[str, Any] = {key: _column(name, key, getattr(load, key), size) for key, size in sizes.items()}
    return replace(load, **columns)


def _column(name: str, key: str, given: Any, size: int) -> ca.SX:
    try:
        found = ca.SX(given)
    except (TypeError, NotImplementedError):
        raise _refused(name, f"the {key} of its load is {_brief_type(given)}, not an expression") from None
    if found.shape != (size, 1):
        shape = " x ".join(map(str, found.shape))
        raise _refused(name, f"the {key} of its load is {shape}; in this space it is {size} x 1")
    return found


def known_symbols(lookup: Lookup) -> frozenset[int]:
    """The symbols that have a value whatever the forces are, by their hashes."""
    motion, k = lookup.motion, lookup.motion.kinematics
    turns = [item.symbol for item in (*motion.counters, *motion.constants)]
    return _hashes(k.q, k.v, lookup.t, motion.geometry.parameters, *turns)


def _hashes(*symbols: ca.SX) -> frozenset[int]:
    return frozenset(symbol.element_hash() for symbol in ca.symvar(ca.vertcat(*symbols)))


def _check_symbols(lookup: Lookup, known: frozenset[int], name: str, action: Contribution) -> None:
    """Nothing that it gives depends on a symbol that nobody knows."""
    own = [item.symbol for item in (*action.states, *action.constants)]
    asked = [*(switch.selector for switch in lookup.switches.found), *lookup.multipliers.values()]
    asked += [item.symbol for item in (*(own for own, _ in lookup.drawn.values()), *lookup.settled.values())]
    known |= _hashes(*own, *asked) if own or asked else frozenset()
    for what, expression in _expressions(action):
        unknown = [str(symbol) for symbol in ca.symvar(ca.SX(expression)) if symbol.element_hash() not in known]
        if unknown:
            told = "make it of what the scene gives, or let it be the symbol of a state of the element's own"
            raise _refused(name, f"its {what} depends on '{unknown[0]}', which has no value: {told}")


def _expressions(action: Contribution) -> Iterator[tuple[str, ca.SX]]:
    for load in action.loads:
        yield "load", ca.vertcat(load.at, load.force, load.moment)
    yield from (("effort", item.value) for item in action.efforts)
    yield from (("rate", item.rate) for item in action.states)
    yield from (("reading", item.value) for item in action.readings.values())
    yield from (("potential", action.potential), ("kinetic", action.kinetic), ("dissipation", action.dissipation))


def _refused(name: str, reason: str) -> RefusedError:
    return RefusedError(f"force '{name}': {reason}")


def _brief_type(thing: object) -> str:
    """A thing by its type."""
    return "None" if thing is None else f"a '{type(thing).__name__}'"
