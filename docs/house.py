"""The picture of the house: its rooms in the order of imports, as ``pyproject.toml`` has them, with their own words."""

import tomllib
from html import escape
from importlib import import_module
from pathlib import Path
from textwrap import wrap

WALK = "The walk goes one way"
WIDTH, ROW, GAP, LINE = 960, 36, 8, 15  # px
LETTERS = 6.0  # px, of a letter
SHORT = 40  # letters of a sentence that is not enough
OUTSIDE = ("above", "shown", "plugins", "storage", "extending", "answers", "formulations", "integrators", "measures")


def floors() -> list[list[str]]:
    """Rooms of each floor, the roof first; doors that are single files are left out."""
    data = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(item["layers"] for item in data["tool"]["importlinter"]["contracts"] if item["name"] == WALK)
    rooms = [[word.strip().removeprefix("linkwork.") for word in layer.split("|")] for layer in layers]
    return [kept for floor in rooms if (kept := [room for room in floor if room not in OUTSIDE])]


def words(room: str) -> str:
    """What a room says of itself: its first sentence, and the next one where that is short."""
    text = " ".join((import_module(f"linkwork.{room}").__doc__ or "").split("\n\n")[0].split()).replace("`", "")
    first, _, rest = text.partition(". ")
    return first.rstrip(".") if len(first) > SHORT or not rest else f"{first}. {rest.partition('. ')[0].rstrip('.')}"


def picture() -> str:
    """One SVG, which takes the colours of the page."""
    parts, y = [], GAP
    for floor in floors():
        width = (WIDTH - GAP * (len(floor) + 1)) / len(floor)
        lines = [wrap(words(room), int((width - 130) / LETTERS)) for room in floor]
        height = max(ROW, 16 + LINE * max(len(text) for text in lines))
        for i, (room, text) in enumerate(zip(floor, lines, strict=True)):
            x = GAP + i * (width + GAP)
            parts.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}" rx="6" class="room"/>')
            parts.append(f'<text x="{x + 12:.0f}" y="{y + 24}" class="name">{escape(room)}</text>')
            parts += [
                f'<text x="{x + 120:.0f}" y="{y + 20 + LINE * k}" class="words">{escape(line)}</text>'
                for k, line in enumerate(text)
            ]
        y += height + GAP
    style = (
        ".room {fill: none; stroke: currentColor; stroke-opacity: 0.45} .name {font-weight: 600; fill: currentColor}"
        ".words {font-size: 12px; fill: currentColor; fill-opacity: 0.8}"
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {y}" role="img" aria-label="The rooms of Linkwork, each above those it uses" '
        f'font-family="sans-serif" font-size="14">\n<style>{style}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )
