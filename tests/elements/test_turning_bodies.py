"""A kind of body from outside of which places turn: a rigid shell with a disc on an axis inside, held by a spiral spring.

With the moment of inertia J of the disc about its axis a, on which its centre of mass is, and its angle s in the shell, the
momenta are m v, I ω + J a ṡ and J (a·ω + ṡ), where m and I are those of both together and do not depend on s.
So u = (ṙ_G, ω, ṡ), and moments on places of the disc act on s with the part of their angular velocity that is ṡ a. It is
compared with two rigid bodies, a revolute joint and a torsion spring.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import casadi as ca
import numpy as np
import pytest
from pydantic import Field

import linkwork as lw
from linkwork import testing
from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.bodies import BodyKind, Carrier, Resistance
from linkwork.elements.contribution import Contribution, JointEffort, Reading, Unknown
from linkwork.elements.inertia import Distribution
from linkwork.model.body import BODY_KINDS
from linkwork.model.fields import Value
from linkwork.model.model import renew_kinds

TIGHT = {"rtol": 1e-11, "atol": 1e-11}
LAW = {"stiffness": 3.0, "damping": 0.02}
DISC, SPIN = 0.6, 0.03  # mass, and moment of inertia about its axis
ACROSS = 0.018  # about the lines across it
BEGIN = (0.4, -1.5)


@dataclass(frozen=True, eq=False)
class WithDisc(BodyKind):
    """A rigid body, in which a disc turns about an axis (in the plane the normal) through a centre."""

    name: ClassVar[str] = "with_disc"

    whole: Distribution
    centre_of_disc: ca.SX
    axis: ca.SX
    begin: tuple[ca.SX, ca.SX]

    @property
    def drawn(self) -> Distribution:
        return self.whole

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("s"),)

    @property
    def start(self) -> tuple[ca.SX, ca.SX]:
        return self.begin

    def released(self, axis: ca.SX, inertia: ca.SX) -> BodyKind:
        return replace(self, whole=replace(self.whole, inertia=self.whole.inertia - inertia * (axis @ axis.T)))

    def seat(self, own: ca.SX, place: Frame) -> Frame:
        """Places nearer to the centre than 0.2 m are on the disc."""
        arm = place.origin - self.centre_of_disc
        if float(ca.norm_2(ca.DM(arm))) > 0.2:
            return place
        if arm.numel() == 2:
            turned = Frame.planar(ca.SX(2, 1), own)
        else:
            k = ca.skew(self.axis)
            turned = Frame(ca.SX(3, 1), ca.SX.eye(3) + ca.sin(own) * k + (1 - ca.cos(own)) * k @ k)
        found = turned @ replace(place, origin=arm)
        return replace(found, origin=found.origin + self.centre_of_disc)

    def inertia(self, space: Space, carrier: Carrier, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        omega, axes, rate = carrier.twist.omega, carrier.frame.axes, carrier.rates
        turn = ca.SX.eye(1) if space.planar or own_axes else axes
        spin = omega if space.planar else axes.T @ omega
        axis = ca.SX(1) if space.planar else self.axis
        gyro = ca.SX(1, 1) if space.planar else -ca.cross(spin, self.whole.inertia @ spin + SPIN * axis * rate)
        corner = ca.blockcat(
            [[turn @ self.whole.inertia @ turn.T, SPIN * turn @ axis], [SPIN * (turn @ axis).T, ca.SX(SPIN)]]
        )
        velocities = ca.vertcat(carrier.follow(space, self.whole.centre), turn @ spin, rate)
        load = ca.vertcat(self.mass * gravity, turn @ gyro, 0)
        return Resistance(velocities, ca.diagcat(self.mass * ca.SX.eye(space.dimension), corner), load)

    def contribute(self, name: str, carrier: Carrier) -> Contribution:
        s, rate = carrier.own, carrier.rates
        return Contribution(
            efforts=(JointEffort(name, 0, -LAW["stiffness"] * s - LAW["damping"] * rate),),
            potential=LAW["stiffness"] * s**2 / 2,
            dissipation=LAW["damping"] * rate**2,
            readings={"s": Reading("rad", "angle of the disc", s), "rate": Reading("rad/s", "its rate", rate)},
        )


class BodyWithDisc(lw.elements.Body):
    """Mass and inertia are those of the shell alone."""

    kind: Literal["with_disc"] = "with_disc"
    disc: str = Field(description="the point of its centre")
    first: Value = Field(0, validate_default=True, description="angle at the start, rad")
    speed: Value = Field(0, validate_default=True, description="its rate at the start, rad/s")
    READINGS: ClassVar[tuple[str, ...]] = ("s", "rate")

    def embody(self, values, points) -> BodyKind:  # type: ignore[no-untyped-def]
        shell, at = super().embody(values, points).drawn, points[self.disc]
        axis = ca.SX([0, 0.6, 0.8])
        mass = shell.mass + DISC
        centre = (shell.mass * shell.centre + DISC * at) / mass
        arms = [(shell.mass, shell.centre - centre), (ca.SX(DISC), at - centre)]
        if at.numel() == 2:
            inertia = shell.inertia + SPIN + sum(m * ca.dot(r, r) for m, r in arms)
        else:
            own = ACROSS * ca.SX.eye(3) + (SPIN - ACROSS) * axis @ axis.T
            inertia = shell.inertia + own + sum(m * (ca.dot(r, r) * ca.SX.eye(3) - r @ r.T) for m, r in arms)
        begin = values.value(self.first), values.value(self.speed)
        return WithDisc(Distribution(mass, centre, inertia), at, axis, begin)


@pytest.fixture(autouse=True)
def with_disc() -> Iterator[None]:
    kept = dict(BODY_KINDS)
    lw.register(BodyWithDisc)
    yield
    BODY_KINDS.clear()
    BODY_KINDS.update(kept)
    renew_kinds()


FLAT: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [0.4, 0.1], "C": [0.5, 0.3], "E": [0.6, 0.35], "B": [0.9, 0.5], "W": [0.7, -0.2]},
}
ROOM: dict[str, Any] = {
    "space": "spatial",
    "gravity": [0, 0, -9.81],
    "points": {
        "O": [0, 0, 0],
        "A": [0.4, 0.1, 0.2],
        "C": [0.5, 0.3, 0.1],
        "E": [0.6, 0.35, 0.05],
        "B": [0.9, 0.5, 0.2],
        "W": [0.7, -0.2, 0.3],
    },
}
ROOMS = {"planar": FLAT, "spatial": ROOM}
AXIS = [0, 0.6, 0.8]


def _inertia(space: str, value: float) -> Any:
    return value if space == "planar" else [value, 1.3 * value, 1.6 * value]


def forces_at(disc: str, space: str) -> dict[str, dict[str, Any]]:
    """What turns the disc by a place of it; *disc*: the body that has it."""
    flat = space == "planar"
    turn = 0.8 if flat else [0.3, -0.5, 0.8]
    stiff = [40, 50, 2] if flat else [40, 50, 60, 2, 3, 4]
    return {
        "turn": {"kind": "torque", "body": disc, "at": "E", "value": turn},
        "rubber": {
            "kind": "bushing",
            "between": [f"{disc}.E", "ground.W"],
            "stiffness": stiff,
            "damping": [0.01 * k for k in stiff],
        },
        "twist": {"kind": "torque", "body": "shell", "value": turn},
    }


def model(space: str, one: bool, *, rod: str = "", forces: bool = True) -> lw.Model:
    """A pendulum with a disc inside, and a rod at the disc: welded to it, or on a ball; as one body, or as two."""
    disc, flat = "shell" if one else "disc", space == "planar"
    first = 0.0 if rod == "spherical" else BEGIN[0]  # nobody says how the rod is turned about a ball
    shell = {"points": ["O", "A", "C", "E"] if one else ["O", "A", "C"], "mass": 2, "com": "A"}
    shell |= {"inertia": _inertia(space, 0.05)}
    if one:
        shell |= {"kind": "with_disc", "disc": "C", "first": first, "speed": BEGIN[1]}
    bodies: dict[str, Any] = {"shell": shell}
    pin = {"kind": "revolute" if flat else "spherical", "bodies": ["ground", "shell"]}
    joints: dict[str, Any] = {"O": pin}
    initial: dict[str, Any] = {"O": {"speed": 0.7} if flat else {"omega": [0.7, -0.4, 0.9]}}
    acting = forces_at(disc, space) if forces else {}
    if not one:
        across = ACROSS * np.eye(3) + (SPIN - ACROSS) * np.outer(AXIS, AXIS)
        parts = [*np.diag(across), across[0, 1], across[0, 2], across[1, 2]]
        bodies["disc"] = {"points": ["C", "E"], "mass": DISC, "com": "C", "inertia": SPIN if flat else parts}
        joints["C"] = {"kind": "revolute", "bodies": ["shell", "disc"]} | ({} if flat else {"axis": AXIS})
        initial["C"] = {"angle": first, "speed": BEGIN[1]}
        acting["spiral"] = {"kind": "torsion_spring", "joint": "C", **LAW, "free_angle": 0}
    if rod:
        bodies["rod"] = {"points": ["E", "B"], "mass": 0.5, "com": "B", "inertia": _inertia(space, 0.02)}
        joints["E"] = {"kind": rod, "bodies": [disc, "rod"]}
    if rod == "spherical":
        acting["rub"] = {"kind": "friction", "joint": "E", "viscous": 0.05}
        initial["E"] = {"omega": [0.2, 0.5, -0.3]}
    return lw.Model(**ROOMS[space], bodies=bodies, joints=joints, forces=acting, initial=initial)


def compare(found: lw.Result, same: lw.Result, names: tuple[str, ...]) -> None:
    assert found["shell.s"] == pytest.approx(same["C.angle"], abs=1e-9)
    assert found["shell.rate"] == pytest.approx(same["C.speed"], abs=1e-8)
    for name in (*names, "momentum.x", "angular_momentum.z", "angular_momentum.centre_of_mass.z", "inertia.zz"):
        assert found[name] == pytest.approx(same[name], abs=1e-8), name
    assert found.audit.passed


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize("coordinates", ["reference_point", "mixed"])
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_moments_at_places_that_turn_act_on_what_is_inside(space: str, coordinates: str) -> None:
    found = lw.simulate(model(space, True), 1.0, coordinates=coordinates, **TIGHT)
    same = lw.simulate(model(space, False), 1.0, coordinates="relative", **TIGHT)
    axis = "z" if space == "spatial" else "y"
    compare(
        found, same, (f"A.{axis}", "turn.power", "rubber.power", "twist.power", "energy.kinetic", "energy.potential")
    )
    free = lw.simulate(model(space, True, forces=False), 1.0, coordinates=coordinates, **TIGHT)
    assert np.abs(free["shell.s"] - found["shell.s"]).max() > 0.05


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_the_moment_of_a_joint_acts_on_what_is_inside(space: str) -> None:
    """A weld holds the rod to the disc."""
    found = lw.simulate(model(space, True, rod="fixed"), 1.0, coordinates="reference_point", **TIGHT)
    same = lw.simulate(model(space, False, rod="fixed"), 1.0, coordinates="relative", **TIGHT)
    compare(found, same, ("B.x", "B.vy", "energy.kinetic"))
    assert found.reactions["E"]["mz"] == pytest.approx(same.reactions["E"]["mz"], abs=1e-6)


def test_friction_of_a_ball_acts_on_what_is_inside() -> None:
    found = lw.simulate(model("spatial", True, rod="spherical"), 0.5, coordinates="reference_point", **TIGHT)
    same = lw.simulate(model("spatial", False, rod="spherical"), 0.5, coordinates="relative", **TIGHT)
    assert found["E.wx"][0] == pytest.approx(0.2, abs=1e-12)
    compare(found, same, ("B.x", "E.wy", "rub.power"))


def test_the_checks_of_elements_hold_for_it() -> None:
    testing.check_elements(model("planar", True, rod="fixed"))
    testing.check_elements(model("spatial", True, rod="spherical"))


def test_a_torque_at_a_place_that_a_body_does_not_have() -> None:
    wrong = {"turn": {"kind": "torque", "body": "shell", "at": "B", "value": 1}}
    with pytest.raises(lw.errors.ModelError, match=r"forces\.turn\.at"):
        model("planar", True).with_(forces=wrong)
