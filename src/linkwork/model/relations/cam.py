"""A cam with its follower."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import casadi as ca
import numpy as np
from pydantic import Field

from linkwork.elements.cam_laws import CamLaw, Slide, Swing, face_envelope, point_path
from linkwork.elements.contribution import Place
from linkwork.elements.curves import BodyCurve
from linkwork.elements.relations import cam as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import CURVE, PLACE
from linkwork.model.fields import Direction, ElementName, Length, Value, pair_field, refused
from linkwork.model.references import line_faults, other_body_faults, point_faults, size_faults
from linkwork.model.relations.base import Sketch
from linkwork.model.relations.curve_keys import CurveElement

_PARTS = {"knife": "point", "roller": "point", "flat": "face"}


class Cam(CurveElement):
    """A cam whose follower is a knife edge, a roller or a flat face. The contact is two-sided, unless it lifts off."""

    SCOPES: ClassVar = {**CurveElement.SCOPES, "lift": CURVE}
    READINGS: ClassVar[tuple[str, ...]] = ("u", "contact.x", "contact.y", "contact.z", "along", "gap")

    kind: Literal["cam"] = "cam"
    follower: Literal["knife", "roller", "flat"] = Field(description="knife edge, roller or flat face")
    point: ElementName | None = Field(
        None,
        description="knife edge or centre of the roller: a point of the follower; default: none, required for these",
    )
    radius: Length | None = Field(None, description="radius of the roller, m; default: none, required for it")
    face: Annotated[tuple[str, str], pair_field("two points of the follower")] | None = Field(
        None, description="two points of the follower on its flat face; default: none, required for it"
    )
    side: Literal["outside", "inside"] = Field("outside", description="where the follower is on the profile")
    lift: Value | None = Field(
        None,
        description="instead of a profile: the motion of the follower from its lowest position (m, or rad about a "
        "pivot) as a formula of the angle u by which the cam has turned from its drawn position; default: none",
    )
    base_radius: Length | None = Field(
        None, description="with lift: radius of the cam where there is no lift, m; default: none, required with it"
    )
    axis: Direction | None = Field(
        None, description="with lift: direction in which the follower rises, as drawn; default: none"
    )
    pivot: ElementName | None = Field(
        None, description="with lift, instead of axis: the point about which it turns; default: none"
    )

    lifts: bool = Field(False, description="whether the follower may lift off, and land again")
    restitution: Value | None = Field(
        None, description="with lifts: the part of its speed with which it leaves again where it lands; default: 0"
    )

    # -- checks ------------------------------------------------------------------------------------------------------

    def own_faults(self) -> Iterator[Fault]:
        yield from super().own_faults()
        part = _PARTS[self.follower]
        if getattr(self, part) is None:
            hint = "write face: [A, B]" if part == "face" else "write point: with a point of the follower"
            yield Fault(part, f"is missing: a {self.follower} follower needs it", hint)
        for key in {"point", "face"} - {part}:
            if getattr(self, key) is not None:
                yield Fault(key, f"a {self.follower} follower has none", "leave it out")
        if (self.radius is None) == (self.follower == "roller"):
            missing = "is missing: a roller has a radius" if self.radius is None else "belongs to a roller"
            yield Fault("radius", missing, "write radius: 10 mm" if self.radius is None else "leave it out")
        if self.follower == "flat" and self.side == "inside":
            yield Fault("side", "a flat face does not fit into a hollow", "leave it out, or use a roller")
        if self.restitution is not None and not self.lifts:
            yield Fault("restitution", "belongs to a follower that lifts off", "write lifts: true as well")
        yield from self._law_faults()

    def _formless_faults(self) -> Iterator[Fault]:
        if self.lift is None:
            hint = "write x and y, or r, as formulas of u; or points; or polar_points; or lift with base_radius"
            yield Fault("", "neither a profile nor a lift is given", hint)

    def _law_faults(self) -> Iterator[Fault]:
        keys = ("base_radius", "axis", "pivot")
        if self.lift is None:
            for key in keys:
                if getattr(self, key) is not None:
                    yield Fault(key, "belongs to a lift", "write lift as a formula of u, or leave it out")
            return
        for key in ("x", "r", "points", "polar_points", "range"):
            if getattr(self, key) is not None:
                yield Fault(key, "conflicts with lift, which gives the profile", "give one of them")
        if self.base_radius is None:
            yield Fault("base_radius", "is missing: the radius where there is no lift", "write base_radius: 40 mm")
        if (self.axis is None) == (self.pivot is None):
            hint = "write axis: [0, 1] for a follower that slides, pivot: Q for one that turns"
            yield Fault("axis", "is missing" if self.axis is None else "conflicts with pivot", hint)
        if self.side == "inside":
            yield Fault("side", "a lift gives a cam with the follower outside", "leave it out")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from self.curve_faults(draft, path, True, flat=True)
        if self.point is not None:
            yield from other_body_faults(draft, f"{path}.point", self.point, self.body)
        if self.face is not None:
            owner = yield from line_faults(draft, f"{path}.face", self.face)
            if owner == self.body:
                yield Fault(f"{path}.face", f"is on '{owner}', as the profile", "name two points of the follower")
        if self.pivot is not None:
            yield from point_faults(draft, f"{path}.pivot", self.pivot)
        if self.axis is not None:
            if draft.space is not None:
                yield from size_faults(f"{path}.axis", self.axis, 2 if draft.space == "planar" else 3, draft.space)
            if not any(draft.numbers(self.axis) or [1.0]):
                yield Fault(f"{path}.axis", "is zero", "give a direction, such as [0, 1]")
        for key in ("radius", "base_radius"):
            value = draft.number(getattr(self, key))
            if value is not None and value <= 0.0:
                yield Fault(f"{path}.{key}", f"is {value:g} m; it must be positive")
        back = draft.number(self.restitution)
        if back is not None and not 0.0 <= back <= 1.0:
            reason = f"is {back:g}; it is the part of the speed that comes back"
            yield Fault(f"{path}.restitution", reason, "0 (it stays) to 1 (nothing is lost)")
        if self.lift is not None:
            yield from self.open_faults(draft, path, {"lift": self.lift}, [0.0, 2 * np.pi])

    # -- mechanics ---------------------------------------------------------------------------------------------------

    def relate(self, sketch: Sketch) -> mechanics.CamRelation:
        return self._flat(sketch) if self.follower == "flat" else self._roller(sketch)

    def _roller(self, sketch: Sketch) -> mechanics.RollerCam:
        assert self.point is not None
        point, origin = sketch.place(self.point), self.place_origin(sketch)
        radius = ca.SX(0) if self.radius is None else sketch.value(self.radius)
        if self.lift is not None:
            assert self.base_radius is not None
            law, motion = self._law(sketch), self._motion(sketch)
            nearest = sketch.value(self.base_radius) + radius
            self._check_reach(sketch, motion, nearest)
            path = self.checked(sketch, point_path(motion, law, nearest), True)
            outwards = -_turning(sketch, path)
            profile = path.offset(-outwards * radius) if self.radius is not None else path
            self._check_path(sketch, path, outwards, radius)
        else:
            profile = self.build_curve(sketch, True)
            outwards = -_turning(sketch, profile) * (1.0 if self.side == "outside" else -1.0)
            self.check_hollows(sketch, profile, outwards, radius, "the roller undercuts")
            path = profile.offset(outwards * radius) if self.radius is not None else profile
        return mechanics.RollerCam(origin, profile, path, outwards, point, radius, lifting=self._lifting(sketch))

    def _flat(self, sketch: Sketch) -> mechanics.FlatCam:
        assert self.face is not None
        first, second = (sketch.place(reference) for reference in self.face)
        origin = self.place_origin(sketch)
        start, end = (self._seen(sketch, reference) for reference in self.face)
        self._check_upright(sketch, first, second)
        if float(sketch.number(ca.norm_2(end - start))[0]) == 0.0:
            raise refused(f"face: {self.face[0]} and {self.face[1]} lie in the same place", "name two points apart")
        if self.lift is not None:
            assert self.base_radius is not None
            law, motion = self._law(sketch), self._motion(sketch)
            profile, radius = face_envelope(motion, law, sketch.value(self.base_radius))
            self._check_envelope(sketch, profile, radius)
            self.checked(sketch, profile, True)
        else:
            profile = self.build_curve(sketch, True)
            self._check_bulge(sketch, profile)
        side = _sign(sketch, _cross(end - start, start))
        return mechanics.FlatCam(origin, profile, (first, second), side, lifting=self._lifting(sketch))

    def _lifting(self, sketch: Sketch) -> mechanics.Lifting | None:
        if not self.lifts:
            return None
        return mechanics.Lifting(ca.SX(0) if self.restitution is None else sketch.value(self.restitution))

    def _law(self, sketch: Sketch) -> CamLaw:
        assert self.lift is not None
        return sketch.formula(self.lift, PLACE)

    def _motion(self, sketch: Sketch) -> Slide | Swing:
        """How the follower moves, in the axes of the cam as drawn."""
        place = self._seen(sketch, self.point or (self.face or ("",))[0])
        if self.axis is not None:
            local = (sketch.drawn(self.body).axes.T @ sketch.vector(self.axis))[:2]
            along = local / ca.norm_2(local)
            return Slide(ca.atan2(along[1], along[0]), _cross(along, place))
        assert self.pivot is not None
        pivot = self._seen(sketch, self.pivot)
        arm, towards, distance = place - pivot, ca.atan2(pivot[1], pivot[0]), ca.norm_2(pivot)
        if self.face is None:
            return Swing(towards, distance, ca.norm_2(arm), -_sign(sketch, _cross(pivot, arm)))
        along = self._seen(sketch, self.face[1]) - place
        # the normal of the face that points off the cam, ± to the left of its direction
        left = _sign(sketch, _cross(along, place))
        lever = left * _cross(along / ca.norm_2(along), arm)
        return Swing(towards, distance, lever, left * _sign(sketch, ca.dot(pivot, along)))

    def _seen(self, sketch: Sketch, reference: str) -> ca.SX:
        """Where a point is drawn, in the plane of the profile (2) and from its origin."""
        origin, place = self.place_origin(sketch), sketch.place(reference)
        cam = sketch.drawn(origin.body)
        return (cam.axes.T @ (sketch.drawn(place.body).point(place.local) - cam.point(origin.local)))[:2]

    def _check_upright(self, sketch: Sketch, first: Place, second: Place) -> None:
        """In space the line of the face lies in a plane parallel to that of the profile."""
        line = sketch.drawn(second.body).point(second.local) - sketch.drawn(first.body).point(first.local)
        local = sketch.number(sketch.drawn(self.body).axes.T @ line)
        if np.any(np.abs(local[2:]) > 1e-9 * np.linalg.norm(local)):
            reason = "the line of the face leaves the plane of the profile, the x-y plane of the body of the cam"
            raise refused(f"face: {reason}", "draw both points at the same height along the axis of the cam")

    # -- what cannot be made -----------------------------------------------------------------------------------------

    def _check_reach(self, sketch: Sketch, motion: Slide | Swing, nearest: ca.SX) -> None:
        """The follower can touch the base circle."""
        low = float(sketch.number(nearest)[0])
        if isinstance(motion, Slide):
            offset = abs(float(sketch.number(motion.offset)[0]))
            if offset >= low:
                reason = f"the follower passes the centre at {offset:g} m and does not meet the base circle"
                raise refused(reason, f"draw it nearer to the centre than {low:g} m")
            return
        distance, arm = (float(sketch.number(item)[0]) for item in (motion.distance, motion.arm))
        if not abs(distance - arm) < low < distance + arm:
            reason = (
                f"an arm of {arm:g} m about a pivot at {distance:g} m from the centre does not reach the base circle"
            )
            raise refused(reason, "change the arm, the place of the pivot or base_radius")

    def _check_path(self, sketch: Sketch, path: BodyCurve, outwards: float, radius: ca.SX) -> None:
        """The profile under a roller has no cusp."""
        u, bends = path.tabulate(lambda x: -outwards * path.curvature(x), sketch.number)
        size, i = float(sketch.number(radius)[0]), int(np.argmax(bends[:, 0]))
        if size * bends[i, 0] >= 1.0:
            reason = f"the cam undercuts: at u = {u[i]:.4g} the path of the roller bends with a radius of"
            hint = f"take a roller of less than {1 / bends[i, 0]:.4g} m, or a larger base_radius"
            raise refused(f"{reason} {1 / bends[i, 0]:.4g} m, the roller has {size:g} m", hint)

    def _check_envelope(self, sketch: Sketch, profile: BodyCurve, radius: CamLaw) -> None:
        """The profile under a flat face has no cusp."""
        u, radii = profile.tabulate(radius, sketch.number)
        i = int(np.argmin(radii[:, 0]))
        if not np.isfinite(radii).all():
            raise refused("the face does not reach the base circle", "change the place of the pivot or base_radius")
        if radii[i, 0] <= 0.0:
            assert self.base_radius is not None
            needed = float(sketch.number(sketch.value(self.base_radius))[0]) - radii[i, 0]
            reason = f"the cam undercuts: at u = {u[i]:.4g} its radius of curvature would be {radii[i, 0]:.4g} m"
            raise refused(reason, f"take a base_radius above {needed:.4g} m, or a gentler lift")

    def _check_bulge(self, sketch: Sketch, profile: BodyCurve) -> None:
        """A given profile is nowhere hollow or straight, so that a flat face touches it everywhere."""
        turning = _turning(sketch, profile)
        u, bends = profile.tabulate(lambda x: turning * profile.curvature(x), sketch.number)
        i = int(np.argmin(bends[:, 0]))
        if bends[i, 0] <= 1e-9 * np.max(np.abs(bends)):
            radius = f"hollow with a radius of {-1 / bends[i, 0]:.4g} m" if bends[i, 0] < 0.0 else "straight"
            reason = f"the profile is {radius} at u = {u[i]:.4g}: a flat face cannot touch it there"
            raise refused(reason, "use a roller, or a profile that bulges everywhere")


def _cross(a: ca.SX, b: ca.SX) -> ca.SX:
    """The vector product of two vectors of the plane."""
    return a[0] * b[1] - a[1] * b[0]


def _sign(sketch: Sketch, expression: ca.SX) -> float:
    """±1 at the default parameters."""
    return -1.0 if float(sketch.number(expression)[0]) < 0.0 else 1.0


def _turning(sketch: Sketch, curve: BodyCurve) -> float:
    """1 where a closed curve goes round counter-clockwise, −1 where it goes round the other way."""
    x, y = curve.tabulate(curve.point, sketch.number)[1].T
    return 1.0 if np.sum(x[:-1] * np.diff(y) - y[:-1] * np.diff(x)) > 0.0 else -1.0
