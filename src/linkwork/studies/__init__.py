"""``lw.studies``: the verbs of one mechanism, asked of many variants of it at once, on all cores."""

from linkwork.results.study_reading import load_study
from linkwork.studies.other_verbs import find_equilibrium_many, inverse_dynamics_many, solve_kinematics_many
from linkwork.studies.variants import grid

__all__ = ["find_equilibrium_many", "grid", "inverse_dynamics_many", "load_study", "solve_kinematics_many"]
