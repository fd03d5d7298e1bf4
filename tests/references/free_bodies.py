"""Motion and reactions of rigid bodies by Newton and Euler with multipliers, in NumPy and SciPy alone.

A reference for every formulation: all bodies are free, with position and quaternion of their own, and their joints push

    [ M  −Jᵀ ] [ a ]   [ F ]
    [ J   0  ] [ λ ] = [ γ ],      J a − γ = 0: the conditions, differentiated twice

which is integrated by DOP853 to 1e-12. Nothing is shared with the program but the dimensions of the parts and the start.
SOURCE: P. E. Nikravesh, Computer-Aided Analysis of Mechanical Systems, chapters 7 and 8; the rows are derived here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import linkwork as lw

Array = NDArray[np.float64]
UP = np.array([0.0, 0.0, 1.0])


def cross(a: Array, b: Array) -> Array:
    """The vector product; NumPy's own takes ten times as long for a single pair."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


@dataclass
class Body:
    """Where a body is: centre, axes, velocity of the centre, angular velocity; all in the world."""

    mass: float
    inertia: Array  # about the centre, body axes
    centre: Array
    axes: Array
    velocity: Array
    omega: Array


@dataclass(frozen=True)
class Row:
    """One condition on accelerations: Σ linear·a + angular·α over its bodies = γ, and the element that it belongs to."""

    element: str
    parts: tuple[tuple[str, Array, Array], ...]
    gamma: float


Loads = Callable[[float, Mapping[str, Body]], Mapping[str, tuple[Array, Array]]]


def no_loads(t: float, bodies: Mapping[str, Body]) -> Mapping[str, tuple[Array, Array]]:
    """Nothing but gravity."""
    return {}


@dataclass(frozen=True)
class Motion:
    """What a reference tells of a run: quantities by their names (N,), and which reactions are mostly not unique."""

    values: Mapping[str, Array]
    axes: Mapping[str, Array]  # of the bodies (N, 3, 3)
    reactions: Mapping[str, Array]
    not_unique: frozenset[str]


@dataclass
class FreeBodies:
    """The bodies of a model, its joints as conditions, and *loads* (force and moment about the centre) beside gravity."""

    model: lw.Model
    loads: Loads = no_loads
    state: Array = field(init=False)

    def __post_init__(self) -> None:
        self.topology = lw.analyse(self.model)
        self.geometry = self.topology.geometry
        self.planar = self.geometry.space.planar
        self.gravity = _space(self.number(self.geometry.gravity))
        self.names = list(self.geometry.bodies)
        self.ground = Body(1.0, np.eye(3), np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
        self.parts = {name: self._part(name) for name in self.names}
        self.sides = {name: self._sides(joint) for name, joint in self.geometry.joints.items()}
        self.state = np.concatenate([self._start(name) for name in self.names])

    def number(self, expression: Any) -> Array:
        return np.asarray(self.geometry.number(expression), dtype=float)

    def _part(self, name: str) -> tuple[float, Array, Array]:
        """Mass, inertia and centre in body axes."""
        body = self.geometry.bodies[name]
        inertia = np.atleast_2d(self.number(body.kind.matter.inertia))
        if self.planar:
            inertia = np.diag([1.0, 1.0, inertia.item()])
        return self.number(body.kind.mass).item(), inertia, _space(self.number(body.centre).ravel())

    def _sides(self, joint: Any) -> list[tuple[str, Array, Array]]:
        """For parent and child: name, arm from the centre and axes of the joint, in body axes."""
        found = []
        for side, local in ((joint.parent, joint.a), (joint.child, joint.b)):
            centre = self.parts[side][2] if side != "ground" else np.zeros(3)
            arm = _space(self.number(local.origin)) - centre
            found.append((side, arm, _axes(self.number(local.axes))))
        return found

    def _start(self, name: str) -> Array:
        pose, twist = self.topology.assembly.poses[name], self.topology.assembly.twists[name]
        axes, origin = _axes(pose.axes), _space(pose.origin)
        velocity, omega = (_space(twist[:2]), np.array([0, 0, twist[2]])) if self.planar else (twist[:3], twist[3:])
        arm = axes @ self.parts[name][2]
        return np.concatenate([origin + arm, _quaternion(axes), velocity + cross(omega, arm), omega])

    def _bodies(self, y: Array) -> dict[str, Body]:
        found = {"ground": self.ground}
        for i, name in enumerate(self.names):
            r, e, v, w = np.split(y[13 * i : 13 * i + 13], [3, 7, 10])
            mass, inertia, _ = self.parts[name]
            found[name] = Body(mass, inertia, r, _rotation(e), v, w)
        return found

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _rows(self, bodies: Mapping[str, Body]) -> Iterator[Row]:
        for name, joint in self.geometry.joints.items():
            a, b = (
                (side, bodies[side], bodies[side].axes @ arm, bodies[side].axes @ axes)
                for side, arm, axes in self.sides[name]
            )
            yield from JOINTS[joint.kind.name, self.planar](name, a, b)
        for name, relation in self.model.relations.items():
            yield from RELATIONS[relation.kind](self, name, relation, bodies)
        if self.planar:
            for name in self.names:
                yield Row("", ((name, UP, np.zeros(3)),), 0.0)
                yield from (Row("", ((name, np.zeros(3), axis),), 0.0) for axis in np.eye(3)[:2])

    def point(self, path: str, bodies: Mapping[str, Body]) -> tuple[str, Array]:
        """The body of a point such as 'upright.arm', and its arm from the centre."""
        side, name = path.split(".")
        if side == "ground":
            return side, _space(self.number(self.geometry.ground_points[name]).ravel())
        local = _space(self.number(self.geometry.bodies[side].points[name]).ravel())
        return side, bodies[side].axes @ (local - self.parts[side][2])

    # -- equations -----------------------------------------------------------------------------------------------------

    def _system(self, t: float, y: Array) -> tuple[Array, Array, list[Row], int]:
        bodies = self._bodies(y)
        rows, n = list(self._rows(bodies)), 6 * len(self.names)
        place = {name: 6 * i for i, name in enumerate(self.names)}
        matrix, right = np.zeros((n + len(rows), n + len(rows))), np.zeros(n + len(rows))
        loads = self.loads(t, bodies)
        for name, k in place.items():
            body = bodies[name]
            inertia = body.axes @ body.inertia @ body.axes.T
            force, moment = loads.get(name, (np.zeros(3), np.zeros(3)))
            matrix[k : k + 3, k : k + 3], matrix[k + 3 : k + 6, k + 3 : k + 6] = body.mass * np.eye(3), inertia
            right[k : k + 3] = body.mass * self.gravity + force
            right[k + 3 : k + 6] = moment - cross(body.omega, inertia @ body.omega)
        for i, row in enumerate(rows):
            for side, linear, angular in row.parts:
                if side != "ground":
                    matrix[n + i, place[side] : place[side] + 6] += np.concatenate([linear, angular])
            right[n + i] = row.gamma
        matrix[:n, n:] = -matrix[n:, :n].T
        return matrix, right, rows, n

    def _rates(self, t: float, y: Array) -> Array:
        matrix, right, _, n = self._system(t, y)
        solution = _solve(matrix, right, self.redundant)[:n]
        rates = np.empty_like(y)
        for i in range(len(self.names)):
            e, v, w = np.split(y[13 * i + 3 : 13 * i + 13], [4, 7])
            rates[13 * i : 13 * i + 3] = v
            rates[13 * i + 3 : 13 * i + 7] = 0.5 * np.concatenate([[-w @ e[1:]], e[0] * w + cross(w, e[1:])])
            rates[13 * i + 7 : 13 * i + 13] = solution[6 * i : 6 * i + 6]
        return rates

    @property
    def redundant(self) -> bool:
        return bool(self.topology.redundant)

    def run(self, times: Sequence[float]) -> Motion:
        """The motion from the assembled start at *times*."""
        options: dict[str, Any] = {"method": "DOP853", "t_eval": times, "rtol": 1e-12, "atol": 1e-13}
        found = solve_ivp(self._rates, (0.0, times[-1]), self.state, **options)
        assert found.success, found.message
        values: dict[str, list[float]] = {}
        axes: dict[str, list[Array]] = {name: [] for name in self.names}
        reactions: dict[str, list[float]] = {}
        loose: list[str] = []
        for t, y in zip(found.t, found.y.T, strict=True):
            bodies = self._bodies(y)
            for name in self.names:
                axes[name].append(bodies[name].axes)
                for label, value in _measured(name, bodies[name], self.planar):
                    values.setdefault(label, []).append(value)
            pushes, open_ = self._reactions(t, y, bodies)
            loose += open_
            for label, value in pushes.items():
                reactions.setdefault(label, []).append(value)
        return Motion(
            {label: np.array(item) for label, item in values.items()},
            {name: np.array(item) for name, item in axes.items()},
            {label: np.array(item) for label, item in reactions.items()},
            frozenset(name for name in loose if 2 * loose.count(name) > len(found.t)),
        )

    def _reactions(self, t: float, y: Array, bodies: Mapping[str, Body]) -> tuple[dict[str, float], set[str]]:
        """World components on the child at the joint, with the names of those that other multipliers would change."""
        matrix, right, rows, n = self._system(t, y)
        multipliers = _solve(matrix, right, True)[n:]
        sizes, vt = np.linalg.svd(matrix[:n, n:])[1:]
        free = vt[int(np.sum(sizes > 1e-9 * sizes[0])) :]
        found: dict[str, float] = {}
        loose: set[str] = set()
        for element in dict.fromkeys(row.element for row in rows if row.element):
            mine = [i for i, row in enumerate(rows) if row.element == element]
            side, arm = self._carried(element, bodies)
            wrenches = np.zeros((6, len(rows)))
            for i in mine:
                linear, angular = next((a, b) for name, a, b in rows[i].parts if name == side)
                wrenches[:, i] = np.concatenate([linear, angular - cross(arm, linear)])
            labels = ("fx", "fy", "fz", "mx", "my", "mz") if element in self.geometry.joints else ("fx", "fy", "fz")
            for k, label in enumerate(labels):
                found[f"{element}.{label}"] = float(wrenches[k] @ multipliers)
                if np.abs(free @ wrenches[k]).max(initial=0.0) > 1e-7:
                    loose.add(f"{element}.{label}")
        return found, loose

    def _carried(self, element: str, bodies: Mapping[str, Body]) -> tuple[str, Array]:
        """The body whose reaction is told, and where."""
        if element in self.geometry.joints:
            child, arm, _ = self.sides[element][1]
            return child, bodies[child].axes @ arm
        relation = self.model.relations[element]
        path = relation.between[1] if relation.kind == "distance" else relation.centre
        return self.point(path, bodies)[0], np.zeros(3)


def _measured(name: str, body: Body, planar: bool) -> Iterator[tuple[str, float]]:
    """The state of a body under the names that results have."""
    for i, axis in enumerate("xy" if planar else "xyz"):
        yield f"{name}.{axis}", body.centre[i]
        yield f"{name}.v{axis}", body.velocity[i]
        if not planar:
            yield f"{name}.w{axis}", body.omega[i]
    if planar:
        yield f"{name}.speed", body.omega[2]


def _solve(matrix: Array, right: Array, redundant: bool) -> Array:
    if redundant:
        return np.linalg.lstsq(matrix, right, rcond=1e-11)[0]
    return np.linalg.solve(matrix, right)


# -- rows of joints: each side is (name, body, arm of the joint, axes of the joint) ------------------------------------

Side = tuple[str, Body, Array, Array]


def _coincident(name: str, a: Side, b: Side, directions: Array) -> Iterator[Row]:
    """(P_b − P_a)·e = 0 with e fixed in the world."""
    bend = _bend(a) - _bend(b)
    for e in directions:
        yield Row(name, ((a[0], -e, -cross(a[2], e)), (b[0], e, cross(b[2], e))), float(e @ bend))


def _bend(side: Side) -> Array:
    """ω × (ω × arm)."""
    omega = side[1].omega
    return cross(omega, cross(omega, side[2]))


def _perpendicular(name: str, a: Side, b: Side, u: Array, w: Array) -> Row:
    """u·w = 0 with u fixed in a and w in b: (ω_a − ω_b)·(u × w) is its rate."""
    wa, wb = a[1].omega, b[1].omega
    turn = cross(u, w)
    change = cross(cross(wa, u), w) + cross(u, cross(wb, w))
    return Row(name, ((a[0], np.zeros(3), turn), (b[0], np.zeros(3), -turn)), -float((wa - wb) @ change))


def _along(name: str, a: Side, b: Side, u: Array) -> Row:
    """u·(P_b − P_a) = 0 with u fixed in a."""
    wa = a[1].omega
    gap = b[1].centre + b[2] - a[1].centre - a[2]
    rate = b[1].velocity + cross(b[1].omega, b[2]) - a[1].velocity - cross(wa, a[2])
    gamma = u @ (_bend(a) - _bend(b)) - cross(wa, cross(wa, u)) @ gap - 2 * cross(wa, u) @ rate
    parts = ((a[0], -u, cross(u, gap) - cross(a[2], u)), (b[0], u, cross(b[2], u)))
    return Row(name, parts, float(gamma))


def _revolute(name: str, a: Side, b: Side) -> Iterator[Row]:
    yield from _coincident(name, a, b, np.eye(3))
    yield from (_perpendicular(name, a, b, a[3][:, i], b[3][:, 2]) for i in (0, 1))


def _pin(name: str, a: Side, b: Side) -> Iterator[Row]:
    yield from _coincident(name, a, b, np.eye(3)[:2])


def _spherical(name: str, a: Side, b: Side) -> Iterator[Row]:
    yield from _coincident(name, a, b, np.eye(3))


def _universal(name: str, a: Side, b: Side) -> Iterator[Row]:
    yield from _coincident(name, a, b, np.eye(3))
    yield _perpendicular(name, a, b, a[3][:, 2], b[3][:, 0])


def _prismatic(name: str, a: Side, b: Side) -> Iterator[Row]:
    yield from (_along(name, a, b, a[3][:, i]) for i in (0, 1))
    yield from (_perpendicular(name, a, b, a[3][:, i], b[3][:, j]) for i, j in ((0, 2), (1, 2), (0, 1)))


def _slot(name: str, a: Side, b: Side) -> Iterator[Row]:
    yield _along(name, a, b, a[3][:, 1])
    yield _perpendicular(name, a, b, a[3][:, 0], b[3][:, 1])


JOINTS: dict[tuple[str, bool], Callable[[str, Side, Side], Iterator[Row]]] = {
    ("revolute", False): _revolute,
    ("revolute", True): _pin,
    ("spherical", False): _spherical,
    ("universal", False): _universal,
    ("prismatic", False): _prismatic,
    ("prismatic", True): _slot,
}


def _distance(whole: FreeBodies, name: str, relation: Any, bodies: Mapping[str, Body]) -> Iterator[Row]:
    """|P_b − P_a|²/2 is constant; the force on b by a is along d."""
    (a, arm_a), (b, arm_b) = (whole.point(path, bodies) for path in relation.between)
    body_a, body_b = bodies[a], bodies[b]
    d = body_b.centre + arm_b - body_a.centre - arm_a
    rate = body_b.velocity + cross(body_b.omega, arm_b) - body_a.velocity - cross(body_a.omega, arm_a)
    bend = _bend((a, body_a, arm_a, np.eye(3))) - _bend((b, body_b, arm_b, np.eye(3)))
    parts = ((a, -d, -cross(arm_a, d)), (b, d, cross(arm_b, d)))
    yield Row(name, parts, float(d @ bend - rate @ rate))


def _rolling(whole: FreeBodies, name: str, relation: Any, bodies: Mapping[str, Body]) -> Iterator[Row]:
    """The point of a disc that touches the level floor is at rest: v + ω × arm = 0, with the arm down the disc."""
    side, _ = whole.point(relation.centre, bodies)
    body, resolved = bodies[side], whole.geometry.relations[name]
    radius, axis = whole.number(resolved.radius).item(), body.axes @ whole.number(resolved.axis).ravel()
    turn = cross(body.omega, axis)
    n, change = UP - (UP @ axis) * axis, -(UP @ turn) * axis - (UP @ axis) * turn
    up = n / np.linalg.norm(n)
    arm, rate = -radius * up, -radius * (change - up * (up @ change)) / np.linalg.norm(n)
    for e in np.eye(3):
        yield Row(name, ((side, e, cross(arm, e)),), -float(e @ cross(body.omega, rate)))


RELATIONS: dict[str, Callable[..., Iterator[Row]]] = {"distance": _distance, "rolling": _rolling}


# -- space, axes and quaternions ---------------------------------------------------------------------------------------


def _space(vector: Array) -> Array:
    """A vector of the plane or of space, with three components."""
    flat = np.asarray(vector, dtype=float).ravel()
    return np.append(flat, np.zeros(3 - flat.size))


def _axes(matrix: Array) -> Array:
    full = np.eye(3)
    full[: len(matrix), : len(matrix)] = matrix
    return full


def _rotation(e: Array) -> Array:
    w, x, y, z = e / np.linalg.norm(e)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def _quaternion(axes: Array) -> Array:
    """Scalar first."""
    return np.roll(Rotation.from_matrix(axes).as_quat(), 1)
