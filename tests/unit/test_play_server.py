"""The server of `novikoff play`: what it serves, what it refuses, and that nothing else is reached."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message
from typing import Any

import pytest

from novikoff.errors import InputError
from novikoff.play import answers, plane_answers, play_server, request_checks, static_files
from novikoff.play.play_server import ADDRESS, PlayServer

XOR = {"X": [[0, 0], [1, 0], [0, 1], [1, 1]], "y": [-1, 1, 1, -1]}


@pytest.fixture(scope="module")
def server() -> Iterator[PlayServer]:
    """A server on a free port."""
    with PlayServer(0) as server:
        server.is_warm = True  # no thread beside the tests
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def asked(
    server: PlayServer, method: str, path: str, body: bytes | None = None, **headers: str | None
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one request; header names are written with underscores, None leaves one out."""
    given = {"Host": f"{ADDRESS}:{server.server_port}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    if body is not None and "Content-Length" not in given:
        given["Content-Length"] = str(len(body))
    connection = http.client.HTTPConnection(ADDRESS, server.server_port, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


def called(server: PlayServer, path: str, request: Any, **headers: str | None) -> tuple[int, dict[str, Any]]:
    """Status and answer of a call with the token."""
    given = {"Content_Type": "application/json", "X_Novikoff_Token": server.token} | headers
    status, _, body = asked(server, "POST", path, json.dumps(request).encode(), **given)
    return status, json.loads(body)


# ---- what is served ------------------------------------------------------------------------------------------------


def test_every_file_of_the_table_is_served_with_the_security_headers(server: PlayServer) -> None:
    for path, (name, kind) in static_files.FILES.items():
        status, headers, body = asked(server, "GET", path)
        assert (status, headers["Content-Type"]) == (200, kind)
        assert body == static_files.content(name)
        assert static_files.HEADERS.items() <= headers.items()


def test_the_policy_allows_only_this_server(server: PlayServer) -> None:
    policy = dict(part.strip().split(" ", 1) for part in static_files.POLICY.split(";"))
    assert policy["default-src"] == "'none'"
    assert {value for name, value in policy.items() if name != "img-src"} <= {"'none'", "'self'"}


def test_a_header_request_has_no_body(server: PlayServer) -> None:
    status, headers, body = asked(server, "HEAD", "/")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


def test_the_address_has_the_token_and_the_state_in_its_fragment() -> None:
    with PlayServer(0, answers.Settings(fragment="pane=spam")) as server:
        front, _, fragment = server.url.partition("#")
        assert front == f"http://127.0.0.1:{server.server_port}/"
        assert fragment == f"t={server.token}&pane=spam"
        assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("fragment", ["t=zzz&pane=capacity", "pane=capacity&t=zzz", "t=zzz&&t&pane=capacity"])
def test_a_state_to_open_cannot_replace_the_token(fragment: str) -> None:
    with PlayServer(0, answers.Settings(fragment=fragment)) as server:
        assert server.url.partition("#")[2] == f"t={server.token}&pane=capacity"


def test_the_token_is_new_at_each_start() -> None:
    with PlayServer(0) as one, PlayServer(0) as two:
        assert one.token != two.token
        assert len(one.token) >= 32


def test_a_call_is_answered(server: PlayServer) -> None:
    status, found = called(server, "/api/verdict", XOR)
    assert (status, found["separable"], found["weights"]) == (200, False, ["1", "1", "1", "1"])


def test_calls_on_one_connection_do_not_wait_for_acknowledgements(server: PlayServer) -> None:
    """With unbuffered responses each of them takes 40 ms: their number of writes is what is tested, not the time."""
    from novikoff.play.play_server import PageRequest

    assert PageRequest.wbufsize > 0
    assert PageRequest.disable_nagle_algorithm
    connection = http.client.HTTPConnection(ADDRESS, server.server_port, timeout=20)
    for _ in range(3):
        connection.request("GET", "/", headers={"Host": f"{ADDRESS}:{server.server_port}"})
        assert connection.getresponse().read()
    connection.close()


def test_the_page_is_served_before_numpy_is_loaded() -> None:
    code = (
        "import sys, threading, http.client\n"
        "from novikoff.play.play_server import PlayServer\n"
        "server = PlayServer(0); server.is_warm = True\n"
        "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
        "c = http.client.HTTPConnection('127.0.0.1', server.server_port); c.request('GET', '/')\n"
        "assert c.getresponse().status == 200\n"
        "print([m for m in ('numpy', 'scipy', 'sklearn', 'numba') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/index.html", "/../pyproject.toml", "/%2e%2e/", "/static/play.css", "/?x=1"])
def test_no_other_address_exists(server: PlayServer, path: str) -> None:
    assert asked(server, "GET", path)[0] == 404


@pytest.mark.parametrize("host", [None, "", "evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "[::1]:{port}",
                                  "evil.example:{port}", "127.0.0.1.evil.example:{port}", "127.0.0.1:{port}@evil",
                                  "2130706433:{port}", "LOCALHOST:{port}"])  # fmt: skip
def test_a_foreign_host_is_refused(server: PlayServer, host: str | None) -> None:
    """DNS rebinding: a name of another site that resolves to 127.0.0.1 still is another Host."""
    name = None if host is None else host.format(port=server.server_port)
    assert asked(server, "GET", "/", Host=name)[0] == 403
    assert called(server, "/api/verdict", XOR, Host=name)[0] == 403


def test_localhost_is_a_name_of_this_server(server: PlayServer) -> None:
    assert asked(server, "GET", "/", Host=f"localhost:{server.server_port}")[0] == 200


def test_browsers_leave_out_port_80() -> None:
    for host in ("127.0.0.1", "localhost", "127.0.0.1:80"):
        headers = Message()
        headers["Host"], headers["Origin"] = host, f"http://{host}"
        request_checks.check_source(headers, 80)
        if ":" not in host:
            with pytest.raises(request_checks.RefusalError):
                request_checks.check_source(headers, 81)


def test_two_hosts_are_refused(server: PlayServer) -> None:
    good = f"Host: 127.0.0.1:{server.server_port}\r\n"
    with socket.create_connection((ADDRESS, server.server_port), timeout=20) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\n{good}Host: evil.example\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1",
                                    "http://127.0.0.1", "http://127.0.0.1:{port}.evil.example", ""])  # fmt: skip
def test_a_foreign_origin_is_refused(server: PlayServer, origin: str) -> None:
    status, found = called(server, "/api/verdict", XOR, Origin=origin.format(port=server.server_port))
    assert (status, "Origin" in found["error"]) == (403, True)
    assert asked(server, "GET", "/", Origin=origin.format(port=server.server_port))[0] == 403


def test_its_own_origin_is_accepted(server: PlayServer) -> None:
    for name in ("127.0.0.1", "localhost"):
        assert called(server, "/api/verdict", XOR, Origin=f"http://{name}:{server.server_port}")[0] == 200


@pytest.mark.parametrize("token", [None, "", "wrong", "ü"])
def test_a_call_without_the_token_is_refused(server: PlayServer, token: str | None) -> None:
    given = None if token is None else token.encode().decode("latin-1")
    status, found = called(server, "/api/verdict", XOR, X_Novikoff_Token=given)
    assert status == 401
    assert "open the link" in found["error"]


def test_a_call_without_the_token_is_refused_before_its_body_is_read(server: PlayServer) -> None:
    headers = {"Content_Type": "application/json", "X_Novikoff_Token": "evil", "Content_Length": "1000"}
    assert asked(server, "POST", "/api/verdict", None, **headers)[0] == 401  # the body never comes


def test_more_connections_than_allowed_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_server, "CONNECTIONS", 2)
    with PlayServer(0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        slow = [socket.create_connection((ADDRESS, server.server_port), timeout=20) for _ in range(3)]
        assert slow[2].recv(1) == b""
        for one in slow:
            one.close()
        for _ in range(200):  # a place is free again
            with suppress(OSError, http.client.HTTPException):
                if called(server, "/api/start", {})[0] == 200:
                    break
            time.sleep(0.05)
        else:
            raise AssertionError("no place became free")
        server.shutdown()


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_only_json_is_accepted(server: PlayServer, kind: str | None) -> None:
    assert called(server, "/api/verdict", XOR, Content_Type=kind)[0] == 415


def test_json_with_a_charset_is_accepted(server: PlayServer) -> None:
    assert called(server, "/api/verdict", XOR, Content_Type="application/json; charset=utf-8")[0] == 200


@pytest.mark.parametrize("length", [None, "-1", "1e3", "²", "+5", ""])
def test_a_length_is_required(server: PlayServer, length: str | None) -> None:
    given = None if length is None else length.encode().decode("latin-1")
    assert called(server, "/api/verdict", {}, Content_Length=given)[0] == 411


def test_a_body_in_chunks_is_refused(server: PlayServer) -> None:
    assert called(server, "/api/verdict", {}, Transfer_Encoding="chunked")[0] == 411


@pytest.mark.parametrize("length", [request_checks.LARGEST + 1, 10**30])
def test_a_large_request_is_refused_before_it_is_read(server: PlayServer, length: int) -> None:
    status, found = called(server, "/api/verdict", {}, Content_Length=str(length))
    assert (status, found["error"]) == (413, "the request is larger than 1,000,000 bytes")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"1", b"null", b'"x"', b"\xff", b'{"X": NaN}', b"[" * 10_000, b'{"a": ' + b"1" * 5000]
)
def test_a_malformed_body_is_refused(server: PlayServer, body: bytes) -> None:
    headers = {"Content_Type": "application/json", "X_Novikoff_Token": server.token}
    status, _, answer = asked(server, "POST", "/api/verdict", body, **headers)
    assert status == 400
    assert "not" in json.loads(answer)["error"]


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"X": [' + b"[]," * 20_000 + b"[]]}"])
def test_many_lists_are_refused_before_they_take_memory(server: PlayServer, body: bytes) -> None:
    headers = {"Content_Type": "application/json", "X_Novikoff_Token": server.token}
    status, _, answer = asked(server, "POST", "/api/verdict", body, **headers)
    assert (status, json.loads(answer)["error"]) == (413, "the request has more than 20,000 lists and objects")


def raw(server: PlayServer, *parts: bytes, wait: float = 0.0) -> bytes:
    """What the server says to bytes that come one part after the other, until it closes the connection."""
    found = b""
    with socket.create_connection((ADDRESS, server.server_port), timeout=20) as connection, suppress(ConnectionError):
        for part in parts:
            connection.sendall(part)
            time.sleep(wait)
        while some := connection.recv(1 << 16):
            found += some
    return found


def test_a_head_is_not_too_long(server: PlayServer) -> None:
    """Not by one line, nor by many."""
    start = f"GET / HTTP/1.1\r\nHost: {ADDRESS}:{server.server_port}\r\n".encode()
    long = b"X: " + b"a" * 30_000 + b"\r\n"
    assert raw(server, start, b"Connection: close\r\n", long, b"\r\n").startswith(b"HTTP/1.1 200")
    for lines in (
        long * 2,
        long[:500] + b"\r\n" + (b"X: " + b"a" * 400 + b"\r\n") * 90,
        b"X: " + b"a" * 33_000 + b"\r\n",
    ):
        found = raw(server, start, lines + b"\r\n")
        assert found.startswith(b"HTTP/1.1 431")
        assert b"larger than 32,768 bytes" in found
    assert raw(server, b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\n") == b""


def test_two_requests_of_a_connection_may_each_have_a_long_head(server: PlayServer) -> None:
    start = f"GET /none HTTP/1.1\r\nHost: {ADDRESS}:{server.server_port}\r\nX: {'a' * 20_000}\r\n".encode()
    found = raw(server, start.replace(b"/none", b"/") + b"\r\n", start + b"\r\n")
    assert [found.count(b"HTTP/1.1 " + status) for status in (b"200", b"404", b"431")] == [1, 1, 0]


def test_a_request_that_comes_byte_by_byte_is_given_up(server: PlayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time; the request does not."""
    monkeypatch.setattr(play_server, "IDLE", 0.1)
    assert raw(server, *([b"G"] * 60), wait=0.02) == b""
    monkeypatch.setattr(play_server, "IDLE", 30)
    assert asked(server, "GET", "/")[0] == 200


def test_an_answer_is_not_too_long(server: PlayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_server, "LARGEST_ANSWER", 100)
    status, found = called(server, "/api/verdict", XOR)
    assert (status, found["error"].startswith("the answer is larger than 100 bytes")) == (422, True)


def test_numbers_of_too_many_digits_are_no_defect(server: PlayServer) -> None:
    X = [[(0, 1, 2, 0.1, 1e-300)[pow(3, 14 * i + j, 101) % 5] for j in range(14)] for i in range(40)]
    status, found = called(server, "/api/verdict", {"X": X, "y": [1, -1] * 20})
    assert (status, found["error"].partition(":")[0]) == (422, "the answer has numbers of more than 4,300 digits")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"])
def test_other_methods_are_refused(server: PlayServer, method: str) -> None:
    """A page of another site that asks beforehand (OPTIONS) gets no permission."""
    status, headers, _ = asked(server, method, "/")
    assert status == 501
    assert static_files.HEADERS.items() <= headers.items()
    assert not any(name.lower().startswith("access-control") for name in headers)


def test_an_unknown_call_is_refused(server: PlayServer) -> None:
    assert called(server, "/api/shell", {})[0] == 404
    assert asked(server, "GET", "/api/verdict")[0] == 404


def test_more_calls_at_once_than_allowed_are_refused(server: PlayServer) -> None:
    taken = 0
    try:
        while server.calls.acquire(blocking=False):
            taken += 1
        assert called(server, "/api/verdict", XOR)[0] == 503
    finally:
        for _ in range(taken):
            server.calls.release()
    assert called(server, "/api/verdict", XOR)[0] == 200


def test_bad_points_are_a_sentence(server: PlayServer) -> None:
    status, found = called(server, "/api/verdict", {"X": [[0, 0]], "y": [1]})
    assert (status, found["error"]) == (422, "y: found one class; put at least one point of each colour")


def test_a_defect_is_an_answer_too(server: PlayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(answers.ANSWERS, "/api/verdict", "answers:function_of")
    status, found = called(server, "/api/verdict", XOR)
    assert (status, found["error"].startswith("a defect of novikoff (TypeError")) == (500, True)


def test_an_answer_that_json_does_not_have_is_a_defect_with_a_response(
    server: PlayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "function_of", lambda address: lambda *_: {"loss": float("inf")})
    status, found = called(server, "/api/verdict", XOR)
    assert (status, found["error"].startswith("a defect of novikoff (ValueError")) == (500, True)


def test_a_port_in_use_is_named_with_the_way_out(server: PlayServer) -> None:
    with pytest.raises(InputError, match=rf"^port: found {server.server_port}, which cannot be used .* 0 for any free"):
        PlayServer(server.server_port)


# ---- time ----------------------------------------------------------------------------------------------------------


def test_compiled_code_is_loaded_once_after_the_page_was_served(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = list[str]()
    monkeypatch.setattr(answers, "load", lambda: loaded.append("once"))
    with PlayServer(0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        for _ in range(2):
            assert asked(server, "GET", "/")[0] == 200
        assert called(server, "/api/verdict", XOR)[0] == 200
        assert loaded == ["once"]
        server.shutdown()


def test_a_run_of_many_points_and_columns_has_fewer_updates() -> None:
    """Its exact numbers have many digits: all products together are limited."""
    X = [[(1 + i / 977 + j / 7) * 10.0 ** (8 - 30 * j) for j in range(10)] for i in range(2000)]
    request = {"X": X, "y": [1 if i % 2 else -1 for i in range(2000)], "order": "first", "max_updates": 2000}
    assert plane_answers.run_of(request)[1] == 200
