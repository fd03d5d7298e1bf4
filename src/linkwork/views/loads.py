"""Forces and moments that act, as arrows over time: reactions of joints and relations, and what is applied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.results.drawing import LoadDrawing, MeshDrawing, SpringDrawing, Vector
from linkwork.results.reaction import FORCE_COMPONENTS, MOMENT_COMPONENTS, Reaction
from linkwork.results.result import Result
from linkwork.views.backdrop import place
from linkwork.views.listed import pack
from linkwork.views.sampled import SampledMotion
from linkwork.views.tracks import number_of

End = tuple[str, Vector]


class Loads:
    """All arrows of a motion: those of some samples of a result."""

    def __init__(self, result: Result, motion: SampledMotion, kept: NDArray[np.intp]) -> None:
        self.result, self.motion, self.kept = result, motion, kept
        self.drawing, self.poses = result.drawing, motion.poses

    def entries(self) -> list[dict[str, Any]]:
        """As plain data: where, force (N, d) and moment (N, 1 or 3), world axes; those that never act are left out."""
        found = [*self._reactions(), *self._applied(), *self._contacts()]
        return [entry for entry in found if entry["force"] is not None or entry["moment"] is not None]

    # -- reactions ---------------------------------------------------------------------------------------------

    def _reactions(self) -> Iterator[dict[str, Any]]:
        """Of joints on their symbols, of strings on their last ends, of relations and teeth where they touch."""
        reactions, kinds = self.result.reactions, self.result.source.reaction_components
        places: dict[str, End | Array] = {joint.name: (joint.body, joint.point) for joint in self.drawing.joints}
        places |= {string.name: string.stops[-1] for string in self.drawing.strings}
        places |= {mesh.name: self._touch(mesh) for mesh in self.drawing.meshes if len(mesh.wheels) == 2}
        axes = "xyz"[: self.drawing.dimension]
        for name, info in kinds.items():
            contact = [f"{name}.contact.{axis}" for axis in axes]
            if name not in places and all(part in self.result for part in contact):
                places[name] = self._columns(contact)
            if name in places and set(FORCE_COMPONENTS + MOMENT_COMPONENTS) & set(info.components):
                yield self._reaction(reactions[name], places[name])

    def _reaction(self, reaction: Reaction, at: End | Array) -> dict[str, Any]:
        parts, loose = set(reaction.info.components), set(reaction.not_unique)
        force = reaction.force[self.kept] if parts & set(FORCE_COMPONENTS) else None
        moment = reaction.moment.reshape(len(self.result), -1)[self.kept] if parts & set(MOMENT_COMPONENTS) else None
        open_ = bool(loose & set(FORCE_COMPONENTS + MOMENT_COMPONENTS))
        return self._entry(reaction.name, "reaction", at, force, moment, loose=open_)

    def _touch(self, mesh: MeshDrawing) -> Array:
        """Where the pitch circles of two wheels touch (N, d)."""
        d = self.drawing.dimension
        first, second = (self._world((wheel.body, wheel.centre[:d])) for wheel in mesh.wheels)
        one, two = (wheel.radius for wheel in mesh.wheels)
        part = one / (one - two) if mesh.kind == "inside" and one != two else one / (one + two)
        return np.asarray(first + part * (second - first))

    # -- what is applied ---------------------------------------------------------------------------------------

    def _applied(self) -> Iterator[dict[str, Any]]:
        springs = [spring for spring in self.drawing.springs if f"{spring.name}.force" in self.result]
        loads = [load for load in self.drawing.loads if all(name in self.result for name in _names(load))]
        # asked for together: they are compiled as one
        self.result.values([*(f"{s.name}.force" for s in springs), *(name for load in loads for name in _names(load))])
        for spring in springs:
            yield from self._pull(spring)
        for load in loads:
            force, moment = (self._vectors(load, parts) for parts in (load.force, load.moment))
            yield self._entry(load.name, load.kind, (load.body, load.point), force, moment)

    def _pull(self, spring: SpringDrawing) -> Iterator[dict[str, Any]]:
        """What a spring or a strut does to its two ends."""
        first, second = (self._world(end) for end in spring.ends)
        gap = second - first
        along = gap / np.maximum(np.linalg.norm(gap, axis=1, keepdims=True), 1e-300)
        pull = self.result[f"{spring.name}.force"][self.kept, None] * along * (-1.0 if spring.kind == "strut" else 1.0)
        for end, force in zip(spring.ends, (pull, -pull), strict=True):
            yield self._entry(spring.name, "applied", end, force, None)

    # -- what touches ------------------------------------------------------------------------------------------

    def _contacts(self) -> Iterator[dict[str, Any]]:
        """At places that touch, on the second of both: the push across the surfaces, and friction along them."""
        axes = "xyz"[: self.drawing.dimension]
        names = [name.removesuffix(".nx") for name in self.result.names("*.nx")]
        pushes = self.result.values([f"{name}.force" for name in names])
        acting = [name for name in names if np.any(np.nan_to_num(pushes[f"{name}.force"]))]
        rubs = ["friction"] if len(axes) == 2 else [f"friction_{axis}" for axis in axes]
        rubbing = [name for name in acting if f"{name}.{rubs[0]}" in self.result]
        # asked for together: they are compiled as one
        read = [f"{name}.{part}{axis}" for name in acting for part in ("", "n") for axis in axes]
        self.result.values([*read, *(f"{name}.{rub}" for name in rubbing for rub in rubs)])
        for name in acting:
            place, normal = (self._columns([f"{name}.{part}{axis}" for axis in axes]) for part in ("", "n"))
            yield self._entry(name, "contact", place, pushes[f"{name}.force"][self.kept, None] * normal, None)
            if name in rubbing:
                rub = self._columns([f"{name}.{rub}" for rub in rubs])
                # in the plane it is along t = (n_y, −n_x)
                along = rub * normal[:, ::-1] * (1.0, -1.0) if len(axes) == 2 else rub
                yield self._entry(f"{name}.friction", "contact", place, along, None)

    def _vectors(self, load: LoadDrawing, parts: Sequence[str]) -> Array | None:
        """World components (N, k) of a force or of a moment."""
        if not parts:
            return None
        found = self._columns([f"{load.name}.{part}" for part in parts])
        if load.axis is None:
            return found
        if self.drawing.dimension == 2 and parts == load.moment:
            return found * load.axis[2]
        axis = np.asarray(load.axis)[: self.drawing.dimension]
        turned = self.motion.axes(load.carrier) @ axis if load.carrier in self.drawing.bodies else axis
        return np.asarray(found * turned)

    def _columns(self, names: Sequence[str]) -> Array:
        values = self.result.values(names)
        return np.column_stack([values[name] for name in names])[self.kept]

    def _world(self, end: End) -> Array:
        """Where an end is (N, d)."""
        body, point = end
        return place(self.poses[body], point) if body in self.poses else np.tile(point, (len(self.kept), 1))

    def _entry(
        self, name: str, kind: str, at: End | Array, force: Array | None, moment: Array | None, *, loose: bool = False
    ) -> dict[str, Any]:
        where = {"path": pack(at)} if isinstance(at, np.ndarray) else _on(number_of(self.drawing, at[0]), at[1])
        return {
            "name": name,
            "kind": kind,
            **where,
            "force": _packed(force),
            "moment": _packed(moment),
            "loose": loose,
        }


def _on(body: int, point: Vector) -> dict[str, Any]:
    return {"body": body, "point": list(point)}


def _names(load: LoadDrawing) -> list[str]:
    return [f"{load.name}.{part}" for part in (*load.force, *load.moment)]


def _packed(values: Array | None) -> str | None:
    """None where nothing acts."""
    return None if values is None or not np.any(np.nan_to_num(values)) else pack(values)
