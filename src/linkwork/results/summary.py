"""A result in a few lines of text."""

from __future__ import annotations

from collections.abc import Mapping

from linkwork.results.run_record import RunRecord

Fact = tuple[str, str]


def summarise(result: RunRecord) -> list[Fact]:
    """Rows (label, text): outcome, span, settings, statistics, quality, events, quantities."""
    rows: list[Fact] = [("outcome", str(result.outcome)), (result.variable.name, _span(result))]
    if result.settings:
        rows.append(("settings", _pairs(result.settings)))
    if result.statistics:
        rows.append(("statistics", _pairs(result.statistics)))
    rows += _quality(result)
    if result.events:
        rows.append(("events", "\n".join(_shortened([str(event) for event in result.events], 8))))
    if result.modes.loose:
        rows.append(("modes", result.modes.line))
    names = result.names()
    rows.append(("quantities", f"{len(names)}: " + ", ".join(_shortened(names, 8))))
    return rows


def _span(result: RunRecord) -> str:
    if not len(result):
        return "no samples"
    count = f"{len(result)} sample{'s' if len(result) != 1 else ''}"
    unit = f" {result.variable.unit}" if result.variable.unit else ""
    return f"{result.time[0]:g} to {result.time[-1]:g}{unit}, {count}"


def _pairs(pairs: Mapping[str, float | int | str] | Mapping[str, str]) -> str:
    return ", ".join(f"{k} {_number(v)}" for k, v in pairs.items())


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _quality(result: RunRecord) -> list[Fact]:
    audit = result.audit
    rows = [("audit", "\n".join([audit.line, *audit.findings]))]
    rows = rows if result.auditor is not None else []
    return [*rows, ("accuracy", str(result.accuracy))] if result.accuracy is not None else rows


def _shortened(entries: list[str], most: int) -> list[str]:
    return entries if len(entries) <= most else [*entries[:most], f"... and {len(entries) - most} more"]
