"""A model as if it were being read, to ask its checks again."""

from __future__ import annotations

from dataclasses import fields

from linkwork.model.described import Described
from linkwork.model.reading import DraftModel
from linkwork.model.sections import SECTIONS


def draft_of(model: Described) -> DraftModel:
    """The model as a description that has been read."""
    known = {field.name: getattr(model, field.name) for field in fields(DraftModel) if hasattr(model, field.name)}
    return DraftModel(
        **known, declared={section.name: dict.fromkeys(getattr(model, section.name)) for section in SECTIONS}
    )
