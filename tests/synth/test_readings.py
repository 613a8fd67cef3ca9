"""The assistant reads pictures aloud: what it says is what they show, or is put right."""

from functools import partial
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
from memassay.schemas.records.ledger import (
    Fact,
    FactStatus,
    FactValue,
    MentionForm,
    ValueType,
)
from memassay.schemas.records.question import AskedAt
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.paths.m3exam.stats.dials import count_dials
from memassay.synth.questions.drafts import get, select
from memassay.synth.telling.readings import PART, Readings, reading_file, short_name
from memassay.synth.world.cells import late, readings
from memassay.synth.world.dials import Dials
from memassay.synth.world.grammar import Expansion, join, slots_of
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.sizes import Sizes
from memassay.synth.world.values import spoken_value

_SPOKEN = {"user": "So?", "assistant": "Good."}


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
        DialogueStage("m3exam", personas),
    ):
        context = UnitContext(5, stage.name, "wei-courier", BlobFolder(folder / "blobs"))
        records += [*stage.run(records, context)]
    return Bundle.from_records(records)


def test_every_form_has_sentences_in_every_voice() -> None:
    """Each sentence holds a value and nothing that could not be filled."""
    file = reading_file()
    known = {"picture", "row", "column", "value", "change", "before"}
    for group in set(file.groups.values()):
        assert group in file.names
        for voices in file.sentences[group].values():
            assert list(voices) == file.voices
            for pattern in (text for texts in voices.values() for text in texts):
                assert {"value", "change", "row"} & set(slots_of(pattern))
                assert set(slots_of(pattern)) <= known
    assert list(file.thanks) == file.voices
    assert all({"value", "wrong", "place"} <= set(slots_of(one)) for one in file.correction)


def test_two_in_five_pictures_are_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The share of rounds with a picture in which it is read is near the dial's."""
    bundle = usual(tmp_path_factory.getbasetemp())
    shown = {mention.round for mention in bundle.mentions if mention.modality is Modality.IMAGE}
    read = _read_rounds(bundle)
    assert read <= shown
    assert 0.25 < len(read) / len(shown) <= 0.55
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


def test_a_misreading_can_wait_for_a_later_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known before, two values hold until the denial, then the picture's alone."""
    monkeypatch.setattr(readings, "WRONG_SHARE", 1.0)
    monkeypatch.setattr(late, "LATE_SHARE", 1.0)
    bundle = _told(tmp_path, assistant_reads=1)
    facts = {fact.id: fact for fact in bundle.facts}
    sessions = [session.id for session in bundle.conversation.sessions]
    put_right = [event for event in bundle.events if late.LATE_WRONG in event.facts]
    assert len(put_right) >= 2
    for event in put_right:
        wrong, right = (facts[event.facts[slot]] for slot in (late.LATE_WRONG, late.LATE_RIGHT))
        said, denied = (one for one in bundle.mentions if one.fact == wrong.id)
        assert (said.form, denied.form) == (MentionForm.FULL, MentionForm.DENIED)
        first, last = (sessions.index(one.round.split(":")[0]) for one in (said, denied))
        assert first < last
        query, ledger = parse_query(get(select(wrong))), Ledger(bundle)
        if first:
            with pytest.raises(NotVisibleError):
                execute(query, ledger, AskedAt(session=sessions[first - 1]))
        for between in sessions[first:last]:
            with pytest.raises(AmbiguousError):
                execute(query, ledger, AskedAt(session=between))
        for after in sessions[last:]:
            asked = execute(query, ledger, AskedAt(session=after))
            assert asked.values[0] == right.value.text


def _chart_card(kind: str) -> CardSpec:
    """A card that shows a chart of four rows in the first of its rounds."""
    chart = {
        "kind": kind,
        "title": "Jars",
        "about": "the chart",
        "measure": "jars",
        "rows": ["Mon", "Tue", "Wed", "Thu"],
        "value": {"number": [0, 20, 1], "unit": "jars"},
    }
    rounds = [{"user": "Look.", "assistant": "Yes.", "shows": ["jars"]}, _SPOKEN]
    words = dict.fromkeys(("id", "what", "query", "keyword"), "jars")
    return CardSpec.model_validate({**words, "images": {"jars": chart}, "rounds": rounds})


def _chart_facts(numbers: list[int]) -> dict[str, Fact]:
    """Facts of that chart by slot."""
    facts = {}
    for row, number in zip(["title", "Mon", "Tue", "Wed", "Thu"], [0, *numbers], strict=True):
        value = FactValue(type=ValueType.NUMBER, text=str(number), unit="jars")
        name = {"id": f"ada/F{len(facts):04d}", "subject": "image:jars.jars", "attribute": row}
        facts[f"image:jars:{row}"] = Fact(**name, value=value)
    return facts


@pytest.mark.parametrize(
    ("kind", "forms"),
    [
        ("bar_chart", {"value", "highest", "second", "lowest", "missing"}),
        ("line_chart", {"value", "highest", "lowest", "last", "up"}),
    ],
)
def test_pictures_are_read_for_ranks_changes_and_gaps(kind: str, forms: set[str]) -> None:
    """Each form comes up, in words that have every value and note what they rest on."""
    card, facts = _chart_card(kind), _chart_facts([9, 0, 4, 7])
    values = {slot: fact.value for slot, fact in facts.items()}
    rows = card.images["jars"].rows
    found = {}
    for seed in range(60):
        randoms = partial(keyed_random, str(seed))
        for reading, _ in readings.readings_of(card, lambda _: rows, values, 1.0, randoms):
            slots = {**facts, reading.slot: facts[reading.cell]}
            told = Readings(randoms).around(
                card, 0, slots, slots, {"user": "Ada"}, Expansion("", ())
            )
            said = join(told)
            found[reading.form] = said
            assert "{" not in said.text
            assert {span.slot.removeprefix(PART) for span in said.spans} == {reading.cell}
    assert set(found) == forms
    if "up" in found:
        (span,) = found["up"].spans
        assert (span.slot, found["up"].text[span.start : span.end]) == (
            f"{PART}image:jars:Thu",
            "3 jars",
        )


def test_what_is_read_is_the_words_of_its_fact(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The span of a reading holds the value as it is printed."""
    bundle = usual(tmp_path_factory.getbasetemp())
    facts = {fact.id: fact for fact in bundle.facts}
    turns = {turn.id: turn.text for round_ in bundle.conversation.rounds() for turn in round_.turns}
    for mention in bundle.mentions:
        fact = facts[mention.fact]
        whole = mention.form is not MentionForm.PARTIAL and mention.span is not None
        if fact.subject.startswith("image:") and whole:
            start, end = mention.span or (0, 0)
            said = turns[mention.turn or ""][start:end]
            assert said.casefold() == spoken_value(fact.value).casefold()


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ("the split chart of Brandon's first trial", "the split chart"),
        ("your lunch receipt from La Chispa", "your lunch receipt"),
        ("the chart of lengths", None),
        ("the light readings inside Isshinji", None),
        ("bus timetable sheet A at the shelter", None),
    ],
)
def test_a_picture_is_called_by_what_it_is_about(about: str, name: str | None) -> None:
    """Where that says more than its kind, and is one thing."""
    assert short_name(about) == name
