"""Where solvers of problems of cones begin and end: from given units to scaled ones and back, all in one call.

Each takes the problem and a record with all that it works on, which keeps from one problem to the next what is worth
keeping. Records that were made for many contacts serve fewer: sizes are those that the problem has now. f of the
problem is where it starts. All return SOLVED, LIMIT or FAILED; f, u and the residual are those that were reached.
"""

from __future__ import annotations

from linkwork.numerics.kernels.complementarity.accelerated_gradient import GradientDescent, solve_by_gradients
from linkwork.numerics.kernels.complementarity.alternating_directions import Splitting, solve_by_splitting
from linkwork.numerics.kernels.complementarity.cones import ConeProblem, finish, prepare
from linkwork.numerics.kernels.complementarity.corrections import Corrections, solve_corrected
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps, solve_by_sweeps
from linkwork.numerics.kernels.complementarity.interior_point import Interior, solve_by_interior_point
from linkwork.numerics.kernels.complementarity.polyhedral import Pyramids, solve_by_pyramids
from linkwork.numerics.kernels.complementarity.regularised import Compliance, solve_compliant
from linkwork.numerics.kernels.complementarity.semismooth import Slopes, solve_by_newton
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, MachineFunction, Record


class ConeFunction(MachineFunction):
    """A solver as records hold it."""

    def __call__(self, problem: ConeProblem, memory: Record) -> Code:
        raise NotImplementedError


class CorrectedGradients(Record):
    """Accelerated gradients and corrections of b."""

    descent: GradientDescent
    corrections: Corrections


class CorrectedCompliance(Record):
    """Newton's method with compliance and corrections of b."""

    compliance: Compliance
    corrections: Corrections


@kernel
def run_sweeps(problem: ConeProblem, memory: Sweeps) -> Code:
    prepare(problem)
    code = solve_by_sweeps(problem, memory)
    finish(problem)
    return code


@kernel
def run_gradients(problem: ConeProblem, memory: CorrectedGradients) -> Code:
    prepare(problem)
    code = solve_corrected(solve_by_gradients, problem, memory.descent, memory.corrections)
    finish(problem)
    return code


@kernel
def run_splitting(problem: ConeProblem, memory: Splitting) -> Code:
    prepare(problem)
    code = solve_by_splitting(problem, memory)
    finish(problem)
    return code


@kernel
def run_interior_point(problem: ConeProblem, memory: Interior) -> Code:
    prepare(problem)
    code = solve_by_interior_point(problem, memory)
    finish(problem)
    return code


@kernel
def run_newton(problem: ConeProblem, memory: Slopes) -> Code:
    prepare(problem)
    code = solve_by_newton(problem, memory)
    finish(problem)
    return code


@kernel
def run_compliant(problem: ConeProblem, memory: CorrectedCompliance) -> Code:
    prepare(problem)
    code = solve_corrected(solve_compliant, problem, memory.compliance, memory.corrections)
    finish(problem)
    return code


@kernel
def run_pyramids(problem: ConeProblem, memory: Pyramids) -> Code:
    prepare(problem)
    code = solve_by_pyramids(problem, memory)
    finish(problem)
    return code
