"""Inertia in natural coordinates.

A body moves with w = (r_o, x₁, x₂, x₃), its point and the columns of its basis: r = r_o + X y. Its mass matrix for ẇ is
constant (García de Jalón and Bayo, eq. 4.61),

    M_w = [[m 1, m y_Gᵀ ⊗ 1], [m y_G ⊗ 1, Z ⊗ 1]],   Z = X̄⁻¹ J_o X̄⁻ᵀ,   J_o = ∫ρ (r̄ − r̄_o)(r̄ − r̄_o)ᵀ,

in the plane that of eq. 4.48 for (r_o, x₁), of a slender bar that of eq. 4.86. With ẇ = V(q) v and virtual power,

    M = Σ Vᵀ M_w V,   h = Σ Vᵀ (M_w's weight − M_w V̇ v)          (eqs. 4.72 to 4.78).

V is constant unless a column is the vector product of two others.
"""

from __future__ import annotations

from collections.abc import Iterable

import casadi as ca

from linkwork.coordinates.natural.basis import BodyBasis
from linkwork.elements.inertia import Distribution
from linkwork.position.geometry import Geometry


def mass_and_bias(geometry: Geometry, bodies: Iterable[BodyBasis], q: ca.SX, v: ca.SX) -> tuple[ca.SX, ca.SX]:
    """M (nv × nv) and the weights with the quadratic velocity forces (nv)."""
    mass, bias = ca.SX(v.numel(), v.numel()), ca.SX(v.numel(), 1)
    if not v.numel():
        return mass, bias
    for body in bodies:
        rates, inertia, weight = _terms(geometry, body)
        transfer = ca.jacobian(rates, v)
        mass += transfer.T @ inertia @ transfer
        carried = ca.jtimes(rates, q, v)
        bias += transfer.T @ (weight - inertia @ carried)
    return mass, bias


def _terms(geometry: Geometry, body: BodyBasis) -> tuple[ca.SX, ca.SX, ca.SX]:
    """ẇ, M_w and the weight as forces on w."""
    space, g = geometry.space, geometry.gravity
    matter = geometry.rigid(body.body.name, "natural coordinates")
    centre = body.arm(matter.centre)
    if space.planar:
        rates = ca.vertcat(body.start.rate, body.basis.rates[:, 0])
        across = _planar(centre)
        weight = matter.mass * ca.vertcat(g, across.T @ g)
        return rates, _planar_inertia(matter, body, across), weight
    k = 1 if body.basis.slender else 3
    rates = ca.vertcat(body.start.rate, ca.vec(body.basis.rates[:, :k]))
    first = matter.mass * centre[:k]
    blocks = ca.vertcat(ca.horzcat(matter.mass, first.T), ca.horzcat(first, _second_moments(matter, body)[:k, :k]))
    inertia = ca.kron(ca.sparsify(blocks), ca.SX.eye(3))
    return rates, inertia, ca.vertcat(matter.mass * g, ca.kron(first, g))


def _planar(y: ca.SX) -> ca.SX:
    """X y as a matrix times x₁: the columns of X are x₁ and its normal."""
    return ca.vertcat(ca.horzcat(y[0], -y[1]), ca.horzcat(y[1], y[0]))


def _planar_inertia(matter: Distribution, body: BodyBasis, across: ca.SX) -> ca.SX:
    """Of (r_o, x₁): m, m y_G and the polar moment about o over the squared length."""
    mass = matter.mass
    arm = matter.centre - body.start.places[body.body.name]
    length2 = ca.dot(body.basis.vectors[0].local, body.basis.vectors[0].local)
    polar = (matter.inertia + mass * ca.dot(arm, arm)) / length2
    one = ca.SX.eye(2)
    return ca.sparsify(ca.vertcat(ca.horzcat(mass * one, mass * across), ca.horzcat(mass * across.T, polar * one)))


def _second_moments(matter: Distribution, body: BodyBasis) -> ca.SX:
    """Z; ∫ρ r rᵀ = ½ tr(I) 1 − I about the centre of mass."""
    inertia, arm = matter.inertia, body.arm(matter.centre)
    second = ca.trace(inertia) / 2 * ca.SX.eye(3) - inertia
    spread = body.components(ca.SX.eye(3))
    return body.geometry.product(spread, second, spread.T) + matter.mass * arm @ arm.T
