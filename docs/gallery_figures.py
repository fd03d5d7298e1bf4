"""What gallery pages show of a script: figures with and without a window, and the animated pages that it writes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst, matplotlib_scraper

DPI = 100
MOVING = Path(__file__).parent / "api" / "generated" / "published" / "moving"  # goes to the site as it is
FRAME = """
.. raw:: html

    <iframe class="moving" src="{place}" title="{title}" loading="lazy"></iframe>
"""


def _get_sg_image_scraper() -> Callable[..., str]:
    """Where sphinx-gallery looks for what collects the pictures."""
    return collect


def collect(block: tuple[Any, ...], block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Keep the figures and animated pages of one block of a script; the text that shows them."""
    source, target = Path(block_vars["src_file"]), Path(block_vars["target_file"])
    frames = [_frame(page, target, Path(gallery_conf["src_dir"])) for page in sorted(source.parent.glob("*.html"))]
    windows = matplotlib_scraper(block, block_vars, gallery_conf)
    figures = _without_window(block_vars["example_globals"])
    own = [_show(*item, gallery_conf) for item in zip(figures, block_vars["image_path_iterator"], strict=False)]
    return "".join([*frames, windows, *own])


def _frame(page: Path, target: Path, sources: Path) -> str:
    """Take an animated page to where the site has it, and show it in a frame."""
    name = f"{target.stem.removeprefix('plot_')}_{page.stem}.html"
    MOVING.mkdir(parents=True, exist_ok=True)
    shutil.move(page, MOVING / name)
    up = "../" * len(target.parent.relative_to(sources).parts)
    return FRAME.format(place=f"{up}{MOVING.name}/{name}", title=page.stem.replace("_", " "))


def _without_window(known: dict[str, Any]) -> Iterator[Figure]:
    """Figures that results have drawn since the last block."""
    for value in list(known.values()):
        if isinstance(value, Figure) and not hasattr(value, "number") and not getattr(value, "in_gallery", False):
            value.in_gallery = True  # type: ignore[attr-defined]
            yield value


def _show(figure: Figure, path: str, gallery_conf: dict[str, Any]) -> str:
    """Write a figure, also twice as fine."""
    fine = Path(path).with_name(f"{Path(path).stem}_2_00x.png")
    figure.savefig(path, dpi=DPI)
    figure.savefig(fine, dpi=2 * DPI)
    return str(figure_rst([path], gallery_conf["src_dir"], srcsetpaths=[{0: path, 2.0: fine}]))
