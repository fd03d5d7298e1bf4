"""What one element is and does: joints and forces, one file per kind; and, as ``lw.elements``, how users declare them."""

from typing import Any

from linkwork.above import ask


def __getattr__(name: str) -> Any:
    """Declarations, which belong to a room above and are imported when one is first asked for. All are classes."""
    if name == "__all__" or (name[0].isupper() and name in ask("declares", "__all__")):
        return ask("declares", name)
    raise AttributeError(f"module 'linkwork.elements' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*globals(), *ask("declares", "__all__")]
