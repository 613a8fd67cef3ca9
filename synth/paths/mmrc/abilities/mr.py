"""MR: a detail that was told in one round and never changed (MMRC §3.1)."""

from collections.abc import Collection, Iterator
from random import Random

from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.text import holds
from memassay.synth.paths.mmrc.abilities.forms import choice, option_of, statement
from memassay.synth.paths.mmrc.abilities.iu import claim_of, says
from memassay.synth.paths.mmrc.abilities.rivals import WRONG, near_value, wrong_values
from memassay.synth.paths.mmrc.abilities.told import Told, in_turn
from memassay.synth.paths.mmrc.abilities.wordings import RECALLED, word_ask
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.recall import answer_format


def memory_recall(
    told: Told, asked: Asked, random: Random, first: Collection[str] = ()
) -> Iterator[Draft]:
    """Details, those of the facts that are named `first` before others."""
    facts = details(told)
    random.shuffle(facts)
    facts.sort(key=lambda fact: (told.spec_of(fact)[0] not in first, len(told.rounds(fact))))
    for fact in facts:
        yield from _about(told, asked, fact, random)


def details(told: Told) -> list[Fact]:
    """Facts that the text tells and nothing changes."""
    return [fact for fact in told.held if told.is_in_text(fact) and told.spec_of(fact)[1].ask]


def _about(told: Told, asked: Asked, fact: Fact, random: Random) -> Iterator[Draft]:
    of, about = get(select(fact)), (fact.id,)
    if asked.form == "true_false":
        value = fact.value if asked.place == 0 else near_value(told, fact, random)
        if value is not None:
            yield statement(claim_of(told.phrase(fact), value), says(of, value), asked, about)
        return
    for ask in in_turn(told.spec_of(fact)[1].ask, asked.turn):
        said = told.fill(ask, fact.subject)
        if holds(said, fact.value.text):
            continue
        if asked.form == "open":
            yield Draft(
                told.fill(word_ask(RECALLED, asked, ask), fact.subject),
                of,
                answer_format(fact),
                about,
            )
        else:
            wrong = wrong_values(told, fact, (), asked.rank, random)
            if len(wrong) == WRONG:
                options = option_of(fact.value), [option_of(one) for one in wrong]
                yield choice(said, of, options, asked, about, random)
