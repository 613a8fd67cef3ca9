"""The path mmrc from recipe to release: dialogues out of packs, six abilities, the layout."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently

from memassay.exports.release.reader import open_release
from memassay.flows.services.checks import validate_path
from memassay.flows.services.releases import release_stats
from memassay.flows.services.runs import run_recipe
from memassay.schemas.errors import RecipeError, UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.synth.packs.files.pack_file import LIBRARY
from memassay.synth.paths.mmrc.deck import deck

DIALOGUES = 6
RECIPE = """
path: mmrc
seed: {seed}
dialogues: {dialogues}
release: {{name: mmrc-small, version: 0.1.0, licence: CC-BY-4.0, formats: [mmrc]}}
"""


def _run(folder: Path, more: str = "", dialogues: int = DIALOGUES) -> Path:
    """The release of a recipe, in a workspace that later runs of the folder share."""
    folder.mkdir(exist_ok=True)
    recipe = RECIPE.format(seed=7, dialogues=dialogues) + more
    (folder / "recipe.yaml").write_text(recipe)
    workspace = folder / "workspace"
    before = set((workspace / "releases").glob("*"))
    run_recipe(folder / "recipe.yaml", workspace, SilentProgress(), runner="plain")
    (release,) = set((workspace / "releases").glob("*")) - before
    return release


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recipe and its workspace."""
    return tmp_path_factory.mktemp("mmrc")


@pytest.fixture(scope="module")
def released(home: Path) -> Path:
    """A release of six dialogues."""
    return _run(home)


@pytest.fixture(scope="module")
def bundles(released: Path) -> list[Bundle]:
    """Its dialogues."""
    return list(open_release(released).bundles())


def test_a_release_validates_without_findings(released: Path) -> None:
    """Every question is proven, and the release agrees with itself."""
    found = validate_path(released)
    assert [one.message for one in found.findings if one.severity != "info"] == []
    lines = (released / "certificates.jsonl").read_text().splitlines()
    assert {json.loads(line)["verdict"] for line in lines} == {"proven"}


def test_dialogues_are_those_of_the_deck(bundles: list[Bundle]) -> None:
    """Each has the rounds, images and questions of its card."""
    for card, bundle in zip(deck(), bundles, strict=False):
        assert len(bundle.conversation.rounds()) == card.rounds
        assert len(bundle.conversation.attachments()) == card.images
        asked = Counter(item.benchmark_type for item in bundle.questions)
        assert asked == Counter(one.code for one in card.asked)


def test_the_layout_holds_every_question(released: Path, tmp_path: Path) -> None:
    """No question is lost, and forms are those of MMRC."""
    assert lost_silently(released, tmp_path) == {}
    dialogues = json.loads((released / "formats" / "mmrc" / "dialogues.json").read_text())
    questions = [one for each in dialogues for one in each["questions"]]
    assert {one["format"] for one in questions} <= {"open", "choice", "true_false"}
    assert len(questions) == sum(len(card.asked) for card in deck()[:DIALOGUES])


def test_one_dialogue_more_changes_none_before(
    home: Path, released: Path, bundles: list[Bundle]
) -> None:
    """A recipe with a dialogue more has all that it had, and finds it finished."""
    more = _run(home, dialogues=DIALOGUES + 1)
    assert more != released
    assert list(open_release(more).bundles())[:DIALOGUES] == bundles


def test_packs_of_ones_own(tmp_path: Path) -> None:
    """A folder of packs beside the recipe takes the place of ours."""
    own = tmp_path / "own"
    (own / "packs").mkdir(parents=True)
    name = sorted(LIBRARY.glob("*.yaml"))[0].name
    shutil.copy(LIBRARY / name, own / "packs" / name)
    release = _run(own, "packs: packs\n", dialogues=2)
    domains = {bundle.conversation.domain for bundle in open_release(release).bundles()}
    assert len(domains) == 1


def test_a_folder_without_packs_is_refused(tmp_path: Path) -> None:
    """The message names the key and the folder."""
    with pytest.raises(RecipeError, match=r"packs: expected a folder .*nowhere"):
        _run(tmp_path / "none", "packs: nowhere\n")


def test_copies_are_refused(tmp_path: Path) -> None:
    """A dialogue is another one by its number, not by a copy."""
    with pytest.raises(UsageError, match="copies"):
        _run(tmp_path / "copies", "copies: 2\n")


def test_figures_stand_beside_the_paper(released: Path) -> None:
    """The path's tables count what is there."""
    (stats,) = release_stats(released)
    titles = [figure["title"] for figure in stats["figures"]]
    assert "Table 2: questions by ability" in titles


@pytest.fixture(scope="module")
def twins(home: Path) -> list[tuple[Bundle, Bundle]]:
    """Dialogues of a release with two modality twins, each beside its twin."""
    found = {one.id: one for one in open_release(_run(home, "modality_twins: 2\n")).bundles()}
    pairs = [(found[one.conversation.twin_of or one.id], one) for one in found.values()]
    return [(one, twin) for one, twin in pairs if one is not twin]


def test_a_twin_is_asked_the_same(twins: list[tuple[Bundle, Bundle]]) -> None:
    """Questions and golds of a twin are word for word those of its dialogue."""
    assert len(twins) == 2
    for both in twins:
        one, twin = (
            [(item.question.text, item.answer) for item in each.questions] for each in both
        )
        assert one == twin


def test_a_question_needs_the_picture_of_a_twin(twins: list[tuple[Bundle, Bundle]]) -> None:
    """One question at least rests on a text in the dialogue, and on a picture in its twin."""
    for one, twin in twins:
        pairs = zip(one.questions, twin.questions, strict=True)
        moved = [other for item, other in pairs if item.modalities != other.modalities]
        assert moved
        assert all("image" in other.modalities for other in moved)
