"""Pictures of gallery pages: those of matplotlib's windows, and those that results draw, which belong to no window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst, matplotlib_scraper


def _get_sg_image_scraper() -> Callable[..., str]:
    """Where sphinx-gallery looks for what collects the pictures."""
    return collect


def collect(block: tuple[Any, ...], block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Write the figures of one block of a page, and the text that shows them."""
    import matplotlib.pyplot as plt

    shown = matplotlib_scraper(block, block_vars, gallery_conf)
    windows = [plt.figure(number) for number in plt.get_fignums()]
    own = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Figure) and not hasattr(value, "number") and value not in [*windows, *own]:
            own.append(value)
    new = [figure for figure in own if not getattr(figure, "in_gallery", False)]
    paths = []
    for figure, path in zip(new, block_vars["image_path_iterator"], strict=False):
        figure.savefig(path, dpi=100)
        figure.in_gallery = True
        paths.append(path)
    return shown + (figure_rst(paths, gallery_conf["src_dir"]) if paths else "")
