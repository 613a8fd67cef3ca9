"""Refusals of the Hub that pass: we wait as it says, else longer each time, and ask again."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeVar

from memassay.schemas.errors import HubBusyError

_T = TypeVar("_T")

PASSING: Final = frozenset({429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
FIRST: Final = 1.0
"""Seconds of the first pause; each further one is twice as long."""
LONGEST: Final = 60.0
"""Seconds of a pause that we choose."""
IN_ALL: Final = 300.0
"""Seconds that we wait for one answer; pauses of the Hub's own tools come on top."""
_LOG: Final = logging.getLogger("memassay")


def ask_patiently(name: str, ask: Callable[[], _T]) -> _T:
    """What a call gives, made again as long as it fails for a reason that passes.

    Args:
        name: The repository, for messages.
        ask: The call; made twice, it must do no more than made once.

    Raises:
        HubBusyError: It still fails after some minutes, or the Hub asks for a longer pause.
    """
    from httpx2 import HTTPError

    pause, left = FIRST, IN_ALL
    while True:
        try:
            return ask()
        except (HTTPError, OSError) as error:
            reason = passing_reason(error)
            if reason is None:
                raise
            asked = _seconds_asked(reason)
            seconds = pause if asked is None else asked
            if seconds > left:
                raise HubBusyError(
                    f"{name}: the Hub refuses for now ({_short(reason)}), and asks for a pause of "
                    f"{seconds:.0f} s; run the same command later, what was uploaded is kept"
                    if asked is not None
                    else f"{name}: the Hub refused for {IN_ALL - left:.0f} s, the last time with "
                    f"{_short(reason)}; run the same command later, what was uploaded is kept"
                ) from error
            _LOG.warning("%s: %s; asked again in %.0f s", name, _short(reason), seconds)
            time.sleep(seconds)
            left, pause = left - seconds, min(2 * pause, LONGEST)


@contextmanager
def patient_calls() -> Iterator[None]:
    """Let each request of the Hub's own tools wait by itself, if it only reads.

    Of many that read for one answer some are refused each time; without this none would end.
    """
    from httpx2 import Client, HTTPStatusError, Request, Response
    from huggingface_hub import set_client_factory
    from huggingface_hub.utils import _http

    class PatientClient(Client):
        def send(self, request: Request, **how: Any) -> Response:
            def ask() -> Response:
                response = Client.send(self, request, **how)
                if response.status_code in PASSING:
                    response.close()
                    raise HTTPStatusError("", request=request, response=response)
                return response

            if request.method not in ("GET", "HEAD"):
                response = Client.send(self, request, **how)
                asked = response.headers.get("Retry-After")
                if (seconds := _seconds_until(asked)) is not None:
                    # The Hub's own tools do not read dates.
                    response.headers["Retry-After"] = f"{seconds:.0f}"
                return response
            return ask_patiently(request.url.host, ask)

    # The settings are those of the Hub's own client.
    hooks = {"request": [_http.hf_request_event_hook]}
    before = _http._GLOBAL_CLIENT_FACTORY
    set_client_factory(
        lambda: PatientClient(event_hooks=hooks, follow_redirects=True, timeout=None)
    )
    try:
        yield
    finally:
        set_client_factory(before)


def passing_reason(error: BaseException | None) -> BaseException | None:
    """Why the same call may succeed later: a passing status, or an answer that was lost."""
    while error is not None:
        response = getattr(error, "response", None)
        passes = response is not None and response.status_code in PASSING
        if passes or isinstance(error, _lost_answers()):
            return error
        # The Hub's tools say that a file is in no cache when a server refuses it for now.
        error = error.__cause__
    return None


def _lost_answers() -> tuple[type[Exception], ...]:
    """Errors of a request that may have been done; a Hub that is not there is another matter."""
    from httpx2 import ReadError, ReadTimeout, RemoteProtocolError, WriteError

    return (ReadError, ReadTimeout, RemoteProtocolError, WriteError)


def _seconds_asked(error: BaseException) -> float | None:
    """The pause that an answer asks for: `Retry-After` (seconds or a date), else `RateLimit`."""
    from huggingface_hub.utils._http import parse_ratelimit_headers

    response = getattr(error, "response", None)
    if response is None:
        return None
    asked = response.headers.get("Retry-After", "").strip()
    if asked.isdigit():
        # A date or a rounded number may be a moment early.
        return float(asked) + 1
    if asked:
        return None if (seconds := _seconds_until(asked)) is None else seconds + 1
    limits = parse_ratelimit_headers(response.headers)
    return limits.reset_in_seconds + 1.0 if limits and limits.remaining == 0 else None


def _seconds_until(date: str | None) -> float | None:
    """Seconds to the moment of an HTTP date, 0 if it is over; None for all else."""
    try:
        return max(parsedate_to_datetime(date or "").timestamp() - time.time(), 0.0)
    except ValueError:
        return None


def _short(error: BaseException) -> str:
    response = getattr(error, "response", None)
    if response is None:
        return type(error).__name__
    words = " ".join((getattr(error, "server_message", None) or "").split())
    return f"status {response.status_code}{f': {words}' if words else ''}"
