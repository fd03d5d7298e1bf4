"""Drivers: the coordinate exists, quantities have its dimension, and nothing else prescribes it."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.elements.joints import Freedom
from linkwork.errors import Fault
from linkwork.model.drive import Driver
from linkwork.model.fields import literal_faults
from linkwork.model.guide import Guide
from linkwork.model.reading import DraftModel
from linkwork.model.references import freedom_faults, freedom_of


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound drivers."""
    driven: dict[tuple[str, str], str] = {}
    for name, driver in draft.drivers.items():
        path = f"drivers.{name}"
        if isinstance(driver, Guide):
            yield from driver.faults(draft, path)
            continue
        yield from freedom_faults(draft, path, driver.joint, driver.freedom)
        freedom = freedom_of(draft, driver.joint, driver.freedom)
        if freedom is None:
            continue
        yield from _dimensions(path, driver, freedom)
        other = driven.setdefault((driver.joint, freedom.name), name)
        if other != name:
            reason = f"driver '{other}' drives {driver.joint}.{freedom.name} already"
            yield Fault(path, reason, "remove one of them, or add their motions in one formula")
        yield from _initial(draft, path, driver, freedom)


def _dimensions(path: str, driver: Driver, freedom: Freedom) -> Iterator[Fault]:
    yield from literal_faults(f"{path}.position", driver.position, freedom.dimension)
    yield from literal_faults(f"{path}.speed", driver.speed, freedom.rate_dimension)
    yield from literal_faults(f"{path}.acceleration", driver.acceleration, freedom.acceleration_dimension)
    yield from literal_faults(f"{path}.initial", driver.initial, freedom.dimension)
    yield from literal_faults(f"{path}.initial_speed", driver.initial_speed, freedom.rate_dimension)


def _initial(draft: DraftModel, path: str, driver: Driver, freedom: Freedom) -> Iterator[Fault]:
    given = draft.initial.get(driver.joint, {})
    for key in (freedom.name, freedom.rate):
        if key not in given:
            continue
        hint = "leave it out"
        if key == freedom.name and driver.level != "position":
            hint = f"write it as {path}.initial"
        elif key == freedom.rate and driver.level == "acceleration":
            hint = f"write it as {path}.initial_speed"
        yield Fault(f"initial.{driver.joint}.{key}", f"conflicts with {path}, which prescribes it", hint)
