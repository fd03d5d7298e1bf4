"""Answers to problems of contacts: by a solver of one's own, or the one that suits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.choice import choose, solver_named
from linkwork.numerics.complementarity.contact_problem import LAWS, ContactProblem, Misfit
from linkwork.numerics.complementarity.solver import ContactSolver
from linkwork.numerics.kernels.complementarity.cones import FAILED, LIMIT, SOLVED, ConeProblem
from linkwork.numerics.kernels.language.records import Record
from linkwork.numerics.loader import compiled

TOLERANCE = 1e-8  # residual, of the largest |b|
WORDS = {SOLVED: "solved", LIMIT: "not solved: the iterations have come to their end", FAILED: "not solved: no factor"}


@dataclass(frozen=True, eq=False)
class ConeSolution:
    """Forces f (m), speeds u (m), what is wrong with them, and how they were found.

    status: in words; misfit: found from f, A and b alone
    """

    f: Array
    u: Array
    law: str
    solver: str
    iterations: int
    status: str
    misfit: Misfit

    @property
    def solved(self) -> bool:
        """Whether the residual is as small as was asked for."""
        return self.status == WORDS[SOLVED]

    def __str__(self) -> str:
        return (
            f"{self.status} by {self.solver} after {self.iterations} iterations: residual {self.misfit.residual:.2g} "
            f"(units of u), gap {self.misfit.gap:.2g} (units of f u)"
        )


@dataclass(eq=False)
class ReadySolver:
    """A solver with its memory: problems of one structure follow each other, each from the answer of the last one."""

    problem: ContactProblem
    solver: ContactSolver
    law: str
    record: ConeProblem
    memory: Record

    def run(self) -> int:
        """The compiled call alone, with what the record holds; what became of it."""
        return int(compiled(self.solver.entry)(self.record, self.memory))

    def solve(
        self, b: Array, tolerance: float, start: Array | None = None, *, matrix: Array | None = None
    ) -> ConeSolution:
        """The answer to b; tolerance: residual in units of u; matrix: the numbers of A, if they have changed."""
        if matrix is not None:
            self.problem = replace(self.problem, matrix=matrix)
            self.record.matrix = matrix
        self.record.right[:] = b
        if start is not None:
            self.record.f[:] = start
        self.record.tolerance, self.record.limit = tolerance, self.solver.limit
        word, f = WORDS[self.run()], self.record.f.copy()
        problem = replace(self.problem, b=b)
        # what does not depend on b is known
        known = {
            name: getattr(self.problem, name) for name in ("first", "contact_of", "tails", "own", "entries", "weights")
        }
        problem.__dict__.update(known)
        misfit = problem.misfit(f, self.law)
        return ConeSolution(f, problem.speeds(f), self.law, self.solver.name, self.record.iterations, word, misfit)


def ready(problem: ContactProblem, solver: ContactSolver, law: str = "coulomb") -> ReadySolver:
    """A solver for problems of this structure."""
    if law in LAWS and law not in solver.laws:
        raise RefusedError(f"law = '{law}': {solver} takes {', '.join(solver.laws)} alone")
    record = problem.record(law)
    record.right = problem.b.copy()
    return ReadySolver(problem, solver, law, record, solver.memory(problem))


def solve_contacts(
    problem: ContactProblem,
    solver: ContactSolver | str | None = None,
    *,
    law: str = "coulomb",
    tolerance: float | None = None,
    start: Array | None = None,
) -> ConeSolution:
    """f and u of a problem. tolerance: residual in units of u; by default 1e-8 of the largest |b|.

    solver: by default those that ``choose`` takes, one after the other until one ends
    """
    if start is not None and np.shape(start) != problem.b.shape:
        raise RefusedError(f"start has {np.size(start)} forces; there are {problem.b.size} rows")
    wanted = TOLERANCE * problem.size if tolerance is None else tolerance
    if not wanted >= 0.0:
        raise RefusedError(f"tolerance = {wanted:g}; a residual is not negative")
    if solver is not None:
        taken: tuple[ContactSolver, ...] = (solver_named(solver) if isinstance(solver, str) else solver,)
    else:
        taken = choose(problem, wanted / (problem.size or 1.0), started=start is not None).solvers
    answers: list[ConeSolution] = []
    for one in taken:
        # from the same start: what sweeps leave over is what projections are slow with
        answers.append(ready(problem, one, law).solve(problem.b, wanted, start))
        if answers[-1].solved:
            return answers[-1]
    return min(answers, key=lambda answer: answer.misfit.residual)
