"""What the declarations of all joints have in common; ``joint_kinds`` makes one for every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, cast

from pydantic import Field

from linkwork.algebra.expressions import Expression
from linkwork.algebra.renames import write_names
from linkwork.algebra.space import space_named
from linkwork.elements.joints import Freedom, JointKind
from linkwork.elements.joints.clearance import LOOSE
from linkwork.elements.rubbing import RUBS, SEVERAL
from linkwork.errors import Fault
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.element import Element, declared_kind
from linkwork.model.fields import Read, Value, VectorOfExpressions, literal_faults, read_name, read_names
from linkwork.model.joint_clearance import ClearanceField, clearance_faults
from linkwork.model.joint_limits import Ends, FrictionField, JointStop, LimitsField, StopsField

GROUND = "ground"
"""Reserved name of the body that does not move."""


def _read_at(value: Any) -> tuple[str, ...]:
    """One point name for both bodies, or the points on parent and child."""
    return (read_name(value),) if isinstance(value, str) else read_names(value, 2)


def _write_at(value: tuple[str, ...] | None) -> Any:
    if value is None:
        return None
    return write_names(value[0] if len(value) == 1 else value)


_AT_SCHEMA = {
    "description": "the point of the joint, or [point on parent, point on child]; default: the point of its name",
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
    ],
}
_BODIES = Read(
    lambda value: read_names(value, 2),
    {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 2,
        "description": "[parent, child]; 'ground' is the frame; all bodies on the pin of a revolute or spherical joint",
    },
    write_names,
)


class Joint(Element):
    """A joint between two bodies: the child (second) moves relative to the parent (first). ``kind`` says which."""

    MECHANICS: ClassVar[JointKind]

    if TYPE_CHECKING:
        kind: str
    bodies: Annotated[tuple[str, str], _BODIES] = Field(
        description="[parent, child]; 'ground' is the frame", examples=[["ground", "crank"]]
    )
    at: Annotated[tuple[str, ...], Read(_read_at, _AT_SCHEMA, _write_at)] | None = None
    reference: Value | None = Field(
        None,
        description="value of the joint coordinate at the sketch; "
        "default: from the axes of the bodies (plane), 0 (space)",
    )
    limits: LimitsField | None = None
    stops: StopsField | None = None
    friction: FrictionField | None = None
    clearance: ClearanceField | None = None

    def __new__(cls, /, **data: Any) -> Self:
        kind: Any = declared_kind(data, JOINT_KINDS, one="joint") if cls is Joint else cls
        return cast("Self", super().__new__(kind))

    def __reduce__(self) -> tuple[Any, ...]:
        return _joint, (self.to_dict(),)

    @property
    def parent(self) -> str:
        """Name of the first body."""
        return self.bodies[0]

    @property
    def child(self) -> str:
        """Name of the second body."""
        return self.bodies[1]

    @property
    def directions(self) -> tuple[VectorOfExpressions, ...]:
        """Its axes as they are given: none, one or two."""
        return ()

    @property
    def space(self) -> str:
        """The space that it is declared for: kinds for both, of which the coordinates differ, have an axis to tell."""
        spaces = self.MECHANICS.spaces
        return spaces[-1] if any(len(axis) == 3 for axis in self.directions) else spaces[0]

    @property
    def mechanics(self) -> JointKind:
        """What moves in it: with a clearance everything."""
        return self.MECHANICS if self.clearance is None else LOOSE.get((self.kind, self.space), self.MECHANICS)

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        """The scalar coordinates of this joint."""
        return self.mechanics.scalars(space_named(self.space))

    @property
    def spins(self) -> bool:
        """Whether the child can turn anyhow."""
        return self.mechanics.spins(space_named(self.space))

    @property
    def followers(self) -> tuple[str, ...]:
        """Names of the lengths that follow a freedom, of their rates and accelerations."""
        followers = self.MECHANICS.followers(space_named(self.space))
        return tuple(name for f in followers for name in (f.name, f.rate, f"{f.name}_acceleration"))

    @property
    def numbers(self) -> dict[str, Expression]:
        """What joints of this kind differ by, by key."""
        return {key: getattr(self, key) for key in self.MECHANICS.numbers}

    @property
    def ranges(self) -> dict[str, Ends]:
        """The limits by coordinate."""
        if isinstance(self.limits, tuple):
            return {self.freedoms[0].name: self.limits} if self.freedoms else {}
        return dict(self.limits or {})

    def stop(self, freedom: str) -> JointStop:
        """What a coordinate meets at its limits."""
        if isinstance(self.stops, dict):
            return self.stops.get(freedom, JointStop())
        return self.stops or JointStop()

    @property
    def rubs(self) -> bool:
        """Whether it has friction of a kind that acts in runs."""
        return (
            self.friction is not None
            and self.kind in RUBS
            and (self.kind not in SEVERAL or self.friction.smoothing is not None or self.friction.coefficient is None)
        )

    def freedom(self, name: str | None = None) -> Freedom | None:
        """The freedom with that coordinate name, or the only one; None when it is not there or not unique.

        The only one of a joint with clearance is that which it would have without, where it is still there.
        """
        if name is None:
            own = self.MECHANICS.scalars(space_named(self.space))
            return own[0] if len(own) == 1 and own[0] in self.freedoms else None
        return next((freedom for freedom in self.freedoms if freedom.name == name), None)

    def faults(self, draft: DraftNumbers, path: str) -> Iterator[Fault]:
        """Faults of this kind that show when the rest of the model is known."""
        if draft.space is not None and draft.space not in self.MECHANICS.axes:
            kinds = ", ".join(name for name, kind in JOINT_KINDS.items() if draft.space in kind.MECHANICS.axes)
            where = "in space" if draft.space == "planar" else "in the plane"
            if self.kind == "planar":
                kinds += "; a body without a joint floats with its three freedoms, or has two prismatic joints"
            yield Fault(f"{path}.kind", f"a {self.kind} joint needs a model {where}", f"{draft.space} kinds: {kinds}")
        elif draft.space is not None:
            yield from self._axis_faults(draft, path)
        for key, number in self.MECHANICS.described.items():
            if number.otherwise and draft.number(getattr(self, key)) == 0.0:
                yield Fault(f"{path}.{key}", "is zero", number.otherwise)
        if self.clearance is not None:
            yield from clearance_faults(draft, f"{path}.clearance", self.clearance, self.kind, self.space)
        freedom = self.freedom()
        if self.reference is not None and freedom is None:
            yield Fault(
                f"{path}.reference", f"a {self.kind} joint does not have exactly one coordinate", "leave it out"
            )
        elif freedom is not None:
            yield from literal_faults(f"{path}.reference", self.reference, freedom.dimension)

    def _axis_faults(self, draft: DraftNumbers, path: str) -> Iterator[Fault]:
        yield from ()


JOINT_KINDS: dict[str, type[Joint]] = {}
"""Declarations by kind."""


def _joint(data: dict[str, Any]) -> Joint:
    """A joint from its plain data, in another process too."""
    return Joint(**data)
