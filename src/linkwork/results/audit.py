"""The audit of a run: what it says about itself by quantities that its integrator did not use.

    audit passed: energy 3e-9 of 135 J, closure 2e-15 m, branch kept

``docs/theory/audit.md`` has the equations, and what each check can and cannot see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from linkwork.answer import Answer, Column


@dataclass(frozen=True)
class Check:
    """One measure of a run: its value, what is allowed, and both in words.

    name: 'energy', 'closure', 'velocities', 'accelerations', 'speeds', 'steps', 'momentum', 'branch', 'numbers', 'power'
    text: the part of the line, such as 'energy 3e-9 of 135 J'; '' where only a failure is worth a word
    finding: what failed and what to do, '' where nothing did
    """

    name: str
    value: float
    allowed: float
    text: str = ""
    finding: str = ""

    @property
    def passed(self) -> bool:
        """Whether the value is a number, and as small as it should be."""
        return bool(self.value <= self.allowed)


@dataclass(frozen=True, repr=False)
class Audit(Answer):
    """All checks of a run. Printed, it is one line, and one more for everything that failed.

    unchecked: what could not be looked at, and why; skipped: why there was no audit at all
    """

    view = "checks.plot_audit"

    checks: tuple[Check, ...] = ()
    unchecked: tuple[str, ...] = ()
    skipped: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether every check did; None where there was no audit."""
        return None if self.skipped else all(check.passed for check in self.checks)

    @property
    def findings(self) -> tuple[str, ...]:
        """What failed, in words, and what to do."""
        return tuple(check.finding or check.text for check in self.checks if not check.passed)

    def __getitem__(self, name: str) -> Check:
        """A check by its name."""
        found = {check.name: check for check in self.checks}
        if name not in found:
            raise KeyError(f"this audit has no check '{name}'; it has {', '.join(found) or 'none'}")
        return found[name]

    def __contains__(self, name: object) -> bool:
        return any(check.name == name for check in self.checks)

    @property
    def line(self) -> str:
        """One line without its heading: 'energy 3e-9 of 135 J, closure 2e-15 m, branch kept'."""
        if self.skipped:
            return f"none ({self.skipped})"
        parts = [check.text for check in self.checks if check.text]
        parts += [f"{item} not checked" for item in self.unchecked]
        verdict = "passed: " if self.passed else "FAILED: "
        return verdict + (", ".join(parts) or "nothing to check")

    @property
    def title(self) -> str:
        return f"audit: {self.line}" if self.skipped else f"audit {self.line}"

    def report(self) -> tuple[str, ...]:
        """What failed."""
        return self.findings

    def columns(self) -> list[Column]:
        """The checks: what was found, and what is allowed."""
        names, heads = [check.name for check in self.checks], ("value", "allowed", "text", "finding")
        numbers = [Column(head, [getattr(check, head) for check in self.checks], "1") for head in heads[:2]]
        texts = [Column(head, [getattr(check, head) for check in self.checks]) for head in heads[2:]]
        return [Column("check", names), *numbers, *texts]

    def __bool__(self) -> bool:
        return self.passed is not False

    def stored(self) -> dict[str, Any]:
        """Plain data, for files of results."""
        return {
            "checks": [{key: _storable(value) for key, value in asdict(check).items()} for check in self.checks],
            "unchecked": list(self.unchecked),
            "skipped": self.skipped,
        }

    @classmethod
    def restored(cls, data: Mapping[str, Any]) -> Audit:
        """An audit as a file has it."""
        checks = [Check(**{**item, "value": float(item["value"])}) for item in data["checks"]]
        return cls(tuple(checks), tuple(data["unchecked"]), data["skipped"])


@dataclass(frozen=True)
class KeptAudit:
    """What gives an audit that was made before."""

    audit: Audit

    def __call__(self) -> Audit:
        return self.audit


NOT_ASKED = Audit(skipped="audit=False")
NOT_KEPT = Audit(skipped="the file has none")


def largest(values: Any) -> float:
    """The largest size of all numbers; not a number where one of them is none."""
    return float(np.max(np.abs(np.asarray(values)), initial=0.0))


def short(value: float) -> str:
    """A measure as a person reads it: 3e-09, 0.012."""
    return "0" if value == 0.0 else f"{value:.1g}" if value < 1e-3 else f"{value:.2g}"


def _storable(value: Any) -> Any:
    # JSON has no word for these
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value
