"""Run all benchmarks: ``python benchmarks/run.py``. Peers that are not installed are left out, each with a line."""

from __future__ import annotations

import acceleration
import complementarity
import driven
import formulations
import headline
import integrators
import start_up
import stiff_pendulum
import table_3_1
import table_8_5

import closed_form

if __name__ == "__main__":
    for benchmark in (acceleration, start_up, driven, closed_form, headline, table_3_1, table_8_5):
        benchmark.main()
        print(flush=True)
    complementarity.main(["--quick"])
    print(flush=True)
    stiff_pendulum.main([])
    print(flush=True)
    formulations.main([])
    print(flush=True)
    integrators.main(["--quick"])
