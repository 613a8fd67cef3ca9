"""Recipes that source images by keyword, run whole: into rounds, releases and findings."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from support import own_material
from support.image_servers import ImageServer, shot
from support.model_servers.running import running

from memassay.cli import main
from memassay.exports import open_release
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle

pytestmark = pytest.mark.slow(seconds=0.5)

TITLE = "Honey flow at Lake Bled 2014 (close-up)"


def _run(recipe: Path, workspace: str = "work") -> Result:
    folder = recipe.parent / workspace
    arguments = ["run", str(recipe), "--workspace", str(folder), "--runner", "plain", "--json"]
    return CliRunner().invoke(main, arguments)


def _report(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def _recipe(folder: Path, repository: Path, **sections: Any) -> Path:
    """The documented recipe and persona, with other sections."""
    path = own_material.write_recipe(folder, repository)
    # So short a history has nothing to ask across sessions.
    questions = {"ss": 4, "ms": 0, "tr": 2, "mr": 2, "fm": 1, "th": 0, "fj": 0, "ii": 0}
    recipe = {**yaml.safe_load(path.read_text("utf-8")), "questions": questions, **sections}
    kept = {key: value for key, value in recipe.items() if value is not None}
    path.write_text(yaml.safe_dump(kept), "utf-8")
    return path


def _files(folder: Path) -> None:
    """Two files that fit the cards of the documented persona, and one that does not."""
    folder.mkdir()
    captions = {"a": "The beehive on my scale", "feeding_bees_syrup": "", "goat": "A goat"}
    for number, (name, caption) in enumerate(captions.items(), start=3):
        (folder / f"{name}.png").write_bytes(own_material.png(number))
        if caption:
            (folder / f"{name}.txt").write_text(caption, "utf-8")


def _bundle(report: dict[str, Any]) -> Bundle:
    (only,) = open_release(report["release"]).bundles()
    return only


def _rules(report: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in report["findings"]}


def _shown(bundle: Bundle, asset: Asset) -> tuple[str, str, str | None]:
    """Event, text of the turn and caption with which an asset is shown; it is shown once."""
    ((round_, turn, item),) = [
        (round_, turn, item)
        for round_ in bundle.conversation.rounds()
        for turn in round_.turns
        for item in turn.attachments
        if item.asset == asset.id
    ]
    first = next(one for one in bundle.conversation.rounds() if one.event == round_.event)
    assert round_ == first
    return round_.event or "", turn.text, item.caption


@pytest.fixture(scope="module")
def matched(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A run in which events show the user's files that fit them."""
    folder = tmp_path_factory.mktemp("matched")
    _files(folder / "my-files")
    material = {"folder": "my-files", "licence": "MIT", "match": "keyword"}
    return _report(_run(_recipe(folder, repository, material=material)))


def test_events_show_matching_files_in_their_first_round(matched: dict[str, Any]) -> None:
    """With the user's caption, said word for word; what fits no event is not in the release."""
    bundle = _bundle(matched)
    own = {asset.uri: asset for asset in bundle.assets if asset.origin == "user"}
    assert set(own) == {"a.png", "feeding_bees_syrup.png"}
    cards = {event.id: event.card for event in bundle.events}
    event, text, caption = _shown(bundle, own["a.png"])
    assert cards[event] == "swarm"
    assert caption == "The beehive on my scale"
    assert text.endswith(("The beehive on my scale.", "The beehive on my scale"))
    event, text, caption = _shown(bundle, own["feeding_bees_syrup.png"])
    assert cards[event] == "feeding"
    assert caption == "feeding bees syrup"
    assert "syrup" not in text


def test_captions_are_noted_where_they_are_said(matched: dict[str, Any]) -> None:
    """The span of the mention is the caption."""
    bundle = _bundle(matched)
    (fact,) = [fact for fact in bundle.facts if fact.value.text == "The beehive on my scale"]
    (mention,) = [mention for mention in bundle.mentions if mention.fact == fact.id]
    turns = {turn.id: turn.text for turn in bundle.conversation.turns()}
    assert mention.span is not None
    assert turns[str(mention.turn)][slice(*mention.span)] == fact.value.text


def test_unmatched_keywords_are_findings_of_the_run(matched: dict[str, Any]) -> None:
    """Events for which nobody has anything are told, and nothing else is wrong."""
    assert _rules(matched) == {"sourcing.unmatched"}
    unmatched = [one["target"] for one in matched["findings"]]
    assert len(unmatched) == len(_bundle(matched).events) - 2


def _server() -> ImageServer:
    """A server that has an image for each card of the documented persona."""
    return ImageServer(
        {
            "beehive on a scale": [shot(3, "Not free", "by-nc 4.0"), shot(5, TITLE)],
            "feeding bees syrup": [shot(7, "DSC_0007", "by-sa 2.0")],
        }
    )


@pytest.fixture
def server() -> ImageServer:
    """Such a server, for one test."""
    return _server()


@pytest.fixture
def home(server: ImageServer) -> Iterator[str]:
    """Its address while it serves."""
    with running(server.app) as address:
        yield address


def _sourcing(home: str) -> dict[str, Any]:
    return {
        "providers": ["openverse", "wikimedia"],
        "contact": "me@example.org",
        "base_urls": {"openverse": home, "wikimedia": home},
        "interval": 0,
    }


def _run_with_web(folder: Path, repository: Path, home: str, **more: Any) -> dict[str, Any]:
    recipe = _recipe(folder, repository, material=None, sourcing=_sourcing(home), **more)
    return _report(_run(recipe))


@pytest.fixture(scope="module")
def from_web(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], ImageServer, str]:
    """A run with images from the web, who was asked for them, and where."""
    server = _server()
    release = {"name": "bees", "formats": ["m3exam"]}
    with running(server.app) as home:
        folder = tmp_path_factory.mktemp("web")
        return _run_with_web(folder, repository, home, release=release), server, home


def test_images_from_the_web_come_with_title_licence_and_credit(
    from_web: tuple[dict[str, Any], ImageServer, str],
) -> None:
    """The title is said, a camera's count is not; the release names every licence."""
    report, server, _ = from_web
    bundle = _bundle(report)
    sourced = [asset for asset in bundle.assets if "sourcing" in asset.extras]
    named, unnamed = sorted(sourced, key=lambda asset: asset.origin or "")
    assert (named.origin, unnamed.origin) == ("openverse:id-shot5.jpg", "openverse:id-shot7.jpg")
    assert _shown(bundle, named)[2] == TITLE
    assert TITLE in _shown(bundle, named)[1]
    assert _shown(bundle, unnamed)[2] == "feeding bees syrup"
    assert _rules(report) == {"sourcing.refused", "sourcing.unmatched"}
    licence = open_release(report["release"]).manifest.licence
    assert licence == "CC-BY-4.0 AND CC-BY-SA-2.0"
    (agent,) = server.agents
    assert agent.endswith("(me@example.org)")


def test_how_providers_were_reached_is_in_no_release(
    from_web: tuple[dict[str, Any], ImageServer, str],
) -> None:
    """Neither the contact nor the address of a mirror, but for where an image lies."""
    report, _, home = from_web
    recipe = json.dumps(open_release(report["release"]).manifest.recipe)
    assert "me@example.org" not in recipe
    assert home not in recipe


def test_a_release_with_sourced_images_is_valid(
    from_web: tuple[dict[str, Any], ImageServer, str],
) -> None:
    """`memassay validate` finds no error in it."""
    result = CliRunner().invoke(main, ["validate", from_web[0]["release"]])
    assert result.exit_code == 0, result.output


def test_a_second_workspace_with_the_answers_asks_nobody(
    server: ImageServer, home: str, tmp_path: Path, repository: Path
) -> None:
    """Answers that were kept make the same release again."""
    recipe = _recipe(tmp_path, repository, material=None, sourcing=_sourcing(home))
    first = _report(_run(recipe))
    asked = len(server.log)
    (tmp_path / "work" / "sourcing").rename(tmp_path / "answers")
    (tmp_path / "again").mkdir()
    (tmp_path / "answers").rename(tmp_path / "again" / "sourcing")
    again = _report(_run(recipe, "again"))
    assert len(server.log) == asked
    names = [Path(report["release"]).name for report in (first, again)]
    assert names[0] == names[1]


def test_a_provider_that_does_not_answer_ends_the_run(
    server: ImageServer, home: str, tmp_path: Path, repository: Path
) -> None:
    """Exit code 2, a message, and nothing lost: the next run goes on."""
    server.faults.append((429, {"Retry-After": "3600"}, b""))
    recipe = _recipe(tmp_path, repository, material=None, sourcing=_sourcing(home))
    result = _run(recipe)
    assert result.exit_code == 2
    assert "asked to wait for 3600 s" in result.output
    assert _rules(_report(_run(recipe))) == {"sourcing.refused", "sourcing.unmatched"}


def test_flaws_are_mended_around_sourced_images(
    home: str, tmp_path: Path, repository: Path
) -> None:
    """A round told again still shows its image and says its title, with the right span."""
    flaws = {"offensive": 6, "drift": 2, "persona": 2}
    report = _run_with_web(tmp_path, repository, home, flaws=flaws)
    bundle = _bundle(report)
    (fact,) = [fact for fact in bundle.facts if fact.value.text == TITLE]
    (mention,) = [mention for mention in bundle.mentions if mention.fact == fact.id]
    turns = {turn.id: turn.text for turn in bundle.conversation.turns()}
    assert mention.span is not None
    assert turns[str(mention.turn)][slice(*mention.span)] == TITLE


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        pytest.param(
            {"material": None, "sourcing": {"providers": ["local"]}},
            "sourcing.providers: expected a folder for 'local'",
            id="no-folder",
        ),
        pytest.param(
            {"material": None, "sourcing": {"providers": ["wikimedia"]}},
            "sourcing.contact: expected how Wikimedia can reach you",
            id="no-contact",
        ),
        pytest.param(
            {"material": None, "sourcing": {"providers": ["openverse"], "licences": ["CC BY 4"]}},
            "sourcing.licences.0: expected an SPDX licence",
            id="no-licence",
        ),
        pytest.param(
            {"material": None, "sourcing": {"provider": ["openverse"]}},
            "sourcing.provider: unknown key; did you mean 'providers'?",
            id="misspelt",
        ),
        pytest.param(
            {"material": None, "sourcing": {"providers": ["openverse"], "contact": "a\nb"}},
            "sourcing.contact",
            id="odd-contact",
        ),
    ],
)
def test_a_wrong_section_is_explained(
    tmp_path: Path, repository: Path, sections: dict[str, Any], message: str
) -> None:
    """The key, what was expected, what to do."""
    result = _run(_recipe(tmp_path, repository, **sections))
    assert result.exit_code == 2
    assert message in result.output
