"""Forces, one file per kind: from positions and velocities to loads, efforts and energies."""
