"""Openverse and Wikimedia Commons as providers of images, by their public interfaces.

Openverse: https://api.openverse.org/v1/images/, asked without an account (20 results a page).
Wikimedia Commons: https://commons.wikimedia.org/w/api.php, which requires a User-Agent that says
how to reach who asks.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from memassay.schemas.errors import EndpointError
from memassay.synth.material.rules import TOO_LARGE, UNREADABLE, RefusedError
from memassay.synth.sourcing.fetching import Fetcher, FetchError, Manners
from memassay.synth.sourcing.found import FoundImage, ImageProvider, credit, plain, readable_title
from memassay.synth.sourcing.licences import commons_licence, openverse_licence

MAX_IMAGE_BYTES: Final = 30_000_000
"""Largest image fetched, in bytes (our choice)."""
MAX_ANSWER_BYTES: Final = 5_000_000
"""Largest answer to a search, in bytes (our choice)."""
WIDTH: Final = 1280
"""Width in pixels in which Commons is asked for images; one of the widths it keeps ready."""
_PAGE: Final = 20

HOMES: Final[Mapping[str, str]] = {
    "openverse": "https://api.openverse.org",
    "wikimedia": "https://commons.wikimedia.org",
}
"""Where each provider is asked, by its name in the recipe."""
_INTERVALS: Final[Mapping[str, float]] = {"openverse": 3.0, "wikimedia": 1.0}
"""Least seconds between requests: Openverse lets strangers ask 20 times a minute."""


class _Provider:
    """What both providers share: how answers and bytes are had."""

    name: str

    def __init__(self, fetcher: Fetcher) -> None:
        """Take who asks."""
        self.fetcher = fetcher

    def fetch(self, image: FoundImage) -> bytes:
        """The bytes of an image.

        Raises:
            RefusedError: They cannot be had, or are too many.
            EndpointError: The provider asks to wait for too long.
        """
        try:
            return self.fetcher.get(image.url, MAX_IMAGE_BYTES)
        except FetchError as error:
            rule = TOO_LARGE if "bytes" in str(error) else UNREADABLE
            raise RefusedError(rule, str(error), "Take another image.") from error

    def _answer(self, path: str, params: Mapping[str, str]) -> dict[str, Any]:
        """The JSON object that answers a search."""
        url = f"{self.fetcher.manners.home.rstrip('/')}{path}"
        fix = f"run again when it answers, or leave {self.name} out of sourcing.providers"
        try:
            body = self.fetcher.get(url, MAX_ANSWER_BYTES, params)
        except FetchError as error:
            raise EndpointError(f"{self.name}: {url}: {error}; {fix}") from error
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise EndpointError(f"{self.name}: {url}: expected JSON: {error}; {fix}") from error
        if not isinstance(answer, dict):
            got = type(answer).__name__
            raise EndpointError(f"{self.name}: {url}: expected an object, got {got}; {fix}")
        return answer


class Openverse(_Provider):
    """Openverse: openly licensed images of many collections."""

    name = "openverse"

    def search(self, keyword: str, limit: int) -> list[FoundImage]:
        """At most `limit` images, in its order.

        Raises:
            EndpointError: It does not answer, or not in its protocol.
        """
        size = str(min(limit, _PAGE))
        answer = self._answer("/v1/images/", {"q": keyword, "page_size": size})
        found = [_openverse(result) for result in _dicts(answer.get("results"))]
        return found[:limit]


def _openverse(result: Mapping[str, Any]) -> FoundImage:
    title, url = readable_title(result.get("title")), plain(result.get("url"))
    page = plain(result.get("foreign_landing_url")) or url
    code, version = result.get("license"), result.get("license_version")
    return FoundImage(
        id=plain(result.get("id")),
        url=url,
        page=page,
        title=title,
        licence=openverse_licence(code, version),
        licence_said=" ".join(part for part in (plain(code), plain(version)) if part),
        attribution=credit(result.get("creator"), title, page, "Openverse"),
        width=_size(result.get("width")),
        height=_size(result.get("height")),
    )


class Wikimedia(_Provider):
    """Wikimedia Commons."""

    name = "wikimedia"

    def search(self, keyword: str, limit: int) -> list[FoundImage]:
        """At most `limit` files of images, best first.

        Raises:
            EndpointError: It does not answer, or not in its protocol.
        """
        params = {
            "action": "query",
            "format": "json",
            "formatversion": "2",
            "generator": "search",
            "gsrsearch": f"filetype:bitmap {keyword}",
            "gsrnamespace": "6",
            "gsrlimit": str(min(limit, _PAGE)),
            "prop": "imageinfo",
            "iiprop": "url|size|mime|extmetadata",
            "iiurlwidth": str(WIDTH),
        }
        answer = self._answer("/w/api.php", params)
        if "error" in answer:
            raise EndpointError(f"wikimedia: expected results, got {answer['error']!r:.200}")
        query = answer.get("query")
        pages = query.get("pages") if isinstance(query, dict) else None
        # The order of pages says nothing; `index` is their place among the results.
        ordered = sorted(_dicts(pages), key=lambda page: _size(page.get("index")) or limit + 1)
        return [_wikimedia(page) for page in ordered][:limit]


def _wikimedia(page: Mapping[str, Any]) -> FoundImage:
    info = next(iter(_dicts(page.get("imageinfo"))), {})
    said = info.get("extmetadata")
    told = said if isinstance(said, dict) else {}
    title = readable_title(page.get("title"))
    licence, terms = _value(told, "LicenseShortName"), _value(told, "UsageTerms")
    about = plain(info.get("descriptionurl"))
    shrunk = "thumburl" in info
    return FoundImage(
        id=str(page.get("pageid", "")),
        # Files as they were given to Commons can be larger than anybody shows.
        url=plain(info.get("thumburl")) or plain(info.get("url")),
        page=about,
        title=title,
        licence=commons_licence(licence, terms),
        licence_said=licence or terms,
        attribution=credit(_value(told, "Artist"), title, about, "Wikimedia Commons"),
        width=_size(info.get("thumbwidth" if shrunk else "width")),
        height=_size(info.get("thumbheight" if shrunk else "height")),
    )


def _value(told: Mapping[str, Any], key: str) -> str:
    entry = told.get(key)
    return plain(entry.get("value")) if isinstance(entry, dict) else ""


def _dicts(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list, whatever else is in it."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _size(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


_MAKERS: Final[Mapping[str, Callable[[Fetcher], ImageProvider]]] = {
    "openverse": Openverse,
    "wikimedia": Wikimedia,
}


def make_provider(
    name: str,
    folder: Path,
    agent: str,
    home: str | None = None,
    interval: float | None = None,
) -> ImageProvider:
    """A provider by its name in the recipe.

    Args:
        name: `openverse` or `wikimedia`.
        folder: Where answers are kept.
        agent: Who asks, as User-Agent.
        home: Address of a mirror; default: the provider's own.
        interval: Least seconds between two requests; default: what its rules ask for.
    """
    pause = _INTERVALS[name] if interval is None else interval
    return _MAKERS[name](Fetcher(folder, Manners(agent, pause, home or HOMES[name])))
