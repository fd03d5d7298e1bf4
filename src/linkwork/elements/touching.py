"""What happens at a place where two bodies touch, from its gap g, its normal n and the velocities there.

    g ≥ 0  ⊥  λ ≥ 0,   s = P (ẋ_b − ẋ_a),   P = 1 − n nᵀ

λ pushes the bodies apart along n, from the first to the second. Along the surface the law is Coulomb's with N = λ itself,

    s ≠ 0: T = −μ(s) λ s/|s|;   s = 0: |T| ≤ μ₀ λ,

where T acts on the second body, and with the opposite sign on the first, at the same place. While it slips T is an unknown
of the loads (``Implied``), as λ depends on it; while it sticks a condition s = 0 holds, which it can only while the gap is
closed.
In the plane s is one number, along t = (n_y, −n_x), in space two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, Grasp, Implied, Load, Reading
from linkwork.elements.rubbing import TINY, Coefficients
from linkwork.elements.rubbing import size as size_of
from linkwork.elements.shapes.gaps import ContactGap
from linkwork.elements.shapes.touchables import HERTZ, LINEAR, ContactLaw

GAP, SLIP, ROLL, SPIN = "gap", "slip", "roll", "spin"  # components of the rows
NOUNS = {ROLL: "rolling", SPIN: "spinning"}
WORDS, GRIP_WORDS = ("touches", "parts", "is hit"), ("sticks", "slips")
PRESSED = "a place where it has no value: what it presses with grows without end"
SLIPPING = 1e-10  # by which the square of a direction that is one may differ from 1
RESTING, FADING = 1e-9, 100.0  # ε, of the size of the mechanism in a second, and how many of it are a little
Pressing = Callable[[str], ca.SX]
"""What the conditions of the element push with, by their components."""


@dataclass(frozen=True, eq=False)
class TouchingPlace:
    """Where two bodies may touch: their names, the gap with its normal, and the velocities (d) of both there.

    tangents: one in the plane, two in space; remedy: what to do where they overlap at the start
    length: the size of the mechanism (m); turning: ω_b − ω_a (k)
    """

    name: str
    bodies: tuple[str, str]
    gap: ContactGap
    velocities: tuple[ca.SX, ca.SX]
    tangents: tuple[ca.SX, ...]
    length: float
    turning: ca.SX
    remedy: str = "draw them apart, or give the bodies another start"

    @property
    def sliding(self) -> ca.SX:
        """ẋ_b − ẋ_a (d)."""
        return self.velocities[1] - self.velocities[0]

    @property
    def slip_names(self) -> tuple[str, ...]:
        """The components of its slip."""
        return (SLIP,) if len(self.tangents) == 1 else tuple(f"{SLIP}_{i}" for i in range(1, len(self.tangents) + 1))

    @property
    def place(self) -> ca.SX:
        """Where forces act: half way between both surfaces."""
        return (self.gap.points[0] + self.gap.points[1]) / 2


def touch(place: TouchingPlace, law: ContactLaw, pushes: Pressing) -> Contribution:
    """The conditions, loads and readings of a rigid contact."""
    found = _touch(place, law, pushes)
    for more in _turning(place, law, pushes):
        found = replace(
            found,
            conditions=(*found.conditions, *more.conditions),
            loads=(*found.loads, *more.loads),
            dissipation=found.dissipation + more.dissipation,
            implied=(*found.implied, *more.implied),
            readings={**found.readings, **more.readings},
        )
    return found


def _turning(place: TouchingPlace, law: ContactLaw, pushes: Pressing) -> Iterator[Contribution]:
    """What resists rolling, along the surface, and in space spinning, about its normal."""
    planar = len(place.tangents) == 1
    if not law.rolling.is_zero():
        axes = (ca.SX(1),) if planar else place.tangents
        yield _resisting(place, (ROLL, axes, law.rolling, ("stops rolling", "rolls"), "does not roll"), pushes)
    if not law.spinning.is_zero():
        said = (SPIN, (place.gap.normal,), law.spinning, ("stops spinning", "spins"), "does not spin")
        yield _resisting(place, said, pushes)


_Resisting = tuple[str, tuple[ca.SX, ...], ca.SX, tuple[str, str], str]
"""Name, axes, radius, words, and what it is while it holds."""


def _resisting(place: TouchingPlace, said: _Resisting, pushes: Pressing) -> Contribution:
    """A moment about some axes by the radius ρ: |M| ≤ ρ λ where nothing turns about them, M = −ρ λ ω/|ω| else.

    It counts with the size l of the mechanism as a lever, so that l ω is a slip and M/l a force.
    """
    word, axes, radius, words, held = said
    lever, noun = place.length, NOUNS[word]
    names = (word,) if len(axes) == 1 else tuple(f"{word}_{i}" for i in range(1, len(axes) + 1))
    forces, ways = (
        ca.vertcat(*[ca.SX.sym(f"{place.name} {what} {name}") for name in names]) for what in ("resists", "turns")
    )
    size, speeds = radius * pushes(GAP) / lever, ca.vertcat(*[lever * ca.dot(axis, place.turning) for axis in axes])
    into, every = _direction(place, speeds, ways), ca.horzcat(*axes)
    grips = tuple(
        Condition(
            name,
            speed,
            level="grip",
            words=words,
            while_held=held,
            meaning=f"{noun} friction of {place.name}, its moment over {lever:g} m",
            unit=_couple(place, lever * axis),
            grasp=Grasp(size, size, way, GAP, mate=names[0] if len(names) > 1 else ""),
        )
        for name, speed, way, axis in zip(names, ca.vertsplit(speeds), ca.vertsplit(ways), axes, strict=True)
    )
    whole = lever * (forces + ca.vertcat(*[pushes(name) for name in names]))
    told = f"moment of {noun} friction, on the second"
    readings = {noun: Reading("N*m", told, whole if len(axes) == 1 else size_of(whole))}
    if len(axes) > 1:
        moment = every @ whole
        readings |= {
            f"{noun}_{axis}": Reading("N*m", f"{axis} of the {told}, world axes", moment[i])
            for i, axis in enumerate("xyz")
        }
    return Contribution(
        conditions=grips,
        loads=_couple(place, lever * (every @ forces)),
        dissipation=-ca.dot(forces, speeds),
        implied=tuple(
            Implied(force, -way * size, PRESSED)
            for force, way in zip(ca.vertsplit(forces), ca.vertsplit(into), strict=True)
        ),
        readings=readings,
    )


def _couple(place: TouchingPlace, moment: ca.SX) -> tuple[Load, Load]:
    """A moment on the second body and its opposite on the first."""
    none, (first, second) = ca.SX(place.place.numel(), 1), place.bodies
    return Load(second, place.place, none, moment), Load(first, place.place, none, -moment)


def _touch(place: TouchingPlace, law: ContactLaw, pushes: Pressing) -> Contribution:
    """The same without what resists turning."""
    condition = Condition(
        GAP,
        place.gap.gap,
        level="limit",
        words=WORDS,
        while_held="touches",
        meaning=f"force of {place.name} across the surfaces, apart",
        restitution=law.restitution,
        remedy=place.remedy,
        unit=_pair(place, place.gap.normal),
    )
    readings = _readings(place)
    if not law.rubs:
        return Contribution((condition,), readings=readings)
    if law.smoothing is not None:
        return _rubbing_smoothly(place, law, pushes, condition, readings)
    return _rubbing(place, law, pushes, (condition,), readings)


def touch_softly(place: TouchingPlace, law: ContactLaw, holds: Callable[[ca.SX], ca.SX]) -> Contribution:
    """The forces of a contact that gives way by δ = −g, which never pull; with μ N s/√(s² + ε²) along the surface."""
    soft = law.compliance
    assert soft is not None
    n, depth = place.gap.normal, -place.gap.gap
    rate, pressed = -ca.dot(n, place.sliding), holds(depth)
    # all of it is held, as steps look beyond the moment at which it begins and ends
    if soft.law == LINEAR:
        elastic, energy = pressed * soft.stiffness * depth, pressed * soft.stiffness * depth**2 / 2
        force = elastic + pressed * soft.damping * rate
    else:
        stiffness = pressed * soft.stiffness * (_hertz(place) if soft.law == HERTZ else 1)
        deep = ca.fmax(depth, 0)
        elastic, energy = stiffness * deep**1.5, stiffness * deep**2.5 / 2.5
        force = elastic * (1 + soft.damping * rate)
    force = force if soft.damping.is_zero() else holds(force) * force
    lost, loads = (force - elastic) * rate, _pair(place, force * n)
    readings = _readings(place) | {"force": Reading("N", "force across the surfaces, apart", force)}
    if law.rubs:
        slips = [ca.dot(tangent, place.sliding) for tangent in place.tangents]
        along = _smoothly(law, ca.vertcat(*slips)) * force
        loads = _pair(place, force * n + ca.horzcat(*place.tangents) @ along)
        lost = lost - ca.dot(along, ca.vertcat(*slips))
        readings |= _rubbing_readings(place, slips, along)
    return Contribution(loads=loads, potential=energy, dissipation=lost, readings=readings)


def _smoothly(law: ContactLaw, slip: ca.SX) -> ca.SX:
    """−μ(s) s/√(s² + ε²)."""
    assert law.smoothing is not None
    squared = ca.dot(slip, slip)
    rule = Coefficients(law.friction, law.static, law.stribeck)
    return -rule.at(squared) * slip / ca.sqrt(squared + law.smoothing**2)


def _hertz(place: TouchingPlace) -> ca.SX:
    """4/3 √R, 1/R the sum of the curvatures of both: k of spheres and planes, by the effective modulus."""
    one, other = place.gap.bends
    return 4 / 3 / ca.sqrt(one.across + other.across)


def _readings(place: TouchingPlace) -> dict[str, Reading]:
    axes = "xyz"[: place.place.numel()]
    found = {"gap": Reading("m", "distance of the surfaces, negative where they overlap", place.gap.gap)}
    found |= {axis: Reading("m", f"{axis} of the place", place.place[i]) for i, axis in enumerate(axes)}
    told = "of the normal, from the first to the second"
    return found | {f"n{axis}": Reading("", f"{axis} {told}", place.gap.normal[i]) for i, axis in enumerate(axes)}


def _rubbing(
    place: TouchingPlace,
    law: ContactLaw,
    pushes: Pressing,
    conditions: tuple[Condition, ...],
    readings: Mapping[str, Reading],
) -> Contribution:
    """The same with friction."""
    normal, names = pushes(GAP), place.slip_names
    slips = [ca.dot(tangent, place.sliding) for tangent in place.tangents]
    forces, ways = (
        ca.vertcat(*[ca.SX.sym(f"{place.name} {word} {name}") for name in names]) for word in ("rubs", "into")
    )
    rule, squared = Coefficients(law.friction, law.static, law.stribeck), ca.dot(ca.vertcat(*slips), ca.vertcat(*slips))
    size, into = rule.at(squared) * normal, _direction(place, ca.vertcat(*slips), ways)
    grips = tuple(
        Condition(
            name,
            slip,
            level="grip",
            words=GRIP_WORDS,
            while_held="sticks",
            meaning=f"friction of {place.name} along the surface",
            unit=_pair(place, tangent),
            grasp=Grasp(rule.sticking * normal, size, way, GAP, law.friction, names[0] if len(names) > 1 else ""),
        )
        for name, slip, tangent, way in zip(names, slips, place.tangents, ca.vertsplit(ways), strict=True)
    )
    whole = forces + ca.vertcat(*[pushes(name) for name in names])
    return Contribution(
        conditions=(*conditions, *grips),
        loads=_pair(place, ca.horzcat(*place.tangents) @ forces),
        dissipation=-ca.dot(forces, ca.vertcat(*slips)),
        implied=tuple(
            Implied(force, -way * size, PRESSED)
            for force, way in zip(ca.vertsplit(forces), ca.vertsplit(into), strict=True)
        ),
        readings={**readings, **_rubbing_readings(place, slips, whole)},
    )


def _rubbing_smoothly(
    place: TouchingPlace, law: ContactLaw, pushes: Pressing, condition: Condition, readings: Mapping[str, Reading]
) -> Contribution:
    """The same with friction that does not hold, and that no impact has."""
    slips = [ca.dot(tangent, place.sliding) for tangent in place.tangents]
    forces = ca.vertcat(*[ca.SX.sym(f"{place.name} rubs {name}") for name in place.slip_names])
    size = _smoothly(law, ca.vertcat(*slips)) * pushes(GAP)
    return Contribution(
        conditions=(condition,),
        loads=_pair(place, ca.horzcat(*place.tangents) @ forces),
        dissipation=-ca.dot(forces, ca.vertcat(*slips)),
        implied=tuple(
            Implied(force, value, PRESSED)
            for force, value in zip(ca.vertsplit(forces), ca.vertsplit(size), strict=True)
        ),
        readings={**readings, **_rubbing_readings(place, slips, forces)},
    )


def _direction(place: TouchingPlace, slip: ca.SX, ways: ca.SX) -> ca.SX:
    """s/|s|, or the parts of friction that act where others hold the slip.

    In space it is made to go on smoothly where s comes to rest along the direction d with which the slip began,
    (± s + ε d)/|± s + ε d| with the sign of d·s: at the rest itself it is d, and ε is none a little beside it.
    """
    if slip.numel() == 1:
        return ways
    sign = ca.if_else(ca.dot(ways, slip) >= 0, 1, -1)
    rest = RESTING * place.length
    along = sign * slip + rest * ca.exp(-ca.dot(slip, slip) / (FADING * rest) ** 2) * ways
    unit = along / ca.sqrt(ca.dot(along, along) + TINY)
    return ca.if_else(ca.fabs(ca.dot(ways, ways) - 1) <= SLIPPING, unit, ways)


def _rubbing_readings(place: TouchingPlace, slips: Sequence[ca.SX], whole: ca.SX) -> dict[str, Reading]:
    if len(slips) == 1:
        return {
            "slip": Reading("m/s", "speed of the second along the surface of the first", slips[0]),
            "friction": Reading("N", "force along the surface, on the second", whole),
        }
    force = ca.horzcat(*place.tangents) @ whole
    told = "of the force along the surface, on the second, world axes"
    return {f"friction_{axis}": Reading("N", f"{axis} {told}", force[i]) for i, axis in enumerate("xyz")} | {
        "slip": Reading("m/s", "size of the speed along the surface", size_of(ca.vertcat(*slips))),
        "friction": Reading("N", "size of the force along the surface", size_of(whole)),
    }


def _pair(place: TouchingPlace, force: ca.SX) -> tuple[Load, Load]:
    """A force on the second body and its opposite on the first."""
    turning = ca.SX(1 if force.numel() == 2 else 3, 1)
    first, second = place.bodies
    return Load(second, place.place, force, turning), Load(first, place.place, -force, turning)
