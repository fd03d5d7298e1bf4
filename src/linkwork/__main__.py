"""``python -m linkwork``: the command line, where its command is not on the path."""

import sys

from linkwork.cli import main

if __name__ == "__main__":
    sys.exit(main())
