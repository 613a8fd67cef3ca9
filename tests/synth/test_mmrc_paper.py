"""Parts of paper mode of MMRC by themselves: aims, pictures, questions of abilities."""

from typing import Any

import pytest

from memassay.schemas.contracts.blobs import InMemory
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, RoundKind, Session, Turn
from memassay.schemas.records.ledger import Fact, FactOperation, FactValue, Mention, ValueType
from memassay.schemas.records.question import AnswerFormat, AnswerRelation
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.packs.files.pack_file import LIBRARY, load_pack
from memassay.synth.packs.plans.plan import Card, Plan
from memassay.synth.packs.topics import Topic
from memassay.synth.paths.mmrc.deck import Asked, Form
from memassay.synth.paths.mmrc.paper.chatting import aim_of
from memassay.synth.paths.mmrc.paper.items import AbilityItems
from memassay.synth.paths.mmrc.paper.pictures import album_of

SAID = (
    ("I planted 12 bulbs along the fence.", "Water them tonight."),
    ("The shed is green, like the gate.", "It must look neat."),
    ("There are 15 bulbs now, I found three more.", "Then the row is full."),
)


@pytest.fixture(scope="module")
def planned() -> tuple[Plan, Bundle]:
    """A dialogue of twelve rounds with pictures, updates and pieces of a list."""
    pack = load_pack(LIBRARY / "baking-day.yaml")
    topic = Topic(pack, "1", lambda _: Card(12, 4, updates=2, pieces=3, join=True))
    return topic.plan(1), topic.bundle(1, "talk", "mmrc", InMemory())


@pytest.fixture(scope="module")
def chat(planned: tuple[Plan, Bundle]) -> Bundle:
    """Three rounds about bulbs, whose number changes, and a shed, with a ledger."""
    rounds = [
        Round(
            id=f"D1:{number}",
            kind=RoundKind.EXCHANGE,
            turns=[
                Turn(id=f"D1:{number}.1", speaker="user", text=user),
                Turn(id=f"D1:{number}.2", speaker="assistant", text=reply),
            ],
        )
        for number, (user, reply) in enumerate(SAID, start=1)
    ]
    talk = planned[1].conversation.model_copy(
        update={"sessions": [Session(id="D1", index=1, rounds=rounds)]}
    )
    facts = [
        _fact("F1", "number of bulbs", "12", unit="bulbs"),
        _fact("F2", "colour of the shed", "green"),
        _fact("F3", "number of bulbs", "15", unit="bulbs", supersedes=["talk/F1"]),
    ]
    mentions = [
        Mention(
            id=f"talk/M{number}",
            fact=fact.id,
            round=f"D1:{number}",
            turn=f"D1:{number}.1",
            modality="text",
            speaker="user",
            span=[0, 5],
        )
        for number, fact in enumerate(facts, start=1)
    ]
    return Bundle(conversation=talk, facts=facts, mentions=mentions)


def _fact(name: str, attribute: str, text: str, **more: Any) -> Fact:
    unit, replaced = more.get("unit"), more.get("supersedes", [])
    return Fact(
        id=f"talk/{name}",
        subject="user",
        attribute=attribute,
        value=FactValue(type=ValueType.NUMBER if unit else ValueType.TEXT, text=text, unit=unit),
        operation=FactOperation.REVISE if replaced else FactOperation.APPEND,
        supersedes=replaced,
    )


def draft(**more: Any) -> ItemDraft:
    """A question as a model proposes it."""
    asked = {"question": "What colour is the shed of the user?", "answers": ["green"]}
    empty: dict[str, Any] = {"fact": "", "steps": [], "options": [], "others": []}
    return ItemDraft.model_validate({**empty, **asked, "evidence": ["D1:2"], **more})


def asked(code: str, form: Form = "open") -> Asked:
    """An ability as a card asks it."""
    return Asked(code, form, 0)


def test_an_aim_holds_no_plan(planned: tuple[Plan, Bundle]) -> None:
    """Topic, people, manner and habits are said; no value of the plan is."""
    plan, plain = planned
    aim = aim_of(plan)
    assert (aim["category"], aim["domain"]) == (plan.pack.category, plan.pack.domain)
    assert [one for one in aim["habits"] if "2 times" in one]
    numbers = {one.value.text for one in plain.facts if one.value.unit}
    assert numbers
    assert not any(number in str(aim) for number in numbers if len(number) > 1)


def test_pictures_come_without_the_words(planned: tuple[Plan, Bundle]) -> None:
    """All pictures at their rounds; facts that only words tell are left out, none refers to one."""
    plan, plain = planned
    album = album_of(plain)
    assert sum(len(one) for one in album.shown.values()) == plan.card.images
    assert {one.fact for one in album.mentions} == {one.id for one in album.facts}
    known = {one.id for one in album.facts}
    assert all(set(one.supersedes) <= known and one.order is None for one in album.facts)
    drawn = [one.drawn.facts for one in album.assets if one.drawn]
    assert all(set(ids) <= known for facts in drawn for ids in facts.values())
    assert not known & {one.id for one in plain.facts}


def test_a_question_that_one_fact_gives_is_proven(chat: Bundle) -> None:
    """Fact named, gold equal, question about its property: query and evidence follow."""
    item, problems = AbilityItems(chat).candidate(asked("MR"), draft(fact="F2"))
    assert problems == []
    assert item is not None
    assert item.query is not None
    assert (item.answer.values, item.evidence.canonical) == (["green"], ["D1:2"])


def test_an_update_is_proven_by_its_latest_value(chat: Bundle) -> None:
    """The value in the end is proven; the one before it is not."""
    question = "How many bulbs did the user plant, in number, in the end?"
    new = draft(question=question, answers=["15 bulbs"], evidence=["D1:3"], fact="F3")
    old = draft(question=question, answers=["12 bulbs"], evidence=["D1:1"], fact="F1")
    made = [AbilityItems(chat).candidate(asked("IU"), one)[0] for one in (new, old)]
    assert [one.query is not None for one in made if one] == [True, False]


def test_what_is_refused_has_no_evidence_and_a_twin(chat: Bundle) -> None:
    """Nothing answers it; a detail that can be asked is its twin."""
    maker = AbilityItems(chat)
    recalled, _ = maker.candidate(asked("MR"), draft(fact="F2"))
    assert recalled is not None
    maker.items.append(recalled)
    refused = draft(question="What did the bulbs cost?", answers=["?"], evidence=[])
    item, problems = maker.candidate(asked("AR"), refused)
    assert problems == []
    assert item is not None
    assert (item.answerable, item.twin_of) == (False, recalled.id)
    assert item.answer.format is AnswerFormat.REFUSAL


def test_closed_forms_have_options(chat: Bundle) -> None:
    """A choice has four letters, a statement two labels, a list all of its items."""
    options = ["red", "green", "blue", "white"]
    choice, _ = AbilityItems(chat).candidate(asked("MR", "choice"), draft(options=options))
    assert choice is not None
    assert (choice.answer.values, len(choice.answer.options)) == (["B"], 4)
    claim = draft(question="The shed is green.", answers=["True"])
    statement, _ = AbilityItems(chat).candidate(asked("MR", "true_false"), claim)
    assert statement is not None
    assert [one.label for one in statement.answer.options] == ["True", "False"]
    listed = draft(question="What has a colour?", answers=["all"], steps=["shed", "gate"])
    several, _ = AbilityItems(chat).candidate(asked("IE"), listed)
    assert several is not None
    assert (several.answer.relation, len(several.answer.values)) == (AnswerRelation.ALL, 2)


@pytest.mark.parametrize(
    ("code", "form", "change", "said"),
    [
        ("MR", "open", {"evidence": ["D1:9"]}, "expected rounds that are shown"),
        ("MR", "open", {"evidence": []}, "expected 1 rounds or more"),
        ("CR", "open", {}, "expected 2 rounds or more"),
        ("AR", "open", {}, "expected none, got 1"),
        ("MR", "open", {"question": "Is the shed green?"}, "does not say its gold"),
        ("MR", "choice", {"options": ["green", "red"]}, "expected four different texts"),
        ("MR", "choice", {"options": list("abcd")}, "expected the text of an option"),
        ("MR", "true_false", {}, "expected True or False"),
    ],
)
def test_a_draft_that_does_not_fit_says_why(
    code: str, form: Form, change: dict[str, Any], said: str, chat: Bundle
) -> None:
    """What is wrong with a draft is what its repair is told."""
    item, problems = AbilityItems(chat).candidate(asked(code, form), draft(**change))
    assert item is None
    assert any(said in one.said for one in problems), problems


def test_no_question_is_asked_twice(chat: Bundle) -> None:
    """A question that is kept refuses another of the same words."""
    maker = AbilityItems(chat)
    item, _ = maker.candidate(asked("MR"), draft())
    assert item is not None
    maker.items.append(item)
    _, problems = maker.candidate(
        asked("IE"), draft(question="What COLOUR is the shed of the user?")
    )
    assert [one.reason for one in problems] == ["repeated"]
