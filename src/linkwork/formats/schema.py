"""The JSON schema of model files, so that editors complete and check them."""

from __future__ import annotations

from typing import Any

from linkwork.model import Model
from linkwork.model.sections import SECTIONS
from linkwork.plugins import discover


def schema() -> dict[str, Any]:
    """JSON schema (draft 2020-12) of the native format, as plain data."""
    discover()
    body = Model.model_json_schema(mode="validation")
    names = {"pattern": "^[^.]+$"}
    for section in body["properties"].values():
        if section.get("type") == "object":
            section["propertyNames"] = names
    # a block is named by its joints
    body["properties"]["branches"]["propertyNames"] = {"pattern": "^[^.-]+(-[^.-]+)*$"}
    for kinds in SECTIONS:
        for name, declaration in (kinds.kinds or {}).items():
            if name != kinds.default:
                element = body["$defs"][declaration.__name__]
                element["required"] = ["kind", *element.get("required", ())]
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Linkwork mechanism",
        "description": "Bodies, joints, drivers, forces. Numbers are SI; texts with units are accepted.",
    }
    return {**body, **head}
