"""Providers of images against a local server that speaks their protocols."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import own_material
from support.image_servers import ImageServer, Shot, shot
from support.model_servers.running import running

from memassay.schemas.errors import EndpointError
from memassay.synth.material.rules import RefusedError
from memassay.synth.sourcing.fetching import Fetcher, FetchError, Manners
from memassay.synth.sourcing.found import FoundImage, ImageProvider
from memassay.synth.sourcing.providers import Openverse, Wikimedia

NAMES = {"openverse": Openverse, "wikimedia": Wikimedia}


@pytest.fixture
def server() -> ImageServer:
    """A server without images."""
    return ImageServer()


@pytest.fixture
def home(server: ImageServer) -> Iterator[str]:
    """Its address while it serves."""
    with running(server.app) as address:
        yield address


class Slept(list[float]):
    """Waits that would have been."""


@pytest.fixture
def slept() -> Slept:
    """Waits instead of waiting."""
    return Slept()


def _fetcher(folder: Path, home: str, slept: Slept, interval: float = 0.0) -> Fetcher:
    manners = Manners("memassay/test (me@example.org)", interval, home)
    return Fetcher(folder, manners, slept.append, lambda: sum(slept))


@pytest.fixture
def openverse(tmp_path: Path, home: str, slept: Slept) -> Openverse:
    """Openverse, at the local server."""
    return Openverse(_fetcher(tmp_path / "answers", home, slept))


@pytest.fixture
def wikimedia(tmp_path: Path, home: str, slept: Slept) -> Wikimedia:
    """Wikimedia Commons, at the local server."""
    return Wikimedia(_fetcher(tmp_path / "answers", home, slept))


@pytest.fixture(params=list(NAMES))
def provider(
    request: pytest.FixtureRequest, tmp_path: Path, home: str, slept: Slept
) -> ImageProvider:
    """Each of the providers."""
    made: ImageProvider = NAMES[request.param](_fetcher(tmp_path / "answers", home, slept))
    return made


def _only(found: list[FoundImage]) -> FoundImage:
    (image,) = found
    return image


def test_openverse_says_licence_credit_and_place(
    server: ImageServer, openverse: Openverse, home: str
) -> None:
    """A result becomes an image with all that its use needs."""
    server.shots["bees"] = [shot(3, "Bees at\u00a0work.JPG", "by-sa 2.0")]
    assert _only(openverse.search("Bees", 5)) == FoundImage(
        id="id-shot3.jpg",
        url=f"{home}/files/shot3.jpg",
        page="https://photos.example/shot3.jpg",
        title="Bees at work",
        licence="CC-BY-SA-2.0",
        licence_said="by-sa 2.0",
        attribution='Mary Example, "Bees at work", https://photos.example/shot3.jpg, via Openverse',
        width=96,
        height=64,
    )


def test_commons_says_licence_credit_and_place(
    server: ImageServer, wikimedia: Wikimedia, home: str
) -> None:
    """HTML is gone from the artist, `File:` and the ending from the title; the copy is shrunk."""
    server.shots["bees"] = [shot(3, "Bees_at_work", "CC BY-SA 3.0 de")]
    page = "https://commons.example/wiki/File:shot3.jpg"
    assert _only(wikimedia.search("bees", 5)) == FoundImage(
        id="101",
        url=f"{home}/files/shot3.jpg",
        page=page,
        title="Bees at work",
        licence="CC-BY-SA-3.0-DE",
        licence_said="CC BY-SA 3.0 de",
        attribution=f'Mary Example & others, "Bees at work", {page}, via Wikimedia Commons',
        width=96,
        height=64,
    )


def test_commons_asks_for_files_and_says_who_asks(
    server: ImageServer, wikimedia: Wikimedia
) -> None:
    """The search is for files of images, in a width that is kept ready, with a contact."""
    wikimedia.search("bees", 5)
    (asked,) = server.log
    for part in ("gsrnamespace=6", "generator=search", "gsrlimit=5", "iiurlwidth=1280"):
        assert part in asked
    assert server.agents == {"memassay/test (me@example.org)"}


def test_results_keep_their_order(server: ImageServer, provider: ImageProvider) -> None:
    """Best first, whatever the order of the document."""
    server.shots["bees"] = [shot(number, f"Hive {number} here") for number in (3, 4, 5)]
    titles = [image.title for image in provider.search("bees", 2)]
    assert titles == ["Hive 3 here", "Hive 4 here"]


def test_nothing_found_is_an_empty_list(provider: ImageProvider) -> None:
    """Commons then leaves `query` out, Openverse has no results."""
    assert provider.search("unheard of", 5) == []


@pytest.mark.parametrize("missing", ["title", "creator", "license", "license_version", "url", "id"])
def test_openverse_may_leave_fields_out(
    server: ImageServer, openverse: Openverse, missing: str
) -> None:
    """A result without a field is a result that says less."""
    server.shots["bees"] = [Shot("a.jpg", "Bees", left_out=(missing,))]
    image = _only(openverse.search("bees", 5))
    assert (image.url == "") is (missing == "url")
    assert (image.licence is None) is missing.startswith("license")
    assert (image.title is None) is (missing == "title")


@pytest.mark.parametrize("missing", ["extmetadata", "thumburl", "Artist", "LicenseShortName"])
def test_commons_may_leave_fields_out(
    server: ImageServer, wikimedia: Wikimedia, missing: str
) -> None:
    """A page without a field is a result that says less."""
    server.shots["bees"] = [Shot("a.jpg", "Bees", "CC0", left_out=(missing,))]
    image = _only(wikimedia.search("bees", 5))
    assert image.url.endswith("original") is (missing == "thumburl")
    assert (image.licence is None) is (missing in {"extmetadata", "LicenseShortName"})
    assert image.attribution is not None


def test_an_answer_is_asked_for_once(
    server: ImageServer, provider: ImageProvider, tmp_path: Path
) -> None:
    """Search and bytes come from disk the second time, for another fetcher too."""
    server.shots["bees"] = [shot(3, "Bees")]
    first = provider.search("bees", 5)
    data = provider.fetch(first[0])
    asked = list(server.log)
    server.shots.clear()
    again: ImageProvider = NAMES[provider.name](
        _fetcher(tmp_path / "answers", first[0].url.partition("/files")[0], Slept())
    )
    assert again.search("bees", 5) == first
    assert again.fetch(first[0]) == data == own_material.photograph(3)
    assert server.log == asked


def test_a_damaged_answer_is_asked_for_again(
    server: ImageServer, openverse: Openverse, tmp_path: Path
) -> None:
    """What is on disk counts only whole."""
    server.shots["bees"] = [shot(3, "Bees")]
    openverse.search("bees", 5)
    (kept,) = [path for path in (tmp_path / "answers").rglob("*") if path.is_file()]
    kept.write_bytes(kept.read_bytes()[:-5])
    assert len(openverse.search("bees", 5)) == 1
    assert len(server.log) == 2


def test_throttling_is_obeyed(server: ImageServer, openverse: Openverse, slept: Slept) -> None:
    """After a 429 the provider's own wait is kept."""
    server.faults.append((429, {"Retry-After": "7"}, b"slow down"))
    assert openverse.search("bees", 5) == []
    assert slept == [7.0]


def test_endless_throttling_ends_the_run(server: ImageServer, openverse: Openverse) -> None:
    """A wait of an hour is no wait; neither is being throttled again and again."""
    server.faults.append((429, {"Retry-After": "3600"}, b""))
    with pytest.raises(EndpointError, match="3600 s; what is finished is kept"):
        openverse.search("bees", 5)
    server.faults.extend([(429, {"Retry-After": "1"}, b"")] * 4)
    with pytest.raises(EndpointError, match="asked to wait for 1 s"):
        openverse.search("bees", 5)


def test_a_server_in_trouble_is_tried_again(
    server: ImageServer, provider: ImageProvider, slept: Slept
) -> None:
    """With longer and longer waits."""
    server.shots["bees"] = [shot(3, "Bees")]
    server.faults.extend([(500, {}, b""), (503, {}, b"")])
    assert len(provider.search("bees", 5)) == 1
    assert slept == [1.0, 2.0]


def test_a_search_that_is_never_answered_ends_the_run(
    server: ImageServer, provider: ImageProvider
) -> None:
    """The message names the provider, what came, and what to do; nothing of it is kept."""
    server.faults.extend([(500, {}, b"")] * 4)
    with pytest.raises(EndpointError, match=f"{provider.name}: .* HTTP 500, 4 times; run again"):
        provider.search("bees", 5)
    assert provider.search("bees", 5) == []


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b"\xff", b"[" * 100_000])
def test_another_protocol_ends_the_run(
    server: ImageServer, openverse: Openverse, body: bytes
) -> None:
    """What is no JSON object is no answer."""
    server.faults.append((200, {}, body))
    with pytest.raises(EndpointError, match="expected"):
        openverse.search("bees", 5)


def test_commons_errors_are_told(server: ImageServer, wikimedia: Wikimedia) -> None:
    """The interface answers 200 to what it does not understand."""
    server.faults.append((200, {}, b'{"error": {"code": "badvalue", "info": "no such"}}'))
    with pytest.raises(EndpointError, match="badvalue"):
        wikimedia.search("bees", 5)


def _image(url: str) -> FoundImage:
    return FoundImage("1", url, url, "Bees", "CC0-1.0", "cc0", None)


def test_an_image_that_is_gone_is_asked_for_once(
    server: ImageServer, openverse: Openverse, home: str
) -> None:
    """A 404 is kept as well as bytes are."""
    server.shots["bees"] = [Shot("gone.jpg")]
    for _ in range(2):
        with pytest.raises(RefusedError, match="HTTP 404"):
            openverse.fetch(_image(f"{home}/files/gone.jpg"))
    assert len(server.log) == 1


def test_an_image_in_trouble_is_refused_and_not_remembered(
    server: ImageServer, openverse: Openverse, home: str
) -> None:
    """One bad host does not end a run, and may be better tomorrow."""
    server.shots["bees"] = [shot(3)]
    server.faults.extend([(502, {}, b"")] * 4)
    with pytest.raises(RefusedError, match="HTTP 502, 4 times"):
        openverse.fetch(_image(f"{home}/files/shot3.jpg"))
    assert openverse.fetch(_image(f"{home}/files/shot3.jpg")) == own_material.photograph(3)


def test_redirects_are_followed_to_an_end(
    server: ImageServer, openverse: Openverse, home: str
) -> None:
    """A moved image is found, a circle is left."""
    server.shots["bees"] = [shot(3)]
    assert openverse.fetch(_image(f"{home}/moved/shot3.jpg")) == own_material.photograph(3)
    with pytest.raises(RefusedError, match="more than 5 redirects"):
        openverse.fetch(_image(f"{home}/moved/loop"))


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://photos.example/a.jpg",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/a.jpg",
        "http://[::1]/a.jpg",
        "a.jpg",
        "http://",
    ],
)
def test_addresses_that_no_public_provider_gives_are_refused(
    openverse: Openverse, url: str
) -> None:
    """A search result cannot make us read files or ask the network we are in."""
    with pytest.raises(RefusedError, match="expected"):
        openverse.fetch(_image(url))


def test_too_many_bytes_are_not_read(server: ImageServer, tmp_path: Path, home: str) -> None:
    """With or without a length that is stated, reading ends at the limit; also when packed."""
    fetcher = _fetcher(tmp_path, home, Slept())
    server.shots["bees"] = [Shot("big.jpg", data=bytes(5000))]
    with pytest.raises(FetchError, match="at most 4999 bytes, got 5000"):
        fetcher.get(f"{home}/files/big.jpg", 4999)
    assert len(fetcher.get(f"{home}/files/big.jpg", 5000)) == 5000


def test_requests_are_paced(server: ImageServer, tmp_path: Path, home: str) -> None:
    """Two requests are an interval apart, the first waits for nothing."""
    slept = Slept()
    fetcher = _fetcher(tmp_path, home, slept, interval=3.0)
    server.shots["bees"] = [shot(3), shot(4)]
    for name in ("shot3.jpg", "shot4.jpg", "shot3.jpg"):
        fetcher.get(f"{home}/files/{name}", 100_000)
    assert slept == [3.0]
