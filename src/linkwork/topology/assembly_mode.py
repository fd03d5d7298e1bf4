"""One assembly mode of a mechanism, as a user reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.rotations import roll_pitch_yaw
from linkwork.answer import Answer, Column
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.position.geometry import Array, Pose
from linkwork.topology.modes.modes import FoundMode
from linkwork.topology.standing import coordinates_at, standing_model
from linkwork.topology.topology import Topology


@dataclass(frozen=True, eq=False, repr=False)
class AssemblyMode(Answer):
    """One position of a mechanism with its inputs held.

    position: as it was found; topology, p: of which mechanism it is a mode, and with which parameters
    """

    view = "modes.plot_mode"

    position: FoundMode
    topology: Topology
    p: Array

    @property
    def branches(self) -> Mapping[str, str]:
        """Of every block with a closed form, by its name, the name of the branch."""
        return self.position.branches

    @property
    def found(self) -> Mapping[str, str]:
        """Of every block that is solved by iteration, by its name, the number of the assembly that a search has found."""
        return self.position.found

    @property
    def poses(self) -> Mapping[str, Pose]:
        """Those of all bodies."""
        return self.position.poses

    @property
    def residual(self) -> float:
        """The largest opening of a joint, of the size of the mechanism or rad."""
        return self.position.residual

    @property
    def dead_centres(self) -> tuple[str, ...]:
        """Blocks in which another branch meets this one."""
        return self.position.dead_centres

    @property
    def in_use(self) -> bool:
        """Whether this is how the mechanism is assembled."""
        return self.position.in_use

    @property
    def name(self) -> str:
        """The names of the branches, then the numbers, in the order of the plan; without any loop 'the only one'."""
        return self.position.name

    @property
    def title(self) -> str:
        return f"assembly mode: {self.name}" + (f" ({self.remark})" if self.remark else "")

    @property
    def remark(self) -> str:
        """What has to be known of it."""
        dead = [f"dead centre of {', '.join(self.dead_centres)}"] if self.dead_centres else []
        return "; ".join([*(["in use"] if self.in_use else []), *dead])

    def facts(self) -> list[tuple[str, str]]:
        """The branch of every block."""
        return list({**self.branches, **self.found}.items())

    def columns(self) -> list[Column]:
        """One row: the branch of every block, and what has to be known."""
        blocks = (Column(block, [branch]) for block, branch in self.facts())
        return [Column("mode", [self.name]), *blocks, Column("remark", [self.remark])]

    @property
    def coordinates(self) -> dict[str, float]:
        """Coordinates of all joints by name (``O.angle``), rad and m; angles within half a turn."""
        return coordinates_at(self.topology, self.poses, self.p)

    @property
    def columns_of_joints(self) -> list[Column]:
        """The same in columns with their units, one number each."""
        geometry, space = self.topology.geometry, self.topology.conditions.space
        kinds = {
            f"{name}.{freedom.name}": freedom.kind
            for name, joint in geometry.joints.items()
            for freedom in joint.kind.freedoms(space)
        }
        units = {"length": "m", "angle": "rad"}
        return [Column(name, [value], units[kinds[name]]) for name, value in self.coordinates.items()]

    def columns_of(self, body: str) -> list[Column]:
        """Where the frame of a body stands, and how it is turned, in columns of one number each."""
        pose, axes = self.poses[body], "xyz"[: len(self.poses[body].origin)]
        turns = ("angle",) if len(axes) == 2 else ("roll", "pitch", "yaw")
        r = (
            pose.axes
            if len(axes) == 3
            else np.block([[pose.axes, np.zeros((2, 1))], [np.zeros((1, 2)), np.ones((1, 1))]])
        )
        angles = np.array(ca.DM(roll_pitch_yaw(ca.SX(r)))).ravel()[-len(turns) :]
        places = [Column(f"{body}.origin.{axis}", [float(x)], "m") for axis, x in zip(axes, pose.origin, strict=True)]
        return [*places, *(Column(f"{body}.{turn}", [float(x)], "rad") for turn, x in zip(turns, angles, strict=True))]

    def __getitem__(self, name: str) -> float:
        found = self.coordinates
        if name not in found:
            raise UnknownNameError(f"the mode has no coordinate '{name}'; {did_you_mean(name, list(found))}")
        return found[name]

    @property
    def model(self) -> Model:
        """The model that starts in this mode: the same sketch, with the poses of its bodies in ``start``."""
        return standing_model(self.topology, self.poses, self.p)
