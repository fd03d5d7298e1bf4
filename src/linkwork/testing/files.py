"""What is saved is read again as it was."""

from __future__ import annotations

from linkwork.formats.base import Format, SourceText
from linkwork.formats.native import dump, loads
from linkwork.model import Model
from linkwork.testing.comparing import require


def check_saved(model: Model) -> None:
    """A model that is written is the same when it is read."""
    require(loads(dump(model)) == model, f"model '{model.name}': what is written is not what is read")


def check_format(form: Format, model: Model) -> None:
    """Plain data of a model that a format writes are the same when it reads them."""
    read = form.document(SourceText(form.text(model.to_dict())))
    require(Model(**read.data) == model, f"format '{form.name}': what it writes is not what it reads")
