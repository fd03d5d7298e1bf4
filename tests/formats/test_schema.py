"""The published schema: valid JSON, mentions every key, and accepts the example files."""

import json
import re
from pathlib import Path

import pytest

from linkwork.formats import load, schema
from linkwork.formats.base import SourceText
from linkwork.formats.yaml_text import read_yaml
from linkwork.model import (
    ALL_COUPLINGS,
    ALL_FORCES,
    JOINT_KINDS,
    Body,
    Driver,
    Guide,
    Mesh,
    Model,
    Parameter,
    Shape,
)
from linkwork.model.relations import ALL_RELATIONS

FILES = sorted((Path(__file__).parent / "models").glob("*.yaml"))
SCHEMA = schema()


def test_it_is_plain_json():
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert SCHEMA["$schema"].startswith("https://json-schema.org/")


ELEMENTS = (
    *(Body, Shape, Mesh, Driver, Guide, Parameter),
    *(*JOINT_KINDS.values(), *ALL_COUPLINGS, *ALL_RELATIONS, *ALL_FORCES),
)


@pytest.mark.parametrize("declaration", ELEMENTS)
def test_every_key_of_every_element_is_there(declaration):
    element = SCHEMA["$defs"][declaration.__name__]
    assert set(element["properties"]) == set(declaration.model_fields)
    assert element["additionalProperties"] is False


def test_every_section_is_there_and_described():
    assert set(SCHEMA["properties"]) == set(Model.model_fields)
    assert all(section.get("description") for section in SCHEMA["properties"].values())
    assert list(SCHEMA["properties"]["joints"]["additionalProperties"]["discriminator"]["mapping"]) == sorted(
        JOINT_KINDS
    )


def complaints(value, rule, path="$"):
    """Check plain data by the keywords of JSON schema that ours uses; return what does not fit."""
    unknown = set(rule) - KEYWORDS
    assert not unknown, f"the checker does not know {unknown}"
    if "$ref" in rule:
        return complaints(value, SCHEMA["$defs"][rule["$ref"].rsplit("/", 1)[1]], path)
    found = []
    for key in ("anyOf", "oneOf"):
        if key in rule and not any(not complaints(value, option, path) for option in rule[key]):
            found.append(f"{path}: fits none of {key}")
    if "type" in rule and not fits_type(value, rule["type"]):
        return [*found, f"{path}: is not {rule['type']}"]
    if "enum" in rule and value not in rule["enum"]:
        found.append(f"{path}: not in enum")
    if "const" in rule and value != rule["const"]:
        found.append(f"{path}: not the constant")
    if isinstance(value, dict):
        found += object_complaints(value, rule, path)
    if isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            found.append(f"{path}: length")
        for index, item in enumerate(value):
            found += complaints(item, rule.get("items", {}), f"{path}[{index}]")
    return found


def object_complaints(value, rule, path):
    found = [f"{path}: {key} is missing" for key in rule.get("required", []) if key not in value]
    if not rule.get("minProperties", 0) <= len(value) <= rule.get("maxProperties", len(value)):
        found.append(f"{path}: number of keys")
    for key, item in value.items():
        if "propertyNames" in rule and re.search(rule["propertyNames"]["pattern"], key) is None:
            found.append(f"{path}: name {key}")
        inner = rule.get("properties", {}).get(key, rule.get("additionalProperties", True))
        if inner is False:
            found.append(f"{path}: unknown key {key}")
        elif isinstance(inner, dict):
            found += complaints(item, inner, f"{path}.{key}")
    return found


def fits_type(value, name):
    kinds = {"object": dict, "array": list, "string": str, "number": (int, float), "boolean": bool, "integer": int}
    if name == "null":
        return value is None
    return isinstance(value, kinds[name]) and (name == "boolean" or not isinstance(value, bool))


KEYWORDS = {
    *("$ref", "anyOf", "oneOf", "type", "enum", "const", "properties", "additionalProperties", "required", "items"),
    *("minItems", "maxItems", "minProperties", "maxProperties", "propertyNames"),
    *("title", "description", "default", "examples", "discriminator", "$defs", "$schema"),
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_example_files_fit(path):
    assert complaints(read_yaml(SourceText(path.read_text())).data, SCHEMA) == []
    assert complaints(load(path).to_dict(), SCHEMA) == []


def test_it_rejects_what_the_model_rejects():
    data = dict(read_yaml(SourceText(FILES[0].read_text())).data)
    assert complaints(data | {"space": "flat"}, SCHEMA)
    assert complaints(data | {"joint": {}}, SCHEMA)
    assert complaints(data | {"bodies": {"a": {"bar": ["O"], "mass": 1}}}, SCHEMA)
    assert complaints(data | {"bodies": {"a.b": {"bar": ["O", "A"], "mass": 1}}}, SCHEMA)
    assert complaints(data | {"joints": {"a": {"bodies": ["ground", "b"]}}}, SCHEMA)
    assert complaints(data | {"joints": {"a": {"kind": "spherical", "bodies": ["ground", "b"], "pitch": 1}}}, SCHEMA)
    assert complaints(data | {"joints": {"a": {"kind": "helical", "bodies": ["ground", "b"]}}}, SCHEMA)
    assert complaints(data | {"forces": {"a": {"joint": "a", "value": 1}}}, SCHEMA)
    assert complaints(data | {"branches": {"A-B-": "left"}}, SCHEMA)
    assert complaints(data | {"branches": {"A": ["left"]}}, SCHEMA)
    assert not complaints(data | {"branches": {"A-B-C": "left", "D": 2}}, SCHEMA)
    assert not complaints(data | {"bodies": {"left-shin": {"bar": ["O", "left knee"], "mass": 1}}}, SCHEMA)
