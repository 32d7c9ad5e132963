"""Check requests before anything is computed: who may ask, what is accepted, how large it may be.

The server is for the person at this machine. A page of another site cannot use it: its requests have another Origin; a
name that is made to resolve to 127.0.0.1 has another Host; and neither knows the token, which is new at each start.
"""

from __future__ import annotations

import hmac
import io
import json
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException
from typing import Any

LARGEST = 1_000_000  # bytes of a request
LONGEST_HEAD = 32_768  # bytes of a request line and headers; browsers send the cookies of all ports
MOST_PARTS = 20_000  # lists and objects in a request: an empty one takes 20 times the memory of its text
TOKEN = "X-Novikoff-Token"
NO_TOKEN = (
    "this page was opened by an earlier start of novikoff play, or without its link: open the link that novikoff play "
    "printed"
)
HTTP = 80  # the port that browsers leave out
NAMES = ("127.0.0.1", "localhost")


class RefusalError(Exception):
    """A request that is not answered: the HTTP status, and a sentence with the reason."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class RequestReader(io.BufferedReader):
    """Read the requests of a connection; `begin` starts one, whose head is not too long."""

    left = LONGEST_HEAD

    def begin(self) -> None:
        """Start to read a request."""
        self.left = LONGEST_HEAD

    def readline(self, size: int | None = -1) -> bytes:
        """Return a line of the head."""
        line = super().readline(self.left + 1)
        self.left -= len(line)
        if self.left < 0:
            raise HTTPException(f"the head of the request is larger than {LONGEST_HEAD:,} bytes")
        return line


def check_source(headers: Message, port: int) -> None:
    """Refuse a request whose Host or Origin is not this server; a Host without the port is that of port 80."""
    hosts = [f"{name}:{port}" for name in NAMES] + (list(NAMES) if port == HTTP else [])
    if len(headers.get_all("Host", [])) != 1 or headers["Host"] not in hosts:
        raise RefusalError(HTTPStatus.FORBIDDEN, f"Host: expected {' or '.join(hosts)}")
    if not set(headers.get_all("Origin", [])) <= {f"http://{host}" for host in hosts}:
        raise RefusalError(HTTPStatus.FORBIDDEN, "Origin: requests of other sites are refused")


def check_token(headers: Message, token: str) -> None:
    """Refuse a call without the token of this start."""
    given = headers.get(TOKEN, "")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("ascii")):
        raise RefusalError(HTTPStatus.UNAUTHORIZED, NO_TOKEN)


def body_length(headers: Message) -> int:
    """Return the length of the body of a call; refuse a type other than JSON, no length, and more than LARGEST."""
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusalError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Content-Type: expected application/json")
    length = headers.get("Content-Length", "")
    if "Transfer-Encoding" in headers or not (length.isascii() and length.isdigit()):
        raise RefusalError(HTTPStatus.LENGTH_REQUIRED, "Content-Length: expected the number of bytes")
    if len(length) > len(str(LARGEST)) or int(length) > LARGEST:
        raise RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the request is larger than {LARGEST:,} bytes")
    return int(length)


def parsed(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body; refuse anything else, too many parts, and numbers that JSON does not have."""
    if body.count(b"[") + body.count(b"{") > MOST_PARTS:
        raise RefusalError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the request has more than {MOST_PARTS:,} lists and objects"
        )
    try:
        found = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise RefusalError(HTTPStatus.BAD_REQUEST, "the request is not JSON") from None
    if not isinstance(found, dict):
        raise RefusalError(HTTPStatus.BAD_REQUEST, "the request is not a JSON object")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(name)
