"""``linearise``: the linear equations δẋ = A δx + B δu, δz = C δx + D δu of a mechanism about one of its states.

x are independent named quantities, u inputs, z any named quantities. All derivatives are exact;
``equations/linear/variations.py`` says what is differentiated. With S = ∂x/∂ξ, ξ being the components that span the tangent
of the conditions,

    δy = E S⁻¹ (δx − W δu) + F δu,   W = x_y F + x_u,

and δẋ, δz follow from the derivatives of ẋ and z by y, v̇ and u. About an equilibrium or a steady motion A is constant, and
its eigenvalues are those of the mechanism; elsewhere it holds for a moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import si_unit
from linkwork.analysis.motion.corners import corner_notes
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.vibration.linear_inputs import EFFORT, with_inputs
from linkwork.analysis.vibration.linear_state import held_note, linear_state
from linkwork.analysis.vibration.small_motion import free_spins, moved_motion
from linkwork.analysis.vibration.state_choice import StateChoice
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.naming import resolve_point_name
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import changing, remarks
from linkwork.equations.formulations.penalty import Penalty, penalties
from linkwork.equations.linear.penalised_variations import ALL_PENALTY_FORMS, PenaltyForm, Weights
from linkwork.equations.linear.small_rotations import RATE
from linkwork.equations.linear.variations import Moment, Variation, VariationalEquations
from linkwork.equations.reactions.slopes import ReactionSlopes
from linkwork.errors import AssemblyError, RefusedError, UnknownNameError, did_you_mean
from linkwork.model.remarks import unstruck
from linkwork.numerics.policy import POLICY
from linkwork.outline import outlined
from linkwork.results.linear_system import ComplexArray
from linkwork.results.linearisation import Linearisation
from linkwork.results.quantities import TIME, Variable
from linkwork.results.result import Result
from linkwork.results.time_grid import moment

INDEPENDENT = "independent"  # the form with as many states as freedoms
SWING = 0.1  # largest displacement of an animated shape, of the size of the mechanism, or in radians
ASIDE = 1e-4  # how far from a state its rank is compared, in units of the coordinates
AHEAD = 0.05  # how far a motion is followed to see whether it is steady, in units of the coordinates
NEAR = POLICY.linear  # independence of conditions; about its cube is lost from the digits of linear equations
FIRMER = 0.5  # of the independence beside a position: less is lost on the way to a singular one
STEADY = 1e-6  # largest change of A, beside its largest entry, that counts as none


@verb
def linearise(
    model: Noun,
    time: Scalar | None = None,
    *,
    states: Sequence[str] = (),
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
    holds: Sequence[str] | None = None,
    method: str = "independent",
    penalty: Penalty | None = None,
) -> Linearisation:
    """Linearise a mechanism about its assembled state with its initial speeds, a pose, an equilibrium, or a run at a time.

    states: named quantities that x should hold, positions and speeds; it is filled up by components of the state
    inputs: live parameters, or joint coordinates with '.effort' behind them: a force or torque along them
    outputs: named quantities; accelerations, formulas of the model, reactions and efforts of drivers included
    coordinates, parameters: of a model; a run has its own
    holds: names of limits and joints that hold, ["O.angle.lower", "rail.friction"]; by default those that hold in the state
    method: 'independent', or x is all of the state, with penalties in the place of the conditions: positions and velocities
    if 'dependent', positions and momenta if 'canonical'; penalty: of these
    """
    chosen = _form(method, states, penalty)
    mechanism, state = linear_state(model, moment(time), coordinates, parameters, holds)
    called = mechanism.model.named
    derivatives = derivatives_of(mechanism, tuple(map(called, states)), tuple(map(called, inputs)))
    if chosen is None:
        return derivatives.about(state, tuple(outputs))
    return derivatives.penalised(chosen, state, tuple(outputs), penalty or Penalty())


def _form(name: str, states: Sequence[str], penalty: Penalty | None) -> type[PenaltyForm] | None:
    """The form with this name, None for independent states."""
    forms = {form.name: form for form in ALL_PENALTY_FORMS}
    if name not in (INDEPENDENT, *forms):
        raise RefusedError(f"unknown method '{name}'; {did_you_mean(name, [INDEPENDENT, *forms])}")
    if name == INDEPENDENT and penalty is not None:
        others = " or ".join(f"method='{other}'" for other in forms)
        raise RefusedError(f"independent states need no penalty: leave it out, or ask for {others}")
    if name != INDEPENDENT and states:
        raise RefusedError(f"in the {name} form all components of the state are states: leave the states out")
    return forms.get(name)


def derivatives_of(mechanism: Mechanism, states: tuple[str, ...], inputs: tuple[str, ...]) -> Derivatives:
    """Derivatives of a mechanism for a choice of states and inputs; asked again, the same."""
    return of_noun(mechanism, "derivatives", (states, inputs), lambda: Derivatives(mechanism, states, inputs))


class Derivatives:
    """The derivatives of a mechanism for wanted states and inputs as functions of its state, made once."""

    def __init__(self, mechanism: Mechanism, wanted: tuple[str, ...], inputs: tuple[str, ...]) -> None:
        self.mechanism, self.wanted, self.inputs = mechanism, wanted, inputs
        self.c = mechanism.coordinates
        self.equations = VariationalEquations(*with_inputs(self.c, inputs))
        self.reactions = ReactionSlopes(self.equations)

    @cached_property
    def _source(self) -> Trajectory:
        """Where the expressions of named quantities come from."""
        n, nv = self.c.y.numel(), self.c.v.numel()
        empty = np.zeros(0), np.zeros((0, n)), np.zeros((0, nv))
        return Trajectory(self.mechanism, empty, np.zeros(self.c.p.numel()))

    @cached_property
    def pushes(self) -> frozenset[str]:
        """Names of reactions."""
        return frozenset(f"{element}.{name}" for element, name in self.mechanism.equations.reactions.components)

    def expressions(self, names: Sequence[str]) -> ca.SX:
        """Named quantities as one column of expressions of t, y, v̇ and p."""
        known = [resolve_point_name(self.c.topology, name) for name in names]
        for name in known:
            if name not in self._source.catalogue:
                raise UnknownNameError(
                    f"there is no quantity '{name}'; {did_you_mean(name, list(self._source.catalogue))}"
                )
            if name in self.pushes:
                raise RefusedError(f"'{name}' is a reaction, no state: name positions and speeds")
            if not self._source.is_expression(name):
                raise RefusedError(
                    f"'{name}' is an integral over a run, or a power that is made of reactions: these are not linearised; "
                    "name reactions, efforts and rates"
                )
        if not known:
            return ca.SX(0, 1)
        return self._source.function(known)(self.c.t, ca.vertcat(self.c.y, self.equations.vdot), self.c.p)

    @cached_property
    def choice(self) -> StateChoice:
        """What x may be made of."""
        return StateChoice(self.equations, self.wanted, self.expressions, self._source.catalogue)

    def unit(self, name: str) -> str:
        """The unit of a quantity or of an input, empty where it has none or it is not known."""
        parameter = self.mechanism.model.parameters.get(name)
        if parameter is not None:
            return si_unit(str(parameter.value))
        known = resolve_point_name(self.c.topology, name)
        if known in self._source.catalogue:
            return self._source.catalogue[known].unit
        if name in self.choice.rotations.names:
            return "rad/s" if name.endswith(RATE) else "rad"
        if not name.endswith(EFFORT):
            return ""
        joint = name.removesuffix(EFFORT).split(".")
        kinds = [x.kind for key, x in self.c.motion.coordinates.items() if list(key)[: len(joint)] == joint]
        return "N" if kinds and kinds[0] == "length" else "N*m"

    def _vary(self, state: Moment) -> Variation:
        extra = np.zeros(self.equations.c.p.numel() - self.c.p.numel())
        found = self.equations.about(Moment(state.t, state.y, np.concatenate([state.p, extra])))
        aside = self._aside(state, found)
        beside = None if aside is None else self.equations.about(replace(found.at, y=aside))
        if beside is not None and beside.rank > found.rank:
            raise RefusedError(
                "the position is singular: conditions that are independent beside it are not in it, and motions branch "
                "there; linearise another position (diagnose tells more)"
            )
        # little rows alone may be those of a little body: next to a singular position they grow on the way from it
        if found.firmness < NEAR and (beside is None or found.firmness < FIRMER * beside.firmness):
            raise RefusedError(
                f"the position is next to a singular one (conditions are independent by {found.firmness:.1g} of their "
                "size), where linear equations have no right digits left; linearise another position (diagnose tells more)"
            )
        return found

    def _aside(self, state: Moment, found: Variation) -> Array | None:
        """A state near another one on the conditions, where it can be found."""
        weights = np.cos(np.arange(found.basis.shape[1]))
        y = state.y + ASIDE * found.ways @ weights
        try:
            return self.mechanism.settle(Start(y, state.p.copy(), self.mechanism.topology.assembly), state.t).y
        except AssemblyError:
            return None

    def about(self, state: Moment, outputs: tuple[str, ...]) -> Linearisation:
        """The linear equations about a state."""
        found = self._vary(state)
        chosen = self.choice.choose(found)
        tangent, matrices, values = self._along(found, chosen)
        names = [self.choice.names[i] for i in chosen], [self.choice.positions[i] for i in chosen]
        return self._write(tangent, names, matrices, values, outputs)

    def _along(
        self, found: Variation, chosen: Sequence[int]
    ) -> tuple[Tangent, tuple[Array, Array], tuple[Array, Array]]:
        """What happens along the chosen states; A and B; x and its rates."""
        by_y, _, by_u, values = (part[chosen] for part in found.value(self.choice.functions[0]))
        basis = found.basis @ np.linalg.inv(by_y @ found.basis)
        shift = found.shift - basis @ (by_y @ found.shift + by_u)
        speeds = slice(self.c.q.numel(), self.c.q.numel() + self.c.v.numel())
        jacobian, own = found.jacobian[speeds], found.input_jacobian[speeds]
        tangent = Tangent(self, found, (basis, jacobian @ basis), (shift, jacobian @ shift + own))
        rates = [part[chosen] for part in found.value(self.choice.functions[1])]
        return tangent, tangent.along(rates), (values, rates[3])

    def steady(self, found: Variation) -> bool:
        """Whether A stays what it is while the motion goes on."""
        after = self._after(found)
        if after is None:
            return False
        chosen = self.choice.choose(found)
        first, last = (self._along(item, chosen)[1][0] for item in (found, after))
        return bool(np.max(np.abs(last - first), initial=0.0) <= STEADY * np.max(np.abs(first), initial=0.0))

    def _after(self, found: Variation) -> Variation | None:
        """A little later, by one step of Runge and Kutta's method; None where that cannot be."""
        fastest = float(np.max(np.abs(found.ydot) / self.equations.scale, initial=0.0))
        if not fastest > 0.0:
            return found
        step, y, slopes = AHEAD / fastest, found.at.y, [found.ydot]
        for part in (0.5, 0.5, 1.0):
            at = Moment(found.at.t + part * step, y + part * step * slopes[-1], found.at.p)
            slopes.append(self.equations.about(at).ydot)
        y = y + step / 6 * (slopes[0] + 2 * slopes[1] + 2 * slopes[2] + slopes[3])
        start = Start(y, found.at.p[: self.c.p.numel()].copy(), self.mechanism.topology.assembly)
        try:
            settled = self.mechanism.settle(start, found.at.t + step).y
        except AssemblyError:
            return None
        return self.equations.about(Moment(found.at.t + step, settled, found.at.p))

    def penalised(
        self, form: type[PenaltyForm], state: Moment, outputs: tuple[str, ...], penalty: Penalty
    ) -> Linearisation:
        """The same with all components of the state, which penalties keep near the conditions."""
        variation = self._vary(state)
        alpha = penalties(self.c, penalty.alpha, state.t, state.y, state.p)
        found = form(variation, Weights(alpha, penalty.omega, penalty.mu))
        n, nu = len(found.states), len(self.inputs)
        by_x, by_u = found.vary(np.eye(n), np.zeros((nu, n))), found.vary(np.zeros((n, nu)), np.eye(nu))
        tangent = Tangent(self, variation, (by_x.y, by_x.vdot), (by_u.y, by_u.vdot))
        names = found.states, [i < self.c.q.numel() for i in self.equations.moving]
        written = self._write(tangent, names, (by_x.rates, by_u.rates), found.values, outputs)
        return replace(written, form=form.name, projected=self.choice.restated(variation, found.projected))

    def _write(
        self,
        about: Tangent,
        names: tuple[Sequence[str], Sequence[bool]],
        matrices: tuple[Array, Array],
        values: tuple[Array, Array],
        outputs: tuple[str, ...],
    ) -> Linearisation:
        """names: of x, and which are positions; matrices: A and B; values: x and its rates"""
        at, (c, d) = about.variation.at, about.slopes(outputs)
        bends = corner_notes(self.mechanism, at.t, at.y, at.p, about.variation.ways)
        written = Linearisation(
            name=self.mechanism.model.name or "mechanism",
            states=tuple(names[0]),
            inputs=self.inputs,
            outputs=outputs,
            a=matrices[0],
            b=matrices[1],
            c=c,
            d=d,
            at=values[0].ravel(),
            rates=values[1].ravel(),
            time=at.t,
            positions=tuple(names[1]),
            source=about,
            notes=(
                *bends,
                *remarks(self.c, at.p),
                *unstruck(self.mechanism.model),
                *held_note(self.c, at.p),
                *free_spins(self.mechanism),
            ),
        )
        return replace(written, notes=(*written.notes, *changing(self.c, at.t))) if written.resting else written


@outlined
@dataclass(frozen=True, eq=False)
class Tangent:
    """What all of a mechanism does when x and u vary: δy and δv̇ of unit variations of x (n), and of u (nu)."""

    derivatives: Derivatives
    variation: Variation
    by_x: tuple[Array, Array]
    by_u: tuple[Array, Array]

    def __reduce__(self) -> tuple[object, ...]:
        made = self.derivatives
        return _tangent, (made.mechanism, made.wanted, made.inputs, self.variation.at, (self.by_x, self.by_u))

    def along(self, slopes: Sequence[Array]) -> tuple[Array, Array]:
        """Derivatives by x and u from those by y, v̇ and u."""
        by_y, by_vdot, own = slopes[:3]
        (y, vdot), (shift, forced) = self.by_x, self.by_u
        return by_y @ y + by_vdot @ vdot, by_y @ shift + by_vdot @ forced + own

    def slopes(self, names: Sequence[str]) -> tuple[Array, Array]:
        """C and D of named quantities."""
        reactions = self.derivatives.reactions
        turns = self.derivatives.choice.rotations
        pushes = [name for name in names if name in self.derivatives.pushes]
        turned = [name for name in names if name in turns.names]
        others = [name for name in names if name not in pushes and name not in turned]
        rows = turns.slopes(self.derivatives.expressions(others), [turns.names.index(name) for name in turned])
        parts = self.variation.value(rows)[:3]
        if pushes:
            given = reactions.about(self.variation, pushes)
            parts = [np.vstack(items) for items in zip(parts, given, strict=True)]
        order = [[*others, *turned, *pushes].index(name) for name in names]
        return self.along([part[order] for part in parts])

    def swing(self, shape: ComplexArray, amplitude: float | None, frames: int, title: str) -> Result:
        """The mechanism along the variation Re(shape e^{iθ}) of x, θ from 0 to 2π, put right by its conditions."""
        moved = self.by_x[0] @ shape
        placed = np.arange(len(moved)) < self.derivatives.c.q.numel()
        largest = float(np.max(np.abs(moved) / self.derivatives.equations.scale, where=placed, initial=1e-300))
        size = amplitude if amplitude is not None else SWING / largest
        turns = np.exp(2j * np.pi * np.linspace(0.0, 1.0, frames))
        x = np.real(size * turns[:, None] * shape)
        return self.follow(
            x,
            np.zeros((frames, len(self.derivatives.inputs))),
            np.linspace(0.0, 1.0, frames),
            title,
            Variable("cycle", ""),
        )

    def follow(self, x: Array, u: Array, time: Array, title: str, over: Variable = TIME) -> Result:
        """The mechanism along variations of x (N, k) and u (N, nu) over time (N), put right by its conditions."""
        c, at = self.derivatives.c, self.variation.at
        delta, vdot = (x @ by_x.T + u @ by_u.T for by_x, by_u in zip(self.by_x, self.by_u, strict=True))
        p, names = np.tile(at.p[: c.p.numel()], (len(time), 1)), list(c.geometry.parameter_names)
        for i, name in enumerate(self.derivatives.inputs):
            if name in names:
                p[:, names.index(name)] += u[:, i]
        states = [Moment(at.t, at.y, values) for values in p]
        moved = moved_motion(self.derivatives.mechanism, states, (delta, self.variation.vdot + vdot), time, title)
        return replace(moved, variable=over)

    @cached_property
    def steady(self) -> bool:
        """Whether A stays what it is while the motion goes on."""
        return self.derivatives.steady(self.variation)

    def unit(self, name: str) -> str:
        """The unit of a quantity or of an input, empty where it has none or it is not known."""
        return self.derivatives.unit(name)


def _tangent(
    mechanism: Mechanism,
    states: tuple[str, ...],
    inputs: tuple[str, ...],
    at: Moment,
    found: tuple[tuple[Array, Array], tuple[Array, Array]],
) -> Tangent:
    """One that was kept: its numbers, beside expressions that are made again."""
    derivatives = derivatives_of(mechanism, states, inputs)
    return Tangent(derivatives, derivatives.equations.about(at), *found)
