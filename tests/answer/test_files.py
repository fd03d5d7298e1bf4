"""Files on full disks, in folders that cannot be written to, over older files, and after programs that were killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import linkwork as lw
from exact_results import conical_pendulum_result, four_bar_result
from linkwork.answer.files import refuse_existing, write_rows, written_whole
from linkwork.errors import ResultError
from linkwork.formats.examples import example_text
from linkwork.results import load_result
from linkwork.storage import new_part

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
"""


def limited(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program whose files cannot grow beyond 20 kB: each write fails as on a full disk."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED + code], cwd=folder, capture_output=True, text=True, timeout=120
    )


def contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are those of POSIX")
def test_a_full_disk_is_one_line_and_the_result_stays(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(example_text("driven_four_bar"))
    old = four_bar_result().save(tmp_path / "run.nc").read_bytes()
    code = """
import linkwork as lw
result = lw.simulate(lw.load("m.yaml"), 1.0)
for write in (result.save, result.animate, result.save, lambda path: result.plot(path=path)):
    ending = {"save": ".nc", "animate": ".html", "to_csv": ".csv"}.get(getattr(write, "__name__", ""), ".png")
    try:
        write("run" + ending)
    except lw.errors.ResultError as error:
        print(error)
print(len(result["B.x"]), result.outcome)
"""
    done = limited(code, tmp_path)
    *errors, last = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert len(errors) == 4 and all("cannot write 'run." in line and "file too large" in line for line in errors)
    assert last == "1001 completed"
    assert contents(tmp_path) == ["m.yaml", "run.nc"]
    assert (tmp_path / "run.nc").read_bytes() == old


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are those of POSIX")
def test_a_full_disk_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(example_text("pendulum"))
    code = "from linkwork.cli import main; main(['run', 'm.yaml', '--until', '1s', '-o', 'out'])"
    done = limited(code, tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and "error: cannot write 'out" in done.stderr
    assert contents(tmp_path / "out") == []


def test_a_folder_that_cannot_be_written_to_is_found_out_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from linkwork.cli import main

    def refuse(target: Path) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("linkwork.answer.files.new_part", refuse)
    monkeypatch.setattr("linkwork.simulate", lambda *_, **__: pytest.fail("it ran"))
    (tmp_path / "m.yaml").write_text(example_text("pendulum"))
    with pytest.raises(SystemExit) as stop:
        main(["run", str(tmp_path / "m.yaml"), "-o", str(tmp_path)])
    assert stop.value.code == 1 and "permission denied" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as stop:
        main(["run", str(tmp_path / "m.yaml"), "-o", str(tmp_path / "file")])
    assert stop.value.code == 1 and "cannot be made: it is a file" in capsys.readouterr().err


def test_what_killed_programs_left_is_removed(tmp_path: Path) -> None:
    kill = "import os; from pathlib import Path; from linkwork.answer.files import written_whole\n"
    kill += "with written_whole('run.nc') as part: part.write_text('half'); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", kill], cwd=tmp_path, timeout=60).returncode == 9
    assert len(contents(tmp_path)) == 1
    handle, mine = new_part(tmp_path / "other.nc")  # of a process that lives
    os.close(handle)
    (tmp_path / ".hidden").write_text("mine")
    four_bar_result().save(tmp_path / "run.nc")
    assert contents(tmp_path) == sorted([".hidden", Path(mine).name, "run.nc"])


def test_our_own_files_are_replaced_and_foreign_ones_are_not(tmp_path: Path) -> None:
    model = lw.loads(example_text("pendulum"))
    result = four_bar_result()
    writers = {
        "run.nc": result.save,
        "run.html": result.animate,
        "run.csv": result.save,
        **{
            f"run.{end}": lambda path, **way: result.plot("B.x", path=path, **way)
            for end in ("png", "svg", "pdf", "eps")
        },
        "modes.csv": lw.assembly_modes(model).save,
        "rest.csv": lw.find_equilibria(model).save,
        "linear.json": lw.linearise(model).save,
        "vibrations.csv": lw.modes(model).save,
    }
    for name, write in writers.items():
        path = tmp_path / name
        write(path)
        path.chmod(0o600)
        write(path)
        assert path.stat().st_mode & 0o777 == 0o600 or sys.platform == "win32"
        with pytest.raises(ResultError, match="exists already; choose"):
            write(path, overwrite=False)
        for foreign in ("", "mine", '"a","b"\r\n1,2\r\n', "time [s],x [m]\n0,1\n", "\x89HDF\r\n\x1a\n", "%PDF-1.4"):
            path.write_bytes(foreign.encode("latin-1"))
            with pytest.raises(ResultError, match="exists already and was not written by Linkwork"):
                write(path)
            assert path.read_bytes() == foreign.encode("latin-1")
        write(path, overwrite=True)
        assert path.read_bytes() not in (b"", b"%PDF-1.4")


def test_the_same_model_is_written_twice_and_another_one_not_over_it(tmp_path: Path) -> None:
    pose = lw.assemble(lw.loads(example_text("driven_four_bar")), {"O": "30 deg"})
    path = pose.save(tmp_path / "pose.yaml")
    pose.save(path)
    path.write_text(path.read_text() + "# edited\n")
    with pytest.raises(ResultError, match="exists already"):
        pose.save(path)


def test_devices_are_not_replaced(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("pipes with names are those of POSIX")
    os.mkfifo(tmp_path / "pipe.nc")
    with pytest.raises(ResultError, match="no regular file"):
        conical_pendulum_result().save(tmp_path / "pipe.nc", overwrite=True)


def test_links_stay_links(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("links need a privilege there")
    (tmp_path / "data").mkdir()
    (tmp_path / "run.nc").symlink_to(tmp_path / "data" / "run.nc")
    four_bar_result().save(tmp_path / "run.nc")
    assert (tmp_path / "run.nc").is_symlink()
    assert load_result(tmp_path / "data" / "run.nc").identical(four_bar_result())


def test_a_table_without_rows_and_a_block_that_fails(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [["x [m]"]])
    assert (tmp_path / "t.csv").read_bytes() == b'"x [m]"\r\n'
    with pytest.raises(ZeroDivisionError), written_whole(tmp_path / "u.csv"):
        _ = 1 / 0
    refuse_existing(tmp_path / "u.csv", overwrite=False)
    assert contents(tmp_path) == ["t.csv"]


def test_the_script_of_the_readme_runs_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    model, script = (text.split(f"```{kind}\n")[1].split("```")[0] for kind in ("yaml", "python"))
    monkeypatch.chdir(tmp_path)
    Path("four_bar.yaml").write_text(model, encoding="utf-8")
    for _ in range(2):
        exec(script, {})
    assert {"speed.png", "four_bar.html"} < set(contents(tmp_path))
