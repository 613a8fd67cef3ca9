"""The assistant reads pictures aloud: what it says is what they show, or is put right."""

from pathlib import Path

import pytest
from support.told import usual

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Modality
from memassay.schemas.errors import AmbiguousError, NotVisibleError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactStatus, MentionForm
from memassay.schemas.records.question import AskedAt
from memassay.synth.paths.m3exam.ledger.dialogue import DialogueStage
from memassay.synth.paths.m3exam.ledger.timeline import TimelineStage
from memassay.synth.paths.m3exam.personas import Personas
from memassay.synth.paths.m3exam.stats.dials import count_dials
from memassay.synth.questions.drafts import get, select
from memassay.synth.telling.readings import reading_file
from memassay.synth.world.cells import readings
from memassay.synth.world.dials import Dials
from memassay.synth.world.grammar import slots_of
from memassay.synth.world.sizes import Sizes
from memassay.synth.world.values import spoken_value


def _read_rounds(bundle: Bundle) -> set[str]:
    """Rounds in which the assistant names a value of a picture."""
    pictured = {fact.id for fact in bundle.facts if fact.subject.startswith("image:")}
    return {
        mention.round
        for mention in bundle.mentions
        if mention.fact in pictured
        and mention.modality is Modality.TEXT
        and mention.speaker == "assistant"
    }


def _told(folder: Path, **dials: float) -> Bundle:
    """Four sessions of Wei: timeline and dialogue."""
    personas = Personas(["wei-courier"], folder)
    records = []
    for stage in (
        TimelineStage(personas, Sizes(4, 10, 6, 0), Dials(**dials)),
        DialogueStage(personas),
    ):
        context = UnitContext(5, stage.name, "wei-courier", BlobFolder(folder / "blobs"))
        records += [*stage.run(records, context)]
    return Bundle.from_records(records)


def test_every_form_has_sentences_in_every_voice() -> None:
    """Each sentence holds a value and nothing that could not be filled."""
    file = reading_file()
    known = {"picture", "row", "column", "value"}
    for group in set(file.groups.values()):
        assert group in file.names
        for voices in file.sentences[group].values():
            assert list(voices) == file.voices
            for pattern in (text for texts in voices.values() for text in texts):
                assert "value" in slots_of(pattern)
                assert set(slots_of(pattern)) <= known
    assert list(file.thanks) == file.voices
    assert all({"value", "wrong", "place"} <= set(slots_of(one)) for one in file.correction)


def test_two_in_five_pictures_are_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The share of rounds with a picture in which it is read is near the dial's."""
    bundle = usual(tmp_path_factory.getbasetemp())
    shown = {mention.round for mention in bundle.mentions if mention.modality is Modality.IMAGE}
    read = _read_rounds(bundle)
    assert read <= shown
    assert 0.25 < len(read) / len(shown) < 0.55
    counts = count_dials(bundle)
    assert counts is not None
    assert (counts.pictured, counts.read) == (len(shown), len(read))


def test_the_dial_turns_readings_off(tmp_path: Path) -> None:
    """At 0 the assistant reads nothing."""
    assert not _read_rounds(_told(tmp_path, assistant_reads=0))


def test_a_misreading_holds_until_it_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it nothing is known, after its denial the picture's value; between them two."""
    monkeypatch.setattr(readings, "WRONG_SHARE", 1.0)
    bundle = _told(tmp_path, assistant_reads=1)
    wrong = [fact for fact in bundle.facts if fact.status is FactStatus.RETRACTED]
    assert len(wrong) > 5
    sessions = [session.id for session in bundle.conversation.sessions]
    for fact in wrong:
        said, denied = (mention for mention in bundle.mentions if mention.fact == fact.id)
        assert (said.form, said.speaker) == (MentionForm.FULL, "assistant")
        assert (denied.form, denied.speaker) == (MentionForm.DENIED, "user")
        right = next(
            one
            for one in bundle.facts
            if (one.subject, one.attribute) == (fact.subject, fact.attribute) and one is not fact
        )
        query = parse_query(get(select(fact)))
        place = parse_place(said.round)
        assert place is not None
        at = sessions.index(place.session)
        ledger = Ledger(bundle)
        if at:
            with pytest.raises(NotVisibleError):
                execute(query, ledger, AskedAt(session=sessions[at - 1]))
        after = execute(query, ledger, AskedAt(session=sessions[-1]))
        assert after.values[0] == right.value.text
        if at + 1 < len(sessions):
            last = bundle.conversation.sessions[-1].rounds[-1].id
            late = denied.model_copy(update={"round": last, "turn": f"{last}.1"})
            mentions = [late if one is denied else one for one in bundle.mentions]
            between = Ledger(bundle.model_copy(update={"mentions": mentions}))
            with pytest.raises(AmbiguousError):
                execute(query, between, AskedAt(session=sessions[at]))
            assert execute(query, between).values[0] == right.value.text


def test_what_is_read_is_the_words_of_its_fact(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The span of a reading holds the value as it is printed."""
    bundle = usual(tmp_path_factory.getbasetemp())
    facts = {fact.id: fact for fact in bundle.facts}
    turns = {turn.id: turn.text for round_ in bundle.conversation.rounds() for turn in round_.turns}
    for mention in bundle.mentions:
        fact = facts[mention.fact]
        if fact.subject.startswith("image:") and mention.span is not None:
            start, end = mention.span
            said = turns[mention.turn or ""][start:end]
            assert said.casefold() == spoken_value(fact.value).casefold()
