"""Talks of two people: what is dealt, told and asked, and the files they are made from."""

import re
from collections import Counter
from datetime import date, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.release_builder import MemoryBlobs

from memassay.schemas.changes.interpolation import Gap, interpolate
from memassay.schemas.changes.locating import locate
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import RecordError
from memassay.schemas.queries.answers import answer_values
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc, Speaker, SpeakerKind
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AskedAt
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.concepts.drawn import drawn_concepts
from memassay.synth.concepts.groups import Chosen, concept_group
from memassay.synth.paths.m2a.guests.author import (
    GuestQuestions,
    Guests,
    shares,
    subjects_of,
    write_guests,
)
from memassay.synth.paths.m2a.guests.author import talks as guest_talks
from memassay.synth.paths.m2a.hosts.author import SHARED, host_names, lives, write_host
from memassay.synth.paths.m2a.inject import visit_dates
from memassay.synth.paths.m2a.recipe import HostsSection
from memassay.synth.paths.m2a.talks import telling
from memassay.synth.paths.m2a.talks.beats import Beat, Exchange, Talks, read_talks
from memassay.synth.paths.m2a.talks.telling import TalkWriter
from memassay.synth.paths.m2a.talks.world import make_world
from memassay.synth.world.grammar import slots_of
from memassay.validators.check import check_conversation

OWNER = Speaker(id="speaker_a", name="Rosa", kind=SpeakerKind.HUMAN)
FRIEND = Speaker(id="speaker_b", name="Ellen", kind=SpeakerKind.HUMAN)
ALL = [("guests", guest_talks()), ("hosts", lives())]
BEATS = [
    pytest.param(talks, name, beat, id=f"{which}-{kind}-{name}")
    for which, talks in ALL
    for kind, thread in talks.kinds.items()
    for name, beat in thread.beats.items()
]
ALWAYS = {"c", "owner", "friend", "when", "value"}


def _randoms(seed: str) -> Any:
    return partial(keyed_random, seed)


def _group(seed: str) -> list[Chosen]:
    return concept_group(drawn_concepts(_randoms(seed), "guest"), Random(seed))


def _visit(seed: str) -> Guests:
    dates = interpolate(Gap(1, "2023-05-01T10:00", "2023-07-01T10:00"), 6)
    return Guests("guest", _group(seed), OWNER, FRIEND, dates, "CC-BY-4.0")


@pytest.fixture(scope="module", params=["a", "b"])
def guests(request: pytest.FixtureRequest) -> Bundle:
    """Six guest sessions of a group."""
    seed = str(request.param)
    written = write_guests(_visit(seed), GuestQuestions(20, 12), MemoryBlobs(), _randoms(seed))
    assert written.missing == {}
    return written.bundle


@pytest.fixture(scope="module")
def host() -> Bundle:
    """A short host."""
    section = HostsSection(
        sessions=8, questions={"1": 4, "2": 6, "3": 1, "4": 12, "adversarial": 4}
    )
    name, people = next(iter(host_names(1).items()))
    return write_host(name, people, section, MemoryBlobs(), _randoms("host")).bundle


def _spans_hold_values(bundle: Bundle) -> None:
    facts = {fact.id: fact for fact in bundle.facts}
    for mention in bundle.mentions:
        fact = facts[mention.fact]
        if mention.span is None or fact.value.type is ValueType.DATE:
            continue
        words = bundle.turn_by_id[mention.turn or ""].text[slice(*mention.span)]
        assert locate(words, fact.value) is not None


def _golds_follow(bundle: Bundle) -> None:
    ledger = Ledger(bundle)
    for item in bundle.questions:
        given = execute(parse_query(item.query), ledger, relation=item.answer.relation)
        assert answer_values(given, item.answer.format) == item.answer.values


def test_guests_are_named_in_the_first_turn(guests: Bundle) -> None:
    """Every concept stands there in angle brackets (M2A C, step 2)."""
    named = set(re.findall(r"<([^<>]+)>", next(iter(guests.conversation.turns())).text))
    assert {fact.subject for fact in guests.facts if fact.attribute == "family"} == named


def test_guest_sessions_have_the_paper_s_size(guests: Bundle) -> None:
    """Five to fifteen turns each (M2A C, step 2)."""
    assert all(5 <= len(session.rounds) <= 15 for session in guests.conversation.sessions)


def test_friends_greet_whom_they_were_just_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said between two pictures is about the first: the next has no name yet."""
    greeted = guest_talks().pictures.model_copy(update={"f": "Hello, {c}."})
    told = guest_talks().model_copy(update={"pictures": greeted})
    monkeypatch.setattr(telling, "_REMARKED", 0)
    subjects = subjects_of(_visit("a"))
    world = make_world(
        "guest", subjects, ["2023-05-01T10:00"], [(0, 0)], ["Petra"], Random(0), date(2023, 5, 1)
    )
    writer = TalkWriter(world, told, "CC-BY-4.0", MemoryBlobs(), Random(0))
    turns = list(writer.bundle([OWNER, FRIEND], SessionArc.GUEST).conversation.turns())
    shown = [(before.text, after.text) for before, after in pairwise(turns) if before.attachments]
    assert len([after for _, after in shown if after.startswith("Hello")]) >= 3
    for before, after in shown:
        assert re.findall("<[^<>]+>", after) in ([], re.findall("<[^<>]+>", before)[-1:])


def test_every_picture_of_a_guest_is_shown_once(guests: Bundle) -> None:
    """And no text says what it shows."""
    shown = [image.asset for _, image in guests.conversation.attachments()]
    assert sorted(shown) == sorted(name for one in guests.concepts for name in one.shown)
    families = {fact.value.text for fact in guests.facts if fact.attribute == "family"}
    texts = re.sub(r"<[^<>]+>", "", " ".join(turn.text for turn in guests.conversation.turns()))
    assert families.isdisjoint(texts.casefold().split())


def test_guest_questions_have_the_paper_s_ratio(guests: Bundle) -> None:
    """4 : 6 : 2 : 8 of twenty (M2A C, step 3)."""
    codes = [item.benchmark_type for item in guests.questions]
    assert {code: codes.count(code) for code in "6789"} == {"6": 4, "7": 6, "8": 2, "9": 8}


def test_new_pictures_are_asked_about(guests: Bundle) -> None:
    """Is it that one, yes as often as no; which is it, each letter once; and what was told."""
    asked = [item for item in guests.questions if item.benchmark_type == "5"]
    shown = {image.asset for _, image in guests.conversation.attachments()}
    assert all(shown.isdisjoint(one.asset for one in item.question.attachments) for item in asked)
    formats = [item.answer.format for item in asked]
    assert (formats.count("choice"), formats.count("yes_no"), len(formats)) == (4, 2, 12)
    closed = [item for item in asked if item.answer.format in ("choice", "yes_no")]
    golds = Counter(item.answer.values[0] for item in closed)
    assert golds == {"No.": 1, "Yes.": 1, "A": 1, "B": 1, "C": 1, "D": 1}


def test_no_concept_is_known_by_its_name(guests: Bundle) -> None:
    """Names do not say what a picture shows: who has not seen the concept cannot choose."""
    for concept in guests.concepts:
        assert concept.category not in concept.name


def test_a_new_picture_rests_on_what_was_shown_before(guests: Bundle) -> None:
    """Asked earlier, a question has the pictures shown by then as its evidence; before, none."""
    item = next(one for one in guests.questions if one.answer.format == "choice")
    ledger = Ledger(guests)
    for session in guests.conversation.sessions:
        asked_at = AskedAt(session=session.id)
        execution = execute(parse_query(item.query), ledger, asked_at)
        (group,) = evidence_of(execution, ledger, asked_at, item.modalities).groups
        assert group == [
            place
            for place in item.evidence.groups[0]
            if guests.session_by_id[place.partition(":")[0]].index <= session.index
        ]


@pytest.mark.parametrize(
    ("total", "parts"), [(20, (4, 6, 2, 8)), (10, (2, 3, 1, 4)), (7, (1, 2, 1, 3))]
)
def test_other_totals_keep_the_ratio(total: int, parts: tuple[int, ...]) -> None:
    """The largest remainders get what is left over."""
    assert tuple(shares(total).values()) == parts


def test_changes_are_told_in_a_later_session(guests: Bundle) -> None:
    """A fact that revises another is told after it, and there is one in every group."""
    first = {mention.fact: mention.round for mention in reversed(guests.mentions)}
    pairs = [(old, fact.id) for fact in guests.facts for old in fact.supersedes]
    assert pairs
    position = {session.id: session.index for session in guests.conversation.sessions}
    for old, new in pairs:
        before, after = (position[first[name].partition(":")[0]] for name in (old, new))
        assert before < after


def test_spans_hold_the_values_of_their_facts(guests: Bundle, host: Bundle) -> None:
    """In guests and hosts alike, turns of one speaker in a row being one."""
    _spans_hold_values(guests)
    _spans_hold_values(host)


def test_golds_are_what_queries_give(guests: Bundle, host: Bundle) -> None:
    """Every question is proven, refusals too."""
    _golds_follow(guests)
    _golds_follow(host)


def test_no_rule_finds_an_error(guests: Bundle, host: Bundle) -> None:
    """Guests and hosts are clean before they are merged."""
    for bundle in (guests, host):
        found = check_conversation(bundle, RuleContext())
        assert [one.message for one in found if one.severity == "error"] == []


def test_refusals_of_a_host_have_twins(host: Bundle) -> None:
    """What is asked of the one who did not tell it is asked of the one who did."""
    items = {item.id: item for item in host.questions}
    refused = [item for item in host.questions if not item.answerable]
    assert refused
    for item in refused:
        assert item.decoys == items[item.twin_of or ""].evidence.canonical


def test_hosts_talk_one_after_the_other(host: Bundle) -> None:
    """Both speak in every session."""
    for session in host.conversation.sessions:
        speakers = [round_.turns[0].speaker for round_ in session.rounds]
        assert set(speakers) == {"speaker_a", "speaker_b"}


@pytest.mark.parametrize(("talks", "name", "beat"), BEATS)
def test_slots_of_beats_are_facts(talks: Talks, name: str, beat: Beat) -> None:
    """Every slot is a fact of the beat, a name or its day; each way tells each fact in one turn."""
    for way in beat.ways:
        texts = [text for turn in way.turns for text in turn.values()]
        told = {slot for text in texts for slot in slots_of(text)}
        assert told <= beat.facts.keys() | ALWAYS, name
        assert ("when" in told) == (beat.dated is not None), name
        for slot in beat.facts:
            assert len([text for text in texts if slot in slots_of(text)]) == 1, (name, slot)
    assert talks.people


@pytest.mark.parametrize(("talks", "name", "beat"), BEATS)
def test_questions_of_beats_name_their_subject(talks: Talks, name: str, beat: Beat) -> None:
    """A question names the concept or the owner; what revises a fact comes after it."""
    asked = [text for fact in beat.facts.values() for text in (fact.ask, fact.ask_now) if text]
    asked += [beat.dated.ask] if beat.dated else []
    assert all({"c", "owner"} & set(slots_of(text)) for text in asked), name
    assert not beat.revises or beat.after, name
    assert talks.kinds


def test_a_file_that_is_no_talks_is_refused(tmp_path: Path) -> None:
    """The message names the file."""
    (tmp_path / "talks.yaml").write_text("openings: 7\n")
    with pytest.raises(RecordError, match=r"talks\.yaml: expected talks"):
        read_talks(tmp_path / "talks.yaml")


def test_what_follows_another_beat_is_later(guests: Bundle, host: Bundle) -> None:
    """Nothing is mended before it breaks, and nothing is new after it was shown."""
    for bundle, threads in ((guests, guest_talks()), (host, lives())):
        days = {(one.subject, one.attribute): one.value.text for one in bundle.facts}
        for topic, thread in threads.kinds.items():
            first = next(iter(thread.beats.values()))
            for beat in thread.beats.values():
                after = thread.beats.get(beat.after, first)
                if beat is first or beat.dated is None or after.dated is None:
                    continue
                names = {f"{at.dated.attribute}" for at in (after, beat) if at.dated}
                for subject in {one for one, _ in days}:
                    found = [
                        days.get((subject, f"{prefix}{at.dated.attribute}"))
                        for prefix in ("" if bundle is guests else f"{topic} ",)
                        for at in (after, beat)
                        if at.dated
                    ]
                    if len(names) == 2 and all(found):
                        assert str(found[0]) < str(found[1]), (subject, names)


def test_concepts_are_older_than_their_first_picture(guests: Bundle) -> None:
    """They were bought, or moved in, before the first session shows them."""
    shown = (guests.conversation.sessions[0].date or "")[:10]
    bought = [one for one in guests.facts if one.attribute in ("arrival", "purchase")]
    assert bought
    assert all(one.value.text < shown for one in bought)


def test_no_number_of_days_is_negative(guests: Bundle, host: Bundle) -> None:
    """Days between two of them are counted from the earlier one."""
    golds = [item.answer.values[0] for one in (guests, host) for item in one.questions]
    assert not [gold for gold in golds if gold.startswith("-")]


def test_days_are_counted_within_one_matter(guests: Bundle, host: Bundle) -> None:
    """Nobody asks how long after the first swim the cat came: topic or concept is one."""
    found = []
    for bundle in (guests, host):
        facts = {one.id: one for one in bundle.facts}
        for item in bundle.questions:
            if (item.query or {}).get("op") == "diff" and "days" in item.question.text:
                both = [facts[name] for name in item.evidence.facts]
                kinds = {_topic(one) if bundle is host else one.subject for one in both}
                found.append((item.question.text, kinds))
    assert found
    assert [text for text, kinds in found if len(kinds) != 1] == []


def _topic(fact: Fact) -> str:
    return next(kind for kind in lives().kinds if fact.attribute.startswith(f"{kind} "))


def test_a_use_is_asked_of_all_that_are_shown(guests: Bundle) -> None:
    """What everybody knows of a picture is asked by names, of which pictures alone tell one."""
    items = [one for one in guests.questions if one.benchmark_type == "8"]
    assert items
    for item in items:
        named = re.findall(r"<([^<>]+)>", item.question.text)
        assert set(item.answer.values) < set(named) == {one.name for one in guests.concepts}
        words = re.findall(r"\w+", item.question.text.casefold())
        assert {one.category for one in guests.concepts}.isdisjoint(words)


@given(
    days=st.integers(7, 400),
    sessions=st.integers(1, 6),
    seed=st.integers(),
    hour=st.integers(0, 23),
)
def test_guests_come_one_after_the_other_by_day(
    days: int, sessions: int, seed: int, hour: int
) -> None:
    """Inside the gap, at hours at which people talk, and never two on a day."""
    begin = datetime(2023, 5, 1, hour)
    end = begin + timedelta(days=days)
    gap = Gap(1, *(moment.isoformat(timespec="minutes") for moment in (begin, end)))
    dates = visit_dates(gap, sessions, Random(seed))
    assert len({date[:10] for date in (gap.start, *dates)}) == sessions + 1
    assert dates == sorted(dates)
    assert gap.start < dates[0]
    assert dates[-1] < gap.end
    assert all("08:00" <= date[11:] < "22:00" for date in dates)


def test_two_friends_have_lives_of_their_own(host: Bundle) -> None:
    """They share so few topics that one can ask who has more, and no more."""
    topics = {
        name: {
            topic for topic in lives().kinds for one in host.facts if _is_about(one, name, topic)
        }
        for name in (speaker.name for speaker in host.conversation.speakers)
    }
    first, second = topics.values()
    assert len(first & second) == SHARED
    assert len(first | second) >= 15


def _is_about(fact: Fact, name: str, topic: str) -> bool:
    return fact.subject == name and fact.attribute.startswith(f"{topic} ")


@pytest.mark.parametrize(
    ("when", "fits"),
    [("2023-06-01T09:30", True), ("2023-06-01T20:00", False), ("2023-06-01", False)],
)
def test_small_talk_fits_the_hour(when: str, fits: bool) -> None:
    """Nobody says good morning at night, nor where no hour is known."""
    assert Exchange(hours=(8, 11), turns=[{"f": "Good morning!"}]).fits(when) is fits


@pytest.mark.parametrize(("when", "fits"), [("2023-06-01", True), ("2023-12-01", False)])
def test_small_talk_fits_the_month(when: str, fits: bool) -> None:
    """The first strawberries are not sold in December."""
    assert Exchange(months=[5, 6], turns=[{"f": "Strawberries!"}]).fits(when) is fits
