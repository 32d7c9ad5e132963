"""Serve the play page on 127.0.0.1, with the standard library.

GET returns the files of the page; POST with JSON calls a function of the library. Only the addresses in the tables of
`static_files` and `answers` exist. The page is served before NumPy is imported.
"""

from __future__ import annotations

import json
import secrets
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from novikoff import __version__
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.play import PORT, answers, static_files
from novikoff.play.request_checks import RefusalError, body_length, check_source, check_token, parsed

ADDRESS = "127.0.0.1"
AT_ONCE = 8  # calls; more are refused
COMPLETE = {"complete": True}  # the last line of a stream
IDLE = 30  # seconds without a byte before a connection is closed


class PlayServer(ThreadingHTTPServer):
    """A server for this machine only; `token` must be in every call, `url` contains it."""

    daemon_threads = True

    def __init__(self, port: int = PORT, settings: answers.Settings | None = None) -> None:
        self.settings = answers.Settings() if settings is None else settings
        self.token = secrets.token_urlsafe(24)
        self.calls = threading.BoundedSemaphore(AT_ONCE)
        self.warm = threading.Lock()
        self.is_warm = False
        try:
            super().__init__((ADDRESS, port), PageRequest)
        except OSError as error:
            raise InputError(
                f"found {port}, which cannot be used ({error.strerror}); another novikoff play may be running: choose "
                "another port, or 0 for any free one",
                "port",
            ) from None

    def server_bind(self) -> None:
        """Bind the socket, without looking up the name of the machine."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, int(self.server_address[1])

    @property
    def url(self) -> str:
        """The address to open, with the token in its fragment, which browsers do not send."""
        state = f"&{self.settings.fragment}" if self.settings.fragment else ""
        return f"http://{ADDRESS}:{self.server_port}/#t={self.token}{state}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a connection that the browser closed."""

    def warm_up(self) -> None:
        """Load compiled code in a thread, once, after the page was first served."""
        with self.warm:
            if not self.is_warm:
                self.is_warm = True
                threading.Thread(target=_load, daemon=True).start()


def _load() -> None:
    """Compile what verdicts need in a process of its own, then load it here; until then they are interpreted."""
    code = "from novikoff.play.plane_answers import load; load()"
    null = subprocess.DEVNULL
    with suppress(Exception):  # a first call will report what is wrong
        subprocess.run([sys.executable, "-c", code], stdin=null, stdout=null, stderr=null, start_new_session=True)
        from novikoff.play.plane_answers import load

        load()


class PageRequest(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: PlayServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = f"novikoff/{__version__}", ""
    wbufsize = 65536  # one packet for a response: unbuffered, each waits for a delayed acknowledgement
    disable_nagle_algorithm = True
    timeout = IDLE

    def do_GET(self) -> None:
        """Serve a file of the page."""
        with self._refusals():
            check_source(self.headers, self.server.server_port)
            found = static_files.FILES.get(self.path)
            if found is None:
                raise RefusalError(HTTPStatus.NOT_FOUND, "there is no such page")
            self._send(HTTPStatus.OK, found[1], static_files.content(found[0]))
            if self.path == "/":
                self.wfile.flush()
                self.server.warm_up()

    def do_HEAD(self) -> None:
        """Send the headers of a file."""
        self.do_GET()

    def do_POST(self) -> None:
        """Answer a call of the page."""
        with self._refusals():
            check_source(self.headers, self.server.server_port)
            length = body_length(self.headers)
            body = self.rfile.read(length)
            check_token(self.headers, self.server.token)
            if self.path not in answers.ANSWERS | answers.STREAMS:
                raise RefusalError(HTTPStatus.NOT_FOUND, "there is no such call")
            request = parsed(body)
            if not self.server.calls.acquire(blocking=False):
                raise RefusalError(HTTPStatus.SERVICE_UNAVAILABLE, f"more than {AT_ONCE} calls at once; try again")
            try:
                self._answer(request)
            finally:
                self.server.calls.release()

    def _answer(self, request: dict[str, Any]) -> None:
        """Send the result of a call, or the lines of a stream as they come; a stream without COMPLETE was cut off."""
        function = answers.function_of(self.path)
        if self.path in answers.ANSWERS:
            with self._library_errors():
                found = function(request, self.server.settings)
            self._send_json(HTTPStatus.OK, found)
            return
        with self._library_errors():
            lines = function(request, self.server.settings)
            first = next(lines)
        self.close_connection = True
        self._head(HTTPStatus.OK, "application/x-ndjson", None)
        with suppress(ConnectionError, TimeoutError):
            self._line(first)
            try:
                for line in lines:
                    self._line(line)
                self._line(COMPLETE)
            except (InputError, UndecidedError) as error:
                self._line({"error": str(error)})
        lines.close()

    def _line(self, found: dict[str, Any]) -> None:
        self.wfile.write(json.dumps(found, allow_nan=False).encode("utf-8") + b"\n")
        self.wfile.flush()

    @contextmanager
    def _library_errors(self) -> Iterator[None]:
        """Turn errors of the library into refusals: bad input, not separable, out of time, out of memory."""
        try:
            yield
        except (InputError, NotSeparableError) as error:
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
        except UndecidedError as error:
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, f"undecided: {error}") from None
        except MemoryError:
            raise RefusalError(HTTPStatus.INSUFFICIENT_STORAGE, "not enough memory") from None
        except Exception as error:  # a defect: the page says so instead of waiting
            kind = type(error).__name__
            raise RefusalError(HTTPStatus.INTERNAL_SERVER_ERROR, f"a defect of novikoff ({kind}: {error})") from error

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Send a refusal as JSON; the connection is closed, because the body may not have been read."""
        try:
            yield
        except RefusalError as refusal:
            self.close_connection = True
            self._send_json(refusal.status, {"error": refusal.reason})

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send an error of the protocol (a bad request line, an unknown method) with the same headers."""
        self.close_connection = True
        self._send_json(HTTPStatus(code), {"error": message or HTTPStatus(code).phrase})

    def _send_json(self, status: HTTPStatus, found: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(found, allow_nan=False).encode("utf-8"))

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self._head(status, kind, len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str, length: int | None) -> None:
        self.send_response(status)
        for name, value in static_files.HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log: the page is one person's."""
