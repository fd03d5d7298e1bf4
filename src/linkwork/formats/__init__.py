"""Files of models, read and written: one file per format; and those that come with Linkwork."""

from linkwork.formats.native import ALL_FORMATS as ALL
from linkwork.formats.native import dump, load, loads, save
from linkwork.formats.schema import schema

__all__ = ["ALL", "dump", "load", "loads", "save", "schema"]
