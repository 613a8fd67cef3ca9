"""The stage that finds images for events: who is asked, what is refused, what is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import own_material
from support.image_servers import ImageServer, Shot, shot
from support.model_servers.running import running

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.material.folder import files_of
from memassay.synth.material.intake import Terms
from memassay.synth.sourcing.local import LocalFiles
from memassay.synth.sourcing.providers import make_provider
from memassay.synth.sourcing.stage import Search, SourcingStage


class Found:
    """What the stage made of one persona's events."""

    def __init__(self, search: Search, keywords: list[str], folder: Path) -> None:
        context = UnitContext(7, "sourcing", "ada", BlobFolder(folder / "blobs"))
        events = [_event(number, keyword) for number, keyword in enumerate(keywords, start=1)]
        self.records = list(SourcingStage(search).run(events[::-1], context))
        self.assets = [record for record in self.records if isinstance(record, Asset)]
        self.facts = [record for record in self.records if isinstance(record, Fact)]
        self.findings: list[Finding] = context.findings

    def by_event(self) -> dict[str, str]:
        """What each event shows: the address of its image."""
        return {
            str(asset.extras["sourcing"]["event"]): asset.uri or ""  # type: ignore[index,call-overload]
            for asset in self.assets
            if "sourcing" in asset.extras
        }

    def rules(self) -> list[str]:
        """The rules that its findings name."""
        return [finding.rule for finding in self.findings]


def _event(number: int, keyword: str) -> TimelineEvent:
    return TimelineEvent(
        id=f"ada/E{number:03d}",
        conversation="ada",
        position=number,
        session=number,
        date=f"2024-03-{number:02d}T09:00",
        line=EventLine.CORE,
        title="a weighing",
        query="What does it say?",
        keyword=keyword,
        card="weighing",
        source_sha256="0" * 64,
    )


@pytest.fixture
def server() -> ImageServer:
    """A server without images."""
    return ImageServer()


@pytest.fixture
def home(server: ImageServer) -> Iterator[str]:
    """Its address while it serves."""
    with running(server.app) as address:
        yield address


def _web(folder: Path, home: str, **more: object) -> Search:
    providers = [
        make_provider(name, folder / "answers", "test", home, 0.0)
        for name in ("openverse", "wikimedia")
    ]
    return Search(order=["openverse", "wikimedia"], providers=providers, **more)  # type: ignore[arg-type]


def _local(folder: Path, files: dict[str, str | None]) -> LocalFiles:
    folder.mkdir()
    for number, (name, caption) in enumerate(files.items(), start=3):
        (folder / name).write_bytes(own_material.png(number))
        if caption is not None:
            (folder / f"{name}.txt").write_text(caption, "utf-8")
    return LocalFiles(files_of(folder), Terms("MIT"), frozenset({"ada"}))


def test_events_show_the_files_that_fit_them(tmp_path: Path) -> None:
    """By caption or name; what fits nothing is not shown, and what nothing fits is a finding."""
    files = {"x.png": "A beehive on a scale", "bees_fed_syrup.png": None, "goat.png": "A goat"}
    local = _local(tmp_path / "files", files)
    keywords = ["syrup for bees", "beehive scale", "moon"]
    found = Found(Search(["local"], local=local), keywords, tmp_path)
    assert found.by_event() == {"ada/E001": "bees_fed_syrup.png", "ada/E002": "x.png"}
    assert {asset.origin for asset in found.assets} == {"user"}
    assert [fact.value.text for fact in found.facts] == ["A beehive on a scale"]
    (unmatched,) = found.findings
    assert unmatched.rule == "sourcing.unmatched"
    assert "ada/E003.keyword: expected an image for 'moon'" in unmatched.message
    assert unmatched.fix


def test_a_file_goes_to_the_event_it_fits_best(tmp_path: Path) -> None:
    """An earlier event does not take it from a later one; no file is shown twice."""
    local = _local(tmp_path / "files", {"hive.png": "orchard hive scale"})
    found = Found(
        Search(["local"], local=local), ["hive scale man", "orchard hive scale"], tmp_path
    )
    assert found.by_event() == {"ada/E002": "hive.png"}


def test_another_persona_does_not_get_the_files(tmp_path: Path) -> None:
    """`material.persona` holds for matching too."""
    local = _local(tmp_path / "files", {"hive.png": "hive"})
    others = LocalFiles(local.files, local.terms, frozenset({"bob"}))
    assert Found(Search(["local"], local=others), ["hive"], tmp_path).assets == []


def test_documents_are_shown_as_before(tmp_path: Path) -> None:
    """A PDF is for no event: it comes with its pages, as without matching."""
    _local(tmp_path / "files", {"hive.png": "hive"})
    (tmp_path / "files" / "manual.pdf").write_bytes(own_material.pdf(2))
    local = LocalFiles(files_of(tmp_path / "files"), Terms("MIT"), frozenset({"ada"}))
    found = Found(Search(["local"], local=local), ["manual"], tmp_path)
    assert [asset.uri for asset in found.assets] == ["manual.pdf"] * 3
    assert found.rules() == ["sourcing.unmatched"]


def test_bad_files_of_the_pool_are_findings(tmp_path: Path) -> None:
    """Searching takes in as showing does."""
    _local(tmp_path / "files", {"hive.png": "hive"})
    (tmp_path / "files" / "cut.jpg").write_bytes(own_material.photograph(9)[:900])
    local = LocalFiles(files_of(tmp_path / "files"), Terms("MIT"), frozenset({"ada"}))
    found = Found(Search(["local"], local=local), ["hive"], tmp_path)
    assert found.rules() == ["material.unreadable"]


def test_a_sourced_image_says_where_it_is_from(
    server: ImageServer, home: str, tmp_path: Path
) -> None:
    """Origin, licence, credit and address; no EXIF; its title is what the user says."""
    server.shots["hive"] = [shot(3, "A hive in spring", "by-sa 4.0")]
    found = Found(_web(tmp_path, home), ["hive"], tmp_path)
    (asset,) = found.assets
    assert (asset.id, asset.origin) == ("ada/SRC_E001_1", "openverse:id-shot3.jpg")
    assert (asset.licence, asset.uri) == ("CC-BY-SA-4.0", f"{home}/files/shot3.jpg")
    assert asset.attribution is not None
    assert asset.attribution.startswith("Mary Example")
    assert "GPSInfo" in asset.exif_removed
    data = BlobFolder(tmp_path / "blobs").get(str(asset.blob_sha256))
    assert not any(secret in data for secret in own_material.secrets())
    assert [fact.value.text for fact in found.facts] == ["A hive in spring"]
    assert found.findings == []


def test_who_comes_later_is_asked_for_what_is_left(
    server: ImageServer, home: str, tmp_path: Path
) -> None:
    """The folder first, then the web, and only for events that the folder has nothing for."""
    server.shots["moon"] = [shot(8, "The moon over a hill")]
    web = _web(tmp_path, home)
    local = _local(tmp_path / "files", {"hive.png": "hive"})
    search = Search(["local", "openverse"], local=local, providers=web.providers)
    found = Found(search, ["hive", "moon"], tmp_path)
    assert list(found.by_event()) == ["ada/E001", "ada/E002"]
    assert all("q=moon" in asked or "/files/" in asked for asked in server.log)


BAD = {
    "licence": (shot(3, "Bad", "by-nc 4.0"), "CC-BY-NC-4.0"),
    "unknown-licence": (shot(3, "Bad", "sampling+ 1.0"), "got sampling+ 1.0"),
    "no-licence": (Shot("a.jpg", "Bad", left_out=("license",)), "SPDX lists, got 4.0"),
    "no-address": (Shot("a.jpg", "Bad", left_out=("url",)), "expected an address"),
    "truncated": (Shot("a.jpg", "Bad", data=own_material.photograph(3)[:900]), "whole image"),
    "bomb": (Shot("a.png", "Bad", data=own_material.bomb()), "at most 64000000 pixels"),
    "text": (Shot("a.jpg", "Bad", data=b"<html>not here</html>"), "expected an image"),
    "empty": (Shot("a.jpg", "Bad", data=b""), "expected an image"),
    "gone": (Shot("a.jpg", "Bad"), "HTTP 404"),
    "elsewhere": (Shot("a.jpg", "Bad", url="http://10.0.0.1/a.jpg"), "public address"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_refused_with_its_reason(
    server: ImageServer, home: str, tmp_path: Path, name: str
) -> None:
    """The next result is taken instead, and a finding keeps why."""
    bad, reason = BAD[name]
    server.shots["hive"] = [bad, shot(5, "A good hive")]
    found = Found(_web(tmp_path, home), ["hive"], tmp_path)
    assert found.by_event() == {"ada/E001": f"{home}/files/shot5.jpg"}
    (refused,) = found.findings
    assert refused.rule == "sourcing.refused"
    assert refused.severity == "info"
    assert reason in refused.message


def test_a_recipe_may_accept_other_licences(server: ImageServer, home: str, tmp_path: Path) -> None:
    """Exactly those it lists."""
    server.shots["hive"] = [shot(3, "Free", "by 4.0"), shot(4, "Not free", "by-nc 4.0")]
    search = _web(tmp_path, home, licences=["CC-BY-NC-4.0"])
    found = Found(search, ["hive"], tmp_path)
    assert [asset.licence for asset in found.assets] == ["CC-BY-NC-4.0"]


def test_no_image_is_shown_twice(server: ImageServer, home: str, tmp_path: Path) -> None:
    """Neither by address nor by pixels, whoever has it."""
    server.shots["hive"] = [shot(3, "Hive")]
    server.shots["bees"] = [shot(3, "Hive"), Shot("copy.jpg", "Copy", data=shot(3).data)]
    found = Found(_web(tmp_path, home), ["hive", "bees"], tmp_path)
    assert len(found.assets) == 1
    assert found.rules().count("sourcing.unmatched") == 1
    assert "another event shows" in found.findings[0].message
    assert "got the pixels of ada/SRC_E001_1" in found.findings[0].message


def test_icons_are_too_small(server: ImageServer, home: str, tmp_path: Path) -> None:
    """An edge of less than 64 pixels shows nothing."""
    import io

    buffer = io.BytesIO()
    own_material.pixels(3, (63, 200)).save(buffer, "PNG")
    server.shots["hive"] = [Shot("icon.png", "Icon", data=buffer.getvalue())]
    found = Found(_web(tmp_path, home), ["hive"], tmp_path)
    assert "64 pixels and more, got 63 x 200" in found.findings[0].message


def test_several_images_for_an_event(server: ImageServer, home: str, tmp_path: Path) -> None:
    """As many as the recipe asks for at most; what one provider lacks the next may have."""
    server.shots["hive"] = [shot(3, "One", "CC0"), shot(4, "Two", "by 4.0")]
    found = Found(_web(tmp_path, home, per_event=3), ["hive"], tmp_path)
    assert [asset.id for asset in found.assets] == ["ada/SRC_E001_1", "ada/SRC_E001_2"]
    # Openverse knows `cc0` in capitals too; Commons has the same addresses again.
    assert {asset.origin for asset in found.assets} == {
        "openverse:id-shot3.jpg",
        "openverse:id-shot4.jpg",
    }


def test_an_image_without_a_title_says_nothing(
    server: ImageServer, home: str, tmp_path: Path
) -> None:
    """It makes no fact: nobody called it anything."""
    server.shots["hive"] = [shot(3, "IMG_0042.JPG")]
    found = Found(_web(tmp_path, home), ["hive"], tmp_path)
    assert len(found.assets) == 1
    assert found.facts == []


def test_an_event_without_a_keyword_is_asked_for_nowhere(
    server: ImageServer, home: str, tmp_path: Path
) -> None:
    """It is unmatched, and providers do not hear of it."""
    assert Found(_web(tmp_path, home), [" "], tmp_path).rules() == ["sourcing.unmatched"]
    assert server.log == []


def test_a_rerun_asks_nobody(server: ImageServer, home: str, tmp_path: Path) -> None:
    """The same records come from disk, byte for byte."""
    server.shots["hive"] = [Shot("gone.jpg"), shot(3, "Hive")]
    first = Found(_web(tmp_path, home), ["hive", "moon"], tmp_path)
    asked = len(server.log)
    again = Found(_web(tmp_path, home), ["hive", "moon"], tmp_path)
    assert (again.records, again.findings) == (first.records, first.findings)
    assert len(server.log) == asked


def test_what_the_result_depends_on_is_in_the_key(tmp_path: Path) -> None:
    """Files, order, licences and mirrors; not who asks."""
    local = _local(tmp_path / "files", {"hive.png": "hive"})
    configs = [
        SourcingStage(Search(["local"], local=local)).config,
        SourcingStage(Search(["local"], per_event=2, local=local)).config,
        SourcingStage(Search(["openverse"], licences=["MIT"])).config,
        SourcingStage(Search(["openverse"])).config,
        SourcingStage(Search(["openverse"], homes={"openverse": "http://m"})).config,
    ]
    (tmp_path / "files" / "hive.png.txt").write_text("beehive", "utf-8")
    configs.append(SourcingStage(Search(["local"], local=local)).config)
    assert len({str(config) for config in configs}) == len(configs)
