"""Settings for all tests: continuous integration repeats the same examples, a developer's run looks for new ones."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("repeatable")
