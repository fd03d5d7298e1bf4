"""A run as a source of named quantities: expressions are compiled when they are asked for and evaluated in one sweep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.analysis.motion.ledger import Ledger
from linkwork.analysis.motion.output_units import output_unit
from linkwork.analysis.motion.powers import BALANCE, RunPowers
from linkwork.analysis.motion.reactions import ReactionRun
from linkwork.analysis.motion.work import Gathered, States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.compiler.program import build
from linkwork.coordinates.momentum import momentum_entries, refuse_untold
from linkwork.coordinates.naming import Entry, acceleration_entries, resolve_point_name, state_entries
from linkwork.coordinates.stops import STOP
from linkwork.equations.reactions.places import CHILD
from linkwork.equations.reactions.schemes import LEAST, ReactionScheme
from linkwork.errors import ExpressionError, RefusedError, did_you_mean
from linkwork.model.parameters import units_of
from linkwork.outline import outlined
from linkwork.progress import told
from linkwork.results.inverse_dynamics import SupplementedSource
from linkwork.results.quantities import LiveValue, MultiplierValues, Quantity, ReactionInfo, ReactionValues
from linkwork.results.result import Result

LaterStates = tuple[Array, Array, Callable[[], Array]]  # t, y, and what finds v̇ where somebody asks for it


@outlined
class Trajectory:
    """States of a run at the output times; implements the source of quantities that a result asks.

    states: t (N), y (N, n), vdot (N, nv) or what gives it; p (np), or (N, np) where parameters have changed on the way
    gathered: what the run has left inside its steps; without it there are no works
    scheme: how reactions are found unless another one is asked for
    """

    def __init__(
        self,
        mechanism: Mechanism,
        states: States | LaterStates,
        p: Array,
        gathered: Gathered | None = None,
        scheme: ReactionScheme = LEAST,
    ) -> None:
        self.mechanism = mechanism
        self.t, self.y = states[:2]
        self._accelerations: Array | Callable[[], Array] = states[2]
        self.p, self.gathered = p, gathered
        self._begun: Trajectory | None = None
        self._scheme = scheme

    @cached_property
    def vdot(self) -> Array:
        """Accelerations (N, nv), found when somebody first asks for what they say."""
        return self._accelerations() if callable(self._accelerations) else self._accelerations

    @cached_property
    def _pushes(self) -> ReactionRun:
        return ReactionRun(self.mechanism, (self.t, self.y, self.vdot), self.p, self._scheme)

    def since(self, first: int) -> Trajectory:
        """The same run without its samples before one of them; works and balances count from its start all the same."""
        states = self.t[first:], self.y[first:], lambda: self.vdot[first:]
        later = Trajectory(self.mechanism, states, self._p_since(first), self.gathered, self._scheme)
        later._begun = self
        return later

    def _p_since(self, first: int) -> Array:
        return self.p if self.p.ndim == 1 else self.p[first:]

    @cached_property
    def vdot_symbol(self) -> ca.SX:
        return ca.SX.sym("vdot", self.mechanism.coordinates.v.numel())

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self.mechanism, self.vdot_symbol)

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        c = self.mechanism.coordinates
        entries = state_entries(c.topology, c.motion, c.related)
        entries |= acceleration_entries(c.topology, c.motion, self.vdot_symbol)
        entries |= self.ledger.entries | {"closure": _closure_entry(self.mechanism)} | momentum_entries(c)
        model = c.topology.model
        names = {name for formula in model.named_formulas.values() for name in formula.names()}
        known = {name: resolve_point_name(c.topology, name) for name in names}
        units = {name: entries[own].unit for name, own in known.items() if own in entries} | {"t": "s"}
        for name, expression in model.named_formulas.items():
            unit = output_unit(expression, units, units_of(model.parameters))
            entries[name] = Entry(unit, str(expression), partial(self._output, expression))
        return entries

    def _output(self, expression: Expression) -> ca.SX:
        return ca.SX(to_sx(expression, self._lookup))

    def _lookup(self, name: str) -> ca.SX:
        c = self.mechanism.coordinates
        if name == "t":
            return c.t
        if name in c.geometry.fixed_values:
            return c.geometry.fixed_values[name]
        known = resolve_point_name(c.topology, name)
        if known not in self._entries:
            refuse_untold(c, known)
            raise ExpressionError(f"an output formula names '{name}'; {did_you_mean(name, list(self._entries))}")
        return self._entries[known].build()

    @cached_property
    def catalogue(self) -> Mapping[str, Quantity]:
        """Every quantity that can be asked for."""
        found = {name: Quantity(name, entry.unit, entry.description) for name, entry in self._entries.items()}
        for element, component in self.mechanism.equations.reactions.components:
            name = f"{element}.{component}"
            found[name] = Quantity(
                name, _reaction_unit(self.mechanism, element, component), _reaction_text(self.mechanism, name)
            )
        works = self.ledger.integrals if self.gathered is not None else {}
        recipes = {name: recipe.quantity for name, recipe in self.ledger.recipes.items()}
        if self.gathered is None:
            recipes.pop("energy.balance")
        return found | recipes | {name: quantity for name, (quantity, _) in works.items()}

    @cached_property
    def reaction_components(self) -> Mapping[str, ReactionInfo]:
        """Reactions by element, with the components that redundancy leaves open."""
        return self._pushes.describe(self._pushes.solve()[1])

    @cached_property
    def parameters(self) -> Mapping[str, LiveValue]:
        """Values of the live parameters, (N,) of those that have changed on the way."""
        table = np.atleast_2d(self.p)
        changed = np.any(table != table[:1], axis=0)
        names = enumerate(self.mechanism.topology.geometry.parameter_names)
        return {name: table[:, i].copy() if changed[i] else float(table[0, i]) for i, name in names if len(table)}

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """Those of the named quantities that are components of reactions which are not unique."""
        asked = {f"{element}.{name}" for element, name in self._pushes.plan.components}.intersection(names)
        infos = self.reaction_components.items() if asked else ()
        loose = {f"{element}.{component}" for element, info in infos for component in info.not_unique}
        return frozenset(asked & loose)

    def reactions(self, scheme: str, axes: str, at: str) -> ReactionValues:
        """Reactions by a scheme, in axes of the world or others, with moments at a place."""
        return (self._pushes if at == CHILD else self._pushes.with_moments_at(at)).values(scheme, axes)

    def multipliers(self, scheme: str) -> Sequence[MultiplierValues]:
        """The multipliers of all conditions."""
        return self._pushes.multipliers(scheme)

    @told("evaluating")
    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        if self._begun is not None:
            return {name: values[-len(self.t) :] for name, values in self._begun.evaluate(names).items()}
        wanted = self.ingredients(names)
        integrals = [name for name in wanted if name in self.ledger.integrals]
        values = self._measured([name for name in wanted if name not in integrals]) | self.works(integrals)
        return self.combine(names, values)

    def ingredients(self, names: Sequence[str]) -> list[str]:
        """What quantities are made of: names of reactions, integrals and expressions."""
        recipes = self.ledger.recipes
        wanted = list(dict.fromkeys(names))
        for name in wanted:  # grows by the parts of what is made of others
            wanted += [part for part in (recipes[name].parts if name in recipes else ()) if part not in wanted]
        return [name for name in wanted if name not in recipes]

    def combine(self, names: Sequence[str], values: dict[str, Array]) -> dict[str, Array]:
        """Quantities from the values of their ingredients, to which those on the way are added."""
        recipes = self.ledger.recipes

        def value(name: str) -> Array:
            if name not in values:
                values[name] = recipes[name].combine(*[value(part) for part in recipes[name].parts])
            return values[name]

        return {name: value(name) for name in names}

    def function(self, names: Sequence[str], *, accelerations: bool = True) -> ca.Function:
        """Expressions of t, y, v̇ and p by their names, as one function (t, [y, v̇], p) → x, or (t, y, p) → x."""
        c = self.mechanism.coordinates
        stacked = ca.vertcat(*[ca.densify(self._entries[name].build()) for name in names])
        state = ca.vertcat(c.y, self.vdot_symbol) if accelerations else c.y
        return ca.Function("outputs", [c.t, state, c.p], [stacked], ["t", "y", "p"], ["x"])

    def numbers(self, names: Sequence[str]) -> Array:
        """What names in formulas of outputs stand for, at the first state; nothing is compiled."""
        c = self.mechanism.coordinates
        stacked = ca.vertcat(ca.SX(0, 1), *[ca.densify(self._lookup(name)) for name in names])
        f = ca.Function("names", [c.t, c.y, self.vdot_symbol, c.p], [ca.densify(stacked)])
        p = self.p if self.p.ndim == 1 else self.p[0]
        return np.array(f(self.t[0], self.y[0], self.vdot[0], p)).ravel()

    def needs_accelerations(self, names: Sequence[str]) -> bool:
        """Whether some of these expressions depend on v̇."""
        stacked = ca.vertcat(*[ca.densify(self._entries[name].build()) for name in names])
        return bool(ca.depends_on(stacked, self.vdot_symbol))

    def is_expression(self, name: str) -> bool:
        """Whether a quantity is an expression of t, y, v̇ and p; reactions and integrals are not."""
        return name in self._entries

    def works(self, names: Sequence[str]) -> dict[str, Array]:
        """Works (N) from the start of the run to each output, by name."""
        return self._integrated(names)[0]

    def balance(self, least: float = 0.0) -> tuple[Array, Array, float]:
        """Works (N) that forces, drivers and moving conditions have brought in, and destroyed, up to each output; and what
        these have turned over, back and forth, along the whole run (J). They are resolved as parts of the *least* energy
        that they are compared with."""
        values, turned = self._integrated(BALANCE, least)
        given, lost = values.values()
        return given, lost, sum(turned.values())

    def _integrated(self, names: Sequence[str], least: float = 0.0) -> tuple[dict[str, Array], dict[str, float]]:
        """Works (N) by name, and what they have turned over."""
        if not names or self.gathered is None:
            return {name: np.zeros_like(self.t) for name in names}, {}
        kept, powers = self.gathered, self.powers_along(self.gathered)
        held = self.all_works if kept.let_go else tuple(names)
        found, turned = np.zeros((len(self.t), len(held))), np.zeros(len(held))
        if not powers.are_none(names):
            found, turned = kept.integrate(powers.of(held), self.t, len(held), least)
        values = dict(zip(held, found.T, strict=True))
        sizes = dict(zip(held, map(float, turned), strict=True))
        return (
            {name: values[name] + powers.at_once(name, kept.impulses, self.t) for name in names},
            {name: sizes[name] for name in names},
        )

    @property
    def all_works(self) -> tuple[str, ...]:
        """Names of all works, those of the balance first."""
        return (*BALANCE, *self.ledger.integrals)

    def powers_along(self, gathered: Gathered) -> RunPowers:
        """The powers whose integrals along a run are its works; *gathered*: what it leaves inside its steps."""
        return RunPowers(self.mechanism, gathered, self._powers_at)

    def _powers_at(self, states: States, p: Array, works: Sequence[str]) -> dict[str, Array]:
        """The powers of works by name, at other states."""
        powers = {name: self.ledger.integrals[name][1] for name in works}
        found = Trajectory(self.mechanism, states, p).evaluate(list(powers.values()))
        return {name: found[power] for name, power in powers.items()}

    def _measured(self, names: Sequence[str]) -> dict[str, Array]:
        """Reactions, and expressions of the state."""
        pushes = self._pushed
        values: dict[str, Array] = {}
        if any(name in pushes for name in names):
            reactions = self._pushes.solve()[0]
            values |= {name: reactions[:, pushes[name]] for name in names if name in pushes}
        wanted = list(dict.fromkeys(self._with_siblings([name for name in names if name not in pushes])))
        if wanted:
            program = build({"outputs": self.function(wanted)}, self.mechanism.program.backend)
            found = program["outputs"].sample(self.t, np.hstack([self.y, self.vdot]), self.p)
            values |= dict(zip(wanted, found.T, strict=True))
            _unwind_quaternions(values)
        return values

    @cached_property
    def _pushed(self) -> Mapping[str, int]:
        """The places of the components of reactions, by name."""
        components = self.mechanism.equations.reactions.components
        return {f"{element}.{component}": i for i, (element, component) in enumerate(components)}

    def _with_siblings(self, names: list[str]) -> list[str]:
        """A component of a quaternion brings the others, so that its sign can be kept continuous."""
        bodies = dict.fromkeys(name[:-3] for name in names if name[-3:] in (".q0", ".q1", ".q2", ".q3"))
        return [*names, *(f"{body}.q{i}" for body in bodies for i in range(4))]


def _closure_entry(mechanism: Mechanism) -> Entry:
    def build_closure() -> ca.SX:
        largest = ca.SX(0)
        for row in (*mechanism.coordinates.rows, *mechanism.coordinates.kinematics.identities):
            largest = ca.fmax(largest, ca.fabs(row.residual) * row.weight)
        return largest

    return Entry("m", "largest error of any condition (angles count with the size of the mechanism)", build_closure)


def _reaction_unit(mechanism: Mechanism, element: str, component: str) -> str:
    driven = mechanism.topology.drives.keys
    if (element, component) in mechanism.equations.reactions.units:
        return mechanism.equations.reactions.units[element, component]
    if component != "effort":
        return "N" if component.startswith("f") else "N*m"
    if element in driven:
        joint, freedom = driven[element]
    else:
        first = mechanism.coordinates.geometry.couplings[element].terms[0]
        joint, freedom = first.joint, first.freedom
    coordinates = {k[1]: v for k, v in mechanism.coordinates.motion.coordinates.items() if k[0] == joint}
    chosen = coordinates[freedom] if freedom is not None else next(iter(coordinates.values()))
    return "N" if chosen.kind == "length" else "N*m"


def _reaction_text(mechanism: Mechanism, name: str) -> str:
    element, component = name.rsplit(".", 1)
    if component == STOP:
        return f"push of the stops of {element} along it, on the child"
    if element in mechanism.coordinates.geometry.relations:
        if component in ("fx", "fy", "fz"):
            return f"{component[1]} force of {element} on the last of its bodies, world axes"
        return f"power that {element} gives to the mechanism" if component == "power" else f"{component} of {element}"
    if component == "effort":
        return f"force or torque of {element} along its coordinate, on the child"
    if element in mechanism.model.couplings:
        on, by = reversed(mechanism.equations.reactions.sides[element])
        return f"{component[1]} force of {element} on {on} by {by} where they touch, world axes"
    what = "force" if component.startswith("f") else "moment"
    return f"{component[1]} {what} in joint {element}, on the child by the parent, world axes"


def run_of(source: object, instead: str) -> Trajectory:
    """The run behind a result, that of inverse dynamics too; refuses stored ones, and those that have stopped before their
    first sample."""
    source = source.source if isinstance(source, SupplementedSource) else source
    if not isinstance(source, Trajectory):
        raise RefusedError(f"a stored result has no equations: {instead}")
    if not source.t.size:
        raise RefusedError("the run has no samples: it has stopped where it began, and its outcome says why")
    return source


def since_asked(result: Result, first: int) -> Result:
    """A result with the samples that were asked for; where a run has come to none of them, with that in which it began."""
    if not first or len(result) <= first:
        return result
    assert isinstance(result.source, Trajectory)
    return replace(result, time=result.time[first:], source=result.source.since(first))


def _unwind_quaternions(values: dict[str, Array]) -> None:
    """Turn q into −q where that keeps its components continuous."""
    for body in {name[:-3] for name in values if name.endswith(".q0")}:
        names = [f"{body}.q{i}" for i in range(4)]
        e = np.array([values[name] for name in names])
        flips = np.where(np.sum(e[:, 1:] * e[:, :-1], axis=0) < 0, -1.0, 1.0)
        signs = np.concatenate([[1.0], np.cumprod(flips)])
        values |= dict(zip(names, e * signs, strict=True))
