"""The description of a mechanism: who is connected to whom, with which element. No numerics."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field

from linkwork.algebra.expressions import Expression, known_definitions, parse, to_float, with_definitions
from linkwork.algebra.given import Along, Parameters
from linkwork.algebra.renames import Renames, is_other, names_written, spelt, write_names
from linkwork.answer.grid import brief
from linkwork.errors import ExpressionError, Fault, ModelError
from linkwork.model.bare_angles import bare_angles
from linkwork.model.body import Body
from linkwork.model.checks import all_faults
from linkwork.model.contacts import Contact
from linkwork.model.couplings import ALL_COUPLINGS, CouplingElement
from linkwork.model.definitions import Definition
from linkwork.model.drive import Driver
from linkwork.model.element import Element
from linkwork.model.fields import (
    Acceleration,
    Position,
    Read,
    Value,
    names_schema,
    read_names,
    scalar_schema,
    vector_schema,
    write,
)
from linkwork.model.forces import ALL_FORCES, AppliedForce
from linkwork.model.frozen import Constant
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.joint_kinds import JOINT_KINDS
from linkwork.model.live import with_live
from linkwork.model.mistaken_units import mistaken_units
from linkwork.model.moving_base import MovingBase
from linkwork.model.parameters import Parameter, evaluate_parameters, in_si
from linkwork.model.places import locate
from linkwork.model.reading import read_draft
from linkwork.model.relations import ALL_RELATIONS, RelationElement
from linkwork.model.remarks import remarks
from linkwork.model.report import count, report
from linkwork.model.seats import Seats, joint_points
from linkwork.model.sections import SECTIONS, read_branch, read_initial_value
from linkwork.model.start import StartPose
from linkwork.model.surfaces import Surface
from linkwork.model.switches import JointSwitch
from linkwork.shown import markup

V = TypeVar("V")
_INITIAL_SCHEMA = {"anyOf": [*scalar_schema("any")["anyOf"], vector_schema("any", (3,))]}
_Initial = Annotated[Expression | tuple[Expression, ...], Read(read_initial_value, _INITIAL_SCHEMA)]
_Branch = Annotated[str, Read(read_branch, {"anyOf": [{"type": "string"}, {"type": "integer"}]})]
_Group = Annotated[tuple[str, ...], Read(read_names, names_schema(None, "names of bodies"), write_names)]
_ParameterField = Annotated[
    Parameter,
    BeforeValidator(lambda value: value, json_schema_input_type=float | str | Parameter),
]
if TYPE_CHECKING:
    _JointField = Joint
    _ForceField = AppliedForce
    _RelationField = RelationElement
    _CouplingField = CouplingElement
else:
    _JointField = Annotated[reduce(or_, JOINT_KINDS.values()), Field(discriminator="kind")]
    _ForceField = Annotated[reduce(or_, ALL_FORCES), Field(discriminator="kind")]
    _RelationField = Annotated[reduce(or_, ALL_RELATIONS), Field(discriminator="kind")]
    _CouplingField = Annotated[reduce(or_, ALL_COUPLINGS), Field(discriminator="kind")]


def renew_kinds() -> None:
    """Let models have the kinds of elements that were added."""
    mapping: Any = dict
    for section in SECTIONS:
        if section.kinds is not None:
            any_of: Any = reduce(or_, section.kinds.values())
            if len(section.kinds) > 1:
                any_of = Annotated[any_of, Field(discriminator="kind")]
            Model.model_fields[section.name].annotation = mapping[str, any_of]
    Model.model_rebuild(force=True)


class Model(Constant):
    """A mechanism as declared: constant, checked, and complete.

    Elements are given as objects (``Body(...)``) or as the plain dictionaries of a file. All faults are reported at
    once in a ModelError. Nothing in a model can be changed; ``with_`` makes a changed one. Models of the same content
    are equal, whatever the order of their elements, and can be keys of dictionaries.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    linkwork: Literal[1] = Field(1, description="version of the file format")
    name: str = Field("", description="title of the mechanism; default: empty")
    description: str = Field("", description="what it is, for people; default: empty")
    notes: tuple[str, ...] = Field(
        (), description="what every report says of it, such as what a file of another format has besides; default: none"
    )
    renames: dict[str, str] = Field(
        {},
        description="what elements are called whose names cannot stand in formulas, by their names there; "
        "default: found",
        examples=[{"left_knee": "left-knee"}],
    )
    space: Literal["planar", "spatial"] = Field(description="planar: x-y plane; spatial: x, y, z")
    gravity: Acceleration = Field((), description="acceleration of gravity, m/s^2; default 0", examples=[[0, -9.81]])
    base: MovingBase | None = Field(None, description="known motion of the ground; default: it rests")
    parameters: dict[str, _ParameterField] = Field(
        {}, description="named numbers; live ones may be varied later; default: none"
    )
    definitions: dict[str, Definition] = Field(
        {},
        description="formulas of t, parameters and quantities of the state that other formulas use by their names, and "
        "tables over t; default: none",
        examples=[{"pressure": "p_max*exp(-30*t)", "pull": "pressure*area"}],
    )
    points: dict[str, Position] = Field({}, description="the sketch: positions in world axes, m; default: none")
    bodies: dict[str, Body] = Field({}, description="rigid bodies by name; 'ground' is always there; default: none")
    joints: dict[str, _JointField] = Field({}, description="joints by name; default: none")
    couplings: dict[str, _CouplingField] = Field(
        {},
        description="linear relations between joint coordinates: gears, racks, belts, planetary trains; default: none",
    )
    relations: dict[str, _RelationField] = Field(
        {}, description="conditions between bodies that are no joints: rods, curves, cams, cables; default: none"
    )
    surfaces: dict[str, Surface] = Field(
        {}, description="what touches and has no mass, on the ground or on bodies; default: none"
    )
    contacts: dict[str, Contact] = Field(
        {}, description="who touches whom, with friction, restitution or stiffness; default: nothing touches"
    )
    switches: dict[str, JointSwitch] = Field(
        {}, description="what connects, grounds and releases bodies during a run; default: none"
    )
    drivers: dict[str, Driver | Guide] = Field(
        {}, description="prescribed motions of joint coordinates, bodies or points; default: none"
    )
    forces: dict[str, _ForceField] = Field(
        {}, description="forces, torques, actuators and springs by name; default: none"
    )
    initial: dict[str, dict[str, _Initial]] = Field(
        {},
        description="initial values by joint or floating body; default: at rest, as sketched",
        examples=[{"O": {"speed": "2 rad/s"}}],
    )
    start: dict[str, StartPose] = Field(
        {},
        description="where bodies stand when the assembly begins, if not as drawn: an assembly mode, for example; "
        "default: as drawn",
    )
    branches: dict[str, _Branch] = Field(
        {},
        description="assembly branches by block (its joints joined by '-') or by one of its joints; default: as drawn",
        examples=[{"A-B-C": "left"}],
    )
    groups: dict[str, _Group] = Field(
        {},
        description="bodies that are looked at together: their centre of mass, momentum and inertia are quantities; "
        "default: none",
        examples=[{"upper_body": ["torso", "head", "arm"]}],
    )
    outputs: dict[str, Value] = Field(
        {}, description="named formulas of t, parameters and quantities of the state; default: none"
    )

    def __init__(self, /, **data: Any) -> None:
        draft = read_draft(data)
        faults = all_faults(draft)
        if faults:
            told = Renames({new: old for new, old in draft.renames.items() if new not in data.get("renames", ())}).told
            found = [Fault(told(fault.path), fault.reason, fault.suggestion) for fault in faults]
            raise ModelError(found, source=f"model '{draft.name}'" if draft.name else "model")
        super().__init__(**{key: getattr(draft, key) for key in type(self).model_fields if key != "linkwork"})
        self._freeze()

    @cached_property
    def seats(self) -> Seats:
        """Where its joints sit."""
        return Seats(self.points, self.bodies, self.joints)

    # -- drivers -----------------------------------------------------------------------------------------------------

    @property
    def joint_drivers(self) -> dict[str, Driver]:
        """The drivers of joint coordinates."""
        return {name: driver for name, driver in self.drivers.items() if isinstance(driver, Driver)}

    @property
    def guides(self) -> dict[str, Guide]:
        """The drivers of bodies and points."""
        return {name: driver for name, driver in self.drivers.items() if isinstance(driver, Guide)}

    # -- names -------------------------------------------------------------------------------------------------------

    @cached_property
    def names_of_users(self) -> Renames:
        """What elements are called outside of formulas."""
        return Renames(self.renames)

    def named(self, name: str) -> str:
        """The name in formulas and tables of an element or quantity as it is called: left_knee.angle of left-knee.angle."""
        return self.names_of_users.of(name)

    def with_names(self, given: Mapping[str, V] | None) -> dict[str, V]:
        """What is given by names of users, by those of the model."""
        return {self.named(name): item for name, item in (given or {}).items()}

    # -- parameters --------------------------------------------------------------------------------------------------

    @property
    def live_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that stay inputs of the compiled functions, in declaration order."""
        return tuple(name for name, parameter in self.parameters.items() if parameter.live)

    def parameter_values(self, parameters: Parameters | None = None) -> dict[str, float]:
        """SI values of all parameters; *parameters* replace live ones and act on all that depend on them."""
        return evaluate_parameters(self.parameters, self.with_names(parameters))

    def in_si(self, parameters: Parameters | None) -> dict[str, float]:
        """Values of some parameters, numbers or texts with units, in SI."""
        return in_si(self.parameters, self.with_names(parameters))

    def series_in_si(self, along: Along) -> dict[str, list[float]]:
        """The same of parameters with many values each."""
        return {
            name: [self.in_si({name: value})[self.named(name)] for value in series] for name, series in along.items()
        }

    def number(self, expression: Expression, parameters: Parameters | None = None) -> float:
        """The SI value of a formula of parameters."""
        return to_float(expression, self.parameter_values(parameters).__getitem__)

    # -- what is said of it --------------------------------------------------------------------------------------------

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What is declared and does not act, or on something that may not be meant; every report and result says it."""
        return (*remarks(self), *bare_angles(self))

    # -- formulas ----------------------------------------------------------------------------------------------------

    def formula(self, text: str) -> Expression:
        """A formula of a text, with the definitions of the model."""
        self.names_of_users.check_formula(text)
        formula = parse(text)
        names = dict.fromkeys(self.parameters, "parameter") | dict.fromkeys(self.definitions, "definition")
        for fault in mistaken_units(formula, names):
            raise ExpressionError(f"{fault.reason}\n    -> {fault.suggestion}")
        with known_definitions(self.definitions):
            return with_definitions(formula)

    @property
    def named_formulas(self) -> dict[str, Expression]:
        """Definitions and outputs, which are quantities of every result."""
        return {**self.definitions, **self.outputs}

    # -- places ------------------------------------------------------------------------------------------------------

    def locate(self, reference: str, body: str | None = None) -> tuple[str, str]:
        """(body, point) of a reference such as ``P``, ``coupler.P`` or ``ground.O``."""
        return locate(self, reference, body)

    def joint_points(self, joint: str) -> tuple[str, str]:
        """Names of the joint's point on its parent and on its child."""
        return joint_points(joint, self.joints[joint])

    # -- changed models ----------------------------------------------------------------------------------------------

    def with_(self, **changes: Any) -> Model:
        """The same mechanism with some parts changed, checked anew.

        Sections take names: ``with_(bodies={"coupler": Body(...)})`` replaces or adds this body, ``{"coupler": None}`` takes
        it out, and the others stay; ``with_(drivers=None)`` empties a section. In ``initial`` single values are changed:
        ``with_(initial={"O": {"speed": 2}})``. All else is replaced: ``with_(name="other", gravity=(0, -1.62))``.
        """
        given = {key: getattr(self, key) for key in type(self).model_fields}
        sections = {section.name for section in SECTIONS}
        named = {
            key: self.with_names(change) if key in sections and isinstance(change, Mapping) else change
            for key, change in changes.items()
        }
        return Model(**given | {key: _changed(given.get(key), change) for key, change in named.items()})

    @cached_property
    def content(self) -> str:
        """All that a file of the model holds, in its order, as one text: what compiled code is remembered by."""
        return repr(self.to_dict())

    def with_live(self, *places: str) -> Model:
        """The same mechanism with numbers of it as live parameters, which runs change without compiling again.

        places: parameters, or where the numbers stand: ``"points.A"``, ``"bodies.crank.mass"``, a whole section such as
        ``"forces"``. By default all points of the sketch and the lengths of bodies. New parameters are named after their
        places (``A_x``, ``crank_length``) and listed by ``live_parameters``; formulas get their own parameters live.
        """
        return Model(**with_live(self, tuple(map(self.named, places))))

    # -- branches ----------------------------------------------------------------------------------------------------

    def with_branches(self, branches: Mapping[str, str]) -> Model:
        """The same mechanism, assembled in other branches; those of other joints stay as they are."""
        branches = {self.names_of_users.of_block(key): branch for key, branch in branches.items()}
        changed = {joint for key in branches for joint in key.split("-")}
        kept = {key: branch for key, branch in self.branches.items() if changed.isdisjoint(key.split("-"))}
        unchanged = {key: getattr(self, key) for key in type(self).model_fields}
        return Model(**{**unchanged, "branches": {**kept, **branches}})

    # -- writing -----------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as in a file, that constructs an equal model; empty sections are left out."""
        derived = {new for new, old in self.renames.items() if is_other(old) and spelt(old) == new}
        with names_written(self.names_of_users):
            return self._written({new: old for new, old in self.renames.items() if new not in derived})

    def plain(self) -> dict[str, Any]:
        """The same data, with the names that formulas have."""
        return self._written(dict(self.renames))

    def _written(self, renames: dict[str, str]) -> dict[str, Any]:
        data: dict[str, Any] = {"linkwork": 1}
        texts = {"name": self.name, "description": self.description, "notes": list(self.notes)}
        data |= {key: text for key, text in texts.items() if text}
        data["renames"] = renames
        data |= {"space": self.space, "gravity": write(self.gravity)}
        data["base"] = {} if self.base is None else self.base.to_dict()
        for section in SECTIONS:
            entries = getattr(self, section.name).items()
            written = section.write or _written
            data[section.name] = write_names({name: written(entry) for name, entry in entries})
        return {key: value for key, value in data.items() if value != {}}

    def __str__(self) -> str:
        return report(self)

    def __repr__(self) -> str:
        counts = f"{count(self.bodies, 'bod', 'y', 'ies')}, {count(self.joints, 'joint')}"
        return f"<{self.space} Model {brief(self.name, 60)!r}: {counts}>"

    def _repr_html_(self) -> str:
        return markup("cells.model_markup", self)


def _changed(kept: Any, change: Any) -> Any:
    """A part of a model after a change: of mappings the names are replaced or added, and those that are None go."""
    if not (isinstance(kept, Mapping) and isinstance(change, Mapping)):
        return change
    merged = {**kept, **{name: _changed(kept.get(name), item) for name, item in change.items()}}
    return {name: item for name, item in merged.items() if item is not None}


def _written(entry: Any) -> Any:
    """An entry of a section as plain data; a parameter that is a value alone is written as one."""
    if isinstance(entry, tuple) and all(isinstance(item, str) for item in entry):
        return write_names(entry)
    data = entry.to_dict() if isinstance(entry, Element) else write(entry)
    return data["value"] if isinstance(entry, Parameter) and set(data) == {"value"} else data
