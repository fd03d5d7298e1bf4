"""Declarations of switches: what connects, grounds and releases bodies while a mechanism runs, and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault
from linkwork.model.element import STATE, Element
from linkwork.model.fields import (
    ElementName,
    ForceValue,
    Read,
    TorqueValue,
    Value,
    as_list,
    read_each,
    read_scalar,
    scalar_schema,
)
from linkwork.model.joint import GROUND

ACTIONS = ("connect", "ground", "release")
ANYWHERE = "anywhere"
"""How far open a joint may be that closes wherever its bodies are."""


def _read_times(value: Any) -> tuple[Expression, ...]:
    items = as_list(value)
    if items is None:
        return (read_scalar(value, "time"),)
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, lambda item: read_scalar(item, "time"))


def _read_catching(value: Any) -> Expression | str:
    return ANYWHERE if value == ANYWHERE else read_scalar(value, "length")


_TIMES = Read(_read_times, {"anyOf": [*scalar_schema("time")["anyOf"], {"type": "array"}]})
_CATCHING = Read(_read_catching, {"anyOf": [*scalar_schema("length")["anyOf"], {"const": ANYWHERE}]})


class JointSwitch(Element):
    """Something that happens at times, at zeros of a formula, under a load, or by hand: one joint closes or opens."""

    SCOPES: ClassVar = {"when": STATE}

    connect: ElementName | None = Field(None, description="name of the connection that closes; default: none")
    ground: ElementName | None = Field(
        None, description="name of the body that is fixed to the ground where it is; default: none"
    )
    release: ElementName | None = Field(
        None, description="name of the connection, or of the switch that grounds a body, that opens; default: none"
    )
    at: Annotated[tuple[Expression, ...], _TIMES] | None = Field(
        None, description="time or times at which it acts, s; default: none", examples=["2 s"]
    )
    when: Value | None = Field(
        None,
        description="formula of t, state and parameters at whose zeros it acts; default: none",
        examples=["arm.P.y - 0.3"],
    )
    crossing: Literal["falling", "rising", "either"] = Field(
        "either", description="which zeros: of a formula that falls, that rises, or of both; default: either"
    )
    force: ForceValue | None = Field(
        None, description="of release: it opens where the force in it exceeds this, N; default: none"
    )
    moment: TorqueValue | None = Field(
        None, description="of release: it opens where the moment in it exceeds this, N*m; default: none"
    )
    catching: Annotated[Expression | str, _CATCHING] | None = Field(
        None,
        description="of connect: how far open it may be where it closes, or anywhere; default: closed but for rounding",
        examples=["1 mm"],
    )
    otherwise: Literal["stop", "pass"] = Field(
        "stop", description="of connect, where it is farther open: the run stops, or it passes; default: stop"
    )

    @property
    def action(self) -> str:
        """'connect', 'ground' or 'release'."""
        return next(action for action in ACTIONS if getattr(self, action) is not None)

    @property
    def sides(self) -> int:
        """How many zeros it waits for: of times, and of its formula."""
        return len(self.at or ()) + (self.when is not None)

    @property
    def by_hand(self) -> bool:
        """Whether nothing but a hand moves it."""
        return all(getattr(self, key) is None for key in ("at", "when", "force", "moment"))

    @property
    def told(self) -> str:
        """What it does and when, in words."""
        moments = [f"at {' and '.join(map(str, self.at))}"] if self.at else []
        if self.when is not None:
            way = {"falling": " falling", "rising": " rising"}.get(self.crossing, "")
            moments.append(f"where {self.when} is zero{way}")
        for key in ("force", "moment"):
            if getattr(self, key) is not None:
                moments.append(f"where its {key} exceeds {getattr(self, key)}")
        return f"{self.action}s {getattr(self, self.action)} {', or '.join(moments) or 'by hand'}"

    def own_faults(self) -> Iterator[Fault]:
        given = [action for action in ACTIONS if getattr(self, action) is not None]
        if len(given) != 1:
            reason = "nothing is done" if not given else f"does {' and '.join(given)}"
            yield Fault("", reason, "write one of connect: hook, ground: leg, release: hook")
            return
        if self.ground == GROUND:
            yield Fault("ground", "grounds the ground, which does not move", "name a body")
        if self.crossing != "either" and self.when is None:
            yield Fault("crossing", "goes with when", "write when: and a formula, or leave it out")
        for key in ("force", "moment"):
            if getattr(self, key) is not None and given[0] != "release":
                yield Fault(key, f"goes with release; this is {given[0]}", "leave it out")
        if self.catching is not None and given[0] != "connect":
            yield Fault("catching", f"goes with connect; this is {given[0]}", "leave it out")
        if self.otherwise != "stop" and given[0] != "connect":
            yield Fault("otherwise", f"goes with connect; this is {given[0]}", "leave it out")
        if given[0] == "connect" and self.by_hand:
            yield Fault("", "connects at no time", "write at: 2 s or when: and a formula; by hand needs no switch")
        if given[0] == "release" and self.by_hand:
            yield Fault("", "releases at no time", "write at, when, force or moment; by hand needs no switch")
