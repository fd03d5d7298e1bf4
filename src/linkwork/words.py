"""Words of other tools, and what they are here: one table, ``words.csv``, which every "did you mean" asks.

Each row has the words, what is asked for where they may stand (a kind of joint, a section of the file, a unit, ...), our
name for it, the line to write, what it is, and whose words they are. A word with several meanings stands in several rows;
what is not there yet, or not where it is asked for, has no name of ours, and says what does in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

SECTIONS = {"joint": "joints", "force": "forces", "relation": "relations", "coupling": "couplings"}
"""Of kinds of elements, the section in which they are written."""
ENDINGS = ("joint", "constraint", "force", "element", "pair", "s")
"""What other tools put behind their words: Weld Joint, ball joint, hinges."""
FILE = (*SECTIONS, "section")
"""What is asked for in a model file, where a word that means something else belongs into another place."""


@dataclass(frozen=True)
class WordMeaning:
    """What a word of another tool is here."""

    asked: str
    ours: str
    write: str
    meaning: str

    @property
    def section(self) -> str:
        """Where in a model file it is written."""
        return SECTIONS.get(self.asked, self.ours if self.asked == "section" else "")

    def line(self, word: str) -> str:
        """The whole line to write."""
        between = ", bodies: [ground, crank]" if self.asked == "joint" else ""
        return f"{self.section}: {{{word}: {{{self.write}{between}}}}}" if self.asked in SECTIONS else self.write


_MARKS = {ord(mark): None for mark in " -_"}


@cache
def table() -> Mapping[str, tuple[WordMeaning, ...]]:
    """All meanings by bare word."""
    import csv  # only a message needs it

    found: dict[str, list[WordMeaning]] = {}
    text = Path(__file__).with_suffix(".csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        own = [row["ours"]] if row["asked"] in SECTIONS else []
        for word in dict.fromkeys([*row["words"].split(), *own]):
            found.setdefault(bare(word), []).append(
                WordMeaning(row["asked"], row["ours"], row["write"], row["meaning"])
            )
    return {word: tuple(meanings) for word, meanings in found.items()}


def bare(name: str) -> str:
    """A name as it sounds."""
    return name.lower().translate(_MARKS)


def meanings_of(word: str) -> tuple[WordMeaning, ...]:
    """What a word of another tool may mean, with or without 'joint' behind it."""
    sound = bare(word)
    stems = [sound, *(sound.removesuffix(ending) for ending in ENDINGS if sound != ending)]
    return next((table()[stem] for stem in stems if stem in table()), ())


def translated(word: str, valid: Iterable[str], asked: str = "") -> str:
    """A sentence that says what a word is among the valid names, or where else it is written; nothing for unknown words.

    asked: which of our names is asked for, as in the table; without it only valid names are told
    """
    head, dot, tail = word.rpartition(".")
    every = meanings_of(tail) or meanings_of(word)
    known = {bare(name): name for name in valid} if every else {}
    here: dict[str, WordMeaning] = {}
    if asked == "command":  # of the same names as functions, with hyphens
        every = tuple(replace(item, asked=asked) if item.asked == "function" else item for item in every)
    for item in sorted(every, key=lambda item: item.asked != asked):
        names = (bare(f"{head}{dot}{item.ours}"), bare(item.ours)) if item.ours else ()
        if (not here or item.asked == asked) and (name := next(filter(known.__contains__, names), None)):
            here.setdefault(known[name], item)
    if asked == "command":
        here = {name: replace(item, write=f"linkwork {name} FILE") for name, item in here.items()}
    told = [item for item in every if item.ours or _readable(item, known.values())]
    return _sentence(here, _elsewhere(told, here, asked), asked, bare(word))


def _readable(item: WordMeaning, valid: Iterable[str]) -> bool:
    """Whether there is what a line for a quantity reads: attitudes of bodies are quaternions in space, not in the plane."""
    read = re.findall(r"\bb(?:ody)?\.(\w+)", item.write) if item.asked == "quantity" else []
    return not read or any(name.rpartition(".")[2] == read[0] for name in valid)


def _elsewhere(every: Iterable[WordMeaning], here: Mapping[str, WordMeaning], asked: str) -> list[WordMeaning]:
    """What else a word means: of kinds and their section the kinds; outside of files only what is not there yet."""
    places = (*FILE, "missing", "function") if asked in FILE else ("missing",) if asked and not here else ()
    found = [item for item in every if item.asked in places and item not in here.values()]
    found += [item for item in every if item.asked == asked and not (item.ours or here)]
    kinds = {item.section for item in (*found, *here.values()) if item.asked in SECTIONS} | {SECTIONS.get(asked, asked)}
    taken = {*here, *(item.section for item in here.values())}
    return [
        item
        for item in found
        if not ((item.asked == "section" and item.section in kinds | taken) or (item.section and item.section in taken))
    ]


def _sentence(here: Mapping[str, WordMeaning], others: Iterable[WordMeaning], asked: str, word: str) -> str:
    rest = [f"{item.meaning}: {item.line(word)}" for item in others][:3]
    if len(here) == 1:
        ((name, item),) = here.items()
        told = f"did you mean '{name}'?" + (f" write {item.write}" if item.asked == asked != "quantity" else "")
    elif here:
        names = (f"{name} ({item.meaning})" if item.meaning else name for name, item in here.items())
        told = f"did you mean one of: {', '.join(names)}" + ("" if rest else "?")
    else:
        return "; or ".join(rest)
    return "; or ".join([told, *rest[:2]])
