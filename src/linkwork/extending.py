"""``register(thing)``: kinds of elements, coordinates, formulations, integrators and formats from outside the package.

A package that is installed can offer them by entry points instead, and nobody needs to import it::

    [project.entry-points.linkwork]
    quadratic_drag = "my_package:QuadraticDrag"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, MutableSequence
from typing import Any, Literal, TypeVar, get_args, get_origin

import numpy as np

from linkwork.algebra.space import PLANAR, SPATIAL, space_named
from linkwork.analysis.prepared.memo import make_anew
from linkwork.coordinates.base import CoordinateKind
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.elements.joints import JointKind, add_joint
from linkwork.elements.joints.claims import claim_faults
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.errors import RefusedError
from linkwork.formats.base import Format
from linkwork.formats.native import ALL_FORMATS
from linkwork.model.body import BODY_KINDS, Body
from linkwork.model.couplings import COUPLING_KINDS, CouplingElement
from linkwork.model.forces import FORCE_KINDS, AppliedForce
from linkwork.model.joint_kinds import JOINT_KINDS, declaration_of
from linkwork.model.model import renew_kinds
from linkwork.model.relations import RELATION_KINDS, RelationElement
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method

T = TypeVar("T")


def register(thing: T) -> T:
    """Add a kind of body, force, relation, coupling, joint or coordinates, a formulation, an integrator or a format.

    thing: a class of declarations (``Body``, ``AppliedForce``, ``RelationElement``, ``CouplingElement``), or an object: a
    ``JointKind``, ``CoordinateKind``, ``Formulation``, ``Method`` or ``Format``. From then on its name works wherever those
    of Linkwork do; what is defined again in the same place takes that of the former one. It is returned as it is, so that
    this can stand above a class.
    """
    for kind, add in _PLACES:
        if isinstance(thing, kind) or (isinstance(thing, type) and issubclass(thing, kind)):
            add(thing)
            make_anew()  # what was made of models with a former one
            return thing
    known = ", ".join(kind.__name__ for kind, _ in _PLACES)
    raise RefusedError(f"{thing!r} is nothing that can be registered: it is none of {known}")


def _check_new(thing: Any, name: str, known: Mapping[str, Any], what: str) -> None:
    """Refuse a name that another thing has; the same one again, as from a cell of a notebook, takes the former's place."""
    if name in known and _origin(known[name]) != _origin(thing):
        raise RefusedError(f"there is {_a(what)} '{name}' already; give this one another name")


def _origin(thing: Any) -> tuple[str, ...]:
    """Where a thing is defined; what is data alone is told by what it says of itself."""
    if isinstance(thing, Method):
        return thing.title, thing.source
    made = thing.read if isinstance(thing, Format) else thing
    made = made if hasattr(made, "__qualname__") else type(made)
    return made.__module__, made.__qualname__


def _a(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _kind(kinds: MutableMapping[str, Any], what: str) -> Callable[[Any], None]:
    def add(declaration: Any) -> None:
        name = _declared_kind(declaration, what)
        _check_new(declaration, name, kinds, what)
        _declare(kinds, name, declaration, what)

    return add


def _declare(kinds: MutableMapping[str, Any], name: str, declaration: Any, what: str) -> None:
    """Let models have a declaration, or leave all as it was."""
    former = dict(kinds)
    kinds[name] = declaration
    try:
        renew_kinds()
    except Exception as error:
        kinds.clear()
        kinds.update(former)
        renew_kinds()
        raise RefusedError(f"'{declaration.__name__}' cannot be {_a(what)}: {error}") from error


def _declared_kind(declaration: Any, what: str) -> str:
    """The name under which models ask for it."""
    field = getattr(declaration, "model_fields", {}).get("kind") if isinstance(declaration, type) else None
    name = getattr(field, "default", None)
    if field is None or get_origin(field.annotation) is not Literal or get_args(field.annotation) != (name,):
        raise RefusedError(
            f"{declaration!r} cannot be {_a(what)}: it is a class with a key such as kind: Literal['magnet'] = 'magnet'"
        )
    missing = sorted(getattr(declaration, "__abstractmethods__", ()))
    if missing:
        raise RefusedError(f"'{declaration.__name__}' cannot be {_a(what)}: it has no {', '.join(missing)}")
    return str(name)


def _object(thing: Any, what: str) -> Any:
    """An object of a class that is given, with its name."""
    try:
        entry = thing() if isinstance(thing, type) else thing
        assert isinstance(entry.name, str)
    except (TypeError, AttributeError, AssertionError) as error:
        raise RefusedError(f"{thing!r} cannot be {_a(what)}: it needs a name, and all methods ({error})") from error
    return entry


def _joint(kind: Any) -> None:
    joint = _object(kind, "kind of joint")
    _check_new(joint, joint.name, {name: kind.MECHANICS for name, kind in JOINT_KINDS.items()}, "kind of joint")
    missing = [key for key in joint.numbers if not hasattr(joint, key)]
    if missing:
        raise RefusedError(
            f"'{joint.name}' has a number '{missing[0]}': give it an attribute of this name, its default"
        )
    if not joint.axes or not {*joint.axes} <= {PLANAR.name, SPATIAL.name}:
        raise RefusedError(
            f"'{joint.name}' has axes = {dict(joint.axes)}; it is {{'planar': 1}}, or 'spatial', or both"
        )
    declaration, rng = declaration_of(joint), np.random.default_rng(0)
    try:
        faults = [x for space in map(space_named, joint.spaces) for x in claim_faults(joint, space, rng, 1.0)]
    except Exception as error:
        raise RefusedError(f"'{joint.name}' cannot be a kind of joint: {type(error).__name__}: {error}") from error
    if faults:
        raise RefusedError(f"'{joint.name}' cannot be a kind of joint: {'; '.join(faults)}")
    _declare(JOINT_KINDS, joint.name, declaration, "kind of joint")
    add_joint(joint)


def _entry(entries: MutableSequence[Any], what: str) -> Callable[[Any], None]:
    def add(thing: Any) -> None:
        entry = _object(thing, what)
        known = {item.name: item for item in entries}
        _check_new(entry, entry.name, known, what)
        if entry.name in known:
            entries[entries.index(known[entry.name])] = entry
        else:
            entries.append(entry)

    return add


def _format(form: Any) -> None:
    for known in ALL_FORMATS:
        shared = [ending for ending in form.suffixes if ending in known.suffixes and known.name != form.name]
        if shared:
            raise RefusedError(
                f"files '{shared[0]}' are of the format '{known.name}' already; give '{form.name}' another"
            )
    _entry(ALL_FORMATS, "format")(form)


_PLACES: tuple[tuple[type, Callable[[Any], None]], ...] = (
    (AppliedForce, _kind(FORCE_KINDS, "kind of force")),
    (RelationElement, _kind(RELATION_KINDS, "kind of relation")),
    (CouplingElement, _kind(COUPLING_KINDS, "kind of coupling")),
    (Body, _kind(BODY_KINDS, "kind of body")),
    (JointKind, _joint),
    (CoordinateKind, _entry(ALL_COORDINATES, "kind of coordinates")),
    (Formulation, _entry(ALL_FORMULATIONS, "formulation")),
    (Method, _entry(ALL_METHODS, "integrator")),
    (Format, _format),
)
