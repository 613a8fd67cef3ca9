"""The questions of the path mmrc: what each ability asks, and that its query proves it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.queries.hardness import HardnessMeter
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.packs.words.records import DEPICTS
from memassay.synth.paths.mmrc.abilities.ar import kept_back
from memassay.synth.paths.mmrc.abilities.asking import ask_dialogue
from memassay.synth.paths.mmrc.abilities.told import Told
from memassay.synth.paths.mmrc.deck import Asked, DeckCard
from memassay.synth.paths.mmrc.dialogues import Dialogues, name_of, number_of
from memassay.validators.check import check_conversation

SEED = 7
DIALOGUES = 24
FAMILIES = ("question", "proof", "refusals", "pairs", "shortcut", "accepted", "ledger")


class Sample:
    """A dialogue with its plan, its card and its questions."""

    def __init__(self, number: int) -> None:
        """Make the dialogue of a number."""
        known = dialogues()
        topic, ordinal = known.place(number)
        bare = topic.bundle(ordinal, name_of(number), "mmrc", NoBytes())
        facts = [*bare.facts, *kept_back(topic.pack, bare.id)]
        self.told = Told(bare.model_copy(update={"facts": facts}), topic.plan(ordinal))
        self.card = known.card(number)

    def ask(self, *asked: Asked) -> list[QAItem]:
        """What is asked of it, by its card or otherwise."""
        return ask_dialogue(self.told, asked or self.card.asked, keyed_random).items


@lru_cache(maxsize=1)
def dialogues() -> Dialogues:
    """Dialogues out of our packs."""
    return Dialogues(None, SEED)


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    """Some dialogues, made once for all tests."""
    return tuple(map(Sample, range(DIALOGUES)))


def items_of(code: str) -> Iterator[tuple[Sample, QAItem]]:
    """The questions of an ability."""
    for sample in samples():
        for item in sample.ask():
            if item.benchmark_type == code:
                yield sample, item


def test_every_ability_of_a_card_is_asked() -> None:
    """Nothing that a card asks is left out."""
    for sample in samples():
        made = ask_dialogue(sample.told, sample.card.asked, keyed_random)
        assert made.missing == []
        assert [one.benchmark_type for one in made.items] == [one.code for one in sample.card.asked]


def test_rules_find_nothing() -> None:
    """Words and queries of the questions agree, and every gold is executed."""
    for sample in samples():
        bundle = sample.told.bundle.model_copy(update={"questions": sample.ask()})
        findings = [
            found
            for found in check_conversation(bundle, RuleContext())
            if found.rule.partition(".")[0] in FAMILIES
        ]
        assert [found.message for found in findings] == []


def test_ie_asks_for_all_pieces() -> None:
    """The gold of a list has every piece, and its evidence the rounds that tell them."""
    for sample, item in items_of("IE"):
        assert item.answer.relation is AnswerRelation.ALL
        assert sorted(item.answer.values) == sorted(one.value.text for one in sample.told.pieces)
        assert len(item.answer.values) == sample.card.pieces


def test_iu_asks_for_what_holds_at_the_end() -> None:
    """An open gold is the last value, and the item counts the updates before it."""
    for sample, item in items_of("IU"):
        chain = sample.told.changed
        assert item.evidence.facts == [chain[-1].id]
        bundle = sample.told.bundle.model_copy(update={"questions": [item]})
        assert HardnessMeter(bundle).measure(item).updates == sample.card.updates == len(chain) - 1


def test_iu_choice_offers_what_was_replaced() -> None:
    """The values before the last one are among the wrong options."""
    found = 0
    for sample in samples():
        if len(sample.told.changed) < 2:
            continue
        (item,) = sample.ask(Asked("IU", "choice", 0, place=2, rank=1))
        texts = " | ".join(option.text for option in item.answer.options)
        assert item.answer.values == ["C"]
        assert sample.told.changed[-2].value.text in texts
        found += 1
    assert found


@pytest.mark.parametrize("code", ["CR", "IU", "MR"])
@pytest.mark.parametrize("place", [0, 1])
def test_statements_are_as_true_as_dealt(code: str, place: int) -> None:
    """A statement is right or wrong as its card says."""
    for sample in samples():
        if sample.card.asks(code) is None:
            continue
        (item,) = sample.ask(Asked(code, "true_false", 3, place=place))
        assert [option.label for option in item.answer.options] == ["True", "False"]
        assert item.answer.values == [("True", "False")[place]]


@pytest.mark.parametrize("code", ["CR", "IU", "MR"])
@pytest.mark.parametrize("place", range(4))
def test_choices_have_the_letter_dealt(code: str, place: int) -> None:
    """A choice has four options, all different, the right one at its letter."""
    for sample in samples():
        if sample.card.asks(code) is None:
            continue
        (item,) = sample.ask(Asked(code, "choice", 5, place=place, rank=place))
        assert item.answer.values == ["ABCD"[place]]
        assert len({option.text for option in item.answer.options}) == 4


def test_im_sets_hold_all_pictures_of_a_group() -> None:
    """Ids of a set are those of every picture that shows the group, and others are shown too."""
    found = 0
    for sample in samples():
        item = next(iter(sample.ask(Asked("IM", "open", 1))), None)
        if item is None or item.answer.format is not AnswerFormat.IMAGE_ID:
            continue
        query: Any = item.query
        shown = query["of"]["where"]
        assert shown["attribute"] == DEPICTS
        pictures = sample.told.pictures
        fit = [one.attachment for one in pictures if shown["value"] in (one.group, one.what)]
        assert item.answer.values == fit
        found += len(fit) > 1
    assert found


def test_im_details_need_the_picture() -> None:
    """A detail is in pixels alone, and in no text."""
    details = [item for _, item in items_of("IM") if item.answer.format is AnswerFormat.FREE]
    for item in details:
        assert [str(one) for one in item.modalities] == ["image"]
    assert details


def test_mr_asks_for_what_never_changed() -> None:
    """A detail is one fact that nothing replaced."""
    for sample, item in items_of("MR"):
        assert len(item.evidence.facts) == 1
        assert not set(item.evidence.facts) & {fact.id for fact in sample.told.changed}


def test_ar_asks_openly_and_by_false_premise_in_turn() -> None:
    """Refusals have twins and decoys; every second one sounds like yes or no."""
    first = Counter[bool]()
    for sample, item in items_of("AR"):
        asked = sample.card.asks("AR")
        specs = sample.told.plan.pack.never
        assert asked is not None
        premise = asked.turn % 2 == 1
        texts = [text for one in specs for text in (one.premise if premise else one.ask)]
        words = [sample.told.fill(text)[1:].rstrip("?") for text in texts]
        assert any(text in item.question.text for text in words)
        assert item.twin_of is not None
        assert item.decoys
        first[premise] += 1
    assert abs(first[True] - first[False]) <= 1


def test_questions_depend_on_the_dialogue_alone() -> None:
    """The same dialogue has the same questions, whoever else is asked."""
    again = Sample(5)
    assert again.ask() == samples()[5].ask()


def test_topics_come_in_turn() -> None:
    """Every pack has one dialogue in so many as there are packs, numbered one by one."""
    known = dialogues()
    many = len(known.packs)
    for block in range(3):
        placed = [known.place(block * many + at) for at in range(many)]
        assert {each.topic.pack.pack for each in placed} == {pack.pack for pack in known.packs}
        assert {each.ordinal for each in placed} == {block}


def test_names_tell_numbers() -> None:
    """The id of a dialogue holds its number."""
    assert number_of(name_of(456)) == 456


def test_missing_ability_is_named() -> None:
    """What nothing proves is named, and nothing else is asked in its place."""
    sample = samples()[0]
    bundle: Bundle = sample.told.bundle
    kept = [fact for fact in bundle.facts if fact.subject.startswith("image:")]
    mentions = [one for one in bundle.mentions if one.fact in {fact.id for fact in kept}]
    bare = bundle.model_copy(update={"facts": kept, "mentions": mentions})
    made = ask_dialogue(Told(bare, sample.told.plan), [Asked("MR", "open", 0)], keyed_random)
    assert (made.items, made.missing) == ([], ["MR"])


def test_cards_say_how_an_ability_is_asked() -> None:
    """A card finds its ability, or says that it has none."""
    asked = Asked("IU", "open", 0)
    card = DeckCard(8, 2, 1, 0, (asked,))
    assert card.asks("IU") == asked
    assert replace(card, asked=()).asks("IU") is None
