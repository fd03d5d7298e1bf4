"""From declared contacts to shapes at their places, pairs and laws, as functions of the live parameters."""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import frame_about
from linkwork.elements import extents
from linkwork.elements.curves import BodyCurve
from linkwork.elements.extents import Extent
from linkwork.elements.shapes.forms import ContactShape, Form, HalfSpace, HeightField, Outline, arc, turned
from linkwork.elements.shapes.touchables import ContactCompliance, ContactLaw, ContactPair, Touchables, named_pairs
from linkwork.errors import Fault, ModelError
from linkwork.model.body import Body
from linkwork.model.contacts import Contact
from linkwork.model.element import PLACE
from linkwork.model.geometry import turned as rotated
from linkwork.model.mass import Points, part_frame, value_or_zero
from linkwork.model.shapes import Mesh, Part, Shape
from linkwork.model.solids import Box, Cone, Cylinder, Plate, Rod, SolidForm, Sphere, Tube
from linkwork.model.surfaces import Arc, FormulaCurve, Surface
from linkwork.model.touching import NamedShape, joined, pairs_of
from linkwork.topology.relations import DrawnMechanism


def resolve_contacts(sketch: DrawnMechanism) -> Touchables:
    """All that a model says that touches."""
    model, shapes = sketch.model, dict[str, ContactShape]()
    pairs: list[ContactPair] = []
    alone: set[frozenset[str]] = set()
    for name, contact in model.contacts.items():
        found = [*pairs_of(model, contact)]
        for end in (shape for pair in found for shape in pair):
            if end.name not in shapes:
                shapes[end.name] = _shape(sketch, end)
        law, numbers = law_of(sketch, contact), {key: i for i, key in enumerate(shapes)}
        names = named_pairs(name, [(one.name, other.name) for one, other in found])
        pairs += [
            ContactPair(own, name, (numbers[one.name], numbers[other.name]), law)
            for own, (one, other) in zip(names, found, strict=True)
        ]
        alone |= {frozenset((one.body, other.body)) for one, other in found}
    near = [(one, other) for one, other in (tuple(sorted(pair)) for pair in joined(model) - alone if len(pair) == 2)]
    return Touchables(tuple(shapes.values()), tuple(pairs), tuple(sorted(near)), _strangers([*shapes], pairs))


def _strangers(names: list[str], pairs: list[ContactPair]) -> tuple[tuple[str, str], ...]:
    """Pairs of shapes that no contact means."""
    meant = {frozenset(pair.shapes) for pair in pairs}
    count = len(names)
    return tuple(
        (names[i], names[k]) for i in range(count) for k in range(i + 1, count) if frozenset((i, k)) not in meant
    )


def law_of(sketch: DrawnMechanism, contact: Contact) -> ContactLaw:
    """The law of a contact."""

    def value(expression: Expression | None) -> ca.SX:
        return ca.SX(0) if expression is None else sketch.value(expression)

    def perhaps(expression: Expression | None) -> ca.SX | None:
        return None if expression is None else sketch.value(expression)

    compliance = None
    if contact.stiffness is not None:
        compliance = ContactCompliance(contact.law or "linear", value(contact.stiffness), value(contact.damping))
    return ContactLaw(
        friction=value(contact.friction),
        static=value(contact.friction if contact.static is None else contact.static),
        stribeck=perhaps(contact.stribeck),
        smoothing=perhaps(contact.smoothing),
        rolling=value(contact.rolling),
        spinning=value(contact.spinning),
        restitution=value(contact.restitution),
        compliance=compliance,
    )


# -- shapes -------------------------------------------------------------------------------------------------------------


def _shape(sketch: DrawnMechanism, end: NamedShape) -> ContactShape:
    if end.name in sketch.model.surfaces:
        return _surface(sketch, end.name, sketch.model.surfaces[end.name])
    body = sketch.model.bodies[end.body]
    points = sketch.geometry.bodies[end.body].points
    if "." not in end.name:
        return ContactShape(end.name, end.body, *_bare(sketch, body, points))
    key = end.name.partition(".")[2]
    part: Part = body.shapes[key] if key in body.shapes else _mesh(body)
    form = _mesh_form(sketch, end.name, part) if isinstance(part, Mesh) else _form(sketch, _solid(part), points)
    return ContactShape(end.name, end.body, form, part_frame(sketch, part, points))


def _mesh(body: Body) -> Mesh:
    assert body.mesh is not None
    return body.mesh


def _solid(part: Part) -> SolidForm:
    assert isinstance(part, Shape)
    return part.solid


def _mesh_form(sketch: DrawnMechanism, name: str, mesh: Mesh) -> Extent:
    if sketch.space.planar:
        reason = f"the mesh '{name}' has no outline in the plane"
        raise ModelError([Fault("contacts", reason, "give the body a plate, or a polygon on it")])
    return Extent(sketch.value(mesh.scale) * ca.SX(mesh.solid.hull).T)


def _bare(sketch: DrawnMechanism, body: Body, points: Points) -> tuple[Form, Frame]:
    """A bar as thick as it is, or a point."""
    still, places = Frame.identity(sketch.space.dimension), [*points.values()]
    if body.bar is None:
        return Extent(ca.SX(sketch.space.dimension, 1), 0.0), _at(still, places[0])
    length = points[body.bar[1]][0]
    middle = _at(still, ca.vertcat(length / 2, ca.SX(sketch.space.dimension - 1, 1)))
    if body.radius is not None:
        radius = sketch.value(body.radius)
        return turned(sketch.space, "x", ((-length / 2, radius), (length / 2, radius))), middle
    if body.section is not None:
        width, height = (sketch.value(edge) for edge in body.section)
        return _block(sketch, (length, width, height)), middle
    return Extent(extents.bar(length).corners[: sketch.space.dimension, :]), middle


def _at(frame: Frame, place: ca.SX) -> Frame:
    return Frame(place, frame.axes, frame.angle)


def _block(sketch: DrawnMechanism, edges: tuple[ca.SX, ...]) -> Extent:
    a, b, *c = edges
    corners = extents.block(a, b, c[0] if c else 0.0).corners
    # in the plane, and where it is thin, one face is all there is of it
    return Extent(corners[:2, :4] if sketch.space.planar else corners if c else corners[:, :4])


def _form(sketch: DrawnMechanism, declared: SolidForm, points: Points) -> Form:
    """A declared solid in its own axes."""
    dimension = sketch.space.dimension
    match declared:
        case Rod(length):
            return Extent(extents.bar(sketch.value(length)).corners[:dimension, :])
        case Box(edges):
            return _block(sketch, tuple(sketch.value(edge) for edge in edges))
        case Cylinder(radius, length, axis) | Tube(radius, _, length, axis):
            half, size = sketch.value(length) / 2, sketch.value(radius)
            return _seen(sketch, turned(sketch.space, axis, ((-half, size), (half, size))))
        case Sphere(radius):
            return Extent(ca.SX(dimension, 1), sketch.value(radius))
        case Cone(radius, length, axis, top):
            ends = (ca.SX(0), sketch.value(radius)), (sketch.value(length), value_or_zero(sketch, top))
            return _seen(sketch, turned(sketch.space, axis, ends))
        case Plate(corners, thickness):
            places = [points[corner] if isinstance(corner, str) else sketch.vector(corner) for corner in corners]
            flat = ca.horzcat(*places)
            if sketch.space.planar:
                return Extent(flat)
            if thickness is None:
                return Extent(ca.vertcat(flat, ca.SX(1, flat.shape[1])))
            return Extent(extents.prism(flat, sketch.value(thickness)).corners)
    raise AssertionError(declared)


def _seen(sketch: DrawnMechanism, form: Form) -> Form:
    """A disc of the plane has its centre there."""
    if isinstance(form, Extent) and sketch.space.planar:
        return Extent(form.corners[:2, :], form.radius)
    return form


# -- surfaces -----------------------------------------------------------------------------------------------------------


def _surface(sketch: DrawnMechanism, name: str, surface: Surface) -> ContactShape:
    form, world = _placed_form(sketch, surface)
    carrier = sketch.drawn(surface.on)
    return ContactShape(name, surface.on, form, carrier.inverse() @ world)


def _placed_form(sketch: DrawnMechanism, surface: Surface) -> tuple[Form, Frame]:
    """The form and its frame in the world as it is drawn."""
    axes = rotated(sketch, surface.rotation)
    frame = _at(axes, _place(sketch, surface.at))
    radius = 0.0 if surface.radius is None else sketch.value(surface.radius)
    match surface:
        case Surface(plane=normal) if normal is not None:
            return HalfSpace(), _at(_along(sketch, sketch.vector(normal)), frame.origin)
        case Surface(point=place) if place is not None:
            return Extent(ca.SX(sketch.space.dimension, 1), 0.0), _at(axes, _place(sketch, place))
        case Surface(ball=size) if size is not None:
            return Extent(ca.SX(sketch.space.dimension, 1), sketch.value(size)), frame
        case Surface(bar=ends) if ends is not None:
            first, second = (_place(sketch, end) for end in ends)
            zero = ca.SX(sketch.space.dimension, 1)
            return Extent(ca.horzcat(zero, second - first), radius), _at(axes, first)
        case Surface(box=Box(edges)):
            return Extent(_block(sketch, tuple(sketch.value(edge) for edge in edges)).corners, radius), frame
        case Surface(polygon=corners) if corners is not None:
            return Extent(ca.horzcat(*[sketch.vector(corner) for corner in corners]), radius), frame
        case Surface(hull=hull) if hull is not None:
            return Extent(ca.horzcat(*[sketch.vector(corner) for corner in hull.points]), radius), frame
        case Surface(heights=heights) if heights is not None:
            step = [float(sketch.number(sketch.value(item))[0]) for item in heights.spacing]
            return HeightField(np.array(heights.rows), (step[0], step[1])), frame
        case Surface(curve=curve) if curve is not None:
            return _curve(sketch, curve), frame
        case Surface(arc=part) if part is not None:
            return _arc(sketch, part), frame
    solid = surface.cylinder or surface.cone
    assert solid is not None
    return _form(sketch, solid, {}), frame


def _place(sketch: DrawnMechanism, place: str | tuple[Expression, ...] | None) -> ca.SX:
    """A place in the world as it is drawn."""
    if place is None:
        return ca.SX(sketch.space.dimension, 1)
    if isinstance(place, str):
        found = sketch.place(place)
        return sketch.drawn(found.body).point(found.local)
    return sketch.vector(place)


def _along(sketch: DrawnMechanism, normal: ca.SX) -> Frame:
    """Axes with the normal as the last one."""
    zero, unit = ca.SX(sketch.space.dimension, 1), normal / ca.norm_2(normal)
    if sketch.space.planar:
        return Frame.planar(zero, ca.atan2(-unit[0], unit[1]))
    x = ca.SX(frame_about(sketch.number(normal))[:, 0])
    x = x - ca.dot(x, unit) * unit
    x = x / ca.norm_2(x)
    return Frame(zero, ca.horzcat(x, ca.cross(unit, x), unit))


def _curve(sketch: DrawnMechanism, given: FormulaCurve) -> Outline:
    x, y = (sketch.formula(item, PLACE) for item in (given.x, given.y))
    first, last = (sketch.value(end) for end in given.range)
    ends = [np.array([float(sketch.number(f(end))[0]) for f in (x, y)]) for end in (first, last)]
    size = max(float(np.max(np.abs(ends))), 1e-300)
    curve = BodyCurve(
        lambda u: ca.vertcat(x(u), y(u)), first, last, bool(np.all(np.abs(ends[1] - ends[0]) <= 1e-9 * size))
    )
    return Outline(curve, -1.0 if given.side == "left" else 1.0)


def _arc(sketch: DrawnMechanism, given: Arc) -> Outline:
    ends: Iterator[ca.SX | float] = iter((0.0, 2 * np.pi))
    if given.range is not None:
        ends = (sketch.value(end) for end in given.range)
    first, last = ends
    radius = sketch.value(given.radius)
    return Outline(arc(ca.SX(2, 1), radius, first, last), -1.0 if given.side == "inside" else 1.0, radius)
