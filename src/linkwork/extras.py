"""Packages that Linkwork does without until somebody asks for what they give: its extras."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from linkwork.errors import RefusedError


@dataclass(frozen=True)
class Extra:
    """A package, the extra that brings it, and what it is good for."""

    package: str
    name: str
    gives: str

    @property
    def remedy(self) -> str:
        """What to type where it is missing."""
        return f'pip install "linkwork[{self.name}]"'

    @property
    def missed(self) -> str:
        """What to say where it is missing."""
        return f"{self.gives} need the package {self.package}: {self.remedy}"


EXTRAS = {
    "coal": Extra("coal", "collision", "distances of meshes"),
    "control": Extra("control", "control", "systems of python-control"),
    "imageio_ffmpeg": Extra("imageio-ffmpeg", "movies", "films in .mp4 files"),
    "pandas": Extra("pandas", "tables", "tables in pandas"),
    "shapely": Extra("shapely", "regions", "regions of the plane"),
    "sksundae": Extra("scikit-sundae", "sundials", "the integrators 'cvode', 'cvode_adams' and 'ida'"),
    "trimesh": Extra("trimesh", "meshes", "masses and inertias from meshes"),
    "xarray": Extra("xarray", "tables", "datasets of xarray"),
}
"""By the name under which they are imported."""


def bring(module: str) -> Any:
    """Import a *module* of an extra; RefusedError says how to get it where it is missing."""
    try:
        return import_module(module)
    except ImportError:
        raise RefusedError(EXTRAS[module.partition(".")[0]].missed) from None
