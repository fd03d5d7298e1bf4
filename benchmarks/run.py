"""Run all benchmarks: ``python benchmarks/run.py``."""

from __future__ import annotations

import acceleration
import start_up

if __name__ == "__main__":
    acceleration.main()
    print()
    start_up.main()
