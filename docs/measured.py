"""The comparison with other programs on the front page, made from the figures of benchmarks/README.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

FIGURES = Path(__file__).parent.parent / "benchmarks" / "README.md"
ERROR = 1  # of 1e-3, 1e-6 and 1e-9
HEADS = ("a run with an error of 1e-6", "Linkwork", "best other program on its equations", "equations by hand (heyoka)")

# where the figures stand; a space is any white space
FOUND = {
    "multibody": r"MuJoCo and Exudyn take at least (\d+) times",
    "called": r"take (\d+ to \d+) times as long as the default",
    "stiff": r"CVODE's BDF and LSODA take ([\d.]+ to \d+) times",
    "four_bar": r"four-bar relative hybrid \d+ \d+ \d+ ([\d.]+)",
    "arm": r"7R arm relative hybrid \d+ \d+ \d+ ([\d.]+)",
    "batch": r"Linkwork, inverse_function (\d+)",
    "single": r"Linkwork, from Python one by one (\d+)",
    "pinocchio": r"Pinocchio, from Python one by one (\d+)",
    "empty": r"empty cache ([\d.]+)",
    "filled": r"filled cache ([\d.]+)",
    "closed": r"Linkwork, closed form ([\d.]+)",
    "numpy": r"NumPy, closed form by hand ([\d.]+)",
}
TEXT = """
- Multibody programs (Pinocchio, MuJoCo, Exudyn) take at least {multibody} times as long on all of these that they
  solve. SciPy and CVODE, which call the same compiled equations from Python, take {called} times as long; on the
  bushing, which is stiff, {stiff} times.
- One evaluation of the equations of motion, as they are by default, is {four_bar} times (four-bar) and {arm} times (arm
  of seven joints) as fast as CasADi's own evaluator.
- A million inverse dynamics of that arm take {million:.2f} s, Pinocchio called from Python {batch:.0f} times as long; called
  from Python one by one as well, Linkwork takes {single:.1f} of the time of Pinocchio.

Where others win: Taylor series (heyoka) on short smooth equations, of which `integrator="taylor"` brings most;
equations that a person has derived and simplified; the formula of a four-bar written by hand in NumPy ({numpy} s for a
million positions, Linkwork {closed} s); and the very first run of a model, which is compiled: {empty} s for a four-bar,
{filled} s from then on.
"""


def runs() -> Iterator[tuple[str, ...]]:
    """For every problem the time of the default, and those of others over it."""
    (block,) = re.findall(r"^Work and precision.*\n.*\n((?:.+\n)+?)```", FIGURES.read_text("utf-8"), re.MULTILINE)
    for line in block.splitlines():
        problem, numbers = re.match(r"(\D.*?)\s{2,}(.*)", line).groups()  # type: ignore[union-attr]
        own, _, other, hand = re.findall(r"((?:[\d.]+\s+){2}[\d.]+(?:\s+[A-Za-z]+)?|-$)", numbers)
        default = float(own.split()[ERROR])
        yield problem, f"{default:g} ms", _over(other, default), _over(hand, default)


def _over(figures: str, default: float) -> str:
    """A time over that of the default, with the name of the program."""
    if figures == "-":
        return "-"
    *times, last = figures.split()
    name = f" ({last})" if last.isalpha() else ""
    return f"{_two_digits(float([*times, last][ERROR]) / default)}{name}"


def _two_digits(ratio: float) -> str:
    return f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.1f} ×" if ratio >= 0.095 else f"{ratio:.2f} ×"


def text() -> str:
    """What stands below the table."""
    figures = FIGURES.read_text(encoding="utf-8")
    found = {name: re.search(pattern.replace(" ", r"\s+"), figures) for name, pattern in FOUND.items()}
    missing = [name for name, match in found.items() if match is None]
    if missing:
        raise ValueError(f"{FIGURES}: figures are not found any more: {', '.join(missing)}")
    values = {name: match[1] for name, match in found.items() if match is not None}
    ns = {name: float(values.pop(name)) for name in ("batch", "single", "pinocchio")}
    ratios = {"batch": ns["pinocchio"] / ns["batch"], "single": ns["single"] / ns["pinocchio"]}
    return TEXT.format(**values, million=ns["batch"] / 1e3, **ratios)
