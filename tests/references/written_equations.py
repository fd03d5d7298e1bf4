"""Published problems that are given as equations, written down for ``lw.integrate``.

SOURCE: Test Set for Initial Value Problem Solvers, release 2.4 (F. Mazzia, C. Magherini, University of Bari): "Car axis
problem" and "Slider crank" (B. Simeon, Math. Modelling of Systems 2, 1996, pp. 1-18). Data and references as in
the R package deTestSet, rforge/bvpsolve: pkg/deTestSet/R/ex_reference.R and pkg/deTestSet/src/Ex_crank.f.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

import linkwork as lw


@dataclass(frozen=True, eq=False)
class Problem:
    """Equations with a start, an end and what is known there: positions, velocities, multipliers λ of M v̇ = h + Cᵀ λ."""

    equations: lw.ConstrainedEquations
    q: np.ndarray
    v: np.ndarray
    until: float
    q_end: np.ndarray
    v_end: np.ndarray
    multipliers: np.ndarray

    def run(self, formulation: str, integrator: str, **options: float) -> lw.answers.EquationRun:
        return lw.integrate(
            self.equations,
            q=self.q,
            v=self.v,
            times=[0.0, self.until],
            formulation=formulation,
            integrator=integrator,
            **options,  # type: ignore[arg-type]
        )


def significant_digits(found: np.ndarray, reference: np.ndarray, amplitude: np.ndarray | float = 1.0) -> float:
    """mescd: least number of digits, relative to the amplitude of a component plus its value, whichever it is."""
    found, reference = found / amplitude, reference / amplitude
    return float(-np.log10(np.max(np.abs(found - reference) / (1.0 + np.abs(reference)))))


def car_axis() -> Problem:
    """An axle on springs of unit stiffness above a base that tilts; the masses of its ends are ε² M / 2."""
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", 4), ca.SX.sym("v", 4)
    mass, free, gravity = 10 * 0.01**2 / 2, 0.5, 1.0
    left, right = q[:2], q[2:]
    height = 0.1 * ca.sin(10 * t)
    base = ca.vertcat(ca.sqrt(1 - height**2), height)
    weight = ca.vertcat(0, -mass * gravity)

    def spring(arm: ca.SX) -> ca.SX:
        length = ca.norm_2(arm)
        return (free - length) / length * arm

    equations = lw.ConstrainedEquations(
        q=q,
        v=v,
        t=t,
        mass=[mass] * 4,
        forces=ca.vertcat(spring(left) + weight, spring(right - base) + weight),
        conditions=ca.vertcat(ca.dot(left, base), ca.sumsqr(left - right) - 1),
    )
    return Problem(
        equations,
        q=np.array([0.0, 0.5, 1.0, 0.5]),
        v=np.array([-0.5, 0.0, -0.5, 0.0]),
        until=3.0,
        q_end=np.array([0.0493455784275402809, 0.496989460230171154, 1.04174252488542152, 0.373911027265361257]),
        v_end=np.array([-0.0770583684040972358, 0.00744686658723778553, 0.0175568157537232222, 0.770341043779251976]),
        multipliers=np.array([-0.00473688659084893325, -0.00110468033125734369]),
    )


PI = 3.1415927  # as in the source: the reference belongs to it
CRANK, ROD, WIDTH, DENSITY, YOUNG = 0.15, 0.30, 0.008, 7870.0, 2e11
M2, M3, J1, J2, SPEED = 0.151104, 0.075552, 0.002727, 0.0045339259, 150.0


def slider_crank() -> Problem:
    """A crank at constant speed, a flexible rod (two sines across, a quadratic along it), a sliding block; no gravity.

    q = (angles of crank and rod, place of the block, amplitudes of the rod).
    """
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", 7), ca.SX.sym("v", 7)
    phi1, phi2, bend, rate = q[0], q[1], q[3:], v[3:]
    inertia, stiffness, swirl, (c1, c2, c12, c21) = _rod()
    c, s = ca.cos(phi1 - phi2), ca.sin(phi1 - phi2)
    along, across = DENSITY * ca.dot(c1, bend), DENSITY * ca.dot(c2, bend)
    carried = inertia @ bend
    mass = ca.SX(7, 7)
    mass[0, 0] = J1 + M2 * CRANK**2
    mass[0, 1] = CRANK * (0.5 * ROD * M2 * c + s * across + c * along)
    mass[1, 1] = J2 + ca.dot(bend, carried) + 2 * DENSITY * ca.dot(c12, bend)
    mass[2, 2] = M3
    mass[0, 3:] = (DENSITY * CRANK * (c * c2 - s * c1)).T
    mass[1, 3:] = (DENSITY * (c21 + swirl.T @ bend)).T
    mass[3:, 3:] = inertia
    for i in range(7):
        for j in range(i):
            mass[i, j] = mass[j, i]
    along_rate, across_rate = DENSITY * ca.dot(c1, rate), DENSITY * ca.dot(c2, rate)
    w1, w2 = v[0], v[1]
    forces = ca.vertcat(
        CRANK * w2**2 * (-0.5 * ROD * M2 * s - s * along + c * across)
        - 2 * CRANK * w2 * (c * along_rate + s * across_rate),
        CRANK * w1**2 * (0.5 * ROD * M2 * s + s * along - c * across)
        - 2 * w2 * (DENSITY * ca.dot(c12, rate) + ca.dot(rate, carried))
        - DENSITY * ca.dot(rate, swirl @ rate),
        0,
        w2**2 * (carried + DENSITY * c12)
        + DENSITY * (CRANK * w1**2 * (c * c1 + s * c2) + 2 * w2 * (swirl @ rate))
        - stiffness @ bend,
    )
    reach = ROD + bend[3]
    conditions = ca.vertcat(
        CRANK * ca.sin(phi1) + reach * ca.sin(phi2),
        q[2] - CRANK * ca.cos(phi1) - reach * ca.cos(phi2),
        phi1 - SPEED * t,
    )
    return Problem(
        lw.ConstrainedEquations(q=q, v=v, t=t, mass=mass, forces=forces, conditions=conditions, scale=SIZES),
        q=np.array([0, 0, 0.450016933, 0, 0, 1.03339863e-5, 1.69327969e-5]),
        v=np.array([150, -74.9957670, -2.68938672e-6, 0.444896105, 0.00463434311, -1.78591076e-6, -2.68938672e-6]),
        until=0.1,
        q_end=np.array(
            [15.0, -0.3311734988256260, 0.1697373328427860, 1.893192899613509e-4, 2.375751249879174e-5]
            + [-5.323896770569702e-6, -8.363313279112129e-6]
        ),
        v_end=np.array([150.0, 60.25346755138369, -8.753116326670527]),
        # the source has + Cᵀ λ on the other side
        multipliers=-np.array([-62.32935833287916, -163.7920993367306, 25.29857947066878]),
    )


SIZES = np.array([1.0, 1.0, 0.45, 1e-3, 1e-4, 1e-5, 1e-5])  # of the coordinates of the slider-crank


def _rod() -> tuple[ca.DM, ca.DM, ca.DM, tuple[ca.DM, ca.DM, ca.DM, ca.DM]]:
    """Inertia, stiffness, the matrix B of the coupling of both directions, and the vectors of the coupling to the angles."""
    volume = WIDTH**2 * ROD
    inertia = DENSITY * volume * ca.DM([[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]])
    lateral = PI**4 * (WIDTH / ROD) ** 2
    stiffness = (
        YOUNG
        * WIDTH**2
        / ROD
        * ca.DM([[lateral / 24, 0, 0, 0], [0, 2 * lateral / 3, 0, 0], [0, 0, 16 / 3, -8 / 3], [0, 0, -8 / 3, 7 / 3]])
    )
    first, second = 16 / PI**3, 8 / PI**3 - 1 / PI
    swirl = volume * ca.DM([[0, 0, -first, second], [0, 0, 0, 0.5 / PI], [first, 0, 0, 0], [-second, -0.5 / PI, 0, 0]])
    vectors = (
        volume * ca.DM([0, 0, 2 / 3, 1 / 6]),
        volume * ca.DM([2 / PI, 0, 0, 0]),
        ROD * volume * ca.DM([0, 0, 1 / 3, 1 / 6]),
        ROD * volume * ca.DM([1 / PI, -0.5 / PI, 0, 0]),
    )
    return inertia, stiffness, swirl, vectors
