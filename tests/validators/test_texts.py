"""A gold is proven where the simulator wrote every text of its history, or somebody read it."""

import json

import pytest
from support.fixtures import fact, item, mention, said, scene
from support.proof_cases import proven

from memassay.flows.engine.streams.collection import RecordCollection
from memassay.schemas.base import Record
from memassay.schemas.contracts.readings import (
    Reading,
    ToldDefect,
    ToldDefectKind,
    ToldReply,
    session_reading_key,
)
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import (
    CoveredRecord,
    Decision,
    HeldOut,
    ReasonCode,
    Ruling,
)
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster, ClusterMember
from memassay.validators.certificates.certify import certify
from memassay.validators.certificates.texts import unread_texts
from memassay.validators.check import OF_READERS, check_conversation
from memassay.validators.registry import LENT_TEXT, UNREAD_TEXT

ITALY = "My sister has packed up in Italy for good."


def _talk(*texts: str) -> Bundle:
    """A history with a ledger, and a question that its query proves."""
    told = said(*(texts or ("I keep bees behind the shed.",)))
    return scene(fact(), mention(span=[7, 11]), proven(), sessions=[told]).bundles[0]


def _made(*made: Record, stage: str = "dialogue", **more: object) -> Provenance:
    document = {
        "id": f"talk/{stage}",
        "made": [content_hash(one) for one in made],
        "stage": stage.removesuffix("-edits"),
        "stage_version": "1",
        "config_sha256": "0" * 64,
    }
    return Provenance.model_validate({**document, **more})


def _verdict(bundle: Bundle, *beside: Record) -> Verdict:
    found = [
        Finding.make(UNREAD_TEXT, Severity.INFO, *problem)
        for problem in unread_texts(RecordCollection([*bundle.records(), *beside]))
    ]
    (made,) = certify(bundle, found)
    return made.verdict


def _accepted(bundle: Bundle, state: Bundle | None = None) -> Decision:
    sha256 = content_hash((state or bundle).conversation)
    return Decision(
        id="decision-1",
        covers=[CoveredRecord(id=bundle.id, sha256=sha256)],
        gate="dialogue",
        reviewer="heron",
        ruling=Ruling.ACCEPT,
        reason=ReasonCode.CORRECT,
    )


def _read(bundle: Bundle, *defects: ToldDefect) -> list[Finding]:
    """What the rules on readers say where a model read every session."""
    sessions = bundle.conversation.sessions
    readings = {
        session_reading_key(bundle.id, one.id): Reading(
            "m",
            ToldReply(id=one.id, steps="", defects=list(defects)),
            {round_.id: round_.turns[0].text for round_ in one.rounds},
        )
        for one in sessions
    }
    return check_conversation(bundle, RuleContext(readings=readings), OF_READERS)


def test_what_the_simulator_wrote_is_proven() -> None:
    """Its provenance names no author."""
    bundle = _talk()
    assert _verdict(bundle, _made(*bundle.records())) is Verdict.PROVEN


def test_an_edited_turn_leaves_items_supported_until_somebody_reads_it() -> None:
    """A model that reads every session and finds nothing is enough."""
    first, edited = _talk(), _talk("I keep bees behind the shed.", ITALY)
    edit = _made(edited.conversation, stage="dialogue-edits", author="heron")
    beside = [_made(*first.records()), edit]
    assert _verdict(edited, *beside) is Verdict.SUPPORTED
    assert _verdict(edited, *beside, *_read(edited)) is Verdict.PROVEN


def test_reading_a_state_says_nothing_of_a_later_one() -> None:
    """Nor does a person's acceptance of it."""
    first, edited = _talk(), _talk("I keep bees behind the shed.", ITALY)
    edit = _made(edited.conversation, stage="dialogue-edits", author="heron")
    assert _verdict(edited, edit, *_read(first)) is Verdict.SUPPORTED
    assert _verdict(edited, edit, _accepted(edited, first)) is Verdict.SUPPORTED
    assert _verdict(edited, edit, _accepted(edited)) is Verdict.PROVEN


def test_a_reader_who_finds_something_proves_nothing() -> None:
    """The defect is for people."""
    edited = _talk("I keep bees behind the shed.", ITALY)
    edit = _made(edited.conversation, stage="dialogue-edits", author="heron")
    defect = ToldDefect(
        kind=ToldDefectKind.CONTRADICTS,
        place="D1:2",
        quote="packed up in Italy",
        other="D1:1",
        why="She lives there.",
    )
    assert _verdict(edited, edit, *_read(edited, defect)) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "more", [{"author": "openai:m"}, {"request_keys": ["a"]}, {"prompt_sha256": "1" * 64}]
)
def test_a_history_that_a_model_worded_is_supported(more: dict[str, object]) -> None:
    """Whatever of the model provenance names."""
    bundle = _talk()
    assert _verdict(bundle, _made(*bundle.records(), **more)) is Verdict.SUPPORTED


def test_a_model_that_wrote_questions_alone_leaves_them_proven() -> None:
    """What was held out, or edited since, is no text of the history either."""
    bundle = _talk()
    (question,) = bundle.questions
    old, gone = item(values=["old"]), item(values=["gone"])
    held = HeldOut(
        id="held-1",
        record="talk/Q009",
        kind="question",
        stage="questions",
        status="rejected",
        reasons=["duplicate"],
        content=json.dumps(gone.model_dump(mode="json")),
    )
    asked = _made(old, gone, stage="questions", author="openai:m")
    edit = _made(question, stage="questions-edits", author="heron", parents=[content_hash(old)])
    dialogue = _made(bundle.conversation)
    assert _verdict(bundle, dialogue, asked, edit, held) is Verdict.PROVEN


@pytest.mark.parametrize("rule", ["import", LENT_TEXT])
def test_text_of_other_people_is_supported(rule: str) -> None:
    """Imported as a host, or lent by an imported chat."""
    bundle = _talk()
    lent = Finding.make(LENT_TEXT, Severity.INFO, "talk", "/chat.D1", "talk: expected x", "read")
    other = _made(bundle.conversation, stage="import") if rule == "import" else lent
    assert _verdict(bundle, other) is Verdict.SUPPORTED


def test_a_life_of_dialogues_that_a_model_wrote_is_supported() -> None:
    """Their provenance is that of conversations which ended with the joining."""
    bundle = _talk()
    cluster = Cluster(
        id="talk",
        name="Bees",
        members=[ClusterMember(dialogue="one/D1", relevance=1, fluency=1)],
        rounds=1,
        relevance=1,
        separation=1,
        fluency=1,
    )
    wrote = _made(item(), id="one/dialogue", author="openai:m").model_copy(
        update={"made": ["2" * 64]}
    )
    assert _verdict(bundle, _made(bundle.conversation, stage="join")) is Verdict.PROVEN
    assert _verdict(bundle, cluster, wrote) is Verdict.SUPPORTED


def test_a_history_without_facts_is_not_spoken_of() -> None:
    """No query proves its golds anyway."""
    bundle = scene(item()).bundles[0]
    assert (
        list(
            unread_texts(
                RecordCollection([*bundle.records(), _made(bundle.conversation, stage="import")])
            )
        )
        == []
    )
