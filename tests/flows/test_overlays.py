"""Edits of people: laid over the stream, queued again when their base changed, never lost."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.engine_builder import FlawsIn, SourceOf, finish, released
from support.review_builder import postgres
from support.told import AUDITS

from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.engine.run import Run
from memassay.flows.store.tables import UNITS
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import UsageError, WaitingError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut, ReasonCode, Ruling
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.world.sizes import Sizes

ITEM = "alex/Q0001"
ASK = GateSection(policy="sample", on_open="continue")
FLAW = {ITEM: Severity.ERROR}
FIXED = ReasonCode.CORRECT_AFTER_EDIT


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace."""
    opened = Workspace(tmp_path / "work")
    yield opened
    opened.close()


def _run(
    workspace: Workspace,
    colour: str = "red",
    flaws: Mapping[str, Severity] = FLAW,
    gate: GateSection = ASK,
) -> Run:
    stages = [SourceOf({"alex": colour, "wei": "green"}), FlawsIn(flaws, "validate")]
    return finish(workspace, stages, {"validate": gate})


def _asked(workspace: Workspace, record: str = ITEM) -> str:
    (item,) = [one.id for one in workspace.queue.items() if one.record == record]
    return item


def _question(workspace: Workspace, item: str, record: str = ITEM) -> dict[str, Any]:
    records = ReviewEdits(workspace).records(item)
    return next(one for one in records if one.id == record).model_dump(mode="json")


def _edit(workspace: Workspace, text: str, who: str = "ada") -> str:
    """Accept the question with another text; gives the item."""
    item = _asked(workspace)
    document = _question(workspace, item)
    document["question"]["text"] = text
    change = ReviewEdits(workspace).change(item, ITEM, document)
    desk = ReviewDesk(workspace.engine)
    desk.open_item(item, who)
    desk.submit(item, who, f"{item} {text}", Vote(Ruling.ACCEPT, FIXED, edits=(change,)))
    return item


def _text(run: Run, record: str = ITEM) -> str | None:
    header = run.stream.get(f"question {record}")
    if header is None:
        return None
    question = run.workspace.store.get(header.sha256)
    assert isinstance(question, QAItem)
    return question.question.text


def test_an_edit_goes_on_in_place_of_what_it_changed(workspace: Workspace) -> None:
    """Before the next stage looks at it; who did it is in the provenance."""
    _run(workspace)
    _edit(workspace, "Which colour has Luna?")
    run = _run(workspace)
    assert _text(run) == "Which colour has Luna?"
    hashes = [h.sha256 for h in run.stream.values() if h.id == "alex/import-edits"]
    (provenance,) = workspace.store.get_all(hashes)
    assert isinstance(provenance, Provenance)
    assert provenance.author == "ada"
    assert provenance.made == [run.stream[f"question {ITEM}"].sha256]


def test_only_what_reads_the_edited_record_is_done_again(workspace: Workspace) -> None:
    """The same run with the edit starts one unit: the check of that conversation."""
    _run(workspace)
    _edit(workspace, "Which colour has Luna?")
    before = _starts(workspace)
    _run(workspace)
    assert _starts(workspace) - before == Counter({("validate", "alex"): 1})
    _run(workspace)
    assert sum((_starts(workspace) - before).values()) == 1


def test_an_undone_edit_is_laid_over_nothing(workspace: Workspace) -> None:
    """The record is as it was, and asks again."""
    _run(workspace)
    item = _edit(workspace, "Which colour has Luna?")
    _run(workspace)
    assert ReviewDesk(workspace.engine).undo("ada") == item
    assert _text(_run(workspace)) is None
    assert _asked(workspace) == item


@pytest.mark.parametrize("policy", ["sample", "auto"])
def test_an_edit_whose_base_changed_is_queued_again(workspace: Workspace, policy: Any) -> None:
    """Whatever the gate's policy: neither applied silently nor dropped."""
    _run(workspace)
    _edit(workspace, "Which colour has Luna?")
    _run(workspace)
    source = SourceOf({"alex": "red", "wei": "green"})
    source.run = _reworded(source.run)  # type: ignore[method-assign]
    source.version = "2"
    gate = GateSection(policy=policy, on_open="continue")
    stages = [source, FlawsIn({}, "validate")]
    run = finish(workspace, stages, {"validate": gate})
    assert _text(run) is None
    (item,) = workspace.queue.items()
    assert (item.record, item.reason, item.rules) == (ITEM, "edit", ("edit.base_changed",))
    (found,) = workspace.store.get_all(item.findings)
    assert "that a reviewer edited" in found.message  # type: ignore[attr-defined]
    desk = ReviewDesk(workspace.engine)
    desk.open_item(item.id, "eve")
    desk.submit(item.id, "eve", "t", Vote(Ruling.ACCEPT, ReasonCode.CORRECT))
    run = finish(workspace, stages, {"validate": gate})
    assert _text(run) == "Reworded?"
    assert _text(_run(workspace)) == "Which colour has Luna?"


def _reworded(make: Any) -> Any:
    def run(records: Any, context: Any) -> Iterator[Any]:
        for record in make(records, context):
            if record.id == ITEM:
                question = record.question.model_copy(update={"text": "Reworded?"})
                yield record.model_copy(update={"question": question})
            else:
                yield record

    return run


def test_an_edit_whose_record_is_gone_is_kept_with_what_is_held_out(workspace: Workspace) -> None:
    """Whole, with its patch."""
    _run(workspace)
    _edit(workspace, "Which colour has Luna?")
    stages = [SourceOf({"wei": "green"}), FlawsIn({}, "validate")]
    run = finish(workspace, stages, {"validate": ASK})
    hashes = [header.sha256 for header in run.stream.values() if header.kind == "held_out"]
    (held,) = workspace.store.get_all(hashes)
    assert isinstance(held, HeldOut)
    assert (held.record, held.kind, held.reasons) == (ITEM, "edit", ["edit.target_gone"])
    assert "Which colour has Luna?" in held.content


def test_a_second_edit_goes_on_from_the_first(workspace: Workspace) -> None:
    """Each holds for the state it was made of; changed back, the record is as it was."""
    _run(workspace)
    first = _question(workspace, _asked(workspace))["question"]["text"]
    _edit(workspace, "Which colour has Luna?")
    ask_all = GateSection(policy="all", on_open="continue")
    _run(workspace, flaws=FLAW, gate=ask_all)
    workspace.queue.sync("tiny", "validate", [])
    for text in ("Which colour is Luna?", first):
        _desk_reopen(workspace)
        _edit(workspace, text, who=f"eve {text}")
        assert _text(_run(workspace)) == text


def _desk_reopen(workspace: Workspace) -> None:
    """Have the gate ask about the question in its present state, under another gate's name."""
    from memassay.annotation.storage.tables import ITEMS

    with workspace.engine.begin() as connection:
        connection.execute(ITEMS.update().values(state="stale", decision=None))
    _run(workspace)


def test_what_does_not_fit_or_breaks_a_rule_is_refused(workspace: Workspace) -> None:
    """With the record, the place and the fix; as is what is not shown, or not changed."""
    _run(workspace)
    item = _asked(workspace)
    edits, document = ReviewEdits(workspace), _question(workspace, item)
    with pytest.raises(UsageError, match="expected a change"):
        edits.change(item, ITEM, document)
    with pytest.raises(UsageError, match="expected a record it shows, got 'wei/Q0001'"):
        edits.change(item, "wei/Q0001", document)
    with pytest.raises(UsageError, match=r"question alex/Q0001/question"):
        edits.change(item, ITEM, {**document, "question": {"text": ""}})
    bad = {"groups": [["D99:1"]], "canonical": ["D99:1"]}
    with pytest.raises(UsageError, match="D99:1"):
        edits.change(item, ITEM, {**document, "evidence": bad})


def test_a_preview_says_what_is_made_anew(workspace: Workspace) -> None:
    """The units of the conversation behind the gate that have run before."""
    _run(workspace)
    stages = [SourceOf({"alex": "red"}), FlawsIn(FLAW, "early"), FlawsIn({}, "late")]
    finish(workspace, stages, {"early": ASK}, name="two")
    item = next(one.id for one in workspace.queue.items("early"))
    document = _question(workspace, item)
    document["question"]["text"] = "Which colour has Luna?"
    preview = ReviewEdits(workspace).preview(item, ITEM, document)
    assert preview.errors == []
    assert preview.stale == [("late", "alex")]


def test_a_question_by_a_person_joins_the_machines(workspace: Workspace) -> None:
    """It goes through the checks, in its own run only, and never to its writer for review."""
    _run(workspace)
    document = _question(workspace, _asked(workspace))
    document["question"]["text"] = "What colour does Luna have?"
    edits = ReviewEdits(workspace)
    edit = edits.new_question(edits.draft("tiny", "alex", document), "ada")
    assert edits.new_question(edits.draft("tiny", "alex", document), "ada") == edit
    run = _run(workspace, gate=GateSection(policy="all", on_open="continue"))
    (item,) = [one.id for one in workspace.queue.items() if one.record == edit.target]
    with pytest.raises(UsageError, match="you wrote it; others decide"):
        ReviewDesk(workspace.engine).open_item(item, "ada")
    run = _run(workspace, flaws={})
    assert edit.target in released(run, "question")
    question = workspace.store.get(run.stream[f"question {edit.target}"].sha256)
    assert isinstance(question, QAItem)
    assert question.origin is ItemOrigin.PERSON
    other = finish(workspace, [SourceOf({"alex": "red"}), FlawsIn({}, "validate")], name="other")
    assert edit.target not in released(other, "question")


def test_a_question_that_breaks_a_rule_is_not_taken(workspace: Workspace) -> None:
    """Nor one about a conversation nobody reviews."""
    _run(workspace)
    document = _question(workspace, _asked(workspace))
    document["question"]["text"] = "What colour does Luna have?"
    document["evidence"] = {"groups": [["D99:1"]], "canonical": ["D99:1"]}
    edits = ReviewEdits(workspace)
    with pytest.raises(UsageError, match="D99:1"):
        edits.new_question(edits.draft("tiny", "alex", document), "ada")
    with pytest.raises(UsageError, match="expected a conversation with items in review"):
        edits.new_question(edits.draft("tiny", "nobody", document), "ada")


def _starts(workspace: Workspace) -> Counter[tuple[str, str]]:
    with workspace.engine.connect() as connection:
        rows = connection.execute(select(UNITS.c.stage, UNITS.c.shard, UNITS.c.starts)).all()
    counts: Counter[tuple[str, str]] = Counter()
    for stage, shard, starts in rows:
        counts[(stage, shard)] += starts
    return counts


ALEX, WEI = "alex-veterinarian", "wei-courier"


@pytest.mark.slow
def test_an_edited_event_rebuilds_its_cone_and_nothing_else(workspace: Workspace) -> None:
    """One unit of one persona is made anew; the other persona's records stay to the byte.

    The audit of the stage that made the event looks at what became of it.
    """
    personas = Personas([ALEX, WEI], workspace.folder)
    sizes = Sizes(sessions=3, rounds=6, images=2, documents=0)
    stages = [TimelineStage(personas, sizes), DialogueStage("m3exam", personas)]
    gates = {"timeline": GateSection(policy="all")}

    def run() -> Run:
        return finish(workspace, stages, gates, audits=AUDITS)

    desk = ReviewDesk(workspace.engine)
    with pytest.raises(WaitingError):
        run()
    for item in workspace.queue.items():
        desk.open_item(item.id, "ada")
        said = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)
        desk.submit(item.id, "ada", item.id, said)
    first = run()
    before = _starts(workspace)

    item = next(one.id for one in workspace.queue.items(states=["decided"]) if WEI in one.record)
    while desk.undo("ada") != item:
        pass
    edits = ReviewEdits(workspace)
    event = next(one for one in edits.records(item) if one.id == f"{WEI}/E001")
    document = {**event.model_dump(mode="json"), "title": "a title that somebody mended"}
    change = edits.change(item, event.id, document)
    desk.submit(item, "ada", "edited", Vote(Ruling.ACCEPT, FIXED, edits=(change,)))
    _redo_votes(desk, workspace)
    second = run()

    assert _starts(workspace) - before == Counter({("dialogue", WEI): 1})
    assert _data(second, ALEX) == _data(first, ALEX)
    changed = dict(_data(second, WEI) - _data(first, WEI))
    assert f"event {WEI}/E001" in changed
    assert Counter(_findings(second)) - Counter(_findings(first)) == {"timeline.drift": 1}


def _redo_votes(desk: ReviewDesk, workspace: Workspace) -> None:
    for item in workspace.queue.items():
        desk.open_item(item.id, "ada")
        desk.submit(item.id, "ada", f"again {item.id}", Vote(Ruling.ACCEPT, ReasonCode.CORRECT))


def _data(run: Run, conversation: str) -> set[tuple[str, str]]:
    return {
        (f"{header.kind} {header.id}", header.sha256)
        for header in run.stream.values()
        if header.kind in DATA_KINDS and header.conversation == conversation
    }


def _findings(run: Run) -> list[str]:
    hashes = [header.sha256 for header in run.stream.values() if header.kind == "finding"]
    found = run.workspace.store.get_all(hashes)
    return sorted(one.rule for one in found if isinstance(one, Finding))


def test_review_may_live_in_a_database_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A team's PostgreSQL, by the environment; records stay in the workspace."""
    with postgres("memassay_overlays") as engine:
        url = engine.url.update_query_dict({"options": "-csearch_path=memassay_overlays"})
        text = url.render_as_string(hide_password=False)
        monkeypatch.setenv("MEMASSAY_REVIEW_DATABASE", text)
        workspace = Workspace(tmp_path / "work")
        _run(workspace)
        item = _asked(workspace)
        document = _question(workspace, item)
        document["question"]["text"] = "Which colour has Luna?"
        change = ReviewEdits(workspace).change(item, ITEM, document)
        desk = ReviewDesk(workspace.queue.engine)
        desk.open_item(item, "ada")
        desk.submit(item, "ada", "t", Vote(Ruling.ACCEPT, FIXED, edits=(change,)))
        assert _text(_run(workspace)) == "Which colour has Luna?"
        assert workspace.engine.dialect.name == "sqlite"
        workspace.close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://somewhere/x", "expected a URL such as postgresql"),
        ("postgresql+psycopg://m@127.0.0.1:1/m?connect_timeout=1", "a database that answers"),
    ],
)
def test_a_review_database_that_does_not_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, message: str
) -> None:
    """By the variable, not as a damaged workspace."""
    pytest.importorskip("psycopg")
    monkeypatch.setenv("MEMASSAY_REVIEW_DATABASE", url)
    with pytest.raises(UsageError, match=f"MEMASSAY_REVIEW_DATABASE: .*{message}"):
        Workspace(tmp_path / "work")
