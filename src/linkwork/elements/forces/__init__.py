"""Forces, one file per kind: from positions and velocities to loads, efforts and energies."""

from linkwork.elements.forces.base import Action, JointCoordinate, JointEffort, Load, OwnState, Reading, Solid, Station

__all__ = ["Action", "JointCoordinate", "JointEffort", "Load", "OwnState", "Reading", "Solid", "Station"]
