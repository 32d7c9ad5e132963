"""Serve the play page on 127.0.0.1, with the standard library.

GET returns the files of the page; POST with JSON calls a function of the library. Only the addresses in the tables of
`static_files` and `answers` exist. The page is served before NumPy is imported.
"""

from __future__ import annotations

import ctypes
import json
import math
import secrets
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from novikoff import __version__
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.play import PORT, answers, static_files
from novikoff.play.request_checks import (
    RefusalError,
    RequestReader,
    body_length,
    check_source,
    check_token,
    parsed,
)

ADDRESS = "127.0.0.1"
AT_ONCE = 8  # calls; more are refused
IDLE = 30  # seconds for a request to come, and for an answer to be taken, before the connection is closed
LARGEST_ANSWER = 10_000_000  # bytes
CONNECTIONS = 64  # open at once; more are closed


class PlayServer(ThreadingHTTPServer):
    """A server for this machine only; `token` must be in every call, `url` contains it."""

    daemon_threads = True

    def __init__(self, port: int = PORT, settings: answers.Settings | None = None) -> None:
        self.settings = answers.Settings() if settings is None else settings
        self.token = secrets.token_urlsafe(24)
        self.calls = threading.BoundedSemaphore(AT_ONCE)
        self.is_warm = False
        self.places = threading.BoundedSemaphore(CONNECTIONS)
        self.ends: dict[socket.socket, float] = {}  # when to close a connection that waits for the other side
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
        parts = [part for part in self.settings.fragment.split("&") if part and part.partition("=")[0] != "t"]
        state = "".join(f"&{part}" for part in parts)
        return f"http://{ADDRESS}:{self.server_port}/#t={self.token}{state}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a connection that the browser closed."""

    def warm_up(self) -> None:
        """Load compiled code in a thread, once, after the page was first served; on a new machine it is compiled."""
        if not self.is_warm:
            self.is_warm = True
            threading.Thread(target=answers.load, daemon=True).start()

    def service_actions(self) -> None:
        """Close the connections that have waited too long, byte by byte or not; called twice a second."""
        now = time.monotonic()
        for connection, end in list(self.ends.items()):
            if end < now:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own; close it if there are too many."""
        if not self.places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer the requests of a connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.ends.pop(request, None)
            self.places.release()


def _give_back() -> None:
    """Give memory that calls have freed back to the system, where the C library can."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _json(found: dict[str, Any]) -> bytes:
    """Return an answer as JSON; raise ValueError for inf and nan, which JSON does not have."""
    body = json.dumps(found, allow_nan=False).encode("utf-8")
    if len(body) > LARGEST_ANSWER:
        reason = f"the answer is larger than {LARGEST_ANSWER:,} bytes: use fewer points, columns or updates"
        raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, reason)
    return body


class PageRequest(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: PlayServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = f"novikoff/{__version__}", ""
    wbufsize = 65536  # one packet for a response: unbuffered, each waits for a delayed acknowledgement
    disable_nagle_algorithm = True
    timeout = IDLE
    rfile: RequestReader

    def setup(self) -> None:
        """Prepare a connection."""
        super().setup()
        self.rfile = RequestReader(self.rfile.detach())

    def handle_one_request(self) -> None:
        """Read a request and answer it."""
        self.rfile.begin()
        self._waits(IDLE)
        super().handle_one_request()

    def _waits(self, seconds: float) -> None:
        """Close the connection if it still waits for the other side after these seconds."""
        self.server.ends[self.connection] = time.monotonic() + seconds

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
            check_token(self.headers, self.server.token)
            length = body_length(self.headers)
            if self.path not in answers.ANSWERS:
                raise RefusalError(HTTPStatus.NOT_FOUND, "there is no such call")
            body = self.rfile.read(length)
            if not self.server.calls.acquire(blocking=False):
                raise RefusalError(HTTPStatus.SERVICE_UNAVAILABLE, f"more than {AT_ONCE} calls at once; try again")
            try:
                self._waits(math.inf)
                self._answer(parsed(body))
            finally:
                _give_back()
                self.server.calls.release()

    def _answer(self, request: dict[str, Any]) -> None:
        """Send the result of a call."""
        with self._library_errors():
            body = _json(answers.function_of(self.path)(request, self.server.settings))
        self._send(HTTPStatus.OK, "application/json", body)

    @contextmanager
    def _library_errors(self) -> Iterator[None]:
        """Turn errors of the library into refusals: bad input, not separable, out of time, out of memory."""
        try:
            yield
        except RefusalError:
            raise
        except (InputError, NotSeparableError) as error:
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
        except UndecidedError as error:
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, f"undecided: {error}") from None
        except MemoryError:
            raise RefusalError(HTTPStatus.INSUFFICIENT_STORAGE, "not enough memory") from None
        except Exception as error:  # a defect: the page says so instead of waiting
            if "integer string conversion" in str(error):  # of Python, for numbers of very many digits
                reason = (
                    f"the answer has numbers of more than {sys.get_int_max_str_digits():,} digits: use shorter ones"
                )
                raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, reason) from None
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
        self._send_json(HTTPStatus(code), {"error": explain or message or HTTPStatus(code).phrase})

    def _send_json(self, status: HTTPStatus, found: dict[str, Any]) -> None:
        self._send(status, "application/json", _json(found))

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self._waits(IDLE)
        self.send_response(status)
        for name, value in static_files.HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log: the page is one person's."""
