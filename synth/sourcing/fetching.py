"""Asking providers politely: one request at a time, paced, bounded, and each of them once.

What came back is kept on disk by request, so that a rerun asks nothing and finds the same.
"""

import hashlib
import ipaddress
import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memassay.schemas.errors import EndpointError
from memassay.schemas.hashing import sha256

TRIES: Final = 4
TIMEOUT_SECONDS: Final = 30.0
LONGEST_WAIT_SECONDS: Final = 60.0
"""Longest wait that a provider may ask of a run; asked for more, the run ends (our choice)."""
WHOLE_SECONDS: Final = 180.0
"""Longest that one answer may trickle in (our choice)."""
_REDIRECTS: Final = 5
_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_GONE: Final = frozenset({404, 410, 451})


class FetchError(Exception):
    """A request that brought no answer; trying again now would not help.

    Attributes:
        lasting: Whether it will be the same tomorrow, so that it need not be asked again.
    """

    def __init__(self, said: str, *, lasting: bool = False) -> None:
        """Keep what happened."""
        super().__init__(said)
        self.lasting = lasting


@dataclass(frozen=True)
class Manners:
    """How a provider is asked.

    Attributes:
        agent: Who we are and how to reach us, as the header User-Agent.
        interval: Least seconds between two requests.
        home: Address of its interface; only its host may lie in a private network.
    """

    agent: str
    interval: float
    home: str


class Fetcher:
    """Gets addresses for one provider; safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        manners: Manners,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Say where answers are kept, and how to behave."""
        self.folder = folder
        self.manners = manners
        self._sleep = sleep
        self._clock = clock
        self._next = float("-inf")
        self._one_at_a_time = threading.Lock()

    def get(self, url: str, limit: int, params: Mapping[str, str] | None = None) -> bytes:
        """The body of an address, from disk if it was asked before.

        Args:
            url: The address.
            limit: Most bytes.
            params: Of the query; part of what an answer is kept under.

        Raises:
            FetchError: There is none, it is too large, or the address is not one to ask.
            EndpointError: We are asked to wait for too long, or again and again.
        """
        request = [url, sorted((params or {}).items()), limit]
        digest = hashlib.sha256(json.dumps(request).encode("utf-8")).hexdigest()
        path = self.folder / digest[:2] / digest
        with self._one_at_a_time:
            kept = _load(path)
            if kept is None:
                kept = self._ask(url, limit, params)
                _write(path, url, *kept)
        problem, body = kept
        if problem:
            raise FetchError(problem)
        return body

    def _ask(self, url: str, limit: int, params: Mapping[str, str] | None) -> tuple[str, bytes]:
        """What is wrong for good, or the body; what may pass is tried again."""
        for attempt in range(1, TRIES + 1):
            self._pace()
            try:
                return "", self._once(url, limit, params)
            except _LaterError as error:
                wait = error.wait if error.wait is not None else 2.0 ** (attempt - 1)
                ends = attempt == TRIES
                if error.throttled and (ends or wait > LONGEST_WAIT_SECONDS):
                    said = f"{url}: expected an answer, got asked to wait for {wait:.0f} s"
                    fix = "what is finished is kept: run again later"
                    raise EndpointError(f"{said}; {fix}") from error
                if ends:
                    raise FetchError(f"{error}, {TRIES} times") from error
                self._sleep(min(wait, LONGEST_WAIT_SECONDS))
            except FetchError as error:
                if not error.lasting:
                    raise
                return str(error), b""
        raise AssertionError("every try ends")

    def _pace(self) -> None:
        wait = self._next - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._next = self._clock() + self.manners.interval

    def _once(self, url: str, limit: int, params: Mapping[str, str] | None) -> bytes:
        import httpx2

        try:
            with httpx2.Client(timeout=TIMEOUT_SECONDS) as client:
                for _ in range(_REDIRECTS + 1):
                    self._refuse_odd(httpx2.URL(url))
                    headers = {"User-Agent": self.manners.agent}
                    with client.stream("GET", url, params=params, headers=headers) as response:
                        if not response.has_redirect_location:
                            return self._body(response, limit)
                        url, params = str(response.url.join(response.headers["location"])), None
        except httpx2.InvalidURL as error:
            raise FetchError(f"expected an address, got {url!r}") from error
        except httpx2.UnsupportedProtocol as error:
            raise FetchError(f"expected http or https, got {url!r}") from error
        except httpx2.TransportError as error:
            raise _LaterError(f"expected an answer, got {type(error).__name__}") from error
        except httpx2.HTTPError as error:
            raise FetchError(f"expected an answer, got {type(error).__name__}") from error
        raise FetchError(f"expected an answer, got more than {_REDIRECTS} redirects")

    def _refuse_odd(self, url: Any) -> None:
        """Refuse addresses that no public provider gives: other schemes, our own network."""
        import httpx2

        home = httpx2.URL(self.manners.home)
        if (url.scheme, url.host) == (home.scheme, home.host):
            return
        if url.scheme != "https" and url.scheme != home.scheme:
            raise FetchError(f"expected https, got {url.scheme or 'no scheme'}")
        if not _is_public(url.host):
            raise FetchError(f"expected a public address, got {url.host!r}")

    def _body(self, response: Any, limit: int) -> bytes:
        status = response.status_code
        if status in _TRANSIENT:
            said = f"expected an answer, got HTTP {status}"
            raise _LaterError(said, throttled=status == 429, wait=_wait(response))
        if status != 200:
            said = f"expected an answer, got HTTP {status}"
            raise FetchError(said, lasting=status in _GONE)
        said = response.headers.get("content-length", "")
        if said.isdigit() and int(said) > limit:
            raise FetchError(f"expected at most {limit} bytes, got {said}", lasting=True)
        body, until = bytearray(), self._clock() + WHOLE_SECONDS
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > limit:
                raise FetchError(f"expected at most {limit} bytes, got more", lasting=True)
            if self._clock() > until:
                raise _LaterError(f"expected an answer within {WHOLE_SECONDS:.0f} s, got a part")
        return bytes(body)


class _LaterError(Exception):
    """A request that may succeed later; `wait` is what the provider asked for, in seconds."""

    def __init__(self, said: str, *, throttled: bool = False, wait: float | None = None) -> None:
        super().__init__(said)
        self.throttled = throttled
        self.wait = wait


def _wait(response: Any) -> float | None:
    """Seconds that an answer asks to wait; a date, which depends on our clock, is not read."""
    said = response.headers.get("retry-after", "").strip()
    return float(said) if said.isdigit() else None


def _is_public(host: str) -> bool:
    """Whether every address of a host is a public one, as far as names are known here."""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        # Behind a proxy names may be known there only; without one nothing is reached anyway.
        return True
    return all(ipaddress.ip_address(str(one[4][0]).split("%")[0]).is_global for one in found)


def _load(path: Path) -> tuple[str, bytes] | None:
    """What was kept: a problem or a body; None if there is nothing whole."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        kept = json.loads(head)
        whole = kept["sha256"] == sha256(body)
        return (str(kept["problem"]), body) if whole else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, url: str, problem: str, body: bytes) -> None:
    head = json.dumps({"url": url, "problem": problem, "sha256": sha256(body)})
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(head.encode("utf-8") + b"\n" + body)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(path)
