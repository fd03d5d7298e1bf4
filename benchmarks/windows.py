"""IFToMM A02 with 2, 10, 40 and 1000 windows over 10 s: time for the tops of the rods to be right to 1 mm, and how it grows.

All rods are parallel, so that one equation by hand has the motion of any number of windows: errors are measured against it.
Beside Linkwork stand multibody programs, and heyoka on the equations that Linkwork compiles, each at the fastest of its
settings; times are those of the integration with its 101 outputs. A thousand windows (2001 bodies) are run by Linkwork
alone, and heyoka is asked for ten at most, whose compilation takes longer than all else here.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench import iftomm
from linkwork.bench.peers import find_contenders, linkwork_flow
from linkwork.bench.peers.base import Contender
from linkwork.bench.sweep import Pace, measure
from linkwork.bench.task import ByHand, Task, angle
from linkwork.results.comparison import Setting

SIZES = (2, 10, 40, 1000)
ALONE, COMPILED = 100, 10  # windows beyond which others are not asked, and heyoka is not
ACCURACY = 1e-3  # m, of the top of a rod of 1 m
END = 10.0  # s
PROGRAMS = ("Pinocchio", "MuJoCo", "Exudyn", "heyoka")


@dataclass(frozen=True)
class Windows(Task):
    """A row of windows, whose reference is made here."""

    def reference(self) -> Array:
        assert self.hand is not None
        rates, start = self.hand.rates, list(self.hand.start)
        found = solve_ivp(
            lambda _, y: rates(y, math),
            (0.0, self.end),
            start,
            method="DOP853",
            t_eval=self.grid,
            rtol=1e-13,
            atol=1e-14,
        )
        return np.asarray(found.y[0] - found.y[0, 0])


def windows(count: int) -> Windows:
    hand = ByHand((0.0, 1.0), iftomm.windows_rates(count), lambda y: y[:, 0])
    model = partial(iftomm.n_four_bar, count)
    return Windows(f"windows_{count}", f"{count} windows", model, END, angle("A0.angle", -1.0), hand, "m", ACCURACY)


def contenders(task: Task, count: int) -> list[Contender]:
    own = [item for item in linkwork_flow.contenders(task) if item.name == linkwork_flow.DEFAULT]
    if count > ALONE:
        return own
    asked = [name for name in PROGRAMS if name != "heyoka" or count <= COMPILED]
    return own + [item for item in find_contenders(task)[0] if item.program in asked]


def best(points: Sequence[Setting]) -> float:
    """Seconds of the fastest setting that is right enough."""
    return min((point.seconds for point in points if point.error <= ACCURACY), default=math.nan)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="rows of windows: time for 10 s, beside other programs")
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, help="numbers of windows")
    options, pace = parser.parse_args(arguments), Pace(longest=1.0, rounds=3, limit=0.2)
    print(f"{END:g} s of windows, tops right to {ACCURACY:g} m: ms")
    print(f"{'windows':>8}{'Linkwork':>10}{'a window':>10}" + "".join(f"{name:>16}" for name in PROGRAMS))
    for count in options.sizes:
        task = windows(count)
        programs = [replace(one, settings=one.settings[:7]) for one in contenders(task, count)]
        results = measure(task, programs, pace, told=lambda _: None)
        times = {name: math.nan for name in (*PROGRAMS, "Linkwork")}
        for name, points in results.items():
            program = name.split(",")[0]
            times[program] = np.fmin(times[program], best(points))
        own = times["Linkwork"]
        cells = [
            "-" if math.isnan(times[name]) else f"{1e3 * times[name]:.3g} ({times[name] / own:.1f} x)"
            for name in PROGRAMS
        ]
        print(
            f"{count:8d}{1e3 * own:10.3f}{1e6 * own / count:7.2f} us" + "".join(f"{cell:>16}" for cell in cells),
            flush=True,
        )


if __name__ == "__main__":
    lw.forget()
    main()
