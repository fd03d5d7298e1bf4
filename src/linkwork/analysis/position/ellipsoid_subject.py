"""What ellipsoids are asked of: a mechanism with its states at all samples, and the inputs that move it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from linkwork.algebra.given import GivenValues, Parameters
from linkwork.algebra.units import si
from linkwork.analysis.kinematics.inputs import coordinate_key
from linkwork.analysis.motion.trajectory import Trajectory, run_of
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import RefusedError
from linkwork.model.relations import Distance
from linkwork.results.equilibrium import Equilibrium
from linkwork.results.inverse_dynamics import InverseDynamics, SupplementedSource
from linkwork.results.quantities import TIME
from linkwork.results.result import Result

ChosenInputs = Sequence[str] | GivenValues | str


def motors_behind(subject: Noun | InverseDynamics) -> SupplementedSource | None:
    """The motors of inverse dynamics, if it is what is asked."""
    result = subject.result if isinstance(subject, InverseDynamics) else subject
    return result.source if isinstance(result, Result) and isinstance(result.source, SupplementedSource) else None


def unpushed(p: Array, motors: Sequence[str], inputs: Container[str]) -> Array:
    """The numbers p (N × np), of which the last are efforts of motors, without those of the inputs."""
    free = np.array(p)
    for i, name in enumerate(motors, start=free.shape[1] - len(motors)):
        if name in inputs:
            free[:, i] = 0.0
    return free


def samples_of(
    subject: Noun | InverseDynamics, time: float | None, kind: KindChoice | None, parameters: Parameters | None
) -> tuple[Mechanism, Array, Array, Array, Result]:
    """The mechanism with t (N), y (N, n), p, and a result that shows it there."""
    if not isinstance(subject, Result | Equilibrium | InverseDynamics):
        asked = subject_of(subject, "an ellipsoid")
        mechanism = asked.prepare(kind)
        start = asked.start(mechanism, parameters, time)
        t, y, p = np.array([start.time]), start.y[None, :], start.p
    else:
        subject = subject if isinstance(subject, Result) else subject.result
        source = run_of(subject.source, "ask the model, or the run itself")
        if parameters:
            raise RefusedError("a run has its parameters already: give them there, or ask the model")
        mechanism, t, y, p = source.mechanism, source.t, source.y, source.p
        if time is not None:
            if not t[0] <= time <= t[-1]:
                raise RefusedError(f"the run goes from {t[0]:g} s to {t[-1]:g} s: t = {time:g} s is not in it")
            k = int(np.argmin(np.abs(t - time)))
            t, y, p = t[[k]], y[[k]], p[[k]] if p.ndim > 1 else p
    over = subject.variable if isinstance(subject, Result) else TIME
    still = np.zeros((len(t), mechanism.coordinates.v.numel()))
    source, name = Trajectory(mechanism, (t, y, still), p), mechanism.model.name or "mechanism"
    shown = Result(name, t, source, mechanism.drawing(np.atleast_2d(p)[0]), variable=over)
    return mechanism, t, y, p, shown


def inputs_of(mechanism: Mechanism, given: ChosenInputs | None) -> dict[str, float]:
    """Coordinates of joints and lengths of rods that are inputs, with their limits."""
    topology = mechanism.topology
    if given is None:
        names = [".".join(key) for key in topology.drives.keys.values()]
        names = names or [".".join(key) for key in mechanism.coordinates.motion.coordinates]
        free = topology.steered + len(topology.drives.keys)
        led = led_by(mechanism, {("driver", name) for name in topology.drives.keys})
        if len(names) not in (free, free + sum(led.values())):
            raise RefusedError(
                f"which inputs move the {free} degree{'' if free == 1 else 's'} of freedom? name joints, or rods whose "
                "lengths change"
            )
        given = names
    given = [given] if isinstance(given, str) else given
    items = given.items() if isinstance(given, Mapping) else [(name, 1.0) for name in given]
    found = {}
    for name, value in items:
        limit = si(value, "any")
        if not limit > 0.0 or not np.isfinite(limit):
            raise RefusedError(f"the limit of the input '{name}' is {limit:g}: give a positive number")
        found[_input_name(mechanism, name)] = limit
    if not found:
        raise RefusedError("no inputs are given")
    return found


def led_by(mechanism: Mechanism, freed: Container[tuple[str, str]] = ()) -> dict[str, int]:
    """What leads a run along its path, with the freedoms that each takes: points, bodies and inputs of its motion."""
    driven = [label.element for label in mechanism.topology.conditions.labels if label.kind == "driver"]
    guides = {name: driven.count(name) for name in mechanism.model.guides}
    return guides | {name: 1 for name in mechanism.topology.drives.inputs if ("driver", name) not in freed}


def _input_name(mechanism: Mechanism, name: str) -> str:
    """'A.angle' of a joint or a driver of it, 'leg.length' of a rod between two points."""
    model = mechanism.model
    rod = name.removesuffix(".length")
    if isinstance(model.relations.get(rod), Distance):
        return f"{rod}.length"
    return ".".join(mechanism.topology.drives.keys.get(name) or coordinate_key(model, name))
