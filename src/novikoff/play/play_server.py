"""Serve the play page on 127.0.0.1, with the standard library.

GET returns the files of the page; POST with JSON calls a function of the library. Only the addresses in the tables of
`static_files` and `answers` exist. The page is served before NumPy is imported.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import secrets
import select
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
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
COMPLETE = {"complete": True}  # the last line of a stream
IDLE = 30  # seconds for a request to come, and for an answer to be taken, before the connection is closed
LARGEST_ANSWER = 10_000_000  # bytes
CONNECTIONS = 64  # open at once; more are closed
CALL_SECONDS, STREAM_SECONDS = 15.0, 150.0  # of a call, of all lines of a stream
POLL = 0.1  # seconds between two looks whether the page has closed the connection
COMPILED = {"/api/digits", "/api/digit"}  # minutes in the interpreter: they wait for the compiler
FIXED = {"/api/token", "/api/start", "/api/digits", "/api/digit"}  # no request makes these calls longer
SWITCH = "NUMBA_DISABLE_JIT"


class StoppedCallError(BaseException):
    """Raised within a call that took too long, or whose page is gone; no BaseException is caught on its way."""


class PlayServer(ThreadingHTTPServer):
    """A server for this machine only; `token` must be in every call, `url` contains it."""

    daemon_threads = True

    def __init__(self, port: int = PORT, settings: answers.Settings | None = None) -> None:
        self.settings = answers.Settings() if settings is None else settings
        self.token = secrets.token_urlsafe(24)
        self.calls = threading.BoundedSemaphore(AT_ONCE)
        self.warm = threading.Lock()
        self.is_warm = False
        self.loaded = threading.Event()  # cleared while compiled code is being prepared
        self.loaded.set()
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
        """Load compiled code in a thread, once, after the page was first served."""
        with self.warm:
            if not self.is_warm:
                self.is_warm = True
                if SWITCH in os.environ:  # the user's choice
                    return
                self.loaded.clear()
                os.environ[SWITCH] = "1"  # until the compiled code is on the disk, calls are interpreted
                threading.Thread(target=_load, args=(self.loaded,), daemon=True).start()

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


def _load(loaded: threading.Event) -> None:
    """Compile what calls need in a process of its own, then load it here; until then they are interpreted."""
    code = "from novikoff.play.answers import load; load()"
    null = subprocess.DEVNULL
    compiling = {name: value for name, value in os.environ.items() if name != SWITCH}
    with suppress(Exception):  # a first call will report what is wrong
        subprocess.run([sys.executable, "-c", code], stdin=null, stdout=null, stderr=null, start_new_session=True,
                       env=compiling)  # fmt: skip
    os.environ.pop(SWITCH, None)
    with suppress(Exception):
        from novikoff.kernels.compile import bind

        bind.cache_clear()  # kernels that were chosen while the compiler was off
        answers.load()
    loaded.set()


def stopped(thread: threading.Thread) -> None:
    """Raise StoppedCallError in a thread: at its next instruction, or when compiled code has returned."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(StoppedCallError))


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
            if self.path not in answers.ANSWERS | answers.STREAMS:
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
        """Send the result of a call, or the lines of a stream as they come; a stream without COMPLETE was cut off."""
        if self.path in COMPILED:
            while not self.server.loaded.wait(POLL) and not self._is_closed():
                pass
        if self.path in answers.ANSWERS:
            with self._library_errors():
                function = answers.function_of(self.path)
                limit = None if self.path in FIXED else CALL_SECONDS
                found = self._watched(lambda: function(request, self.server.settings), limit)
                body = _json(found)
            self._send(HTTPStatus.OK, "application/json", body)
            return
        end = time.monotonic() + STREAM_SECONDS
        with self._library_errors():
            lines = answers.function_of(self.path)(request, self.server.settings)
            first = self._watched(lambda: next(lines), STREAM_SECONDS)
        self.close_connection = True
        self._head(HTTPStatus.OK, "application/x-ndjson", None)
        with suppress(ConnectionError, TimeoutError):
            self._line(first)
            try:
                with self._library_errors():
                    while (line := self._watched(lambda: next(lines, None), end - time.monotonic())) is not None:
                        self._line(line)
                self._line(COMPLETE)
            except RefusalError as refusal:
                self._line({"error": refusal.reason})
        lines.close()

    def _watched(self, work: Callable[[], Any], seconds: float | None) -> Any:
        """Return the result of work in a thread; stop it after these seconds, or when the page is gone."""
        results: list[Any] = []
        errors: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        end, reason = time.monotonic() + (seconds or 0.0), ""
        while thread.is_alive():
            thread.join(POLL)
            if thread.is_alive():
                if not reason and self._is_closed():
                    reason = "the page has closed the connection"
                elif not reason and seconds is not None and time.monotonic() > end:
                    reason = "this takes too long and was stopped: use fewer points, columns, updates or draws"
                if reason and not errors and not results:  # again: within a finalizer the exception is ignored
                    stopped(thread)
        if results:
            return results[0]
        if errors and not isinstance(errors[0], StoppedCallError):
            raise errors[0]
        raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, reason)

    def _is_closed(self) -> bool:
        """Whether the page has closed the connection; it sends nothing while it waits."""
        try:
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and not self.connection.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):
            return True

    def _line(self, found: dict[str, Any]) -> None:
        self.wfile.write(_json(found) + b"\n")
        self.wfile.flush()

    @contextmanager
    def _library_errors(self) -> Iterator[None]:
        """Turn errors of the library into refusals: bad input, not separable, out of time, out of memory."""
        try:
            yield
        except (RefusalError, ConnectionError, TimeoutError):
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
        self._head(status, kind, len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str, length: int | None) -> None:
        self._waits(STREAM_SECONDS + IDLE if length is None else IDLE)
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
