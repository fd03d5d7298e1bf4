"""Result files from before there were checksums: read once in a process of its own, which may fail or never end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from linkwork.errors import ResultError

LIMIT, RATE = 20.0, 2e6  # s, and bytes/s beyond it, that reading may take
PROBE = """
import sys
import h5py

with h5py.File(sys.argv[1], "r") as file:
    dict(file.attrs)
    for content in file.values():
        dict(content.attrs)
        content[...]
"""


def check_readable(path: Path) -> None:
    """Complain about a file without a checksum that HDF5 cannot read to its end in good time."""
    if not sys.executable:
        return
    limit = LIMIT + path.stat().st_size / RATE
    command = [sys.executable, "-I", "-c", PROBE, str(path.resolve())]
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise ResultError(f"'{path}' is damaged: it could not be read in {limit:.0f} s") from None
    except OSError:
        return  # no process can be started here
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        reason = f" ({last[0][:160]})" if last and done.returncode > 0 else ""
        raise ResultError(f"'{path}' is not a readable Linkwork result{reason}; it is damaged")
