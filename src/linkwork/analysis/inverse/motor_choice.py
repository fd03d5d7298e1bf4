"""Which motors a motion is driven by, and the mechanism without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from linkwork.analysis.kinematics.leading import coordinates_among
from linkwork.analysis.prepared.memo import of_model
from linkwork.analysis.prepared.prepare import analysed, driven
from linkwork.coordinates.motors import Motor
from linkwork.equations.inverse.ways import Reach
from linkwork.errors import Faults, RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.forces import Actuator, Effort
from linkwork.position.drives import key_of
from linkwork.topology import Topology


@dataclass(frozen=True)
class MotorChoice:
    """Motors, and the drivers, efforts and actuators of the model whose place they take."""

    motors: tuple[Motor, ...]
    replaced: frozenset[str]


def choose_motors(topology: Topology, names: Sequence[str] | None, recorded: Sequence[str]) -> MotorChoice:
    """Motors by name; by default the drivers, else the efforts of the model, else the coordinates that are recorded."""
    model, drivers = topology.model, topology.drives.keys
    explicit = names is not None
    if names is None:
        given = [name for name, force in model.forces.items() if isinstance(force, Effort)]
        names = [*drivers] or given or coordinates_among(model, recorded)
    if isinstance(names, str):
        names = [names]
    motors, replaced = [], {*drivers, *_released(topology, explicit)}
    faults = Faults("motors")
    for name in names:
        force = model.forces.get(name)
        if isinstance(force, Effort | Actuator) and name not in drivers:
            replaced.add(name)
            motors.append(_declared(model, name, force))
        elif name in drivers:
            motors.append(Motor(name, *drivers[name]))
        else:
            with faults:
                motors.append(_motor(topology, name))
    faults.tell()
    repeated = [motor.name for motor in motors if [other.name for other in motors].count(motor.name) > 1]
    if repeated:
        raise RefusedError(f"the motor '{repeated[0]}' is named twice")
    return MotorChoice(tuple(motors), frozenset(replaced))


def without_motors(topology: Topology, choice: MotorChoice) -> Topology:
    """The mechanism without the drivers, efforts and actuators that become motors; the same object where there are none.

    Drivers of joints are let go. Efforts, and drivers of points and bodies, are elements of the model, by which trees are
    planned and passive spins told: without them it is another one, analysed once and remembered by its content.
    """
    model = topology.model
    parts: dict[str, Mapping[str, object]] = {"drivers": model.guides, "forces": model.forces}
    left = {part: dict.fromkeys(name for name in known if name in choice.replaced) for part, known in parts.items()}
    released = topology.drives.released
    if not any(left.values()):
        return driven(topology, released)
    live = {name: model.parameters[name].with_(value=value) for name, value in topology.live.items()}
    key = choice.replaced, tuple(topology.live.items())
    changed = of_model(model, "without motors", key, lambda: model.with_(**left, parameters=live))
    return analysed(changed, topology.near, replace(released, model=changed))


def check_reach(motors: Sequence[Motor], guides: str, found: Reach, time: float, spins: bool) -> None:
    """Refuse motors that can lead nothing: where nothing moves, or where drivers of points and bodies do it all."""
    names = ", ".join(motor.name for motor in motors)
    if motors and not found.freedoms and not spins:
        raise RefusedError(
            f"{names}: nothing can move at t = {time:.6g} s, and no effort gives this motion: the constraints leave no "
            "degree of freedom there; look for axes nearly parallel or in line"
        )
    if motors and guides and not found.rank:
        raise RefusedError(
            f"{names}: {guides} leads what could be driven by it, and pushes in its place; lead all degrees of freedom by "
            "drivers, and those of points and bodies give way to motors, or give the motion as a result of solve_kinematics"
        )


def _released(topology: Topology, explicit: bool) -> frozenset[str]:
    """Drivers of points and bodies that only give the motion: those that leave the motors that are named nothing to lead."""
    guides = frozenset(topology.model.guides)
    if not explicit or not guides:
        return frozenset()
    return guides if driven(topology, topology.drives.released).steered == 0 else frozenset()


def _known(model: Model) -> list[str]:
    return [
        f"{name}.{freedom.name}" for name, joint in model.joints.items() for freedom in joint.freedoms if freedom.name
    ]


def _declared(model: Model, name: str, force: Effort | Actuator) -> Motor:
    """An effort of the model, or an actuator, that becomes a motor."""
    if isinstance(force, Actuator) and force.between is not None:
        return Motor(name, between=force.between)
    assert force.joint is not None  # an actuator has one or the other
    return Motor(name, *key_of(model, force))  # type: ignore[arg-type]


def _motor(topology: Topology, name: str) -> Motor:
    """A motor that is named by its joint, or by the coordinate."""
    model = topology.model
    joint, _, freedom = model.named(name).partition(".")
    known = _known(model)
    mine = [item.partition(".")[2] for item in known if item.partition(".")[0] == joint]
    if joint in model.joints and not freedom and len(mine) == 1:
        freedom = mine[0]
    if freedom not in mine:
        acting = [force for force, item in model.forces.items() if isinstance(item, Effort | Actuator)]
        valid = [*topology.drives.keys, *acting, *known]
        raise UnknownNameError(f"there is no motor or joint coordinate '{name}'; {did_you_mean(name, valid)}")
    return Motor(f"{joint}.{freedom}", joint, freedom)
