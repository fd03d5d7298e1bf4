"""Files <-> Model."""

from linkwork.formats.native import ALL_FORMATS, dump, load, loads, save
from linkwork.formats.schema import schema

__all__ = ["ALL_FORMATS", "dump", "load", "loads", "save", "schema"]
