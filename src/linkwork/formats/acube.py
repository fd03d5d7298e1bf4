"""ACUBE command files (.dat): free text in which a line that starts with ``>`` is a command, followed by its numbers.

SOURCE: D. Lee, Y. Youm, W. Chung, "Dynamics of Multibody Systems with Analytical Kinematics", section 4, prints one file,
fourbar.dat. No manual of the format is known. What each number means is inferred from that file and the text around
it, and written down here; a number whose meaning cannot be inferred must have the value of the printed file.

The bodies are the ground (0) and the coupler (1); ``planar_fourbar`` joins them by two links, the crank and the
follower. With it the printed numbers close the loop to their last digit: A = (0, 2) and B = (4, 2) seen from either
side, with crank 2, coupler 4 and follower 3 long and D = (4, -1). All lengths and angles are read in SI units.

====================================  ==============================================================================
command, line: numbers                inference
====================================  ==============================================================================
total_number_of_body                  ground and coupler; only 2 is known
planar_fourbar, 1: i xO yO xD yD      body i = 0 and where crank and follower are pinned to it, in its frame
planar_fourbar, 2: j xA yA xB yB      body j = 1 and where crank and follower are pinned to it, in its frame, which
                                      has its origin in the centre of mass
planar_fourbar, 3: a1 b1 a3 b3        the ground joint of the crank and of the follower, in a frame with the origin
                                      in the centre of mass and x along the link; b1 = b3 = 0
planar_fourbar, 4: l1 l3 0 0          lengths of crank and follower (the printed a are -l/2); the rest is unknown
absolute_x/y_position_constraint:     the ground does not move; what follows the body (a point of it and three
0 0 0 0 0 0                           numbers, perhaps value, rate and second derivative) is known for 0 only
absolute_angular_constraint: 0 0 0 0  the same for its angle
selected_angular_driver, 1: 0         the angle of the crank; no other selection is known
selected_angular_driver, 2: f psi ... angle of the crank at the start (f = 1: given); must be that of the coordinates
selected_angular_driver, 3: f w ...   its speed at the start
selected_angular_driver, 4: f a ...   its acceleration: f = 1 prescribes it, f = 0 leaves it to the dynamics; the ten
                                      numbers at the end of lines 2 to 4 are unknown and must be 0
initial_generalized_coordinates:      ground x y angle, psi1 of the crank, psi3 of the follower, coupler x y angle
0 0 0 psi1 psi3 x y psi2              (centre of mass)
inertia_properties, 1: m1 m2 m3 0     masses of crank, coupler, follower (the subscripts of equation 1) and ground
inertia_properties, 2: i1 i2 i3 0     their moments of inertia about the centres of mass
====================================  ==============================================================================

Which of ACUBE's three analyses is asked for: without inertia_properties the kinematic analysis; with them and with a
prescribed acceleration the dynamic force analysis (kinematically driven); with a free one the dynamic motion
analysis. The printed file is of the last kind, as the paper says: it integrates one independent coordinate from initial
conditions. There is no command for forces, and the paper speaks of none, so gravity is zero.

The paper's text sets the speed of the crank to 2 pi without a unit; its file has 0.10965, which is 2 pi degrees per
second in radians (2 pi / 57.3). The number of the file is read, in rad/s like the angle beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from linkwork.errors import Fault, ModelError, RefusedError, did_you_mean
from linkwork.formats.acube_commands import (
    BODIES,
    COORDINATES,
    DRIVER,
    FIXED_ANGLE,
    FIXED_X,
    FIXED_Y,
    FOURBAR,
    INERTIA,
    Command,
    CommandText,
    at,
    take_apart,
)
from linkwork.formats.acube_writer import Analysis, write_acube
from linkwork.model import Model

__all__ = ["AcubeFile", "Analysis", "read_acube", "write_acube"]

_ONLY_ZERO = "only 0 is known from the published file; what another number would mean is not documented"


@dataclass(frozen=True)
class AcubeFile:
    """What an ACUBE file describes: the mechanism, the analysis asked for, and the commands as written.

    The model has the bodies crank, coupler and follower and the joints O, A, B and D around the loop; ψ1, ψ2 and ψ3
    are ``crank.angle``, ``coupler.angle`` and ``follower.angle``.
    """

    model: Model
    analysis: Analysis
    commands: tuple[Command, ...]


def read_acube(text: str, analysis: Analysis | None = None) -> AcubeFile:
    """Read an ACUBE command file; all faults come in one ModelError, with their lines.

    analysis: 'kinematic', 'force' (kinematically driven) or 'motion', instead of the one that the file asks for. A
    driven crank keeps its acceleration, constant; a kinematic analysis leaves the inertia out.
    """
    if analysis is not None and analysis not in get_args(Analysis):
        hint = did_you_mean(str(analysis), get_args(Analysis))
        raise RefusedError(f"'{analysis}' is none of ACUBE's analyses; {hint}")
    parts = take_apart(text)
    given = {command.name: command for command in parts.commands}
    faults = [*parts.faults, *_all_faults(given)]
    if analysis not in (None, "kinematic") and INERTIA not in given and not faults:
        faults.append(Fault(INERTIA, f"is missing; the {analysis} analysis needs it", "give masses and inertias"))
    if faults:
        raise ModelError(faults, source="ACUBE text")
    chosen = analysis or _analysis(given)
    return AcubeFile(Model(**_description(parts, given, chosen)), chosen, parts.commands)


# -- checking ----------------------------------------------------------------------------------------------------------


def _all_faults(given: Mapping[str, Command]) -> Iterator[Fault]:
    """Numbers that contradict what is known of their meaning."""
    bodies = 2
    if BODIES in given:
        command = given[BODIES]
        ((total,),) = command.rows
        if total != 2.0:
            hint = "only files with 2 bodies, the ground and the coupler, are understood"
            yield at(BODIES, command.lines[0], f"{total:g} bodies are given", hint)
        bodies = int(total) if 2.0 < total < 100.0 else bodies
    if FOURBAR in given:
        yield from _fourbar_faults(given[FOURBAR], bodies)
    for name in (FIXED_X, FIXED_Y, FIXED_ANGLE):
        if name in given:
            yield from _body_faults(given[name], 0, 0, bodies)
            yield from _zero_faults(given[name], 0, 1)
    if COORDINATES in given:
        yield from _ground_faults(given[COORDINATES])
    if DRIVER in given:
        yield from _driver_faults(given[DRIVER], given.get(COORDINATES))
    if INERTIA in given:
        yield from _inertia_faults(given[INERTIA])


def _body_faults(command: Command, row: int, expected: int, bodies: int) -> Iterator[Fault]:
    body, line = command.rows[row][0], command.lines[row]
    if not (body.is_integer() and 0 <= body < bodies):
        yield at(command.name, line, f"there is no body {body:g}", f"the bodies are 0 to {bodies - 1}")
    elif body != expected:
        role = ("the ground", "the coupler")[expected]
        yield at(command.name, line, f"body {body:g} stands where {role} is expected", f"write {expected}")


def _zero_faults(command: Command, row: int, first: int, last: int | None = None) -> Iterator[Fault]:
    """Numbers that are 0 in the published file and could mean anything."""
    for place, value in enumerate(command.rows[row][first:last], start=first + 1):
        if value != 0.0:
            yield at(command.name, command.lines[row], f"number {place} is {value:g}", _ONLY_ZERO)


def _fourbar_faults(command: Command, bodies: int) -> Iterator[Fault]:
    for row, link in enumerate(("ground", "coupler")):
        yield from _body_faults(command, row, row, bodies)
        if command.rows[row][1:3] == command.rows[row][3:5]:
            yield at(FOURBAR, command.lines[row], f"the two joints of the {link} coincide", "give two places")
    for place, link in ((1, "crank"), (3, "follower")):
        if command.rows[2][place] != 0.0:
            reason = (
                f"number {place + 1} is {command.rows[2][place]:g}: the centre of mass of the {link} is off its line"
            )
            yield at(FOURBAR, command.lines[2], reason, _ONLY_ZERO)
    for length, link in zip(command.rows[3], ("crank", "follower"), strict=False):
        if length <= 0.0:
            yield at(FOURBAR, command.lines[3], f"the length of the {link} is {length:g}", "it must be positive")
    yield from _zero_faults(command, 3, 2)


def _ground_faults(command: Command) -> Iterator[Fault]:
    if command.rows[0][:3] != (0.0, 0.0, 0.0):
        hint = "the constraints hold the ground (body 0) at 0; begin with 0. 0. 0."
        yield at(COORDINATES, command.lines[0], "the ground is not at the origin of the world frame", hint)


def _driver_faults(command: Command, coordinates: Command | None) -> Iterator[Fault]:
    (selected,), *levels = command.rows
    if selected != 0.0:
        hint = "only 0, the angle of the crank, is known"
        yield at(DRIVER, command.lines[0], f"coordinate {selected:g} is selected", hint)
    for row, (level, name) in enumerate(zip(levels, ("angle", "speed", "acceleration"), strict=True), start=1):
        line = command.lines[row]
        if level[0] not in (0.0, 1.0):
            yield at(DRIVER, line, f"the line of the {name} begins with {level[0]:g}", "write 1 (given) or 0 (not)")
        elif level[0] == 0.0 and level[1] != 0.0:
            hint = "begin the line with 1, or let the number be 0"
            yield at(DRIVER, line, f"the {name} is {level[1]:g} and begins with 0, not given", hint)
        yield from _zero_faults(command, row, 2)
    if levels[0][0] == 0.0:
        yield at(DRIVER, command.lines[1], "the angle at the start is not given", "begin the line with 1")
    elif coordinates is not None and levels[0][1] != coordinates.rows[0][3]:
        reason = f"the crank starts at {levels[0][1]:g}, but its coordinate (line {coordinates.lines[0]}, number 4)"
        hint = "give the same angle in both places"
        yield at(DRIVER, command.lines[1], f"{reason} is {coordinates.rows[0][3]:g}", hint)


def _inertia_faults(command: Command) -> Iterator[Fault]:
    for row, what in enumerate(("mass", "inertia")):
        for value, link in zip(command.rows[row], ("crank", "coupler", "follower"), strict=False):
            if value < 0.0:
                yield at(INERTIA, command.lines[row], f"the {what} of the {link} is {value:g}", "it cannot be negative")
        if command.rows[row][3] != 0.0:
            hint = "the fourth link is the ground, which does not move; write 0."
            yield at(INERTIA, command.lines[row], f"the {what} of the fourth link is {command.rows[row][3]:g}", hint)


# -- meaning -----------------------------------------------------------------------------------------------------------


def _analysis(given: Mapping[str, Command]) -> Analysis:
    if INERTIA not in given:
        return "kinematic"
    return "force" if given[DRIVER].rows[3][0] == 1.0 else "motion"


def _description(parts: CommandText, given: Mapping[str, Command], analysis: Analysis) -> dict[str, Any]:
    """The mechanism as the plain data of a model."""
    ground, coupler, (a1, _, a3, _), (l1, l3, *_) = given[FOURBAR].rows
    *_, psi1, psi3, x, y, psi2 = given[COORDINATES].rows[0]
    weightless = ((0.0,) * 4,) * 2
    masses, inertias = (row[:3] for row in (weightless if analysis == "kinematic" else given[INERTIA].rows))
    places: list[dict[str, Any]] = [
        {"points": {"O": [0, 0], "A": [l1, 0]}, "com": [-a1, 0], "origin": "O", "rotation": psi1},
        {"points": {"A": coupler[1:3], "B": coupler[3:5]}, "com": [0, 0], "origin": [x, y], "rotation": psi2},
        {"points": {"D": [0, 0], "B": [l3, 0]}, "com": [-a3, 0], "origin": "D", "rotation": psi3},
    ]
    links = zip(("crank", "coupler", "follower"), places, masses, inertias, strict=True)
    pairs = {
        "O": ("ground", "crank"),
        "A": ("crank", "coupler"),
        "B": ("coupler", "follower"),
        "D": ("ground", "follower"),
    }
    return {
        **_title(parts.header),
        "space": "planar",
        "points": {"O": ground[1:3], "D": ground[3:5]},
        "bodies": {link: {**place, "mass": mass, "inertia": inertia} for link, place, mass, inertia in links},
        "joints": {name: {"kind": "revolute", "bodies": bodies} for name, bodies in pairs.items()},
        **_motion(given[DRIVER], psi1, analysis),
    }


def _motion(driver: Command, angle: float, analysis: Analysis) -> dict[str, Any]:
    """A free crank starts with the speed; a driven one keeps the acceleration."""
    speed, acceleration = driver.rows[2][1], driver.rows[3][1]
    if analysis == "motion":
        return {"initial": {"O": {"speed": speed}}}
    if acceleration == 0.0:
        return {"drivers": {"motor": {"joint": "O", "speed": speed, "initial": angle}}}
    motor = {"joint": "O", "acceleration": acceleration, "initial": angle, "initial_speed": speed}
    return {"drivers": {"motor": motor}}


def _title(header: tuple[str, ...]) -> dict[str, str]:
    """Name and description from the free text before the first command."""
    lines = list(header[1:] if header[:1] == ("ACUBE",) else header)
    named = next((line for line in lines if line.startswith("filename ")), None)
    if named is not None:
        lines.remove(named)
    name = (named or "").removeprefix("filename ").strip().removesuffix(".dat")
    return {"name": name, "description": "\n".join(lines)}
