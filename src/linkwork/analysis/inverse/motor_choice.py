"""Which motors a motion is driven by, and the model without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.analysis.walk.memo import of_model
from linkwork.analysis.walk.prepare import analysed
from linkwork.coordinates.motors import Motor
from linkwork.errors import Faults, RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.forces import Effort


@dataclass(frozen=True)
class MotorChoice:
    """Motors, and the drivers and efforts of the model whose place they take."""

    motors: tuple[Motor, ...]
    replaced: frozenset[str]


def choose_motors(model: Model, names: Sequence[str] | None, recorded: Sequence[str]) -> MotorChoice:
    """Motors by name; by default the drivers, else the efforts of the model, else the coordinates that are recorded."""
    drivers = model.joint_drivers
    given = {name: force for name, force in model.forces.items() if isinstance(force, Effort)}
    explicit = names is not None
    if names is None:
        names = [*drivers] or [*given] or _coordinates(model, recorded)
    if isinstance(names, str):
        names = [names]
    motors, replaced = [], {*drivers, *_released(model, explicit)}
    faults = Faults("motors")
    for name in names:
        element = drivers.get(name) or given.get(name)
        if element is None:
            with faults:
                motors.append(_motor(model, name))
            continue
        replaced.add(name)
        motors.append(Motor(name, element.joint, element.freedom or model.joints[element.joint].freedoms[0].name))
    faults.tell()
    repeated = [motor.name for motor in motors if [other.name for other in motors].count(motor.name) > 1]
    if repeated:
        raise RefusedError(f"the motor '{repeated[0]}' is named twice")
    return MotorChoice(tuple(motors), frozenset(replaced))


def without_motors(model: Model, choice: MotorChoice) -> Model:
    """The model without the drivers and efforts that become motors; the same object where there are none."""
    if not choice.replaced:
        return model

    def left() -> Model:
        parts = {
            part: [name for name in getattr(model, part) if name in choice.replaced] for part in ("drivers", "forces")
        }
        return model.with_(**{part: dict.fromkeys(names) for part, names in parts.items()})

    return of_model(model, "without motors", choice.replaced, left)


def _released(model: Model, explicit: bool) -> frozenset[str]:
    """Drivers of points and bodies that only give the motion: those that leave no freedom to the motors that are named."""
    guides = frozenset(model.guides)
    if not explicit or not guides:
        return frozenset()
    guided = without_motors(model, MotorChoice((), frozenset(model.joint_drivers)))
    return guides if analysed(guided).mobility.free == 0 else frozenset()


def _coordinates(model: Model, recorded: Sequence[str]) -> list[str]:
    """The coordinates among the names of a motion, without rates and accelerations."""
    known = set(_known(model))
    return [name for name in recorded if name in known or name in model.joints]


def _known(model: Model) -> list[str]:
    return [
        f"{name}.{freedom.name}" for name, joint in model.joints.items() for freedom in joint.freedoms if freedom.name
    ]


def _motor(model: Model, name: str) -> Motor:
    """A motor that is named by its joint, or by the coordinate."""
    joint, _, freedom = model.named(name).partition(".")
    known = _known(model)
    mine = [item.partition(".")[2] for item in known if item.partition(".")[0] == joint]
    if joint in model.joints and not freedom and len(mine) == 1:
        freedom = mine[0]
    if freedom not in mine:
        valid = [*model.joint_drivers, *known]
        raise UnknownNameError(f"there is no motor or joint coordinate '{name}'; {did_you_mean(name, valid)}")
    return Motor(f"{joint}.{freedom}", joint, freedom)
