"""The section `cluster` from dialogues to a release: shared conversations, each life a unit."""

import shutil
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently
from support.fixtures import Blobs

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.check import check_release
from memassay.exports.release.reader import Release, open_release
from memassay.flows.recipes.again.made_again import made_again
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.review.cluster_lists import keep_decision
from memassay.flows.review.clusters import WorkspaceClusters
from memassay.flows.services.checks import validate_path
from memassay.flows.services.releases import release_stats
from memassay.flows.services.runs import RunReport, run_recipe
from memassay.flows.stages.import_stage import foreign_format
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.errors import RecipeError
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster

TALKS = "sources:\n  - {format: mem-gallery, path: talks, licence: CC-BY-4.0}\n"
MORE = "  - {format: locomo, path: more.json, licence: CC-BY-4.0}\n"
HEAD = "path: curate\ncluster: {least_sessions: 2}\n"
SIMULATED = "dialogues: {path: m3exam, personas: [alex-veterinarian]}\n"
GALLERY = "path: mem-gallery\nfrom: clusters\n"


def _run(folder: Path, recipe: str) -> RunReport:
    (folder / "recipe.yaml").write_text(recipe)
    progress = SilentProgress()
    return run_recipe(folder / "recipe.yaml", folder / "workspace", progress, runner="plain")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A folder with the samples of the repository."""
    folder = tmp_path_factory.mktemp("clusters")
    samples = repository / "recipes" / "samples"
    shutil.copytree(samples / "mem-gallery", folder / "talks")
    shutil.copy(samples / "locomo" / "locomo_sample.json", folder / "more.json")
    return folder


@pytest.fixture(scope="module")
def first(home: Path) -> RunReport:
    """A run over the dialogues of one conversation."""
    return _run(home, HEAD + TALKS)


@pytest.fixture(scope="module")
def second(home: Path, first: RunReport) -> RunReport:
    """The same in the same workspace, with one source more."""
    assert first.release
    return _run(home, HEAD + TALKS + MORE)


@pytest.fixture(scope="module")
def released(second: RunReport) -> Release:
    """The release of the second run."""
    return open_release(Path(second.release))


@pytest.fixture(scope="module")
def boat(released: Release) -> Bundle:
    """The life of the first source."""
    bundles = released.bundles()
    return next(one for one in bundles if one.conversation.collection == "mem-gallery")


def test_no_layout_loses_a_question_silently(second: RunReport, tmp_path: Path) -> None:
    """Each is written, or listed with the reason."""
    assert lost_silently(Path(str(second.release)), tmp_path) == {}


def test_a_moved_member_of_a_cluster_is_one_finding(home: Path, second: RunReport) -> None:
    """Whatever its life would be with it: the list is wrong, and not the life."""
    found = check_release(Path(str(second.release)), FORMATS)
    assert made_again(found, [home]) == []
    one, other = found.records["cluster"]
    assert isinstance(one, Cluster)
    assert isinstance(other, Cluster)
    moved = one.members[0]
    clusters = [
        one.model_copy(update={"members": one.members[1:]}),
        other.model_copy(update={"members": [*other.members, moved]}),
    ]
    (said,) = made_again(found._replace(records={**found.records, "cluster": clusters}), [home])
    assert said.message == (
        f"{moved.dialogue} (clusters.jsonl): expected {one.id!r}, got {other.id!r}"
    )


def test_a_source_more_makes_only_new_lives(second: RunReport) -> None:
    """The life of the first run is kept, although every score of its cluster is another now."""
    made = {one.stage: (one.made, one.finished - one.made) for one in second.stages}
    assert made["cluster"] == (1, 0)
    assert made["join"] == (1, 1)


@pytest.mark.slow
def test_a_decision_makes_only_what_depends_on_it(home: Path, second: RunReport) -> None:
    """A split is two lives made again; a locked cluster is kept, and every other life with it."""
    assert second.release
    folder = home / "decided"
    shutil.copytree(home, folder, ignore=shutil.ignore_patterns("decided"))
    with open_workspace(folder / "workspace") as workspace:
        clusters = WorkspaceClusters(workspace)
        large, small = sorted(
            clusters.overview("recipe").cards, key=lambda one: len(one.members), reverse=True
        )
        chosen = [one.id for one in large.members[:2]]
        keep_decision(clusters, "recipe", "ada", "", "split", large.id, chosen)
        keep_decision(clusters, "recipe", "ada", "", "lock", small.id, closed=True)
    third = _run(folder, HEAD + TALKS + MORE)
    made = {one.stage: (one.made, one.finished - one.made) for one in third.stages}
    assert (made["cluster"], made["join"]) == ((1, 0), (2, 1))
    found = {one.id: one for one in open_release(Path(third.release)).clusters()}
    assert [one.dialogue for one in found[small.id].members] == [one.id for one in small.members]
    assert found[small.id].locked
    assert sorted(len(one.members) for one in found.values()) == sorted(
        [2, len(large.members) - 2, len(small.members)]
    )
    with open_workspace(folder / "workspace") as workspace:
        after = WorkspaceClusters(workspace).overview("recipe")
    assert (after.waiting, [one.changed for one in after.cards]) == (0, [False] * 3)


def test_dialogues_do_not_reach_the_release(released: Release) -> None:
    """What went into a cluster is there as one conversation; the clusters say which dialogues."""
    lives = {one.id for one in released.bundles()}
    clusters = {one.id: one for one in released.clusters()}
    assert lives == clusters.keys()
    for bundle in released.bundles():
        told = {one.origin for one in bundle.conversation.sessions}
        assert {one.dialogue for one in clusters[bundle.id].members} <= told


def test_every_question_is_released_or_held_out(
    home: Path, released: Release, second: RunReport
) -> None:
    """None of the questions that came with the dialogues is forgotten."""
    held = {one.record for one in second.held_out if one.kind == "question"}
    asked = 0
    for name, path in (("mem-gallery", home / "talks"), ("locomo", home / "more.json")):
        form = foreign_format(name)
        for source in form.sources(path):
            bundle = form.read(source, Blobs(), "MIT").bundle
            asked += len(bundle.questions) if bundle else 0
    came = {one.id for one in released.questions() if "/extension" not in one.id}
    assert len(came) + len(held) == asked


def test_every_new_turn_is_listed(released: Release) -> None:
    """Turns that no dialogue has are those of bridges and of new sessions."""
    listed = {(one.id.partition("/")[0], one.place) for one in released.alterations()}
    for bundle in released.bundles():
        for session in bundle.conversation.sessions:
            if (session.origin or "").startswith("extension"):
                assert (bundle.id, session.id) in listed
    lives = {one.id: one for one in released.bundles()}
    for one in released.alterations():
        life = lives[one.id.partition("/")[0]]
        assert one.place in {*life.turn_by_id, *life.session_by_id}
        if one.place in life.turn_by_id:
            assert life.turn_by_id[one.place].text == one.after


def test_the_card_says_that_nobody_looked_for_contradictions(released: Release) -> None:
    """Without a model and without people nothing is compared, and users of the data know it."""
    card = (released.folder / "README.md").read_text("utf-8")
    assert "Nobody looked whether joined dialogues contradict each other." in card


def test_places_of_questions_are_those_of_the_life(boat: Bundle) -> None:
    """Evidence that resolved before it was joined resolves to rounds of the same dialogue."""
    for item in boat.questions:
        for place in item.evidence.canonical:
            assert boat.rounds_of(place) != []


@pytest.mark.slow
def test_a_release_of_lives_validates(second: RunReport) -> None:
    """Nothing in it disagrees with itself, provenance of the dialogues among it."""
    found = validate_path(Path(second.release)).findings
    assert [one.message for one in found if one.severity == "error"] == []


def test_stats_count_lives(second: RunReport) -> None:
    """Sessions, gaps and where dialogues went stand in tables of their own."""
    stats = release_stats(Path(second.release))
    titles = [each["title"] for one in stats for each in one["figures"]]
    assert any("made of single dialogues" in title for title in titles)
    assert any("where single dialogues went" in title for title in titles)


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (
            GALLERY,
            "expected either `dialogues` of another path or `sources` of others, got neither",
        ),
        (GALLERY + SIMULATED + TALKS, "got both"),
        (GALLERY + TALKS + "cluster: {least_sessions: 9, most_sessions: 3}\n", "at most most_s"),
        (GALLERY + TALKS + "cluster: {least_session: 9}\n", "did you mean 'least_sessions'"),
        (GALLERY + SIMULATED.replace("path:", "seed: 3, path:"), "dialogues.seed: expected none"),
        (GALLERY + SIMULATED.replace("m3exam", "m3exm"), "dialogues.path: expected one of"),
        ("path: mem-gallery\n" + TALKS, "from: expected a value, got none"),
        (HEAD.replace("2", "30") + TALKS, "at least 30 belong together, got none among 5"),
    ],
)
def test_recipes_that_cannot_be(home: Path, tmp_path: Path, recipe: str, said: str) -> None:
    """A wrong recipe is refused, and the message names the key."""
    for name in ("talks", "more.json"):
        (tmp_path / name).symlink_to(home / name)
    with pytest.raises(RecipeError, match=said.replace("(", r"\(")):
        _run(tmp_path, recipe)


def test_a_recipe_inside_is_written_once(tmp_path: Path) -> None:
    """What both recipes say is said by the outer one; the inner one has it, and shows its own."""
    (tmp_path / "recipe.yaml").write_text(GALLERY + SIMULATED + "seed: 5\n")
    recipe = load_recipe(tmp_path / "recipe.yaml")
    assert recipe.before is not None
    assert (recipe.before.path, recipe.before.seed) == ("m3exam", 5)
    shown = recipe.model_dump(mode="json")["dialogues"]
    assert "seed" not in shown
    assert shown["personas"] == ["alex-veterinarian"]


def test_lives_of_one_release_tell_of_different_matters(released: Release) -> None:
    """No two lives get the same arc."""
    told = [
        (one.id.partition("/")[0], one.reason)
        for one in released.alterations()
        if one.kind is AlterationKind.EXTENSION
    ]
    lives = {reason: {life for life, other in told if other == reason} for _, reason in told}
    assert len({life for life, _ in told}) == 2
    assert all(len(each) == 1 for each in lives.values())
