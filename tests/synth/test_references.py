"""References: what makers call pictures, events and people, proven and never by their captions."""

from pathlib import Path
from random import Random

import pytest
from support.fixtures import item
from support.told import usual

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.queries.asked.nouns import NOUNS, loose_nouns_of, nouns_of
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.parts.reference import PictureDescription, Place, Reference
from memassay.schemas.records.question import QAItem
from memassay.synth.questions.history import History
from memassay.synth.questions.references.describing import (
    describe_event,
    describe_person,
    describe_picture,
)
from memassay.synth.questions.references.phrasing import says_name
from memassay.synth.world.persona_file import PERSONAS, load_persona
from memassay.validators.check import RULES, check_conversation

pytestmark = pytest.mark.slow(seconds=2)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """A short history with pictures and a document."""
    folder: Path = tmp_path_factory.mktemp("references")
    return History(usual(folder), load_persona(PERSONAS / "lily-cooking-newbie.yaml"))


def test_a_picture_is_described_so_that_it_alone_fits(history: History) -> None:
    """Nearly every picture can be; none is called by its caption."""
    described = 0
    for shown in history.things.gallery.pictures:
        reference = describe_picture(history, shown.attachment, Random(3))
        if reference is not None:
            described += 1
            assert reference.means == shown.attachment
            assert history.things.resolve(reference.description) == {shown.attachment}
            caption = history.bundle.attachment_by_id[shown.attachment][1].caption or ""
            assert caption.partition(": ")[2] not in reference.phrase or ":" not in caption
    assert described >= 0.9 * len(history.things.gallery.pictures)


def test_the_labels_asked_about_describe_nothing(history: History) -> None:
    """A question about cups does not call its picture the one with more cups."""
    for shown in history.things.gallery.pictures:
        for seed in range(4):
            reference = describe_picture(
                history, shown.attachment, Random(seed), without=shown.numbers
            )
            if reference is not None:
                assert isinstance(reference.description, PictureDescription)
                assert reference.description.looks is None


def test_an_event_is_described_so_that_it_alone_fits(history: History) -> None:
    """Held to what happened, it is called by its title."""
    for event in history.events:
        reference = describe_event(history, event, Random(3))
        if reference is not None:
            assert history.things.resolve(reference.description) == {event.id}
        plain = describe_event(history, event, Random(3), plainly=True)
        assert plain is not None
        assert plain.phrase == event.title


def test_somebody_is_described_without_the_name(history: History) -> None:
    """By a property that nobody else has, and not by the one that is asked for."""
    found = [(key, describe_person(history, key, Random(3))) for key in history.names]
    described = [(key, one) for key, one in found if one is not None]
    assert described
    for key, reference in described:
        assert history.names[key] not in reference.phrase
        assert history.things.resolve(reference.description) == {key}
        attributes = {fact.attribute for fact in history.bundle.facts}
        assert describe_person(history, key, Random(3), without=attributes) is None


def test_the_words_of_makers_say_what_they_describe(history: History) -> None:
    """The rule misses no part in them, and finds nothing beside it."""
    items = []
    for event in history.events:
        told = [history.facts[one] for one in event.facts.values()]
        facts = [fact for fact in told if history.is_labelled(fact) and history.in_text(fact)]
        reference = describe_event(history, event, Random(len(items)))
        if facts and reference is not None:
            items.append(_asking(facts[0], reference, len(items)))
    for key in history.names:
        facts = [fact for fact in history.bundle.facts if fact.subject == key]
        reference = describe_person(history, key, Random(len(items)))
        if reference is not None:
            items.append(_asking(facts[0], reference, len(items)))
    assert len(items) > 10
    bundle = history.bundle.model_copy(update={"questions": items})
    assert check_conversation(bundle, RuleContext(), [RULES["question.reference"]]) == []


def _asking(fact: Fact, reference: Reference, number: int) -> QAItem:
    where = {"subject": fact.subject, "attribute": fact.attribute}
    text = f"What is the {fact.attribute}, thinking of {reference.phrase}?"
    query = {"op": "get", "of": {"op": "select", "where": where}, "field": "value"}
    asked = item(text, [fact.value.text], [], query=query, references=[reference])
    talk = fact.id.partition("/")[0]
    return asked.model_copy(update={"id": f"{talk}/Q{number:03d}", "conversation": talk})


def test_a_place_is_counted_among_what_the_rest_fits(history: History) -> None:
    """The first and the last of all pictures are two; there is no place beyond."""
    shown = [one.attachment for one in history.things.gallery.pictures]
    first = PictureDescription(noun="picture", place=Place(n=1))
    last = PictureDescription(noun="picture", place=Place(n=1, from_end=True))
    beyond = PictureDescription(noun="picture", place=Place(n=len(shown) + 1))
    assert history.things.resolve(first) == {shown[0]}
    assert history.things.resolve(last) == {shown[-1]}
    assert history.things.resolve(beyond) == frozenset()


def test_a_noun_fits_all_that_are_drawn_alike(history: History) -> None:
    """Who sees two labels does not know that one of them was captioned as a tag."""
    shown = history.things.gallery.pictures
    labels = {one.attachment for one in shown if one.kind == "label"}
    called = {one.attachment for one in shown if "label" in one.nouns}
    assert called < labels
    assert history.things.resolve(PictureDescription(noun="label")) == labels


@pytest.mark.parametrize("kind", sorted(NOUNS))
def test_what_a_picture_is_called_it_might_be_called(kind: str) -> None:
    """Whatever its caption says."""
    for noun in loose_nouns_of(kind):
        assert nouns_of(kind, f"Kind: the {noun} of the market") <= loose_nouns_of(kind)


def test_a_name_inside_a_word_is_no_name() -> None:
    """Wei does not speak in a study of box weights."""
    assert not says_name("Wei", "the table from the reading of the Box Weight Study")
    assert says_name("Wei", "the table from Wei's reading")
