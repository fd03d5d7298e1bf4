"""A kind of body from outside with a coordinate of its own: a rigid shell with a point mass on a spring inside.

With the mass m₀ of the shell at c₀ with inertia I₀, the point mass μ at d + s a (body axes), ν = m₀ μ / (m₀ + μ) and
f = d + s a − c₀, the kinetic energy beside that of the centre of mass of both is

    T = ½ ω·I ω + ν ω·(f × a) ṡ + ½ ν ṡ²,   I = I₀ + ν (f·f 1 − f fᵀ),

where f × a does not depend on s. So u = (ṙ_G, ω, ṡ), and Lagrange's equations give what is quadratic in velocities.
It is compared with the same mechanism of two rigid bodies, a prismatic joint and a spring.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import casadi as ca
import numpy as np
import pytest
from pydantic import Field

import linkwork as lw
from linkwork import testing
from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.bodies import BodyKind, Carrier, Resistance
from linkwork.elements.contribution import Condition, Contribution, JointEffort, Reading, Unknown
from linkwork.elements.inertia import Distribution
from linkwork.errors import RefusedError
from linkwork.model.fields import Value

TIGHT = {"rtol": 1e-11, "atol": 1e-11}


@dataclass(frozen=True, eq=False)
class Sprung(BodyKind):
    """A rigid shell, and a point mass on a spring along an axis a that starts at d."""

    name: ClassVar[str] = "sprung"

    shell: Distribution
    point: ca.SX
    place: ca.SX
    axis: ca.SX
    law: tuple[ca.SX, ca.SX]  # stiffness, damping
    begin: tuple[ca.SX, ca.SX]

    @property
    def drawn(self) -> Distribution:
        whole, f = self.shell.mass + self.point, self.place - self.shell.centre
        return Distribution(whole, self.centre(ca.SX(1, 1)), self._inertia(f))

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("s", is_length=True),)

    @property
    def start(self) -> tuple[ca.SX, ca.SX]:
        return self.begin

    @property
    def _reduced(self) -> ca.SX:
        return self.shell.mass * self.point / (self.shell.mass + self.point)

    def _inertia(self, f: ca.SX) -> ca.SX:
        if f.numel() == 2:
            return self.shell.inertia + self._reduced * ca.dot(f, f)
        return self.shell.inertia + self._reduced * (ca.dot(f, f) * ca.SX.eye(3) - f @ f.T)

    def centre(self, own: ca.SX) -> ca.SX:
        sprung = self.point * (self.place + own * self.axis)
        return (self.shell.mass * self.shell.centre + sprung) / (self.shell.mass + self.point)

    def released(self, axis: ca.SX, inertia: ca.SX) -> BodyKind:
        left = self.shell.inertia - inertia * (axis @ axis.T)
        return replace(self, shell=replace(self.shell, inertia=left))

    def inertia(self, space: Space, carrier: Carrier, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        s, rate, axes = carrier.own, carrier.rates, carrier.frame.axes
        f, omega = self.place + s * self.axis - self.shell.centre, carrier.twist.omega
        turn = ca.SX.eye(1) if space.planar or own_axes else axes
        spin = omega if space.planar else axes.T @ omega
        inertia = self._inertia(f)
        slope = ca.reshape(ca.jacobian(inertia, s), inertia.shape)
        lever = self._reduced * space.moment(f, self.axis)
        carried = slope @ spin * rate
        if not space.planar:
            carried += ca.cross(spin, inertia @ spin + lever * rate)
        mass = self.mass * ca.SX.eye(space.dimension)
        corner = ca.vertcat(
            ca.horzcat(turn @ inertia @ turn.T, turn @ lever), ca.horzcat((turn @ lever).T, self._reduced)
        )
        velocities = ca.vertcat(carrier.follow(space, self.centre(s)), turn @ spin, rate)
        load = ca.vertcat(self.mass * gravity, -turn @ carried, ca.dot(spin, slope @ spin) / 2)
        return Resistance(velocities, ca.diagcat(mass, corner), load)

    def contribute(self, name: str, carrier: Carrier) -> Contribution:
        (stiffness, damping), s, rate = self.law, carrier.own, carrier.rates
        return Contribution(
            efforts=(JointEffort(name, 0, -stiffness * s - damping * rate),),
            potential=stiffness * s**2 / 2,
            dissipation=damping * rate**2,
            readings={"s": Reading("m", "way of the mass", s), "rate": Reading("m/s", "its rate", rate)},
        )


@dataclass(frozen=True, eq=False)
class Telescope(Sprung):
    """The same, of which the place of the mass can be held: it moves in the body."""

    name: ClassVar[str] = "telescope"

    def seat(self, own: ca.SX, place: Frame) -> Frame:
        outside = bool(np.any(np.abs(np.array(ca.DM(place.origin - self.place))) > 1e-12))
        return place if outside else replace(place, origin=place.origin + own * self.axis)


class SprungBody(lw.elements.Body):
    kind: Literal["sprung"] = "sprung"
    point: Value = Field(description="mass inside, kg")
    along: tuple[str, str] = Field(description="the point where it is drawn, and one towards which it moves")
    stiffness: Value = Field(description="N/m")
    damping: Value = Field(0, validate_default=True, description="N*s/m")
    out: Value = Field(0, validate_default=True, description="where it starts, m")
    speed: Value = Field(0, validate_default=True, description="its rate at the start, m/s")
    made: ClassVar[type[Sprung]] = Sprung
    READINGS: ClassVar[tuple[str, ...]] = ("s", "rate")

    def embody(self, values, points) -> BodyKind:  # type: ignore[no-untyped-def]
        shell = super().embody(values, points).drawn
        first, second = (points[name] for name in self.along)
        law = values.value(self.stiffness), values.value(self.damping)
        begin = values.value(self.out), values.value(self.speed)
        axis = (second - first) / ca.norm_2(second - first)
        return self.made(shell, values.value(self.point), first, axis, law, begin)


class TelescopeBody(SprungBody):
    kind: Literal["telescope"] = "telescope"  # type: ignore[assignment]
    made: ClassVar[type[Sprung]] = Telescope


@pytest.fixture(scope="module", autouse=True)
def sprung(kinds_of_the_file: None) -> None:
    lw.register(SprungBody)
    lw.register(TelescopeBody)


POINTS = {"O": [0, 0], "A": [0.4, 0.1], "B": [0.7, 0.3], "W": [0.9, -0.2], "C": [0.3, 0.25], "D": [0.55, 0.35]}
AXIS = np.array([0.25, 0.1]) / np.hypot(0.25, 0.1)
ALL = {"space": "planar", "gravity": [0, -9.81]}
SHELL: dict[str, Any] = {"points": ["O", "A", "C", "D"], "mass": 2, "inertia": 0.05, "com": "A"}
INSIDE: dict[str, Any] = {"point": 0.7, "along": ["C", "D"], "stiffness": 60}
BODIES = {"rod": {"bar": ["A", "B"], "mass": 0.5}}
JOINTS = {
    "O": {"kind": "revolute", "bodies": ["ground", "shell"]},
    "A": {"kind": "revolute", "bodies": ["shell", "rod"]},
}
PULL = {"kind": "spring", "between": ["rod.B", "ground.W"], "stiffness": 30, "free_length": 0.2}
FAR = 1.0  # from the mass inside to the other end of its spring, far back on its line: its length does not vanish


def one_body(kind: str = "sprung", start: tuple[float, float] = (0.05, -0.3), **more: Any) -> lw.Model:
    """A pendulum with a mass inside and a rod at its end that a spring pulls."""
    shell = {"kind": kind, **SHELL, **INSIDE, "damping": more.pop("damping", 0), "out": start[0], "speed": start[1]}
    parts = {"joints": JOINTS, "forces": {"pull": PULL}, **more}
    return lw.Model(**ALL, points=POINTS, bodies={"shell": shell, **BODIES}, **parts)


def two_bodies(start: tuple[float, float] = (0.05, -0.3), **more: Any) -> lw.Model:
    """The same of rigid bodies alone."""
    back = (np.array(POINTS["C"]) - FAR * AXIS).tolist()
    inside = {"kind": "spring", "between": ["shell.F", "slug.C"], "stiffness": 60, "free_length": FAR}
    shell = {**SHELL, "points": [*SHELL["points"], "F"]}
    slide = {"kind": "prismatic", "bodies": ["shell", "slug"], "at": "C", "axis": AXIS.tolist()}
    slug = {"points": ["C"], "mass": 0.7, "inertia": 0}
    still = {name: {"speed": 0} for name in more.get("joints", JOINTS)}
    parts = {
        "joints": {**more.pop("joints", JOINTS), "slide": slide},
        "forces": {**more.pop("forces", {"pull": PULL}), "inside": {**inside, "damping": more.pop("damping", 0)}},
    }
    initial = {"slide": {"position": start[0], "speed": start[1]}, **still}
    points = {**POINTS, "F": back}
    return lw.Model(
        **ALL, points=points, bodies={"shell": shell, **BODIES, "slug": slug}, initial=initial, **parts, **more
    )


def placed(model: lw.Model, end: float = 2.0) -> lw.Result:
    return lw.simulate(model, end, coordinates="reference_point", formulation="multipliers", **TIGHT)


@pytest.mark.parametrize("damping", [0.0, 1.5])
def test_a_mass_inside_moves_as_a_body_of_its_own(damping: float) -> None:
    found = placed(one_body(damping=damping))
    same = lw.simulate(two_bodies(damping=damping), 2.0, coordinates="relative", **TIGHT)
    assert found["shell.s"] == pytest.approx(same["slide.position"], abs=1e-9)
    assert found["shell.rate"] == pytest.approx(same["slide.speed"], abs=1e-8)
    for name in ("shell.angle", "rod.angle", "B.x", "B.y", "energy.kinetic", "energy.potential", "pull.force"):
        assert found[name] == pytest.approx(same[name], abs=1e-8), name
    # what is inside counts, as of a body of its own
    for name in (
        "mass.total",
        "centre_of_mass.x",
        "inertia.zz",
        "momentum.y",
        "angular_momentum.z",
        "angular_momentum.A.z",
    ):
        assert found[name] == pytest.approx(same[name], abs=1e-8), name
    for component in ("fx", "fy"):
        reactions = found.reactions["O"][component], same.reactions["O"][component]
        assert reactions[0] == pytest.approx(reactions[1], abs=1e-6)
    lost = found["work.dissipated"]
    assert lost == pytest.approx(same["work.dissipated"], abs=1e-8)
    assert (lost[-1] > 0.01) == (damping > 0)
    assert found["energy.total"] + lost == pytest.approx(found["energy.total"][0], abs=1e-8)
    assert found.audit.passed


HELD: dict[str, Any] = {
    "joints": {**JOINTS, "A": {"kind": "revolute", "bodies": ["shell", "rod"], "at": "C"}},
    "forces": {"pull": {**PULL, "between": ["shell.C", "ground.W"]}},
}
"""The rod hangs on the mass inside, and the spring pulls it: both at a place that moves in the body."""


def test_the_checks_of_elements_hold_for_it() -> None:
    testing.check_elements(one_body(damping=1.5))
    testing.check_elements(one_body("telescope", (0, 0), **HELD))


def test_joints_and_forces_hold_places_that_move_in_a_body() -> None:
    found = placed(one_body("telescope", (0, 0), **HELD))
    on_slug = {
        "joints": {**JOINTS, "A": {"kind": "revolute", "bodies": ["slug", "rod"], "at": "C"}},
        "forces": {"pull": {**PULL, "between": ["slug.C", "ground.W"]}},
    }
    same = lw.simulate(two_bodies((0, 0), **on_slug), 2.0, coordinates="relative", **TIGHT)
    assert found["shell.s"] == pytest.approx(same["slide.position"], abs=1e-9)
    assert np.ptp(found["shell.s"]) > 0.1
    for name, other in {"rod.angle": "rod.angle", "B.x": "B.x", "shell.C.x": "slug.C.x", "A.speed": "A.speed"}.items():
        assert found[name] == pytest.approx(same[other], abs=1e-8), name
    for component in ("fx", "fy"):
        assert found.reactions["A"][component] == pytest.approx(same.reactions["A"][component], abs=1e-6)
    assert found.audit.passed


@pytest.mark.parametrize("kind", ["mixed", "by_body"])
def test_other_bodies_may_have_other_coordinates(kind: str) -> None:
    chosen = {"*": "relative", "shell": "reference_point"} if kind == "by_body" else kind
    found = lw.simulate(one_body(), 0.5, coordinates=chosen, **TIGHT)
    assert found["shell.s"] == pytest.approx(placed(one_body(), 0.5)["shell.s"], abs=1e-9)


def test_a_motion_goes_on_in_other_coordinates() -> None:
    begun = placed(one_body(), 0.5)
    found = lw.simulate(begun, 1.0, coordinates="mixed", **TIGHT)
    assert found["shell.s"][0] == pytest.approx(begun["shell.s"][-1], abs=1e-12)
    assert found["shell.s"][-1] == pytest.approx(placed(one_body(), 1.0)["shell.s"][-1], abs=1e-8)


ROOM = {
    "space": "spatial",
    "points": {"O": [0, 0, 0], "A": [0.4, 0.1, 0.2], "C": [0.3, 0.25, -0.1], "D": [0.55, 0.35, 0.1]},
}
LUMP = {**SHELL, "inertia": [0.05, 0.07, 0.09]}


def in_space(inside: bool, floating: bool) -> lw.Model:
    """A body that tumbles about a ball, or in free fall, with a mass inside: as one body, or as two."""
    way = np.subtract(ROOM["points"]["D"], ROOM["points"]["C"])  # type: ignore[index]
    axis = way / np.linalg.norm(way)
    joints = {} if floating else {"O": {"kind": "spherical", "bodies": ["ground", "shell"]}}
    initial: dict[str, Any] = {"shell" if floating else "O": {"omega": [1.0, -2.0, 3.0]}}
    gravity = [0, 0, 0] if floating else [0, 0, -9.81]
    if inside:
        shell = {"kind": "sprung", **LUMP, **INSIDE, "out": 0.05}
        return lw.Model(**ROOM, gravity=gravity, bodies={"shell": shell}, joints=joints, initial=initial)
    ends = {"F": ROOM["points"]["C"] - FAR * axis, "E": ROOM["points"]["C"] + 0.05 * axis}  # type: ignore[index]
    points = {**ROOM["points"], **{name: place.tolist() for name, place in ends.items()}}  # type: ignore[dict-item]
    shell = {**LUMP, "points": [*SHELL["points"], "F"]}
    slide = {"kind": "prismatic", "bodies": ["shell", "slug"], "at": "E", "axis": axis.tolist()}
    spring = {"kind": "spring", "between": ["shell.F", "slug.E"], "stiffness": 60, "free_length": FAR}
    return lw.Model(
        **{**ROOM, "points": points},
        gravity=gravity,
        bodies={"shell": shell, "slug": {"points": ["E"], "mass": 0.7, "inertia": [0, 0, 0]}},
        joints={**joints, "slide": slide},
        forces={"inside": spring},
        initial={**initial, "slide": {"speed": 0}},
    )


def test_it_tumbles_in_space() -> None:
    found, same = placed(in_space(True, False)), lw.simulate(in_space(False, False), 2.0, **TIGHT)
    assert found["shell.s"] == pytest.approx(0.05 + same["slide.position"], abs=1e-9)
    for name in ("A.x", "A.y", "A.z", "shell.wx", "energy.kinetic"):
        assert found[name] == pytest.approx(same[name], abs=1e-8), name
    assert found.audit.passed


def test_its_momenta_are_kept_where_nothing_acts() -> None:
    found = placed(in_space(True, True))
    assert np.ptp(found["shell.s"]) > 0.05
    assert found.audit["momentum"].passed
    for axis in "xyz":
        assert np.ptp(found[f"shell.v{axis}"]) < 1e-10  # of the centre of mass of both, which moves in the body


def test_forces_may_read_what_is_its_own() -> None:
    push = {"kind": "force", "at": "rod.B", "value": ["10*shell.s", 0]}
    found = placed(one_body(forces={"push": push}), 0.5)
    assert found["push.fx"] == pytest.approx(10 * found["shell.s"], abs=1e-12)
    with pytest.raises(lw.errors.ModelError, match="body 'rod' has no 's'"):
        one_body(forces={"push": {**push, "value": ["10*rod.s", 0]}})
    with pytest.raises(lw.errors.ModelError, match="there is a force of the same name"):
        one_body(forces={"shell": push})


def test_it_rests_and_swings_as_two_bodies_do() -> None:
    alone, same = lw.find_equilibrium(one_body(), coordinates="reference_point"), lw.find_equilibrium(two_bodies())
    assert alone["shell.s"] == pytest.approx(same["slide.position"], abs=1e-9)
    assert alone["shell.angle"] == pytest.approx(same["shell.angle"], abs=1e-9)
    found, expected = ([mode.omega for mode in lw.modes(item)] for item in (alone, same))
    assert found == pytest.approx(expected, rel=1e-7)


def test_who_cannot_take_it_says_so_by_name() -> None:
    for kind in ("relative", "natural"):
        with pytest.raises(
            RefusedError,
            match=f"body 'shell' is sprung, but {kind} coordinates take only rigid bodies; take reference_point",
        ):
            lw.simulate(one_body(), 0.1, coordinates=kind)
    with pytest.raises(RefusedError, match="'shell' is telescope, but relative coordinates take only bodies that keep"):
        lw.simulate(one_body("telescope", (0, 0)), 0.1, coordinates={"*": "relative", "shell": "reference_point"})
    led = {name: {"joint": name, "position": "0.3*sin(t)"} for name in "OA"}
    with pytest.raises(RefusedError, match=r"shell\.s is a coordinate of the body's own: forces move it"):
        lw.solve_kinematics(one_body(drivers=led), until=1.0, coordinates="reference_point")
    push = {"kind": "force", "at": "rod.B", "value": [1, 0], "reaction": "shell"}
    with pytest.raises(
        RefusedError, match="body 'shell' is telescope and changes its shape: it takes forces at its named"
    ):
        placed(one_body("telescope", (0, 0), forces={"push": push}), 0.1)
    with pytest.raises(RefusedError, match="body 'shell' is sprung, but mechanisms on a base that moves"):
        placed(one_body(base={"acceleration": [1, 0]}), 0.1)
    for verb in (lw.find_limits, lw.assembly_modes, lambda model: lw.assemble(model, {"O": 0.1})):
        with pytest.raises(
            RefusedError, match=r"body 'shell' is telescope, but .* take only bodies that keep their shape"
        ):
            verb(one_body("telescope", (0, 0)))


@dataclass(frozen=True, eq=False)
class Twisted(Sprung):
    """Places turn by s about an axis."""

    def seat(self, own: ca.SX, place: Frame) -> Frame:
        if place.origin.numel() == 2:
            return Frame.planar(ca.SX(2, 1), own) @ place
        return Frame(ca.SX(3, 1), rotation(self.axis, own)) @ place


def rotation(axis: ca.SX, angle: ca.SX) -> ca.SX:
    """Rodrigues' formula."""
    k = ca.skew(axis)
    return ca.SX.eye(3) + ca.sin(angle) * k + (1 - ca.cos(angle)) * k @ k


@pytest.mark.parametrize("space", [PLANAR, SPATIAL], ids=lambda space: space.name)
def test_the_twist_of_a_marker_is_the_rate_of_its_frame(space: Space) -> None:
    rng, d, k, t = np.random.default_rng(3), space.dimension, space.rotations, ca.SX.sym("t")
    axis, omega, velocity, s, rate = rng.normal(size=d), rng.normal(size=k), rng.normal(size=d), ca.SX.sym("s"), 0.7
    axis /= np.linalg.norm(axis)
    speed = np.linalg.norm(omega)
    if space.planar:
        frame, place = Frame.planar(ca.SX(velocity) * t, omega[0] * t), Frame.planar(ca.SX([0.3, -0.2]), ca.SX(0.4))
    else:
        frame = Frame(ca.SX(velocity) * t, rotation(ca.SX(omega / speed), speed * t))
        place = Frame(ca.SX([0.3, -0.2, 0.5]), rotation(ca.SX([0, 0.6, 0.8]), ca.SX(0.4)))
    none = Distribution(ca.SX(1), ca.SX(d, 1), ca.SX.eye(k))
    kind = Twisted(none, ca.SX(1), ca.SX(d, 1), ca.SX(axis), (ca.SX(0), ca.SX(0)), (ca.SX(0), ca.SX(0)))
    carrier = Carrier(frame, Twist(ca.SX(velocity), ca.SX(omega)), s, ca.SX(rate))
    marker = kind.marker(space, carrier, place)
    seated = kind.carried(frame, s) @ place
    parts = [marker.frame.origin, marker.frame.axes, marker.twist.velocity, marker.twist.omega, seated.axes]
    f = ca.Function("f", [t], [ca.densify(ca.substitute(item, s, 0.2 + rate * t)) for item in parts])
    (_, axes, v, w, same), h = (np.array(item) for item in f(0)), 1e-6
    (r1, a1, *_), (r0, a0, *_) = ([np.array(item) for item in f(x)] for x in (h, -h))
    assert (r1 - r0) / (2 * h) == pytest.approx(v, abs=1e-8)
    spin = (a1 - a0) / (2 * h) @ axes.T
    expected = spin[1, 0] if space.planar else [spin[2, 1], spin[0, 2], spin[1, 0]]
    assert w.ravel() == pytest.approx(expected, abs=1e-8)
    assert same == pytest.approx(axes, abs=1e-14)
    assert np.abs(w.ravel() - omega).max() > 0.1


def test_the_body_of_the_how_to_page_swings_as_it_should() -> None:
    """Without forces from outside I ω + J (ω + φ̇) = 0, and φ swings with k over the reduced inertia I J / (I + J)."""
    page = (Path(__file__).parents[2] / "docs" / "howto" / "from_outside.md").read_text(encoding="utf-8")
    known: dict[str, Any] = {"lw": lw, "__name__": "page"}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        if any(word in block for word in ("WaterBall", "class Wound", "wound_disc")):
            exec(compile(block, "from_outside.md", "exec", dont_inherit=True), known)
    found = known["result"]
    assert found["disc.phi"] == pytest.approx(np.cos(np.sqrt(2 / (0.02 * 0.01 / 0.03)) * found.time), abs=1e-5)
    assert found["disc.angle"] == pytest.approx((1 - found["disc.phi"]) / 3, abs=1e-5)
    testing.check_elements(known["model"])


def test_stages_begin_in_a_state_with_what_is_inside() -> None:
    run = lw.simulate(one_body(), 0.2, step=0.1, coordinates="reference_point", **TIGHT)
    on = lw.simulate(run, 0.3, **TIGHT)
    assert on["shell.s"][0] == run["shell.s"][-1]
    for stage in (lw.number(run), lw.formulate(run), lw.prepare(run)):
        again = lw.simulate(stage, 0.3, **TIGHT)
        assert again["shell.s"][0] == pytest.approx(run["shell.s"][-1], abs=1e-15)
        assert again["shell.rate"][0] == pytest.approx(run["shell.rate"][-1], abs=1e-15)
        assert again["shell.s"][-1] == pytest.approx(on["shell.s"][-1], abs=1e-10)


def on_slug(start: tuple[float, float], **more: Any) -> lw.Model:
    """The comparison for places that move in a body: the rod and the spring are at the mass."""
    held = {
        "joints": {**JOINTS, "A": {"kind": "revolute", "bodies": ["slug", "rod"], "at": "C"}},
        "forces": {"pull": {**PULL, "between": ["slug.C", "ground.W"]}},
    }
    return two_bodies(start, **held, **more)


@pytest.mark.parametrize("coordinates", ["reference_point", "mixed", "reference_point:tait_bryan"])
def test_places_that_move_start_where_the_model_says(coordinates: str) -> None:
    """The rod follows the mass to which it is pinned, at the start and with its first speed."""
    start, initial = (0.08, -0.4), {"O": {"angle": 0.3, "speed": 1.1}, "A": {"angle": -0.2, "speed": -0.7}}
    model = one_body("telescope", start, **HELD, initial=initial)
    found = lw.simulate(model, 1.0, coordinates=coordinates, **TIGHT)
    same = lw.simulate(on_slug(start).with_(initial=initial), 1.0, coordinates="relative", **TIGHT)
    assert found["shell.s"][0] == pytest.approx(0.08, abs=1e-15)
    assert found["shell.rate"][0] == pytest.approx(-0.4, abs=1e-15)
    for name, value in {"O.angle": 0.3, "O.speed": 1.1, "A.angle": -0.2, "A.speed": -0.7}.items():
        assert found[name][0] == pytest.approx(value, abs=1e-12), name
    names = {"shell.s": "slide.position", "rod.angle": "rod.angle", "B.x": "B.x", "B.vy": "B.vy", "rod.x": "rod.x"}
    for name, other in names.items():
        assert found[name] == pytest.approx(same[other], abs=1e-9 if name == "shell.s" else 1e-8), name
    assert found.audit.passed
    assert not lw.analyse(model).assembly.notes


def test_a_run_with_places_that_move_goes_on_from_any_stage() -> None:
    model = one_body("telescope", (0.08, -0.4), **HELD, initial={"O": {"speed": 1.1}, "A": {"speed": -0.7}})
    run, whole = placed(model, 0.4), placed(model, 0.8)
    assert abs(run["shell.rate"][-1]) > 0.1
    for noun in (run, lw.prepare(run), lw.analyse(run)):
        on = lw.simulate(noun, 0.8, coordinates="reference_point", formulation="multipliers", **TIGHT)
        for name in ("shell.s", "shell.rate", "shell.angle", "rod.angle"):
            assert on[name][0] == pytest.approx(run[name][-1], abs=1e-12), name
            assert on[name][-1] == pytest.approx(whole[name][-1], abs=1e-8), name
    assert lw.diagnose(run, 0.4).freedoms == lw.diagnose(model).freedoms == 2


def test_conditions_inside_a_body_are_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """No formulation would hold them."""
    usual = Sprung.contribute

    def contribute(self: Sprung, name: str, carrier: Carrier) -> Contribution:
        return replace(usual(self, name, carrier), conditions=(Condition("s", carrier.own[0]),))

    monkeypatch.setattr(Sprung, "contribute", contribute)
    model = one_body(start=(0.051, -0.3))  # no other test has made coordinates of it
    with pytest.raises(
        RefusedError, match="its Contribution has conditions, which nobody would hold; declare a relation"
    ):
        lw.number(model, "reference_point")
