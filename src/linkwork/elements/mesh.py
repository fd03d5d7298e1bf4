"""Volume, centre and gyration of a closed triangle mesh.

A closed surface with outward normals is the sum of signed tetrahedra between its triangles (a, b, c) and one point.
With that point as the origin and Δ = a·(b × c):

    V = Σ Δ/6,   ∫ r dV = Σ Δ (a + b + c)/24,   ∫ r rᵀ dV = Σ Δ (a aᵀ + b bᵀ + c cᵀ + (a + b + c)(a + b + c)ᵀ)/120.

Files are read by ``trimesh``, an optional dependency.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import Fault, ModelError, RefusedError
from linkwork.extras import EXTRAS, bring
from linkwork.numerics.geometry.convex import hull_of

if TYPE_CHECKING:
    from trimesh import Trimesh

SHARP = np.radians(25)  # smallest angle between the normals at an edge that is drawn
MOST_EDGES = 600
MOST_CORNERS = 200
_THIN = 1e-12  # smallest volume of a solid, as a part of the box around it


@dataclass(frozen=True)
class MeshSolid:
    """A mesh as a solid, in units of its file: volume, centre (3), gyration tensor (3 rows), edges to draw (two ends).

    hull: corners of the smallest convex solid around it, or those farthest out where there are very many
    """

    volume: float
    centre: tuple[float, ...]
    gyration: tuple[tuple[float, ...], ...]
    edges: tuple[tuple[tuple[float, ...], ...], ...] = ()
    hull: tuple[tuple[float, ...], ...] = ()


def read_mesh(path: Path) -> MeshSolid:
    """Read a file (.stl, .ply, .obj, .off, .glb, ...); ModelError when it does not bound a solid."""
    mesh = _load(path)
    if not len(mesh.faces):
        raise _refused("has no triangles", "check that the file is whole and its suffix tells its format")
    if not np.isfinite(mesh.vertices).all():
        raise _refused("has vertices without finite coordinates", "check that the file is whole")
    mesh.merge_vertices(merge_tex=True, merge_norm=True)  # triangles of many formats share no corners
    _check_closed(mesh)
    return replace(integrate(np.asarray(mesh.triangles, dtype=float)), edges=_edges(mesh), hull=_hull(mesh))


def integrate(triangles: NDArray[np.float64]) -> MeshSolid:
    """The integrals over the solid that the *triangles* (n, 3, 3) bound."""
    start = triangles.reshape(-1, 3).mean(axis=0)
    corners = triangles - start
    weight = np.linalg.det(corners)
    sums = corners.sum(axis=1)
    volume = float(weight.sum() / 6)
    size = float(np.prod(np.maximum(np.ptp(corners.reshape(-1, 3), axis=0), 0.0)))
    if abs(volume) <= _THIN * size:
        raise _refused("encloses no volume", "a solid is needed, not a sheet")
    if volume < 0:
        raise _refused(
            f"has the volume {volume:.4g}: its normals point inwards", "reverse them in the program it is from"
        )
    middle = weight @ sums / (24 * volume)
    second = np.einsum("n,nki,nkj->ij", weight, corners, corners) + np.einsum("n,ni,nj->ij", weight, sums, sums)
    spread = second / (120 * volume) - np.outer(middle, middle)
    gyration = np.trace(spread) * np.eye(3) - spread
    return MeshSolid(volume, tuple((start + middle).tolist()), tuple(map(tuple, gyration.tolist())))


def _load(path: Path) -> Trimesh:
    try:
        trimesh = bring("trimesh")
    except RefusedError:
        raise _refused("reading a mesh needs the package trimesh", EXTRAS["trimesh"].remedy) from None
    if not path.is_file():
        raise _refused(f"there is no file '{path}'", "a relative path starts at the folder of the model file")
    try:
        return trimesh.load_mesh(path, process=False)
    except Exception as error:  # readers of foreign files raise anything
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise _refused(f"'{path}' cannot be read: {reason}") from None


def _check_closed(mesh: Trimesh) -> None:
    """Every edge belongs to an even number of triangles, half of which run along it either way."""
    edges, which = np.unique(mesh.edges_sorted, axis=0, return_inverse=True)
    uses = np.bincount(which.ravel(), minlength=len(edges))
    balance = np.bincount(which.ravel(), np.where(mesh.edges[:, 0] < mesh.edges[:, 1], 1, -1), minlength=len(edges))
    open_edges = int((uses % 2).sum())
    if open_edges:
        raise _refused(f"is not closed: {open_edges} open edge{'s' if open_edges > 1 else ''}", "repair the mesh")
    if balance.any():
        raise _refused("its triangles do not all face the same side", "repair the normals of the mesh")


def _edges(mesh: Trimesh) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """The sharp edges, or some of all where the surface is smooth."""
    order = np.argsort(-mesh.face_adjacency_angles, kind="stable")
    sharp = order[mesh.face_adjacency_angles[order] > SHARP][:MOST_EDGES]
    if not len(sharp):
        sharp = order[:: len(order) // MOST_EDGES + 1]
    ends = mesh.vertices[mesh.face_adjacency_edges[sharp]]
    return tuple(tuple(map(tuple, pair)) for pair in ends.tolist())


def _hull(mesh: Trimesh) -> tuple[tuple[float, ...], ...]:
    """The corners of the convex hull; of many, those that lie farthest out in as many directions."""
    corners = hull_of(mesh.vertices).corners
    if len(corners) > MOST_CORNERS:
        # directions on a spiral that covers the sphere evenly
        steps = np.arange(MOST_CORNERS) + 0.5
        z, turn = 1 - 2 * steps / MOST_CORNERS, np.pi * (1 + np.sqrt(5)) * steps
        across = np.sqrt(1 - z * z)
        directions = np.column_stack([across * np.cos(turn), across * np.sin(turn), z])
        corners = corners[np.unique(np.argmax(corners @ directions.T, axis=0))]
    return tuple(map(tuple, corners.tolist()))


def _refused(reason: str, suggestion: str = "") -> ModelError:
    return ModelError([Fault("", reason, suggestion)])
