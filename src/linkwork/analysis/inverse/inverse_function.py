"""``inverse_function``: inverse dynamics as one compiled function of positions, speeds and accelerations, for whole batches.

Where every freedom has a motor and loops have a closed form, efforts and reactions are expressions of the coordinates of
the motors and their rates: u, u̇, ü enter as an input u + u̇ t + ü t² / 2 at t = 0, whose three numbers are those of the
function (``equations/inverse/determinate.py``). A tree whose efforts alone are wanted goes by recursion
(``equations/recursion/forces.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import Parameters
from linkwork.analysis.inverse.motor_choice import choose_motors, without_motors
from linkwork.analysis.kinematics.record import level_names
from linkwork.analysis.prepared.prepare import Mechanism, compiled, driven, formulated, numbered
from linkwork.analysis.walk.subject import Noun, topology_of
from linkwork.answer import Answer
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.coordinates.motors import Motor
from linkwork.equations.inverse.determinate import prescribed_loads_function
from linkwork.equations.recursion.forces import recursion_function
from linkwork.errors import AssemblyError, Faults, ModelError, RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.flows.context import flow_parameters
from linkwork.position.drives import NUMBERS
from linkwork.topology import Topology
from linkwork.topology.standing import coordinates_at

PORTION = 8192  # samples that stay in the cache of the processor


@verb
def inverse_function(
    model: Noun, motors: Sequence[str] | None = None, *, parameters: Parameters | None = None, reactions: bool = True
) -> InverseFunction:
    """Compile the inverse dynamics of a mechanism that its motors hold, for many positions at once.

    parameters: values of live parameters where the function is asked without others
    motors: as in ``inverse_dynamics``, one for every freedom; reactions: those of all joints too, not the efforts alone.
    Loops must have a closed form and reactions must be unique; otherwise ``inverse_dynamics`` gives the answer. Closed forms
    and recursion are those of relative coordinates, whatever the coordinates of what is given.
    """
    topology = topology_of(model, "inverse_function", parameters)
    choice = choose_motors(topology, motors, ())
    if not choice.motors:
        raise RefusedError("who drives the mechanism? give motors: names of joints or of their coordinates")
    for motor in choice.motors:
        if motor.between:
            raise RefusedError(
                f"'{motor.name}' works between two points: a function asks for coordinates of joints; inverse_dynamics "
                "takes it as a motor"
            )
    free = without_motors(topology, choice)
    function = None if reactions else _by_recursion(free, choice.motors)
    return function or _by_closed_form(free, choice.motors, reactions)


@dataclass(frozen=True, eq=False, repr=False)
class InverseFunction(Answer):
    """Efforts, and reactions, as a function of the coordinates of the motors and their rates; prints as a summary.

    outputs: names of what it finds; ``function(motion)`` takes and gives columns by name, ``evaluate`` whole tables.
    """

    view = "modes.plot_start"

    mechanism: Mechanism
    motors: tuple[Motor, ...]
    outputs: tuple[str, ...]
    compiled: CompiledFunction
    closes: bool  # whether the last number of the function tells that loops are closed

    @property
    def topology(self) -> Topology:
        """Of the mechanism, with its motors as drivers."""
        return self.mechanism.topology

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of positions, then of speeds, then of accelerations."""
        return tuple(sorted((name for name in self._columns if "." in name), key=self._columns.__getitem__))

    @cached_property
    def _columns(self) -> dict[str, int]:
        """The column of every name of a coordinate of a motor; a joint with one coordinate stands for it."""
        places = {(motor.joint, motor.freedom): i for i, motor in enumerate(self.motors)}
        known = level_names(self.mechanism.model)
        return {name: level * len(places) + places[key] for name, (key, level) in known.items() if key in places}

    def __call__(self, motion: Mapping[str, ArrayLike], parameters: Parameters | None = None) -> dict[str, Array]:
        """What motions ask for: columns (N) or numbers by name, in SI units; rates that are left out are zero."""
        return dict(zip(self.outputs, self.evaluate(self._table(motion), parameters).T, strict=True))

    def evaluate(self, table: ArrayLike, parameters: Parameters | None = None) -> Array:
        """The same (N, outputs) for a table (N, inputs), or (outputs) for one row (inputs); a position that the loops do not
        reach, or in which a branch of the mechanism meets another, gives no numbers (nan)."""
        x = np.asarray(table, dtype=np.float64)
        p = self._own_constants if parameters is None else self._constants(parameters)
        if x.shape == self._row:
            return self._read(self.compiled(0.0, x, p))
        if x.ndim != 2 or x.shape[1:] != self._row:
            raise RefusedError(
                f"the table has the shape {x.shape}; it must be (N, {len(self.inputs)}): {', '.join(self.inputs)}"
            )
        found = np.empty((len(x), len(self.outputs)))
        for first in range(0, len(x), PORTION):
            found[first : first + PORTION] = self._read(self.compiled.batch(0.0, x[first : first + PORTION], p))
        return found

    def _read(self, found: Array) -> Array:
        """The outputs (..., outputs) of what the function gives."""
        if not self.closes:
            return found
        return np.where(found[..., -1:] > 0.0, found[..., :-1], np.nan)

    @cached_property
    def _row(self) -> tuple[int]:
        return (len(self.inputs),)

    @cached_property
    def _own_constants(self) -> Array:
        return self._constants(None)

    def _constants(self, parameters: Parameters | None) -> Array:
        """The constants of the function: those of the mechanism, and of its state where there are loops."""
        start = self.mechanism.start(self.mechanism.model.in_si(parameters))
        if not self.closes:
            return start.p
        size = self.compiled.size_p - start.y.size
        return np.concatenate([flow_parameters(self.mechanism.flow(start))[:size], start.y])

    def _table(self, motion: Mapping[str, ArrayLike]) -> Array:
        faults, columns = Faults("the motion"), dict[int, Array]()
        for name, values in self.mechanism.model.with_names(motion).items():
            with faults:
                if name not in self._columns:
                    raise UnknownNameError(f"the motion names '{name}'; {did_you_mean(name, list(self.inputs))}")
                columns[self._columns[name]] = np.asarray(values, dtype=np.float64).ravel()
        missing = [name for i, name in enumerate(self.inputs[: len(self.motors)]) if i not in columns]
        sizes = {column.size for column in columns.values()} - {1}
        with faults:
            if missing:
                raise RefusedError(f"the motion lacks {', '.join(missing)}")
        with faults:
            if len(sizes) > 1:
                raise RefusedError(f"columns of {' and '.join(map(str, sorted(sizes)))} samples do not go together")
        faults.tell()
        table = np.zeros((max(sizes, default=1), len(self.inputs)))
        for i, column in columns.items():
            table[:, i] = column
        return table

    @property
    def title(self) -> str:
        return f"inverse dynamics of {self.mechanism.model.name or 'mechanism'} as a function"

    def facts(self) -> list[tuple[str, str]]:
        """What it takes and gives."""
        return [("from", ", ".join(self.inputs)), ("to", ", ".join(self.outputs))]


def _by_recursion(topology: Topology, motors: Sequence[Motor]) -> InverseFunction | None:
    """Efforts of a tree whose coordinates all have motors; None for others."""
    mechanism = _prepared(topology)
    c = mechanism.coordinates
    names = [f"{motor.joint}.{motor.freedom}" for motor in motors]
    if c.rows or c.s.numel() or c.q.numel() != c.v.numel() or sorted(names) != sorted(c.kinematics.q_names):
        return None
    recursion, count = recursion_function(c), len(names)
    order = [names.index(name) for name in c.kinematics.q_names]
    t, x, p = ca.SX.sym("t"), ca.SX.sym("x", 3 * count), ca.SX.sym("p", c.p.numel())
    state = x[[level * count + i for level in range(3) for i in order]]
    efforts = recursion.call([t, state, p], True, False)[0][[order.index(i) for i in range(count)]]
    # the mechanism keeps functions by their names
    name = "_".join(["inverse_efforts", *map(str, order)])
    function = ca.Function(name, [t, x, p], [ca.densify(efforts)], ["t", "y", "p"], ["efforts"])
    outputs = tuple(f"{motor.name}.effort" for motor in motors)
    return InverseFunction(mechanism, tuple(motors), outputs, mechanism.compiled(function), closes=False)


def _by_closed_form(topology: Topology, motors: Sequence[Motor], reactions: bool) -> InverseFunction:
    """Efforts, and reactions of all joints, with loops in closed form."""
    mechanism = _moved(topology, motors)
    drivers = list(mechanism.topology.drives.inputs)
    if "motion" not in mechanism.equations.functions:
        raise RefusedError(
            "the motors do not hold the mechanism, or not all of its loops have a closed form: inverse_dynamics solves it"
        )
    c, motion = mechanism.coordinates, mechanism.equations.functions["motion"]
    loads = prescribed_loads_function(c, motion)
    # of u, u̇ and ü / 2 among the numbers of the inputs; these are about t = 0
    first = len(mechanism.topology.geometry.defaults)
    slots = [first + NUMBERS * i + 1 + level for level in range(3) for i in range(len(drivers))]
    t, x = ca.SX.sym("t"), ca.SX.sym("x", len(slots))
    p = ca.SX.sym("p", loads.numel_in(2) + loads.numel_in(1))
    given = ca.SX(p[: loads.numel_in(2)])
    count = len(drivers)
    given[slots] = ca.vertcat(x[: 2 * count], x[2 * count :] / 2)
    found = loads.call([ca.SX(0.0), p[loads.numel_in(2) :], given], True, False)[0]
    components = mechanism.equations.reactions.components
    named = {driver: motor.name for driver, motor in zip(drivers, motors, strict=True)}
    efforts = [components.index((driver, "effort")) for driver in drivers]
    others = [i for i, (element, _) in enumerate(components) if element not in named]
    wanted = [*efforts, *(others if reactions else [])]
    chosen = ca.densify(found[[*wanted, found.numel() - 1]])
    name = "inverse_loads" if reactions else "inverse_load_efforts"  # the mechanism keeps functions by their names
    function = ca.Function(name, [t, x, p], [chosen], ["t", "y", "p"], ["loads"])
    outputs = tuple(f"{named.get(components[i][0], components[i][0])}.{components[i][1]}" for i in wanted)
    return InverseFunction(mechanism, tuple(motors), outputs, mechanism.compiled(function), closes=True)


def _prepared(topology: Topology) -> Mechanism:
    return compiled(formulated(numbered(topology, "relative"), None), "cpu")


def _moved(topology: Topology, motors: Sequence[Motor]) -> Mechanism:
    """The mechanism with an input u + u̇ t + ü t² / 2 in the place of every motor."""
    pose = coordinates_at(topology, topology.assembly.poses, topology.geometry.defaults)
    inputs = {f"inverse_{motor.joint}_{motor.freedom}": (motor.joint, motor.freedom) for motor in motors}
    first = np.zeros((len(inputs), NUMBERS))
    first[:, 1] = [pose[".".join(key)] for key in inputs.values()]
    try:
        return _prepared(driven(topology, topology.drives.moved(inputs, first.ravel())))
    except (AssemblyError, ModelError) as error:
        raise RefusedError(
            f"{len(motors)} motors cannot all hold the mechanism: give one for every degree of freedom ({error})"
        ) from error
