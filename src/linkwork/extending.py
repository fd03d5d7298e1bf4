"""``register(thing)``: kinds of elements, coordinates, formulations, integrators and formats from outside the package.

A package that is installed can offer them by entry points instead, and nobody needs to import it::

    [project.entry-points.linkwork]
    quadratic_drag = "my_package:QuadraticDrag"
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, MutableSequence
from typing import Any, Literal, TypeVar, get_args, get_origin

from linkwork.coordinates.base import CoordinateKind
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.elements.joints import JointKind, add_joint
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
    of Linkwork do. It is returned as it is, so that this can stand above a class.
    """
    for kind, add in _PLACES:
        if isinstance(thing, kind) or (isinstance(thing, type) and issubclass(thing, kind)):
            add(thing)
            return thing
    known = ", ".join(kind.__name__ for kind, _ in _PLACES)
    raise RefusedError(f"{thing!r} is nothing that can be registered: it is none of {known}")


def _check_new(name: str, known: Any, what: str) -> None:
    if name in known:
        raise RefusedError(f"there is a {what} '{name}' already; give this one another name")


def _kind(kinds: MutableMapping[str, Any], what: str) -> Callable[[Any], None]:
    def add(declaration: Any) -> None:
        name = _declared_kind(declaration, what)
        _check_new(name, kinds, what)
        _declare(kinds, name, declaration, what)

    return add


def _declare(kinds: MutableMapping[str, Any], name: str, declaration: Any, what: str) -> None:
    """Let models have a declaration, or leave all as it was."""
    kinds[name] = declaration
    try:
        renew_kinds()
    except Exception as error:
        del kinds[name]
        renew_kinds()
        raise RefusedError(f"'{declaration.__name__}' cannot be a {what}: {error}") from error


def _declared_kind(declaration: Any, what: str) -> str:
    """The name under which models ask for it."""
    field = getattr(declaration, "model_fields", {}).get("kind") if isinstance(declaration, type) else None
    name = getattr(field, "default", None)
    if field is None or get_origin(field.annotation) is not Literal or get_args(field.annotation) != (name,):
        raise RefusedError(
            f"{declaration!r} cannot be a {what}: it is a class with a key such as kind: Literal['magnet'] = 'magnet'"
        )
    missing = sorted(getattr(declaration, "__abstractmethods__", ()))
    if missing:
        raise RefusedError(f"'{declaration.__name__}' cannot be a {what}: it has no {', '.join(missing)}")
    return str(name)


def _object(thing: Any, what: str) -> Any:
    """An object of a class that is given, with its name."""
    try:
        entry = thing() if isinstance(thing, type) else thing
        assert isinstance(entry.name, str)
    except (TypeError, AttributeError, AssertionError) as error:
        raise RefusedError(f"{thing!r} cannot be a {what}: it needs a name, and all methods ({error})") from error
    return entry


def _joint(kind: Any) -> None:
    joint = _object(kind, "kind of joint")
    _check_new(joint.name, JOINT_KINDS, "kind of joint")
    missing = [key for key in joint.numbers if not hasattr(joint, key)]
    if missing:
        raise RefusedError(
            f"'{joint.name}' has a number '{missing[0]}': give it an attribute of this name, its default"
        )
    _declare(JOINT_KINDS, joint.name, declaration_of(joint), "kind of joint")
    add_joint(joint)


def _entry(entries: MutableSequence[Any], what: str) -> Callable[[Any], None]:
    def add(thing: Any) -> None:
        entry = _object(thing, what)
        _check_new(entry.name, [known.name for known in entries], what)
        entries.append(entry)

    return add


_PLACES: tuple[tuple[type, Callable[[Any], None]], ...] = (
    (AppliedForce, _kind(FORCE_KINDS, "kind of force")),
    (RelationElement, _kind(RELATION_KINDS, "kind of relation")),
    (CouplingElement, _kind(COUPLING_KINDS, "kind of coupling")),
    (Body, _kind(BODY_KINDS, "kind of body")),
    (JointKind, _joint),
    (CoordinateKind, _entry(ALL_COORDINATES, "kind of coordinates")),
    (Formulation, _entry(ALL_FORMULATIONS, "formulation")),
    (Method, _entry(ALL_METHODS, "integrator")),
    (Format, _entry(ALL_FORMATS, "format")),
)
