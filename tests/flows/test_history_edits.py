"""Changes of a history by people: they reach the release, and rebuild only what reads them."""

from collections import Counter
from pathlib import Path

import pytest
import yaml
from support.fixtures import png
from support.history_bench import ALEX, CURATED, STORY, WEI, Bench, copy_of, item_of

from memassay.annotation.pages.writing_content import NewImage
from memassay.exports import open_release
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactStatus

pytestmark = pytest.mark.slow


@pytest.fixture
def story(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Bench:
    """Two simulated histories."""
    return copy_of(STORY, tmp_path_factory.getbasetemp(), tmp_path)


@pytest.fixture
def curated(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Bench:
    """The curated samples."""
    return copy_of(CURATED, tmp_path_factory.getbasetemp(), tmp_path)


def _turn_with_fact(bundle: Bundle) -> tuple[str, str, tuple[int, int], str]:
    """A turn whose only mention is the only one of its fact: turn, text, span, fact."""
    of_turn = Counter(one.turn for one in bundle.mentions)
    of_fact = Counter(one.fact for one in bundle.mentions)
    for one in bundle.mentions:
        if one.span and of_turn[one.turn] == 1 and of_fact[one.fact] == 1:
            text = bundle.turn_by_id[str(one.turn)].text
            return str(one.turn), text, (one.span[0], one.span[1]), one.fact
    raise AssertionError("no such turn")


def _cone(before: Counter[tuple[str, str]], after: Counter[tuple[str, str]]) -> set[str]:
    """Units that were made anew: their stages, all of one conversation or of the collection."""
    made = after - before
    assert {shard.partition("/")[0] for _, shard in made} <= {ALEX, "*"}
    assert all(number == 1 for number in made.values())
    return {stage for stage, _ in made}


def test_an_edited_turn_reaches_the_release_and_rebuilds_its_cone(story: Bench) -> None:
    """Its mention moves with its words; the other persona's records stay to the byte."""
    first, before = story.run(), story.starts()
    turn, text, span, fact = _turn_with_fact(first[ALEX])
    story.change(ALEX, op="edit_turn", turn=turn, text=f"By the way: {text}")
    second = story.run()
    assert second[ALEX].turn_by_id[turn].text == f"By the way: {text}"
    (mention,) = [one for one in second[ALEX].mentions if one.fact == fact]
    assert mention.span == [span[0] + 12, span[1] + 12]
    assert second[WEI] == first[WEI]
    cone = _cone(before, story.starts())
    assert cone <= {"questions", "validate", "compare", "assay", "pack", "release"}
    assert {"questions", "release"} <= cone


def test_what_is_redacted_is_asked_of_nobody(story: Bench) -> None:
    """The words are gone from the release, the fact is unsaid, and no question rests on it."""
    first, before = story.run(), story.starts()
    turn, text, (start, end), fact = _turn_with_fact(first[ALEX])
    with story.open() as (workspace, edits):
        operation = {"op": "redact", "turn": turn, "start": start, "end": end}
        (note,) = edits.preview(item_of(workspace, ALEX), operation).notes[:1]
    assert f"({fact}) is no longer said here" in note
    story.change(ALEX, **operation)
    second = story.run()
    assert second[ALEX].turn_by_id[turn].text == f"{text[:start]}[redacted]{text[end:]}"
    assert all(one.fact != fact for one in second[ALEX].mentions)
    (unsaid,) = [one for one in second[ALEX].facts if one.id == fact]
    assert unsaid.status is FactStatus.UNSAID
    assert second[ALEX].questions
    assert all(fact not in one.evidence.facts for one in second[ALEX].questions)
    assert second[WEI] == first[WEI]
    _cone(before, story.starts())


def test_a_removed_image_is_shown_and_cited_nowhere(story: Bench) -> None:
    """Nor is anything that could be read in it alone."""
    first, before = story.run(), story.starts()
    shown = first[ALEX].conversation.attachments()[0][1].id
    story.change(ALEX, op="remove_image", attachment=shown)
    second = story.run()
    assert shown not in second[ALEX].attachment_by_id
    assert all(one.attachment != shown for one in second[ALEX].mentions)
    assert second[WEI] == first[WEI]
    _cone(before, story.starts())


def test_a_merged_session_renumbers_all_that_is_behind_it(story: Bench) -> None:
    """Events, mentions and a person's question follow; machine questions are made anew."""
    first = story.run()
    cited = first[ALEX].conversation.sessions[3].rounds[0]
    asked = next(one for one in first[ALEX].questions if one.answerable)
    document = {
        **asked.model_dump(mode="json", exclude={"id", "origin", "query"}),
        "question": {"text": "Which words opened the last visit of all?", "attachments": []},
        "evidence": {"groups": [[cited.id]], "canonical": [cited.id], "facts": []},
    }
    with story.open() as (workspace, edits):
        written = edits.edits.new_question(edits.edits.draft("tiny", ALEX, document), "eve")
    story.run()
    before = story.starts()
    story.change(ALEX, op="merge_sessions", session="D3")
    second = story.run()
    sessions = second[ALEX].conversation.sessions
    rounds = [len(one.rounds) for one in first[ALEX].conversation.sessions]
    assert [len(one.rounds) for one in sessions] == [rounds[0], rounds[1] + rounds[2], rounds[3]]
    assert [one.id for one in sessions] == ["D1", "D2", "D3"]
    assert {one.session for one in second[ALEX].events} <= {1, 2, 3}
    assert {one.fact for one in second[ALEX].mentions} == {one.fact for one in first[ALEX].mentions}
    with story.open() as (workspace, edits):
        bundle = edits.history(item_of(workspace, ALEX)).bundle
        mine = next(one for one in bundle.questions if one.id == written.target)
    assert mine.evidence.canonical == ["D3:1"]
    assert second[WEI] == first[WEI]
    assert "dialogue" not in _cone(before, story.starts())


def test_changes_follow_one_another_and_are_taken_back(story: Bench) -> None:
    """The second goes on from the first before any run; without both the release is as it was."""
    bundle, release = story.run()[ALEX], story.release
    told, said = bundle.conversation, {mention.turn for mention in bundle.mentions}
    turn = next(one.id for one in told.turns() if one.id not in said and one.id.startswith("D2:"))
    first = story.change(ALEX, op="merge_sessions", session="D3")
    second = story.change(ALEX, who="eve", op="edit_turn", turn=turn, text="Let us go on.")
    assert story.run()[ALEX].turn_by_id[turn].text == "Let us go on."
    assert story.release != release
    with story.open() as (workspace, edits):
        item = item_of(workspace, ALEX)
        assert [one.name for one in edits.history(item).changes] == [first, second]
        with pytest.raises(UsageError, match="expected the latest"):
            edits.take_back(item, first, "zoe", owner=True)
        with pytest.raises(UsageError, match="only an owner"):
            edits.take_back(item, second, "eve", owner=False)
        edits.take_back(item, second, "zoe", owner=True)
        assert edits.history(item).bundle.turn_by_id[turn].text != "Let us go on."
        edits.take_back(item, first, "zoe", owner=True)
        assert edits.history(item).bundle.conversation == told
    story.run()
    assert story.release == release


def test_a_change_is_made_of_the_history_as_it_was_seen(story: Bench) -> None:
    """Not of another one; sent twice it is one change."""
    with story.open() as (workspace, edits):
        item = item_of(workspace, ALEX)
        base = edits.history(item).base
        wanted = {"op": "edit_turn", "turn": "D1:2.1", "text": "Hello."}
        name = edits.propose(item, wanted, base, "ada", "", owner=True)
        assert edits.propose(item, wanted, base, "ada", "", owner=True) == name
        with pytest.raises(UsageError, match="has changed since"):
            edits.propose(item, {"op": "merge_sessions", "session": "D2"}, base, "eve", "")
        assert len(edits.history(item).changes) == 1


def test_a_change_there_and_back_can_be_made_again(story: Bench) -> None:
    """The history is as it was at first, but the change is a third one, and is kept."""
    with story.open() as (workspace, edits):
        bundle = edits.history(item_of(workspace, ALEX)).bundle
    silent = {turn.id for turn in bundle.conversation.turns()} - {m.turn for m in bundle.mentions}
    turn = min(silent, key=natural_key)
    texts = ("Hello.", bundle.turn_by_id[turn].text, "Hello.")
    names = [story.change(ALEX, op="edit_turn", turn=turn, text=text) for text in texts]
    with story.open() as (workspace, edits):
        history = edits.history(item_of(workspace, ALEX))
        assert [one.name for one in history.changes] == names
        assert history.bundle.turn_by_id[turn].text == "Hello."
    assert story.run()[ALEX].turn_by_id[turn].text == "Hello."


def test_what_breaks_a_rule_of_the_history_is_not_kept(story: Bench) -> None:
    """A session split without a date of its own would be two on one day."""
    with story.open() as (workspace, edits):
        item = item_of(workspace, ALEX)
        split = {"op": "split_session", "round": "D2:3"}
        assert edits.preview(item, split).errors
        with pytest.raises(UsageError, match="expected a date later than"):
            edits.propose(item, split, edits.history(item).base, "ada", "")


def test_a_change_whose_history_is_made_otherwise_asks_again(story: Bench) -> None:
    """None of it is laid, and one item of the gate where the history is made says so."""
    story.change(ALEX, op="merge_sessions", session="D3")
    gates = {**STORY["gates"], "dialogue": {"policy": "auto", "on_open": "continue"}}
    recipe = {**STORY, "seed": 10, "gates": gates}
    (story.folder / "tiny.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    released = story.run()
    assert ALEX not in released
    with story.open() as (workspace, _):
        (asked,) = workspace.queue.items("dialogue")
        assert (asked.record, asked.reason, asked.rules) == (ALEX, "edit", ("edit.base_changed",))


def test_a_curated_history_is_changed_alike(curated: Bench) -> None:
    """Imported questions cite the new places; the other conversation stays as it was."""
    first = curated.run()
    other, about = sorted(first)
    talk = first[about].conversation
    moved = {
        one.id: f"D2:{len(talk.sessions[1].rounds) + at}"
        for at, one in enumerate(talk.sessions[2].rounds, start=1)
    }
    before = curated.starts()
    curated.change(about, op="merge_sessions", session="D3")
    curated.change(about, op="edit_turn", turn="D1:2.1", text="Hello there, and welcome.")
    second = curated.run()
    assert second[about].turn_by_id["D1:2.1"].text == "Hello there, and welcome."
    assert len(second[about].conversation.sessions) == len(talk.sessions) - 1
    known = {one.id: one.evidence.canonical for one in first[about].questions}
    cited = [
        (place, new)
        for one in second[about].questions
        if one.id in known
        for place, new in zip(known[one.id], one.evidence.canonical, strict=True)
        if place in moved
    ]
    assert cited
    assert all(moved[place] == new for place, new in cited)
    assert second[other] == first[other]
    made = curated.starts() - before
    assert made == Counter(
        [
            *((each, about) for each in ("validate", "assay", "pack")),
            ("compare", "*"),
            ("release", "*"),
        ]
    )


@pytest.mark.parametrize("made", ["story", "curated"])
def test_an_image_that_a_person_brings_is_released(
    made: str, request: pytest.FixtureRequest
) -> None:
    """With its licence, where it was placed; taken back, the release is as it was."""
    bench: Bench = request.getfixturevalue(made)
    first, release = bench.run(), bench.release
    about = next(iter(first))
    turn = first[about].conversation.sessions[0].rounds[0].turns[0].id
    with bench.open() as (workspace, edits):
        image = NewImage(png(90, (40, 30)), "CC0-1.0", "ada")
        asset = edits.bring(item_of(workspace, about), image)
    name = bench.change(about, op="place_image", turn=turn, asset=asset, caption="a meadow")
    second = bench.run()
    shown = [one.asset for one in second[about].turn_by_id[turn].attachments]
    assert asset in shown
    assert second[about].asset_by_id[asset].licence == "CC0-1.0"
    assert "CC0-1.0" in open_release(bench.release).manifest.licence
    with bench.open() as (workspace, edits):
        edits.take_back(item_of(workspace, about), name, "zoe", owner=True)
    bench.run()
    assert bench.release == release
