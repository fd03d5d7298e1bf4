"""Damaged files: whatever is done to a sound file, it loads or a LinkworkError comes out; nothing else."""

import contextlib
import copy
import json
import re
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, example, given, settings

from linkwork.errors import LinkworkError
from linkwork.formats import dump, load, loads
from linkwork.model import Model

FILES = sorted((Path(__file__).parent / "models").glob("*.yaml"))
TEXTS = {path.stem: path.read_text() for path in FILES}
DATA = {path.stem: load(path).to_dict() for path in FILES}
names = st.sampled_from(sorted(TEXTS))
quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(names, st.lists(st.tuples(st.integers(0, 5000), st.binary(max_size=3)), min_size=1, max_size=5))
def test_damaged_bytes(tmp_path_factory, name, patches):
    data = bytearray(TEXTS[name].encode())
    for position, piece in patches:
        position %= len(data) + 1
        data[position : position + 1] = piece
    path = tmp_path_factory.getbasetemp() / "damaged.yaml"
    path.write_bytes(bytes(data))
    with contextlib.suppress(LinkworkError):
        load(path)


TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
WORDS = [
    "*",
    "&a",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "- ",
    "? ",
    "1e999",
    "-1",
    "0",
    "t",
    "ground",
    "x: ",
    "~",
    "'",
    '"',
    "|",
]


@quick
@given(names, st.lists(st.tuples(st.integers(0, 3000), st.sampled_from(WORDS)), min_size=1, max_size=4), st.booleans())
def test_damaged_tokens(name, patches, as_json):
    text = json.dumps(DATA[name]) if as_json else TEXTS[name]
    tokens = TOKEN.findall(text)
    for position, word in patches:
        tokens[position % len(tokens)] = word
    with contextlib.suppress(LinkworkError):
        loads("".join(tokens), "json" if as_json else "yaml")


strange = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["O", "crank", "ground", "2*l", "t", "1 kg", "3 N/m", "O.angle", "point", "self", "e"]),
    st.lists(st.one_of(st.floats(), st.text(max_size=3), st.none()), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


def places(value, path=()):
    """All paths inside plain data."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@quick
@example("built", [(13, 1.3407807929942597e154, False)])
@example("built", [(13, 5.9e153, False), (40, 1.2e154, False)])
@example("built", [(90, 1.3407807929942597e154, False)])
@example("built", [(90, 1.7e308, False), (94, -1.7e308, False)])
@example("spatial", [(2573, 1.3407807929942597e154, False)])
@given(names, st.lists(st.tuples(st.integers(0, 10**6), strange, st.booleans()), min_size=1, max_size=4))
def test_damaged_structure(name, changes):
    data = copy.deepcopy(DATA[name])
    for index, value, rename in changes:
        paths = [path for path in places(data) if path]
        if not paths:
            break
        path = paths[index % len(paths)]
        parent = data
        for key in path[:-1]:
            parent = parent[key]
        if rename and isinstance(parent, dict):
            parent[str(value)] = parent.pop(path[-1])
        else:
            parent[path[-1]] = value
    with contextlib.suppress(LinkworkError):
        model = Model(**data)
        assert loads(dump(model)) == model


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_every_truncation(name):
    text = TEXTS[name]
    for end in range(0, len(text), 7):
        with contextlib.suppress(LinkworkError):
            loads(text[:end])
