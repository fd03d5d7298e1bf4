"""Parametrisations of orientations, one file each. Adding one is a new file and a line in ``ALL_ORIENTATIONS``."""

from linkwork.algebra.orientations.axis_angle import AxisAngleOrientation
from linkwork.algebra.orientations.base import Orientation
from linkwork.algebra.orientations.euler_angles import EulerAngles
from linkwork.algebra.orientations.euler_parameters import EulerParameters
from linkwork.algebra.orientations.exponential import Exponential, RotationVector
from linkwork.algebra.orientations.rotation_matrix import RotationMatrixOrientation
from linkwork.algebra.orientations.tait_bryan import TaitBryan
from linkwork.errors import RefusedError, did_you_mean

EULER_PARAMETERS = EulerParameters()
ALL_ORIENTATIONS: tuple[Orientation, ...] = (
    EULER_PARAMETERS,
    EulerAngles(),
    TaitBryan(),
    AxisAngleOrientation(),
    RotationMatrixOrientation(),
    RotationVector(),
    Exponential(),
)


def orientation_named(name: str) -> Orientation:
    """Return the parametrisation called *name*."""
    names = {known.name: known for known in ALL_ORIENTATIONS}
    if name not in names:
        listed = ", ".join(names)
        raise RefusedError(f"unknown orientation '{name}'; {did_you_mean(name, list(names))} There are: {listed}")
    return names[name]


__all__ = ["ALL_ORIENTATIONS", "EULER_PARAMETERS", "Orientation", "orientation_named"]
