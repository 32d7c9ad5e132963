"""`novikoff play` as a person starts it: the printed address, Ctrl-C, data files, and what goes wrong at the start."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from commands import novikoff

LINE = re.compile(
    r"novikoff play   http://127\.0\.0\.1:(\d+)/#t=([\w-]{32})(\S*)   \(this machine only; Ctrl-C stops\)\n"
)


@contextmanager
def playing(*options: str) -> Iterator[tuple[subprocess.Popen[str], int, str, str]]:
    """The process, its port, its token, and the rest of the fragment."""
    command = [sys.executable, "-m", "novikoff", "play", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = LINE.fullmatch(line)
            assert found is not None, line
            yield process, int(found[1]), found[2], found[3]
        finally:
            process.kill()


def called(port: int, token: str, path: str, request: dict[str, Any]) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json", "X-Novikoff-Token": token}
    connection.request("POST", path, json.dumps(request), headers)
    response = connection.getresponse()
    assert response.status == 200
    found: dict[str, Any] = json.loads(response.read())
    connection.close()
    return found


@pytest.mark.usefixtures("keyboard")
def test_the_server_answers_and_ctrl_c_stops_it_with_code_0() -> None:
    with playing() as (process, port, token, rest):
        assert rest == ""
        found = called(port, token, "/api/verdict", {"X": [[0], [1]], "y": [-1, 1]})
        assert found["separable"]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, "")
        assert err == "novikoff play: stopped\n"


def test_the_page_gets_the_rows_of_the_file_and_the_state_of_a_link(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,kind,b\n1,yes,2\n3,no,4\n")
    with playing(str(path), "--label", "kind", "--open", "#pane=plane&order=first") as (_, port, token, rest):
        assert rest == "&pane=plane&order=first"
        table = called(port, token, "/api/start", {})["table"]
        assert table["X"] == [[1.0, 2.0], [3.0, 4.0]]
        assert (table["y"], table["classes"], table["names"]) == (["yes", "no"], ["no", "yes"], ["a", "b"])


def test_examples_and_preparation_are_those_of_the_other_verbs() -> None:
    with playing("--example", "xor", "--features", "poly2") as (_, port, token, _rest):
        table = called(port, token, "/api/start", {})["table"]
        assert len(table["names"]) == 5
        assert table["bias"] is True


def test_a_port_in_use_is_code_3_with_the_way_out() -> None:
    with playing() as (_, port, _token, _rest):
        done = novikoff("play", "--no-browser", "--port", str(port))
    assert done.code == 3
    assert f"--port: found {port}, which cannot be used (Address already in use)" in done.err
    assert "or 0 for any free one" in done.err
    assert done.out == ""


def test_bad_data_is_code_3_before_anything_is_served(tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    long.write_text("a,label\n" + "1,x\n2,y\n" * 1001)
    bad = tmp_path / "bad.csv"
    bad.write_text("a,label\n1,x\ncat,y\n")
    one = tmp_path / "one.csv"
    one.write_text("a,label\n1,x\n2,x\n")
    for path, words in ((long, "2,002 rows of 1 number"), (bad, "line 3"), (one, "1 class"), (tmp_path / "no", "no")):
        done = novikoff("play", str(path), "--no-browser", "--port", "0")
        assert (done.code, done.out) == (3, "")
        assert words in done.err


def test_a_port_out_of_range_is_a_usage_error() -> None:
    assert novikoff("play", "--port", "65536").code == 2
    assert novikoff("play", "--host", "0.0.0.0").code == 2


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read on Linux")
def test_hostile_requests_do_not_fill_the_memory() -> None:
    """Sixteen of a kind at once: markup, bodies of empty lists, wide points, connections that say nothing.

    The process keeps within 500 MB, of which its libraries and compiled code take the most. It took 1,000.
    """
    wide = [[(1.5 * i * j + j) % 7 - 3 for j in range(140)] for i in range(100)]
    hostile = [
        ("/api/verdict", '{"X": [' + "[]," * 330_000 + "[]]}"),
        ("/api/verdict", '{"X": [' + '{"": 0},' * 120_000 + "{}]}"),
        ("/api/verdict", '{"X": [' + '"\u4e00",' * 160_000 + "0]}"),
        ("/api/verdict", "[" * 900_000),
        ("/api/table", json.dumps({"name": "<b>.csv", "text": "a,label\n" + "1,<script>x\n2,<img>\n" * 40_000})),
        ("/api/trace", json.dumps({"X": wide, "y": [1, -1] * 50, "features": "poly2", "max_updates": 2000})),
    ]
    with playing() as (process, port, token, _rest):

        def most() -> int:
            found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
            assert found is not None
            return int(found[1]) // 1000

        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        for one in silent:
            one.sendall(b"GET / HTTP/1.1\r\nX: " + b"a" * 60_000)
        for path, body in hostile:
            threads = [threading.Thread(target=tried, args=(port, token, path, body)) for _ in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert called(port, token, "/api/verdict", {"X": [[0], [1]], "y": [-1, 1]})["separable"]
        assert most() < 500
        for one in silent:
            one.close()


def tried(port: int, token: str, path: str, body: str) -> None:
    """A call, whatever comes of it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with suppress(OSError, http.client.HTTPException):
        headers = {"Content-Type": "application/json", "X-Novikoff-Token": token}
        connection.request("POST", path, body.encode(), headers)
        connection.getresponse().read()
    connection.close()


def test_every_file_of_the_page_is_served_and_is_in_the_wheel(tmp_path: Path) -> None:
    """Built without the network, from this folder."""
    from novikoff.play.static_files import FILES

    root = Path(__file__).resolve().parents[2]
    folder = root / "src" / "novikoff" / "play" / "static"
    assert {name for name, _ in FILES.values()} == {one.name for one in folder.iterdir()}
    builder = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    (wheel,) = builder.WheelBuilder(str(root)).build(directory=str(tmp_path))
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {f"novikoff/play/static/{name}" for name, _ in FILES.values()} <= names
