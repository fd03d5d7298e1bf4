"""What the build of the site makes of models and pages, once: it is made anew where they or the source have changed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from doctest import DocTestParser
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@cache
def source() -> str:
    """A fingerprint of the program and of what makes pictures of it."""
    digest = hashlib.sha256()
    for folder in (ROOT / "src" / "linkwork", ROOT / "docs"):
        for path in sorted(path for path in folder.glob("**/*" if folder.name == "linkwork" else "*.py")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()


class Kept:
    """Files made for one purpose, and the fingerprint of what they were made of."""

    def __init__(self, folder: Path, name: str) -> None:
        self.stamp = folder / f".{name}.made"

    def make(self, of: Any, files: Sequence[Path], write: Callable[[], object]) -> None:
        """Call *write*, unless its *files* are there and were made of the same."""
        text = hashlib.sha256(json.dumps([of, source()], sort_keys=True, default=str).encode()).hexdigest()
        if all(file.exists() for file in files) and self.stamp.exists() and self.stamp.read_text("utf-8") == text:
            return
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        write()
        self.stamp.write_text(text, encoding="utf-8")


def run_pages(pages: Path, target: Path) -> None:
    """Run the Python of those pages that show what they write, each in a folder of its own name."""
    for page in sorted(pages.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        folder = target / page.stem
        files = [folder / name for name in re.findall(rf"/made/{page.stem}/([\w.]+)", text)]
        if files:
            Kept(target, page.stem).make(text, files, lambda text=text, folder=folder: _run(text, folder))


def _run(text: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    before, known = Path.cwd(), {"__name__": "__main__"}
    os.chdir(folder)
    try:
        with redirect_stdout(StringIO()):
            for code in _statements(text):
                exec(code, known)
    finally:
        os.chdir(before)


def _statements(text: str) -> Iterator[str]:
    """The blocks of Python of a page, and what is typed in its consoles but for what is refused there."""
    for language, code in BLOCK.findall(text):
        if language == "python":
            yield code
        else:
            yield from (typed.source for typed in DocTestParser().get_examples(code) if typed.exc_msg is None)
