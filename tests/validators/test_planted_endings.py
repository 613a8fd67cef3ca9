"""Endings planted as "Not mentioned.", and refusals that are right, against `refusals.ended`."""

import json
from itertools import cycle
from typing import Any

import pytest
from support.ended_pets import pets
from support.ledgers import bundle_of, fact
from support.places import PAPERS
from support.planted_endings import FORMS, WAYS, Planted, planted

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, QAItem
from memassay.validators.check import RULES, check_conversation
from memassay.validators.items import refusal_rules
from memassay.validators.items.ended.endings import Endings

Document = dict[str, Any]
ENDED = [RULES["refusals.ended"]]
LIKELY = [RULES["refusals.ended_likely"]]
ENOUGH = 50
UNDECIDED = {
    "flow-0412/Q005": "grandma decides tomorrow and comes along tomorrow, and that still holds",
}
"""Items that may be missed, each with what cannot be known once its query is gone."""


def _found(bundle: Bundle) -> list[str]:
    return [each.target for each in check_conversation(bundle, RuleContext(), ENDED)]


@pytest.fixture(scope="module")
def bundles() -> list[Bundle]:
    """The papers' conversations."""
    return [
        Bundle.model_validate(each)
        for path in sorted(PAPERS.glob("*.json"))
        for each in json.loads(path.read_text("utf-8"))
    ]


def _plain(item: QAItem) -> bool:
    """Whether an item gets one value of the facts of one selection, at the end."""
    query: Document = item.query or {}
    inner = query.get("of", {})
    asked = item.asked_at.session is None and item.asked_at.checkpoint is None
    return (
        query.get("op") == "get"
        and inner.get("op") in {"select", "as_of"}
        and not {"scope", "status", "holder"} & inner.get("where", {}).keys()
        and item.answer.relation is AnswerRelation.ONE
        and not item.question.attachments
        and asked
    )


def _plantings(bundles: list[Bundle], forms: tuple[str, ...]) -> list[Planted]:
    made = []
    ways, shapes = cycle(WAYS), cycle(forms)
    for bundle in [*bundles, *bundles]:
        dated = all(session.date for session in bundle.conversation.sessions)
        for item in filter(_plain, bundle.questions):
            way = next(ways)
            way = way if dated or way != "over" else "denied"
            made.append(planted(bundle, item, way, next(shapes)))
    return made


def test_planted_endings_are_found(bundles: list[Bundle]) -> None:
    """Deleted, called off, denied, over or gone; whatever became of the query.

    A query that finds what came instead is decided by the query alone.
    """
    made = _plantings(bundles, FORMS)
    rules = [*ENDED, *LIKELY, RULES["proof.executes"]]
    missed = {one.item for one in made if not check_conversation(one.bundle, RuleContext(), rules)}
    assert missed <= UNDECIDED.keys()
    assert len([one for one in made if _found(one.bundle) == [one.item]]) >= ENOUGH


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of Nadia's dog?",
        "What did Nadia drive?",
        "Does Nadia still have the van?",
        "What was Ben's alibi?",
    ],
)
def test_a_question_in_other_words_asks_for_the_same_fact(question: str) -> None:
    """Without a query, whoever asks."""
    assert _found(pets(question)) == ["c/Q001"]


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of Nadia's brother's dog?",
        "What is the name of Olek's dog?",
        "What does Olek drive?",
        "What colour was Nadia's van?",
        "Why did Nadia sell the van?",
        "What is Nadia's new vehicle?",
        "Which cat does Nadia have?",
        "When was Nadia born?",
    ],
)
def test_a_near_miss_of_what_ended_was_never_there(question: str) -> None:
    """Another owner, property, thing or time is not what ended."""
    assert _found(pets(question)) == []


def _harbour(question: str, **item: Any) -> Bundle:
    """Ines's goat died, her lamp fair was called off, her lease ran out, her shop moved."""
    made = pets(question, **item)
    told = [
        (
            fact("F1", "user", "goat", "Pepper", kind="entity"),
            "D1:1",
            "My goat is Pepper, a loud one.",
        ),
        (
            fact("F2", "user", "goat", "Pepper", operation="delete", supersedes=["F1"]),
            "D3:1",
            "Pepper died. It was old age.",
        ),
        (
            fact("F3", "event:lamp-fair", "date", "2024-06-03", kind="date"),
            "D1:2",
            "The lamp fair!",
        ),
        (
            fact("F4", "event:lamp-fair", "date", "off", operation="delete", supersedes=["F3"]),
            "D3:2",
            "The lamp fair is called off. The hall has burst pipes.",
        ),
        (fact("F5", "lamp_fair", "stall number", "17", kind="number"), "D1:3", "My stall is 17."),
        (
            fact("F6", "landlord", "rent for the shed", "90", kind="number"),
            "D2:1",
            "The shed would cost 90, a barrow comes with it.",
        ),
        (
            fact("F7", "landlord", "rent for the shed", "70", kind="number", supersedes=["F6"]),
            "D2:2",
            "Only 70 now.",
        ),
    ]
    bundle = bundle_of([(one, place) for one, place, _ in told])
    document = bundle.model_dump(mode="json")
    texts = {place: text for _, place, text in told}
    for one in (
        each for session in document["conversation"]["sessions"] for each in session["rounds"]
    ):
        if one["id"] in texts:
            one["turns"][0]["text"] = texts[one["id"]]
    return Bundle.model_validate(document).model_copy(update={"questions": made.questions})


@pytest.mark.parametrize(
    "question",
    [
        "WHICH GOAT IS IT?",
        "Which animal was loud?",
        "What became of Pepper?",
        "By the time of the lamp repair, what was the latest word on the goat?",
        "On which day is the lamp fair?",
        "Why was the lamp fair called off?",
        "Is the lamp fair called off?",
        "Which stall number is it at the lamp fair?",
        "How much rent was wanted for the shed at first?",
        "The rent for the shed was revised once. From what to what?",
    ],
)
def test_a_frame_or_another_word_hides_no_ending(question: str) -> None:
    """Capitals, kinds, reasons, titles of events, details of what was called off, first values."""
    assert _found(_harbour(question)) == ["c/Q001"]


@pytest.mark.parametrize(
    "question",
    [
        "Who tamed the goat?",
        "How old is the goat?",
        "Where was the goat born?",
        "What does the goat eat?",
        "How heavy is the goat?",
        "What rent is asked for the barrow?",
        "Who founded the lamp fair?",
        "Which goat does the landlord keep?",
    ],
)
def test_an_unsaid_detail_of_what_ended_is_no_error(question: str) -> None:
    """A word that the ended fact leaves open asks for something else."""
    assert _found(_harbour(question)) == []


def _likely(bundle: Bundle) -> list[str]:
    return [each.target for each in check_conversation(bundle, RuleContext(), LIKELY)]


@pytest.mark.parametrize(
    "question",
    [
        "Which noisy creature lived in the barn?",
        "What animal was so loud in the night?",
        "What were they asking for the shed by the river at first?",
        "When does the lamp thing by the canal begin?",
        "What is the number of the stall under the lime trees?",
    ],
)
def test_a_paraphrase_of_what_ended_is_worth_a_look(question: str) -> None:
    """Without a query, one sign of the thing and one of what is asked for are enough."""
    bundle = _harbour(question)
    assert _found(bundle) == []
    assert _likely(bundle) == ["c/Q001"]


@pytest.mark.parametrize(
    "question",
    [
        "Who tamed the goat?",
        "How heavy is the goat?",
        "What does the goat eat?",
        "Which bus goes to the lamp fair?",
        "Who founded the lamp fair?",
        "What is the landlord's dog called?",
    ],
)
def test_another_property_of_what_ended_is_not_worth_a_look(question: str) -> None:
    """What is asked for is no word of what ended, nor of its kind."""
    assert _likely(_harbour(question)) == []


@pytest.mark.parametrize("attribute", ["goat", "goatt", "weight"])
def test_a_query_decides_unless_it_is_misspelt(attribute: str) -> None:
    """It finds what has ended, misspells what has ended, or asks for something else."""
    select = {"op": "select", "where": {"subject": "user", "attribute": attribute}}
    bundle = _harbour(
        "Which noisy creature lived in the barn?", query={"op": "absent", "of": select}
    )
    assert _found(bundle) == (["c/Q001"] if attribute == "goat" else [])
    assert _likely(bundle) == (["c/Q001"] if attribute == "goatt" else [])


def test_a_letter_that_stands_for_a_refusal_claims_nothing() -> None:
    """A choice whose gold is the option "Not mentioned"."""
    options = [{"label": "A", "text": "Pepper"}, {"label": "B", "text": "Not mentioned"}]
    answer = {"format": "choice", "values": ["B"], "options": options}
    question = "Which goat is it? A. Pepper B. Not mentioned"
    assert _found(_harbour(question, answer=answer, answerable=True)) == ["c/Q001"]


def test_both_rules_share_what_they_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a conversation, however many rules ask; the next check computes again."""
    made: list[str] = []

    def counted(bundle: Bundle) -> Endings:
        made.append(bundle.id)
        return Endings(bundle)

    monkeypatch.setattr(refusal_rules, "Endings", counted)
    bundle, context = pets("What is the name of Nadia's dog?"), RuleContext()
    for times in (1, 2):
        assert check_conversation(bundle, context, [*ENDED, *LIKELY])
        assert made == [bundle.id] * times


def test_what_is_only_close_is_a_warning_unless_a_query_asks_for_something_else() -> None:
    """No error on a word left open; no warning where a query soundly finds nothing."""
    question = "What does Nadia's dog Comet eat?"
    absent = {
        "op": "absent",
        "of": {"op": "select", "where": {"subject": "nadia", "attribute": "x"}},
    }
    for query, expected in ((None, ["c/Q001"]), (absent, [])):
        bundle = pets(question, query=query)
        assert _found(bundle) == []
        found = check_conversation(bundle, RuleContext(), LIKELY)
        assert [each.target for each in found] == expected


def test_before_the_end_an_item_overlooks_none() -> None:
    """Asked after the second session, the dog is alive: wrong, but for another rule."""
    question = "What is the name of Nadia's dog?"
    assert _found(pets(question, asked_at={"session": "D2"})) == []


def test_the_conversations_are_clean_without_them(bundles: list[Bundle]) -> None:
    """Every refusal of the papers' items is right."""
    assert [name for bundle in bundles for name in _found(bundle)] == []
