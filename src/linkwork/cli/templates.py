"""Packaged mechanisms to begin with."""

from __future__ import annotations

from importlib.resources import files

from linkwork.errors import UnknownNameError, did_you_mean


def template_names() -> list[str]:
    """Names of the packaged mechanisms."""
    folder = files("linkwork") / "templates"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def template_text(name: str) -> str:
    """The commented model file of a packaged mechanism."""
    names = template_names()
    if name not in names:
        raise UnknownNameError(
            f"there is no template '{name}'; {did_you_mean(name, names)} All templates: {', '.join(names)}"
        )
    return (files("linkwork") / "templates" / f"{name}.yaml").read_text(encoding="utf-8")
