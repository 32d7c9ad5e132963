"""`novikoff play` as a process: the printed address, answers equal to those of the library, and what is refused."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff

LINE = re.compile(
    r"novikoff play   http://127\.0\.0\.1:(\d+)/#t=([\w-]{32})(\S*)   \(this machine only; Ctrl-C stops\)\n"
)
LECTURES = ("tao", "cornwell", "spam", "or", "xor", "and")
XOR = {"X": [[0, 0], [1, 0], [0, 1], [1, 1]], "y": [-1, 1, 1, -1]}


class Server:
    """A server that runs: its process, and what its first line says."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        found = LINE.fullmatch(process.stdout.readline())
        assert found is not None
        self.process, self.port, self.token, self.rest = process, int(found[1]), found[2], found[3]

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> tuple[int, Any, bytes]:
        """Status, headers and body of a request; header names are written with underscores, None leaves one out."""
        given = {"Host": f"127.0.0.1:{self.port}"} | {k.replace("_", "-"): v for k, v in headers.items()}
        if body is not None:
            given.setdefault("Content-Length", str(len(body)))
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()

    def call(self, path: str, request: Any, **headers: str | None) -> tuple[int, Any]:
        """Status and answer of a call with the token; the request may be its bytes."""
        given = {"Content_Type": "application/json", "X_Novikoff_Token": self.token} | headers
        body = request if isinstance(request, bytes) else json.dumps(request).encode()
        status, _, answer = self.ask("POST", f"/api/{path}", body, **given)
        return status, json.loads(answer, parse_constant=lambda text: pytest.fail(f"{path}: {text} is not JSON"))

    def answer(self, path: str, request: Any) -> Any:
        status, found = self.call(path, request)
        assert status == 200, found
        return found

    def said(self, *parts: bytes) -> bytes:
        """What comes back of bytes that are sent as they are."""
        found = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection, suppress(ConnectionError):
            for part in parts:
                connection.sendall(part)
            while some := connection.recv(1 << 16):
                found += some
        return found


@contextmanager
def playing(*options: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "novikoff", "play", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield Server(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with playing() as one:
        yield one


def posted(name: str) -> dict[str, Any]:
    """An example as the page sends it: labels −1 and 1, the positive class last."""
    X, y = nv.example(name)
    labels = np.where(y == sorted(set(y.tolist()))[-1], 1, -1)
    return {"X": X.tolist(), "y": labels.tolist(), "bias": name != "tao"}


# ---- the process ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("keyboard")
def test_ctrl_c_stops_it_with_code_0_and_each_start_has_its_own_token(server: Server) -> None:
    with playing("--open", "t=zzz&pane=capacity") as one:
        assert (one.rest, one.token != server.token) == ("&pane=capacity", True)
        assert one.answer("verdict", {"X": [[0], [1]], "y": [-1, 1]})["separable"]
        one.process.send_signal(signal.SIGINT)
        out, err = one.process.communicate(timeout=60)
        assert (one.process.returncode, out, err) == (0, "", "novikoff play: stopped\n")


def test_the_page_gets_the_rows_of_the_file_and_the_state_of_a_link(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,kind,b\n1,yes,2\n3,no,4\n")
    with playing(str(path), "--label", "kind", "--features", "poly2", "--open", "#pane=plane&order=first") as one:
        assert one.rest == "&pane=plane&order=first"
        table = one.answer("start", {})["table"]
        assert [row[:2] for row in table["X"]] == [[1.0, 2.0], [3.0, 4.0]]
        assert (table["y"], table["classes"]) == (["yes", "no"], ["no", "yes"])
        assert (len(table["names"]), table["names"][:2]) == (5, ["a", "b"])


def test_what_cannot_be_served_is_said_before_anything_is_served(server: Server, tmp_path: Path) -> None:
    tables = {"long": "a,label\n" + "1,x\n2,y\n" * 1001, "bad": "a,label\n1,x\ncat,y\n", "one": "a,label\n1,x\n2,x\n"}
    for name, text in tables.items():
        (tmp_path / f"{name}.csv").write_text(text)
    for args, code, words in [
        ([tmp_path / "long.csv"], 3, "2,002 rows of 1 number"),
        ([tmp_path / "bad.csv"], 3, "line 3"),
        ([tmp_path / "one.csv"], 3, "1 class"),
        ([tmp_path / "no.csv"], 3, "No such file"),
        (["--port", server.port], 3, f"--port: found {server.port}, which cannot be used (Address already in use)"),
        (["--port", 65536], 2, "65536"),
        (["--host", "0.0.0.0"], 2, "No such option '--host'"),
    ]:
        done = novikoff("play", "--no-browser", *(args if "--port" in args else [*args, "--port", 0]))
        assert (done.code, done.out) == (code, "")
        assert words in done.err


# ---- answers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LECTURES)
def test_a_verdict_is_that_of_decide_and_margin(server: Server, name: str) -> None:
    request = posted(name)
    found = server.answer("verdict", request | {"margin": True, "certificate": True})
    X, y = np.array(request["X"]), np.array(request["y"])
    v = nv.decide(X, y, fit_intercept=request["bias"])
    assert (found["separable"], found["kind"], found["text"]) == (v.separable, v.kind, v.explain())
    assert nv.verify(found["certificate"], X, y) == v.kind
    if not v.separable:
        assert [int(w) for w in found["weights"]] == list(v.weights)
        assert found["obstruction"]["point"] == ["1/2", "1/2"]
        return
    assert [int(w) for w in found["w"]] == list(v.w or ())
    m = nv.margin(X, y, fit_intercept=request["bias"])
    assert Fraction(found["margin"]["padded"]["gamma2"]) == m.padded.gamma2
    assert Fraction(found["margin"]["radius2"]) == m.radius2[1]
    assert (found["margin"]["bound"], found["margin"]["is_exact"]) == (str(int(m.mistake_bound[1])), True)


def test_bounds_of_other_starts_and_rates_are_exact(server: Server) -> None:
    m = nv.margin(*nv.example("cornwell"))
    for eta in ("1e-1", "0.1", "1/10", ".1"):
        request = posted("cornwell") | {"margin": True, "w0": ["-5e1", "0", "0"], "eta": eta, "max_updates": 2000}
        bound = int(server.answer("verdict", request)["margin"]["bound"])
        assert server.answer("trace", request)["updates"] <= bound
        assert bound == m.mistake_bound_from([-50, 0, 0], Fraction(1, 10))
    for x in (1e-9, 1e-200):  # the widest plane of 0 and x is at x/2, R² = 1 + x²; padded γ² = 1/(4/x² + 1)
        found = server.answer("verdict", {"X": [[0, 0], [x, 0]], "y": [-1, 1], "margin": True})
        assert int(found["margin"]["bound"]) == int((1 + Fraction(x) ** 2) * (4 / Fraction(x) ** 2 + 1))
    found = server.answer("verdict", {"X": [[0, 0], [5e-324, 0]], "y": [-1, 1], "margin": True})
    assert found["separable"]
    assert "no double holds the plane" in found["no_margin"]


@pytest.mark.parametrize("order", ["cyclic", "first", "shuffle", "random"])
@pytest.mark.parametrize("rule", ["perceptron", "margin", "pa1"])
def test_steps_are_those_of_trace(server: Server, order: str, rule: str) -> None:
    request = posted("cornwell") | {"order": order, "rule": rule, "seed": 5, "eta": "1/2", "max_updates": 30}
    X, y = nv.example("cornwell")
    run = nv.trace(X, y, order=order, rule=rule, seed=5, eta0=Fraction(1, 2), max_updates=30)
    found = server.answer("trace", request)
    wanted = run.to_dict()["steps"]
    names = ("row", "w", "score")
    assert [[s[name] for name in names] for s in found["steps"]] == [[s[name] for name in names] for s in wanted]
    assert (found["stop_reason"], found["limit"]) == (run.stop_reason, 30)


def test_batches_products_and_limits_of_runs(server: Server) -> None:
    found = server.answer("trace", posted("cornwell") | {"order": "batch"})
    assert [step["rows"] for step in found["steps"]] == [[0, 1, 2, 3], [3]]
    run = server.answer("trace", posted("xor") | {"features": "poly2"})
    assert (run["stop_reason"], run["d"]) == ("separated", 5)
    assert server.answer("trace", posted("or") | {"rule": "pa", "max_updates": 2000})["limit"] == 100
    many = {"X": [[float(i), 0.0] for i in range(2000)], "y": [1 if i % 2 else -1 for i in range(2000)]}
    assert server.answer("trace", many | {"max_updates": 2000})["limit"] <= 1000


def test_exports_and_many_runs_are_those_of_trace_and_of_the_experiments(server: Server) -> None:
    X, y = nv.example("cornwell")
    run, margin = nv.trace(X, y), nv.margin(X, y)
    wanted = {"latex": run.to_latex(), "csv": run.to_csv(), "text": run.to_text(),
              "html": run.to_html(margin, "points of the play page")}  # fmt: skip
    for kind, text in wanted.items():
        assert server.answer("export", posted("cornwell") | {"format": kind})["text"] == text
    page = server.answer("export", posted("cornwell") | {"format": "html", "rule": "margin"})["text"]
    assert "No bound is shown: it holds for the rule perceptron" in page
    for vary, experiment in (("orders", nv.orders_experiment), ("starts", nv.starts_experiment)):
        found = server.answer("runs", posted("cornwell") | {"vary": vary, "seed": 3})
        assert found == json.loads(json.dumps(experiment(X, y, trials=100, seed=3, max_updates=2_000).to_dict()))


@pytest.mark.parametrize("keep", ["last", "pocket", "average", "vote"])
def test_a_fit_is_that_of_perceptron(server: Server, keep: str) -> None:
    X, y = nv.example("or")
    model = nv.Perceptron(keep=keep, order="cyclic", max_updates=1000, random_state=0).fit(X[:3], y[:3])
    found = server.answer("fit", posted("or") | {"keep": keep, "order": "cyclic", "test": [3]})
    assert (found["w"], found["b"]) == (model.coef_[0].tolist(), model.intercept_[0])
    assert found["train"] == {"n": 3, "errors": 0}
    assert found["test"] == {"n": 1, "errors": int(model.predict(X[3:])[0] != y[3])}


def test_the_curve_and_its_simulation(server: Server) -> None:
    found = server.answer("capacity", {"N": 5})
    assert (found["count"], found["exact"]) == ("512", "1/2")
    assert all(row["fraction"] == float(nv.separable_fraction(row["P"], 5)) for row in found["rows"])
    sizes = server.answer("capacity", {"N": 3})["sizes"]
    rows = [server.answer("simulate", {"N": 3, "P": P, "trials": 5, "seed": 2}) for P in sizes]
    wanted = nv.capacity_experiment(N=3, trials=5, seed=2).rows
    assert [(row["P"], row["measured"]) for row in rows] == [(row["P"], row["measured"]) for row in wanted]


def test_digits_are_classified_by_the_shown_weights(server: Server) -> None:
    found = server.answer("digits", {})
    assert (found["test"]["n"], found["test"]["errors"] < 40) == (449, True)
    X, _ = nv.example("digits")
    for x in X[:20]:
        scores = x @ np.array(found["weights"]).T + found["biases"]
        assert server.answer("digit", {"cells": x.tolist()})["class"] == int(np.argmax(scores))


def test_tables_are_read_as_the_library_reads_files(server: Server) -> None:
    start = server.answer("start", {})
    assert (set(start["examples"]), start["table"]) == (set(LECTURES), None)
    found = server.answer("table", {"name": "my points.csv", "text": "a,b,class\n1,2.5,+\n0,1,-\n"})
    assert found == {"name": "my points.csv", "X": [[1.0, 2.5], [0.0, 1.0]], "y": ["+", "-"], "classes": ["-", "+"],
                     "names": ["a", "b"]}  # fmt: skip
    for text, words in [
        ("a,b,class\n1,cat,x\n0,1,y\n", "bad.csv, line 2, column 2 ('b'): found 'cat'; a number was expected; leave"),
        ("a,b,class\n1,,x\n0,1,y\n", "found an empty cell; a number was expected; leave this row or column out, or"),
        ("", "bad.csv"),
        ("a,b,class\n1,2,x\n", "found 1 class, expected 2 to 50"),
        ("a,b,l\n3,4,1\n1,1e12,0\n", "bad.csv, row 2, column b: found 1e+12; the page takes numbers between -1e+09"),
        ("a,b,class\n" + "1,2,x\n3,4,y\n" * 1001, "2,002 rows"),
    ]:
        status, found = server.call("table", {"name": "bad.csv", "text": text})
        assert (status, words in found["error"]) == (422, True), found
        assert not any(word in found["error"] for word in ("/tmp", "one_hot", "missing=", "format=", "`"))


# ---- what the page may not send ------------------------------------------------------------------------------------

GOOD = posted("or")
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("verdict", {"X": "x"}, "a list of points"),
    ("verdict", {"X": [[0]] * 3}, "a list of as many labels"),
    ("verdict", {"X": [[0, 0], [1], [2, 2], [3, 3]]}, "the same number of coordinates"),
    ("verdict", {"X": [[], [], [], []]}, "at least one"),
    ("verdict", {"X": [["1", 0]] * 4}, "a list of numbers"),
    ("verdict", {"X": [[1e300, 0]] * 4}, "between -1e+09 and 1e+09"),
    ("verdict", {"X": [[0, 0]] * 2001, "y": [1] * 2001}, "up to 2,000"),
    ("verdict", {"X": [[0] * 100] * 300, "y": [1, -1] * 150}, "up to 20,000"),
    ("verdict", {"y": [0, 1, 1, 1]}, "the labels -1 and 1"),
    ("verdict", {"y": [1, 1, 1, 1]}, "y: found one class; put at least one point of each colour"),
    ("verdict", {"bias": "yes"}, "true or false"),
    ("verdict", {"features": "poly9"}, "expected one of"),
    ("verdict", {"margin": True, "w0": [1.0]}, "found 1 number, expected 3: one for each weight"),
    ("verdict", {"margin": True, "eta": 0}, "a number above 0"),
    ("runs", {"vary": "all"}, "expected one of"),
    ("runs", {"seed": -1}, "a whole number"),
    ("runs", {"X": [[0, i] for i in range(600)], "y": [1, -1] * 300}, "at most 500"),
    ("trace", {"order": "up"}, "expected one of"),
    ("trace", {"order": "batch", "rule": "pa"}, "expected 'perceptron' with the order"),
    ("trace", {"max_updates": 2001}, "expected a whole number from 1 to 2,000"),
    ("trace", {"X": [[1] * 150] * 100, "y": [1, -1] * 50, "features": "poly2"}, "found 1,147,500 numbers"),
    *[("trace", {"eta": text}, "eta: found") for text in ("", "x", "1/0", "1.5/2", "1e", "1_0", "0x10", "inf", "nan",
       "1 2", "--1", "١", '1"+__import__("os")', "0", "-1", "1e10", "1" * 41)],
    ("trace", {"w0": ["1"]}, "expected 3: one for each weight, the bias last"),
    ("trace", {"w0": "1"}, "a list of numbers"),
    ("export", {"format": "exe"}, "expected one of"),
    ("export", {"order": "batch", "format": "html"}, "use another order"),
    ("export", {"numbers": [1, 2]}, "a list of whole numbers, one for each point"),
    ("fit", {"keep": "all"}, "expected one of"),
    ("fit", {"order": "batch", "keep": "vote"}, "use 'average' or 'pocket'"),
    ("fit", {"w0": [1, 2, 3], "bias": False}, "found 3 numbers, expected 2"),
    ("fit", {"test": [9]}, "from 0 to 3"),
    ("fit", {"test": [1, 2, 3]}, "hold out fewer"),
    ("capacity", {"N": 201}, "up to 200 dimensions"),
    ("simulate", {"trials": 0}, "a whole number"),
    ("digit", {"cells": [0] * 63}, "64 numbers from 0 to 16"),
    ("digit", {"cells": [17] * 64}, "64 numbers from 0 to 16"),
    ("table", {"name": "commas.tsv", "text": "a,b,c\n1,2,x\n3,4,y\n"}, "name the file .csv for commas"),
    ("table", {"name": "a.csv", "text": 5}, "expected the text of a CSV file"),
]  # fmt: skip


def test_what_the_page_may_not_send_is_a_sentence(server: Server) -> None:
    for path, change, words in BAD:
        status, found = server.call(path, GOOD | change)
        assert (status, words in found["error"]) == (422, True), (path, change, found)


STRANGE = [None, True, -1, 0, 1e308, 10**400, "", "x", "1/0", "\ud800", [], [None], [[]], [[[]]], {}, {"a": 1}]
KEYS = {
    "start": (), "table": ("name", "text"), "capacity": ("N", "P"), "digits": (), "digit": ("cells",),
    "verdict": ("X", "y", "bias", "features", "margin", "certificate", "w0", "eta"),
    "trace": ("X", "y", "bias", "features", "order", "rule", "seed", "eta", "w0", "max_updates"),
    "export": ("X", "y", "bias", "features", "order", "rule", "eta", "w0", "max_updates", "format", "numbers"),
    "fit": ("X", "y", "bias", "features", "order", "keep", "rule", "seed", "eta", "w0", "test"),
    "simulate": ("N", "P", "trials", "seed"), "runs": ("seed", "vary", "bias"),
}  # fmt: skip


def test_no_value_of_any_key_is_a_defect(server: Server) -> None:
    """Every request is answered, or refused with a sentence; all of what is answered is JSON."""
    small = {"trials": 1, "N": 2, "P": 3, "text": "a,b\n1,x\n2,y\n", "name": "a.csv", "cells": [0] * 64}
    small |= {"max_updates": 9}
    for path, keys in KEYS.items():
        for key in keys:
            for value in STRANGE if path != "runs" else STRANGE[:8]:
                request = GOOD | small | {key: value}
                status, found = server.call(path, request)
                assert status in (200, 422), (path, key, value, found)


# ---- who may ask ---------------------------------------------------------------------------------------------------


def test_files_come_with_a_policy_that_allows_only_this_server(server: Server) -> None:
    status, headers, body = server.ask("GET", "/")
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert (status, policy["default-src"]) == (200, "'none'")
    assert {value for name, value in policy.items() if name != "img-src"} <= {"'none'", "'self'"}
    assert (headers["X-Content-Type-Options"], headers["Cache-Control"]) == ("nosniff", "no-store")
    linked = [name.lstrip("/") for name in re.findall(r'(?:src|href)="([^"#:,]+)"', body.decode())]
    assert len(linked) >= 2
    for name in linked:
        status, of_file, text = server.ask("GET", f"/{name}")
        assert (status, len(text) > 0, of_file["Content-Security-Policy"]) == (
            200, True, headers["Content-Security-Policy"])  # fmt: skip
        linked += [one for one in re.findall(r'from "\./([^"]+)"', text.decode()) if one not in linked]
    assert len(linked) > 5
    status, headers, body = server.ask("HEAD", "/")
    assert (status, body, int(headers["Content-Length"]) > 0) == (200, b"", True)


def test_what_comes_from_elsewhere_is_refused(server: Server) -> None:
    """DNS rebinding: a name of another site that resolves to 127.0.0.1 still is another Host."""
    own = f"127.0.0.1:{server.port}"
    hosts = [None, "", "evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", f"[::1]:{server.port}",
             f"evil.example:{server.port}", f"127.0.0.1.evil.example:{server.port}", f"{own}@evil",
             f"2130706433:{server.port}", f"LOCALHOST:{server.port}"]  # fmt: skip
    for host in hosts:
        assert server.ask("GET", "/", Host=host)[0] == 403, host
        assert server.call("verdict", XOR, Host=host)[0] == 403, host
    assert server.ask("GET", "/", Host=f"localhost:{server.port}")[0] == 200
    away = ("http://evil.example", "null", f"https://{own}", "http://127.0.0.1", f"http://{own}.evil.example", "")
    for origin in away:
        status, found = server.call("verdict", XOR, Origin=origin)
        assert (status, "Origin" in found["error"]) == (403, True), origin
        assert server.ask("GET", "/", Origin=origin)[0] == 403
    assert server.call("verdict", XOR, Origin=f"http://{own}")[0] == 200
    twice = f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode()
    assert server.said(twice).startswith(b"HTTP/1.1 403")


def test_a_call_needs_the_token_and_json_of_a_stated_length(server: Server) -> None:
    for token in (None, "", "wrong", server.token[:-1], "\xfc"):
        status, found = server.call("verdict", XOR, X_Novikoff_Token=token)
        assert (status, "open the link" in found["error"]) == (401, True)
    headers = {"Content_Type": "application/json", "X_Novikoff_Token": "evil", "Content_Length": "1000"}
    assert server.ask("POST", "/api/verdict", None, **headers)[0] == 401  # the body never comes
    for kind in (None, "text/plain", "application/x-www-form-urlencoded"):
        assert server.call("verdict", XOR, Content_Type=kind)[0] == 415
    assert server.call("verdict", XOR, Content_Type="application/json; charset=utf-8")[0] == 200
    for length in (None, "-1", "1e3", "\xb2", "+5", ""):
        assert server.call("verdict", {}, Content_Length=length)[0] == 411
    assert server.call("verdict", {}, Transfer_Encoding="chunked")[0] == 411
    for length in ("1000001", "1" + "0" * 30):
        status, found = server.call("verdict", {}, Content_Length=length)
        assert (status, found["error"]) == (413, "the request is larger than 1,000,000 bytes")
    for body in (b"", b"{", b"[]", b"1", b"null", b"\xff", b'{"X": NaN}', b"[" * 10_000, b'{"a": ' + b"1" * 5000):
        assert server.call("verdict", body)[0] == 400, body[:20]
    status, found = server.call("verdict", b"[" * 100_000)
    assert (status, found["error"]) == (413, "the request has more than 20,000 lists and objects")


def test_no_other_address_and_no_other_method_exists(server: Server) -> None:
    for path in ("/index.html", "/../pyproject.toml", "/%2e%2e/", "/static/play.css", "/?x=1", "/api/verdict"):
        assert server.ask("GET", path)[0] == 404
    assert server.call("shell", {})[0] == 404
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):  # a page of another site that asks gets no permission
        status, headers, _ = server.ask(method, "/")
        assert (status, "Content-Security-Policy" in headers) == (501, True)
        assert not any(name.lower().startswith("access-control") for name in headers)


def test_a_head_is_not_too_long(server: Server) -> None:
    start = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n".encode()
    long = b"X: " + b"a" * 30_000 + b"\r\n"
    assert server.said(start, long, b"\r\n").startswith(b"HTTP/1.1 200")
    for lines in (long * 2, (b"X: " + b"a" * 400 + b"\r\n") * 90):
        found = server.said(start, lines + b"\r\n")
        assert found.startswith(b"HTTP/1.1 431")
        assert b"larger than 32,768 bytes" in found


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read on Linux")
def test_hostile_requests_do_not_fill_the_memory() -> None:
    """Sixteen of a kind at once: markup, bodies of empty lists, wide points, connections that say nothing.

    The process keeps within 500 MB, of which its libraries and compiled code take the most. It took 1,000.
    """
    wide = [[(1.5 * i * j + j) % 7 - 3 for j in range(140)] for i in range(100)]
    hostile = [
        ("verdict", b'{"X": [' + b"[]," * 330_000 + b"[]]}"),
        ("verdict", b'{"X": [' + b'{"": 0},' * 120_000 + b"{}]}"),
        ("table", json.dumps({"name": "<b>.csv", "text": "a,label\n" + "1,<script>x\n2,<img>\n" * 40_000}).encode()),
        ("trace", json.dumps({"X": wide, "y": [1, -1] * 50, "features": "poly2", "max_updates": 2000}).encode()),
    ]
    with playing() as server:

        def tried(path: str, body: bytes) -> None:
            with suppress(OSError, http.client.HTTPException):
                server.call(path, body)

        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(40)]
        for one in silent:
            one.sendall(b"GET / HTTP/1.1\r\nX: " + b"a" * 60_000)
        for path, body in hostile:
            threads = [threading.Thread(target=tried, args=(path, body)) for _ in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        for one in silent:
            one.close()
        for _ in range(200):  # a place is free again
            with suppress(OSError, http.client.HTTPException):
                if server.call("verdict", XOR)[0] == 200:
                    break
            time.sleep(0.05)
        else:
            raise AssertionError("no place became free")
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
        assert peak is not None
        assert int(peak[1]) < 500_000
