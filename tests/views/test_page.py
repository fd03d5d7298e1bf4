"""The page: one file, no network, safe with any name, and it runs in a browser."""

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import linkwork as lw
from exact_results import conical_pendulum_result, four_bar_result
from linkwork.errors import AuditWarning, ResultError
from linkwork.results import ArraySource, Quantity, Result
from linkwork.results.audit import Audit, Check
from linkwork.views.page import script_json

HOSTILE = "</script><script>document.documentElement.dataset.state='stolen'</script><!--%%DATA%%\u2028&quot;"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def hostile_result() -> Result:
    result = four_bar_result(samples=11)
    catalogue = {
        **result.source.catalogue,
        HOSTILE: Quantity(HOSTILE, HOSTILE, HOSTILE),
        "__proto__": Quantity("__proto__", ""),
    }
    arrays = result.source.evaluate(result.names()) | {HOSTILE: result.time, "__proto__": result.time}
    return replace(result, name=HOSTILE, noted=(HOSTILE,), source=ArraySource(catalogue, arrays))


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def test_page_is_one_file_without_a_network(tmp_path: Path) -> None:
    page = four_bar_result().animate(tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"https?://|\bsrc=|<link|@import|url\(", page)
    assert "default-src 'none'" in page
    assert "%%" not in page
    assert data_of(page)["name"] == "four_bar"


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    page = hostile_result().animate(tmp_path / "page.html").read_text(encoding="utf-8")
    data = data_of(page)
    assert data["name"] == HOSTILE
    assert HOSTILE in [quantity["name"] for quantity in data["quantities"]]
    assert page.count("<script") == page.count("</script>") == 2


def test_json_cannot_leave_its_element() -> None:
    text = script_json({"a": "<!--</script>&\u2029"})
    assert not set("<>&\u2029") & set(text)
    assert json.loads(text) == {"a": "<!--</script>&\u2029"}


def test_page_is_never_written_over_another(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("mine")
    with pytest.raises(ResultError, match="exists already"):
        four_bar_result().animate(path)
    assert path.read_text() == "mine"
    with pytest.raises(ResultError, match=r"ending \.html"):
        four_bar_result().animate(tmp_path / "page.gif")


def test_notebook_shows_the_page_in_a_closed_frame() -> None:
    frame = four_bar_result()._repr_html_()
    inside = re.search(r'<iframe sandbox="allow-scripts" srcdoc="([^"]*)" .*></iframe></div>', frame, re.DOTALL)
    assert inside is not None
    data = data_of(html.unescape(inside.group(1)))
    assert data["name"] == "four_bar" and data["autoplay"] is False


def test_notebook_shows_text_when_there_is_no_motion() -> None:
    result = four_bar_result()
    assert replace(result, time=result.time[:0])._repr_html_().startswith("<pre ")


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
@pytest.mark.parametrize(
    "result", [four_bar_result(), conical_pendulum_result(), hostile_result(), four_bar_result(samples=1)],
    ids=["planar", "spatial", "hostile", "one frame"],
)  # fmt: skip
def test_page_runs_in_a_browser(result: Result, tmp_path: Path) -> None:
    done = in_browser(result.animate(tmp_path / "page.html"), tmp_path)
    assert 'data-state="ready"' in done.stdout
    assert "CONSOLE" not in done.stderr
    assert html.escape(result.name, quote=False).split("\u2028")[0] in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
def test_a_long_finding_leaves_the_name_its_room(tmp_path: Path) -> None:
    """The name of the model is shown whole; the finding is cut, and all of it is there for who points at it."""
    finding = "the energy is off by 3.2 J of 4 J: tighten rtol, or take another formulation such as 'hybrid' " * 6
    result = four_bar_result()
    failing = Audit((Check("energy", 1.0, 1e-6, finding=finding),))
    shown = replace(result, auditor=lambda: failing)
    with pytest.warns(AuditWarning):
        page = shown.animate(tmp_path / "page.html")
    measure = "<script>const h = document.getElementById('name'), o = document.getElementById('outcome');"
    measure += "document.title = `${h.scrollWidth <= h.clientWidth} ${o.title.length} ${o.offsetHeight < 60}`</script>"
    page.write_text(page.read_text().replace("</body>", f"{measure}</body>"))
    title = re.search(r"<title>(.*?)</title>", in_browser(page, tmp_path).stdout)
    assert title is not None
    whole, length, low = title.group(1).split()
    assert whole == "true" and low == "true" and int(length) > len(finding)


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
def test_angles_are_read_in_degrees_beside_other_quantities(tmp_path: Path) -> None:
    page = four_bar_result().animate(tmp_path / "page.html", plot=["crank.angle", "crank.speed", "A.x"])
    for wish, angle, speed in (("t=0.25&degrees", "90", "360"), ("t=0.25", "1.571", "6.283")):
        shown = in_browser(page, tmp_path, wish).stdout
        readings = dict(re.findall(r"</i>([\w.]+) <b>([^<]*)</b>", shown))
        assert readings["crank.angle"] == angle and readings["crank.speed"] == speed
        assert abs(float(readings["A.x"])) < 1e-6


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
@pytest.mark.parametrize("name", ["bicycle", "stewart_platform", "planetary_gear", "rack_steering", "cam_follower"])
def test_pages_of_mechanisms_run_with_everything_shown(name: str, tmp_path: Path) -> None:
    """Wheels, struts, teeth, a rack, a cam: the page draws them all and says which body it follows."""
    page = lw.simulate(lw.example(name), until=0.1, step=0.01).animate(tmp_path / "page.html")
    done = in_browser(page, tmp_path)
    assert 'data-state="ready"' in done.stdout and "CONSOLE" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
def test_the_page_of_modes_runs(tmp_path: Path) -> None:
    done = in_browser(lw.assembly_modes(lw.example("four_bar")).animate(tmp_path / "modes.html"), tmp_path, "t=2")
    assert 'data-state="ready"' in done.stdout and "CONSOLE" not in done.stderr
    assert re.search(r'aria-pressed="true"[^>]*><b[^>]*>2</b>', done.stdout)


def falling_gate() -> Result:
    """A gate that falls shut on a stop, and sticks."""
    gate = lw.loads("""
        linkwork: 1
        space: planar
        gravity: [0, -9.81]
        points: {O: [0, 0], A: [0.6, 0.8]}
        bodies: {gate: {bar: [O, A], mass: 4}}
        joints:
          O:
            kind: revolute
            bodies: [ground, gate]
            limits: [0, null]
            stops: {restitution: 0.4}
            friction: {coefficient: 0.2, radius: 20 mm}
        """)
    return lw.simulate(gate, until=1)


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
def test_the_page_says_what_holds_now(tmp_path: Path) -> None:
    run = falling_gate()
    page, closed = run.animate(tmp_path / "page.html"), run.modes[-1].start
    both = ["O.angle.lower (pressed)", "O.friction (sticks)"]
    for time, held in ((0.0, []), (closed - 1e-6, []), (closed, both), (0.97, both), (1.0, both)):
        done = in_browser(page, tmp_path, f"t={time!r}")
        found = re.search(r'<ul id="holding"[^>]*>(.*?)</ul>', done.stdout, re.DOTALL)
        assert found is not None and "CONSOLE" not in done.stderr
        assert re.findall(r"</i>([^<]*)</li>", found.group(1)) == held, time


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium found")
def test_events_of_the_page_lead_to_their_times(tmp_path: Path) -> None:
    run = falling_gate()
    page = run.animate(tmp_path / "page.html")
    # a change of units draws at once, without a frame
    click = "<script>document.querySelectorAll('{}')[1].click(); document.getElementById('degrees').click();"
    click += "document.title = document.getElementById('scrub').value + ' ' + document.querySelectorAll('#event-list "
    click += "[aria-pressed=true]').length + ' ' + document.querySelectorAll('#marks button')[1].title;</script>"
    plain = page.read_text()
    for what in ("#marks button", "#event-list button"):
        page.write_text(plain.replace("</body>", click.format(what) + "</body>"))
        title = re.search(r"<title>(.*?)</title>", in_browser(page, tmp_path, "t=0").stdout, re.DOTALL)
        assert title is not None
        time, pressed, told = title.group(1).split(" ", 2)
        assert float(time) == pytest.approx(run.events[1].time, rel=1e-12) and pressed == "1"
        assert told.startswith("O.angle.lower is hit at ") and "impulse = " in told


def in_browser(
    page: Path, folder: Path, wish: str = "show=names,reactions,applied,masses"
) -> subprocess.CompletedProcess[str]:
    """The page as Chromium has it after a while; *wish*: how it is opened."""
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=800", "--enable-logging=stderr", "--v=0",
        "--dump-dom", f"{page.as_uri()}#{wish}",
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
