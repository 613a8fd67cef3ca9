"""AR: what nobody tells, asked for, or taken for granted as if by yes or no (MMRC §3.1)."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from memassay.schemas.ids import record_id
from memassay.schemas.queries.asked.words import run_of, words_of
from memassay.schemas.records.ledger import Fact, FactStatus, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import NeverSpec
from memassay.synth.packs.words.naming import USER
from memassay.synth.packs.words.records import property_of
from memassay.synth.paths.mmrc.abilities.mr import details
from memassay.synth.paths.mmrc.abilities.told import Told, in_turn
from memassay.synth.paths.mmrc.abilities.wordings import RECALLED, word_ask
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft

_KEPT_BACK: Final = "kept back"


def kept_back(pack: Pack, conversation: str) -> list[Fact]:
    """What is so in the world of a dialogue and what nobody tells: known to no question."""
    return [
        Fact(
            id=record_id(conversation, f"N{at:02d}"),
            subject=USER,
            attribute=property_of(spec.say),
            value=FactValue(type=ValueType.TEXT, text=_KEPT_BACK),
            status=FactStatus.UNSAID,
        )
        for at, spec in enumerate(pack.never, start=1)
    ]


def rank_refusals(told: Told, random: Random) -> list[NeverSpec]:
    """What is not told, that first which is near a fact that the text tells."""
    specs = random.sample(told.plan.pack.never, len(told.plan.pack.never))
    near = {told.spec_of(fact)[0] for fact in [*details(told), *told.changed[-1:]]}
    return sorted(specs, key=lambda spec: spec.near not in near)


def answer_refusal(
    told: Told, asked: Asked, specs: Sequence[NeverSpec]
) -> Iterator[tuple[NeverSpec, Draft]]:
    """Questions that have no answer: open ones and false premises in turn."""
    for spec in specs:
        where = {"subject": USER, "attribute": property_of(spec.say)}
        query = {"op": "absent", "of": {"op": "select", "where": where}}
        texts = spec.ask if asked.turn % 2 == 0 else spec.premise
        for ask in in_turn(texts, asked.turn // 2):
            text = told.fill(word_ask(RECALLED, asked, ask))
            if _brings_names(told, text):
                continue
            yield spec, Draft(text, query, AnswerFormat.REFUSAL, (spec.say,))


def _brings_names(told: Told, text: str) -> bool:
    """Whether a question names a person or a day that the dialogue does not know."""
    named = [word.folded for word in words_of(text) if word.capital and not word.begins]
    known = {word for turn in told.bundle.conversation.turns() for word in run_of(turn.text)}
    return not known.issuperset(named)
