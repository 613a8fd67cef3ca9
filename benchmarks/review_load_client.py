"""The annotators of ``review_load.py``: as light as can be, for they share the processor.

HTTP/1.1 by hand on kept-alive connections: of an answer nothing is looked at but its status, its
length, where it leads, and the cookie it sets.
"""

import asyncio
import re
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlencode

from review_load_server import PASSWORD

_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_PLACE = re.compile(rb"\r\nlocation: ([^\r]+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: (memassay_session=[^;\r]+)", re.IGNORECASE)
_TOKEN = re.compile(rb'data-token="([^"]+)"')
_FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


@dataclass
class Measured:
    """What the annotators saw.

    Attributes:
        next_seconds: Times from asking for the next item to being sent to it.
        open_seconds: Times to get its page.
        submit_seconds: Times from a vote to its acknowledgement, retries not included.
        acknowledged: Item and reviewer of every vote that was acknowledged.
        retries: Votes that were sent again for want of an answer.
        trouble: Other answers by status.
        until: When the last vote was acknowledged, on the clock of `time.monotonic`.
    """

    next_seconds: list[float] = field(default_factory=list)
    open_seconds: list[float] = field(default_factory=list)
    submit_seconds: list[float] = field(default_factory=list)
    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    retries: int = 0
    trouble: Counter[int] = field(default_factory=Counter)
    until: float = 0.0


@dataclass
class Answer:
    """What came back: status, place to go to, body."""

    status: int
    place: str
    body: bytes


class Browser:
    """One kept-alive connection and a session cookie."""

    def __init__(self, host: str, port: int) -> None:
        """Prepare; the connection is opened when something is sent."""
        self.host, self.port, self.cookie = host, port, ""
        self._pipes: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, form: dict[str, str] | None = None) -> Answer:
        """Send a request and read its answer.

        Raises:
            OSError: None came.
        """
        try:
            if self._pipes is None:
                self._pipes = await asyncio.open_connection(self.host, self.port)
            reader, writer = self._pipes
            writer.write(self._request(method, path, form))
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length.group(1))) if length else b""
        except (OSError, EOFError) as error:
            self.close()
            raise OSError("no answer") from error
        cookie = _COOKIE.search(head)
        if cookie:
            self.cookie = cookie.group(1).decode()
        place = _PLACE.search(head)
        return Answer(int(head[9:12]), place.group(1).decode() if place else "", body)

    def _request(self, method: str, path: str, form: dict[str, str] | None) -> bytes:
        body = urlencode(form) if form is not None else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        head += f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        head += f"{_FORM}Content-Length: {len(body)}\r\n" if form is not None else ""
        return f"{head}\r\n{body}".encode()

    def close(self) -> None:
        """Let go of the connection."""
        if self._pipes is not None:
            self._pipes[1].close()
        self._pipes = None


class Annotator:
    """One person with one browser, who never thinks."""

    def __init__(self, name: str, browser: Browser, until: float, measured: Measured) -> None:
        """Prepare; `until` is when no new item is asked for."""
        self.name, self.browser, self.until, self.measured = name, browser, until, measured
        self.token = ""

    async def work(self) -> None:
        """Loop until the time is over; a vote that was begun is sent until it is acknowledged."""
        while time.monotonic() < self.until:
            item = await self._next()
            if item is not None:
                await self._submit(item)
        self.browser.close()

    async def _send(
        self, method: str, path: str, form: dict[str, str] | None = None
    ) -> Answer | None:
        try:
            return await self.browser.send(method, path, form)
        except OSError:
            await asyncio.sleep(0.05)
            return None

    async def _log_in(self) -> None:
        await self._send("POST", "/login", {"name": self.name, "password": PASSWORD})
        answer = await self._send("GET", "/write")
        found = _TOKEN.search(answer.body) if answer else None
        self.token = found.group(1).decode() if found else ""

    async def _next(self) -> str | None:
        begun = time.perf_counter()
        answer = await self._send("GET", "/next")
        if answer is None:
            return None
        if answer.place.startswith("/login"):
            await self._log_in()
            return None
        if not answer.place.startswith("/item/"):
            self.measured.trouble[answer.status] += 1
            await asyncio.sleep(0.05)
            return None
        asked = time.perf_counter()
        self.measured.next_seconds.append(asked - begun)
        page = await self._send("GET", answer.place)
        if page is None or page.status != 200:
            self.measured.trouble[0 if page is None else page.status] += 1
            return None
        self.measured.open_seconds.append(time.perf_counter() - asked)
        return answer.place.removeprefix("/item/")

    async def _submit(self, item: str) -> None:
        ticket = uuid.uuid4().hex
        while True:
            form = {"token": self.token, "ticket": ticket, "ruling": "accept", "seconds": "1"}
            begun = time.perf_counter()
            answer = await self._send("POST", f"/item/{item}/vote", form)
            if answer is None:
                self.measured.retries += 1
                continue
            if answer.place.startswith("/login") or answer.status == 403:
                await self._log_in()
                continue
            if answer.status == 303:
                self.measured.submit_seconds.append(time.perf_counter() - begun)
                self.measured.acknowledged.append((item, self.name))
                self.measured.until = time.monotonic()
            else:
                self.measured.trouble[answer.status] += 1
            return
