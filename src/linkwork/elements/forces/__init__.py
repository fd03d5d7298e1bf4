"""Forces, one file per kind: from positions and velocities to loads, efforts and energies."""

from linkwork.elements.forces.base import Action, Effort, JointCoordinate, Load, OwnState, Reading, Solid, Station

__all__ = ["Action", "Effort", "JointCoordinate", "Load", "OwnState", "Reading", "Solid", "Station"]
