"""A pair of gear wheels on axes that are fixed in one body, the arm.

With the angles θ of the wheels relative to the arm and their pitch radii r, which are as their numbers of teeth, the
pitch circles roll on each other:

    r₁ θ₁ ± r₂ θ₂ = constant,    + for an external mesh, − for an internal one,

for parallel axes and θ about the same direction, and for axes that meet with θ about the directions from the apex to the
wheels: along the common line c of the cones (ω₁ e₁ − ω₂ e₂) × c = 0 with |eᵢ × c| = sin γᵢ, rᵢ ∝ sin γᵢ. On skew axes
the thread of the first wheel decides: a right-handed worm that turns by ω about e₁ moves its flanks along −ω e₁, and
the wheel follows at the foot of the common normal n (towards the worm) with (e₂ × n)·e₁.
An arm that moves itself makes the same relation that of a planetary train (R. Willis, Principles of Mechanism, 1841).
Book: equations (2.67) to (2.75).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import ToothForm, Touch, refuse_loose
from linkwork.elements.couplings.motion import ALIKE, CoupledMotion, are_parallel, combine, differs, misfit
from linkwork.elements.couplings.teeth import BevelTeeth, ParallelTeeth, SkewTeeth
from linkwork.elements.drawings import Wheel

FLAT = 0.01  # cosine of the half angle above which a cone is a crown wheel


@dataclass(frozen=True, eq=False)
class WheelSizes:
    """Pitch radii (m), or numbers of teeth, of the two wheels."""

    first: ca.SX
    second: ca.SX
    radii: bool


def mesh_by_ratio(first: CoupledMotion, second: CoupledMotion, ratio: ca.SX) -> Coupled:
    """θ₁ = ratio × θ₂, the second about the direction of the first where the axes are parallel."""
    along = _sense(first, second) if are_parallel(first.direction, second.direction) else 1.0
    return Coupled(combine((ca.SX(1), first), (-along * ratio, second)))


def mesh(
    first: CoupledMotion,
    second: CoupledMotion,
    sizes: WheelSizes,
    internal: bool,
    hand: str | None,
    number: Callable[[ca.SX], float],
    *,
    form: ToothForm | None = None,
) -> Coupled:
    """θ₁ and θ₂ from the sizes of the wheels, with the sign from the way in which they lie."""
    values = number(sizes.first), number(sizes.second)
    form = form or ToothForm()
    apex = None if are_parallel(first.direction, second.direction) else _apex(first, second)
    wheels: tuple[Wheel, ...] = ()
    contact: Touch | None
    if are_parallel(first.direction, second.direction):
        _without_hand(hand, "the axes are parallel: no thread decides", "leave it out, or write internal: true")
        refuse_loose((first, second), form)
        sign, wheels = _parallel(first, second, sizes, internal, values)
        contact = ParallelTeeth(first, second, (sizes.first, sizes.second), internal, form, level=form.level)
    elif apex is not None:
        _without_hand(hand, "the axes meet: the sides on which the wheels sit decide", "leave it out")
        if form.share is not None:
            raise misfit("at", "the axes meet: the circles of the wheels decide where they touch", "leave it out")
        refuse_loose((first, second), form, bevel=True)
        sign, wheels = _bevel(first, second, sizes, internal, values, apex)
        contact = _bevel_teeth(first, second, sizes, internal, values, apex, form=form)
    else:
        sign = _skew(first, second, internal, hand)
        contact = _skew_teeth(first, second, sizes, -sign * sizes.second / sizes.first, form)
    if first.anchor is None or second.anchor is None:
        contact = None
    terms = combine((ca.SX(1), first), (-sign * sizes.second / sizes.first, second))
    return Coupled(terms, wheels, contact, "inside" if internal else "outside")


def _without_hand(hand: str | None, reason: str, hint: str) -> None:
    if hand is not None:
        raise misfit("hand", reason, hint)


def _sense(first: CoupledMotion, second: CoupledMotion) -> float:
    return float(np.sign(first.direction @ second.direction))


def _parallel(
    first: CoupledMotion, second: CoupledMotion, sizes: WheelSizes, internal: bool, values: tuple[float, float]
) -> tuple[float, tuple[Wheel, ...]]:
    gap = second.point - first.point
    distance = float(np.linalg.norm(gap - (gap @ first.direction) * first.direction))
    r1, r2 = values
    wanted = abs(r1 - r2) if internal else r1 + r2
    if distance < ALIKE * max(float(np.linalg.norm(gap)), 1e-300) or distance == 0.0:
        raise misfit(
            "bodies", f"'{first.body}' and '{second.body}' turn about the same line: they do not mesh",
            "for a sun and a ring write kind: planetary, or name a planet between them",
        )  # fmt: skip
    if sizes.radii and differs(distance, wanted):
        how = f"|{r1:g} - {r2:g}| = {wanted:g}" if internal else f"{r1:g} + {r2:g} = {wanted:g}"
        other = r1 + r2 if internal else abs(r1 - r2)
        also = ("internal: false" if internal else "internal: true") if not differs(distance, other) else ""
        raise misfit(
            "radii", f"the axes are {distance:.8g} m apart; wheels that mesh need {how} m",
            f"write {also}" if also else "change the radii or the places of the axes, or give teeth in their place",
        )  # fmt: skip
    sign = (1.0 if internal else -1.0) * _sense(first, second)
    scale = distance / wanted if wanted > 0 else 0.0
    return sign, (first.wheel(r1 * scale), second.wheel(r2 * scale)) if scale > 0 else ()


def _feet(first: CoupledMotion, second: CoupledMotion) -> tuple[Array, Array]:
    """The points of two lines that are not parallel where they are nearest to each other."""
    e1, e2, gap = first.direction, second.direction, second.point - first.point
    along = np.linalg.lstsq(np.column_stack([e1, -e2]), gap, rcond=None)[0]
    return first.point + along[0] * e1, second.point + along[1] * e2


def _apex(first: CoupledMotion, second: CoupledMotion) -> Array | None:
    one, two = _feet(first, second)
    size = max(float(np.linalg.norm(second.point - first.point)), float(np.linalg.norm(one - first.point)))
    return one if float(np.linalg.norm(two - one)) <= ALIKE * size else None


def _bevel(
    first: CoupledMotion,
    second: CoupledMotion,
    sizes: WheelSizes,
    internal: bool,
    values: tuple[float, float],
    apex: Array,
) -> tuple[float, tuple[Wheel, ...]]:
    arms = [motion.point - apex for motion in (first, second)]
    lengths = [float(np.linalg.norm(arm)) for arm in arms]
    for motion, length in zip((first, second), lengths, strict=True):
        if length <= ALIKE * max(lengths):
            raise misfit(
                "bodies", f"'{motion.body}' sits where the axes meet: the side on which its cone lies cannot be told",
                "place its joint where the wheel is, or give the ratio with its sign",
            )  # fmt: skip
    e1, e2 = (arm / length for arm, length in zip(arms, lengths, strict=True))
    shafts = float(np.arccos(np.clip(e1 @ e2, -1.0, 1.0)))
    if sizes.radii:
        _check_cones(values, lengths, shafts, internal)
    sense = float(np.sign(e1 @ first.direction) * np.sign(e2 @ second.direction))
    sign = (1.0 if internal else -1.0) * sense
    return sign, () if internal else _cone_wheels(first, second, values, lengths, shafts)


def _check_cones(values: tuple[float, float], lengths: list[float], shafts: float, internal: bool) -> None:
    """The points of the joints are the centres of the pitch circles: tan γ = r / distance from the apex."""
    cones = [float(np.arctan2(radius, length)) for radius, length in zip(values, lengths, strict=True)]
    edges = [float(np.hypot(radius, length)) for radius, length in zip(values, lengths, strict=True)]
    wanted = abs(cones[0] - cones[1]) if internal else sum(cones)
    if differs(wanted, shafts) or differs(*edges):
        g1, g2, axes, needed = (np.degrees(angle) for angle in (*cones, shafts, wanted))
        raise misfit(
            "radii",
            f"the cones do not mesh: half angles {g1:.6g} and {g2:.6g} deg make {needed:.6g} deg between the axes, which "
            f"have {axes:.6g} deg; their edges are {edges[0]:.6g} and {edges[1]:.6g} m long",
            "place the joints in the centres of the pitch circles, or give teeth in place of the radii",
        )


def _cone_wheels(
    first: CoupledMotion, second: CoupledMotion, values: tuple[float, float], lengths: list[float], shafts: float
) -> tuple[Wheel, ...]:
    """Pitch circles at the joints: sin γ₁ / sin γ₂ = r₁ / r₂ and γ₁ + γ₂ between the axes give tan γ₁; none for a crown."""
    tangents = [np.sin(shafts) / max(values[1 - i] / values[i] + np.cos(shafts), 1e-9) for i in range(2)]
    radii = [float(length * tangent) for length, tangent in zip(lengths, tangents, strict=True)]
    return (first.wheel(radii[0]), second.wheel(radii[1])) if max(radii) < 100 * max(lengths) else ()


def _skew(first: CoupledMotion, second: CoupledMotion, internal: bool, hand: str | None) -> float:
    if internal:
        raise misfit("internal", "the axes are skew: there is no internal mesh", "write hand: right or left")
    if hand is None:
        raise misfit(
            "hand", "is missing: the axes are skew, and the thread of the first wheel decides",
            "write hand: right or left, or the ratio with its sign in place of the sizes",
        )  # fmt: skip
    on_first, on_second = _feet(first, second)
    lever = np.cross(second.direction, on_first - on_second) @ first.direction
    # ω₂ (e₂ × n)·e₁ = −k ω₁ for a right-handed thread
    return float(-np.sign(lever)) * (1.0 if hand == "right" else -1.0)


def _bevel_teeth(
    first: CoupledMotion,
    second: CoupledMotion,
    sizes: WheelSizes,
    internal: bool,
    values: tuple[float, float],
    apex: Array,
    *,
    form: ToothForm,
) -> Touch:
    """The circle of the first wheel says where the cones touch; of a crown wheel, which is flat, that of the second."""
    arms = [motion.point - apex for motion in (first, second)]
    e1, e2 = (arm / np.linalg.norm(arm) for arm in arms)
    line = values[1] * e1 + (-values[0] if internal else values[0]) * e2
    slopes = [abs(float(line @ e)) / float(np.linalg.norm(line)) for e in (e1, e2)]
    senses = float(np.sign(e1 @ first.direction)), float(np.sign(e2 @ second.direction))
    wider = int(np.argmax(values)) if internal else None
    flat = slopes[0] < FLAT <= slopes[1]
    return BevelTeeth(first, second, (sizes.first, sizes.second), senses, form, wider, flat)


def _skew_teeth(
    first: CoupledMotion, second: CoupledMotion, sizes: WheelSizes, factor: ca.SX, form: ToothForm
) -> Touch | None:
    """None where nobody says how far from the axes they touch."""
    if not form.helix.is_zero():
        raise misfit("helix_angle", "the axes are skew: sizes and hand decide how the teeth lie", "leave it out")
    share = form.share
    if share is None and sizes.radii:
        share = sizes.first / (sizes.first + sizes.second)
    return None if share is None else SkewTeeth(first, second, factor, share, form)
