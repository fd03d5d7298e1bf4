"""Mass matrix and bias against rigid-body formulas, finite differences and Lagrange's equations, on random trees."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import Array, Numbers, examples, numbers, random_kinds, random_state, random_tree, seeds

import linkwork as lw

few = examples(4)
spaces = pytest.mark.parametrize("space", ["planar", "spatial"])
STEP = 1e-5


def tree(seed: int, space: str, floating: bool | None = None) -> tuple[np.random.Generator, Numbers]:
    rng = np.random.default_rng(seed)
    float_ = bool(rng.random() < 0.4) if floating is None else floating
    data = random_tree(rng, space, random_kinds(rng, space, 4), float_)
    return rng, numbers(lw.Model(**data))


def shifted(n: Numbers, y: Array, h: float) -> Array:
    """The state after a short time h with v̇ = 0; quaternions leave their sphere by h² only."""
    q, v, s = n.split(y)
    return np.concatenate([q + h * n.value(n.coordinates.kinematics.rates, 0, y).ravel(), v, s])


def centre_velocities(n: Numbers, y: Array) -> dict[str, tuple[Array, Array]]:
    """Velocity of the centre of mass and angular velocity of every body, from differences of the poses alone."""
    found = {}
    ahead, behind = n.poses(shifted(n, y, STEP)), n.poses(shifted(n, y, -STEP))
    here = n.poses(y)
    for name, body in n.coordinates.geometry.bodies.items():
        com = np.array(n.coordinates.geometry.number(body.centre))
        speed = (ahead[name].point(com) - behind[name].point(com)) / (2 * STEP)
        spin = (ahead[name].axes - behind[name].axes) / (2 * STEP) @ here[name].axes.T
        omega = [spin[1, 0]] if n.coordinates.space.planar else [spin[2, 1], spin[0, 2], spin[1, 0]]
        found[name] = speed, np.array(omega)
    return found


def world_inertia(n: Numbers, name: str, y: Array) -> Array:
    inertia = np.atleast_2d(n.coordinates.geometry.number(n.coordinates.geometry.bodies[name].kind.drawn.inertia))
    axes = n.poses(y)[name].axes
    return inertia if n.coordinates.space.planar else axes @ inertia @ axes.T


@spaces
@few
@given(seed=seeds)
def test_twists_are_the_rates_of_the_frames(space: str, seed: int) -> None:
    rng, n = tree(seed, space)
    y = random_state(rng, n)
    d = n.coordinates.space.dimension
    for name, (speed, omega) in centre_velocities(n, y).items():
        twist, pose = n.twists(y)[name], n.poses(y)[name]
        com = pose.axes @ np.array(n.coordinates.geometry.number(n.coordinates.geometry.bodies[name].kind.drawn.centre))
        swept = twist[2] * np.array([-com[1], com[0]]) if d == 2 else np.cross(twist[3:], com)
        np.testing.assert_allclose(twist[:d] + swept, speed, atol=1e-7)
        np.testing.assert_allclose(twist[d:], omega, atol=1e-7)


@spaces
@few
@given(seed=seeds)
def test_kinetic_energy_is_that_of_the_bodies(space: str, seed: int) -> None:
    rng, n = tree(seed, space)
    y = random_state(rng, n)
    c = n.coordinates
    mass = n.value(c.mass, 0, y)
    v = n.split(y)[1]
    expected = 0.0
    for name, (speed, omega) in centre_velocities(n, y).items():
        m = float(c.geometry.number(c.geometry.bodies[name].kind.drawn.mass))
        expected += m * speed @ speed / 2 + omega @ world_inertia(n, name, y) @ omega / 2
    assert v @ mass @ v / 2 == pytest.approx(expected, rel=1e-7, abs=1e-9)
    np.testing.assert_allclose(mass, mass.T, atol=1e-12)
    if len(v):
        assert np.linalg.eigvalsh(mass)[0] > 0


@spaces
@few
@given(seed=seeds)
def test_bias_is_that_of_d_alembert(space: str, seed: int) -> None:
    """h = −Σ Jᵀ (m (a⁰ − g)) − Σ Jωᵀ (I α⁰ + ω × I ω), with the accelerations a⁰, α⁰ at v̇ = 0 by differences."""
    rng, n = tree(seed, space)
    y = random_state(rng, n)
    c, d = n.coordinates, n.coordinates.space.dimension
    gravity = np.array(c.geometry.number(c.geometry.gravity))
    expected = np.zeros(c.v.numel())
    for name, body in c.geometry.bodies.items():
        station = c.motion.station(name, body.centre)
        velocity = ca.vertcat(station.velocity, c.kinematics.twists[name].omega)
        rate = (n.value(velocity, 0, shifted(n, y, STEP)) - n.value(velocity, 0, shifted(n, y, -STEP))) / (2 * STEP)
        inertia, omega = world_inertia(n, name, y), n.twists(y)[name][d:]
        moment = inertia @ rate.ravel()[d:]
        if d == 3:
            moment = moment + np.cross(omega, inertia @ omega)
        m = float(c.geometry.number(body.kind.mass))
        wrench = np.concatenate([m * (rate.ravel()[:d] - gravity), moment])
        expected -= n.value(ca.jacobian(velocity, c.v), 0, y).T @ wrench
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    np.testing.assert_allclose(n.value(c.forces, 0, y).ravel(), expected, atol=1e-6 * scale)


@spaces
@few
@given(seed=seeds)
def test_mass_and_bias_satisfy_lagranges_equations(space: str, seed: int) -> None:
    """h = −(Ṁ v − ∂T/∂q) − ∂V/∂q, where the rates of the coordinates are the velocities."""
    rng = np.random.default_rng(seed)
    kinds = {
        "planar": ["revolute", "prismatic"],
        "spatial": ["revolute", "prismatic", "universal", "cylindrical", "helical", "planar"],
    }[space]
    n = numbers(lw.Model(**random_tree(rng, space, [str(k) for k in rng.choice(kinds, size=4)])))
    c = n.coordinates
    assert c.kinematics.retract is None
    y = random_state(rng, n)
    energy = ca.dot(c.v, c.mass @ c.v) / 2
    momentum_rate = ca.jtimes(c.mass @ c.v, c.q, c.v)
    expected = -momentum_rate + ca.gradient(energy, c.q) - ca.gradient(c.loading.potential, c.q)
    np.testing.assert_allclose(
        n.value(c.forces - expected, 0, y), 0.0, atol=1e-10 * max(1, np.abs(n.value(c.forces, 0, y)).max())
    )


@spaces
@few
@given(seed=seeds)
def test_bias_conserves_energy(space: str, seed: int) -> None:
    """v·h + ½ v·Ṁ v + V̇ = 0: gravity and the quadratic velocity forces create no energy."""
    rng, n = tree(seed, space)
    c = n.coordinates
    y = random_state(rng, n)
    drift = c.motion.drift(ca.dot(c.v, c.mass @ c.v) / 2 + c.loading.potential)
    parts = n.value(ca.vertcat(ca.dot(c.v, c.forces), drift), 0, y).ravel()
    assert abs(parts.sum()) < 1e-10 * max(1.0, float(np.abs(parts).max()))


@spaces
@few
@given(seed=seeds)
def test_natural_coordinates_move_and_weigh_like_relative_ones(space: str, seed: int) -> None:
    rng, relative = tree(seed, space)
    c = relative.coordinates
    natural = numbers(c.topology.model, "natural")
    y = random_state(rng, relative)
    poses, twists = relative.poses(y), relative.twists(y)
    p = np.zeros(0)
    q, v = natural.coordinates.kind.place(c.geometry, c.topology.tree, poses, twists, p)
    z = np.concatenate([q, v, np.zeros(natural.coordinates.s.numel())])
    for name in c.geometry.bodies:
        np.testing.assert_allclose(natural.poses(z)[name].axes, poses[name].axes, atol=1e-11)
        np.testing.assert_allclose(natural.poses(z)[name].origin, poses[name].origin, atol=1e-11)
        np.testing.assert_allclose(natural.twists(z)[name], twists[name], atol=1e-11)
    # positions satisfy all conditions, velocities their rates
    nc = natural.coordinates
    np.testing.assert_allclose(natural.value(nc.phi, 0, z), 0.0, atol=1e-11)
    np.testing.assert_allclose(natural.value(nc.jacobian @ nc.v, 0, z), 0.0, atol=1e-10)
    energies = [
        n.value(ca.dot(n.coordinates.v, n.coordinates.mass @ n.coordinates.v) / 2, 0, state).item()
        for n, state in ((relative, y), (natural, z))
    ]
    assert energies[0] == pytest.approx(energies[1], rel=1e-11, abs=1e-12)
    potential_rate = relative.value(c.motion.drift(c.loading.potential), 0, y).item()
    # weights and quadratic velocity forces create no energy; in the plane there are no such forces, and M is constant
    assert not (ca.depends_on(nc.mass, nc.q) and c.space.planar)
    drift = natural.value(nc.motion.drift(ca.dot(nc.v, nc.mass @ nc.v) / 2), 0, z).item()
    power = natural.value(ca.dot(nc.v, nc.forces), 0, z).item()
    assert power + drift == pytest.approx(-potential_rate, rel=1e-10, abs=1e-10 * max(1.0, abs(drift)))


@spaces
@few
@given(seed=seeds)
def test_place_inverts_the_frames(space: str, seed: int) -> None:
    rng, n = tree(seed, space)
    c = n.coordinates
    y = random_state(rng, n)
    poses, twists = n.poses(y), n.twists(y)
    q, v = c.kind.place(c.geometry, c.topology.tree, poses, twists, np.zeros(0))
    back = np.concatenate([q, v, np.zeros(c.s.numel())])
    for name, pose in n.poses(back).items():
        np.testing.assert_allclose(pose.axes, poses[name].axes, atol=1e-12)
        np.testing.assert_allclose(pose.origin, poses[name].origin, atol=1e-12)
        np.testing.assert_allclose(n.twists(back)[name], twists[name], atol=1e-11)
