"""Plausible mistakes in sound models, and every verb on what comes of them: only Linkwork's own errors may come out.

A long run, from the root of the repository, each case in a few seconds:

    python tests/properties/mutated_models.py --count 5000 --seed 1

``--further`` tries what else can be asked of a model and of a run, instead of the usual verbs; ``--stopped`` gives some
joints stops and friction before mistakes are made, ``--touching`` lets bodies touch. A case is its seed:
``--seed 4711 --count 1 --show`` prints the model and what each verb answers. A verb that does not come back is ended from
outside by the process that watches, since nothing inside a library call can be interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import queue
import random
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any

from asked_of_models import further_verbs, verbs

ROOT = Path(__file__).parents[2]
FILES = [
    *sorted((ROOT / "src/linkwork/mechanisms").glob("*.yaml")),
    *sorted((ROOT / "tests/formats/models").glob("*.yaml")),
]
LONG = ("stewart_platform", "seven_axis_arm", "bicycle", "five_link_pendulum")  # compile for seconds: left to long runs
LIMIT = 20  # s of the processor for a verb
HUNG = 240  # s without a word after which a process is ended

BAD = ("foreign", "silent", "slow")

NUMBERS = (0.0, -1.0, 1.0, 1e-3, 1e3, 0.5, 2.0, 57.3, 1e-9, 1e9)
FORMULAS = (
    "sqrt(0.02 - t)",
    "1/(t - 0.03)",
    "1/(t - 0.0301)^2",
    "log(0.04 - t)",
    "tan(40*t)",
    "if(t > 0.05, sqrt(0.04 - t), 1)",
    "if(sin(200*t) > 0, 1, -1)",
    "asin(30*t)",
    "exp(1e4*t)",
    "10*sin(50*t)",
    "5 deg",
    "3 kg",
    "0/0",
    "t^-1",
    "mod(t, 0)",
)


def sources(long: bool) -> list[Path]:
    """The sound files."""
    return [path for path in FILES if long or path.stem not in LONG]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All paths inside plain data."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def mutated(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Plain data of a model with one to three mistakes that somebody could make."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        with contextlib.suppress(KeyError, IndexError, TypeError, ValueError):
            rng.choice(MISTAKES)(data, rng)
    return data


def _number(data: dict[str, Any], rng: random.Random) -> None:
    """Another number."""
    found = [path for path in places(data) if type(at(data, path)) in (int, float) and path[0] != "linkwork"]
    path = rng.choice(found)
    old = at(data, path)
    at(data, path[:-1])[path[-1]] = rng.choice((rng.choice(NUMBERS), old * rng.choice(NUMBERS), -old))


def _formula(data: dict[str, Any], rng: random.Random) -> None:
    """A formula in the place of a number or of another formula."""
    kinds = ("forces", "drivers", "initial", "outputs", "parameters", "relations")
    found = [p for p in places(data) if p[0] in kinds and not isinstance(at(data, p), dict | list | tuple)]
    path = rng.choice(found)
    at(data, path[:-1])[path[-1]] = rng.choice(FORMULAS)


def _name(data: dict[str, Any], rng: random.Random) -> None:
    """Another name of the same model."""
    names = [name for section in ("bodies", "points", "joints", "parameters") for name in data.get(section, ())]
    path = rng.choice([p for p in places(data) if at(data, p) in names and isinstance(at(data, p), str)])
    at(data, path[:-1])[path[-1]] = rng.choice([*names, "ground"])


def _left_out(data: dict[str, Any], rng: random.Random) -> None:
    """A key that is forgotten."""
    path = rng.choice([p for p in places(data) if isinstance(at(data, p[:-1]), dict)])
    del at(data, path[:-1])[path[-1]]


def _swapped(data: dict[str, Any], rng: random.Random) -> None:
    """Two entries of a list the other way round, or two values of a section."""
    if rng.random() < 0.5:
        path = rng.choice([p for p in places(data) if isinstance(at(data, p), list) and len(at(data, p)) > 1])
        at(data, path).reverse()
        return
    section = data[rng.choice(("points", "bodies", "joints"))]
    one, other = rng.sample(sorted(section), 2)
    section[one], section[other] = section[other], section[one]


def _twice(data: dict[str, Any], rng: random.Random) -> None:
    """An element that stands there twice."""
    section = data[rng.choice(("joints", "bodies", "drivers", "forces", "relations", "couplings"))]
    name = rng.choice(sorted(section))
    section[f"{name}_2"] = copy.deepcopy(section[name])
    if "at" not in section[name] and "kind" in section[name]:
        section[f"{name}_2"].setdefault("at", name)


def _kind(data: dict[str, Any], rng: random.Random) -> None:
    """A joint of another kind."""
    joint = data["joints"][rng.choice(sorted(data["joints"]))]
    kinds = ("revolute", "prismatic", "fixed", "spherical", "cylindrical", "universal", "planar", "free", "helical")
    joint["kind"] = rng.choice(kinds)
    if rng.random() < 0.6:
        joint["axis"] = [0, 0, 1][: 2 if data["space"] == "planar" else 3] if rng.random() < 0.5 else [1, 0, 0]
        joint["axis"] = joint["axis"][: 2 if data["space"] == "planar" else 3]


def _driver(data: dict[str, Any], rng: random.Random) -> None:
    """One driver more."""
    level = rng.choice(("position", "speed", "acceleration"))
    formula = rng.choice((*FORMULAS, "2*t", "0.3", "sin(20*t)"))
    data.setdefault("drivers", {})["more"] = {"joint": rng.choice(sorted(data["joints"])), level: formula}


def _force(data: dict[str, Any], rng: random.Random) -> None:
    """One effort more."""
    formula = rng.choice((*FORMULAS, "-5*J.speed", "100/J.angle", "sqrt(J.angle)", "sign(J.speed)"))
    joint = rng.choice(sorted(data["joints"]))
    entry = {"kind": "effort", "joint": joint, "value": formula.replace("J.", f"{joint}.")}
    data.setdefault("forces", {})["more"] = entry


def _output(data: dict[str, Any], rng: random.Random) -> None:
    """An output more."""
    joint = rng.choice(sorted(data["joints"]))
    data.setdefault("outputs", {})["more"] = rng.choice((*FORMULAS, f"sqrt({joint}.angle)", f"1/{joint}.speed"))


def _initial(data: dict[str, Any], rng: random.Random) -> None:
    """An initial value more."""
    key = rng.choice(("angle", "speed", "position"))
    data.setdefault("initial", {}).setdefault(rng.choice(sorted(data["joints"])), {})[key] = rng.choice(NUMBERS)


MISTAKES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    _number, _number, _number, _formula, _formula, _name, _name, _left_out, _swapped, _swapped, _twice, _kind, _driver,
    _driver, _force, _output, _initial,
)  # fmt: skip


# -- stops and friction -------------------------------------------------------------------------------------------------

STOPS: tuple[dict[str, Any], ...] = (
    {"restitution": 0}, {"restitution": 0.5}, {"restitution": 1}, {"restitution": "back"},
    {"stiffness": 1e4}, {"stiffness": 1e4, "damping": 5},
)  # fmt: skip
ENDS: tuple[tuple[float | str | None, float | str | None], ...] = (
    (-3, 3), (None, 0.01), (-1e-9, None), (-0.05, 0.05), ("-reach", "reach"), (0, None), (6, 7), (1, 4),
)  # fmt: skip
RUBBING: dict[str, tuple[float | str, ...]] = {
    "static": (0.6, 0.5, "0.5 + rubs"),
    "length": (0.1, 0.02, "reach"),
    "smoothing": (1e-2, 1e-4, 1e-9),
    "viscous": (0.5, 0, "rubs"),
}
SLIPPING = ("revolute", "prismatic", "helical", "point_on_line", "cylindrical", "spherical", "point_on_plane")


def with_stops(model: Any, rng: random.Random) -> dict[str, Any]:
    """Plain data of a model with stops and friction in some of its joints, and parameters that they may read."""
    data = copy.deepcopy(model.to_dict())
    live = {"back": 0.4, "reach": 0.3, "rubs": 0.2}
    data.setdefault("parameters", {}).update({name: {"value": value, "live": True} for name, value in live.items()})
    for name in sorted(data.get("joints", ())):
        joint, plane = data["joints"][name], data["space"] == "planar"
        freedoms = [freedom.name for freedom in model.joints[name].freedoms if freedom.kind != "spin"]
        if freedoms and rng.random() < 0.4:
            joint["limits"] = {freedom: list(rng.choice(ENDS)) for freedom in freedoms}
            joint["stops"] = dict(rng.choice(STOPS))
        if joint["kind"] in SLIPPING and rng.random() < 0.5:
            sized = () if plane and joint["kind"] in ("prismatic", "point_on_line") else ("radius",)
            sized = () if joint["kind"] in ("point_on_line", "point_on_plane") else sized
            taking = joint["kind"] == "prismatic" or (not plane and joint["kind"] in ("revolute", "cylindrical"))
            more = [key for key in RUBBING if rng.random() < 0.2 and (taking or key != "length")]
            joint["friction"] = {"coefficient": rng.choice((0.1, 0.5, "rubs")), **dict.fromkeys(sized, 0.01)}
            joint["friction"] |= {key: rng.choice(RUBBING[key]) for key in more}
    return data


TOUCHING: tuple[dict[str, Any], ...] = (
    {}, {"friction": 0.3}, {"restitution": 0.5}, {"friction": 0.3, "restitution": 1}, {"friction": 0.3, "static": 0.6},
    {"stiffness": 1e4}, {"stiffness": 1e4, "damping": 5, "friction": 0.5}, {"friction": 0.5, "smoothing": 1e-3},
)  # fmt: skip
WHEN: tuple[dict[str, Any], ...] = (
    {"at": 0.02}, {"at": [0.0, 0.05]}, {"when": "t - 0.03", "crossing": "rising"}, {"when": "J.speed"},
    {"when": "sin(100*t)"},
)  # fmt: skip


def with_contacts(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same with a floor and a ball that its bodies may touch, and with bodies that are held and let go."""
    axes, bodies, joints = (
        (2 if data["space"] == "planar" else 3),
        sorted(data["bodies"]),
        sorted(data.get("joints", ())),
    )
    if rng.random() < 0.7:
        up, deep = [0] * (axes - 1) + [1], rng.choice((-2.0, -0.5, -0.1, 0.0))
        floor = {"plane": up, "at": [0] * (axes - 1) + [deep]}
        ball = {"ball": rng.choice((0.05, 0.5)), "at": [rng.choice((1.0, -0.3))] + [0] * (axes - 1)}
        data.setdefault("surfaces", {}).update({"floor": floor, "stone": ball})
        chosen = rng.sample(bodies, min(len(bodies), rng.choice((1, 2, 3))))
        chosen = [name for name in chosen if any(data["bodies"][name].get(key) for key in ("bar", "points", "shapes"))]
        named = {"between": [*rng.choice((["floor"], ["floor", "stone"], ["ground"])), *chosen], **rng.choice(TOUCHING)}
        data.setdefault("contacts", {})["landing"] = named
    if rng.random() < 0.5:
        when = dict(rng.choice(WHEN))
        if "when" in when:
            when["when"] = when["when"].replace("J", rng.choice(joints) if joints else "J")
        data.setdefault("switches", {})["stand"] = {"ground": rng.choice(bodies), **when}
        data["switches"]["lift"] = {"release": "stand", **rng.choice(({"at": 0.04}, {"force": "1 N"}, {"moment": 0.1}))}
    return data


# -- attempts ---------------------------------------------------------------------------------------------------------


class Slow(BaseException):
    """A verb that has taken too long."""


def _alarm(*_: object) -> None:
    raise Slow


def attempt(verb: Callable[[], object]) -> tuple[str, str]:
    """'fine', 'refused', 'slow', 'silent' or 'foreign', and what there is to say."""
    from linkwork.errors import LinkworkError

    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        found = verb()
    except LinkworkError as error:
        return "refused", f"{type(error).__name__}: {error}"
    except Slow:
        return "slow", traceback.format_exc(limit=-4)
    except Exception as error:
        return "foreign", f"{type(error).__name__}: {error}\n" + traceback.format_exc(limit=-6)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ("silent", str(found)) if found else ("fine", "")


def cases(first: int, count: int, given: argparse.Namespace) -> None:
    """Run cases one after the other; a line for each verb, before and behind it."""
    import linkwork as lw
    from linkwork.errors import LinkworkError

    signal.signal(signal.SIGPROF, _alarm)
    sound = cache(lw.load)
    for seed in range(first, first + count):
        rng = random.Random(seed)
        path = rng.choice(sources(given.long))
        data = with_stops(sound(path), rng) if given.stopped else sound(path).to_dict()
        data = mutated(with_contacts(copy.deepcopy(data), rng) if given.touching else data, rng)
        print(f"case {seed} {path.stem}", flush=True)
        try:
            model = lw.Model(**data)
            text = lw.dump(model)
            lw.loads(text)
        except LinkworkError as error:
            print(f"end {seed} load refused", flush=True)
            if given.show:
                print(error)
            continue
        if given.show:
            print(text)
        for name, verb in (further_verbs if given.further else verbs)(model).items():
            print(f"begin {seed} {name}", flush=True)
            status, words = attempt(verb)
            print(f"end {seed} {name} {status}", flush=True)
            if words and (given.show or status in BAD):
                print("\n".join(f"  | {line}" for line in words.splitlines()), flush=True)


# -- watching ----------------------------------------------------------------------------------------------------------


def watch(first: int, count: int, *options: str) -> tuple[dict[str, int], list[str]]:
    """Run cases in a process of its own, and again behind one that hangs: how often what happened, and the faults.

    options: of the command, such as --further
    """
    tally: dict[str, int] = {}
    faults: list[str] = []
    seed = first
    while seed < first + count:
        command = [sys.executable, "-W", "ignore", __file__, "--worker", "--seed", str(seed)]
        command += ["--count", str(first + count - seed), *options]
        seed = _watched(command, tally, faults) + 1
    return tally, faults


def _watched(command: list[str], tally: dict[str, int], faults: list[str]) -> int:
    """Start a process and hear what it says. Returns the last case."""
    lines: queue.Queue[str] = queue.Queue()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT) as process:
        reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
        reader.start()
        try:
            return _listen(command, process, lines, tally, faults)
        finally:
            reader.join()


def _listen(
    command: list[str],
    process: subprocess.Popen[str],
    lines: queue.Queue[str],
    tally: dict[str, int],
    faults: list[str],
) -> int:
    """The last case that a process has come to; it is ended where it says nothing for too long."""
    last, doing, said = int(command[command.index("--seed") + 1]), "", ""
    while True:
        try:
            line = lines.get(timeout=HUNG)
        except queue.Empty:
            process.kill()
            _tell(faults, f"case {last}: {doing} does not come back")
            return last
        words = line.split()
        if not line:
            process.wait()
            if process.returncode:
                _tell(
                    faults,
                    f"case {last}: {doing or 'load'} ends the process with {process.returncode}\n{said}".rstrip(),
                )
                return last
            return last if doing else 10**12
        if words[:1] == ["case"]:
            last, said = int(words[1]), ""
        elif words[:1] == ["begin"]:
            doing = words[2]
        elif words[:1] == ["end"]:
            doing = ""
            tally[f"{words[2]} {words[3]}"] = tally.get(f"{words[2]} {words[3]}", 0) + 1
            if words[3] in BAD:
                _tell(faults, f"case {last}: {words[2]} {words[3]}")
        elif line.startswith("  |"):
            faults[-1] += "\n" + line.rstrip()
            print(line.rstrip(), flush=True)
        else:
            said += line  # of a process that breaks off


def _tell(faults: list[str], fault: str) -> None:
    """Keep a fault, and print it as soon as it is known."""
    faults.append(fault)
    print(fault, flush=True)


def _read(stream: IO[str], lines: queue.Queue[str]) -> None:
    """Hand on all lines, and an empty text at their end."""
    for line in stream:
        lines.put(line)
    lines.put("")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--long", action="store_true", help="models that compile for seconds too")
    parser.add_argument("--further", action="store_true", help="what else can be asked, instead of the usual verbs")
    parser.add_argument("--stopped", action="store_true", help="with stops and friction in joints")
    parser.add_argument("--touching", action="store_true", help="with contacts of bodies and switches")
    parser.add_argument("--show", action="store_true", help="print models and answers, without a watching process")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker or given.show:
        cases(given.seed, given.count, given)
        return 0
    options = [f"--{name}" for name in ("long", "further", "stopped", "touching") if getattr(given, name)]
    tally, faults = watch(given.seed, given.count, *options)
    print("\n".join(f"{number:7d}  {what}" for what, number in sorted(tally.items())))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
