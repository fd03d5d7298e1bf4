"""The four mechanisms of table 8.5 of García de Jalón and Bayo: Bricard's, the pendulum that is left of it without its last
joint, a car and a human body.

The source gives the first two by figures and the others by their numbers of bodies and freedoms; all dimensions of the
car and of the body are ours.
"""

from __future__ import annotations

from typing import Any

import linkwork as lw

Vector = list[float]
X, Y, Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
SIDES = (("left", 1.0), ("right", -1.0))


def bricard(closed: bool = True) -> lw.Model:
    """Five rods of 1 m and six hinges with axes y, z, x, y, z, x; without the last hinge a pendulum of five freedoms."""
    corners = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    chain = ["ground", "r1", "r2", "r3", "r4", "r5", "ground"]
    count = 6 if closed else 5
    return lw.Model(
        space="spatial",
        gravity=[0, -9.81, 0],
        points={f"P{i + 1}": list(corner) for i, corner in enumerate(corners)},
        bodies={f"r{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1, "section": [0.1, 0.1]} for i in range(1, 6)},
        joints={
            f"P{i + 1}": {"kind": "revolute", "bodies": [chain[i], chain[i + 1]], "axis": axis}
            for i, axis in enumerate([Y, Z, X, Y, Z, X][:count])
        },
    )


def pendulum() -> lw.Model:
    """The five rods as an open chain."""
    return bricard(closed=False)


# -- a car ---------------------------------------------------------------------------------------------------------------


class _Parts:
    """Points, bodies and joints of a mechanism while it is put together."""

    def __init__(self) -> None:
        self.points: dict[str, Vector] = {}
        self.bodies: dict[str, Any] = {}
        self.joints: dict[str, Any] = {}
        self.forces: dict[str, Any] = {}

    def body(self, name: str, centre: Vector, mass: float, size: float, **points: Vector) -> None:
        """A body with its centre of mass and further points, all given in the world."""
        middle = f"{name}_G"
        self.points |= {middle: centre, **points}
        self.bodies[name] = {
            "points": [middle, *points],
            "mass": mass,
            "com": middle,
            "inertia": [mass * size**2 * factor for factor in (1.0, 0.8, 0.6)],
        }

    def joint(self, name: str, kind: str, bodies: tuple[str, str], at: str, **axes: Any) -> None:
        self.joints[name] = {"kind": kind, "bodies": list(bodies), "at": at, **axes}

    def link(self, name: str, inner: str, outer: str, ends: tuple[Vector, Vector]) -> None:
        """A bar with a universal joint at the inner and a ball at the outer body, so that it does not spin."""
        a, b = f"{name}_a", f"{name}_b"
        middle = [(p + q) / 2 for p, q in zip(*ends, strict=True)]
        self.body(name, middle, 1.5, 0.12, **{a: ends[0], b: ends[1]})
        self.bodies[inner]["points"].append(a)
        self.bodies[outer]["points"].append(b)
        self.joint(a, "universal", (inner, name), a, axes=[X, Z])
        self.joint(b, "spherical", (name, outer), b)

    def wheel(self, corner: str, upright: str, centre: Vector) -> None:
        hub = f"{corner}_hub"
        self.body(f"{corner}_wheel", centre, 18.0, 0.25, **{hub: centre})
        self.bodies[upright]["points"].append(hub)
        self.joint(hub, "revolute", (upright, f"{corner}_wheel"), hub, axis=Y)

    def model(self, **more: Any) -> lw.Model:
        parts = {"points": self.points, "bodies": self.bodies, "joints": self.joints, "forces": self.forces}
        return lw.Model(space="spatial", gravity=[0, 0, -9.81], **parts, **more)


def car() -> lw.Model:
    """A chassis on two McPherson struts with rack steering and two suspensions of five links: 26 bodies, 15 freedoms.

    x points forward, y to the left, z up. The source has 25 bodies.
    """
    parts = _Parts()
    parts.body("chassis", [1.3, 0.0, 0.55], 1100.0, 0.9)
    rack = [2.45, 0.0, 0.3]
    parts.body("rack", rack, 4.0, 0.3, rack_guide=rack)
    parts.bodies["chassis"]["points"].append("rack_guide")
    parts.joint("rack_guide", "prismatic", ("chassis", "rack"), "rack_guide", axis=Y)
    for side, sign in SIDES:
        _strut(parts, f"front_{side}", sign)
        _five_links(parts, f"rear_{side}", sign)
    moving = {f"front_{side}_hinge": {"speed": 0.5} for side, _ in SIDES}
    moving |= {f"rear_{side}_link1_a": {"angle1_rate": 0.5} for side, _ in SIDES}
    return parts.model(initial={"chassis": {"velocity": [15.0, 0, 0]}, "rack_guide": {"speed": 0.05}, **moving})


def _strut(parts: _Parts, corner: str, sign: float) -> None:
    """Arm, upright with the tube of the strut, rod of the strut, tie rod and wheel."""
    hinge, ball = [2.6, 0.35 * sign, 0.22], [2.6, 0.70 * sign, 0.20]
    foot, top = [2.58, 0.62 * sign, 0.45], [2.56, 0.55 * sign, 0.85]
    names = [f"{corner}_{part}" for part in ("hinge", "ball", "foot", "top")]
    parts.body(f"{corner}_arm", [2.6, 0.5 * sign, 0.21], 6.0, 0.2, **{names[0]: hinge, names[1]: ball})
    parts.body(f"{corner}_upright", [2.6, 0.72 * sign, 0.3], 20.0, 0.2, **{names[2]: foot})
    parts.body(f"{corner}_rod", [2.57, 0.58 * sign, 0.7], 3.0, 0.15, **{names[3]: top})
    parts.bodies["chassis"]["points"] += [names[0], names[3]]
    parts.bodies[f"{corner}_upright"]["points"].append(names[1])
    parts.joint(names[0], "revolute", ("chassis", f"{corner}_arm"), names[0], axis=X)
    parts.joint(names[1], "spherical", (f"{corner}_arm", f"{corner}_upright"), names[1])
    line = [b - a for a, b in zip(foot, top, strict=True)]
    parts.joint(f"{corner}_slide", "cylindrical", (f"{corner}_upright", f"{corner}_rod"), names[2], axis=line)
    parts.joint(names[3], "universal", ("chassis", f"{corner}_rod"), names[3], axes=[X, _across(X, line)])
    parts.link(f"{corner}_tie", "rack", f"{corner}_upright", ([2.45, 0.3 * sign, 0.3], [2.46, 0.68 * sign, 0.29]))
    parts.wheel(corner, f"{corner}_upright", [2.6, 0.76 * sign, 0.3])
    _spring(parts, corner, (f"chassis.{names[3]}", f"{corner}_upright.{names[2]}"), 0.45)


def _five_links(parts: _Parts, corner: str, sign: float) -> None:
    """Upright on five links, and wheel."""
    upright, seat, top = f"{corner}_upright", f"{corner}_seat", f"{corner}_top"
    parts.body(upright, [0.0, 0.72 * sign, 0.3], 22.0, 0.2, **{seat: [0.0, 0.62 * sign, 0.24]})
    ends = (
        ([0.15, 0.35, 0.20], [0.08, 0.70, 0.18]),
        ([-0.15, 0.33, 0.21], [-0.09, 0.70, 0.19]),
        ([0.12, 0.42, 0.45], [0.05, 0.68, 0.47]),
        ([-0.16, 0.40, 0.44], [-0.06, 0.68, 0.46]),
        ([0.45, 0.55, 0.28], [0.10, 0.69, 0.30]),
    )
    for i, (inner, outer) in enumerate(ends):
        parts.link(f"{corner}_link{i + 1}", "chassis", upright, tuple([x, y * sign, z] for x, y, z in (inner, outer)))  # type: ignore[arg-type]
    parts.points[top] = [0.0, 0.55 * sign, 0.75]
    parts.bodies["chassis"]["points"].append(top)
    parts.wheel(corner, upright, [0.0, 0.76 * sign, 0.3])
    _spring(parts, corner, (f"chassis.{top}", f"{upright}.{seat}"), 0.55)


def _spring(parts: _Parts, corner: str, between: tuple[str, str], free_length: float) -> None:
    parts.forces[f"{corner}_spring"] = {
        "kind": "spring",
        "between": list(between),
        "stiffness": 3e4,
        "damping": 2000.0,
        "free_length": free_length,
    }


def _across(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


# -- a human body --------------------------------------------------------------------------------------------------------

# chains of hinges: for every hinge its axis and the way to the next
_LEG = [(Z, [0, 0, -0.02]), (X, [0.02, 0, 0]), (Y, [0, 0, -0.42]), (Y, [0, 0, -0.42]), (Y, [0, 0, -0.03])]
_LEG += [(X, [0.15, 0, -0.04]), (Y, [0.06, 0, 0])]
_ARM = [(Z, [0, 0, -0.02]), (X, [0.02, 0, 0]), (Y, [0, 0, -0.29]), (Y, [0, 0, -0.12]), (Z, [0, 0, -0.13])]
_ARM += [(Y, [0, 0, -0.02]), (X, [0, 0, -0.09]), (Y, [0, 0, -0.08])]
_SPINE = [
    (Y, [0, 0, 0.08]),
    (X, [0, 0, 0.08]),
    (Z, [0, 0, 0.08]),
    (Y, [0, 0, 0.09]),
    (X, [0, 0, 0.09]),
    (Z, [0, 0, 0.1]),
]
_HEAD = [(Y, [0, 0, 0.05]), (X, [0, 0, 0.05]), (Z, [0, 0, 0.2])]


def human_body() -> lw.Model:
    """A floating pelvis with a spine, a head, two arms and two legs of hinges alone: 40 bodies, 45 freedoms."""
    parts = _Parts()
    parts.body("pelvis", [0.0, 0.0, 1.0], 11.0, 0.12)
    chest = _limb(parts, "spine", "pelvis", [0.0, 0.0, 1.1], _SPINE)
    _limb(parts, "head", chest, [0.0, 0.0, 1.62], _HEAD)
    for side, sign in SIDES:
        _limb(parts, f"{side}_leg", "pelvis", [0.0, 0.1 * sign, 0.93], _LEG)
        _limb(parts, f"{side}_arm", chest, [0.0, 0.2 * sign, 1.55], _ARM)
    bent = {name: {"angle": 0.1 + 0.02 * i, "speed": 0.3} for i, name in enumerate(parts.joints)}
    return parts.model(initial={"pelvis": {"velocity": [1.0, 0, 0]}, **bent})


def _limb(parts: _Parts, name: str, carrier: str, place: Vector, hinges: list[tuple[Vector, Vector]]) -> str:
    """Hinges one after the other; the name of the last body."""
    for i, (axis, way) in enumerate(hinges):
        own, point = f"{name}{i + 1}", f"{name}_j{i + 1}"
        length = sum(step**2 for step in way) ** 0.5
        centre = [p + step / 2 for p, step in zip(place, way, strict=True)]
        parts.body(own, centre, 1.0 + 6.0 * length, 0.03 + 0.3 * length, **{point: place})
        parts.bodies[carrier]["points"].append(point)
        parts.joint(point, "revolute", (carrier, own), point, axis=axis)
        carrier, place = own, [p + step for p, step in zip(place, way, strict=True)]
    return carrier
