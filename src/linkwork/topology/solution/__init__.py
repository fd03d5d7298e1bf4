"""From a plan to positions: the frames of all bodies as expressions of the inputs, block by block."""

from linkwork.topology.solution.solve import PartialSolution, Solved, solve_plan

__all__ = ["PartialSolution", "Solved", "solve_plan"]
