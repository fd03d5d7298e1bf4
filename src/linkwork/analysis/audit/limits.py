"""What an audit allows. All its tolerances stand here, each with its scale and its reason.

A step of an adaptive method has an error of about rtol in each state; N steps add up to at most N of them, and the errors of
mechanisms grow on the way. A thousand tolerances are what runs that are right stay below (``docs/theory/audit.md`` has the
figures), and what is wrong is wrong by far more.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.equations.formulations import Formulation
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.policy import POLICY

STEPS = 1e3  # tolerances rtol that the errors of a run may add up to
ENERGY = 1e-6  # of the energy turned over: the least that is asked for, whatever the tolerance
COARSEST = 3e-2  # of the energy turned over, and of sizes and rates: more is wrong at any tolerance and step
DAMPING = 0.1  # the same for methods that destroy energy on purpose, and say so
CLOSED = POLICY.stalled  # of the size of the mechanism, where positions are solved for
SOLVED = 1e2  # tolerances of positions that are solved for: they are scaled row by row, errors are metres
DRIFTING = 1e-3  # of the size, where conditions are kept by stabilisation, penalties or the integrator alone
VELOCITY, ACCELERATION = 1e-7, 1e-6  # of the largest rates of the coordinates times the size, where they are solved for
LOOSE = 1e-2  # the same where they are not
ROUGH = 0.1  # of the way between two outputs, for methods of first order and those that destroy energy
SPEED = 1e-3  # of the way between two outputs and of the size: speeds against the change of positions
ROUNDING = 1e-11  # of the largest energies and of the weight times the size: differences of large numbers
KNOWN, DIGITS = 10.0, 1e-4  # tolerances rtol to which positions are known, of their sizes; at any tolerance
WEIGHTLESS = 1e-3  # of gravity: accelerations that conditions have to be free of where nothing moves
POWER = 1e-6  # of all powers at a sample, by their sizes
MOMENTUM = 1e-6  # of the largest momentum of any body


@dataclass(frozen=True)
class Limits:
    """The tolerances of one run.

    energy: of the energy turned over; closure: of the size; velocity, acceleration: of the largest rates times the size
    position: of its largest value, and absolute: what a position may be off in a step
    steps: of the size of the mechanism, of an axis or of the largest velocity: what errors of fixed steps may add up to
    method: what is said of a method that destroys energy, '' of others
    """

    energy: float = ENERGY
    closure: float = CLOSED
    velocity: float = VELOCITY
    acceleration: float = ACCELERATION
    speed: float = SPEED
    position: tuple[float, float] = (0.0, 0.0)
    momentum: float = MOMENTUM
    power: float = POWER
    steps: float = COARSEST
    method: str = ""


def limits_of(formulation: Formulation, method: Method, tolerance: tuple[float, float], fixed: bool) -> Limits:
    """What is allowed of a run by a formulation and an integrator, with rtol and atol or with steps of fixed size."""
    abilities, rtol = formulation.able, tolerance[0]
    energy = COARSEST if fixed else min(max(STEPS * rtol, ENERGY), COARSEST)
    damps = fixed and method.damps
    closes = abilities.closes_loops and abilities.exact
    return Limits(
        energy=DAMPING if damps else energy if abilities.exact else COARSEST,
        closure=CLOSED if closes else DRIFTING,
        velocity=VELOCITY if closes else LOOSE,
        acceleration=ACCELERATION if abilities.exact and abilities.closes_loops else LOOSE,
        speed=max(SPEED, min(STEPS * rtol, LOOSE)) if not fixed else ROUGH if damps or method.order < 2 else LOOSE,
        position=(0.0, 0.0) if fixed else tolerance,
        momentum=max(MOMENTUM, energy),
        method=f"'{method.name}' destroys energy on purpose" if damps else "",
    )
