"""Lessons teach classes by pictures in a conversation, and ask for them by new pictures (TTL)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from support.guests_in_hosts import Context
from support.release_builder import MemoryBlobs, exchange

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    Session,
    Speaker,
    SpeakerKind,
)
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.keyed_random import keyed_random
from memassay.schemas.values.pixels import hash_distance
from memassay.synth.concepts.groups import LIKE_PIXELS
from memassay.synth.lessons.classes import make_names
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.visitors import LessonVisitors
from memassay.synth.lessons.words import lesson_words
from memassay.synth.pictures.drawing.again import redraw
from memassay.synth.world.grammar import article
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check_conversation

SPEAKERS = [
    Speaker(id="user", name="Ada", kind=SpeakerKind.HUMAN),
    Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
]


def _host(days: tuple[int, ...] = (1, 8, 15, 22), **more: Any) -> Bundle:
    sessions = [
        Session(
            id=f"D{at}",
            index=at,
            date=f"2024-03-{day:02d}T19:30",
            rounds=[exchange(f"D{at}:1", f"My bread came out {at} times flat.", "More yeast?")],
        )
        for at, day in enumerate(days, start=1)
    ]
    given: dict[str, Any] = {"speakers": SPEAKERS, **more}
    return Bundle(
        conversation=Conversation(
            id="ada", collection="mem-gallery", path="mem-gallery", sessions=sessions, **given
        )
    )


@dataclass(frozen=True)
class Taught:
    """A conversation with its lessons.

    Attributes:
        bundle: The conversation.
        findings: What the lessons reported.
        blobs: Bytes of its pictures.
    """

    bundle: Bundle
    findings: list[Finding]
    blobs: MemoryBlobs

    @property
    def items(self) -> list[QAItem]:
        """Its questions about lessons."""
        return [one for one in self.bundle.questions if one.id.startswith("ada/lesson")]

    @property
    def exemplars(self) -> list[Round]:
        """The rounds that show a picture of a lesson."""
        return [
            each
            for session in self.bundle.conversation.sessions
            for each in session.rounds
            if any(turn.attachments for turn in each.turns)
        ]


def _taught(
    seed: str = "a", host: Bundle | None = None, folder: Path = Path(), **dials: Any
) -> Taught:
    context = Context(seed, MemoryBlobs())
    visitors = LessonVisitors(LessonsSection(**dials), folder)
    made = visitors.join(host or _host(), cast(StageContext, context))
    return Taught(made, context.findings, context.blobs)


@pytest.fixture(scope="module")
def one() -> Taught:
    """A conversation with one lesson over two sessions."""
    return _taught(sessions=(2, 2), exemplars=(3, 5), questions=9)


@pytest.fixture(scope="module")
def family() -> Taught:
    """The same with all pictures of the family as clues."""
    return _taught(sessions=(2, 2), exemplars=(3, 5), questions=9, evidence="family")


@pytest.fixture(scope="module", params=["class", "family"])
def proven(request: pytest.FixtureRequest, one: Taught, family: Taught) -> Taught:
    """Either."""
    return one if request.param == "class" else family


def test_rules_find_nothing(proven: Taught) -> None:
    """All rules, those that draw the pictures again among them, have no finding."""
    found = check_conversation(proven.bundle, RuleContext(blobs=proven.blobs, redraw=redraw))
    assert [one.message for one in found] == []


def test_every_question_is_proven(proven: Taught) -> None:
    """Its query gives the name of the class, and the question asks that query."""
    found = check_conversation(proven.bundle, RuleContext(blobs=proven.blobs, redraw=redraw))
    assert {one.verdict for one in certify(proven.bundle, found)} == {Verdict.PROVEN}
    assert len(proven.items) == 9


def _names_in(taught: Taught, place: str) -> set[str]:
    said = " ".join(turn.text for one in taught.bundle.rounds_of(place) for turn in one.turns)
    return {one.name for one in taught.bundle.concepts if one.name in said}


def test_clues_are_all_exemplars_of_the_class(one: Taught) -> None:
    """Each of them has the name and a picture; no other round has both."""
    for item in one.items:
        (gold,) = item.answer.values
        showing = [each.id for each in one.exemplars if gold in _names_in(one, each.id)]
        assert item.evidence.canonical == showing
        assert [[place] for place in showing] == item.evidence.groups


def test_clues_are_all_exemplars_of_the_family(family: Taught) -> None:
    """Where the recipe wants it, those of the other classes are clues too."""
    for item in family.items:
        assert item.evidence.canonical == [each.id for each in family.exemplars]


def test_a_question_shows_a_picture_that_no_turn_shows(one: Taught) -> None:
    """Nor does it look like one of them."""
    shown = {image.asset for _, image in one.bundle.conversation.attachments()}
    assets = one.bundle.asset_by_id
    for item in one.items:
        (new,) = item.question.attachments
        assert new.asset not in shown
        hashes = [assets[name].perceptual_hash or "" for name in shown]
        own = assets[new.asset].perceptual_hash or ""
        assert min(hash_distance(own, each) for each in hashes) > LIKE_PIXELS


def test_classes_are_asked_of_alike(one: Taught) -> None:
    """No gold comes more than once more often than another."""
    counts = [
        sum(item.answer.values == [concept.name] for item in one.items)
        for concept in one.bundle.concepts
    ]
    assert max(counts) - min(counts) <= 1


def test_colours_are_drawn_for_each_picture(one: Taught) -> None:
    """As the recipe has it by default."""
    kinds = {
        asset.drawn.figure.kind for asset in one.bundle.assets if asset.drawn and asset.drawn.figure
    }
    assert kinds == {"exemplar-recoloured"}


def test_a_lesson_goes_over_several_sessions(one: Taught) -> None:
    """Each at an hour at which people talked before, between two of the host."""
    own = [each for each in one.bundle.conversation.sessions if each.origin == "lesson1"]
    dates = [each.date or "" for each in one.bundle.conversation.sessions]
    assert len(own) == 2
    assert all((each.date or "").endswith("T19:30") for each in own)
    assert dates == sorted(set(dates))


def test_lessons_can_come_at_the_ends_of_sessions() -> None:
    """Then there is no session more, and what was said before is where it was."""
    taught, host = _taught(place="ends", sessions=(2, 2), exemplars=(4, 6)), _host()
    before, after = host.conversation.sessions, taught.bundle.conversation.sessions
    assert [each.id for each in before] == [each.id for each in after]
    for old, new in zip(before, after, strict=True):
        assert new.rounds[: len(old.rounds)] == old.rounds
    found = check_conversation(taught.bundle, RuleContext(blobs=taught.blobs, redraw=redraw))
    assert [one.message for one in found] == []


def test_without_a_gap_a_lesson_comes_at_an_end() -> None:
    """And says so."""
    taught = _taught(host=_host((1, 2, 3)), sessions=(1, 1))
    assert [one.rule for one in taught.findings] == ["lessons.no_gap"]
    assert len(taught.items) == 8


def test_people_among_themselves_have_no_lessons() -> None:
    """Nobody there could be taught by a user."""
    host = _host(
        speakers=[SPEAKERS[0].model_copy(update={"id": name}) for name in ("user", "assistant")]
    )
    taught = _taught(host=host)
    assert taught.bundle == host
    assert [one.rule for one in taught.findings] == ["lessons.no_pair"]


def test_too_many_classes_are_reported() -> None:
    """A family has eight; twelve of one are no lesson."""
    taught = _taught(classes=(12, 12))
    assert [one.rule for one in taught.findings] == ["lessons.fewer", "lessons.fewer"]


def test_the_least_is_not_above_the_most() -> None:
    """A span that is the wrong way round is refused."""
    with pytest.raises(ValidationError, match="expected least and most, got 4 and 2"):
        LessonsSection(classes=(4, 2))


DIALS = st.fixed_dictionaries(
    {
        "count": st.integers(1, 2),
        "sessions": st.sampled_from([(1, 1), (1, 3)]),
        "place": st.sampled_from(["sessions", "ends"]),
        "hints": st.sampled_from([0.0, 1.0]),
        "quiz": st.sampled_from([0.0, 0.8]),
        "evidence": st.sampled_from(["class", "family"]),
        "recoloured": st.booleans(),
        "questions": st.integers(0, 8),
    }
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.text("abc", min_size=1, max_size=4), dials=DIALS)
def test_whatever_the_dials_lessons_hold(seed: str, dials: dict[str, Any]) -> None:
    """One image a round, two to six for each class, as many questions as wanted, each proven."""
    taught = _taught(seed, **dials)
    assert all(sum(len(turn.attachments) for turn in one.turns) == 1 for one in taught.exemplars)
    assert all(2 <= len(one.shown) <= 6 for one in taught.bundle.concepts)
    assert len(taught.items) == dials["questions"]
    found = check_conversation(taught.bundle, RuleContext(blobs=taught.blobs, draws=False))
    assert [one.message for one in found if one.severity.value == "error"] == []


def test_the_same_seed_gives_the_same_lessons(one: Taught) -> None:
    """All draws are keyed."""
    again = _taught(sessions=(2, 2), exemplars=(3, 5), questions=9)
    assert again.bundle == one.bundle


def _slots() -> Iterator[tuple[str, list[Any]]]:
    words = lesson_words()
    for name in type(words).model_fields:
        value = getattr(words, name)
        if isinstance(value, list) and name not in ("begins", "ends"):
            yield name, value


@pytest.mark.parametrize("slot", [name for name, _ in _slots()])
def test_a_slot_has_eight_wordings(slot: str) -> None:
    """So that few sentences come twice."""
    value = dict(_slots())[slot]
    assert len(value) == len(set(map(str, value))) >= 8


def test_questions_have_several_families() -> None:
    """At least ten wordings in all."""
    ask = lesson_words().ask
    assert len(ask) >= 4
    assert len({one for each in ask.values() for one in each}) >= 10


@settings(max_examples=50)
@given(number=st.integers(1, 8), seed=st.integers(0, 99))
def test_names_of_a_lesson_do_not_begin_alike(number: int, seed: int) -> None:
    """Nobody takes one for another."""
    family = lesson_words().families["dog"]
    names = make_names(family, number, "I met Tollard.", keyed_random(str(seed)))
    assert len({name[:3] for name in names}) == number
    assert not any(name.startswith("Toll") for name in names)


@pytest.mark.parametrize(("name", "said"), [("Tollard", "a"), ("Emsow", "an")])
def test_articles(name: str, said: str) -> None:
    """A vowel has another one."""
    assert article(name) == said
